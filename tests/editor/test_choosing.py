"""Choices are written beside the document, inside the workspace, and leave a valid file."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift.documents.choices import FILE_NAME, read_choices
from texlift.editor.choosing import choose
from texlift.errors import TexliftError


def test_a_choice_is_written_and_replaced(tmp_path: Path) -> None:
    document, file = tmp_path / "a.tex", tmp_path / FILE_NAME
    file.write_text('# mine\n[readings]\n"P_n" = "\\\\LegendrepolyP"\n', "utf-8")
    choose(document, "P", "", [tmp_path])
    assert read_choices(file).readings == {"P": ""}
    assert file.read_text("utf-8").startswith("# mine\n")
    choose(document, "P", r"\LegendrepolyP", [tmp_path])
    assert read_choices(file).readings == {"P": r"\LegendrepolyP"}


def test_nothing_is_written_outside_of_the_workspace(tmp_path: Path) -> None:
    workspace, other = tmp_path / "workspace", tmp_path / "other"
    for folder in (workspace, other):
        folder.mkdir()
    (workspace / "link").symlink_to(other)
    for document in (other / "a.tex", workspace / "link" / "a.tex", workspace / ".." / "other" / "a.tex"):
        with pytest.raises(TexliftError, match="outside of the workspace"):
            choose(document, "P", "", [workspace])
    with pytest.raises(TexliftError, match="outside of the workspace"):
        choose(other / "a.tex", "P", "", [])
    assert list(other.iterdir()) == []


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    workspace, secret = tmp_path / "workspace", tmp_path / "secret.toml"
    workspace.mkdir()
    secret.write_text("", "utf-8")
    (workspace / FILE_NAME).symlink_to(secret)
    with pytest.raises(TexliftError):
        choose(workspace / "a.tex", "P", "", [workspace])
    assert secret.read_text("utf-8") == ""
    assert (workspace / FILE_NAME).is_symlink()


@pytest.mark.parametrize(
    ("symbol", "macro"),
    [("", ""), ("P_n", ""), ("P+Q", ""), ("P", r"\nope"), ('P"\n[macros]', ""), ("P" * 1000, ""), (r"\frac{", "")],
)
def test_what_is_no_symbol_or_no_macro_is_refused(tmp_path: Path, symbol: str, macro: str) -> None:
    with pytest.raises(TexliftError):
        choose(tmp_path / "a.tex", symbol, macro, [tmp_path])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ['[readings]\nP = ""\n', "[functions]\nP = 'the flux'\n", "[readings\n", "[nope]\n"])
def test_a_file_that_would_become_wrong_or_is_wrong_stays_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / FILE_NAME
    file.write_text(text, "utf-8")
    with pytest.raises(TexliftError):
        choose(tmp_path / "a.tex", "P", r"\LegendrepolyP", [tmp_path])
    assert file.read_text("utf-8") == text
