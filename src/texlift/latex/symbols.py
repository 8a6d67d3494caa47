"""Commands without arguments that LaTeX and amsmath know, read from `symbols.json`.

The parser takes any command; this table only tells a symbol from a command nobody has defined.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from texlift.latex.signatures import generic_signatures

__all__ = ["known_commands", "symbols"]


@cache
def symbols() -> frozenset[str]:
    """All commands without arguments that need no definition."""
    table = json.loads(files("texlift.latex").joinpath("symbols.json").read_text("utf-8"))
    return frozenset({name for names in table.values() for name in names.split()})


@cache
def known_commands() -> frozenset[str]:
    """All commands with or without arguments that need no definition."""
    signatures = generic_signatures()
    return symbols() | frozenset(signatures.commands) | signatures.infix | signatures.switches
