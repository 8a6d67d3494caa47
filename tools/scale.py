"""What a billion formulae would cost: measured on formulae of real articles, one process, processor time.

    python tools/scale.py FOLDER [--formulae 4000] [--seed 1]

FOLDER has .tex, .md or .ipynb files. Formulae are drawn at random with their sentences, translated in the chunks that
`texlift corpus translate` uses, and written as JSON lines and, if pyarrow is installed, as Parquet. Prints the table of
docs/scale.md.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from texlift.documents.document import read_document
from texlift.errors import TexliftError
from texlift.scale.partitions import ROWS
from texlift.scale.tables import encoded
from texlift.translate.translator import load

BILLION = 1_000_000_000
CHUNK = 256


def formulae(folder: Path, wanted: int, seed: int) -> list[tuple[str, dict[str, str]]]:
    """Formulae of documents drawn at random, with what stands around them."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".tex", ".md", ".ipynb"))
    random.Random(seed).shuffle(paths)
    found: list[tuple[str, dict[str, str]]] = []
    for path in paths:
        try:
            found += [(formula.latex, dict(formula.context)) for formula in read_document(path).formulae]
        except TexliftError:
            continue
        if len(found) >= 3 * wanted:
            break
    random.Random(seed).shuffle(found)
    return found[:wanted]


def translated(asked: list[tuple[str, dict[str, str]]]) -> Iterator[dict[str, object]]:
    translator = load()
    for start in range(0, len(asked), CHUNK):
        for answer in translator.translate_many(asked[start : start + CHUNK]):
            yield {"semantic": None} if isinstance(answer, TexliftError) else answer.as_dict()


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formulae", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = formulae(options.folder, options.formulae, options.seed)
    lengths = sorted(len(latex) for latex, _ in asked)
    list(translated(asked[:CHUNK]))  # the model is loaded once
    started = time.process_time()
    rows = list(translated(asked))
    seconds = time.process_time() - started
    rate = len(rows) / seconds
    read = sum(len(json.dumps({"latex": latex, "context": context})) for latex, context in asked) / len(asked)
    written = len(encoded(rows, "jsonl")) / len(rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    share = len({(latex, context.get("sentence", "")) for latex, context in asked}) / len(asked)
    at = {part: lengths[int(part * (len(lengths) - 1))] for part in (0.5, 0.9, 0.99, 1.0)}
    show(f"{len(rows):,} formulae, {seconds:.1f} s of processor time; characters {at}; different {share:.0%}\n")
    show("| | measured | a billion formulae |\n|---|---|---|")
    show(f"| formulae/s, one core | {rate:,.0f} | {BILLION / rate / 3600:,.0f} core hours |")
    show(f"| memory of a worker, at most | {peak:,.0f} MB | the same |")
    show(f"| input, bytes a formula | {read:,.0f} | {BILLION * read / 1e12:.2f} TB |")
    show(f"| answers as JSON lines | {written:,.0f} | {BILLION * written / 1e12:.2f} TB |")
    try:
        table = len(encoded(rows, "parquet")) / len(rows)
        show(f"| answers as Parquet | {table:,.0f} | {BILLION * table / 1e12:.2f} TB |")
    except TexliftError as error:
        show(f"| answers as Parquet | {error} | |")
    show(f"| partitions of {ROWS:,} | | {BILLION // ROWS:,} files |")


if __name__ == "__main__":
    main()
