"""The language server: requests of the editor, answered from the sessions of the open documents.

Reading documents and checking equations happens in threads; the event loop only looks things up.
"""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from texlift import __version__
from texlift.documents.choices import FILE_NAME
from texlift.documents.formula import Lifted
from texlift.editor.actions import CHECK, CHOOSE, actions, is_equation
from texlift.editor.choosing import choose
from texlift.editor.diagnostics import diagnostics, refutation
from texlift.editor.hover import hover
from texlift.editor.session import Session, is_readable, path_of
from texlift.errors import TexliftError
from texlift.verify.verdict import Verdict

__all__ = ["Editor", "RequestFailedError", "create", "serve"]

_CHECK_SECONDS = 10.0
_SWITCH = 0.0005  # seconds until a thread that reads a document makes room for one that answers
_MOST_CHECKS = 4  # that wait at a time


class RequestFailedError(JsonRpcException):
    """A valid request that cannot be fulfilled; the editor shows the message."""

    CODE = types.LSPErrorCodes.RequestFailed.value


class Protocol(LanguageServerProtocol):
    """pygls drops requests whose parameters are malformed; an editor waits for an answer to each."""

    def structure_message(self, data: Any) -> Any:
        """A message from JSON; one that is malformed is answered with the error if it was a request."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if isinstance(data, dict) and "method" in data and isinstance(data.get("id"), (int, str)):
                self._send_response(data["id"], error=error.to_response_error())
            raise


class Editor(LanguageServer):
    """A language server with one session for each open document."""

    def __init__(self) -> None:
        super().__init__("texlift", __version__, types.TextDocumentSyncKind.Incremental, protocol_cls=Protocol)
        self.sessions: dict[str, Session] = {}
        self.reading = ThreadPoolExecutor(1, "reading")  # the translator works on one document at a time
        self.checking = ThreadPoolExecutor(1, "checking")
        self.checks = 0

    def session(self, uri: object) -> Session:
        """The session of an open document; anything else is an invalid request."""
        session = self.sessions.get(uri) if isinstance(uri, str) else None
        if session is None:
            raise JsonRpcInvalidParams(f"{uri!r} is not an open LaTeX or Markdown document"[:300])
        return session

    def folders(self) -> list[Path]:
        """The folders of the workspace."""
        uris = [*self.workspace.folders]
        if not uris and self.workspace.root_uri:
            uris = [self.workspace.root_uri]
        return [path for uri in uris if (path := path_of(uri)) is not None]

    def open(self, document: types.TextDocumentItem) -> None:
        """Start the session of a document."""
        self.close(document.uri)
        if is_readable(document.uri, document.language_id):
            encoding = str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
            self.sessions[document.uri] = Session(document, encoding, self.reading, self.publish)

    def close(self, uri: str) -> None:
        """End the session of a document, if it has one."""
        if (session := self.sessions.pop(uri, None)) is not None:
            session.close()

    async def publish(self, session: Session) -> None:
        """Send the diagnostics of a session's last result."""
        if (analysis := session.analysis) is None:
            return
        loop, verdicts = asyncio.get_running_loop(), dict(session.verdicts)
        found = await loop.run_in_executor(self.reading, diagnostics, analysis, session.uri, verdicts)
        if session.analysis is analysis and self.sessions.get(session.uri) is session:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(session.uri, found, version=analysis.version)
            )

    def say(self, kind: types.MessageType, message: str) -> None:
        """Show a line to the user."""
        self.window_show_message(types.ShowMessageParams(kind, message[:1000]))

    async def check(self, session: Session, item: Lifted) -> Verdict:
        """Check an equation in a thread (and there in a process of its own)."""
        if self.checks >= _MOST_CHECKS:
            raise RequestFailedError("other equations are being checked: try again in a moment")
        self.checks += 1
        try:
            verdict = await asyncio.get_running_loop().run_in_executor(self.checking, _checked, item)
        except TexliftError as error:
            raise RequestFailedError(str(error)) from None
        finally:
            self.checks -= 1
        if self.sessions.get(session.uri) is session:
            session.keep(item.semantic, verdict)
            await self.publish(session)
        return verdict

    def end(self) -> None:
        """Give up all work."""
        for uri in [*self.sessions]:
            self.close(uri)
        for executor in (self.reading, self.checking):
            executor.shutdown(wait=False, cancel_futures=True)


def _checked(item: Lifted) -> Verdict:
    from texlift.verify import Task, check_all

    task = Task(item.semantic.rstrip(" .,;&").replace("&", ""), excerpt=True, sure=item.confidence)
    return next(check_all([task], _CHECK_SECONDS))


