r"""Formulae in notebooks: `%load_ext texlift`, then cells of LaTeX.

    %%texlift energy --declare 'm: positive' --to sympy
    E = \frac{1}{2} m v^2

shows the formula, what was read and the code, and keeps the answer in the variable `energy`. Every line of a cell is a
formula; lines with a backslash at the end, and environments, go on. `%texlift \sin^2 x` is the same for one line.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from texlift.errors import TexliftError

if TYPE_CHECKING:
    from texlift.translate.answer import Translation

__all__ = ["Cell", "load_ipython_extension", "unload_ipython_extension"]

_NAME = "texlift"
_BEGIN, _END = re.compile(r"\\begin\s*\{"), re.compile(r"\\end\s*\{")


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext texlift` calls: registers the magics."""
    ipython.register_magic_function(Cell(ipython), "line_cell", _NAME)


def unload_ipython_extension(ipython: Any) -> None:
    """What `%unload_ext texlift` calls."""
    for kind in ("line", "cell"):
        ipython.magics_manager.magics[kind].pop(_NAME, None)


class Cell:
    """The magic: a line of options, then formulae."""

    _ipython_magic_no_var_expand = True  # braces belong to the formula: {x} is no Python variable

    def __init__(self, ipython: Any) -> None:
        self.ipython = ipython

    def __call__(self, line: str, cell: str | None = None) -> Translation | list[Translation] | None:
        """The answer to one formula, which the notebook displays, or a list of answers."""
        from IPython.core.error import UsageError  # shown without a traceback

        try:
            return self._answer(line, cell)
        except TexliftError as error:
            raise UsageError(str(error)) from None

    def _answer(self, line: str, cell: str | None) -> Translation | list[Translation] | None:
        from texlift.translate.shortcut import translate

        if cell is None:
            return translate(line)
        asked = _options(line)
        declare = dict(_declaration(text) for text in asked.declare)
        answers = [translate(formula, asked.context or None, declare=declare) for formula in _formulae(cell)]
        if not answers:
            raise TexliftError("a cell without a formula")
        whole = answers[0] if len(answers) == 1 else answers
        if asked.name:
            self.ipython.push({asked.name: whole})
        for target in asked.to:
            for answer in answers:
                print(answer.to(target))  # noqa: T201  this is what a cell shows
        if asked.check:
            self._check(answers, declare)
        if asked.plot:
            self._plot(answers, declare)
        return None if asked.quiet else whole

    def _check(self, answers: list[Translation], declare: dict[str, str]) -> None:
        from texlift.verify import check

        for answer in answers:
            verdict = check(answer.semantic, sure=answer.confidence, declare=declare)
            said = [verdict.verdict, verdict.domain, verdict.reason]
            if verdict.counterexample:
                said.append(", ".join(f"{name} = {value}" for name, value in verdict.counterexample["point"].items()))
            print("; ".join(filter(None, said)))  # noqa: T201

    def _plot(self, answers: list[Translation], declare: dict[str, str]) -> None:
        from IPython.display import display

        from texlift.verify.plot import plot

        for answer in answers:
            display(plot(answer, declare=declare))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TexliftError(f"%%texlift: {message}\n{self.format_usage().strip()}")


def _options(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%texlift", add_help=False)
    parser.add_argument("name", nargs="?", default="", help="the variable that keeps the answer")
    parser.add_argument("--context", "-c", default="", help="words around the formula")
    parser.add_argument("--declare", "-d", action="append", default=[], help="what a letter is: 'n: integer'")
    parser.add_argument("--to", action="append", default=[], help="show the code of this target")
    parser.add_argument("--check", action="store_true", help="check the equation numerically")
    parser.add_argument("--plot", action="store_true", help="draw both sides, or the function")
    parser.add_argument("--quiet", "-q", action="store_true", help="show only code and checks")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise TexliftError(f"%%texlift: {error}") from None
    found = parser.parse_args(words)
    if found.name and not found.name.isidentifier():
        raise TexliftError(f"%%texlift: {found.name!r} is not the name of a variable; formulae stand below this line")
    return found


def _declaration(text: str) -> tuple[str, str]:
    name, sign, words = text.partition(":")
    if not sign:
        raise TexliftError(f"%%texlift: {text!r} is no declaration; write 'n: integer'")
    return name.strip(), words.strip()


def _formulae(cell: str) -> Iterator[str]:
    """The formulae of a cell: its lines, joined where one goes on; `%` starts a comment."""
    pending = ""
    for line in cell.splitlines():
        text = re.sub(r"(?<!\\)%.*", "", line).strip()
        pending = f"{pending} {text}".strip() if text else pending
        if pending.endswith("\\") and not pending.endswith("\\\\"):
            pending = pending[:-1].rstrip()
            continue
        inside = len(_BEGIN.findall(pending)) > len(_END.findall(pending)) or pending.count("$$") % 2
        if pending and not inside and not pending.endswith("\\\\"):
            yield pending
            pending = ""
    if pending:
        yield pending
