"""The laboratory joins the command line through entry points; texlift itself never imports it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from texlift.cli.plugins import Plugin

ROOT = Path(__file__).parents[3]
DECLARED: dict[str, dict[str, str]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "entry-points"
]
Command = Callable[..., subprocess.CompletedProcess[str]]


def install(folder: Path, name: str, groups: dict[str, dict[str, str]]) -> None:
    """Metadata as an installer writes it: entry points of a distribution that lies in `folder`."""
    info = folder / f"{name}-0.0.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0.0\n")
    lines = [
        line for group, names in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in names.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def texlift(tmp_path: Path) -> Command:
    """The command with the entry points of pyproject.toml, whatever an earlier installation has."""
    install(tmp_path, "texlift", DECLARED)
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])

    def run(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
        code = f"import sys\nfrom texlift.cli.app import main\n{before}\nmain()"
        command = [sys.executable, "-c", code, *arguments]
        environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    return run


NO_TORCH = "sys.modules['torch'] = None"
NO_LOOKUP = "import importlib.metadata; importlib.metadata.entry_points = None"


def test_texlift_does_not_import_the_laboratory() -> None:
    for path in (ROOT / "src" / "texlift").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
            started = [name for name in names if name.startswith("texlift_paper") and " " not in name]
            assert not started, f"{path} names {started}"


@pytest.mark.parametrize("value", [value for group in DECLARED.values() for value in group.values()])
def test_every_entry_point_leads_to_a_module(value: str) -> None:
    module, _, name = value.partition(":")
    plugin = getattr(import_module(module), name)
    assert isinstance(plugin, Plugin)
    assert import_module(plugin.module)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("--help",), "Cluster trees by topology (the paper's table)."),
        (("--help",), "List the macros a symbol may stand for."),
        (("--help",), "Compare experiment runs."),
        (("train", "--help"), "experiment"),
        (("evaluate", "--help"), "experiment"),
        (("crossval", "--help"), "experiment"),
        (("bench", "--help"), "training (throughput of the"),
        (("cluster", "--help"), " cluster [OPTIONS]"),
        (("train", "experiment", "--help"), " train experiment [OPTIONS]"),
    ],
)
def test_help_without_torch(texlift: Command, arguments: tuple[str, ...], shown: str) -> None:
    result = texlift(*arguments, before=NO_TORCH)
    assert result.returncode == 0, result.stderr
    assert shown in result.stdout


def test_own_commands_do_not_look_for_others(texlift: Command) -> None:
    assert texlift("expand", "x", before=NO_LOOKUP).stdout == "x\n"
    assert texlift("cluster", "--help", before=NO_LOOKUP).returncode != 0


def test_a_broken_package_breaks_only_its_own_command(texlift: Command, tmp_path: Path) -> None:
    install(tmp_path, "broken", {"texlift.commands": {"nothing": "no_such_module:X", "wrong": "os:sep"}})
    result = texlift("--help")
    assert result.returncode == 0
    assert "Cluster trees" in result.stdout
    assert "no_such_module" in result.stderr
    assert "os:sep is not" in result.stderr
    assert texlift("nothing").returncode == 2


def test_other_packages_cannot_replace_a_command(texlift: Command, tmp_path: Path) -> None:
    (tmp_path / "rogue.py").write_text(
        "from texlift.cli.plugins import Plugin\nEXPAND = Plugin('rogue', 'mine')\nOWN = Plugin('rogue', 'my own')\n"
    )
    install(tmp_path, "rogue", {"texlift.commands": {"expand": "rogue:EXPAND", "own": "rogue:OWN"}})
    assert texlift("expand", "x").stdout == "x\n"
    help_text = texlift("--help").stdout
    assert "my own" in help_text
    assert "mine" not in help_text
