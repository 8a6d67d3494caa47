"""The server as an editor meets it: a process that is spoken to over standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from editor_client import Client, started
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from texlift.documents.choices import FILE_NAME, read_choices

BESSEL = r"The Bessel function $J_\nu(z)$ solves Bessel's equation. Let $n$ be a positive integer."
UNSURE = "Here $B_n(x)$ and $E(x)$."


def drive(folder: Path | None, steps: Callable[[Client], Awaitable[None]], encodings: list[str] | None = None) -> None:
    async def run() -> None:
        async with started(folder, encodings) as client:
            await steps(client)

    # in a thread of its own: a browser test before this one may have left a loop running in ours
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


def edit(line: int, start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
    span = types.Range(types.Position(line, start), types.Position(line, end))
    return types.TextDocumentContentChangePartial(span, text)


def test_hover_says_meaning_probability_and_where_a_letter_is_introduced(tmp_path: Path) -> None:
    uri = (tmp_path / "a.tex").as_uri()

    async def steps(client: Client) -> None:
        client.open(uri, BESSEL)
        text = await client.hover_text(uri, 0, BESSEL.index("J"))  # waits for the first result
        assert "[Bessel function of the first kind](https://dlmf.nist.gov/10.2#E2)" in text
        assert r"`\BesselJ{\nu}@{z}`" in text
        assert "probability" in text
        letter = await client.hover_text(uri, 0, BESSEL.index("$n$") + 1)
        assert "variable, integer, positive" in letter
        assert "Introduced in line 1: `a positive integer`" in letter
        assert await client.hover(uri, 0, 0) is None
        assert await client.hover(uri, 99, 99) is None

    drive(tmp_path, steps)


@pytest.mark.parametrize(("encoding", "width"), [(None, 2), ("utf-8", 4), ("utf-32", 1)])
def test_places_behind_characters_outside_of_the_basic_plane(tmp_path: Path, encoding: str | None, width: int) -> None:
    uri = (tmp_path / "a.md").as_uri()
    start = 3 * width + 2

    async def steps(client: Client) -> None:
        client.open(uri, "# Bessel functions\n\n𝔸𝔹𝔻 $J_\\nu(z)$ and $\\frac{a}{$ here\n")
        shown = await client.hover(uri, 2, start)
        assert shown is not None
        assert shown.range == types.Range(types.Position(2, start), types.Position(2, start + 8))
        errors = await client.diagnostics(uri)
        assert [one.range.start for one in errors] == [types.Position(2, start + 8 + 7 + 8)]
        client.change(uri, 2, edit(2, start, start + 1, "Y"))
        await client.diagnostics(uri, 2)
        assert "second kind" in await client.hover_text(uri, 2, start)

    drive(tmp_path, steps, [encoding] if encoding else None)


def test_diagnostics_have_the_severity_of_what_is_wrong(tmp_path: Path) -> None:
    uri = (tmp_path / "a.tex").as_uri()
    text = UNSURE + "\n\n" + r"Wrong $\frac{a}{$ and" + "\n\n" + r"open $x" + "\n"

    async def steps(client: Client) -> None:
        client.open(uri, text)
        found = {(one.code, one.severity, one.range.start.line) for one in await client.diagnostics(uri)}
        assert ("broken", types.DiagnosticSeverity.Error, 2) in found
        assert ("broken", types.DiagnosticSeverity.Error, 4) in found
        assert ("unsure", types.DiagnosticSeverity.Information, 0) in found
        client.change(uri, 2, edit(2, 0, 99, "Right."), edit(4, 0, 99, "Closed."))
        assert {one.code for one in await client.diagnostics(uri, 2)} == {"unsure"}
        client.close(uri)
        assert await client.diagnostics(uri, None) == []
        assert await client.hover(uri, 0, 26) is None

    drive(tmp_path, steps)


def test_a_chosen_reading_is_kept_and_obeyed(tmp_path: Path) -> None:
    uri = (tmp_path / "a.tex").as_uri()
    place = UNSURE.index("B_n")

    async def steps(client: Client) -> None:
        client.open(uri, UNSURE)
        assert await client.diagnostics(uri)
        offered = await client.actions(uri, 0, place)
        bernoulli = next(one for one in offered if r"(\BernoullipolyB)" in one.title)
        await client.execute(bernoulli.command.command, *bernoulli.command.arguments)
        assert read_choices(tmp_path / FILE_NAME).readings == {"B": r"\BernoullipolyB"}
        assert await client.diagnostics(uri, 1, 2) == []
        assert f"chosen in {FILE_NAME}" in await client.hover_text(uri, 0, place)
        plain = next(one for one in await client.actions(uri, 0, place, ["quickfix"]) if "plain" in one.title)
        await client.execute(plain.command.command, *plain.command.arguments)
        assert read_choices(tmp_path / FILE_NAME).readings == {"B": ""}
        await client.diagnostics(uri, 1, 3)
        assert "a plain symbol" in await client.hover_text(uri, 0, place)

    drive(tmp_path, steps)


def test_a_changed_choices_file_is_read_again_and_a_wrong_one_is_reported(tmp_path: Path) -> None:
    uri, file = (tmp_path / "a.tex").as_uri(), tmp_path / FILE_NAME

    async def steps(client: Client) -> None:
        client.open(uri, UNSURE)
        await client.diagnostics(uri)
        file.write_text("[readings]\nB = '\\nope'\n", "utf-8")
        changed = types.FileEvent(file.as_uri(), types.FileChangeType.Created)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        notes = [one.message for one in await client.diagnostics(uri, 1, 2) if one.code == "document"]
        assert len(notes) == 1
        assert "names no known macro" in notes[0]

    drive(tmp_path, steps)


def test_an_equation_is_checked_on_request_only(tmp_path: Path) -> None:
    uri = (tmp_path / "a.tex").as_uri()
    wrong, right = r"\sin^2 x+\cos^2 x=2", r"\sin^2 x+\cos^2 x=1"

    async def steps(client: Client) -> None:
        client.open(uri, f"Here ${wrong}$ and ${right}$.")
        assert await client.diagnostics(uri) == []
        for place, verdict in ((6, "refuted"), (len(wrong) + 13, "proved")):
            offered = await client.actions(uri, 0, place)
            check = next(one for one in offered if one.title.startswith("Check"))
            answer = await client.execute(check.command.command, *check.command.arguments)
            assert answer["verdict"] == verdict
        (found,) = await client.diagnostics(uri, 1, 3)
        assert (found.code, found.severity) == ("refuted", types.DiagnosticSeverity.Warning)
        assert found.range.start == types.Position(0, 6)
        assert any(message.startswith("refuted") for message in client.messages)

    drive(tmp_path, steps)


def test_requests_that_make_no_sense_are_answered_with_errors(tmp_path: Path) -> None:
    uri, outside = (tmp_path / "in" / "a.tex").as_uri(), (tmp_path / "b.tex").as_uri()
    (tmp_path / "in").mkdir()

    async def steps(client: Client) -> None:
        client.open(uri, UNSURE)
        client.open(outside, UNSURE)
        client.open("untitled:Untitled-1", UNSURE, "latex")
        for arguments in (
            ("texlift.choose",),
            ("texlift.choose", uri, "B"),
            ("texlift.choose", uri, "B", 3),
            ("texlift.choose", [], "B", ""),
            ("texlift.choose", uri, "B+1", ""),
            ("texlift.choose", uri, "B", r"\nope"),
            ("texlift.choose", outside, "B", ""),
            ("texlift.choose", "untitled:Untitled-1", "B", ""),
            ("texlift.choose", "file:///etc/passwd", "B", ""),
            ("texlift.check", uri, "0", "0"),
            ("texlift.check", uri, 0, 0),
            ("texlift.check", uri, -5, -5),
            ("texlift.nope",),
        ):
            with pytest.raises(JsonRpcException):
                await client.execute(*arguments)
        assert "Bernoulli" in await client.hover_text("untitled:Untitled-1", 0, UNSURE.index("B_n"))
        assert [path.name for path in tmp_path.rglob("*")] == ["in"]
        client.change("file:///nowhere.tex", 2, edit(0, 0, 0, "x"))
        client.close("file:///nowhere.tex")
        assert await client.hover("file:///nowhere.tex", 0, 0) is None
        assert not await client.actions("file:///nowhere.tex", 0, 0)

    drive(tmp_path / "in", steps)


BROKEN = {
    "empty": "",
    "dollar": "$",
    "dollars": "$$",
    "bom": "\ufeff$x$",
    "unclosed": "\\begin{align}" * 200,
    "braces": "$" + "{" * 5000 + "$",
    "long": "$" + "x^" * 4000 + "$",
    "lines": "a\fb\u2028$x$\r",
}


def test_broken_documents_are_read_and_the_server_goes_on(tmp_path: Path) -> None:
    async def steps(client: Client) -> None:
        for name, text in BROKEN.items():
            uri = (tmp_path / f"{name}.tex").as_uri()
            client.open(uri, text)
            await client.diagnostics(uri)
            await client.hover(uri, 0, 1)
            await client.actions(uri, 0, 1)
        good = (tmp_path / "good.tex").as_uri()
        client.open(good, BESSEL)
        assert "Bessel" in await client.hover_text(good, 0, BESSEL.index("J"))

    drive(tmp_path, steps)


def test_edits_in_a_row_are_read_once_and_the_last_one_counts(tmp_path: Path) -> None:
    uri = (tmp_path / "a.tex").as_uri()

    async def steps(client: Client) -> None:
        client.open(uri, BESSEL)
        await client.diagnostics(uri)
        for version in range(2, 32):
            client.change(uri, version, edit(0, 0, 0, "𝔸"))
        shown = await client.hover(uri, 0, 60 + BESSEL.index("J"))  # the formula itself has not changed
        assert shown is not None
        await client.diagnostics(uri, 31)
        assert len(client.published[uri]) < 10
        shown = await client.hover(uri, 0, 60 + BESSEL.index("J"))
        assert shown is not None
        assert shown.range is not None
        assert shown.range.start.character == 60 + BESSEL.index("J")

    drive(tmp_path, steps)


def test_hover_is_answered_while_another_document_is_read(tmp_path: Path) -> None:
    uri, book = (tmp_path / "a.tex").as_uri(), (tmp_path / "book.tex").as_uri()

    async def steps(client: Client) -> None:
        client.open(uri, BESSEL)
        await client.diagnostics(uri)
        client.open(book, "\n\n".join(rf"Bessel: $J_{{{n}}}(z+{n})=\sin z$" for n in range(3000)))
        assert "Bessel" in await client.hover_text(uri, 0, BESSEL.index("J"))
        assert book not in client.published
        client.close(book)

    drive(tmp_path, steps)


def test_documents_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    uri = (tmp_path / "a.md").as_uri()

    async def steps(client: Client) -> None:
        client.open(uri, "$x$ " * 600_000)
        (note,) = await client.diagnostics(uri)
        assert "not read" in note.message

    drive(tmp_path, steps)


def test_the_server_ends_when_the_editor_is_gone_and_survives_garbage() -> None:
    def message(body: str) -> bytes:
        return f"Content-Length: {len(body.encode())}\r\n\r\n{body}".encode()

    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    unknown = {"jsonrpc": "2.0", "id": 2, "method": "texlift/nope", "params": {}}
    wrong = {"jsonrpc": "2.0", "id": 3, "method": "textDocument/hover", "params": {"position": "here"}}
    bodies = [json.dumps(initialize), json.dumps(unknown), json.dumps(wrong)]
    data = b"".join(map(message, [bodies[0], "{not json", *bodies[1:]]))
    done = subprocess.run(
        [sys.executable, "-m", "texlift", "lsp", "--stdio"], input=data, capture_output=True, timeout=120
    )
    assert b'"id": 1' in done.stdout or b'"id":1' in done.stdout
    assert done.stdout.count(b'"error"') >= 2
    assert b"Traceback" not in done.stdout.split(b"Content-Length")[1]