def _warm_up() -> None:
    """Load the model, so that the first document does not wait for it."""
    from texlift.translate.translator import load

    load()


def create() -> Editor:
    """A server with all its features."""
    editor = Editor()
    _documents(editor)
    _questions(editor)
    _commands(editor)
    return editor


def _documents(editor: Editor) -> None:
    """What the editor tells: documents are opened, changed and closed."""

    @editor.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        editor.reading.submit(_warm_up)

    @editor.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        editor.open(params.text_document)

    @editor.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        if (session := editor.sessions.get(params.text_document.uri)) is not None:
            session.change(params.text_document.version, list(params.content_changes))

    @editor.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        if params.text_document.uri in editor.sessions:
            editor.close(params.text_document.uri)
            empty = types.PublishDiagnosticsParams(params.text_document.uri, [])
            editor.text_document_publish_diagnostics(empty)

    @editor.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        folders = {path.parent for one in params.changes if (path := path_of(one.uri)) and path.name == FILE_NAME}
        for session in editor.sessions.values():
            if session.path is not None and session.path.parent in folders:
                session.read(pause=False)

    @editor.feature(types.SHUTDOWN)
    def shut_down(params: None) -> None:
        editor.end()


def _questions(editor: Editor) -> None:
    """What the editor asks."""

    @editor.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        session = editor.sessions.get(params.text_document.uri)
        if session is None:
            return None
        if (found := session.last(params.position)) is not None:
            shown = hover(*found)
            if shown is not None and found[0].text != session.text:
                shown.range = None  # it is one of the text before the last edits
            return shown
        analysis = await session.current()
        return hover(analysis, analysis.lines.offset(params.position)) if analysis is not None else None

    @editor.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Empty]),
    )
    async def offered(params: types.CodeActionParams) -> list[types.CodeAction]:
        session = editor.sessions.get(params.text_document.uri)
        analysis = await session.current() if session is not None else None
        if session is None or analysis is None:
            return []
        found = actions(analysis, analysis.lines.offset(params.range.start), session.uri)
        only = params.context.only
        return found if only is None else [one for one in found if any(_is_kind(one, kind) for kind in only)]


def _is_kind(action: types.CodeAction, asked: types.CodeActionKind | str) -> bool:
    kind, wanted = (str(getattr(one, "value", one) or "") for one in (action.kind, asked))
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


def _commands(editor: Editor) -> None:
    """What the user picked among the actions."""

    @editor.command(CHOOSE)
    async def chosen(ls: Editor, *arguments: object) -> dict[str, str]:
        match arguments:
            case (uri, str(symbol), str(macro)):
                session = editor.session(uri)
            case _:
                raise JsonRpcInvalidParams(f"{CHOOSE} takes a document, a symbol and a macro")
        if session.path is None:
            raise RequestFailedError("save the document first: choices are kept in a file beside it")
        try:
            file = choose(session.path, symbol, macro, editor.folders())
        except TexliftError as error:
            raise RequestFailedError(str(error)) from None
        for other in editor.sessions.values():
            if other.path is not None and other.path.parent == session.path.parent:
                other.read(pause=False)
        editor.say(types.MessageType.Info, f"{symbol} is {macro or 'a plain symbol'}: kept in {file.name}")
        return {"file": str(file)}

    @editor.command(CHECK)
    async def checked(ls: Editor, *arguments: object) -> dict[str, object]:
        match arguments:
            case (uri, int(line), int(character)):
                session = editor.session(uri)
            case _:
                raise JsonRpcInvalidParams(f"{CHECK} takes a document, a line and a character")
        analysis = await session.current()
        item = analysis.at(analysis.lines.offset(types.Position(line, character))) if analysis is not None else None
        if item is None or not is_equation(item):
            raise RequestFailedError("there is no equation at this place")
        verdict = await editor.check(session, item)
        is_refuted = verdict.verdict == "refuted"
        what = refutation(verdict) if is_refuted else verdict.reason or f"{verdict.points} points, {verdict.domain}"
        kind = types.MessageType.Warning if is_refuted else types.MessageType.Info
        editor.say(kind, f"{verdict.verdict}: {item.formula.latex[:200]} ({what})")
        return verdict.as_dict()


def serve(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one editor until it says goodbye or its end of the line is closed."""
    editor = create()
    sys.setswitchinterval(_SWITCH)
    try:
        editor.start_io(stdin, stdout)
    finally:
        editor.end()
