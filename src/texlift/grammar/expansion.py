"""Semantic LaTeX to generic LaTeX: every call is replaced by its presentation.

Expansion is a function: the grammar's rule for a call is found by its layout and constants, and the texts of
the arguments, expanded in turn, go into the holes. Everything that is not a call is copied as it was written.
"""

from __future__ import annotations

import re
from functools import lru_cache

from texlift.errors import FormulaError, Span
from texlift.grammar.derivation import derived
from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.pattern import HOLES
from texlift.grammar.rule import Rule, layout
from texlift.latex.nodes import (
    Call,
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Row,
    Script,
    Scripted,
    Text,
)
from texlift.latex.parser import parse
from texlift.latex.printing import joint
from texlift.macros.concepts import Vocabulary, vocabulary
from texlift.macros.lexicon import Macro, lexicon
from texlift.macros.presentation import presented

__all__ = ["MAX_OUTPUT", "Expander", "expand"]

MAX_OUTPUT = 2_000_000
"""Longest expansion in characters: holes that are used twice could double the text at every level."""

_SCRIPTS = frozenset("^_'")
_SHORT = 80  # characters of calls and expansions that are remembered
_MOST_KNOWN = 4096
_MARK = re.compile(r"#([1-9a-z'])")
_BRACKET = re.compile(r"\s*(?:\\left\s*)?\(")


def expand(semantic: str, grammar: Grammar | None = None, words: Vocabulary | None = None) -> str:
    """Generic LaTeX of a semantic formula; `words` is a vocabulary with macros of one's own.

    Raises FormulaError, with the place, for broken LaTeX, an unknown macro with @, or a known macro with
    arguments it cannot have.
    """
    return Expander(grammar or packaged_grammar(), words=words).expand(semantic)


