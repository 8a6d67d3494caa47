"""Tables of accuracies: one row for each way of counting, all pairs and the non-trivial ones side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["NAMES", "add_rows", "figures_table", "ordered"]

NAMES = ("p_f", "p_m", "p_b", "exact")
_NON_TRIVIAL = ", non-trivial"
_ORDER = ("copying, hull given", "hull given", "topology given", "copying", "free-running")


def ordered(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The rows that are there, without those over the non-trivial pairs alone."""
    return [name for name in _ORDER if name in figures]


def figures_table(title: str, *first: str) -> Table:
    """An empty table; `first` are columns before the figures."""
    from rich.table import Table

    table = Table(title=title)
    for column in (*first, ""):
        table.add_column(column)
    for column in (*NAMES, *(f"{name}, non-trivial" for name in NAMES)):
        table.add_column(column, justify="right")
    return table


def add_rows(table: Table, figures: Mapping[str, Mapping[str, Any]], *first: str) -> None:
    """The rows of one network; `first` stand before each of them."""
    for name in ordered(figures):
        every, rest = figures[name], figures.get(name + _NON_TRIVIAL, {})
        table.add_row(*first, name, *(_number(part.get(key)) for part in (every, rest) for key in NAMES))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
