"""Terms as macro LaTeX and back: what lets a grammar of templates translate into any syntax.

A head becomes a macro (`BesselJ[n, z]` is `\\mBesselJ@{n}{z}`), operators and letters become LaTeX as people write it
(`\\frac{a}{b}`, `x^{2}`, juxtaposition). What a macro prints is learnt from pairs, as for every other language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from texlift.errors import FormulaError
from texlift.latex.canonical import CallElement, Element, Row
from texlift.macros.semantic import Language
from texlift.macros.syntaxes.term import Term

__all__ = ["Spelling", "doubtful_products", "macro_of", "read_term", "spelled"]

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
    *("xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
_CAPITALS = ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega")
_LETTERS = {
    **{f"\\[{name.capitalize()}]": f"\\{name}" for name in _GREEK},
    **{f"\\[Capital{name}]": f"\\{name}" for name in _CAPITALS},
}
_NAMES = {latex: name for name, latex in _LETTERS.items()}
_RELATIONS = {
    "Equal": "=", "Unequal": r"\neq", "Less": "<", "LessEqual": r"\leq", "Greater": ">", "GreaterEqual": r"\geq"
}  # fmt: skip
_HEADS = {sign: head for head, sign in _RELATIONS.items()}
_OPERATORS = frozenset({*_RELATIONS, "Plus", "Minus", "Times", "Divide", "Power", "Factorial", "Subscript"})
_QUOTIENT = re.compile(r"/|\\[tdc]?frac(?![A-Za-z])")
_HEAD = re.compile(r"[A-Z$][A-Za-z0-9$]*")
_DIGITS = "abcdefghij"
_RAISED = re.compile(r"\)(\}?)\s*\^")
_SCRIPTS = frozenset("_'^")
_SIGNS = frozenset({r"\cdot", r"\times", "*"})
_FENCES = ("( )", "[ ]")


# -- macros --------------------------------------------------------------------------------------------


def macro_of(head: str, arguments: tuple[Term, ...] | None = None) -> str:
    """The macro of a head: `q` escapes digits, and says which arguments are lists: `{k, 0, n}` of a sum."""
    name = "".join(["qq" if c == "q" else f"q{_DIGITS[int(c)]}" if c.isdigit() else c for c in head])
    parts = arguments or ()
    shape = "".join([chr(ord("b") + len(part.parts)) if _is_list(part) else "a" for part in parts])
    return f"\\m{name}" + (f"qz{shape}" if shape.strip("a") else "")


def _is_list(term: Term) -> bool:
    return term.head == "List" and term.arguments is not None and len(term.arguments) < 20


def _head_of(macro: str) -> tuple[str, str]:
    """The head of a macro, and which arguments are lists."""
    name, _, shape = macro[2:].partition("qz")
    head = re.sub("q([a-jq])", lambda found: "q" if found[1] == "q" else str(_DIGITS.index(found[1])), name)
    return head, shape


def _flat(arguments: tuple[Term, ...]) -> list[Term]:
    flat: list[Term] = []
    for part in arguments:
        flat += part.parts if _is_list(part) else (part,)
    return flat


# -- to LaTeX ------------------------------------------------------------------------------------------

_SUM, _PRODUCT, _FACTOR, _ATOM = range(4)


class Spelling:
    """How operators are written: powers of functions behind the argument or not; which quotients have a slash.

    `quotients` are the signs of a formula's quotients in order: whether each is a slash. Further ones are fractions.
    """

    def __init__(self, quotients: Sequence[bool] = (), power_behind: bool = False) -> None:
        self.quotients = quotients
        self.power_behind = power_behind
        self._at = 0

    @staticmethod
    def like(generic: str, term: Term) -> Spelling:
        """As a generic formula writes them; powers are behind if it has more powers of brackets than the term."""
        quotients = [found[0] == "/" for found in _QUOTIENT.finditer(generic)]
        return Spelling(quotients, _raised_brackets(generic) > _bracket_powers(term))

    def write(self, term: Term) -> str:
        """A term as macro LaTeX; FormulaError for a name that is none."""
        return self._written(term)[0]

    def _written(self, term: Term) -> tuple[str, int]:
        head, parts = term.head, term.parts
        if term.arguments is None:
            return self._name(term), _ATOM
        if head in _RELATIONS and len(parts) > 1:
            return _RELATIONS[head].join([_space(self._within(part, _SUM)) for part in parts]), -1
        if head == "Plus" and parts:
            text = self._within(parts[0], _SUM)
            for part in parts[1:]:
                minus = part.head == "Minus" and part.arguments is not None
                text += f"-{self._within(part.parts[0], _PRODUCT)}" if minus else f"+{self._within(part, _PRODUCT)}"
            return text, _SUM
        if head == "Minus" and len(parts) == 1:
            return f"-{self._within(parts[0], _PRODUCT)}", _SUM
        if head == "Times" and parts:
            text = ""
            for part in parts:
                factor = self._within(part, _PRODUCT if part.head == "Divide" else _FACTOR)
                dot = text[-1:].isdigit() and factor[:1].isdigit()
                text += (r"\cdot " if dot else " " if text[-1:].isalpha() and factor[:1].isalpha() else "") + factor
            return text, _PRODUCT
        if head == "Divide" and len(parts) == 2:
            return self._quotient(*parts)
        if head == "Power" and len(parts) == 2:
            return self._power(*parts), _FACTOR
        if head == "Factorial" and len(parts) == 1:
            return f"{self._within(parts[0], _ATOM)}!", _ATOM
        if head == "Subscript" and len(parts) == 2:
            return f"{self._within(parts[0], _ATOM)}_{{{self.write(parts[1])}}}", _ATOM
        return self._call(term), _ATOM

    def _within(self, term: Term, level: int) -> str:
        text, binds = self._written(term)
        return text if binds >= level else rf"\left({text}\right)"

    def _quotient(self, above: Term, below: Term) -> tuple[str, int]:
        """A fraction, whose sign stands before its parts, or with a slash, which stands between them."""
        signs = self.quotients[self._at : self._at + _quotients(above) + 1]
        if signs and signs[0] and signs[-1] and len(signs) > _quotients(above):
            first = self._within(above, _PRODUCT)
            self._at += 1
            return f"{first}/{self._within(below, _FACTOR)}", _PRODUCT
        self._at += 1
        return rf"\frac{{{self.write(above)}}}{{{self.write(below)}}}", _FACTOR

    def _power(self, base: Term, exponent: Term) -> str:
        if base.arguments and base.head not in _OPERATORS and not self.power_behind:
            return self._call(base, f"^{{{self.write(exponent)}}}")
        return f"{self._within(base, _ATOM)}^{{{self.write(exponent)}}}"

    def _name(self, term: Term) -> str:
        head = term.head
        if term.is_number or (len(head) == 1 and head.isalpha() and head.isascii() and head not in "EI"):
            return head
        if head in _LETTERS:
            return _LETTERS[head]
        if _HEAD.fullmatch(head):
            return macro_of(head)
        raise FormulaError(f"{head} is no letter and no name that starts with a capital", head, (0, len(head)), "")

    def _call(self, term: Term, scripts: str = "") -> str:
        arguments = term.arguments or ()
        if not _HEAD.fullmatch(term.head):
            head = term.head
            raise FormulaError(f"{head} is a function without a definition", head, (0, len(head)), "")
        inside = "".join([f"{{{self.write(part)}}}" for part in _flat(arguments)])
        return f"{macro_of(term.head, arguments)}{scripts}@{inside}"


def _space(text: str) -> str:
    return f" {text}" if text[:1].isalpha() else text


def spelled(term: Term, generic: str) -> str:
    """A term as macro LaTeX, with operators as the generic formula writes them."""
    return Spelling.like(generic, term).write(term)


def _raised_brackets(generic: str) -> int:
    """How many superscripts stand behind a bracket, maybe in braces with what is before it."""
    count = 0
    for found in _RAISED.finditer(generic):
        depth, at = len(found[1]), found.start()
        while depth and at:
            at -= 1
            depth += (generic[at] == "}") - (generic[at] == "{")
        count += not found[1] or generic[max(at - 1, 0)] not in "_^"
    return count


def _quotients(term: Term) -> int:
    return (term.head == "Divide") + sum([_quotients(part) for part in term.parts])


def _bracket_powers(term: Term) -> int:
    """How many powers of sums, products and quotients there are."""
    own = term.head == "Power" and len(term.parts) == 2 and term.parts[0].head in ("Plus", "Minus", "Times", "Divide")
    return own + sum([_bracket_powers(part) for part in term.parts])


# -- from LaTeX ----------------------------------------------------------------------------------------


def read_term(latex: str, language: Language) -> Term:
    """The term that macro LaTeX spells.

    Raises FormulaError, with the place, for what is neither a macro of the language nor a letter, number or operator:
    nothing that is not understood is multiplied.
    """
    return _Reader(latex).row(language.row(latex))


def doubtful_products(latex: str, language: Language) -> list[str]:
    """Letters with a bracket right behind them, which were read as factors and may be functions."""
    reader = _Reader(latex)
    reader.row(language.row(latex))
    return reader.doubts


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.doubts: list[str] = []

    def fail(self, element: Element, message: str = "") -> NoReturn:
        text = self.source[element.start : element.end]
        raise FormulaError(message or f"{text} has no meaning here", self.source, (element.start, element.end), "")

    def row(self, row: Row) -> Term:
        return self.relation(row.elements, row)

    def relation(self, elements: list[Element], row: Row) -> Term:
        terms: list[Term] = []
        heads: list[str] = []
        start = 0
        for at, element in enumerate([*elements, None]):
            if element is None or element.label in _HEADS:
                terms.append(self.sum(elements[start:at], row))
                start = at + 1
                if element is not None:
                    heads.append(_HEADS[element.label])
        if not heads:
            return terms[0]
        if len(set(heads)) == 1:
            return Term(heads[0], tuple(terms))
        return Term("And", tuple([Term(h, (a, b)) for h, a, b in zip(heads, terms, terms[1:], strict=False)]))

    def sum(self, elements: list[Element], row: Row) -> Term:
        terms: list[Term] = []
        minus = False
        start = 0
        for at, element in enumerate([*elements, None]):
            if element is None or element.label in ("+", "-"):
                if at > start:
                    term = self.product(elements[start:at])
                    terms.append(Term("Minus", (term,)) if minus else term)
                    minus = False
                elif element is None or terms or minus:
                    place = (row.start, max(row.end, row.start + 1))
                    raise FormulaError("an expression is missing", self.source, place, "")
                if element is not None:
                    minus = element.label == "-"
                start = at + 1
        return terms[0] if len(terms) == 1 else Term("Plus", tuple(terms))

    def product(self, elements: list[Element]) -> Term:
        result: Term | None = None
        sign = ""
        at = 0
        while at < len(elements):
            element = elements[at]
            if element.label in _SIGNS or element.label == "/":
                if result is None or sign:
                    self.fail(element)
                sign = "/" if element.label == "/" else "*"
                at += 1
                continue
            first = element
            factor, at = self.factor(elements, at)
            letter = type(first) is not CallElement and first.label[-1].isalpha() and not first.rows
            if letter and at < len(elements) and elements[at].label in _FENCES:
                self.doubts.append(self.source[first.start : first.end])
            if result is None:
                result = factor
            elif sign == "/":
                result = Term("Divide", (result, factor))
            elif result.head == "Times" and result.arguments is not None:
                result = Term("Times", (*result.arguments, factor))
            else:
                result = Term("Times", (result, factor))
            sign = ""
        if result is None or sign:
            self.fail(elements[-1], "an expression is missing")
        return result

    def factor(self, elements: list[Element], at: int) -> tuple[Term, int]:
        term = self.atom(elements[at])
        at += 1
        while at < len(elements) and (elements[at].label in _SCRIPTS or elements[at].label == "!"):
            element = elements[at]
            if element.label == "!":
                term = Term("Factorial", (term,))
            elif element.label == "'":
                self.fail(element)
            else:
                inside = self.row(element.rows[0])
                term = Term("Power" if element.label == "^" else "Subscript", (term, inside))
            at += 1
        return term, at

    def atom(self, element: Element) -> Term:
        label = element.label
        if isinstance(element, CallElement):
            return self.call(element)
        if label in _FENCES:
            return self.row(element.rows[0])
        if label == r"\frac":
            return Term("Divide", (self.row(element.rows[0]), self.row(element.rows[1])))
        if element.rows:
            self.fail(element)
        if label in _NAMES:
            return Term(_NAMES[label])
        if not (label[0].isdigit() or (len(label) == 1 and label.isalpha())):
            self.fail(element)
        return Term(label)

    def call(self, element: CallElement) -> Term:
        if not element.label.startswith(r"\m"):
            self.fail(element)
        head, shape = _head_of(element.label)
        parts = [self.row(row) for row in element.rows]
        if shape:
            wanted = sum([1 if letter < "b" else ord(letter) - ord("b") for letter in shape])
            if len(parts) != wanted:
                self.fail(element, f"{head} needs {wanted} arguments here, not {len(parts)}")
            whole: list[Term] = []
            for letter in shape:
                count = ord(letter) - ord("b")
                whole.append(parts.pop(0) if count < 0 else Term("List", tuple(parts[:count])))
                del parts[: max(count, 0)]
            parts = whole
        term = Term(head, tuple(parts)) if element.rows else Term(head)
        for script in element.scripts:
            if script.label != "^":
                self.fail(script)
            term = Term("Power", (term, self.row(script.rows[0])))
        return term
