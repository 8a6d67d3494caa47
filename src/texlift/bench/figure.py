"""One measured figure and the bar it is held against."""

from __future__ import annotations

import operator
from dataclasses import dataclass

__all__ = ["Figure"]

_COMPARISONS = {">=": operator.ge, "<=": operator.le}


@dataclass(frozen=True, slots=True)
class Figure:
    """`name` is the flat key of `texlift bench --json`; `bar` is e.g. ">= 99.5", empty for a bare figure."""

    name: str
    value: float
    unit: str = ""
    bar: str = ""
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the bar is reached; None where there is none."""
        if not self.bar:
            return None
        sign, limit = self.bar.split()
        return bool(_COMPARISONS[sign](self.value, float(limit)))
