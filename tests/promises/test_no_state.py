"""No input changes what later input gets: in every command and endpoint, after hostile input, with emptied caches."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from texlift import remembered
from texlift.bench.hostile import Hostile
from texlift.cli.bench_fuzz import in_process
from texlift.corpus.demo import demo_pairs
from texlift.corpus.mutants import mutants
from texlift.targets import TARGETS
from texlift.translate.preparation import MOST_TOGETHER, Preparation, Work
from texlift.translate.translator import load

COUNT, HOSTILE = 150, 400


def translated(*options: str) -> str:
    """The answers of `translate` to ordinary formulae, as they are written."""
    lines = [json.dumps({"latex": pair.generic}) + "\n" for pair in demo_pairs()[:COUNT]]
    return in_process(["translate", "--jsonl", *options], "".join(lines).encode()).output


def everything() -> dict[str, str]:
    """The answers of all commands."""
    pairs = demo_pairs()[:COUNT]
    semantic = "".join([json.dumps({"semantic": pair.semantic}) + "\n" for pair in pairs]).encode()
    found = {"translate": translated()}
    for target in TARGETS:
        found[f"translate {target}"] = translated("--to", target)
        found[f"convert {target}"] = in_process(["convert", "--jsonl", "--to", target], semantic).output
    found["expand"] = in_process(["expand", "--jsonl"], semantic).output
    for pair in pairs[:20]:
        found[f"parse {pair.id}"] = in_process(["parse", "--", pair.generic]).output
    return found


def test_hostile_input_changes_nothing() -> None:
    before = everything()
    hostile = Hostile(17)
    for command, make in (("translate", hostile.formula), ("expand", hostile.semantic), ("convert", hostile.semantic)):
        field = "latex" if command == "translate" else "semantic"
        given = "".join([json.dumps({field: make()[:400]}) + "\n" for _ in range(HOSTILE)]).encode()
        to = ["--to", "sympy"] if command == "convert" else []
        assert in_process([command, "--jsonl", *to], given).output.count("\n") == HOSTILE
    for _ in range(50):
        in_process(["parse", "--", hostile.formula()[:400]])
    assert everything() == before


def answers_by_id(lines: list[str], *options: str) -> dict[int, str]:
    """The lines that answer those with an "id"."""
    output = in_process(["translate", "--jsonl", *options], "".join(lines).encode()).output.splitlines()
    assert len(output) == len(lines)
    return {found["id"]: line for line in output if "id" in (found := json.loads(line))}


def test_order_neighbours_and_processes_change_nothing() -> None:
    """5,000 formulae in their order, in another order after hostile ones, and in several processes: the same bytes."""
    pool = [pair.generic for pair in demo_pairs()]
    latex = list(dict.fromkeys([*pool, *mutants(pool, 5_500, 7)]))[:5_000]
    lines = [json.dumps({"id": number, "latex": text[:300]}) + "\n" for number, text in enumerate(latex)]
    assert len(lines) == 5_000
    alone = answers_by_id(lines)
    hostile = Hostile(23)
    shuffled = Random(5).sample(lines, len(lines))
    before = [json.dumps({"latex": hostile.formula()[:400]}) + "\n" for _ in range(1_000)]
    assert answers_by_id(before + shuffled) == alone
    apart = subprocess.run(
        [sys.executable, "-m", "texlift.cli", "translate", "--jsonl", "--jobs", "2"],
        input="".join(before[:200] + shuffled[::-1]).encode(), capture_output=True, timeout=600, check=True,
    ).stdout.decode().splitlines()  # fmt: skip
    assert {found["id"]: line for line in apart if "id" in (found := json.loads(line))} == alone


def test_forgetting_changes_nothing() -> None:
    before = translated()
    remembered.forget()
    load()._preparation.forget()
    assert translated() == before


def test_formulae_together_have_a_bounded_size() -> None:
    """Whatever is asked, what is worked on at a time is limited, and nothing is lost or out of order."""
    preparation = Preparation(load().model)
    asked = [("d" * (400 + n) if n % 3 else "{", None) for n in range(60)]
    sizes, latex = [], []
    for portion in preparation.portions(asked, constants=False):
        sizes.append(sum(work.forest.size for work in portion if isinstance(work, Work)))
        latex += [work.latex if isinstance(work, Work) else "{" for work in portion]
    assert latex == [text for text, _ in asked]
    assert len(sizes) > 1 and max(sizes) <= MOST_TOGETHER
    assert preparation._remembered._size <= MOST_TOGETHER


def test_portions_do_not_change_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from texlift.translate import preparation

    asked = [(pair.generic, pair.context) for pair in demo_pairs()[:60]]
    whole = list(load().translate_many(asked))
    monkeypatch.setattr(preparation, "MOST_TOGETHER", 50)
    assert list(load().translate_many(asked)) == whole


def test_text_is_forgotten_before_it_becomes_much(monkeypatch: pytest.MonkeyPatch) -> None:
    from texlift.context import passage

    monkeypatch.setattr(remembered, "MOST_REMEMBERED", 100_000)
    for number in range(60):
        context = " ".join([f"word{number}x{n}" for n in range(400)])
        load().translate("J_n(x)", context)
    kept = passage.overlap.cache_info().currsize
    assert 0 < kept < 60
