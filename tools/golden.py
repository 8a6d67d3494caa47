"""Answers on record: 500 formulae with the answers that the packaged model gives.

    python tools/golden.py            compare; prints what differs, exit code 1 if anything does
    python tools/golden.py --update   translate all formulae again, print what changed and write the file

`tests/promises/golden.jsonl` is both the question and the answer: each line has "latex" and "context", the rest is
written by `--update`. To put a formula on record, append a line with "latex" (and "context") and update.
After a model was trained, update, read the differences, and commit the file with the model.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from texlift.errors import FormulaError
from texlift.translate.translator import load

__all__ = ["PATH", "answers", "differences", "read"]

PATH = Path(__file__).parents[1] / "tests" / "promises" / "golden.jsonl"
TOLERANCE = 0.005  # of a confidence: processors round differently
_PERCENT = re.compile(r" \(\d+%\)")
_ASKED = ("latex", "context")

Record = dict[str, Any]


def read(path: Path = PATH) -> list[Record]:
    """The formulae and the answers on record."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answers(records: Iterable[Record]) -> Iterator[Record]:
    """The formulae with the answers of the packaged model, each translated for itself."""
    asked = [(record["latex"], record.get("context")) for record in records]
    for (latex, context), answer in zip(asked, load().translate_many(asked, together=False), strict=True):
        record: Record = {"latex": latex} | ({"context": context} if context else {})
        if isinstance(answer, FormulaError):
            yield record | {"semantic": None, "error": answer.code}
            continue
        yield record | {
            "semantic": answer.semantic,
            "confidence": round(answer.confidence, 3),
            "macros": [decision.macro for decision in answer.decisions],
            "warnings": [_PERCENT.sub("", warning) for warning in answer.warnings],
        }


def differences(old: Record, new: Record) -> list[str]:
    """What has changed in an answer, one line each, as a diff."""
    lines: list[str] = []
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        close = name == "confidence" and None not in (before, after) and abs(before - after) <= TOLERANCE
        if before != after and not close:
            lines += [f"  - {name}: {_text(before)}", f"  + {name}: {_text(after)}"]
    if lines:
        lines.insert(0, old["latex"] + (f"   [{_text(old['context'])}]" if old.get("context") else ""))
    return lines


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _summary(changes: list[tuple[Record, Record]]) -> str:
    fields = Counter(
        name for old, new in changes for name in new if name not in _ASKED and old.get(name) != new.get(name)
    )
    told = ", ".join(f"{name} {count}" for name, count in fields.most_common())
    return f"{len(changes)} answers changed" + (f": {told}" if told else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the answers of today")
    options = parser.parse_args()
    old = read()
    new = list(answers(old))
    changes = [(before, after) for before, after in zip(old, new, strict=True) if differences(before, after)]
    for before, after in changes:
        sys.stdout.write("\n".join(differences(before, after)) + "\n")
    sys.stdout.write(f"{len(old)} formulae, {_summary(changes)}\n")
    if options.update:
        PATH.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in new), "utf-8")
        return 0
    return 1 if changes else 0


if __name__ == "__main__":
    raise SystemExit(main())
