"""An editor for tests: starts `texlift lsp` and speaks with it over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Union

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

PATIENCE = 120.0  # seconds: the machine may be busy


def _converter() -> Any:
    """lsprotocol takes a code action that has a command for the command itself; this does not."""
    converter = default_converter()
    item = types.Command | types.CodeAction

    def structure(data: Any, _: Any) -> Any:
        return converter.structure(data, types.Command if isinstance(data.get("command"), str) else types.CodeAction)

    converter.register_structure_hook(Union[types.Command, types.CodeAction], structure)  # noqa: UP007
    converter.register_structure_hook(item, structure)
    return converter


class Client(LanguageClient):
    """Keeps the diagnostics and messages that the server sends."""

    def __init__(self) -> None:
        super().__init__("test", "1", converter_factory=_converter)
        self.answer: types.InitializeResult
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.arrived = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, []).append(params)
            self.arrived.set()

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def said(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    def open(self, uri: str, text: str, language: str = "", version: int = 1) -> None:
        language = language or ("latex" if uri.endswith(".tex") else "markdown")
        item = types.TextDocumentItem(uri, language, version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, uri: str, version: int, *changes: Any) -> None:
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, list(changes)))

    def close(self, uri: str) -> None:
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def diagnostics(self, uri: str, version: int | None = 1, count: int = 1) -> list[types.Diagnostic]:
        """The diagnostics of a version, waited for; `count` times if they are sent again."""

        async def wait() -> list[types.Diagnostic]:
            while True:
                self.arrived.clear()
                found = [one for one in self.published.get(uri, []) if one.version == version]
                if len(found) >= count:
                    return list(found[-1].diagnostics)
                await self.arrived.wait()

        return await asyncio.wait_for(wait(), PATIENCE)

    async def hover(self, uri: str, line: int, character: int) -> types.Hover | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        return await asyncio.wait_for(self.text_document_hover_async(params), PATIENCE)

    async def hover_text(self, uri: str, line: int, character: int) -> str:
        shown = await self.hover(uri, line, character)
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        return shown.contents.value

    async def actions(self, uri: str, line: int, character: int, only: list[str] | None = None) -> Any:
        place = types.Position(line, character)
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(place, place), context)
        return await asyncio.wait_for(self.text_document_code_action_async(params), PATIENCE)

    async def execute(self, command: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(command, list(arguments))
        return await asyncio.wait_for(self.workspace_execute_command_async(params), PATIENCE)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        self.arrived.set()


@asynccontextmanager
async def started(folder: Path | None, encodings: list[str] | None = None) -> AsyncIterator[Client]:
    """A client whose server is initialized; at the end the server is shut down and must end by itself."""
    client = Client()
    await client.start_io(sys.executable, "-m", "texlift", "lsp")
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)] if folder is not None else None
    general = types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None
    capabilities = types.ClientCapabilities(general=general)
    initialize = types.InitializeParams(capabilities, workspace_folders=folders)
    client.answer = await asyncio.wait_for(client.initialize_async(initialize), PATIENCE)
    client.initialized(types.InitializedParams())
    try:
        yield client
    finally:
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
        await asyncio.wait_for(client._server.wait(), PATIENCE)
        await client.stop()
