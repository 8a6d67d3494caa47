"""The site builds, with the reference made from the code, and no link leads nowhere."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from texlift.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]


def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "site" / "reference" / "cli" / "index.html").read_text("utf-8")
    assert "texlift corpus induce" in page
    assert "demo_pairs" in (tmp_path / "site" / "reference" / "python" / "corpus" / "index.html").read_text("utf-8")


def test_the_reference_names_every_command(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "tools" / "reference.py"), str(tmp_path)], check=True)
    text = (tmp_path / "reference" / "cli.md").read_text("utf-8")
    for name, (module, _) in COMMANDS.items():
        if find_spec(module) is not None:
            assert f"## `texlift {name}`" in text
