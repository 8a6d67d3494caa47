"""Real articles, lifted: do they print the same, come back byte for byte, and keep their authors' macros?"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.bench.typesetting import compiled, difference, missing_tools, printed, with_planetmath
from texlift.documents.document import read_document
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.package import PACKAGE, package_of, read_package
from texlift.documents.restored import restored_document

__all__ = ["measure_articles"]

_SEED = 21  # of the sample
_NAME = re.compile(r"\\[A-Za-z]+")


def measure_articles(folder: Path, sample: int = 0) -> list[Figure]:
    """The figures for all .tex files below a folder, or a sample; those of the print only where TeX is installed."""
    articles = same = lifted = written_out = changed = compiling = alike = 0
    wrong: list[str] = []
    with_tex = not missing_tools()
    paths = sorted(folder.rglob("*.tex"))
    for path in random.Random(_SEED).sample(paths, sample) if 0 < sample < len(paths) else paths:
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            outcome = lift(read_document(path), Options())
            source = outcome.document.files[0]
            _write(outcome, path, place)
            spellings = read_package(place / f"{PACKAGE}.sty") if outcome.spellings else []
            back = restored_document(read_document(place / "out.tex"), spellings).texts[0]
            articles += 1
            same += source.encoded(back) == path.read_bytes()
            lifted += outcome.counts.get("translated", 0)
            written_out += sum(_written_out(outcome))
            if not outcome.spellings:
                continue
            changed += 1
            if with_tex and (before := compiled(place / "in.tex")) is not None:
                compiling += 1
                after = compiled(place / "out.tex")
                reason = "does not compile" if after is None else difference(printed(before), printed(after))
                alike += not reason
                wrong += [f"{path.stem}: {reason}"] if reason else []
    figures = [
        Figure(
            "articles_come_back", 100.0 * same / max(1, articles), "%", ">= 100", f"{same} of {articles}, all bytes"
        ),
        Figure("author_macros_written_out", float(written_out), "", "<= 0", f"uses, in {lifted:,} lifted formulae"),
    ]
    if with_tex:
        note = f"{alike} of {compiling} whose IN compiles, of {changed} changed; pages, text, pictures"
        value = 100.0 * alike / max(1, compiling)
        figures.append(Figure("articles_print_the_same", value, "%", ">= 99", "; ".join([note, *wrong[:3]])))
    return figures


def _write(outcome: Outcome, path: Path, place: Path) -> None:
    with_planetmath(place)
    (place / "in.tex").write_bytes(path.read_bytes())
    (place / "out.tex").write_bytes(outcome.document.files[0].encoded(outcome.texts()[0]))
    if outcome.spellings:
        (place / f"{PACKAGE}.sty").write_text(package_of(outcome.spellings), "utf-8")


def _written_out(outcome: Outcome) -> Iterator[int]:
    """For each formula how many uses of its author's macros are gone."""
    for item in outcome.lifted:
        own = item.formula.definitions
        if item.state == "translated" and own:
            before = Counter(name for name in _NAME.findall(item.formula.latex) if name in own)
            after = Counter(name for name in _NAME.findall(item.written) if name in own)
            yield sum((before - after).values())
