r"""The file beside a lifted document that says how it spells its macros.

For LaTeX it is the package `texlift-macros.sty`, which TeX needs too. For Markdown and notebooks it is
`texlift-macros.json`; `texlift macros --katex` and `--mathjax` make scripts of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from texlift.documents.package import PACKAGE, package_of, read_package, sound_spelling
from texlift.documents.spelling import Spelling
from texlift.documents.tagging import SAY_TEX
from texlift.errors import TexliftError

__all__ = ["read_side_file", "side_name", "side_text"]

_LARGEST = 10_000_000


def side_name(kind: str) -> str:
    """The name of the file for a kind of document: tex, markdown or notebook."""
    return f"{PACKAGE}.sty" if kind == "tex" else f"{PACKAGE}.json"


def side_text(kind: str, spellings: Sequence[Spelling], tagged: bool = False) -> str:
    """What stands in it; for LaTeX, `tagged` adds intents and the command for alternative text."""
    if kind == "tex":
        text = package_of(spellings, tagged)
        return text.replace("\\endinput\n", f"{SAY_TEX}\\endinput\n") if tagged else text
    return json.dumps({"spellings": [asdict(spelling) for spelling in spellings]}, ensure_ascii=False, indent=1) + "\n"


def read_side_file(path: Path) -> list[Spelling] | None:
    """The spellings in such a file; None if it is not there. Raises TexliftError if it is damaged."""
    if path.suffix == ".sty":
        return read_package(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise TexliftError(f"{path} is larger than {_LARGEST:,} bytes")
        records = json.loads(path.read_text("utf-8"))["spellings"]
        return [sound_spelling(record) for record in records]
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise TexliftError(f"cannot read {path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise TexliftError(f"{path} is not a list of spellings that texlift wrote") from None
