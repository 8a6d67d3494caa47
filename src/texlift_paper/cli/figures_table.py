"""Tables of accuracies: one row for each way of counting, all pairs and the non-trivial ones side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["NAMES", "TEXT_NAMES", "add_rows", "figures_table", "ordered", "print_figures"]

NAMES = ("p_f", "p_m", "p_b", "exact")
TEXT_NAMES = ("bleu", "levenshtein", "edit_distance", "perplexity")
"""Measures that not every row has."""
_NON_TRIVIAL = ", non-trivial"
_ORDER = ("copying, hull given", "hull given", "topology given", "prefix given", "copying", "free-running")


def ordered(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The rows that are there, without those over the non-trivial pairs alone."""
    return [name for name in _ORDER if name in figures]


def figures_table(title: str, *first: str, names: Iterable[str] = NAMES) -> Table:
    """An empty table; `first` are columns before the figures."""
    from rich.table import Table

    table = Table(title=title)
    for column in (*first, ""):
        table.add_column(column)
    listed = tuple(names)
    for column in (*listed, *(f"{name}, non-trivial" for name in listed)):
        table.add_column(column, justify="right")
    return table


def add_rows(table: Table, figures: Mapping[str, Mapping[str, Any]], *first: str, names: Iterable[str] = NAMES) -> None:
    """The rows of one network; `first` stand before each of them."""
    listed = tuple(names)
    for name in ordered(figures):
        every, rest = figures[name], figures.get(name + _NON_TRIVIAL, {})
        table.add_row(*first, name, *(_number(part.get(key)) for part in (every, rest) for key in listed))


def print_figures(
    title: str, columns: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], Mapping[str, Mapping[str, Any]]]]
) -> None:
    """Two tables, of accuracies and of the measures over texts; `rows` are (first columns, figures)."""
    from rich.console import Console

    listed = list(rows)
    console = Console(width=160)
    for names, name in ((NAMES, title), (TEXT_NAMES, f"{title}: answers as text")):
        table = figures_table(name, *columns, names=names)
        for first, figures in listed:
            known = {row: cells for row, cells in figures.items() if any(cells.get(key) is not None for key in names)}
            add_rows(table, known, *first, names=names)
        if table.row_count:
            console.print(table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
