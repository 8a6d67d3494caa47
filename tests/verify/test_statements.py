"""True and false statements, by kind: the check never verifies a false one and never refutes a true one."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift.bench.statements import Statement, checked, measure, statements
from texlift.errors import TexliftError
from texlift.verify import TRUE, Verdict

ROWS = statements(Path(__file__).with_name("statements.jsonl"))
KINDS = ("true", "false", "partly")


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return dict(zip((row.id for row in ROWS), checked(ROWS), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_no_lies(kind: str, verdicts: dict[str, Verdict]) -> None:
    lies = [(row.latex, verdicts[row.id]) for row in ROWS if row.kind == kind and row.is_lie(verdicts[row.id].verdict)]
    assert lies == []


@pytest.mark.parametrize(("kind", "verdict", "least"), [("true", "true", 0.9), ("partly", "refuted", 0.9),
                                                        ("false", "refuted", 0.7)])  # fmt: skip
def test_most_are_decided(kind: str, verdict: str, least: float, verdicts: dict[str, Verdict]) -> None:
    found = [verdicts[row.id].verdict for row in ROWS if row.kind == kind]
    wanted = TRUE if verdict == "true" else (verdict,)
    assert sum(one in wanted for one in found) >= least * len(found)


def test_refutations_have_a_point_and_verifications_a_domain(verdicts: dict[str, Verdict]) -> None:
    for row in ROWS:
        verdict = verdicts[row.id]
        if verdict.verdict == "refuted":
            assert verdict.counterexample is not None and {"point", "left", "right"} <= verdict.counterexample.keys()
        if verdict.verdict == "undecided":
            assert verdict.reason, row
        if verdict.verdict in TRUE and verdict.points > 1:
            assert verdict.domain, row


def test_the_benchmark_counts_lies(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text(
        '{"id": "a", "latex": "1+1=2", "truth": false}\n'
        '{"id": "b", "latex": "|x|=x", "truth": false, "partly": true}\n'
        '{"id": "c", "latex": "1+1=2", "truth": true}\n'
        '{"id": "d", "latex": "}{", "truth": true}\n',
        "utf-8",
    )
    figures = {figure.name: figure for figure in measure(path)}
    assert figures["false_proved"].value == 1 and figures["false_proved"].reached is False
    assert figures["false_proved"].note == "a" and figures["false_verified"].value == 0
    assert figures["partly_refuted"].value == 1 and figures["true_proved"].value == 1
    assert figures["true_undecided"].value == 1 and figures["true_refuted"].value == 0
    with pytest.raises(TexliftError, match="no file"):
        measure(tmp_path / "missing.jsonl")


def test_kinds() -> None:
    assert {row.kind for row in ROWS} == set(KINDS)
    row = Statement("x", "1=1", (), "true")
    assert row.is_lie("refuted") and not row.is_lie("verified") and not row.is_lie("undecided")
