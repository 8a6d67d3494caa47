"""Synthetic pairs from the lexicon, for users who do not have the DLMF.

A formula takes its macros from one chapter of the lexicon and from the elementary functions, nests them as
their presentation allows (an index below, an expression between brackets, a single letter where nothing
closes the argument), and is expanded to its generic side. Formulae without macros, whose letters look like
functions, are mixed in: a translator has to learn what to leave alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random

from texlift.corpus.augment import COMPARATORS
from texlift.corpus.folds import assign_folds
from texlift.corpus.pair import KINDS, Pair
from texlift.errors import FormulaError, TexliftError
from texlift.grammar.expansion import Expander
from texlift.grammar.packaged import packaged_grammar
from texlift.latex.lexer import tokenize
from texlift.latex.printing import join
from texlift.macros.lexicon import HOLES, SCRIPT_POINT, Lexicon, Macro, lexicon

__all__ = ["Generator", "generate_pairs"]

_INDICES = ("n", "m", "k", r"\nu", r"\mu", "0", "1", "2", "n+1", "n-1", "2n", r"\nu+1", r"\alpha", "j", r"-\nu")
_LETTERS = ("x", "z", "t", "y", "u", "s", r"\theta", r"\zeta", "a", "b", "c", r"\lambda")
_NUMBERS = ("2", "3", "4", r"\tfrac{1}{2}", r"\frac{1}{2}", r"2\cpi", r"\cpi", r"\iunit")
_HEADS = ("f", "g", "P", "J", "E", "K", r"\Gamma", r"\psi", r"\phi", "F", "H", "T", "B", r"\zeta")
_ARGUMENTS = (
    *("?", "?", "?", "2?", "-?", "-2?", "n?", "?+1", "?-1", "?+n", "1-?", "?^{2}", "1/?", r"?+\tfrac{1}{2}"),
    *(r"\cpi ?", r"\tfrac{1}{2}?", r"\frac{?}{2}", r"\iunit ?", r"\sqrt{?}", r"?\expe^{\cpi\iunit}"),
)
_ATOMS = ("?", "?", "?^{2}", "?^{n}", "?_{0}", "?_{1}", "?_{k}", r"\expe^{-?}", r"\expe^{\iunit ?}")
_INTEGRALS = (r"\int_{0}^{\infty}", r"\int_{0}^{1}", r"\int_{0}^{z}", r"\int", r"\int_{-\infty}^{\infty}")
_DIFFERENTIALS = (r"\diff{t}", r"\diff{x}", r"\diff{u}")
_SUMS = ("?+1", "?-1", "1-?", "?+a", "1+?^{2}", "?-b", "?+n")
_CONSTRAINTS = (
    *(r"\realpart@@{?}>0", r"\realpart@@{?}>-1", r"\realpart@{?+1}>0", r"|\phase@@{?}|<\cpi", r"-1<?<1", "?>0"),
    *(r"n=0,1,2,\dots", r"m=1,2,3,\dots", r"|?|<1", r"|?|<\cpi", r"?\in\Complexes", r"n\in\Integers", r"?\neq0"),
)
_COMPARISONS = ("=", "=", "=", "=", r"\leq", "<", r"\asympeq")
_ELEMENTARY = ("4",)  # chapters whose macros mix with all others
_OPERATORS = frozenset({r"\times", r"\cdot", "/", r"\mathbin{|}", r"\circ", "|", r"\nabla", r"\Delta", r"\delta"})
_LITERAL_SHARE = 0.2
_TRIES = 20

_MAX_TOKENS = 120
_CONSTANT = re.compile(r"\\(?:cpi|iunit|expe|diff|realpart|phase|Complexes|Integers|asympeq)\b")

_DIFFERENTIAL = re.compile(r"(?:\\mathrm\{d\}|\\partial ?)$")
_WORD = re.compile(r"\\operatorname\{[a-z]*(?:#\d)*$")


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to call a macro, with the role of each hole: index, argument, letter, count, list or atom."""

    macro: Macro
    call: str
    roles: tuple[str, ...]


def generate_pairs(
    count: int,
    seed: int = 0,
    kinds: Sequence[str] = ("equation", "expression"),
    words: Lexicon | None = None,
    on_pair: Callable[[], None] | None = None,
) -> list[Pair]:
    """`count` different pairs of the given kinds, with folds; the same seed gives the same pairs.

    There are fewer where so many different ones cannot be found. `on_pair` is called after each pair.
    """
    if unknown := set(kinds) - set(KINDS):
        raise TexliftError(f"unknown kind {', '.join(sorted(unknown))}: choose from {', '.join(KINDS)}")
    if not kinds:
        raise TexliftError(f"no kinds given: choose from {', '.join(KINDS)}")
    pairs = []
    for pair in Generator(words or lexicon()).pairs(count, seed, kinds):
        pairs.append(pair)
        if on_pair is not None:
            on_pair()
    return assign_folds(pairs)


