"""The page of concepts (docs/reference/concepts.md), made from the vocabulary.

python tools/concepts.py            writes the page
python tools/concepts.py --check    says whether the page is up to date, and exits with 1 if it is not
"""

from __future__ import annotations

import sys
from pathlib import Path

from texlift.errors import TexliftError
from texlift.macros.concepts import TAGS, Concept, vocabulary
from texlift.targets import TARGETS, convert

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "concepts.md"
_CODE = [target for target in TARGETS if target not in ("concepts", "intent", "mathml", "mathjson")]
_HEAD = """# Concepts and notations

Made by `tools/concepts.py`. {concepts} concepts of ordinary mathematics with {notations} notations. Each has a macro of
semantic LaTeX; `texlift macros NAME` shows one, `texlift expand` gives its first notation, `texlift-macros.sty` defines
it for LaTeX. {open} notations are read wherever they stand. Those in *italics* ({ambiguous}) mean something else too:
they are read so only if that is declared, `--declare '[a,b]: commutator'`; functions of the DLMF also in context.
Code is written by the systems named;
MathML and MathJSON have every concept.

Where notations are customary: {tags}.
"""


def page() -> str:
    """The text of the page."""
    words = vocabulary()
    every = [one for concept in words for one in concept.notations]
    ambiguous = sum(one.ambiguous for one in every)
    lines = [
        _HEAD.format(
            concepts=len(words),
            notations=len(every),
            open=len(every) - ambiguous,
            ambiguous=ambiguous,
            tags="; ".join(f"{tag}: {name}" for tag, name in TAGS.items()),
        )
    ]
    for area in dict.fromkeys(concept.area for concept in words):
        lines += [f"## {area[0].upper()}{area[1:]}", "", "| concept | macro | notations | code |", "|---|---|---|---|"]
        lines += [_row(concept) for concept in words if concept.area == area]
        lines.append("")
    return "\n".join(lines)


def _row(concept: Concept) -> str:
    shown = []
    for one in concept.notations:
        code = f"`` {_cell(one.latex)} ``"
        shown.append(f"{f'*{code}*' if one.ambiguous else code} {', '.join(one.tags)}")
    return f"| {concept.name} | `` {_cell(concept.macro)} `` | {'<br>'.join(shown)} | {_systems(concept)} |"


def _cell(latex: str) -> str:
    return latex.replace("|", "\\|")


def _systems(concept: Concept) -> str:
    """The targets that write code for the concept."""
    found = []
    for target in _CODE:
        try:
            convert(concept.written(), target)
        except TexliftError:
            continue
        found.append(target)
    return "all" if found == _CODE else ", ".join(found) or "–"


def main() -> int:
    """Write or check the page."""
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, "utf-8")
        return 0
    current = PAGE.exists() and PAGE.read_text("utf-8") == text
    sys.stdout.write("up to date\n" if current else f"{PAGE} is out of date: run python tools/concepts.py\n")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
