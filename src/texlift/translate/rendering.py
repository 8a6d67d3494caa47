"""A derivation as semantic LaTeX: calls where rules were chosen, everything else copied as it was written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from texlift.errors import Span
from texlift.grammar.match import Match
from texlift.grammar.pattern import HOLES
from texlift.latex.canonical import Row
from texlift.latex.invisible import framed
from texlift.latex.printing import joint
from texlift.latex.slicing import piece

__all__ = ["Matches", "Renderer"]

Matches = Mapping[tuple[int, int, int], Match]
"""(id(row), position, end of the span read) -> the match chosen there; places not in it are literal."""

_MARK = re.compile(r"#([1-9a-z'])")
_SCRIPTS, _END = -1, -2
_PRIMES = ("^{\\prime}", r"^\prime")
_Edit = tuple[int, int, str]


@lru_cache(maxsize=8192)
def _pieces(call: str) -> tuple[tuple[str, int], ...]:
    """The text of a rule's call up to each mark, with the hole there, or _SCRIPTS; at last what is behind them all."""
    texts = _MARK.split(call)
    holes = [_SCRIPTS if mark == "'" else HOLES.index(mark) for mark in texts[1::2]]
    return tuple(zip(texts[::2], [*holes, _END], strict=True))


class Renderer:
    """Writes parts of one formula, given the matches chosen."""

    def __init__(self, source: str, matches: Matches, quiet: Collection[int] = ()) -> None:
        self.source = source
        self.matches = matches
        self.quiet = quiet  # ids of rows that have no matches, nor have the rows below them
        self.spans: dict[tuple[int, int, int], Span] = {}  # source spans of the matches written
        self._reach: dict[tuple[int, int, int], Span] = {}  # of parts of rows: where the calls in them begin and end
        self._calls: dict[int, str] = {}  # id(match) -> its call: written for the formula, then told for the decision

    def formula(self, root: Row) -> str:
        """The whole formula."""
        edits: list[_Edit] = []
        self._edits(root, 0, len(root.elements), edits)
        return self._apply(0, len(self.source), edits)

    def span(self, row: Row, start: int, end: int) -> str:
        """Elements `start:end` of a row."""
        edits: list[_Edit] = []
        if id(row) not in self.quiet:
            self._edits(row, start, end, edits)
            if edits:
                reach = (min([edit[0] for edit in edits]), max([edit[1] for edit in edits]))
                self._reach[id(row), start, end] = reach
        elif start == 0 and end == len(row.elements) and not row.dissolved:
            return self.source[row.start : row.end].strip()  # `{n}`: most arguments
        (left, right), dropped = piece(row, start, end)
        if row.dissolved:
            edits += [(*brace, "") for brace in dropped]
            left, right = self._in_font(row, left, right)
        return self._apply(left, right, edits).strip()

    def _in_font(self, row: Row, left: int, right: int) -> Span:
        """A span with the command around it, if there is one around just that: the z of `\\boldsymbol{{z}}`."""
        span = outer = (left, right)
        for opening, closing in row.dissolved:  # the innermost first
            if (opening[1], closing[0]) == outer:
                outer = (opening[0], closing[1])
                if self.source[opening[0]] == "\\":
                    span = outer
        return span

    def _edits(self, row: Row, start: int, end: int, edits: list[_Edit]) -> None:
        """Replacements for the calls among elements `start:end` and below them."""
        position = start
        elements = row.elements
        number, matches, quiet = id(row), self.matches, self.quiet
        taken = 0  # where the last call ends: what it prints around itself is not the next one's
        while position < end:
            match = matches.get((number, position, end))
            if match is not None:
                taken = self._call_edits(row, match, end, edits, taken)
                position = match.end
                continue
            for child in elements[position].rows:
                if id(child) in quiet:
                    continue
                before = len(edits)
                self._edits(child, 0, len(child.elements), edits)
                if len(edits) > before and not child.braced:
                    edits[before:] = [(child.start, child.end, self._braced(child, edits[before:]))]
            position += 1

    def _braced(self, child: Row, edits: list[_Edit]) -> str:
        """An argument written without braces (`x^\\pi`) that became a call needs them."""
        return f"{{{self._apply(child.start, child.end, edits)}}}"

    def _call_edits(self, row: Row, match: Match, limit: int, edits: list[_Edit], taken: int) -> int:
        """The replacement for a call, and where it ends."""
        text = self.call(match)
        (left, right), _ = piece(row, match.start, match.end, tight=True)
        for opening, closing in row.dissolved:
            # `\\mathbin{|}`, `{\\Gamma(z)}`: what only wrapped the symbols of the call goes with them
            if opening[1] == left and closing[0] == right and self._goes(match, opening):
                left, right = opening[0], closing[1]
        if not match.trailing:
            outer = framed(self.source, row, match.start, match.end, match.rule.generic)
            if outer is not None:
                left, right = min(left, outer[0]), max(right, outer[1])
            for hole in match.holes.values():  # with calls at its ends, and what they print around themselves
                inner = self._reach.get((id(row), hole.start, hole.end)) if hole.row is row else None
                if inner is not None:
                    left, right = min(left, inner[0]), max(right, inner[1])
            left = max(left, taken)
        self.spans[id(row), match.start, limit] = (left, right)
        if match.trailing:
            text += "".join([self._trailing(row, position) for position in match.trailing])
            self.spans[id(row), match.start, limit] = piece(row, match.start, min(match.trailing))[0]
        edits.append((left, right, text))
        for opening, closing in row.dissolved:
            opened = left <= opening[0] and opening[1] <= right
            closed = left <= closing[0] and closing[1] <= right
            if opened != closed:
                edits.append((*(closing if opened else opening), ""))
        return right

    def _goes(self, match: Match, opening: Span) -> bool:
        """Whether a wrapper is part of what a call prints: braces, or a command that its rule has too."""
        written = self.source[opening[0] : opening[1]].rstrip("{ ")
        return not written or written in match.rule.generic

    def call(self, match: Match) -> str:
        """The call that a match stands for, with its arguments."""
        pieces = _pieces(match.rule.call)
        if len(pieces) == 1:
            return match.rule.call
        written = self._calls.get(id(match))
        if written is None:
            written = self._calls[id(match)] = self._filled(match, pieces)
        return written

    def _filled(self, match: Match, pieces: tuple[tuple[str, int], ...]) -> str:
        """The pieces of a call with the arguments between them."""
        parts: list[str] = []
        holes = match.holes
        for text, mark in pieces:
            parts.append(text)
            if mark >= 0:
                hole = holes[mark]
                filled = self.span(hole.row, hole.start, hole.end)
                parts.append(f"{{{filled}}}" if text[-1] == "[" and "]" in filled else filled)
            elif mark == _SCRIPTS and match.scripts:
                elements = match.row.elements
                written = sorted(match.scripts, key=lambda position: elements[position].start)
                parts += [self._script(match.row, position) for position in written]
        return "".join(parts)

    def _script(self, row: Row, position: int) -> str:
        element = row.elements[position]
        if not element.rows:
            return "'"
        return f"{element.label}{{{self.span(element.rows[0], 0, len(element.rows[0].elements))}}}"

    def _trailing(self, row: Row, position: int) -> str:
        """A script behind a call is no part of it: a prime is copied as it is written."""
        element = row.elements[position]
        written = self.source[element.start : element.end]
        return written if written in _PRIMES else self._script(row, position)

    def _apply(self, start: int, end: int, edits: list[_Edit]) -> str:
        """The source from `start` to `end` with edits; of edits inside one another the outer one counts."""
        source = self.source
        if not edits:
            return source[start:end]
        # a call takes the braces around it along (`\\cos{\\theta_{l}}`), which may stand just outside
        edits = [
            (max(left, start), min(right, end), text) for left, right, text in edits if left < end and right > start
        ]
        edits.sort(key=lambda edit: (edit[0], -edit[1]))
        text = ""
        parts: list[str] = []
        at = start
        for left, right, replacement in edits:
            if left < at:
                continue
            for part in (source[at:left], replacement):
                if part:
                    parts.append(joint(text, part))
                    parts.append(part)
                    text = part
            at = right
        rest = source[at:end]
        if rest:
            parts.append(joint(text, rest))
            parts.append(rest)
        return "".join(parts)
