"""The verdict on a pair of answers: fast in this process, and in a worker process where that does not decide."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from texlift.errors import FormulaError, TexliftError, fenced
from texlift.extras import require
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.verify.equality.result import Equality, Options, undecided

__all__ = ["SECONDS", "Pair", "equal", "equal_all", "judged_here"]

SECONDS = 5.0
"""Seconds for one pair unless the caller says otherwise."""

_QUICK = 1.0  # seconds in this process
_LONG = 1500  # characters of a pair that is left to a worker at once
_LOCK = threading.RLock()  # the precision of python-flint belongs to the whole process


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers, conditions on their letters, and what counts."""

    a: str
    b: str
    where: tuple[str, ...] = ()
    declared: Declarations = NOTHING_DECLARED
    options: Options = field(default_factory=Options)
    semantic: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, Any], semantic: bool = False) -> Pair:
        """A pair from the fields of a JSON object. Raises TexliftError for what is none."""
        a, b = fields.get("a"), fields.get("b")
        if not isinstance(a, str) or not isinstance(b, str):
            raise TexliftError('a pair needs "a" and "b", two texts')
        declared = Declarations.of(fields.get("declare"))
        return cls(a, b, _conditions(fields.get("where")), declared, Options.of(fields.get("options")), semantic)

    def as_fields(self) -> dict[str, Any]:
        """The fields from which `of` makes the pair again."""
        options = {"form": self.options.form, "order": self.options.order, "tolerance": self.options.tolerance}
        declared = {name: str(one).partition(": ")[2] for name, one in self.declared.items()}
        return {"a": self.a, "b": self.b, "where": list(self.where), "declare": declared, "options": options}


def _conditions(where: Any) -> tuple[str, ...]:
    if where is None or where == "":
        return ()
    if isinstance(where, str):
        return (where,)
    if isinstance(where, list | tuple) and all(isinstance(text, str) for text in where):
        return tuple(text for text in where if text.strip())
    raise TexliftError('"where" is a text or a list of texts, such as "x>0"')


def equal(
    a: str,
    b: str,
    *,
    where: str | Iterable[str] | None = None,
    declare: Mapping[str, str] | Declarations | None = None,
    form: bool = False,
    order: bool = False,
    tolerance: float = 0.0,
    seconds: float = SECONDS,
    semantic: bool = False,
) -> Equality:
    """Whether two answers mean the same.

    `where` are conditions on letters, `declare` says what letters are. With `form` an answer must be written in the
    same form, with `order` lists must be in the same order; `tolerance` is how far numbers may be apart, both
    absolutely and relatively. Answers that cannot be read are undecided. `semantic` answers are semantic LaTeX.
    """
    options = Options.of({"form": form, "order": order, "tolerance": tolerance})
    texts = (where,) if isinstance(where, str) else tuple(where or ())
    return _judged(Pair(a, b, _conditions(texts), Declarations.of(declare), options, semantic), seconds)


def equal_all(pairs: Iterable[Pair], seconds: float = SECONDS) -> Iterator[Equality]:
    """Verdicts in the order of the pairs; whatever happens with one, the others go on."""
    for pair in pairs:
        yield _judged(pair, seconds)


def _judged(pair: Pair, seconds: float) -> Equality:
    found = _sought(pair, seconds)
    readable = found.verdict == "undecided" and not found.reason.startswith("cannot be read")
    if readable and pair.a.strip() == pair.b.strip() and pair.a.strip():
        return Equality("equal", "the same text")
    return found


def _sought(pair: Pair, seconds: float) -> Equality:
    require("flint")
    started = time.monotonic()
    if len(pair.a) + len(pair.b) <= _LONG:
        found = judged_here(pair, min(_QUICK, seconds / 4))
        if found.verdict != "undecided" or not _worth_more(found):
            return found
    from texlift.verify.equality.worker import judged_aside

    return judged_aside(pair, max(seconds / 2, seconds - (time.monotonic() - started)))


def _worth_more(found: Equality) -> bool:
    """Whether a worker process may still decide what was left open."""
    return found.reason.startswith(_OPEN)


_OPEN = ("values that balls do not compute", "no result within", "solutions and a condition", "the values solve the",
         "sets that are not understood", "no reason was found", "no value could be computed", "equations that are too",
         "the values agree, but", "too few points", "an infinity and")  # fmt: skip


def judged_here(pair: Pair, seconds: float, patient: bool = False) -> Equality:
    """The verdict that arithmetic, algebra and sampling reach in this process."""
    from texlift.verify.equality.setting import SpentError

    try:
        with _LOCK, fenced(pair.a, "comparing"):
            return _compared(pair, seconds, patient)
    except SpentError:
        return undecided(f"no result within {seconds:g} seconds")
    except FormulaError as error:
        return undecided(f"cannot be read: {error.message}")
    except TexliftError as error:
        return undecided(str(error))
    except RecursionError:
        return undecided("nested too deeply")
    except MemoryError:
        return undecided("too large")


def _compared(pair: Pair, seconds: float, patient: bool) -> Equality:
    from texlift.verify.equality.comparison import compared
    from texlift.verify.equality.setting import Setting
    from texlift.verify.equality.source import read_conditions, source_of

    where = read_conditions(pair.where, pair.declared, pair.semantic)
    setting = Setting(pair.options, where, pair.declared, patient, time.thread_time() + seconds)

    def otherwise(way: str) -> Equality | None:
        """The verdict where both are read in another way; None where they cannot be."""
        try:
            again = [source_of(text, pair.declared, pair.semantic, way) for text in (pair.a, pair.b)]
        except TexliftError:
            return None
        return compared(again[0], again[1], setting)

    try:
        a, b = (source_of(text, pair.declared, pair.semantic) for text in (pair.a, pair.b))
    except FormulaError as error:
        if "or a list?" not in error.message:
            raise
        ways = [other for way in ("listed", "decimal") if (other := otherwise(way)) is not None]
        same = next((other for other in ways if other.is_equal), None)
        if same is not None:
            return Equality("equal", f"{same.reason}; the comma is read as the other answer needs it")
        if len(ways) == 2 and all(other.verdict == "different" for other in ways):
            return ways[0]
        raise
    found = compared(a, b, setting)
    if found.verdict != "equal":
        for way, doubtful, note in (
            ("listed", a.has_comma or b.has_comma, "the comma parts a list"),
            ("decimal", a.has_decimal_comma or b.has_decimal_comma, "the comma is a decimal sign"),
        ):
            other = otherwise(way) if doubtful else None
            if other is not None and other.is_equal:
                return Equality("equal", f"{other.reason}; {note}")
    if found.verdict == "undecided":
        return found
    for way, doubtful, note in (
        ("common", a.has_log or b.has_log, "it depends on the base of log; write ln or the base"),
        ("below", a.has_slash or b.has_slash, "it depends on what stands below the slash; write a fraction"),
        ("beside", a.has_slash or b.has_slash, "it depends on what stands below the slash; write a fraction"),
    ):
        other = otherwise(way) if doubtful else None
        if other is not None and other.verdict != found.verdict:
            return undecided(note)
    return found
