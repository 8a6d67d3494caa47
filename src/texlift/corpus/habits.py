"""How one writes: for every construct the ways in which it is written."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from random import Random

__all__ = ["EVERYDAY", "LETTERS", "TEXTBOOK", "Habits"]


@dataclass(frozen=True, slots=True)
class Habits:
    """One writer: for each construct the ways among which a place is written; `keep` is as in the source.

    Short fences: `\\left` and `\\right` stay around what is more than a symbol.
    """

    fences: tuple[str, ...] = ("keep",)  # plain `(x)`, left `\left(x\right)`, big `\bigl(x\bigr)`, short
    constants: tuple[str, ...] = ("keep",)  # plain `d`, `i`, `e` for `\mathrm{d}`, ...
    words: tuple[str, ...] = ("keep",)  # mathrm, operatorname, text, rm, plain; command for `\arctan`
    fonts: tuple[str, ...] = ("keep",)  # switch: `{\bf F}` for `\mathbf{F}`
    fractions: tuple[str, ...] = ("keep",)  # frac, tfrac, dfrac, over
    binomials: tuple[str, ...] = ("keep",)  # binom, choose, genfrac
    stacks: tuple[str, ...] = ("keep",)  # atop, genfrac
    order: tuple[str, ...] = ("keep",)  # sub: `x_{1}^{2}`, super: `x^{2}_{1}`
    arguments: tuple[str, ...] = ("keep",)  # braced `x^{2}`, short `x^2`
    primes: tuple[str, ...] = ("keep",)  # mark `f'`, command `f^{\prime}`
    signs: tuple[str, ...] = ("keep",)  # any: `\le` for `\leq`, unicode: `≤`
    spaces: tuple[str, ...] = ("keep",)  # drop, sprinkle
    groups: tuple[str, ...] = ("keep",)  # drop braces that do not matter, add some
    blanks: tuple[str, ...] = ("keep",)  # some: blanks around signs, which TeX ignores

    @staticmethod
    def random(rng: Random) -> Habits:
        """Habits drawn at random: at most two ways for each construct, more often one."""
        drawn = {}
        for field in fields(Habits):
            ways = _WAYS[field.name]
            drawn[field.name] = tuple(rng.sample(ways, min(rng.choice((1, 1, 2)), len(ways))))
        return Habits(**drawn)


_WAYS: dict[str, list[str]] = {
    "fences": ["keep", "plain", "left", "big", "short"],
    "constants": ["keep", "plain"],
    "words": ["keep", "mathrm", "operatorname", "text", "rm", "plain", "command"],
    "fonts": ["keep", "keep", "switch"],
    "fractions": ["keep", "frac", "tfrac", "dfrac", "over"],
    "binomials": ["keep", "binom", "choose", "genfrac"],
    "stacks": ["keep", "atop", "genfrac"],
    "order": ["keep", "sub", "super"],
    "arguments": ["keep", "braced", "short"],
    "primes": ["keep", "mark", "command"],
    "signs": ["keep", "keep", "any", "unicode"],
    "spaces": ["keep", "drop", "sprinkle"],
    "groups": ["keep", "drop", "add"],
    "blanks": ["keep", "some"],
}

EVERYDAY = Habits(fences=("plain",), constants=("plain",), words=("mathrm",))
"""No `\\left` and `\\right`, plain d, i and e, `\\mathrm` for operators."""

LETTERS = replace(EVERYDAY, words=("plain",))
"""Everyday notation with plain letters for operators: `Ai(x)`, `ph z`."""

TEXTBOOK = Habits(
    fences=("short",),
    constants=("plain",),
    words=("operatorname", "mathrm"),
    binomials=("binom", "choose"),
    primes=("mark", "command"),
    groups=("keep", "drop"),
)
"""`\\left` only around long arguments, plain d, i and e, `\\operatorname`, `\\binom` and `\\choose`, primes of
both kinds, and now and then none of the braces that do not matter."""
