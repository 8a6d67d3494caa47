"""The page of concepts says what the vocabulary has."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "concepts.py"


@pytest.mark.skipif(not TOOL.exists(), reason="needs the repository")
def test_the_page_of_concepts_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("concepts_page", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.PAGE.read_text("utf-8") == tool.page()
