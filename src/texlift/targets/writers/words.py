r"""Plain English: what a formula says, to be read aloud.

How phrases nest is said in `targets/words/phrase.py`. Functions are called as in `words.json` or the lexicon, letters
as they are written, capital ones with the word. What the tree does not know is spelled as written, with a caution.
"""

from __future__ import annotations

import re

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Function,
    Indexed,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
)
from texlift.targets.words.calls import call_parts
from texlift.targets.words.families import Families
from texlift.targets.words.operators import (
    AFFIXES,
    BETWEEN,
    CONSTANTS,
    LOGIC,
    PREFIXES,
    fraction_words,
    ordinal,
    relation_words,
)
from texlift.targets.words.phrase import Level, Phrase, listed
from texlift.targets.words.signs import merged
from texlift.targets.words.spelling import Speller, name_words

__all__ = ["MOST_WORDS", "WordsPrinter"]

MOST_WORDS = 40_000
"""Characters of a formula in words; longer ones are refused."""

_MOST_ATTEMPTS = 40  # parts of a formula that are tried to be read when the whole cannot be
_AFTER_MARK = re.compile(r"(, end [a-z]+)(?= )")
_POWERS = {"2": "squared", "3": "cubed"}
_BEFORE = {"2": "square", "3": "cube"}


