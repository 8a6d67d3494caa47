"""What the reader knows about a formula as a whole before it reads a part of it.

Some readings depend on the rest of the formula: whether `i` is an index or the imaginary unit, whether a letter
before parentheses is a function, which sign `\\pm` stands for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Row
from texlift.latex.signatures import CallSignature
from texlift.targets.census import Census

__all__ = ["MAX_NESTING", "Scope"]

MAX_NESTING = 70
"""Deepest nesting of parentheses and arguments that is read; the DLMF needs 14."""

_SCRIPTS = r"(?:[_^](?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\\[A-Za-z]+|[^\\{}])|')*"
_FONTS = r"\\(?:mathcal|mathrm|mathbf|widetilde|widehat|mathscr|mathit|boldsymbol)\{[^{}]*\}"
_NAME = rf"({_FONTS}|\{{\\cal [A-Za-z]\}}|\\[A-Za-z]+|[A-Za-z])"
_SINGLE = re.compile(
    _NAME + _SCRIPTS + r"(?:\\left)?\((?:\\[A-Za-z]+|\d+|[A-Za-z])(?:_\{[^{}]*\}|_\w|\^\{\\prime\})?(?:\\right)?\)"
)
_LOGIC = re.compile(
    r"\\(?:land|lor|wedge|vee|neg|lnot|Rightarrow|Leftarrow|Leftrightarrow|implies|impliedby|iff"
    r"|Longrightarrow|Longleftarrow|Longleftrightarrow)(?![A-Za-z])|[∧∨¬⇒⇔⇐⟹⟺]"
)
_PROPOSITIONS = re.compile(r"\\(?:land|lor|neg|lnot)(?![A-Za-z])|[∧∨¬]")


@dataclass(slots=True)
class Scope:
    """The source, the warnings so far and the decisions that hold for the whole formula."""

    source: str
    calls: Mapping[str, CallSignature]
    sign: int = 1  # what \pm stands for in this reading
    warnings: dict[str, Span] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    census: Census = field(default_factory=lambda: Census(()))
    logical: bool = False  # whether signs of logic stand in the formula
    propositional: bool = False  # whether an arrow between two parts is an implication
    split: bool = False  # whether \pm or \mp was met
    depth: int = 0
    operators: list[Span] = field(default_factory=list)  # derivative operators applied to what follows them
    fractions: int = 0  # depth of continued fractions
    differentials: list[list[object]] = field(default_factory=list)

    @classmethod
    def of(cls, source: str, nodes: Row, calls: Mapping[str, CallSignature], sign: int) -> Scope:
        """Look once over the formula for what decides readings elsewhere."""
        functions = frozenset(_named(match[1]) for match in _SINGLE.finditer(source)) if "(" in source else frozenset()
        logical = bool(_LOGIC.search(source))
        propositional = logical and bool(_PROPOSITIONS.search(source))
        return cls(source, calls, sign, {}, functions, Census(nodes), logical, propositional)

    def warn(self, message: str, span: Span) -> None:
        self.warnings.setdefault(message, span)

    def error(self, message: str, span: Span, hint: str = "", code: str = "meaning") -> FormulaError:
        return FormulaError(message, self.source, span, hint, code)

    def enter(self, span: Span) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.error(f"nested more than {MAX_NESTING} levels deep", span, "simplify the formula", "too-deep")


def _named(text: str) -> str:
    """`{\\cal H}` is `\\mathcal{H}`."""
    return rf"\mathcal{{{text[6:-1]}}}" if text.startswith(r"{\cal ") else text
