"""The outcome of a check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["NO_POINT", "SHOWN", "TRUE", "Verdict"]

NO_POINT = "no point satisfies the constraints"
"""The reason of a verdict about an empty domain."""

TRUE = ("proved", "verified")
"""The verdicts that say that a statement is true."""

SHOWN = ("verdict", "domain", "points", "digits", "counterexample", "holds", "reason", "certain")
"""The fields of a verdict that users get, in their order."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a check.

    `verdict` is proved (by computer algebra, and numbers agree), verified (by numbers), refuted or undecided.
    `points` is how many points decided it, `domain` where they were taken from, `digits` to how many
    digits the sides agreed (0 where they were compared exactly or not at all).
    `counterexample` holds the point and both sides there, `holds` where a refuted statement does hold, `certain`
    whether a refutation is proven by exact or ball arithmetic and the reading is certain.
    """

    verdict: str
    points: int = 0
    counterexample: dict[str, Any] | None = None
    reason: str = ""
    checkable: bool = True
    certain: bool = False
    domain: str = ""
    digits: int = 0
    holds: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of `texlift check --jsonl`."""
        return asdict(self)
