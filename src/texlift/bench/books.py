"""A whole book: how long it takes, how much memory, and whether its report is light enough for a browser."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.corpus.pair import Pair

__all__ = ["book", "measure_book", "titles"]

_FORMULAE = 50_000
_ENVIRONMENTS = ("$%s$", "\\(%s\\)", "\\[%s\\]", "\\begin{equation}\\label{e}\n %s\n\\end{equation}", "$$%s$$")
_PSS = re.compile(r"^Pss:\s+(\d+)", re.MULTILINE)


def measure_book(pairs: Sequence[Pair]) -> list[Figure]:
    """Seconds and memory of all processes together for fifty thousand formulae, with the report; how it loads."""
    with tempfile.TemporaryDirectory() as folder:
        source, report = Path(folder) / "book.tex", Path(folder) / "report.html"
        many = [pairs[n % len(pairs)] for n in range(_FORMULAE)]
        source.write_text(book(sorted(many, key=lambda pair: pair.section)), "utf-8")
        command = [sys.executable, "-m", "texlift", "document", str(source), "-o", str(Path(folder) / "out.tex")]
        started = time.perf_counter()
        process = subprocess.Popen([*command, "--report", str(report), "-q", "--jobs", "2"])
        peak = 0.0
        while process.poll() is None:
            time.sleep(0.5)
            peak = max(peak, sum(_memory(one) for one in _family(process.pid)))
        seconds = time.perf_counter() - started
        if process.returncode:
            raise RuntimeError(f"texlift document failed on the book: {process.returncode}")
        size, loading = report.stat().st_size / 1e6, _loading(report)
    note = f"{_FORMULAE:,} formulae with the report, a fresh process, 2 jobs"
    figures = [
        Figure("book_seconds", seconds, "s", "<= 60", note),
        Figure("book_memory_mb", peak, "MB", "<= 500", "all processes together"),
        Figure("report_mb", size, "MB", "<= 2", "of the book"),
    ]
    return [*figures, *([Figure("report_loads_seconds", loading, "s", "<= 1", "in Chromium")] if loading else [])]


def _family(process: int) -> list[int]:
    """A process and those that it started (Linux)."""
    try:
        own = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(one for child in own for one in _family(int(child)))]


def _memory(process: int) -> float:
    """Megabytes, what is shared counted in part (Linux)."""
    try:
        found = _PSS.search(Path(f"/proc/{process}/smaps_rollup").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _loading(report: Path) -> float:
    """Seconds until a browser has loaded a page and laid it out; 0 where there is no browser."""
    import shutil

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return 0.0
    if path is None:
        return 0.0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(report.as_uri())
        page.evaluate("document.body.scrollHeight")
        seconds = time.perf_counter() - started
        browser.close()
    return seconds


def book(pairs: Sequence[Pair]) -> str:
    """A document of the corpus's formulae under their own titles, in the sentences they stand in."""
    lines = ["\\documentclass{book}", "\\begin{document}"]
    chapter = section = ""
    for number, pair in enumerate(pairs):
        context = titles(pair)
        if context.get("chapter", "") != chapter:
            chapter = context.get("chapter", "")
            lines.append(f"\\chapter{{{chapter}}}")
        if context.get("section", "") != section:
            section = context.get("section", "")
            lines.append(f"\\section{{{section}}}")
        shown = _ENVIRONMENTS[number % len(_ENVIRONMENTS)] % pair.generic
        lines.append(f"We now look at {shown} % remark {number}: $\\Gamma(z)$\nwhich is well known.\n")
    return "\n".join([*lines, "\\end{document}", ""])


def titles(pair: Pair) -> dict[str, str]:
    """What stands above and around a formula, by name."""
    return dict(pair.context) if isinstance(pair.context, Mapping) else {"sentence": pair.context}
