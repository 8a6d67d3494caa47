"""What several test modules share: the corpus, random formulae, and a watch on time and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

# two test processes on two cores: threads inside them would only wait for each other
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

# the same examples each time: a run that passes here passes elsewhere
settings.register_profile(
    "texlift", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("texlift")


@pytest.fixture(scope="session")
def corpus_path() -> Path:
    """The file of DLMF pairs; tests that need it are skipped where TEXLIFT_DATA is not set."""
    folder = os.environ.get("TEXLIFT_DATA")
    path = Path(folder) / "dlmf.jsonl" if folder else None
    if path is None or not path.is_file():
        pytest.skip("TEXLIFT_DATA is not set or has no dlmf.jsonl")
    return path


@pytest.fixture(scope="session")
def corpus_sides(corpus_path: Path) -> list[tuple[str, str]]:
    """The unique (generic, semantic) pairs of the corpus."""
    import json

    with corpus_path.open(encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return list(dict.fromkeys([(record["generic"], record["semantic"]) for record in records]))


_LEAVES = (
    "x",
    "y",
    "n",
    "2",
    "17",
    "3.5",
    "+",
    "-",
    "=",
    ",",
    r"\alpha",
    r"\Gamma",
    r"\sin",
    r"\infty",
    r"\dots",
    "é",
    "∞",
)
_FONTS = (r"\mathrm", r"\mathbf", r"\operatorname", r"\mathscr", r"\boldsymbol")
_ACCENTS = (r"\sqrt", r"\overline", r"\hat", r"\vec", r"\mathop", r"\underbrace")
_TWO = (r"\frac", r"\tfrac", r"\binom", r"\overset")


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    row = st.lists(inner, min_size=0, max_size=4).map(" ".join)
    some = st.lists(inner, min_size=1, max_size=3).map(" ".join)
    base = st.one_of(st.sampled_from(("x", r"\Gamma", "F", "{}")), row.map("{{{}}}".format))
    return st.one_of(
        row.map("{{{}}}".format),
        st.tuples(base, row).map(lambda t: f"{t[0]}^{{{t[1]}}}"),
        st.tuples(base, row, row).map(lambda t: f"{t[0]}_{{{t[1]}}}'^{{{t[2]}}}"),
        st.tuples(base, st.sampled_from(("2", "n", r"\nu"))).map(lambda t: f"{t[0]}_{t[1]}"),
        st.tuples(st.sampled_from(_ACCENTS), row).map(lambda t: f"{t[0]}{{{t[1]}}}"),
        st.tuples(st.sampled_from(_TWO), row, row).map(lambda t: f"{t[0]}{{{t[1]}}}{{{t[2]}}}"),
        st.tuples(st.sampled_from(_FONTS), st.sampled_from(("F", "Ai", "d"))).map(lambda t: f"{t[0]}{{{t[1]}}}"),
        st.tuples(row, row).map(lambda t: rf"\sqrt[{{{t[0]}}}]{{{t[1]}}}"),
        row.map(r"\left({}\right)".format),
        row.map(r"\left[{}\right)".format),
        row.map(r"\left|{}\right.".format),
        row.map(r"\bigl({}\bigr)".format),
        row.map("({})".format),
        st.tuples(some, some).map(lambda t: rf"{{{t[0]}\over {t[1]}}}"),
        st.tuples(some, some).map(lambda t: rf"{{{t[0]}\choose {t[1]}}}"),
        st.lists(st.lists(row, min_size=1, max_size=2).map("&".join), min_size=1, max_size=2).map(
            lambda rows: r"\begin{pmatrix}" + r"\\".join(rows) + r"\end{pmatrix}"
        ),
        st.sampled_from(
            (r"\text{if }", r"\mbox{a b}", r"\,", r"\quad", r"\mskip-3mu ", "{\\rm d}", "{\\bf x y}", "% note\n")
        ),
    )


_FORMULA = st.lists(st.recursive(st.sampled_from(_LEAVES), _grow, max_leaves=12), min_size=0, max_size=4).map(" ".join)

_CONTROL = r"""\left \right \left( \right) \left. \begin{cases} \end{cases} \begin \end \over \atop \choose \text
\text{a \mskip \bigl \big \not \limits \rm \genfrac \hspace \{ \} \\ \, \unknown \operatorname* #1"""
_PIECES = (*"{}{}^_'[]()|&@#%~*²₁\n \\\0\ud800", *_CONTROL.split())
_SOUP = st.lists(st.sampled_from((*_LEAVES, *_FONTS, *_ACCENTS, *_TWO, *_PIECES)), max_size=14).map("".join)


@pytest.fixture(scope="session")
def formulae() -> st.SearchStrategy[str]:
    """Random well-formed generic LaTeX."""
    return _FORMULA


@pytest.fixture(scope="session")
def token_soup() -> st.SearchStrategy[str]:
    """Random tokens, most of them not well-formed."""
    return _SOUP


@pytest.fixture(scope="session")
def promptly() -> Callable[..., AbstractContextManager[None]]:
    """`with promptly():` fails if the block takes more than about a second of processor time."""

    @contextmanager
    def watch(seconds: float = 1.5) -> Iterator[None]:
        start = time.process_time()
        yield
        spent = time.process_time() - start
        assert spent < seconds, f"took {spent:.1f} s"

    return watch
