"""Which arguments a command takes, read from `commands.json`.

A signature is a string with one letter an argument:

    m  math            o  optional math in [...]     t  text, raw (`\\text`, `\\mbox`)
    r  raw group       O  optional raw in [...]      d  a length without braces (`\\mskip-3mu`)
    D  a delimiter     s  a semantic call (arity from its lexicon entry)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType

__all__ = ["CallSignature", "Signatures", "generic_signatures"]


@dataclass(frozen=True, slots=True)
class CallSignature:
    """How many arguments a semantic macro takes.

    `variables` may depend on the text of a parameter (`\\AppellF{1}` has six, `\\AppellF{2}` seven):
    `variables_by` maps the text of parameter `by` to the number.
    """

    options: int = 0
    parameters: int = 0
    variables: int = 0
    by: int = 0
    variables_by: Mapping[str, int] = field(default_factory=dict)

    def variables_for(self, parameters: list[str]) -> int:
        """Number of variables behind @, given the texts of the parameters."""
        if self.variables_by and self.by < len(parameters):
            return self.variables_by.get(parameters[self.by], self.variables)
        return self.variables


@dataclass(frozen=True, slots=True)
class Signatures:
    """The table the parser asks: arguments of commands and environments, arity of semantic macros."""

    commands: Mapping[str, str]
    environments: Mapping[str, str]
    infix: frozenset[str]
    switches: frozenset[str]
    calls: Mapping[str, CallSignature] = field(default_factory=lambda: MappingProxyType({}))

    def with_calls(self, calls: Mapping[str, CallSignature]) -> Signatures:
        """The same table that also knows the semantic macros in `calls`."""
        return Signatures(self.commands, self.environments, self.infix, self.switches, calls)


@cache
def generic_signatures() -> Signatures:
    """Plain LaTeX with amsmath and the few extras the DLMF's generic side uses."""
    table = json.loads(files("texlift.latex").joinpath("commands.json").read_text("utf-8"))
    commands = {name: spec for spec, names in table["commands"].items() for name in names.split()}
    environments = {name: spec for spec, names in table["environments"].items() for name in names.split()}
    return Signatures(
        MappingProxyType(commands),
        MappingProxyType(environments),
        frozenset(table["infix"].split()),
        frozenset(table["switches"].split()),
    )
