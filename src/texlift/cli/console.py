"""Where commands print tables: as wide as the terminal, and never wrapped in a pipe."""

from __future__ import annotations

from rich.console import Console

__all__ = ["console"]

_ANY_WIDTH = 1_000_000


def console() -> Console:
    """A console for standard output; in a pipe or file lines are as long as what they hold."""
    found = Console()
    return found if found.is_terminal else Console(width=_ANY_WIDTH)
