"""Every formula that `texlift document` changes in a folder of articles and what it is read as, for readers to judge.

    python tools/articles.py TEXTS -o readings.jsonl [--half A|B] [--sample 300 --seed 7]

One JSON object per changed formula: id, file, subject, line, the sentence around it, the formula, what it is written
as, its readings (source, call, macro, meaning, probability), the formula in words, the confidence. The articles are
split into two halves by a checksum of their file names: A for development, B for measuring. A sample is drawn over all
subjects alike, with a seed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from texlift.documents.document import read_document
from texlift.documents.formula import Lifted
from texlift.documents.lifting import Options, lift
from texlift.errors import TexliftError
from texlift.targets import convert


def half_of(path: Path) -> str:
    """The half that an article belongs to."""
    return "AB"[hashlib.sha256(path.name.encode()).digest()[0] % 2]


def changed(path: Path) -> Iterator[dict[str, Any]]:
    """The formulae of an article that are changed."""
    outcome = lift(read_document(path), Options())
    for number, item in enumerate(outcome.lifted):
        if item.state == "translated":
            yield record(path, number, item)


def record(path: Path, number: int, item: Lifted) -> dict[str, Any]:
    """What a judge needs to know about a changed formula."""
    left = {id(decision) for decision in item.left}
    readings = [
        {
            "source": decision.source,
            "call": decision.call,
            "macro": decision.macro,
            "meaning": decision.meaning,
            "probability": round(decision.probability, 4),
        }
        for decision in item.decisions
        if decision.macro and id(decision) not in left
    ]
    return {
        "id": f"{path.stem}:{number}",
        "file": f"{path.parent.name}/{path.name}",
        "subject": path.parent.name,
        "half": half_of(path),
        "line": item.formula.line,
        "sentence": item.formula.context.get("sentence", ""),
        "formula": item.formula.latex,
        "written": item.written,
        "semantic": item.asserted,
        "words": in_words(item),
        "readings": readings,
        "confidence": round(item.confidence, 4),
    }


def in_words(item: Lifted) -> str:
    """What is asserted, as one would say it; empty where it cannot be said."""
    try:
        return convert(item.asserted.rstrip(" .,;&").replace("&", ""), "words").code
    except TexliftError:
        return ""


def drawn(rows: list[dict[str, Any]], size: int, seed: int) -> list[dict[str, Any]]:
    """A random sample over all subjects: in turn one formula of each, until there are enough."""
    chance = random.Random(seed)
    by_subject: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_subject[row["subject"]].append(row)
    for some in by_subject.values():
        chance.shuffle(some)
    found: list[dict[str, Any]] = []
    while len(found) < min(size, len(rows)):
        found += [by_subject[subject].pop() for subject in sorted(by_subject) if by_subject[subject]]
    return sorted(found[:size], key=lambda row: (row["file"], row["line"]))


def main() -> None:
    """Write the readings of all articles below a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--half", choices="AB")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    paths = [p for p in sorted(arguments.folder.rglob("*.tex")) if arguments.half in (None, half_of(p))]
    rows = [row for path in paths for row in changed(path)]
    if arguments.sample:
        rows = drawn(rows, arguments.sample, arguments.seed)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    arguments.output.write_text("".join(lines), "utf-8")
    sure = sum(row["confidence"] >= 0.95 for row in rows)
    sys.stdout.write(f"{len(paths)} articles, {len(rows)} changed formulae, {sure} with confidence 0.95 or more\n")


if __name__ == "__main__":
    main()