class Generator:
    """Generates formulae from one lexicon."""

    def __init__(self, words: Lexicon) -> None:
        self.chapters = _forms(words)
        self.expander = Expander(packaged_grammar())

    def pairs(self, count: int, seed: int, kinds: Sequence[str]) -> Iterator[Pair]:
        """`count` different pairs; fewer if so many different ones cannot be found."""
        seen: set[str] = set()
        failures = 0
        number = 0
        while number < count and failures < _TRIES * (count + 10):
            rng = Random(f"{seed}:{number}:{failures}")
            kind = rng.choice(kinds)
            formula = _Formula(self.chapters, rng)
            semantic = formula.write(kind)
            generic = self._expanded(semantic)
            if generic is None or semantic in seen or len(tokenize(generic)) > _MAX_TOKENS:
                failures += 1
                continue
            seen.add(semantic)
            number += 1
            yield Pair(f"synthetic.{seed}.{number}", generic, semantic, formula.context(), kind, formula.chapter)

    def _expanded(self, semantic: str) -> str | None:
        try:
            return self.expander.expand(semantic)
        except FormulaError:
            # a form the grammar has no rule for, or a script where none can stand
            return None


class _Formula:
    """One formula in the making: which macros it draws from and which it has used."""

    def __init__(self, chapters: dict[str, list[_Form]], rng: Random) -> None:
        self.rng = rng
        themes = [name for name in chapters if name not in _ELEMENTARY] or list(chapters)
        self.chapter = rng.choice(themes)
        self.forms = chapters[self.chapter]
        self.elementary = [form for name in _ELEMENTARY for form in chapters.get(name, [])] or self.forms
        self.literal = rng.random() < _LITERAL_SHARE
        self.used: dict[str, Macro] = {}
        self.calls_left = rng.choice((1, 2, 2, 3, 4))

    def write(self, kind: str) -> str:
        """A formula of the kind."""
        if kind == "constraint":
            return self.pick(_CONSTRAINTS)
        if kind == "equation":
            return f"{self.term(2)}{_spaced(self.pick(_COMPARISONS))}{self.expression(2)}"
        return self.expression(2)

    def context(self) -> dict[str, str]:
        """A sentence that names what is used; now and then none, so that a model learns to do without."""
        meanings = list(dict.fromkeys(macro.meaning for macro in self.used.values()))
        if not meanings or self.rng.random() < 0.25:
            return {}
        opening = self.rng.choice(("With", "Here we use", "In terms of", "A relation for", "Consider"))
        names = [meaning if "'s " in meaning else f"the {meaning}" for meaning in meanings[:3]]
        return {"sentence": f"{opening} {' and '.join(names)}."}

    # -- shapes ----------------------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        terms = [self.term(depth) for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3)))]
        return "".join(terms[:1] + [self.rng.choice("+-") + term for term in terms[1:]])

    def term(self, depth: int) -> str:
        coefficient = self.rng.choice(("", "", "", self.pick(_NUMBERS), "?")).replace("?", self.rng.choice(_LETTERS))
        factors = [self.factor(depth) for _ in range(self.rng.choice((1, 1, 1, 2)))]
        return _product([coefficient, *factors])

    def factor(self, depth: int) -> str:
        rng = self.rng
        shape = rng.random()
        if depth <= 0 or (self.calls_left <= 0 and shape < 0.8):
            return self.pick(_ATOMS)
        if shape < 0.66:
            return self.call(depth)
        if shape < 0.76:
            return rf"\frac{{{self.term(depth - 1)}}}{{{self.expression(0)}}}"
        if shape < 0.8:
            return rf"\sqrt{{{self.expression(depth - 1)}}}"
        if shape < 0.88:
            return f"({self.pick(_SUMS)})^{{{rng.choice(_INDICES)}}}"
        if shape < 0.94:
            index = rng.choice("nkmj")
            summand = _product([self.call(depth - 1), f"x^{{{index}}}"])
            return rf"\sum_{{{index}={rng.choice('01')}}}^{{\infty}}{summand}"
        if self.literal:
            return self.call(depth - 1)
        return _product([rng.choice(_INTEGRALS), self.call(depth - 1), rng.choice(_DIFFERENTIALS)])

    def pick(self, patterns: Sequence[str]) -> str:
        """One of the patterns, with a letter for `?`; in a literal formula one without macros."""
        if self.literal:
            patterns = [pattern for pattern in patterns if not _CONSTANT.search(pattern)]
        return self.rng.choice(patterns).replace("?", self.rng.choice(_LETTERS))

    # -- calls -----------------------------------------------------------------------------------------

    def call(self, depth: int) -> str:
        rng = self.rng
        if self.literal:
            head = rng.choice(_HEADS)
            index = rng.choice(("", "", f"_{{{rng.choice(_INDICES)}}}"))
            return f"{head}{index}({self.argument(depth - 1)})"
        self.calls_left -= 1
        form = rng.choice(self.forms if rng.random() < 0.75 else self.elementary)
        self.used.setdefault(form.macro.name, form.macro)
        counts = [rng.randint(0, 3), rng.randint(0, 2)]
        lists = iter(counts)
        sizes = iter(counts)
        texts: dict[str, str] = {}
        for hole, role in zip(HOLES, form.roles, strict=False):
            if role == "count":
                texts[hole] = str(next(sizes))
            elif role == "list":
                texts[hole] = ",".join(rng.choice(_LETTERS) for _ in range(next(lists))) or "-"
            else:
                texts[hole] = self.hole(role, depth)
        call = form.call
        script = rng.choice(("", "", "", "'", "^{2}", "^{n}")) if SCRIPT_POINT in call else ""
        call = call.replace(SCRIPT_POINT, script)
        return re.sub(r"#([1-9a-z])", lambda mark: texts[mark[0]], call)

    def hole(self, role: str, depth: int) -> str:
        rng = self.rng
        if role == "index":
            return rng.choice(_INDICES)
        if role == "letter":
            return rng.choice(("x", "z", "t", "y", r"\theta"))
        if role == "nome":
            return "q"
        if role == "point":
            return rng.choice("pqrs")
        if role == "atom":
            return rng.choice(_LETTERS)
        return self.argument(depth - 1)

    def argument(self, depth: int) -> str:
        rng = self.rng
        if depth > 0 and self.calls_left > 0 and rng.random() < 0.25:
            return self.expression(depth)
        return self.pick(_ARGUMENTS)


