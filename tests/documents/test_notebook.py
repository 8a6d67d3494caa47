import json
from pathlib import Path

import pytest

from texlift.documents.notebook import markdown_cells, with_sources
from texlift.errors import TexliftError

TEXT = (Path(__file__).parent / "samples" / "notebook.ipynb").read_text("utf-8")


def test_only_strings_that_change_are_written_anew() -> None:
    cells = markdown_cells(TEXT)
    assert [cell.source.count("$") for cell in cells] == [4, 2]
    assert with_sources(TEXT, cells, [cell.source for cell in cells]) == TEXT
    changed = with_sources(TEXT, cells, [cells[0].source.replace("Naïve", "Simple"), cells[1].source])
    assert changed == TEXT.replace("Naïve", "Simple")


def test_a_cell_may_get_more_lines() -> None:
    cells = markdown_cells(TEXT)
    changed = json.loads(with_sources(TEXT, cells, ["a\nb\nc\nd", cells[1].source]))
    assert changed["cells"][0]["source"] == ["a\n", "b\n", "c\n", "d"]
    assert changed["cells"][1:] == json.loads(TEXT)["cells"][1:]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"cells": 1}', "[" * 100_000])
def test_what_is_no_notebook(text: str) -> None:
    with pytest.raises(TexliftError, match="not a notebook"):
        markdown_cells(text)
