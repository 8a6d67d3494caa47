"""Speed, memory and start-up of translating, and the certificate, over the corpus; Fungrim's functions found."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

from texlift.bench.figure import Figure
from texlift.bench.fungrim import found_functions
from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Context
from texlift.grammar.expansion import Expander
from texlift.latex.canonical import canonical_key
from texlift.translate.translator import load

__all__ = ["calls_of", "measure"]

_COLD, _TABLES = r"J_\nu(z)", r"\Gamma(z)"
_ONE = r"\int_0^\infty t^{z-1}e^{-t}\,dt=\Gamma(z)"


def measure(data: Path) -> list[Figure]:
    """All figures of the translator but its accuracy, which `texlift crossval translator` measures."""
    figures = [*_stream(data), _start_up(), _calls(), _certificate(data)]
    if (data / "fungrim_dev.jsonl").exists():
        recall, precision, note = found_functions(data / "fungrim_dev.jsonl")
        figures.append(Figure("fungrim_recall", recall, "%", ">= 95", note))
        figures.append(Figure("fungrim_precision", precision, "%", ">= 97"))
    return figures


def _environment() -> dict[str, str]:
    """One core: matrix products of this size gain nothing from threads."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def _stream(data: Path) -> list[Figure]:
    """`translate --jsonl` over the corpus in a process of its own, the time to load the model taken off."""
    pairs = read_pairs(data / "dlmf.jsonl")
    lines = [json.dumps({"latex": p.generic, "context": _context(p.context)}) for p in pairs]
    command = [sys.executable, "-m", "texlift.cli", "translate", "--jsonl", "-k", "0"]
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.jsonl", Path(folder) / "many.jsonl"
        few.write_text(lines[0] + "\n", "utf-8")
        many.write_text("\n".join(lines) + "\n", "utf-8")
        idle, _ = _timed(command, few)
        busy, count = _timed(command, many)
    # kilobytes on Linux; the largest child so far is the one that translated the corpus
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    rate = len(lines) / max(busy - idle, 1e-9)
    note = f"{count:,} lines in {busy - idle:.1f} s of processor time"
    return [
        Figure("formulae_per_second", rate, "/s", ">= 1500", note),
        Figure("peak_memory", memory, "MB", "<= 250"),
    ]


def _context(context: Context) -> str | dict[str, str]:
    return context if isinstance(context, str) else dict(context)


def _timed(command: list[str], source: Path) -> tuple[float, int]:
    """Processor seconds of a command reading a file, and how many lines it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with source.open("rb") as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, check=True, env=_environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout.count(b"\n")


def _start_up() -> Figure:
    times = []
    command = [sys.executable, "-m", "texlift.cli", "translate", "-q", _ONE]
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=_environment())
        times.append(time.perf_counter() - start)
    return Figure("one_formula", statistics.median(times), "s", "<= 0.7", "median of 5, process start included")


def _calls() -> Figure:
    """A count that no busy machine disturbs; in a process of its own, so that nothing is remembered."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        count = pool.submit(calls_of, _COLD, _TABLES).result()
    return Figure("calls", count, "", "<= 5000", f"function calls for {_COLD}, once the tables are loaded")


def calls_of(formula: str, before: str) -> int:
    """How many functions, Python's and C's, are called to translate a formula after another one."""
    translator = load()
    translator.translate(before)
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        translator.translate(formula)
    finally:
        sys.setprofile(None)
    return count


def _certificate(data: Path) -> Figure:
    """Share of answers whose expansion has the canonical key of the input, checked on the written-out text."""
    sources = list(dict.fromkeys(pair.generic for pair in read_pairs(data / "dlmf.jsonl")))[::5]
    translator = load()
    expander = Expander(translator.model.grammar)
    good = total = 0
    for source, result in zip(sources, translator.translate_many((s, None) for s in sources), strict=True):
        if isinstance(result, Exception):
            continue
        total += 1
        good += canonical_key(expander.expand(result.semantic)) == canonical_key(source)
    return Figure("expands_back", 100.0 * good / total, "%", ">= 100", f"{total:,} formulae")
