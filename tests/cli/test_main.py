"""The command itself: help, version, errors, start-up."""

from __future__ import annotations

import subprocess
import sys

import pytest

from texlift import __version__
from texlift.cli.app import COMMANDS


def texlift(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from texlift.cli.app import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_help_lists_every_command() -> None:
    result = texlift("--help")
    assert result.returncode == 0
    for name in COMMANDS:
        assert f" {name} " in result.stdout


def test_version() -> None:
    assert texlift("--version").stdout == f"texlift {__version__}\n"


def test_unknown_command_is_a_usage_error() -> None:
    result = texlift("frobnicate")
    assert result.returncode == 2
    assert "frobnicate" in result.stderr


@pytest.mark.parametrize("name", ["expand", "macros", "bench", "corpus"])
def test_commands_explain_themselves(name: str) -> None:
    result = texlift(name, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout


def test_start_does_not_import_what_it_does_not_need() -> None:
    code = (
        "import sys; sys.argv = ['texlift', 'expand', 'x']\n"
        "from texlift.cli.app import app\n"
        "try: app()\nexcept SystemExit: pass\n"
        "print([m for m in ('torch', 'sympy', 'sklearn', 'matplotlib', 'fastapi', 'mpmath') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout.splitlines() == ["x", "[]"]


def test_a_closed_pipe_is_no_error() -> None:
    code = f"{sys.executable} -c 'from texlift.cli.app import main; main()' expand x y z | true"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert "Traceback" not in result.stderr
