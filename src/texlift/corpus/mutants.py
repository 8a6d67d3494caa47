"""Formulae that are slightly wrong, as typing and pasting make them: for tests of what no error may stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from texlift.latex.lexer import tokenize
from texlift.latex.symbols import known_commands
from texlift.macros.lexicon import lexicon

__all__ = ["mutants"]

_PIECES = (
    *"{}()[]^_'|&@,.;:+-=<>/!~$#*0123456789abcdefgijknxyzABCFGHP²₁é日∞",
    *(
        r"\left(",
        r"\right)",
        r"\left.",
        r"\right|",
        r"\\",
        r"\frac",
        r"\sqrt",
        r"\text{if }",
        r"\mathrm",
        r"\rm",
        r"\Big",
    ),
    *(r"\begin{pmatrix}", r"\end{pmatrix}", r"\begin{cases}", r"\end{cases}", r"\over", r"\limits", r"\unknown", "{}"),
)
_LONGEST_SOUP = 9
_SOUP_SHARE = 0.25


def mutants(formulae: Sequence[str], count: int, seed: int = 0) -> Iterator[str]:
    """`count` formulae, most of them one of the given with a few tokens lost, repeated, moved or added, the others a
    few tokens at random; the same seed gives the same formulae."""
    rng = Random(f"mutants:{seed}")
    pieces = (*_PIECES, *sorted(known_commands()), *sorted(macro.name for macro in lexicon()))
    for _ in range(count):
        if rng.random() < _SOUP_SHARE:
            tokens = rng.choices(pieces, k=rng.randrange(1, _LONGEST_SOUP))
        else:
            tokens = list(tokenize(rng.choice(formulae)).texts)
            for _ in range(rng.choice((1, 1, 2, 3))):
                _mutate(tokens, rng, pieces)
        yield " ".join(tokens)


def _mutate(tokens: list[str], rng: Random, pieces: Sequence[str]) -> None:
    """Change one thing: half of what is added are signs, not commands."""
    start = rng.randrange(len(tokens) + 1)
    end = min(len(tokens), start + rng.choice((1, 1, 2, 5)))
    added = rng.choice(pieces if rng.random() < 0.5 else _PIECES)
    change = rng.randrange(4)
    if change == 0:
        del tokens[start:end]
    elif change == 1:
        tokens[start:start] = [added]
    elif change == 2:
        tokens[start:end] = [added]
    else:
        elsewhere = rng.randrange(len(tokens) + 1)
        tokens[elsewhere:elsewhere] = tokens[start:end]
