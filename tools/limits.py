"""The table of limits in SECURITY.md, made from the code.

python tools/limits.py            writes the table
python tools/limits.py --check    says whether it is up to date, and exits with 1 if it is not
"""

from __future__ import annotations

import sys
from pathlib import Path

from texlift import remembered
from texlift.bench import fuzz
from texlift.cli import lines
from texlift.documents import choices, document, source
from texlift.grammar import expansion, readings
from texlift.latex import cursor, lexer, replacing
from texlift.meaning.reader import number, scope
from texlift.server.settings import Settings
from texlift.translate import preparation
from texlift.verify import operators, worker

PAGE = Path(__file__).parents[1] / "SECURITY.md"
BEGIN = "<!-- limits: made by tools/limits.py -->"
END = "<!-- end of limits -->"


def rows() -> list[tuple[str, str, str]]:
    """What is limited, the limit, and where it stands."""
    s = Settings()
    return [
        ("formula to parse", f"{lexer.MAX_LENGTH:,} characters", "latex/lexer.py"),
        ("formula to translate", f"{preparation.MAX_FORMULA:,} characters", "translate/preparation.py"),
        ("nesting", f"{cursor.MAX_DEPTH} levels", "latex/cursor.py"),
        ("uses of a user's macros", f"{replacing.MAX_REPLACEMENTS:,}", "latex/replacing.py"),
        ("tokens they bring", f"{replacing.MAX_EXPANDED:,}", "latex/replacing.py"),
        ("readings at a place", f"{readings.MAX_READINGS}, then a warning", "grammar/readings.py"),
        ("readings of a formula", f"{readings.MAX_SIZE:,}, then a warning", "grammar/readings.py"),
        ("formulae worked on together", f"{preparation.MOST_TOGETHER:,} readings", "translate/preparation.py"),
        ("text remembered", f"{remembered.MOST_REMEMBERED:,} characters", "remembered.py"),
        ("memory of a process that translates", f"{fuzz.CEILING:.0f} MB", "bench/fuzz.py"),
        ("expansion", f"{expansion.MAX_OUTPUT:,} characters", "grammar/expansion.py"),
        ("nesting of an expression for code", f"{scope.MAX_NESTING} levels", "meaning/reader/scope.py"),
        ("digits of a number for code", f"{number.MOST_DIGITS:,}", "meaning/reader/number.py"),
        ("JSON line", f"{lines.MAX_LINE:,} bytes", "cli/lines.py"),
        (
            "JSON lines worked on together",
            f"{lines.CHUNK_BYTES:,} bytes, {lines.CHUNK_CHARACTERS:,} characters of formulae",
            "cli/lines.py",
        ),
        ("file of a document", f"{source.MAX_BYTES:,} bytes", "documents/source.py"),
        ("files of a document", f"{document._MOST_FILES}, {document._DEEPEST} deep", "documents/document.py"),
        ("`texlift.toml`", f"{choices._LARGEST:,} bytes", "documents/choices.py"),
        ("numeric check", f"{worker.SECONDS:g} s of processor time", "verify/worker.py"),
        ("memory of a numeric check", f"{worker.MEMORY:,} bytes", "verify/worker.py"),
        ("terms of a sum in a check", f"{operators.MAX_TERMS:,}", "verify/operators.py"),
        *((f"service: {what}", limit, "server/settings.py") for what, limit in _service(s)),
    ]


def _service(s: Settings) -> list[tuple[str, str]]:
    return [
        ("formula", f"{s.max_formula:,} characters"),
        ("request", f"{s.max_body:,} bytes"),
        ("document", f"{s.max_document:,} bytes, {s.max_document_formulae:,} formulae"),
        ("stream", f"{s.max_stream:,} bytes"),
        ("answer to one formula", f"{s.max_answer:,} bytes"),
        ("batch", f"{s.max_batch} formulae, {s.max_checks} checks"),
        ("waiting in a worker", f"{s.queue} formulae, {s.documents} documents, {s.checks} checks"),
        ("requests at the same time in a worker", f"{s.requests:,}, of them {s.streams} streams"),
        ("open connections of a worker", f"{s.connections:,}"),
        ("answers remembered by a worker", f"{s.cache_bytes:,} bytes"),
        ("time to send a request, to take an answer, or the next piece of it", f"{s.read_seconds:g} s"),
        ("time for an answer", f"{s.request_seconds:g} s"),
        ("time for a batch", f"{s.batch_seconds:g} s"),
        ("time for a document", f"{s.document_seconds:g} s"),
        ("time for a stream", f"{s.stream_seconds:,.0f} s"),
        ("time for a check", f"{s.check_seconds:g} s"),
        ("time to stop", f"{s.stop_seconds:g} s for requests, then they are cut off"),
        ("requests from one address", f"no limit on loopback, else 20 a second, {s.burst} at once"),
        ("connections from one address", "no limit on loopback, else 50"),
    ]


def table() -> str:
    """The table in Markdown."""
    head = "| what | limit | where |\n|---|---|---|\n"
    return head + "".join([f"| {what} | {limit} | `{where}` |\n" for what, limit, where in rows()])


def page(text: str) -> str:
    """The page with the current table."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}{END}{rest.partition(END)[2]}"


def main(arguments: list[str]) -> int:
    """Write the table, or check it."""
    text = PAGE.read_text("utf-8")
    if "--check" in arguments:
        return 0 if text == page(text) else 1
    PAGE.write_text(page(text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
