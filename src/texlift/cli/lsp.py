"""`texlift lsp`: the language server for editors."""

from __future__ import annotations

import os
import sys

import typer

from texlift.errors import TexliftError
from texlift.extras import require

app = typer.Typer()

_SWITCH_SECONDS = 0.001  # how long a thread that computes may keep the others waiting


@app.command()
def lsp(
    stdio: bool = typer.Option(True, "--stdio", help="Speak over standard input and output: the only way there is."),
) -> None:
    """Language server for .tex and .md: hover, diagnostics, code actions. Editors start it; see the how-to."""
    require("pygls", "lsprotocol")
    from texlift.editor.server import serve

    if sys.stdin.isatty():
        raise TexliftError("this speaks the Language Server Protocol with an editor, not with people; see the how-to")
    sys.setswitchinterval(_SWITCH_SECONDS)
    # whatever prints must not get between the messages
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(sys.stdin.buffer, output)
