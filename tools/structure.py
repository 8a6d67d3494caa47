"""Fit the models of `texlift.meaning.structure` to the operator trees of the DLMF and write their weights.

    python tools/structure.py "$TEXLIFT_DATA" [application] [kinds]

Needs the extra [train]. `texlift bench meaning` measures the same models on sections they have not seen.
"""

from __future__ import annotations

import sys
from pathlib import Path

from texlift.corpus.kinds import KINDS
from texlift.corpus.structure import read_structured
from texlift.train.structure import APPLICATIONS, FEWEST_OF_KINDS, applications, fit, letters

_FOLDER = Path(__file__).parent.parent / "src/texlift/meaning/structure"


def main() -> None:
    folder = Path(sys.argv[1])
    formulae = read_structured(folder / "dlmf_structure.jsonl", folder / "dlmf.jsonl")
    wanted = sys.argv[2:] or ["application", "kinds"]
    if "application" in wanted:
        _write("application", fit(applications(formulae), APPLICATIONS).as_json())
    if "kinds" in wanted:
        _write("kinds", fit(letters(formulae), KINDS, fewest=FEWEST_OF_KINDS).as_json())


def _write(name: str, text: str) -> None:
    (_FOLDER / f"{name}.json").write_text(text, "utf-8")
    sys.stdout.write(f"{name}: {len(text):,} characters\n")


if __name__ == "__main__":
    main()
