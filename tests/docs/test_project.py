"""The files around the code agree with each other: version, changelog, Python versions, tasks, links."""

import re
import tomllib
from pathlib import Path

import pytest

import texlift

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TASKS = set(PROJECT["tool"]["poe"]["tasks"])
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGES = [*ROOT.glob("*.md"), *(ROOT / "research").rglob("*.md")]


def test_the_version_is_written_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/texlift/__init__.py"
    assert "\nversion:" not in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_changelog_starts_with_this_version() -> None:
    heading = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heading is not None
    release, development, _ = texlift.__version__.partition(".dev")
    assert release in heading[1]
    assert ("Unreleased" in heading[1]) == bool(development)


def test_all_supported_versions_of_python_are_tested() -> None:
    supported = {
        name.rpartition(" ")[2]
        for name in PROJECT["project"]["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", name)
    }
    matrix = re.search(r"python: \[(.+)\]", (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    assert matrix is not None
    assert set(re.findall(r"3\.\d+", matrix[1])) == supported


@pytest.mark.parametrize("path", [ROOT / "CONTRIBUTING.md", *WORKFLOWS], ids=lambda path: path.name)
def test_tasks_that_are_named_exist(path: Path) -> None:
    named = set(re.findall(r"(?:`|run: )poe ([a-z-]+)", path.read_text("utf-8")))
    assert named <= TASKS
    assert named


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
