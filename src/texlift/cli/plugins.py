"""Commands, benchmarks and translators of other packages, found through Python entry points.

A package joins the command line by naming a `Plugin` in its metadata:

    [project.entry-points."texlift.commands"]
    cluster = "texlift_paper.plugins:CLUSTER"
    "train.experiment" = "texlift_paper.plugins:TRAIN"

Names with a dot are commands of a group. Looking entry points up reads the metadata of every installed package, so it
is done only for help and for names that are not texlift's own.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

__all__ = ["BENCHES", "COMMANDS", "TRANSLATORS", "Plugin", "plugins"]

COMMANDS = "texlift.commands"
"""Entry points of commands: the module of the plugin has `app: typer.Typer`."""
BENCHES = "texlift.benches"
"""Entry points of benchmarks: the module has `measure(data: Path) -> list[Figure]`."""
TRANSLATORS = "texlift.translators"
"""Entry points of translators: the module has `answers(what: Path, formulae: Iterable[str])`, which gives for each
formula its answer and a list of warnings, or a TexliftError."""

logger = logging.getLogger(__name__)


class Plugin(NamedTuple):
    """Where something lives, and one line for --help; the module is imported when it is called."""

    module: str
    help: str


def plugins(kind: str, group: str = "") -> dict[str, Plugin]:
    """Name -> plugin, in alphabetical order: those of a command group, or those outside all groups.

    An entry point that cannot be loaded is logged and left out: one broken package must not break the others.
    """
    from importlib.metadata import entry_points

    found: dict[str, Plugin] = {}
    for entry in sorted(entry_points(group=kind), key=lambda entry: entry.name):
        prefix, _, name = entry.name.rpartition(".")
        if prefix != group:
            continue
        try:
            loaded = entry.load()
        except Exception as error:  # noqa: BLE001  # code of another package
            logger.warning("%s cannot be loaded from %s: %s", entry.name, entry.value, error)
            continue
        if isinstance(loaded, Plugin):
            found[name] = loaded
        else:
            logger.warning("%s: %s is not a texlift.cli.plugins.Plugin", entry.name, entry.value)
    return found
