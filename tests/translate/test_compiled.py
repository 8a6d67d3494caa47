"""A compiled build: what is compiled holds together. Skipped in the usual install, which is Python."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from texlift.latex import lexer

pytestmark = pytest.mark.skipif(lexer.__file__.endswith(".py"), reason="this install is not compiled")

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_module_asked_for_is_compiled() -> None:
    hook = tomllib.loads(_PROJECT.read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
    names = [path.removeprefix("/src/").removesuffix(".py").replace("/", ".") for path in hook["include"]]
    python = [name for name in names if str(importlib.import_module(name).__file__).endswith(".py")]
    assert not python
