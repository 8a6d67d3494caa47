"""Structure and kinds of letters on sections that the models have not seen, and Fungrim's formulae as numbers.

The models are fitted for each fold of sections inside the measurement, which takes some minutes. Figures named `raw`
count the gold as it is. The gold multiplies letters of which the editors said nothing: `f(x_0)` as well. Figures named
`trusted` leave out products whose brackets no product needs: those around a single letter or number, around a list,
and behind primes, unless a script stands behind them. Figures named `corrected` count all places, and call those
products applications that are products by default in the gold tree: see `texlift.corpus.structure.default_products`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.bench.fungrim_numbers import OUTCOMES, Result, compared
from texlift.corpus.kinds import KINDS
from texlift.corpus.structure import APPLICATION, Structured, bare_gold, read_structured
from texlift.errors import TexliftError
from texlift.extras import require
from texlift.train.structure import APPLICATIONS, FEWEST_OF_KINDS, Example, applications, held_out, letters

__all__ = ["measure"]

_SIGNS = frozenset("ℜℑ∂∇")  # signs that are applied to what follows them
_HIGH = 0.95


def measure(folder: Path) -> list[Figure]:
    """The figures of `texlift bench meaning`."""
    require("sklearn", "mpmath")
    trees, fungrim = folder / "dlmf_structure.jsonl", folder / "fungrim_dev.jsonl"
    for path in (trees, fungrim):
        if not path.is_file():
            raise TexliftError(f"{path} does not exist")
    pairs = folder / "dlmf.jsonl"
    formulae = read_structured(trees, pairs if pairs.is_file() else None)
    return [*_structure(formulae), *_kinds(formulae), *_fungrim(compared(fungrim))]


def _structure(formulae: Sequence[Structured]) -> list[Figure]:
    examples = applications(formulae)
    right = _hits(examples, held_out(examples, APPLICATIONS))
    corrected = [hit != example.default for hit, example in zip(right, examples, strict=True)]
    bare = [(_applies(base), sign == APPLICATION) for formula in formulae for base, sign in bare_gold(formula)]
    bare_right = sum(found == gold for found, gold in bare)
    everywhere = 100.0 * (sum(right) + bare_right) / (len(right) + len(bare))
    trusted_right = sum(hit for hit, example in zip(right, examples, strict=True) if example.trusted) + bare_right
    trusted = sum(example.trusted for example in examples) + len(bare)
    products = sum(example.gold == "product" for example in examples) + sum(not gold for _, gold in bare)
    all_places = len(examples) + len(bare)
    return [
        _share("structure_letters_raw", examples, right, lambda e: e.group == "letter", ">= 97.5"),
        _share("structure_letters_trusted", examples, right, lambda e: e.group == "letter" and e.trusted),
        _majority("structure_letters_majority", [e for e in examples if e.group == "letter"]),
        _share("structure_letters_corrected", examples, corrected, lambda e: e.group == "letter"),
        _share("structure_brackets_raw", examples, right, lambda _: True, ">= 99.3"),
        _share("structure_brackets_trusted", examples, right, lambda e: e.trusted),
        _share("structure_brackets_corrected", examples, corrected, lambda _: True),
        Figure("structure_all_raw", everywhere, "%", "", f"{all_places:,} places; without brackets by rule"),
        Figure("structure_all_trusted", 100.0 * trusted_right / trusted, "%", "", f"{trusted:,} places"),
        Figure("structure_all_majority", 100.0 * max(products, all_places - products) / all_places, "%"),
    ]


def _applies(base: str) -> bool:
    """The rule where no bracket follows: words and a few signs are applied, everything else is multiplied."""
    return (len(base) > 1 and base.isalpha()) or (bool(base) and base in _SIGNS)


def _kinds(formulae: Sequence[Structured]) -> list[Figure]:
    examples = letters(formulae)
    shares = held_out(examples, KINDS, fewest=FEWEST_OF_KINDS)
    right = _hits(examples, shares)
    sure = [hit for hit, share in zip(right, shares, strict=True) if max(share.values()) >= _HIGH]
    note = f"{100.0 * len(sure) / len(right):.0f} % of the letters"
    return [
        _share("kinds", examples, right, lambda _: True, ">= 95"),
        _share("kinds_of_plain_letters", examples, right, lambda e: e.group == "letter"),
        Figure("kinds_at_high_probability", 100.0 * sum(sure) / max(1, len(sure)), "%", "", note),
        _majority("kinds_majority", examples),
        _by_name(examples),
        Figure("kinds_number", len({example.gold for example in examples}), "", ">= 15"),
    ]


def _by_name(examples: Sequence[Example]) -> Figure:
    """The second baseline: the commonest kind of each letter in the other folds."""
    right = 0
    for fold in {example.fold for example in examples}:
        counts: dict[str, Counter[str]] = {}
        for example in examples:
            if example.fold != fold:
                counts.setdefault(example.features[1], Counter())[example.gold] += 1
        for example in examples:
            if example.fold == fold and (known := counts.get(example.features[1])):
                right += known.most_common(1)[0][0] == example.gold
    return Figure("kinds_by_letter_alone", 100.0 * right / len(examples), "%", "", "commonest kind of each letter")


def _fungrim(result: Result) -> list[Figure]:
    note = f"{result.compared} of {len(result.outcomes)} formulae have numbers to compare"
    bars = {"right": ">= 80", "wrong without warning": "<= 1"}
    return [
        Figure(f"fungrim_{kind.replace(' ', '_')}", result.share(kind), "%", bars.get(kind, ""), note)
        for kind in OUTCOMES
    ]


# -- counting --------------------------------------------------------------------------------------------


def _hits(examples: Sequence[Example], shares: Sequence[dict[str, float]]) -> list[bool]:
    return [max(share, key=share.__getitem__) == one.gold for one, share in zip(examples, shares, strict=True)]


def _share(
    name: str, examples: Sequence[Example], right: Sequence[bool], which: Callable[[Example], bool], bar: str = ""
) -> Figure:
    some = [hit for hit, example in zip(right, examples, strict=True) if which(example)]
    return Figure(name, 100.0 * sum(some) / max(1, len(some)), "%", bar, f"of {len(some):,}")


def _majority(name: str, examples: Sequence[Example]) -> Figure:
    kind, count = Counter(example.gold for example in examples).most_common(1)[0]
    return Figure(name, 100.0 * count / len(examples), "%", "", f"always {kind}")
