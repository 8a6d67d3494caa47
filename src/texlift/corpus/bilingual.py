"""Generated pairs of LaTeX and another syntax: random terms over a table of heads and the notations of each.

Both sides are made from one term. Notations that another head has already are left out, and those that are a letter or
another notation with a bracket behind it (`\\nu(n)`, `B_{n}(x)` beside `B_{n}`), which a product looks like too: no
context is made that could tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from texlift.corpus.folds import assign_folds
from texlift.corpus.pair import Pair
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical_key
from texlift.latex.printing import join
from texlift.macros.lexicon import lexicon
from texlift.macros.syntaxes.syntax import Syntax
from texlift.macros.syntaxes.term import Term

__all__ = ["Notation", "bilingual_pairs", "notations_of"]

_CODE = re.compile(r"([A-Z][A-Za-z0-9]*)(?:\[((?:\{\d\}(?:, )?)*)\])?")
_MARK = re.compile(r"#([1-9])")
_LETTERS = "abcxyztuskmnpqrvw"
_GREEK = {r"\alpha": "Alpha", r"\beta": "Beta", r"\theta": "Theta", r"\lambda": "Lambda", r"\mu": "Mu", r"\nu": "Nu"}
_FURTHER: Mapping[str, Sequence[str]] = {
    "Log": (r"\log#'\left(#1\right)", r"\log#'#1"),
    "GCD": (r"\gcd\left(#1,#2\right)",),
    "LCM": (r"\operatorname{lcm}\left(#1,#2\right)",),
    "Fibonacci": ("F_{#1}",),
    "Exp": (r"\exp\left(#1\right)",),
    "Sqrt": (r"\sqrt{#1}",),
    "ArithmeticGeometricMean": (r"\operatorname{agm}\left(#1,#2\right)",),
    "EllipticPi": (r"\Pi\left(#1,#2\right)",),
    "EulerPhi": (r"\varphi\left(#1\right)",),
    "BellB": ("B_{#1}",),
    "Arg": (r"\arg\left(#1\right)", r"\operatorname{arg}\left(#1\right)"),
    "Hypergeometric2F1": (r"{}_2F_1\left(#1,#2;#3;#4\right)",),
    "Binomial": (r"{#1\choose #2}",),
}
"""Notations that the lexicon does not have."""
_CONSTANTS = ((r"\pi", "Pi"),) * 4 + (("i", "I"), (r"\mathrm{i}", "I"), (r"\gamma", "EulerGamma"))
_DEEP = 3
_TRIES = 30


@dataclass(frozen=True, slots=True)
class Notation:
    """A head, its LaTeX with holes, and which argument each hole is."""

    head: str
    latex: str
    order: tuple[int, ...]  # argument of the head -> hole

    @property
    def bare(self) -> bool:
        """Whether an argument is not between brackets."""
        return re.search(r"(?:^|[^{(,;|])\s*#\d$", self.latex) is not None


def notations_of(table: Mapping[str, str]) -> list[Notation]:
    """The notations of a table of macros and their code, if that is a plain call: `BesselJ[{1}, {2}]`."""
    found: list[Notation] = []
    taken: set[str] = set()

    def add(head: str, latex: str, order: tuple[int, ...]) -> None:
        key = canonical_key(re.sub(r"#'", "", latex))
        if key not in taken:
            taken.add(key)
            found.append(Notation(head, latex, order))

    for name, entry in table.items():
        code = _CODE.fullmatch(entry)
        macro = lexicon().lookup(name)
        if code is None or macro is None:
            continue
        order = tuple([int(number) - 1 for number in re.findall(r"\d", code[2] or "")])
        for call, latex in macro.templates:
            holes = [argument for argument in Rule(call, latex).shape.arguments if isinstance(argument, int)]
            shown = holes == list(range(len(order))) and len(holes) == len(Rule(call, latex).shape.arguments)
            if shown and holes and not latex.startswith("#"):
                add(code[1], latex, order)
    for head, ways in _FURTHER.items():
        for latex in ways:
            add(head, latex, tuple(range(len(set(_MARK.findall(latex))))))
    return [one for one in found if not _is_product(one, found)]


def _is_product(one: Notation, others: Sequence[Notation]) -> bool:
    """Whether a notation looks like a product of a letter, or of another notation, with a bracket."""
    name, bracket, _ = one.latex.replace("#'", "").partition(r"\left(")
    letter = re.sub(r"[_^]\{.*", "", name).strip("{} ")
    if letter in {*_LETTERS, *_GREEK, *(latex for latex, _ in _CONSTANTS)}:
        return True
    return bool(bracket) and any(other is not one and other.latex.replace("#'", "") == name for other in others)


_Both = tuple[str, Term]


class _Writer:
    """Makes terms together with their LaTeX."""

    def __init__(self, notations: Sequence[Notation], random: Random) -> None:
        self.random = random
        by_head: dict[str, list[Notation]] = {}
        for one in notations:
            by_head.setdefault(one.head, []).append(one)
        self.calls = list(by_head.values())

    def formula(self) -> _Both:
        left = self.sum(self.random.choice((1, 2, 2, _DEEP)))
        if self.random.random() < 0.5:
            return left
        right = self.sum(self.random.choice((1, 1, 2)))
        sign, head = self.random.choice((("=", "Equal"),) * 5 + ((r"\leq", "LessEqual"), ("<", "Less")))
        return _joined(left[0], sign, right[0]), Term(head, (left[1], right[1]))

    def sum(self, depth: int) -> _Both:
        count = self.random.choice((1, 1, 2, 2, 3)) if depth else 1
        latex, term = self.product(depth)
        terms = [term]
        if not depth and self.random.random() < 0.05:
            latex, term = self.slashed(0)
            terms = [term]
        if self.random.random() < 0.1:
            latex, terms = f"-{latex}", [Term("Minus", (term,))]
        for _ in range(count - 1):
            minus = self.random.random() < 0.35
            more, term = self.product(depth)
            latex = _joined(latex, "-" if minus else "+", more)
            terms.append(Term("Minus", (term,)) if minus else term)
        return latex, terms[0] if len(terms) == 1 else Term("Plus", tuple(terms))

    def product(self, depth: int) -> _Both:
        count = self.random.choice((1, 1, 2, 2, 3)) if depth else 1
        factors = [self.factor(depth)]
        if count > 1 and self.random.random() < 0.3:
            factors.insert(0, self.number(0))  # numbers stand first
        while len(factors) < count:
            factors.append(self.factor(depth, first=False))
        if len(factors) > 1 and self.random.random() < 0.2:
            factors.append(self.bracket(depth - 1))
        if depth > 1 and self.random.random() < 0.12:
            factors.append(self.operator(depth - 1))
        latex, terms = "", []
        for text, term in factors:
            if latex[-1:].isdigit() and text[:1].isdigit():
                text = rf"\cdot {text}"
            latex = join(latex, text)
            terms.append(term)
        return latex, terms[0] if len(terms) == 1 else Term("Times", tuple(terms))

    def factor(self, depth: int, first: bool = True) -> _Both:
        kinds: list[Callable[[int], _Both]] = [self.letter, self.letter, self.letter]
        if first:
            kinds.append(self.number)
        if self.random.random() < 0.2:
            kinds = [self.constant]
        elif depth:
            kinds += [self.call, self.call, self.call, self.call, self.power, self.quotient]
            if self.random.random() < 0.2:
                kinds = [self.factorial]
        return self.random.choice(kinds)(depth - 1)

    def letter(self, depth: int) -> _Both:
        if self.random.random() < 0.25:
            latex = self.random.choice(list(_GREEK))
            return latex, Term(f"\\[{_GREEK[latex]}]")
        name = self.random.choice(_LETTERS)
        if self.random.random() < 0.08:
            index = str(self.random.randint(0, 3))
            return f"{name}_{{{index}}}", Term("Subscript", (Term(name), Term(index)))
        return name, Term(name)

    def number(self, depth: int) -> _Both:
        number = str(self.random.choice((1, 2, 2, 3, 4, 5, 8, 12)))
        return number, Term(number)

    def constant(self, depth: int) -> _Both:
        latex, name = self.random.choice(_CONSTANTS)
        return latex, Term(name)

    def power(self, depth: int) -> _Both:
        kind = self.random.random()
        if kind < 0.2:
            latex, base = self.random.choice(("e", r"\mathrm{e}")), Term("E")
        else:
            latex, base = self.letter(0) if kind < 0.8 else self.bracket(depth)
        kind = self.random.random()
        if kind < 0.2:
            raised, exponent = self.slashed(0)
        else:
            raised, exponent = self.sum(min(depth, 1)) if kind < 0.5 else self.number(0)
        if "_" in latex or self.random.random() < 0.3:
            latex = f"{{{latex}}}"
        return f"{latex}^{{{raised}}}", Term("Power", (base, exponent))

    def quotient(self, depth: int) -> _Both:
        above, first = self.sum(depth)
        below, second = self.sum(depth)
        return rf"\frac{{{above}}}{{{below}}}", Term("Divide", (first, second))

    def slashed(self, depth: int) -> _Both:
        """A quotient with a slash, which divides all that stands before it in its term."""
        above, first = self.product(0) if self.random.random() < 0.5 else self.number(0)
        below, second = self.number(0)
        return f"{above}/{below}", Term("Divide", (first, second))

    def bracket(self, depth: int) -> _Both:
        first, one = self.product(max(depth, 0))
        second, other = self.letter(0) if self.random.random() < 0.5 else self.number(0)
        latex = _joined(first, "+", second)
        return self._fenced(latex), Term("Plus", (one, other))

    def _fenced(self, latex: str) -> str:
        return f"({latex})" if self.random.random() < 0.4 else rf"\left({latex}\right)"

    def factorial(self, depth: int) -> _Both:
        if self.random.random() < 0.6:
            return "n!", Term("Factorial", (Term("n"),))
        return self._fenced("n+1") + "!", Term("Factorial", (Term("Plus", (Term("n"), Term("1"))),))

    def call(self, depth: int) -> _Both:
        one = self.random.choice(self.random.choice(self.calls))
        made = [self.sum(max(depth, 0)) if self.random.random() < 0.9 else self.slashed(0) for _ in one.order]
        if one.bare:
            made[-1] = self.letter(0)
        raised = ""
        exponent: Term | None = None
        if "#'" in one.latex and "^" not in one.latex and self.random.random() < 0.15:
            raised, exponent = f"^{{{(power := self.number(0))[0]}}}", power[1]
        latex = one.latex.replace("#'", raised)
        if self.random.random() < 0.4:
            latex = latex.replace(r"\left", "").replace(r"\right", "")
        elif self.random.random() < 0.3:
            latex = latex.replace(r"\left(", r"\!\left(")
        parts: list[str] = []
        for number, text in enumerate(_MARK.split(latex)):
            piece = made[int(text) - 1][0] if number % 2 else text
            parts.append(join(parts[-1], piece)[len(parts[-1]) :] if parts else piece)
        term = Term(one.head, tuple([made[hole][1] for hole in one.order]))
        return "".join(parts), term if exponent is None else Term("Power", (term, exponent))

    def operator(self, depth: int) -> _Both:
        """A sum, a product or an integral, at the end of its term: it takes all that follows."""
        latex, term = self.quotient(depth) if self.random.random() < 0.4 else self.product(depth)
        if self.random.random() < 0.4:
            name = self.random.choice("txu")
            low, first = self.random.choice((("0", Term("0")), ("a", Term("a")), ("1", Term("1"))))
            high, last = self.random.choice(((r"\infty", Term("Infinity")), ("1", Term("1")), ("b", Term("b"))))
            d = self.random.choice((r"\,d", r"\,\mathrm{d}", r"\mathrm{d}"))
            text = join(rf"\int_{{{low}}}^{{{high}}}", latex) + join(d, name)
            return text, Term("Integrate", (term, Term("List", (Term(name), first, last))))
        name, low = self.random.choice("kjn"), self.random.choice("01")
        high, last = self.random.choice(((r"\infty", Term("Infinity")), ("n", Term("n")), ("m", Term("m"))))
        sign, head = self.random.choice(((r"\sum", "Sum"), (r"\sum", "Sum"), (r"\prod", "Product")))
        text = join(f"{sign}_{{{name}={low}}}^{{{high}}}", latex)
        return text, Term(head, (term, Term("List", (Term(name), Term(low), last))))


def _joined(first: str, sign: str, second: str) -> str:
    return join(join(first, sign), second)


def bilingual_pairs(table: Mapping[str, str], other: Syntax, count: int, seed: int = 0) -> list[Pair]:
    """Pairs of generic LaTeX and text in another syntax, each generic formula once."""
    notations = notations_of(table)
    writer = _Writer(notations, Random(seed))
    pairs: dict[str, Pair] = {}
    for number in range(_TRIES * count):
        if len(pairs) == count:
            break
        latex, term = writer.formula()
        if latex not in pairs and len(latex) < 300:
            pairs[latex] = Pair(f"{other.name}.{seed}.{number}", latex, other.print(term))
    return assign_folds(list(pairs.values()))
