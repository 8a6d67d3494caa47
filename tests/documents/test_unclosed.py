"""Formulae that never end do not make a document take for ever: its rest is not searched anew for each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from texlift.documents import markdown, rows
from texlift.documents.document import read_document


@pytest.mark.parametrize("opener", [r"\begin{equation} ", r"\begin{align} $x$ "])
@pytest.mark.parametrize("suffix", [".md", ".tex"])
def test_few_ends_are_looked_for_in_vain(
    opener: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / f"a{suffix}"
    source.write_text(opener * 1_000, "utf-8")
    vain = []
    original = rows.end_of_math

    def counted(text: str, start: int, closer: str) -> int:
        end = original(text, start, closer)
        if end < 0:
            vain.append(closer)
        return end

    from texlift.documents import tex

    monkeypatch.setattr(markdown, "end_of_math", counted)
    monkeypatch.setattr(tex, "end_of_math", counted)
    read_document(source)
    assert 0 < len(vain) <= 2 * rows.MOST_UNCLOSED


def test_code_and_brackets_are_read_as_before(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("`$a$` and ``$b$ with \\(c\\), \\[d\\] \\(e\n\nf\\) `$g$\n\n` $h$ ```$i$", "utf-8")
    found = [re.sub(r"\s", "", formula.latex) for formula in read_document(source).formulae]
    assert found == ["b", "c", "d", "g", "h", "i"]


def test_words_of_math_that_never_ends_are_found_in_bounded_work() -> None:
    from texlift.documents.context import plain_words

    assert plain_words(r"a \(x\) b \begin{align}y\end{align} c") == "a $x$ b $y$ c"
    far = plain_words(r"a \[" + "x" * 10_000 + r"\] b")  # the end is too far away to be looked for
    assert "$" not in far and far.endswith("b")