def _forms(words: Lexicon) -> dict[str, list[_Form]]:
    """All usable forms by chapter of the DLMF; macros without a reference make a chapter of their own."""
    chapters: dict[str, list[_Form]] = defaultdict(list)
    for macro in words:
        if macro.lifts:
            for call, generic in macro.templates:
                if _is_term(macro, call, generic):
                    chapters[macro.dlmf.split(".")[0]].append(_Form(macro, call, _roles(macro, call, generic)))
    if not chapters:
        raise TexliftError("the lexicon has no macro to generate formulae from")
    return dict(chapters)


def _is_term(macro: Macro, call: str, generic: str) -> bool:
    """Whether a call can stand as a factor: not a head without its variables, a relation, an operator, a set."""
    if macro.variables and "@" not in call:
        return False
    if "#" in call.replace(SCRIPT_POINT, ""):
        return True
    plain = generic.replace(SCRIPT_POINT, "")
    return not (
        plain in COMPARATORS or plain in _OPERATORS or plain.startswith((r"\operatorname", r"\mathbb", r"\mathrm{d}"))
    )


def _roles(macro: Macro, call: str, generic: str) -> tuple[str, ...]:
    """What may stand in each hole, from where it is printed."""
    shown = generic.replace(SCRIPT_POINT, "")
    roles = [_role(shown[: shown.find(hole)]) for hole in HOLES if hole in call]
    if roles.count("count") == 1 and len(roles) >= 5:
        # `{}_{p}F_{q}(a; b; z)`: p and q count the parameters in the two lists
        roles[:4] = ["count", "count", "list", "list"]
    roles = ["index" if role == "count" and len(roles) < 5 else role for role in roles]
    if roles and "q-" in macro.meaning and roles[-1] == "argument":
        roles[-1] = "nome"
    return tuple(roles)


def _role(before: str) -> str:
    """The role of a hole with `before` printed to its left."""
    if before.endswith("{}_{"):
        return "count"
    if _DIFFERENTIAL.search(before):
        return "letter"
    if _WORD.search(before):
        return "point"
    opened: list[str] = []
    for match in re.finditer(r"\\begin|\\[A-Za-z]+|\\.|[_^]?\{|\}|[()\[\]]", before):
        text = match[0]
        if text in ("}", ")", "]", r"\}", r"\rangle", r"\rfloor", r"\rceil") and opened:
            opened.pop()
        elif text[-1] in "{([" or text in (r"\langle", r"\lfloor", r"\lceil", r"\begin"):
            opened.append(text)
    if any(text in ("_{", "^{", r"\begin") for text in opened):
        return "index"
    return "argument" if opened else "atom"


def _product(factors: list[str]) -> str:
    """Factors side by side."""
    return reduce(join, factors, "")


def _spaced(comparison: str) -> str:
    return f"{comparison} " if comparison[-1].isalpha() else comparison
