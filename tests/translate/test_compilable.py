"""The modules that a compiled build compiles keep to what mypyc can compile; building takes minutes, this does not."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

_PROJECT = Path(__file__).parents[2]
_HOOK = tomllib.loads((_PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
_PATHS = [_PROJECT / path.lstrip("/") for path in _HOOK["hooks"]["mypyc"]["include"]]


def _breaks(source: str) -> list[str]:
    """What in a module mypyc does not compile: types that contain themselves, cached properties."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            if alias and node.target.id in ast.unparse(node.value):
                found.append(f"{node.target.id} contains itself")
        if isinstance(node, ast.Name) and node.id == "cached_property":
            found.append("cached_property")
    return found


@pytest.mark.parametrize("path", _PATHS, ids=lambda path: path.name)
def test_modules_can_be_compiled(path: Path) -> None:
    assert not _breaks(path.read_text("utf-8"))


def test_what_cannot_be_compiled_is_found() -> None:
    assert _breaks('Pairs: TypeAlias = "int | tuple[Pairs, Pairs]"') == ["Pairs contains itself"]
    assert _breaks("class A:\n    @cached_property\n    def b(self) -> int: ...") == ["cached_property"]
    assert not _breaks("Pair: TypeAlias = tuple[int, int]")