class Expander:
    """Expands with one grammar, keeping what it looked up.

    Macros the grammar has no rule for are expanded with the lexicon's templates if `with_lexicon`, and those of the
    vocabulary with their first notation.
    """

    def __init__(self, grammar: Grammar, with_lexicon: bool = True, words: Vocabulary | None = None) -> None:
        self.grammar = grammar
        self.language = grammar.language
        self.with_lexicon = with_lexicon and self.language.with_lexicon
        self._words = words
        self._signatures = self.language.signatures
        if words is not None:
            self._signatures = self._signatures.with_calls({**words.call_signatures, **self._signatures.calls})
        self._rules: dict[tuple[str, tuple[int, ...]], list[Rule]] = {}
        self._expanded: dict[str, str] = {}  # short calls come up again and again
        self._derived: dict[str, list[Rule]] = {}

    def expand(self, semantic: str) -> str:
        """Generic LaTeX of a semantic formula."""
        nodes = parse(semantic, self._signatures)
        if "@" in semantic:
            _refuse_stray_ats(nodes, semantic)
        return self._copy(semantic, (0, len(semantic)), nodes)

    def _copy(self, source: str, span: Span, nodes: Row) -> str:
        """The source of a span with the calls in it expanded."""
        text = ""
        at = span[0]
        pieces: list[str] = []
        for call in _calls(nodes):
            literal = source[at : call.start]
            presented = self._call(source, call)
            if source[call.end : call.end + 1] in _SCRIPTS:
                presented = f"{{{presented}}}"  # scripts behind the call must not meet scripts inside it
            for piece in (literal, presented):
                if piece:
                    pieces += (joint(text, piece), piece)
                    text = piece
            at = call.end
        rest = source[at : span[1]]
        pieces += (joint(text, rest), rest)
        result = "".join(pieces)
        if len(result) > MAX_OUTPUT:
            raise FormulaError("expansion is too long", source, span, "", "too-long")
        return result

    def _call(self, source: str, call: Call) -> str:
        written = source[call.start : call.end]
        known = self._expanded.get(written)
        if known is not None:
            return known
        rule = self.rule(source, call)
        if rule is None:
            if "@" not in written and not self._is_lexicons(call.name):
                return written
            if not call.arguments and call.name[1:].islower() and _BRACKET.match(source, call.end):
                # `\\floor(x)`: a name as people type it, which `\\modBesselK` is not
                return written
            raise self._unknown(source, call)
        arguments = call.arguments
        texts: dict[str, str] = {}
        for index, argument in enumerate(rule.shape.arguments):
            if isinstance(argument, int):
                node = arguments[index]
                children: Row = node.children if isinstance(node, Group) else [node]
                texts[HOLES[argument]] = self._copy(source, (node.start + 1, node.end - 1), children)
        scripts = ""
        if call.scripts:
            first, last = call.scripts[0], call.scripts[-1]
            scripts = self._copy(source, (first.start, last.end), [s.argument for s in call.scripts if s.argument])
        expanded = _fill(rule, texts, scripts, frozenset([script.kind for script in call.scripts]))
        if len(written) <= _SHORT and len(expanded) <= _SHORT:
            if len(self._expanded) >= _MOST_KNOWN:
                self._expanded.clear()
            self._expanded[written] = expanded
        return expanded

    def _is_lexicons(self, name: str) -> bool:
        return self.language.of_lexicon(name) and self._macro(name) is not None

    def _macro(self, name: str) -> Macro | None:
        """A macro of the lexicon or of the vocabulary."""
        known = lexicon().lookup(name)
        if known is not None:
            return known
        words = vocabulary() if self._words is None else self._words
        return words.macros.get(name)

    def rule(self, source: str, call: Call) -> Rule | None:
        """The rule for a call: constants must agree; of several, the most specific, then the most used."""
        shape = layout(call)
        given = self._given(call.name, shape)
        fitting = [rule for rule in given if self._applies(rule, source, call)]
        if fitting:
            return self._told_apart(fitting, source, call) if len(fitting) > 1 else fitting[0]
        for rule in self._following(call.name, shape):
            if self._applies(rule, source, call):
                return rule
        for rule in given:
            shorter = _without_empty(rule, source, call)
            if shorter is not None and self._applies(shorter, source, call):
                return shorter
        return None

    def _applies(self, rule: Rule, source: str, call: Call) -> bool:
        """Whether a rule of the call's layout fits: nothing empty in a hole, a place for scripts, the constants."""
        arguments = call.arguments
        for argument, written in zip(rule.shape.arguments, arguments, strict=True):
            if isinstance(argument, int) and _is_empty(written):
                return False
        if call.scripts and "#'" not in rule.generic:
            return False
        key = self.language.key
        return all(
            key(source[arguments[index].start + 1 : arguments[index].end - 1]) == key(constant)
            for index, constant in rule.constants
        )

    def _told_apart(self, fitting: list[Rule], source: str, call: Call) -> Rule:
        """Of rules for the same call the one whose arguments have what these have; otherwise the first."""
        first = fitting[0]
        rivals = [rule for rule in fitting if rule.call == first.call]
        if len(rivals) == 1 or not any(rule.common for rule in rivals):
            return first
        held: set[str] = set()
        for index, argument in enumerate(first.shape.arguments):
            if isinstance(argument, int):
                node = call.arguments[index]
                row = self.language.row(source[node.start + 1 : node.end - 1])
                held |= {element.label for element in row.elements}
        telling = [rule for rule in rivals if rule.common and held.issuperset(rule.common)]
        plain = [rule for rule in rivals if not rule.common]
        return (telling or plain or rivals)[0]

    def _given(self, name: str, shape: tuple[int, ...]) -> list[Rule]:
        """The grammar's rules, or the lexicon's templates, for a macro with this layout."""
        found = self._rules.get((name, shape))
        if found is None:
            rules = self._all(name)
            fitting = [rule for rule in rules if rule.shape.layout == shape]
            found = self._rules[name, shape] = sorted(fitting, key=lambda rule: -len(rule.constants))
        return found

    def _following(self, name: str, shape: tuple[int, ...]) -> list[Rule]:
        """Rules that follow from others: a grammar for reading leaves out the ones that are guessed too easily."""
        if name not in self._derived:
            self._derived[name] = derived(self._all(name))
        return [rule for rule in self._derived[name] if rule.shape.layout == shape]

    def _all(self, name: str) -> list[Rule]:
        rules = [rule for rule in self.grammar.by_name.get(name, ()) if rule.sound]
        if self.with_lexicon and (macro := self._macro(name)) is not None:
            # also synonyms and macros with bound variables: expanded, though never read into a formula
            have = {rule.call for rule in rules}
            templates = [Rule(written, shown) for written, shown in macro.templates if written not in have]
            rules += [rule for rule in templates if rule.sound]
        return rules

    def _unknown(self, source: str, call: Call) -> FormulaError:
        macro = self._macro(call.name)
        span = (call.start, call.end)
        if macro is None:
            names = [m.name for m in lexicon().near(call.name, 3)] if self.language.with_lexicon else []
            hint = f"did you mean {', '.join(names)}?" if names else ""
            return FormulaError(f"unknown macro {call.name}", source, span, hint, "unknown-macro")
        return FormulaError(
            f"{call.name} cannot be written like this", source, span, f"write {macro.call_form}", "arguments"
        )


