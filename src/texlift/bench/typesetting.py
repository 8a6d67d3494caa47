"""Do two LaTeX documents print the same? Compiled by a real TeX, compared page by page."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ENGINES", "Pages", "compiled", "difference", "missing_tools", "printed", "with_planetmath"]

ENGINES = ("pdflatex", "lualatex")

_SECONDS = 120
_RESOLUTION = "72"  # dots per inch of the pictures that are compared
_PLANETMATH = r"""\ProvidesPackage{pmmeta}
\def\pm@one#1{}\def\pm@two#1#2{}
\let\pmcanonicalname\pm@one\let\pmcreated\pm@one\let\pmmodified\pm@one\let\pmtitle\pm@one\let\pmprivacy\pm@one
\let\pmtype\pm@one\let\pmcomment\pm@one\let\pmrelated\pm@one\let\pmdefines\pm@one\let\pmkeywords\pm@one
\let\pmowner\pm@two\let\pmmodifier\pm@two\let\pmrecord\pm@two\let\pmauthor\pm@two\let\pmclassification\pm@two
\let\pmsynonym\pm@two\let\endmetadata\relax
\def\PMlinkname#1#2{#1}\def\PMlinkid#1#2{#1}\def\PMlinkexternal#1#2{#1}\def\htmladdnormallink#1#2{#1}
\def\PMlinkescapetext#1{#1}\def\PMlinkescapeword#1{}\def\PMlinkescapephrase#1{}
"""


@dataclass(frozen=True, slots=True)
class Pages:
    """What a document prints: the text of its pages, and a picture of each."""

    text: str
    pictures: tuple[bytes, ...]


def missing_tools(engine: str = "pdflatex") -> list[str]:
    """The programs that are needed and not installed."""
    return [name for name in (engine, "pdftotext", "pdftoppm") if shutil.which(name) is None]


def with_planetmath(folder: Path) -> None:
    """Put beside a PlanetMath article the package that it loads for its metadata, which prints nothing."""
    (folder / "pmmeta.sty").write_text(_PLANETMATH, "utf-8")


def compiled(source: Path, engine: str = "pdflatex") -> Path | None:
    """The PDF of a document, run twice for its references; None if TeX finds an error in it."""
    command = [engine, "-interaction=batchmode", "-halt-on-error", "-no-shell-escape", source.name]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0", "openin_any": "p", "openout_any": "p"}
    for _ in range(2):
        try:
            done = subprocess.run(
                command, cwd=source.parent, capture_output=True, timeout=_SECONDS, env=environment, check=False
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            return None
        if not _refers(source):
            break
    pdf = source.with_suffix(".pdf")
    return pdf if pdf.exists() else None


def _refers(source: Path) -> bool:
    auxiliary = source.with_suffix(".aux")
    return auxiliary.exists() and len(auxiliary.read_bytes()) > 100


def printed(pdf: Path) -> Pages:
    """What a PDF shows."""
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True).stdout
    prefix = pdf.with_suffix("")
    folder = prefix.parent / f"{prefix.name}-pages"
    folder.mkdir(exist_ok=True)
    try:
        command = ["pdftoppm", "-gray", "-r", _RESOLUTION, str(pdf), str(folder / "page")]
        subprocess.run(command, capture_output=True, check=True)
        pictures = tuple(path.read_bytes() for path in sorted(folder.iterdir()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Pages(text.decode("utf-8", "replace"), pictures)


def difference(one: Pages, other: Pages) -> str:
    """How two prints differ; empty if they have the same pages, text and pictures, to the last dot."""
    if len(one.pictures) != len(other.pictures):
        return f"{len(one.pictures)} pages and {len(other.pictures)}"
    if one.text != other.text:
        return "the text differs"
    for number, (a, b) in enumerate(zip(one.pictures, other.pictures, strict=True), 1):
        if a != b:
            return f"page {number} looks different"
    return ""
