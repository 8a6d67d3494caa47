"""Documents, the service under load, and the page, measured as their users meet them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from texlift.bench.articles import measure_articles
from texlift.bench.books import book, measure_book, titles
from texlift.bench.figure import Figure
from texlift.bench.hovering import measure_hover
from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair
from texlift.documents.document import Document, read_document
from texlift.documents.loading import unloaded
from texlift.documents.package import PACKAGE, read_package
from texlift.documents.restoring import Restorer

__all__ = ["measure"]

_FORMULAE = 1_500
_CONNECTIONS = 32
_SECONDS = 6.0
_DISTINCT = 1_000  # different formulae the load consists of
_BETWEEN = 150  # milliseconds between two formulae typed
_TYPED = """async (latex) => {
    const shown = document.body.dataset.shown, field = document.getElementById("latex");
    field.value = latex;
    const started = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (document.body.dataset.shown === shown) await new Promise((go) => setTimeout(go, 1));
    return performance.now() - started;
}"""


def measure(data: Path, sample: int = 0) -> list[Figure]:
    """All figures; `data` is the folder of the corpus. `sample` takes so many of the articles, not all."""
    pairs = [pair for pair in read_pairs(data / "dlmf.jsonl") if "$" not in pair.generic]
    random.Random(6).shuffle(pairs)
    return [
        *measure_articles(data / "texts", sample),
        *_document(pairs),
        *measure_book(pairs),
        *_service(pairs),
        *measure_hover(),
        *_page(),
    ]


# -- documents -----------------------------------------------------------------------------------------


def _document(pairs: Sequence[Pair]) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "book.tex", Path(folder) / "out" / "book.tex"
        source.write_text(book(sorted(pairs[:_FORMULAE], key=lambda pair: pair.section)), "utf-8")
        command = [sys.executable, "-c", "from texlift.cli.app import main; main()", "document"]
        started = time.perf_counter()
        subprocess.run([*command, str(source), "-o", str(out), "-q", "--jobs", "2"], check=True)
        seconds = time.perf_counter() - started
        before, after = read_document(source), read_document(out)
        count = len(before.formulae)
        same = _outside(before) == [unloaded(text) for text in _outside(after)]
        restorer = Restorer(read_package(out.parent / f"{PACKAGE}.sty") or [])
        pairs_of = zip(before.formulae, after.formulae, strict=False)
        good = sum(old.latex == restorer.restored(new.latex) for old, new in pairs_of)
        changed = sum(a.latex != b.latex for a, b in zip(before.formulae, after.formulae, strict=False))
    return [
        Figure("document_seconds", seconds, "s", "<= 10", f"{count:,} formulae, a fresh process, 2 jobs"),
        Figure("document_text_kept", 100.0 * same, "%", ">= 100", "bytes outside math"),
        Figure("document_expands_back", 100.0 * good / count, "%", ">= 100", f"{changed:,} formulae changed"),
    ]


def _outside(document: Document) -> list[str]:
    pieces: list[str] = []
    for number, part in enumerate(document.parts):
        at = 0
        for formula in document.formulae:
            if formula.part == number:
                pieces.append(part[at : formula.start])
                at = formula.end
        pieces.append(part[at:])
    return pieces


# -- service -------------------------------------------------------------------------------------------


def _service(pairs: Sequence[Pair]) -> list[Figure]:
    from texlift.server.load import put_under_load
    from texlift.server.process import running

    bodies = [json.dumps({"latex": pair.generic, "context": titles(pair)}).encode() for pair in pairs]
    warm = bodies[:_DISTINCT]
    with running("--workers", "2") as service:

        def load(asked: Sequence[bytes], connections: int, seconds: float) -> Any:
            return asyncio.run(put_under_load(service.host, service.port, asked, connections, seconds))

        asked = 0
        while asked < 4 * _DISTINCT:  # each worker remembers for itself
            asked += sum(load(random.sample(warm, len(warm)), _CONNECTIONS, 2.0).statuses.values())
        usual = load(warm, _CONNECTIONS, _SECONDS)
        fresh = load(bodies[_DISTINCT:], _CONNECTIONS, _SECONDS)
        before = service.memory()
        over = load(bodies[::-1], 10 * _CONNECTIONS, _SECONDS)
        grown = service.memory() - before
        answered = sum(over.statuses[status] for status in (200, 429, 503))
        after = load(warm, _CONNECTIONS, 2.0)
    total = sum(over.statuses.values()) + over.broken
    shared = f"{_CONNECTIONS} connections, client on the same cores, load average {os.getloadavg()[0]:.1f}"
    again = f"{_DISTINCT:,} formulae in turn, asked before: remembered answers; {shared}"
    new = f"formulae never asked before; {shared}"
    return [
        Figure("translate_per_second", usual.per_second, "/s", ">= 800", again),
        Figure("translate_p99_ms", 1000 * usual.percentile(0.99), "ms", "<= 100", again),
        Figure("translate_new_per_second", fresh.per_second, "/s", ">= 800", new),
        Figure("translate_new_p99_ms", 1000 * fresh.percentile(0.99), "ms", "<= 100", new),
        Figure("overload_answered", 100.0 * answered / max(1, total), "%", ">= 100", f"{dict(over.statuses)}"),
        Figure("overload_memory_growth_mb", grown, "MB", "<= 200", f"{10 * _CONNECTIONS} connections"),
        Figure("after_overload_per_second", after.per_second, "/s", ">= 800", "two seconds later"),
    ]


# -- page ----------------------------------------------------------------------------------------------


def _page() -> list[Figure]:
    from importlib.resources import files

    page = files("texlift.server").joinpath("static")
    weight = sum(len(file.read_bytes()) for file in page.iterdir() if file.is_file())
    figures = [
        Figure("page_weight_kb", weight / 1000, "KB", "<= 400", "all files but the optional editor, not compressed")
    ]
    milliseconds = _typing()
    if milliseconds:
        middle = sorted(milliseconds)[len(milliseconds) // 2]
        most = sorted(milliseconds)[int(0.9 * len(milliseconds))]
        note = f"median of {len(milliseconds)}, in Chromium, load average {os.getloadavg()[0]:.1f}"
        figures.append(Figure("page_first_translation_ms", middle, "ms", "<= 100", note))
        figures.append(Figure("page_translation_p90_ms", most, "ms", "<= 100", "90 % within this time"))
    return figures


def _typing() -> list[float]:
    """Milliseconds from the last key to the answer on the page; empty where there is no browser."""
    import shutil

    from texlift.server.process import running

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return []
    if path is None:
        return []
    formulae = [rf"\Gamma({letter}+1)=J_{letter}(z)+P_n({letter})" for letter in "abcdghklmpqrstuvwxy"]
    with running("--workers", "1") as service, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        page = browser.new_page()
        page.goto(service.url)
        page.wait_for_selector("body[data-shown]")
        measured = []
        for latex in formulae:
            page.wait_for_timeout(_BETWEEN)
            measured.append(float(page.evaluate(_TYPED, latex)))
        browser.close()
    return measured
