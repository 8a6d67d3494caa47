"""The site builds, with the reference made from the code, and no link leads nowhere."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from blocks import read_blocks

import texlift
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
    assert "demo_pairs" in (tmp_path / "site" / "reference" / "python" / "index.html").read_text("utf-8")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([sys.executable, str(ROOT / "tools" / "reference.py"), str(folder)], check=True)
    return folder / "reference"


def test_the_reference_names_every_command(reference: Path) -> None:
    text = (reference / "cli.md").read_text("utf-8")
    for name, (module, _) in COMMANDS.items():
        if find_spec(module) is not None:
            assert f"## `texlift {name}`" in text


def test_the_python_reference_starts_with_what_most_people_need(reference: Path) -> None:
    names = re.findall(r"^### `(.+)`$", (reference / "python.md").read_text("utf-8"), re.MULTILINE)
    assert names[:3] == ["translate", "Translation", "check"]
    assert {name for name in dir(texlift) if not name.startswith("_")} <= set(names)


def test_pages_import_public_names_only(reference: Path) -> None:
    public = set(re.findall(r"^`from (\S+ import \S+)`$", (reference / "python.md").read_text("utf-8"), re.MULTILINE))
    public |= {f"texlift import {name}" for name in texlift.__all__}
    used = set()
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for block in read_blocks(page):
            if block.language == "python":
                for line in block.lines:
                    if match := re.match(r"from (texlift\S*) import (.+)", line):
                        used |= {f"{match[1]} import {name.strip()}" for name in match[2].split(",")}
    assert used
    assert used <= public
