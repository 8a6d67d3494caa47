"""The rows of the packaged corpora, for tests of promises."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest


@pytest.fixture(scope="session")
def corpus_rows() -> list[dict[str, Any]]:
    """Formulae of the demo corpus and of the handbook with their contexts, as lines for `translate --jsonl`."""
    corpus = files("texlift.corpus")
    parts = [corpus.joinpath("demo.jsonl"), *sorted(corpus.joinpath("handbook_parts").iterdir(), key=lambda p: p.name)]
    lines = [line for part in parts if part.name.endswith(".jsonl") for line in part.read_text("utf-8").splitlines()]
    return [{"latex": row["generic"], "context": row.get("context")} for row in map(json.loads, lines)]
