"""The table of `texlift corpus coverage`."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from texlift.corpus.pair import Pair
    from texlift.grammar.induction.coverage import Coverage

__all__ = ["show_coverage"]

_FIGURES = ("trivial", "expands", "reads")


def show_coverage(pairs: Sequence[Pair], by_section: bool, folds: Sequence[int], as_json: bool, listed: bool) -> None:
    """Measure fold by fold and print."""
    from texlift.corpus.folds import split_fold
    from texlift.grammar.induction.callforms import call_forms
    from texlift.grammar.induction.coverage import measure
    from texlift.grammar.induction.induce import induce

    calls = set(call_forms([(pair.generic, pair.semantic) for pair in pairs]))
    present = sorted({fold for pair in pairs if (fold := pair.section_fold if by_section else pair.fold) is not None})
    for fold in folds or present:
        rest, tested = split_fold(pairs, fold, by_section)
        start = time.process_time()
        grammar = induce([(pair.generic, pair.semantic) for pair in rest])
        seconds = time.process_time() - start
        coverage = measure(grammar, [(pair.generic, pair.semantic) for pair in tested], calls)
        record = {"fold": fold, "pairs": len(tested), "rules": len(grammar), "seconds": round(seconds, 2)}
        if as_json:
            typer.echo(json.dumps({**record, **_figures(coverage)}))
        else:
            typer.echo(_line(fold, len(grammar), seconds, coverage))
        if listed:
            _list(coverage)


def _figures(coverage: Coverage) -> dict[str, float]:
    return {
        f"{name}{'_nontrivial' if nontrivial else ''}{'_known' if known else ''}": round(
            coverage.share(name, nontrivial, known), 2
        )
        for name in _FIGURES
        for nontrivial in (False, True)
        for known in (False, True)
        if not (name == "trivial" and nontrivial)
    }


def _line(fold: int, rules: int, seconds: float, coverage: Coverage) -> str:
    known = sum(not pair.unknown for pair in coverage.pairs)

    def both(name: str, of_known: bool) -> str:
        return f"{coverage.share(name, False, of_known):.1f} / {coverage.share(name, True, of_known):.1f}"

    return (
        f"fold {fold}: {len(coverage.pairs):,} pairs, {rules:,} rules in {seconds:.1f} s; "
        f"copying {coverage.share('trivial'):.1f} %; all / non-trivial: expands {both('expands', False)}, "
        f"read {both('reads', False)}; of the {known:,} with known macros only: expands {both('expands', True)}, "
        f"read {both('reads', True)}"
    )


def _list(coverage: Coverage) -> None:
    for pair in coverage.pairs:
        if pair.reason:
            names = f" ({', '.join(pair.unknown)})" if pair.unknown else ""
            typer.echo(f"  {pair.reason}{names}\n    {pair.generic}\n    {pair.semantic}")
