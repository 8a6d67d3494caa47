"""One open document: its text as the editor has it, the last result, and the work that is under way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.uris import to_fs_path

from texlift.documents.document import KINDS
from texlift.editor.analysis import Analysis, SupersededError, analyse
from texlift.editor.positions import Lines, applied, unchanged
from texlift.verify.verdict import Verdict

__all__ = ["Session", "is_readable", "path_of"]

Publish = Callable[["Session"], Awaitable[None]]

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.25, 3.0  # seconds without an edit before the document is read again
_SUFFIXES = {"latex": ".tex", "tex": ".tex", "markdown": ".md", "quarto": ".qmd"}
_READ = frozenset({"tex", "markdown"})  # kinds of documents that are one text
_MOST_VERDICTS = 200
_log = logging.getLogger(__name__)


def path_of(uri: str) -> Path | None:
    """The file of a document; None if it is not saved in one."""
    if urlsplit(uri).scheme != "file":
        return None
    path = to_fs_path(uri)
    return Path(path) if path and "\0" not in path else None


def is_readable(uri: str, language: str) -> bool:
    """Whether a document is LaTeX or Markdown."""
    return KINDS.get(PurePosixPath(_name(uri, language)).suffix.lower()) in _READ


def _name(uri: str, language: str) -> str:
    name = PurePosixPath(unquote(urlsplit(uri).path)).name.replace("\0", "")
    return name if PurePosixPath(name).suffix.lower() in KINDS else name + _SUFFIXES.get(language, "")


class Session:
    """Only the event loop changes a session; the executor gets a copy of the text and gives back a result."""

    def __init__(self, document: types.TextDocumentItem, encoding: str, executor: Executor, publish: Publish) -> None:
        self.uri = document.uri
        self.text = document.text
        self.version = document.version
        self.path = path_of(document.uri)
        self.analysis: Analysis | None = None
        self.verdicts: dict[str, Verdict] = {}
        self._name = _name(document.uri, document.language_id)
        self._encoding = encoding
        self._executor = executor
        self._publish = publish
        self._work: asyncio.Task[None] | None = None
        self._turn = 0
        self.read(pause=False)

    def change(self, version: int, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        """Take in what was typed; the document is read again when typing stops."""
        for change in changes:
            self.text = applied(self.text, change, self._encoding)
        self.version = version
        self.read(pause=True)

    def read(self, pause: bool) -> None:
        """Read the document, after a pause or at once; what is under way is given up."""
        self._turn += 1
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.get_running_loop().create_task(self._read(self._turn, pause))

    def close(self) -> None:
        """Give up all work and let go of text and result."""
        self._turn += 1
        if self._work is not None:
            self._work.cancel()
        self.text, self.analysis = "", None
        self.verdicts.clear()

    async def current(self) -> Analysis | None:
        """The result for the present version, waited for if needed; None if the document was closed meanwhile."""
        while self._work is not None and not self._work.done():
            await asyncio.wait([self._work])
        return self.analysis

    def last(self, position: types.Position) -> tuple[Analysis, int] | None:
        """The last result and the offset in it of a position of the present text.

        None where there is no result yet, or if the formula at the position was changed since.
        """
        analysis = self.analysis
        if analysis is None:
            return None
        if analysis.text == self.text:
            return analysis, analysis.lines.offset(position)
        offset = Lines(self.text, self._encoding).offset(position)
        before, behind = unchanged(analysis.text, self.text)
        if offset >= len(self.text) - behind:
            offset += len(analysis.text) - len(self.text)
        elif offset >= before:
            return None
        item = analysis.at(offset)
        if item is None:
            return None
        start, end = analysis.span(item)
        is_kept = end < before or start > len(analysis.text) - behind
        return (analysis, offset) if is_kept else None

    def keep(self, semantic: str, verdict: Verdict) -> None:
        """Keep the verdict on an equation while the document is open."""
        self.verdicts.pop(semantic, None)
        self.verdicts[semantic] = verdict
        while len(self.verdicts) > _MOST_VERDICTS:
            del self.verdicts[next(iter(self.verdicts))]

    async def _read(self, turn: int, pause: bool) -> None:
        if pause:
            last = self.analysis.seconds if self.analysis is not None else 0.0
            await asyncio.sleep(min(max(_SHORTEST_PAUSE, last / 2), _LONGEST_PAUSE))
        folder = self.path.parent if self.path is not None else None
        arguments = self.text, self._name, self.version, folder, self._encoding, lambda: self._turn != turn
        try:
            analysis = await asyncio.get_running_loop().run_in_executor(self._executor, analyse, *arguments)
        except SupersededError:
            return
        except Exception:  # noqa: BLE001  a defect: the last result stays
            _log.exception("%s could not be read", self._name)
            return
        if self._turn == turn:
            self.analysis = analysis
            await self._publish(self)
