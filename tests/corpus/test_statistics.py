import os
from pathlib import Path

import pytest

from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair
from texlift.corpus.statistics import draw_statistics, macro_calls, measure_corpus
from texlift.errors import TexliftError

PAIRS = [
    Pair("1", "x", "x", {"chapter": "Algebra"}, section="1.1"),
    Pair("2", "x", "x", {"chapter": "Algebra"}, section="1.1"),
    Pair("3", "P_{n}(x)", r"\LegendrepolyP{n}@{x}", {"chapter": "Polynomials"}, "equation", "2.1"),
    Pair("4", "P_{n}(x)", "P_{n}(x)", {"chapter": "Algebra"}, section="1.1"),
    Pair("5", "P_{n}(x)", r"\assLegendreP[]{n}@{x}", {"chapter": "Polynomials"}, section="2.1"),
    Pair("6", "{", "{", {"chapter": "Broken"}),
]


def test_counts() -> None:
    statistics = measure_corpus(PAIRS)
    assert (statistics.pairs, statistics.unique, statistics.nontrivial) == (6, 5, 2)
    assert statistics.copy_share == pytest.approx(4 / 6)
    assert statistics.kinds == {"expression": 5, "equation": 1}
    assert statistics.macros == {r"\LegendrepolyP": 1, r"\assLegendreP": 1}
    assert (statistics.ambiguous, statistics.ambiguous_in_section) == (1, 1)
    assert statistics.unparsed == ("6",)
    assert statistics.generic.longest == 8
    chapter = statistics.chapters["Polynomials"]
    assert (chapter.pairs, chapter.nontrivial, chapter.macros) == (2, 2, 2)


def test_an_empty_corpus() -> None:
    statistics = measure_corpus([])
    assert (statistics.pairs, statistics.copy_share, statistics.generic.mean) == (0, 0.0, 0.0)


def test_calls_are_counted_wherever_they_stand() -> None:
    semantic = (
        r"\cos(x)+\frac{\cos@@{x}}{\left(\sin^{\BesselJ{0}@{z}}@{x}\right)}"
        r"+{\AiryAi@{z}\over\AiryBi@{z}}+\begin{cases}\erf@@{x}\end{cases}"
    )
    assert sorted(macro_calls(semantic)) == sorted([r"\cos", r"\sin", r"\BesselJ", r"\AiryAi", r"\AiryBi", r"\erf"])


def test_the_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_statistics(measure_corpus(PAIRS), tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()
    with pytest.raises(TexliftError, match=r"cannot (draw|write)"):
        draw_statistics(measure_corpus(PAIRS), tmp_path / "none" / "plot.svg")


@pytest.mark.skipif("TEXLIFT_DATA" not in os.environ, reason="TEXLIFT_DATA is not set: no DLMF pairs")
def test_the_dlmf_is_counted_as_its_readme_says() -> None:
    statistics = measure_corpus(read_pairs(Path(os.environ["TEXLIFT_DATA"]) / "dlmf.jsonl"))
    assert (statistics.pairs, statistics.unique, statistics.nontrivial) == (25103, 19066, 10380)
    assert (statistics.ambiguous, statistics.ambiguous_in_section) == (70, 4)
