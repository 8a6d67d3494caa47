"""The outcome of a check, and the tally of points it is drawn from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Tally", "Verdict"]

_ENOUGH = 3  # generic points at which the sides must differ where they agree at others
_OUT_OF_TIME = ("time is up", "no result in the time given")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a check; `counterexample` holds the point and both sides there."""

    verdict: str
    points: int = 0
    counterexample: dict[str, Any] | None = None
    reason: str = ""
    checkable: bool = True
    certain: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of `texlift check --jsonl`."""
        return asdict(self)


@dataclass(slots=True)
class Tally:
    """What was found at the points tested."""

    agreed: int = 0
    trivial: int = 0  # points where both sides vanish
    generic_agreed: int = 0  # points without small or equal integers
    generic_differed: int = 0
    differed: list[dict[str, Any]] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)

    def fail(self, reason: str) -> None:
        self.failed[reason] = self.failed.get(reason, 0) + 1

    @property
    def decided(self) -> int:
        return self.agreed + self.trivial + len(self.differed)

    @property
    def hurried(self) -> bool:
        """Whether time ran out; then one good counterexample must do."""
        return any(reason in _OUT_OF_TIME for reason in self.failed)

    @property
    def degenerate(self) -> bool:
        """Whether the sides agree only where integers are small or equal, which says little, and differ elsewhere."""
        return self.generic_differed >= _ENOUGH and not self.generic_agreed

    def verdict(self, variables: bool) -> Verdict:
        """The verdict on a claim with or without free variables, before any doubt about a refutation."""
        total = self.agreed + len(self.differed)
        needed = 2 if variables and not (self.hurried and self.differed) else 1
        if self.agreed and self.degenerate:
            *_, last = self.differed
            shown = {key: value for key, value in last.items() if key != "certain"}
            return Verdict(
                "refuted", total, shown, "both sides differ wherever no integer is small or equal to another"
            )
        if self.differed and not self.agreed and len(self.differed) >= needed:
            first = dict(self.differed[0])
            certain = bool(first.pop("certain", False))
            reason = "both sides differ" + (", proven by ball arithmetic" if certain else "")
            return Verdict("refuted", total, first, reason, certain=certain)
        if self.differed:
            first = {key: value for key, value in self.differed[0].items() if key != "certain"}
            reason = "holds at some points and fails at others; a condition may be missing"
            if self.agreed == 0:
                reason = "differs at the only point that could be evaluated"
            return Verdict("undecided", total, first, reason)
        if self.agreed and self.agreed + self.trivial >= needed:
            return Verdict("verified", self.agreed + self.trivial)
        if self.trivial:
            return Verdict("undecided", self.trivial, reason="both sides vanish wherever tested")
        reason = max(self.failed, key=lambda key: self.failed[key]) if self.failed else "too few points"
        return Verdict("undecided", self.agreed, reason=reason)
