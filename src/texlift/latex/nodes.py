"""The concrete syntax tree: what was written, where it was written.

Positions are character offsets into the source. Nodes are never changed after the parser has made them;
they are not frozen dataclasses only because freezing doubles the time to parse. The commonest kinds spell out their
constructors, which a compiled build makes fast; those that `dataclass` writes stay Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "Call",
    "Command",
    "Delimited",
    "Environment",
    "Group",
    "Infix",
    "Leaf",
    "Node",
    "Row",
    "Script",
    "Scripted",
    "Text",
]


@dataclass(slots=True, eq=False, init=False)
class Leaf:
    """One token without arguments: a letter, digit, sign, or a command such as `\\alpha`."""

    text: str
    start: int
    end: int

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end


@dataclass(slots=True, eq=False, init=False)
class Group:
    """`{...}`."""

    children: Row
    start: int
    end: int

    def __init__(self, children: Row, start: int, end: int) -> None:
        self.children = children
        self.start = start
        self.end = end


@dataclass(slots=True, eq=False, init=False)
class Script:
    """One `^{...}`, `_{...}` or `'` behind a base; a prime has no argument."""

    kind: str  # "^", "_" or "'"
    argument: Node | None
    start: int
    end: int

    def __init__(self, kind: str, argument: Node | None, start: int, end: int) -> None:
        self.kind = kind
        self.argument = argument
        self.start = start
        self.end = end


@dataclass(slots=True, eq=False, init=False)
class Scripted:
    """A base with its scripts in the order written; the base is missing in `{}^{2}x` written as `^{2}x`."""

    base: Node | None
    scripts: list[Script]
    start: int
    end: int

    def __init__(self, base: Node | None, scripts: list[Script], start: int, end: int) -> None:
        self.base = base
        self.scripts = scripts
        self.start = start
        self.end = end


@dataclass(slots=True, eq=False)
class Command:
    """A command with arguments: `\\frac{a}{b}`, `\\sqrt[3]{x}`, `\\mathrm{d}`, `\\bigl(`.

    `options` are the `[...]` arguments that were given, `arguments` the mandatory ones. An argument that
    is not math (a length, a colour, a delimiter) is a Text or a Leaf.
    """

    name: str
    options: list[Group]
    arguments: list[Node]
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Text:
    """A raw argument or a piece of text: `body` is the source between the braces, `math` its parts between dollars."""

    body: str
    start: int
    end: int
    math: tuple[Group, ...] = ()


@dataclass(slots=True, eq=False)
class Delimited:
    """`\\left( ... \\right)`; `left` and `right` are the delimiters, `.` for an empty one."""

    left: str
    right: str
    children: Row
    inner: tuple[int, int]
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Infix:
    """The whole content of a group or formula with `\\over`, `\\atop`, `\\choose`, ...: `above OPERATOR below`."""

    operator: str
    above: Row
    below: Row
    above_span: tuple[int, int]
    below_span: tuple[int, int]
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Environment:
    """`\\begin{name}arguments rows \\end{name}`; each row is a list of cells."""

    name: str
    arguments: list[Text]
    rows: list[list[Group]]
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Call:
    """A semantic macro: `\\name[opt]..{par}..'^{..}_{..}@@{var}..`.

    `segments` holds one pair (number of @, variables) per run of @; most macros have none or one, integral
    transforms (`\\Fouriertrans@{f}@{x}`) two.
    """

    name: str
    options: list[Group]
    parameters: list[Node]
    scripts: list[Script]
    segments: list[tuple[int, list[Node]]]
    start: int
    end: int

    @property
    def variables(self) -> list[Node]:
        """All arguments behind the @s."""
        return [variable for _, variables in self.segments for variable in variables]

    @property
    def arguments(self) -> list[Node]:
        """Options, parameters and variables in the order written."""
        return [*self.options, *self.parameters, *self.variables]


Node: TypeAlias = Leaf | Group | Scripted | Command | Text | Delimited | Infix | Environment | Call
Row: TypeAlias = list[Node]
