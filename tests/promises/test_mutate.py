"""The tool that mutates: it finds what tests do not notice, says so, and goes on where it was stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from mutants import mutants

ROOT = Path(__file__).parents[2]

TOY = '''"""A module."""

from __future__ import annotations

LIMIT: int = 3


def short(words: list[str], limit: int = 0) -> list[str]:
    """Words shorter than the limit."""
    limit = limit or LIMIT
    found = [word for word in words if len(word) < limit and word]
    if not found:
        return words[:1]
    return found
'''
NOTICES = """
from toy import short

def test_short():
    assert short(["a", "", "abc", "ab"]) == ["a", "ab"]
    assert short(["abcd", "abcde"]) == ["abcd"]
    assert short(["abcd"], 5) == ["abcd"]
    assert short(["abcd", "a"], 5) == ["abcd", "a"]
"""
BLIND = """
from toy import short

def test_short():
    assert "a" in short(["a"])
"""


def test_operators() -> None:
    changes = {(one.operator, one.now) for one in mutants(TOY)}
    assert {operator for operator, _ in changes} == {
        "constant",
        "comparison",
        "and/or",
        "negation",
        "return",
        "filter",
        "slice",
        "removed",
    }
    assert ("constant", "LIMIT: int = 4") in changes
    assert ("constant", "return words[:2]") in changes
    assert ("slice", "return words[:]") in changes
    assert ("return", "return") in changes
    assert ("negation", "if (found):") in changes
    assert ("removed", "pass") in changes
    assert ("filter", "found = [word for word in words]") in changes
    assert ("comparison", "found = [word for word in words if (len(word) <= limit) and word]") in changes
    assert not any("A module" in one.was or "import" in one.was for one in mutants(TOY))


def test_every_mutant_is_a_program_and_another_one() -> None:
    for target in tomllib.loads(ROOT.joinpath("tools/mutate.toml").read_text("utf-8"))["target"].values():
        for module in target["modules"]:
            path = ROOT / module
            if not path.exists():
                continue  # a module that is to come
            source = path.read_text("utf-8")
            found = mutants(source)
            assert len(found) > 9
            assert len({one.source for one in found}) == len(found)
            for one in found[::9]:
                compile(one.source, one.now, "exec")
                assert one.source != source


def test_equivalent_mutants_exist_and_have_a_reason() -> None:
    for target in tomllib.loads(ROOT.joinpath("tools/mutate.toml").read_text("utf-8"))["target"].values():
        known = [
            one
            for module in target["modules"]
            if (ROOT / module).exists()
            for one in mutants((ROOT / module).read_text("utf-8"))
        ]
        for entry in target.get("equivalent", ()):
            same = [one.now for one in known if one.was == entry["was"]]
            assert same, entry["was"]
            assert set(entry.get("now", ())) <= set(same), entry["was"]
            assert len(entry["reason"]) > 15


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(ROOT / "tools/mutate.py"),
        str(folder / "src/toy.py"),
        "--log",
        str(folder / "log.jsonl"),
    ]
    variables = {**os.environ, "PYTHONPATH": str(folder / "src")}
    tests = ["--tests", str(folder / "test_toy.py"), *options]
    return subprocess.run([*command, *tests], env=variables, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/toy.py").write_text(TOY, "utf-8")
    (tmp_path / "test_toy.py").write_text(NOTICES, "utf-8")
    return tmp_path


def test_survivors_are_told_and_a_run_goes_on(folder: Path) -> None:
    (folder / "test_toy.py").write_text(BLIND, "utf-8")
    done = run(folder, "--limit", "3", "--seed", "3", "--jobs", "2")
    assert done.returncode == 1, done.stderr
    assert "3 mutants" in done.stdout
    assert "\n  - " in done.stdout
    assert "toy.py:" in done.stdout
    logged = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    assert len(logged) == 3
    assert {record["outcome"] for record in logged} >= {"survived"}
    again = run(folder, "--limit", "3", "--seed", "3")
    assert again.returncode == 1
    assert "to run" not in again.stdout
    assert len((folder / "log.jsonl").read_text("utf-8").splitlines()) == 3
    (folder / "test_toy.py").write_text(NOTICES, "utf-8")
    assert "3 mutants to run" in run(folder, "--limit", "3", "--seed", "3").stdout
    assert (folder / "src/toy.py").read_text("utf-8") == TOY


def test_tests_that_fail_without_a_mutant_end_the_run(folder: Path) -> None:
    (folder / "test_toy.py").write_text("def test_wrong():\n    assert False\n", "utf-8")
    done = run(folder, "--limit", "2")
    assert done.returncode == 1
    assert "fail without a mutant" in done.stderr
    assert "test_wrong" in done.stderr
