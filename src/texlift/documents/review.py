"""What an author looks at when reviewing a lifted document: changes and doubts, equal ones together, and symbols.

The report shows it as a page, the service sends it as data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from texlift.documents.formula import Lifted
from texlift.documents.lifting import Outcome
from texlift.documents.mathml import render
from texlift.documents.notation import Entry
from texlift.errors import FormulaError, TexliftError, fenced
from texlift.latex.definitions import expand_definitions
from texlift.macros.lexicon import lexicon

__all__ = ["Change", "changes", "drawn", "review_of", "spoken", "standard"]

_MOST_PLACES = 12
_MOST_CHANGES = 2_000
_ORDER = {"conflict": 1, "uncertain": 2, "broken": 3}
_LONGEST_SPOKEN = 1_000  # characters of a formula that is put into words


@dataclass(frozen=True, slots=True)
class Change:
    """Formulae that are equal, became the same and have the same verdict."""

    items: tuple[Lifted, ...]

    @property
    def first(self) -> Lifted:
        """One of them, for all that they share."""
        return self.items[0]

    @property
    def classes(self) -> list[str]:
        """What filters choose it by: its state, whether it is changed in part only, its verdict."""
        item = self.first
        verdict = [item.verdict.verdict] if item.verdict is not None else []
        return [item.state, *(["partly"] if item.partly else []), *verdict]

    def places(self, outcome: Outcome) -> list[str]:
        """File and line of the first few."""
        shown = self.items[:_MOST_PLACES]
        return [f"{outcome.document.path_of(item.formula).name}:{item.formula.line}" for item in shown]

    @property
    def heading(self) -> str:
        """The titles above the first of them."""
        context = self.first.formula.context
        return " › ".join(context[level] for level in ("chapter", "section", "subsection") if context.get(level))

    @property
    def notes(self) -> list[str]:
        """What there is to say of it, in sentences."""
        item = self.first
        notes = [item.message] if item.message else []
        if item.left:
            left = ", ".join(f"{d.source} ({d.macro} {d.probability:.0%})" for d in item.left[:5])
            notes.append(f"left alone: {left}")
        if item.code_error:
            notes.append(f"no code: {item.code_error}")
        return notes


def changes(outcome: Outcome) -> list[Change]:
    """The formulae worth looking at; what is wrong or doubtful comes first."""
    found: dict[tuple[str, str, str, str], list[Lifted]] = {}
    for item in outcome.lifted:
        verdict = item.verdict.verdict if item.verdict else ""
        if item.state == "plain" and verdict != "refuted":
            continue
        found.setdefault((item.formula.latex, item.written, item.state, verdict), []).append(item)
    grouped = [Change(tuple(items)) for items in found.values()]
    return sorted(grouped, key=lambda change: 0 if "refuted" in change.classes else _ORDER.get(change.first.state, 4))


def drawn(item: Lifted) -> str:
    """A formula with its author's macros put in, which a page cannot know."""
    formula = item.formula
    try:
        return expand_definitions(formula.latex, formula.definitions) if formula.definitions else formula.latex
    except FormulaError:
        return formula.latex


def standard(item: Lifted) -> str:
    """What was read, in the standard notation of its macros; empty where that is not known."""
    from texlift.grammar.expansion import expand

    try:
        with fenced(item.asserted, "expanding"):
            return expand(item.asserted) if item.asserted else ""
    except TexliftError:
        return ""


@lru_cache(maxsize=4096)
def spoken(semantic: str) -> str:
    """A formula in words; empty if it cannot be read."""
    from texlift.targets import convert

    if not semantic or len(semantic) > _LONGEST_SPOKEN:
        return ""
    try:
        with fenced(semantic, "reading"):
            return convert(semantic.replace("&", "").rstrip(" .,;"), "words").code
    except TexliftError:
        return ""


def review_of(outcome: Outcome, entries: Iterable[Entry]) -> dict[str, Any]:
    """The review as data: counts, problems, symbols, changes; `more` changes are not in it."""
    found = changes(outcome)
    return {
        "counts": outcome.counts,
        "problems": [str(problem) for problem in outcome.document.problems],
        "symbols": [_symbol(entry) for entry in entries],
        "changes": [_record(change, outcome) for change in found[:_MOST_CHANGES]],
        "more": max(0, len(found) - _MOST_CHANGES),
    }


def _symbol(entry: Entry) -> dict[str, Any]:
    known = lexicon()
    others = [(name, known.lookup(name)) for name in entry.others]
    return {
        "symbol": entry.symbol,
        "shown": render(entry.example, False),
        "macro": entry.macro,
        "meaning": entry.meaning,
        "role": entry.role,
        "type": entry.kind,
        "introduced": "{}:{}".format(*entry.introduced),
        "places": ["{}:{}".format(*place) for place in entry.places[:_MOST_PLACES]],
        "count": entry.count,
        "lifted": entry.lifted,
        "confidence": round(entry.confidence, 4),
        "others": [{"macro": name, "meaning": macro.meaning if macro else ""} for name, macro in others],
        "own": entry.own,
    }


def _record(change: Change, outcome: Outcome) -> dict[str, Any]:
    item = change.first
    changed = item.state == "translated"
    record: dict[str, Any] = {
        "names": list(dict.fromkeys(one.change for one in change.items)),
        "places": change.places(outcome),
        "count": len(change.items),
        "heading": change.heading,
        "state": item.state,
        "classes": change.classes,
        "confidence": round(item.confidence, 4),
        "latex": item.formula.latex,
        "written": item.written if changed else "" if item.state == "broken" else item.semantic,
        "before": render(drawn(item)),
        "after": render(printed) if changed and (printed := standard(item)) else "",
        "words": spoken(item.asserted) if changed else "",
        "readings": _readings(item),
        "notes": change.notes,
    }
    if item.verdict is not None:
        record["verdict"] = item.verdict.as_dict()
    return record


def _readings(item: Lifted) -> list[dict[str, Any]]:
    """What was read, each macro once."""
    found: dict[str, dict[str, Any]] = {}
    for decision in item.decisions:
        if decision.macro and decision.macro not in found:
            found[decision.macro] = {
                "macro": decision.macro,
                "meaning": decision.meaning,
                "url": decision.url,
                "source": decision.source,
                "probability": round(decision.probability, 4),
            }
    return list(found.values())
