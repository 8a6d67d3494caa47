"""The notation table: what the symbols of a document mean, in the forms its author can use."""

import tomllib
from pathlib import Path

from texlift.documents.choices import read_choices
from texlift.documents.document import document_of
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.notation import notation, notation_tex, notation_toml

TEXT = r"""\newcommand{\bes}[2]{J_{#1}(#2)}
The gamma function $\Gamma(z)$ is well known.

We use $\Gamma(z+1)=z\Gamma(z)$ and the Bessel function $\bes{0}{x}$.
Here $w$ is the weight of the sample and $w>0$.
"""


def lifted(text: str, **options: object) -> Outcome:
    return lift(document_of(text.encode(), "a.tex"), Options(**options))  # type: ignore[arg-type]


def test_every_symbol_with_its_meaning_and_places() -> None:
    entries = {entry.symbol: entry for entry in notation(lifted(TEXT, threshold=0.3))}
    gamma = entries[r"\Gamma"]
    assert (gamma.macro, gamma.meaning, gamma.role) == (r"\EulerGamma", "gamma function", "function")
    assert gamma.count == gamma.lifted == 3
    assert gamma.introduced == ("a.tex", 2)
    assert set(gamma.places) == {("a.tex", 2), ("a.tex", 4)}
    assert entries[r"\bes"].own
    assert entries[r"\bes"].macro == r"\BesselJ"
    assert entries["w"].meaning == "the weight of the sample"


def test_the_table_is_a_choices_file_that_fixes_nothing_until_it_is_edited(tmp_path: Path) -> None:
    file = tmp_path / "texlift.toml"
    text = notation_toml(notation(lifted(TEXT)), "a\n[readings]\n.tex")
    file.write_text(text)
    assert read_choices(file).fixed == {}
    accepted = text.replace('#"\\\\Gamma"', '"\\\\Gamma"')
    assert tomllib.loads(accepted)["readings"] == {r"\Gamma": r"\EulerGamma"}
    file.write_text(accepted.replace('"\\\\EulerGamma"', '""'))
    vetoed = lift(document_of(TEXT.encode(), "a.tex"), Options(), read_choices(file))
    assert "EulerGamma" not in "".join(vetoed.texts())


def test_a_macro_with_the_name_of_its_symbol_can_be_accepted(tmp_path: Path) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text('[readings]\n"\\\\sin" = "\\\\sin"\n')
    assert read_choices(file).readings == {"sin": r"\sin"}


def test_the_table_for_the_paper_has_what_was_lifted() -> None:
    table = notation_tex(notation(lifted(TEXT, threshold=0.3)))
    assert r"$\Gamma(z)$ & gamma function & function & 2\\" in table
    assert r"$\bes{0}{x}$ & Bessel function of the first kind" in table


def test_one_doubtful_symbol_does_not_drop_the_others() -> None:
    text = "The sine is meant in $\\sin x + K(k)$ where all else is left open."
    outcome = lifted(text, threshold=0.9)
    item = outcome.lifted[0]
    if item.confidence < 0.9:
        assert r"\sin@@{x}" in item.written
        assert "K(k)" in item.written
