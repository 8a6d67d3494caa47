"""What was changed in a document, as a unified diff."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Iterator

from texlift.documents.lifting import Outcome
from texlift.documents.loading import loading_line

__all__ = ["unified_diff"]

_CONTEXT = 3


def unified_diff(outcome: Outcome) -> str:
    """The changes of all files, as `diff -u` would show them."""
    pieces: list[str] = []
    edits: dict[int, list[tuple[int, int, str]]] = {}
    for item in outcome.lifted:
        if item.state == "translated":
            formula = item.formula
            owner = outcome.document.owners[formula.part]
            edits.setdefault(owner, []).append((formula.start, formula.end, item.written))
    for number, (source, new) in enumerate(zip(outcome.document.files, outcome.texts(), strict=True)):
        old = source.text
        if old == new:
            continue
        name = _one_line(source.path.name)
        if outcome.document.kind == "notebook":
            lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}", n=_CONTEXT)
            pieces += lines
            continue
        changes = edits.get(number, [])
        if number == 0 and outcome.document.kind == "tex" and (line := loading_line(old)):
            changes = [*changes, (line[0], line[0], line[1])]
        pieces += [f"--- a/{name}\n", f"+++ b/{name}\n", *_hunks(old, sorted(changes))]
    return "".join(pieces)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _hunks(old: str, changes: list[tuple[int, int, str]]) -> Iterator[str]:
    """One hunk for each group of changes that are not far apart."""
    lines = old.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    blocks: list[tuple[int, int, list[tuple[int, int, str]]]] = []  # first and last line, changes
    for change in changes:
        first = bisect_right(starts, change[0], hi=len(lines)) - 1
        last = bisect_right(starts, max(change[0], change[1] - 1), hi=len(lines)) - 1
        if blocks and first <= blocks[-1][1]:
            blocks[-1] = (blocks[-1][0], max(last, blocks[-1][1]), [*blocks[-1][2], change])
        else:
            blocks.append((first, last, [change]))
    groups: list[list[tuple[int, int, list[tuple[int, int, str]]]]] = []
    for block in blocks:
        if groups and block[0] - groups[-1][-1][1] <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    grown = 0
    for group in groups:
        first, last = max(0, group[0][0] - _CONTEXT), min(len(lines), group[-1][1] + _CONTEXT + 1)
        body: list[str] = []
        at = first
        before, after = last - first, 0
        for start, end, own in group:
            body += [" " + line for line in lines[at:start]]
            after += start - at
            body += ["-" + line for line in lines[start : end + 1]]
            fresh = _replaced(old, starts[start], starts[end + 1], own).splitlines(keepends=True)
            body += ["+" + line for line in fresh]
            after += len(fresh)
            at = end + 1
        body += [" " + line for line in lines[at:last]]
        after += last - at
        yield f"@@ -{first + 1},{before} +{first + 1 + grown},{after} @@\n"
        for line in body:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        grown += after - before


def _replaced(text: str, start: int, end: int, changes: list[tuple[int, int, str]]) -> str:
    pieces = []
    at = start
    for left, right, new in changes:
        pieces += [text[at:left], new]
        at = right
    return "".join([*pieces, text[at:end]])


def _one_line(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name)
