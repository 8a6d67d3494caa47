"""A line is answered the same whatever stands beside it: order, chunks, processes, hash seeds and hostile neighbours.

Lines of one "document" share style and memory; they are compared as documents, whose order must not matter.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

Line = dict[str, Any]
COUNT = 2000
HOSTILE = [
    "{",
    r"\frac{1}{",
    r"\left(x",
    r"\mathop\rm Res",
    r"\bf x",
    r"{\rm sin}x+\rm y",
    r"\sin@{x}",
    "x" * 20_000,
    "|x" * 200,
    "(" * 500,
    r"\def\sin{\cos}\sin x",
    r"\newcommand{\Gamma}{\Lambda}\Gamma(z)",
    r"\renewcommand{\pi}{3}\pi",
    r"\DeclareMathOperator{\J}{J}\J(x)",
    "\0",
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
    r"\wombat{x}",
    r"J_\nu(z)\Gamma(z)P_n(x)" * 20,
    r"\text{$",
    r"\begin{matrix}a&b\\c",
]


@pytest.fixture(scope="module")
def lines(corpus_rows: list[Line]) -> list[Line]:
    rows = random.Random(11).sample(corpus_rows, COUNT)
    return [{"id": number, **row} for number, row in enumerate(rows)]


def answers(lines: list[Line], *options: str, seed: str = "0") -> dict[Any, str]:
    """The answers of `translate --jsonl`, each as the bytes of its line, by the id of the request."""
    given = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-m", "texlift", "translate", "--jsonl", "-k", "2", *options],
        input=given,
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    written = done.stdout.splitlines()
    assert len(written) == len(lines)
    return {json.loads(line)["id"]: line for line in written}


def different(one: dict[Any, str], other: dict[Any, str]) -> list[tuple[str, str]]:
    assert one.keys() == other.keys()
    return [(one[key], other[key]) for key in one if one[key] != other[key]]


@pytest.fixture(scope="module")
def reference(lines: list[Line]) -> dict[Any, str]:
    return answers(lines)


def test_order(lines: list[Line], reference: dict[Any, str]) -> None:
    """Shuffled, with another hash seed."""
    shuffled = random.Random(5).sample(lines, len(lines))
    assert different(reference, answers(shuffled, seed="4321")) == []


def test_processes_and_hostile_neighbours(lines: list[Line], reference: dict[Any, str]) -> None:
    """Two processes, the second half first, two hundred hostile formulae before and some among them."""
    hostile = [{"id": f"hostile {n}", "latex": HOSTILE[n % len(HOSTILE)] + " " * (n % 7)} for n in range(200)]
    mixed = [*hostile, *lines[COUNT // 2 :], *({**line, "id": f"again {line['id']}"} for line in hostile[:20])]
    found = answers([*mixed, *lines[: COUNT // 2]], "--jobs", "2", seed="77")
    own = {key: line for key, line in found.items() if not isinstance(key, str)}
    assert different(reference, own) == []


def test_chunks_and_hostile_formulae_in_one_process(lines: list[Line], reference: dict[Any, str]) -> None:
    """Chunks of other sizes, in a process that has answered hostile formulae before."""
    from texlift.cli.translate import answer

    def answered(chunk: list[Line]) -> list[dict[str, Any]]:
        return answer(chunk, None, 2, (), False)

    for n in range(200):
        answered([{"latex": HOSTILE[n % len(HOSTILE)]}])
    some = lines[:: COUNT // 400]
    at, size = 0, 1
    found: dict[Any, str] = {}
    while at < len(some):
        chunk = some[at : at + size]
        for line, result in zip(chunk, answered(chunk), strict=True):
            found[line["id"]] = json.dumps({"id": line["id"], **result}, ensure_ascii=True)
        at, size = at + size, size % 97 + 13
    assert different({key: reference[key] for key in found}, found) == []


def test_documents(lines: list[Line]) -> None:
    """Lines of one document influence each other and nobody else."""
    documents = [
        [{**line, "document": f"d{number}"} for line in lines[start : start + size]]
        for number, (start, size) in enumerate([(0, 40), (40, 5), (45, 80), (125, 1), (126, 25)])
    ]
    alone = lines[200:260]
    forwards = answers([*alone[:30], *(line for document in documents for line in document), *alone[30:]])
    backwards = answers(
        [*alone[30:], *(line for document in reversed(documents) for line in document), *alone[:30]], "--jobs", "2"
    )
    assert different(forwards, backwards) == []
    own = answers(documents[2], seed="3")
    assert different({key: forwards[key] for key in own}, own) == []
    apart = answers([line for document in documents for line in document], "--apart")
    without = answers(lines[:151])
    assert different(apart, without) == []
    assert different(without, {key: forwards[key] for key in without}) != []  # a document does make a difference
