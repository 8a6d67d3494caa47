"""What the options --declare and --vocabulary say."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from texlift.meaning.declarations import Declarations

__all__ = ["declarations"]


def declarations(declare: Iterable[str], own: Path | None = None) -> Declarations:
    """Declarations of letters and notations, with a vocabulary file of the user's own."""
    if own is None:
        return Declarations.parse(declare)
    from texlift.meaning.concepts import load_vocabulary

    return Declarations.parse(declare, load_vocabulary(own))
