"""The targets named with `--to`: checked before any work is done."""

from __future__ import annotations

from collections.abc import Iterable

import typer

__all__ = ["known_targets"]


def known_targets(names: Iterable[str]) -> tuple[str, ...]:
    """The targets asked for, each once; an unknown one is a usage error."""
    wanted = tuple(dict.fromkeys(names))
    if not wanted:
        return ()
    from texlift.targets import TARGETS

    for name in wanted:
        if name not in TARGETS:
            raise typer.BadParameter(f"unknown target {name!r}; choose one of {', '.join(TARGETS)}", param_hint="--to")
    return wanted
