"""What fuzzing has found stays fixed; and fuzzing finds what is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the endpoints need texlift[serve]")

from texlift.bench.fuzz import Case, fuzz, minimised, read_cases, write_cases
from texlift.bench.hostile import Hostile
from texlift.bench.surfaces import Finished, Surface, surfaces
from texlift.cli.bench_fuzz import in_process

FOUND = Path(__file__).with_name("found.jsonl")
CASES = read_cases(FOUND)


@pytest.fixture(scope="module")
def ways() -> dict[str, Surface]:
    return {way.name: way for way in surfaces(in_process)}


@pytest.mark.parametrize("case", CASES, ids=[f"{case.surface}: {case.text[:30]!a}" for case in CASES])
def test_found_cases_stay_fixed(case: Case, ways: dict[str, Surface]) -> None:
    assert ways[case.surface].run([case.text]) == [""]


def test_every_surface_takes_hostile_input(ways: dict[str, Surface]) -> None:
    """A few inputs for each: `texlift bench fuzz` tries millions."""
    hostile = Hostile(3)
    for way in ways.values():
        inputs = [way.make(hostile) for _ in range(3)]
        assert way.run(inputs) == ["", "", ""], (way.name, inputs)


def test_the_same_seed_gives_the_same_input() -> None:
    one, other, third = Hostile(5), Hostile(5), Hostile(6)
    first = [one.formula() for _ in range(50)]
    assert first == [other.formula() for _ in range(50)] != [third.formula() for _ in range(50)]


def test_defects_are_found_and_made_small() -> None:
    """A program that fails on every formula with a `q` in it, that forgets a line, that raises."""

    def broken(arguments: list[str], given: bytes = b"") -> Finished:
        if b"q" in given:
            return Finished("", 1, KeyError("q"))
        return in_process(arguments, given)

    way = next(way for way in surfaces(broken) if way.name == "expand")
    troubles = way.run(["x+y", "a q b"])
    assert troubles[0] == "" and troubles[1].startswith("crash: KeyError")
    case = minimised(Case("expand", "a+b+q+c", troubles[1]), way)
    assert case.text == "q"


def test_a_run_counts_what_it_tried(tmp_path: Path) -> None:
    report = fuzz(in_process, minutes=5, seed=1, most=150)
    assert report.inputs.total() >= 150
    assert report.cases == []
    figures = {figure.name: figure.value for figure in report.figures()}
    assert figures["fuzz_inputs"] >= 150 and figures["fuzz_broken_promises"] == 0
    kept = tmp_path / "kept.jsonl"
    write_cases(kept, [*CASES[:3], *CASES[:3]])
    assert read_cases(kept) == CASES[:3]
