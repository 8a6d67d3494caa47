"""Review of a lifted document: report, diff, rejected changes."""

import subprocess
from pathlib import Path

from texlift.documents.choices import Choices, read_choices, reject
from texlift.documents.difference import unified_diff
from texlift.documents.document import document_of, read_document
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.report import report_html

HEAD = "\\documentclass{article}\n\\begin{document}\n"


def lifted(text: str, choices: Choices | None = None) -> Outcome:
    return lift(document_of(text.encode(), "a.tex"), Options(), choices)


def test_the_report_shows_changes_and_not_what_stayed() -> None:
    page = report_html(lifted("The gamma function $\\Gamma(z)$ and $x+y$ and again $\\Gamma(z)$."), "a.tex")
    assert page.count("<article") == 1
    assert "a.tex:1, a.tex:1" in page
    assert "x+y" not in page
    assert 'id="show-translated"' in page


def test_the_report_on_a_book_stays_small() -> None:
    formula = "\\Gamma(z+%d)=\\int_0^\\infty t^{z+%d}e^{-t}\\,dt"
    text = "".join(f"The gamma function ${formula % (n, n)}$.\n" for n in range(1500))
    page = report_html(lifted(text), "book.tex")
    assert len(page.encode()) < 2_000_000
    assert "more do not fit here" in page


def test_no_script_runs_whatever_names_and_titles_say() -> None:
    bad = "<script>alert(1)</script>"
    text = f"\\section{{{bad}}} the gamma function $\\Gamma(z)$ $\\Gamma({bad})$ $\\unclosed{{"
    page = report_html(lift(document_of(text.encode(), f"{bad}.tex"), Options()), f"{bad}\x00\ud800")
    assert "<script" not in page
    assert "default-src 'none'" in page
    page.encode("utf-8")


def test_a_rejected_change_stays_out(tmp_path: Path) -> None:
    text = "The gamma function $\\Gamma(z)$ and the zeta function $\\zeta(s)$."
    change = lifted(text).lifted[0].change
    file = tmp_path / "texlift.toml"
    file.write_text("# mine\n")
    reject(file, change, "a group")
    outcome = lifted(text, read_choices(file))
    assert outcome.texts() == ["The gamma function $\\Gamma(z)$ and the zeta function $\\Riemannzeta@{s}$."]
    assert [item.state for item in outcome.lifted] == ["rejected", "translated"]
    assert {spelling.name for spelling in outcome.spellings} >= {"\\Riemannzeta"}


def test_the_diff_is_what_was_changed(tmp_path: Path) -> None:
    gamma = "the gamma function $\\Gamma(z)$"
    lines = [f"{n} {gamma}" if n % 7 == 0 else f"{n}" for n in range(90)]
    text = HEAD + "\n".join(lines) + "\nThe last $\\Gamma(z)$ gamma function"
    (tmp_path / "a.tex").write_text(text)
    outcome = lift(read_document(tmp_path / "a.tex"), Options())
    assert outcome.texts()[0] != text
    (tmp_path / "a.diff").write_text(unified_diff(outcome))
    subprocess.run(["patch", "-s", "-p1", "-i", "a.diff"], cwd=tmp_path, check=True)
    assert (tmp_path / "a.tex").read_text() == outcome.texts()[0]
