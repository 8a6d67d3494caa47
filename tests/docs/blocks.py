"""Reads the code blocks of a page and runs them as a reader would, one after the other in one folder.

```console
$ command            a shell command; the lines below it are what it prints, `...` stands for anything
```
```python            a program; a block ```text right behind it is what it prints
```tex title="a.tex" a file the reader is asked to write (any language with a title)

They run with the extras that the page names (`texlift[compute]`) and no others. A comment
`<!-- needs: torch, texlift/translate/model -->` right before a block names modules and files of the package without
which it is skipped; `<!-- not run: reason -->` is for what a test cannot do, such as installing.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from extras import environment, named

import texlift

_FENCE = re.compile(r"^( *)(```+)(\w*)(.*)$")
_NEEDS = re.compile(r"^\s*<!-- needs: (.+?) -->\s*$")
_NOT_RUN = re.compile(r"^\s*<!-- not run: (.+?) -->\s*$")
_TITLE = re.compile(r'title="([^"]+)"')
_TIMEOUT = 600


@dataclass
class Block:
    """One fenced block and what the comment before it says."""

    language: str
    title: str
    lines: list[str]
    line: int
    needs: list[str] = field(default_factory=list)
    not_run: str = ""
    adjacent: bool = False  # only blank lines stand between it and the block before


def read_blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    blocks: list[Block] = []
    needs: list[str] = []
    not_run = ""
    block: Block | None = None
    adjacent = False
    indent = fence = ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if block is not None:
            if line.strip() == fence:
                blocks.append(block)
                block = None
                adjacent = True
            else:
                block.lines.append(line.removeprefix(indent))
        elif match := _FENCE.match(line):
            indent, fence = match[1], match[2]
            title = _TITLE.search(match[4])
            block = Block(match[3], title[1] if title else "", [], number, needs, not_run, adjacent)
            needs, not_run = [], ""
        elif match := _NEEDS.match(line):
            needs = [name.strip() for name in match[1].split(",")]
        elif match := _NOT_RUN.match(line):
            not_run = match[1]
        elif line.strip():
            needs, not_run, adjacent = [], "", False
    assert block is None, f"{page}:{block.line if block else 0}: the block is never closed"
    return blocks


def missing(block: Block) -> list[str]:
    """The modules (or files of the package, `texlift/...`) a block needs that are not there."""
    return [name for name in block.needs if not (_is_file(name) if "/" in name else _is_module(name))]


def _is_file(name: str) -> bool:
    return Path(texlift.__file__).parents[1].joinpath(name).exists()


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def run_page(page: Path, folder: Path) -> tuple[int, list[str]]:
    """Run all blocks of a page in a folder: (number that ran, what was skipped and why).

    Raises AssertionError with page and line where a block fails or prints something else.
    """
    variables = environment(named(page.read_text("utf-8")), folder / ".extras")
    try:
        return _run_blocks(page, folder, variables)
    finally:
        for path in folder.glob("*.pid"):  # what a page started in the background and, failing, did not stop
            with suppress(ProcessLookupError, ValueError):
                os.kill(int(path.read_text()), signal.SIGTERM)


def _run_blocks(page: Path, folder: Path, variables: dict[str, str]) -> tuple[int, list[str]]:
    blocks = read_blocks(page)
    ran = 0
    skipped = []
    for index, block in enumerate(blocks):
        place = f"{page.name}:{block.line}"
        if block.language not in ("console", "python") and not block.title:
            continue
        if block.not_run:
            skipped.append(f"{place}: {block.not_run}")
            continue
        if absent := missing(block):
            skipped.append(f"{place}: needs {', '.join(absent)}")
            continue
        ran += 1
        if block.title:
            (folder / block.title).write_text("\n".join(block.lines) + "\n", "utf-8")
        elif block.language == "console":
            _run_console(block, folder, place, variables)
        else:
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            printed = following and following.adjacent and following.language == "text" and not following.title
            expected = following.lines if following and printed else []
            output = _run([sys.executable, "-c", "\n".join(block.lines)], folder, place, variables)
            _compare(expected, output, place)
    return ran, skipped


def _run_console(block: Block, folder: Path, place: str, variables: dict[str, str]) -> None:
    command = ""
    expected: list[str] = []
    steps: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.startswith("> ") and steps and not steps[-1][1]:
            steps[-1] = (f"{steps[-1][0]}\n{line[2:]}", [])
        elif steps:
            steps[-1][1].append(line)
        else:
            raise AssertionError(f"{place}: output without a command: {line!r}")
    for command, expected in steps:
        # a page may show an error: then what it shows must be right, not the exit code
        shows = bool("".join(expected).replace("...", "").strip())
        output = _run(["bash", "-e", "-o", "pipefail", "-c", command], folder, place, variables, may_fail=shows)
        _compare(expected, output, place)


def _run(command: list[str], folder: Path, place: str, variables: dict[str, str], may_fail: bool = False) -> str:
    """Standard output and errors together, as a terminal shows them; `texlift` is that of this interpreter."""
    result = subprocess.run(
        command,
        cwd=folder,
        env={**variables, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    shown = shlex.join(command[-1:])
    assert may_fail or result.returncode == 0, f"{place}: {shown} ended with {result.returncode}:\n{result.stdout}"
    return result.stdout


def _compare(expected: list[str], output: str, place: str) -> None:
    """Lines must agree up to trailing blanks; `...` stands for anything, also for any number of lines."""
    wanted = _plain("\n".join(line.rstrip() for line in expected).strip())
    if not wanted:
        return
    given = _plain("\n".join(line.rstrip() for line in output.splitlines()).strip())
    pattern = ".*".join(re.escape(part) for part in wanted.split("..."))
    assert re.fullmatch(pattern, given, re.DOTALL), f"{place}: expected\n{wanted}\n\nbut it prints\n{given}"


def _plain(text: str) -> str:
    """Without `\\left` and `\\right`: how a grammar writes brackets depends on the pairs it was learnt from."""
    return re.sub(r"\\+(?:left|right)(?=[()])", "", text)
