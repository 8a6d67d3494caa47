r"""Names that a document cannot have for texlift's macros, because they mean something else in it.

A name is taken if the document or a file beside it defines it, if the document uses it (whatever package it comes
from), or if a package that it loads is known to define it. A taken name gets a prefix: `\tlabs` for `\abs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files

from texlift.documents.spelling import Cut
from texlift.errors import TexliftError
from texlift.latex.symbols import known_commands

__all__ = ["PREFIX", "chosen_names", "taken_names"]

PREFIX = "tl"
"""What stands before the names of macros that the document has taken."""

_NAME = re.compile(r"\\[A-Za-z]+")
_PACKAGES = re.compile(r"\\(?:usepackage|RequirePackage|documentclass|LoadClass)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")


@cache
def _of_packages() -> Mapping[str, frozenset[str]]:
    """Names of semantic macros that packages of the TeX system define, by package."""
    table = json.loads(files("texlift.documents").joinpath("packages.json").read_text("utf-8"))
    return {package: frozenset("\\" + name for name in names.split()) for package, names in table.items()}


def taken_names(texts: Iterable[str], defined: Collection[str]) -> frozenset[str]:
    """Names that the texts of a document use or load; LaTeX's own (`\\sin`) are not among them unless `defined`."""
    found: set[str] = set()
    for text in texts:
        found |= set(_NAME.findall(text))
        for match in _PACKAGES.finditer(text):
            for package in match[1].split(","):
                found |= _of_packages().get(package.strip(), frozenset())
    return frozenset(found - known_commands() | set(defined))


def chosen_names(cuts: Iterable[Cut], taken: Collection[str], prefix: str = PREFIX) -> dict[str, str]:
    """What each macro is called in the document: its own name, or that with the prefix where it is taken.

    LaTeX's own names can be calls with an @ only: `\\binom{n}{k}` has a meaning already.
    """
    if not re.fullmatch(r"[A-Za-z]+", prefix):
        raise TexliftError(f"the prefix {prefix!r} must be letters")
    own = known_commands()
    names: dict[str, str] = {}
    clashing: set[str] = set()
    for place in cuts:
        name = place.decision.macro
        names.setdefault(name, name)
        if name in taken or (name in own and "@" not in place.form):
            clashing.add(name)
    for name in clashing:
        new = name
        while new in taken or new in own or new == name:
            new = f"\\{prefix}{new[1:]}"
        names[name] = new
    return names
