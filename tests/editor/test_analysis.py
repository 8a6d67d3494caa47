"""What is shown about a text: hovers, diagnostics and actions of one version of it."""

from __future__ import annotations

import pytest
from lsprotocol import types

from texlift.editor.actions import actions
from texlift.editor.analysis import MAX_FORMULAE, SupersededError, analyse
from texlift.editor.diagnostics import diagnostics
from texlift.editor.hover import code, hover


def shown(text: str, place: str, name: str = "a.tex") -> str:
    found = hover(analyse(text, name, 1), text.index(place))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_formulae_with_own_macros_show_all_their_meanings() -> None:
    text = "\\newcommand{\\bes}[1]{J_{\\nu}(#1)}\nThe Bessel function $x+\\bes{z}$."
    assert "Bessel function of the first kind" in shown(text, "\\bes{z}")


def test_a_name_that_the_document_defines_itself_is_no_conflict() -> None:
    text = "\\newcommand{\\BesselJ}{x}\nThe Bessel function $J_\\nu(z)$ is Bessel's."
    found = analyse(text, "a.tex", 1)
    assert diagnostics(found, "file:///a.tex", {}) == []  # the macro gets a prefix in the output


def test_text_of_the_document_does_not_act_as_markdown() -> None:
    assert code("a`](command:evil)`b") == "``a`](command:evil)`b``"
    assert "\n" not in code("a\n\n# b")


def test_places_behind_a_byte_order_mark() -> None:
    text = "\ufeffThe Bessel function $J_\\nu(z)$."
    analysis = analyse(text, "a.tex", 1)
    assert analysis.span(analysis.lifted[0])[0] == text.index("J")


def test_nothing_is_offered_outside_of_formulae() -> None:
    analysis = analyse("Words and $x=1$ and words.", "a.md", 1)
    assert actions(analysis, 2, "file:///a.md") == []
    assert [one.title for one in actions(analysis, 12, "file:///a.md")][-1] == "Check this equation numerically"


def test_work_that_nobody_waits_for_is_given_up() -> None:
    with pytest.raises(SupersededError):
        analyse("$x$", "a.md", 1, is_superseded=lambda: True)


def test_a_text_of_formulae_only_is_read_up_to_the_limit() -> None:
    analysis = analyse("$x$ " * (5 * MAX_FORMULAE), "a.md", 1)
    assert len(analysis.lifted) == MAX_FORMULAE
    assert "only the first" in analysis.notes[0]


@pytest.mark.parametrize("opening", ["\\begin{align}", "\\begin{equation*}", "\\(", "\\["])
def test_a_text_that_opens_formulae_over_and_over_is_not_read(opening: str) -> None:
    analysis = analyse(opening * 100_000 + " $x$", "a.tex", 1)
    assert analysis.lifted == ()
    assert "never closed" in analysis.notes[0]