class WordsPrinter(Families):
    """Writes one sentence without a full stop for each formula."""

    target = "words"
    several = ("", "")

    def formula(self, reading: Reading) -> str:
        statements = reading.statements
        if reading.split and len(statements) % 2 == 0:
            half = len(statements) // 2
            upper, lower = statements[:half], statements[half:]
            statements = tuple(merged(a, b) for a, b in zip(upper, lower, strict=True))
        words = "; ".join(self.write(statement) for statement in statements)
        if any("left-hand side is missing" in warning for warning in reading.warnings):
            words = f"{Speller(self.source).first()} {words}"  # a row that goes on: `≤ d`
        return self.bounded(words)

    def unread(self, error: FormulaError) -> str:
        """A formula that cannot be read as a whole: what can be read of it in words, the rest spelled."""
        attempts = 0

        def known(start: int, end: int) -> str:
            nonlocal attempts
            attempts += 1
            part = self.source[start:end]
            if attempts > _MOST_ATTEMPTS or not part.strip():
                return ""
            try:
                reading = read(part)
                return "" if reading.warnings else WordsPrinter(part).formula(reading)
            except FormulaError:
                return ""

        words = Speller(self.source, known).words()
        if not words:
            raise error
        self.cautions[f"not understood as a whole, so signs are spelled as they are written: {error.message}"] = None
        return self.bounded(words)

    def bounded(self, words: str) -> str:
        words = _AFTER_MARK.sub(r"\1,", words)
        if len(words) > MOST_WORDS:
            raise FormulaError(
                f"more than {MOST_WORDS:,} characters in words", self.source, (0, len(self.source)), "", "too-long"
            )
        return words

    def write(self, node: Expression) -> str:
        return self.phrase(node).text

    def phrase(self, node: Expression) -> Phrase:
        return getattr(self, f"say_{type(node).__name__.lower()}")(node)  # type: ignore[no-any-return]

    # -- atoms -----------------------------------------------------------------------------------------

    def say_number(self, node: Number) -> Phrase:
        return Phrase(node.value, Level.ATOM, beside=True)

    def say_symbol(self, node: Symbol) -> Phrase:
        self.symbols.setdefault(node.name, node.name)
        words = name_words(node.name)
        if node.role in ("vector", "matrix") and not words.startswith("bold "):
            words = f"{node.role} {words.removesuffix(' arrow')}"
        return Phrase(words, Level.ATOM, beside=" sub " not in words)

    def say_constant(self, node: Constant) -> Phrase:
        words = CONSTANTS.get(node.name, node.name)
        return Phrase(words, Level.ATOM, beside=len(words) <= 2)

    def say_dots(self, node: Dots) -> Phrase:
        return Phrase("and so on", Level.ATOM)

    def say_indexed(self, node: Indexed) -> Phrase:
        text = name_words(node.base)
        simple = all(self.phrase(part).level == Level.ATOM for part in node.indices)
        below = " ".join(self.write(part) for part in node.indices) if simple else ""
        if simple and len(node.indices) == 1 and " sub " not in below:
            text += f" sub {below}"
        elif node.indices:
            text += f" sub {' comma '.join(self.write(part) for part in node.indices)}, end sub"
        if node.upper:
            word = "index" if len(node.upper) == 1 else "indices"
            text += f" with upper {word} {' '.join(self.write(part) for part in node.upper)}, end {word}"
        return Phrase(text, Level.ATOM, shut=text.endswith(("end sub", "end index", "end indices")))

    # -- applications ----------------------------------------------------------------------------------

    def say_apply(self, node: Apply) -> Phrase:
        head = node.head
        if head == r"\bigO" and "dots" in self.source[node.span[0] : node.span[1]]:
            return Phrase("and so on", Level.ATOM)  # dots at the end of an expansion
        if head[0] == "\\":
            return self.call(head, node.arguments, len(node.arguments))
        method = getattr(self, f"apply_{head}", None)
        if method is not None:
            return method(node)  # type: ignore[no-any-return]
        if head in LOGIC:
            words = [self.operand(part, Level.RELATION).text for part in node.arguments]
            return Phrase(f" {LOGIC[head]} ".join(words), Level.LOGIC)
        if head in BETWEEN:
            word, level = BETWEEN[head]
            words = [self.operand(part, Level(level - 1)).closed().text for part in node.arguments]
            return Phrase(f" {word} ".join(words), level)
        if head in AFFIXES and len(node.arguments) == 1:
            return self.affixed(node.arguments[0], AFFIXES[head])
        if (phrase := self.concept(node)) is not None:
            return phrase
        return self.of(PREFIXES.get(head) or self.named(node), node.arguments)

    def call(self, head: str, arguments: tuple[Expression, ...], count: int) -> Phrase:
        first = arguments[0].value if arguments and isinstance(arguments[0], Number) else ""
        parts = call_parts(self.table, head, first, count, len(arguments))
        if len(parts) == 3 and count > 1 and not parts[2] and head == r"\pgcd":
            return self.of(parts[0].removesuffix(" of "), arguments)
        text = ""
        shut = False
        for index in range(0, len(parts), 2):
            text += parts[index]
            if index + 1 < len(parts):
                node = arguments[int(parts[index + 1]) - 1]
                last = not any(parts[index + 2 :])
                slot = self.final(node) if last else self.middle(node)
                text += slot.text
                shut = slot.shut and last
        return Phrase(text, Level.APPLIED if arguments else Level.ATOM, shut=shut)

    def say_function(self, node: Function) -> Phrase:
        from texlift.macros.lexicon import lexicon

        macro = lexicon().lookup(node.head.removesuffix("[]"))
        return self.call(node.head, node.parameters, len(node.parameters) + (macro.variables if macro else 0))

    def say_unknown(self, node: Unknown) -> Phrase:
        function = self.phrase(node.function)
        name = function.text
        order = node.order
        if isinstance(order, Number) and order.value in ("1", "2", "3"):
            name += {"1": " prime", "2": " double prime", "3": " triple prime"}[order.value]
        elif order is not None:
            index = self.phrase(order)
            times = index.text if index.level == Level.ATOM else f"order {index.text}, end order,"
            name = (
                f"the {ordinal(times)} derivative of {name}"
                if index.level == Level.ATOM
                else f"{name} derived to {times}"
            )
        if node.span == node.function.span and order is None:
            return Phrase(name, function.level, beside=function.beside)  # `w` in dw/dz: the argument is not written
        return self.of(name, node.arguments)

    def of(self, name: str, arguments: tuple[Expression, ...]) -> Phrase:
        """A name with its arguments."""
        if not arguments:
            return Phrase(name, Level.ATOM)
        if len(arguments) == 1:
            slot = self.final(arguments[0])
            return Phrase(f"{name} of {slot.text}", Level.APPLIED, shut=slot.shut)
        phrases = [self.phrase(part) for part in arguments]
        if all(phrase.level <= Level.TIGHT for phrase in phrases):
            return Phrase(f"{name} of {listed([phrase.text for phrase in phrases])}")
        words = " comma ".join(phrase.text for phrase in phrases)
        return Phrase(f"{name} of the arguments {words}, end arguments", shut=True)

    def affixed(self, node: Expression, word: str) -> Phrase:
        """A word behind what it is said of: `n factorial`, `capital A transpose`."""
        inner = self.phrase(node)
        if inner.level != Level.ATOM:
            inner = inner.quantity()
        return Phrase(f"{inner.text} {word}", Level.TIGHT)

    def apply_tensor(self, node: Apply) -> Phrase:
        return self.phrase(node.arguments[0])

    # -- arithmetic ------------------------------------------------------------------------------------

    def apply_plus(self, node: Apply) -> Phrase:
        text, mark = "", ""
        for index, part in enumerate(node.arguments):
            word = "plus"
            if isinstance(part, Apply) and part.head in ("negate", "plusminus", "minusplus"):
                word = {"negate": "minus", "plusminus": "plus or minus", "minusplus": "minus or plus"}[part.head]
                part = part.arguments[0]
            elif index == 0:
                word = ""
            term = self.operand(part, Level.PRODUCT)
            last = index == len(node.arguments) - 1
            text += f" {word} {term.text if last else term.closed().text}"
            mark = term.mark if last else ""
        return Phrase(" ".join(text.split()), Level.SUM, mark=mark)

    def apply_negate(self, node: Apply) -> Phrase:
        return self.apply_plus(Apply("plus", (node,), node.span))

    apply_plusminus = apply_minusplus = apply_negate

    def apply_times(self, node: Apply) -> Phrase:
        phrases = [self.operand(part, Level.OVER) for part in node.arguments]
        if len(phrases) == 1:
            return phrases[0]
        text, tight, before = "", True, None
        for index, phrase in enumerate(phrases):
            part = phrase if index == len(phrases) - 1 else phrase.closed()
            if before is None:
                text = part.text
            else:
                joined = before.beside and part.beside and not part.text[0].isdigit()
                tight &= joined
                text += f" {part.text}" if joined else f" times {part.text}"
            before = phrase.closed() if index < len(phrases) - 1 else phrase
        assert before is not None
        return Phrase(text, Level.TIGHT if tight else Level.PRODUCT, beside=tight, mark=before.mark)

    def apply_divide(self, node: Apply) -> Phrase:
        above, below = (self.phrase(part) for part in node.arguments)
        if words := fraction_words(*node.arguments):
            return Phrase(words, Level.TIGHT)
        if above.level <= Level.TIGHT and below.level <= Level.TIGHT:
            return Phrase(f"{above.text} over {below.text}", Level.OVER)
        words = f"the fraction with numerator {above.text} and denominator {below.text}"
        return Phrase(f"{words}, end fraction", shut=True)

    def apply_power(self, node: Apply) -> Phrase:
        body, exponent = node.arguments
        base, raised = self.phrase(body), self.phrase(exponent)
        number = exponent.value if isinstance(exponent, Number) else ""
        if base.level == Level.APPLIED and not base.shut:
            if number in _BEFORE:
                return Phrase(f"the {_BEFORE[number]} of {base.closed().text}")
            if raised.level == Level.ATOM and (number.isdigit() or raised.beside):
                return Phrase(f"the {ordinal(raised.text)} power of {base.closed().text}")
        simple = base.level == Level.ATOM
        text = base.text if simple else base.closed().quantity().text
        if number in _POWERS:
            return Phrase(f"{text} {_POWERS[number]}", Level.TIGHT, beside=simple and base.beside)
        if simple and " sub " in base.text and isinstance(exponent, Symbol):
            return Phrase(f"{text} superscript {raised.text}")  # may be an index as well as a power
        slot = self.final(exponent, "power", Level.TIGHT)
        return Phrase(f"{text} to the power {slot.text}", shut=slot.shut)

    def apply_sqrt(self, node: Apply) -> Phrase:
        slot = self.final(node.arguments[0], "root", Level.TIGHT)
        return Phrase(f"the square root of {slot.text}", shut=slot.shut)

    def apply_root(self, node: Apply) -> Phrase:
        body, degree = node.arguments
        slot = self.final(body, "root", Level.TIGHT)
        return Phrase(f"the {ordinal(self.write(degree), 'cube')} root of {slot.text}", shut=slot.shut)

    def apply_modulo(self, node: Apply) -> Phrase:
        value, modulus = (self.operand(part, Level.SUM).closed() for part in node.arguments)
        return Phrase(f"{value.text} modulo {modulus.text}", Level.SUM)

    def apply_truncated(self, node: Apply) -> Phrase:
        return Phrase(f"{self.write(node.arguments[0])} and so on", Level.TIGHT)

    # -- relations -------------------------------------------------------------------------------------

    def say_relation(self, node: Relation) -> Phrase:
        words = relation_words(node, self.source)
        text = self.operand(node.operands[0], Level.SET).text
        for index, (word, operand) in enumerate(zip(words, node.operands[1:], strict=True)):
            chained = index and word.startswith("is ")
            text += f"{', which' if chained else ''} {word} {self.operand(operand, Level.SET).text}"
        return Phrase(text, Level.RELATION)

    # -- slots -----------------------------------------------------------------------------------------

    def operand(self, node: Expression, highest: Level) -> Phrase:
        """A part beside others: in end marks if it would draw them in."""
        phrase = self.phrase(node)
        return phrase if phrase.level <= highest else phrase.quantity()

    def final(self, node: Expression, mark: str = "", highest: Level = Level.APPLIED) -> Phrase:
        """The last part of a phrase: one short term, or with an end mark."""
        phrase = self.phrase(node)
        if phrase.short and phrase.level <= highest and not (mark and phrase.shut):
            return phrase
        if phrase.shut and phrase.level <= Level.APPLIED and not (mark and not phrase.balanced):
            return phrase
        negated = node.arguments[0] if isinstance(node, Apply) and node.head == "negate" else None
        if negated is not None and self.phrase(negated).level <= Level.TIGHT:
            return Phrase(phrase.text, Level.APPLIED)
        if mark:
            return phrase.closed().ended(mark)
        return phrase.closed() if phrase.mark and phrase.level <= Level.APPLIED else phrase.quantity()

    def middle(self, node: Expression) -> Phrase:
        """A part that another word of the phrase follows: sums of short terms need no end mark."""
        phrase = self.phrase(node)
        if phrase.level <= Level.TIGHT:
            return phrase
        if isinstance(node, Sequence) and node.kind == "list" and len(node.items) > 1:
            items = [self.phrase(item) for item in node.items]
            if all(item.level <= Level.TIGHT for item in items):
                return Phrase(listed([item.text for item in items]), Level.SET)
        parts = node.arguments if isinstance(node, Apply) and node.head in ("plus", "negate") else ()
        bare = [p.arguments[0] if isinstance(p, Apply) and p.head == "negate" else p for p in parts]
        if bare and all(self.phrase(part).level <= Level.TIGHT for part in bare):
            return phrase
        return phrase.closed() if phrase.mark else phrase.quantity()
