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


def test_the_architecture_names_files_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = {name for name in re.findall(r"`([\w/]+(?:\.py|\.json|/))`", text) if not re.search("[A-Z]{4}", name)}
    assert len(named) > 60
    package = ROOT / "src" / "texlift"
    missing = [name for name in named if not (ROOT / name).exists() and not any(package.glob(f"**/{name}"))]
    assert missing == []


def _table() -> str:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return text.partition("## Where does X live?")[2].partition("\n## ")[0]


def test_the_architecture_names_each_file_in_its_folder() -> None:
    """A name without a folder lies in the folder that its row named before."""
    package = ROOT / "src" / "texlift"
    missing = []
    for row in re.findall(r"^\| .+ \| (.+) \|$", _table(), re.MULTILINE):
        folder = package
        for name in re.findall(r"`([\w./*]+[./][\w*]*)`", row):
            found = [hit for base in (package, ROOT) for hit in base.glob(name.rstrip("/"))] if "/" in name else []
            found = found or [*folder.glob(name)]
            if found:
                folder = found[0] if found[0].is_dir() else found[0].parent
            else:
                missing.append((name, row))
    assert missing == []


def test_the_architecture_has_every_package_and_module() -> None:
    package = ROOT / "src" / "texlift"
    modules = {path.name for path in package.glob("*.py") if not path.name.startswith("__")}
    packages = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    table = _table()
    assert [name for name in sorted(modules | packages) if f"`{name}" not in table] == []


def test_the_architecture_has_the_layers_of_the_contract() -> None:
    contract = next(one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    layers = [[name.strip().removeprefix("texlift.") for name in layer.split("|")] for layer in contract["layers"]]
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    drawn = re.search(r"```\n(texlift_paper\n.*?)```", text, re.DOTALL)
    assert drawn is not None
    assert [line.split() for line in drawn[1].splitlines()] == layers
