"""`texlift bench ordinary`: the set, a table by area, and the answers that are not right."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from texlift.bench.figure import Figure
from texlift.bench.ordinary import OUTCOMES, Outcome, Result, figures, judged, packaged_formulae, read_formulae
from texlift.errors import TexliftError

__all__ = ["run"]


def run(data: Path | None, as_json: bool, listed: bool) -> list[Figure]:
    """Measure, print, and give the figures."""
    if data is not None and not data.is_file():
        raise TexliftError(f"no file {data}")
    result = judged(packaged_formulae() if data is None else read_formulae(data))
    found = figures(result)
    if as_json:
        typer.echo(json.dumps(_record(result, found, listed)))
        return found
    if listed:
        for outcome in result.outcomes:
            if outcome.kind != "right":
                typer.echo(_shown(outcome))
    _print_areas(result)
    from texlift.cli.bench import print_table

    print_table("ordinary", found)
    return found


def _record(result: Result, found: list[Figure], listed: bool) -> dict[str, object]:
    record: dict[str, object] = {figure.name: figure.value for figure in found}
    record["areas"] = {area: {kind: count[kind] for kind in OUTCOMES} for area, count in result.areas.items()}
    if listed:
        record["not_right"] = [
            {"id": o.formula.id, "outcome": o.kind, "code": o.code, "confidence": o.confidence, "remark": o.remark}
            for o in result.outcomes
            if o.kind != "right"
        ]
    return record


def _shown(outcome: Outcome) -> str:
    formula = outcome.formula
    lines = [f"{formula.id}: {outcome.kind} ({outcome.confidence:.2f})", f"  latex   {formula.latex}"]
    if formula.context:
        lines.append(f"  context {formula.context}")
    lines += [f"  gold    {code}" for code in (*formula.gold, *(["REFUSE"] if formula.may_refuse else []))]
    if outcome.code:
        lines.append(f"  answer  {outcome.code}")
    if outcome.remark:
        lines.append(f"  remark  {outcome.remark}")
    return "\n".join(lines) + "\n"


def _print_areas(result: Result) -> None:
    """A line for each area, and one for all: how wide the terminal is does not matter."""
    rows = [*result.areas.items(), ("all", result.total)]
    width = max(len(area) for area, _ in rows)
    typer.echo("  ".join([" " * width, "formulae", *OUTCOMES]))
    for area, count in rows:
        cells = [f"{count[kind]:>{len(kind)}}" for kind in OUTCOMES]
        typer.echo("  ".join([f"{area:<{width}}", f"{sum(count.values()):>8}", *cells]))