def _is_empty(node: Node) -> bool:
    return isinstance(node, Group) and not node.children


def _without_empty(rule: Rule, source: str, call: Call) -> Rule | None:
    """The rule for a call with empty options or parameters, where they only leave a script empty, or a blank.

    `\\sumdivisors{}@{#2}` is `\\sigma\\left(#2\\right)` if `\\sumdivisors{#1}@{#2}` is `\\sigma_{#1}\\left(#2\\right)`.
    """
    written, shown = rule.call, rule.generic
    before_ats = len(call.options) + len(call.parameters)
    for index, argument in enumerate(rule.shape.arguments):
        if isinstance(argument, int) and _is_empty(call.arguments[index]):
            mark = f"#{HOLES[argument]}"
            if index >= before_ats or re.search(rf"[,;|]\s*{mark}|{mark}\s*[,;|]", shown):
                return None
            written = written.replace(mark, "")
            shown = re.sub(r"[_^]\{\}", "", shown.replace(mark, ""))
    shorter = Rule(written, shown, rule.count)
    return shorter if shorter.sound and shorter.pattern.items else None


def _calls(nodes: Row) -> list[Call]:
    """The outermost calls, in the order of the source."""
    found: list[Call] = []
    for node in nodes:
        if isinstance(node, Call):
            found.append(node)
        elif type(node) is not Leaf:
            found += _calls(_children(node))
    return found


def _refuse_stray_ats(nodes: Row, source: str) -> None:
    """An @ that belongs to no macro: one too many arguments before it, or a name without its backslash."""
    for node in nodes:
        if type(node) is Leaf:
            if node.text == "@":
                hint = "the macro before it takes fewer arguments, or is not known"
                raise FormulaError("@ without a macro", source, (node.start, node.end), hint, "arguments")
        else:
            _refuse_stray_ats(_children(node), source)


def _children(node: Node) -> Row:
    if isinstance(node, Scripted):
        return [*([] if node.base is None else [node.base]), *_arguments(node.scripts)]
    if isinstance(node, Group | Delimited):
        return node.children
    if isinstance(node, Command):
        return [*node.options, *node.arguments]
    if isinstance(node, Call):
        return [*node.arguments, *_arguments(node.scripts)]
    if isinstance(node, Infix):
        return [*node.above, *node.below]
    if isinstance(node, Environment):
        return [cell for row in node.rows for cell in row]
    return [*node.math] if isinstance(node, Text) else []


def _arguments(scripts: list[Script]) -> Row:
    return [script.argument for script in scripts if script.argument is not None]


def _fill(rule: Rule, texts: dict[str, str], scripts: str, kinds: frozenset[str]) -> str:
    """The rule's presentation with the holes filled and the scripts at the script point."""
    result: list[str] = []
    last = ""
    for mark, behind in _pieces(rule.generic, kinds):
        for piece in (scripts if mark == "'" else texts[mark] if mark else "", behind):
            if piece:
                result += (joint(last, piece), piece)
                last = piece
    return "".join(result)


@lru_cache(maxsize=4096)
def _pieces(generic: str, kinds: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """A presentation in pieces: each mark, at first none, with the text behind it."""
    marks = _MARK.split(presented(generic, kinds))
    return tuple(zip(["", *marks[1::2]], marks[::2], strict=True))
