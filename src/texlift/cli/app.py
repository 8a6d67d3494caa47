"""The `texlift` command: a table of commands, each imported only when it is called.

Starting fast is a feature: importing every command costs a second, importing one a tenth of that.
"""

from __future__ import annotations

import atexit
import gc
import io
import logging
import os
import sys
from importlib import import_module
from typing import Any, ClassVar, NoReturn

import typer

__all__ = ["LazyGroup", "lazy_group", "main"]

_DEFECT = 70  # exit code of an internal error, as in sysexits.h

# the translator's matrix products are small: threads cost more than they bring, on a busy machine by far
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# name: (module with `app: typer.Typer`, one line for --help)
COMMANDS = {
    "translate": ("texlift.cli.translate", "Generic LaTeX to semantic LaTeX (and on to computer algebra)."),
    "expand": ("texlift.cli.expand", "Semantic LaTeX to generic LaTeX."),
    "convert": ("texlift.cli.convert", "Semantic LaTeX to SymPy, mpmath, Mathematica, Maple, Maxima, MathML."),
    "check": ("texlift.cli.check", "Check an equation or inequality numerically."),
    "equal": ("texlift.cli.equal", "Do two answers mean the same?"),
    "parse": ("texlift.cli.parse", "Draw the parse tree of a formula."),
    "macros": ("texlift.cli.macros", "Look up semantic macros."),
    "document": ("texlift.cli.document", "Translate a whole document (.tex, .md, .ipynb)."),
    "corpus": ("texlift.cli.corpus", "Import, inspect, augment and generate pairs; induce a grammar."),
    "train": ("texlift.cli.train", "Train the translator or one of the paper's networks."),
    "evaluate": ("texlift.cli.evaluate", "Evaluate a trained model and write a report."),
    "crossval": ("texlift.cli.crossval", "Cross-validate and write a report."),
    "bench": ("texlift.cli.bench", "Measure one part against its bars."),
    "serve": ("texlift.cli.serve", "HTTP API and page."),
    "lsp": ("texlift.cli.lsp", "Language server for editors."),
}


class LazyGroup(typer.core.TyperGroup):
    """A group whose commands are imported when they are called, not when the group is.

    Commands of other packages come after texlift's own, which they cannot replace.
    """

    own: ClassVar[dict[str, tuple[str, str]]] = {}
    prefix: ClassVar[str] = ""

    @classmethod
    def table(cls) -> dict[str, tuple[str, str]]:
        """All commands, those of other packages too: {name: (module, one line for --help)}."""
        from texlift.cli.plugins import COMMANDS, plugins

        return {**cls.own, **plugins(COMMANDS, cls.prefix), **cls.own}  # own names first, and own commands win

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.table())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        entry = self.own.get(cmd_name) or self.table().get(cmd_name)
        if entry is None:
            return None
        if ctx.resilient_parsing or "--help" in sys.argv[1:2]:
            return typer.core.TyperCommand(cmd_name, help=entry[1])
        app: typer.Typer = import_module(entry[0]).app
        command: Any = typer.main.get_command(app)
        command.name = cmd_name
        # options of the whole program, which each command on its own would have
        command.params = [p for p in command.params if p.name not in ("install_completion", "show_completion")]
        return command


def lazy_group(commands: dict[str, tuple[str, str]], prefix: str = "") -> type[LazyGroup]:
    """A LazyGroup over `commands`, to be given to `typer.Typer(cls=...)`; other packages join it as `prefix.NAME`."""
    return type("Lazy", (LazyGroup,), {"own": commands, "prefix": prefix})


app = typer.Typer(
    cls=lazy_group(COMMANDS),
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    """texlift lifts formulae from presentation to meaning: LaTeX to semantic LaTeX to computer algebra."""
    if version:
        from texlift import __version__

        typer.echo(f"texlift {__version__}")
        raise typer.Exit


def main() -> None:
    """Entry point of the console script: errors are shown in a few lines, without a traceback."""
    from texlift.errors import TexliftError

    _log_to_stderr()
    _take_any_bytes()
    # what is remembered goes with the process: looking for cycles in it once more at the end takes a second
    atexit.register(gc.freeze)
    try:
        app()
    except TexliftError as error:
        _fail(str(error))
    except ImportError as error:
        from texlift.extras import missing_extra

        known = missing_extra(error)
        if known is None:
            raise
        _fail(str(known))
    except BrokenPipeError:
        # nobody reads on; what is still in the buffer must not be written when the process ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if _debugging():
            raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        _fail(f"texlift failed ({what}). This is a defect; TEXLIFT_DEBUG=1 shows where, please report it", _DEFECT)


def _take_any_bytes() -> None:
    """Bytes that are no text, on the way in or out, are a matter of the formula they stand in, not of the command."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _debugging() -> bool:
    return bool(os.environ.get("TEXLIFT_DEBUG"))


def _log_to_stderr() -> None:
    """Let the log of what went wrong inside go to standard error, a line for each problem."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s") if _debugging() else _Brief())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _Brief(logging.Formatter):
    """Records without tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        what = f": {type(error).__name__}: {error} (TEXLIFT_DEBUG=1 shows where)" if error else ""
        return f"{record.levelname.lower()}: {record.getMessage()}{what}"


def _fail(message: str, code: int = 1) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    sys.exit(code)
