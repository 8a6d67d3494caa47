"""One pair of the corpus: a formula as it is printed and as it is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texlift.errors import TexliftError

__all__ = ["KINDS", "Constraint", "Context", "Pair", "Symbol"]

KINDS = ("equation", "expression", "constraint")
"""What a formula is: a displayed equation, a formula in the text, a condition printed beside an equation."""

Context = str | Mapping[str, str]
"""Words around a formula: one string, or titles and the sentence by name (`chapter`, `section`, `sentence`)."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition printed beside an equation, both sides."""

    generic: str
    semantic: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """What the source says about a symbol of the formula; `role` is `used` or `defined`."""

    generic: str
    semantic: str
    meaning: str
    role: str = "used"


@dataclass(frozen=True, slots=True)
class Pair:
    """A generic formula, its semantic form and what is known around them.

    `fold` and `section_fold` are None until folds are assigned (see `texlift.corpus.folds`).
    """

    id: str
    generic: str
    semantic: str
    context: Context = ""
    kind: str = "expression"
    section: str = ""
    constraints: tuple[Constraint, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    fold: int | None = None
    section_fold: int | None = None

    @property
    def trivial(self) -> bool:
        """Whether copying the input is the right translation."""
        return self.generic == self.semantic

    @property
    def chapter(self) -> str:
        """The title of the chapter, or the number before the dot of the section."""
        if not isinstance(self.context, str) and self.context.get("chapter"):
            return self.context["chapter"]
        return self.section.split(".")[0]

    @property
    def context_text(self) -> str:
        """The context as one string, a line a part."""
        return self.context if isinstance(self.context, str) else "\n".join(self.context.values())

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, without fields that say nothing."""
        record: dict[str, Any] = {"id": self.id}
        if self.section:
            record["section"] = self.section
        record |= {"kind": self.kind, "generic": self.generic, "semantic": self.semantic}
        if self.context:
            record["context"] = self.context if isinstance(self.context, str) else dict(self.context)
        if self.constraints:
            record["constraints"] = [{"generic": c.generic, "semantic": c.semantic} for c in self.constraints]
        if self.symbols:
            record["symbols"] = [
                {"role": s.role, "generic": s.generic, "semantic": s.semantic, "meaning": s.meaning}
                for s in self.symbols
            ]
        for name in ("fold", "section_fold"):
            if getattr(self, name) is not None:
                record[name] = getattr(self, name)
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], default_id: str = "") -> Pair:
        """The pair of a JSON object; fields it does not know are ignored.

        Raises TexliftError that names the field that is missing or of a wrong type.
        """
        return cls(
            id=_text(record, "id", default_id),
            generic=_text(record, "generic"),
            semantic=_text(record, "semantic"),
            context=_context(record.get("context", "")),
            kind=_kind(record),
            section=_text(record, "section", ""),
            constraints=tuple(
                Constraint(_text(c, "generic"), _text(c, "semantic")) for c in _records(record, "constraints")
            ),
            symbols=tuple(
                Symbol(_text(s, "generic"), _text(s, "semantic"), _text(s, "meaning", ""), _text(s, "role", "used"))
                for s in _records(record, "symbols")
            ),
            fold=_fold(record, "fold"),
            section_fold=_fold(record, "section_fold"),
        )


def _text(record: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = record.get(name, default)
    if value is None:
        raise TexliftError(f"field {name!r} is missing")
    if not isinstance(value, str):
        raise TexliftError(f"field {name!r} must be a string, not {type(value).__name__}")
    return value


def _kind(record: Mapping[str, Any]) -> str:
    kind = _text(record, "kind", "expression")
    if kind not in KINDS:
        raise TexliftError(f"field 'kind' must be one of {', '.join(KINDS)}, not {kind!r}")
    return kind


def _context(value: object) -> Context:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and all(isinstance(v, str) for v in value.values()):
        return {str(name): words for name, words in value.items()}
    raise TexliftError("field 'context' must be a string or an object of strings")


def _records(record: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    value = record.get(name) or []
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return value
    raise TexliftError(f"field {name!r} must be a list of objects")


def _fold(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise TexliftError(f"field {name!r} must be a number from 0, not {value!r}")
