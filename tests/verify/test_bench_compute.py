"""The benchmark's own parts: which rows it takes, how it breaks formulae."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from texlift.bench.checks import checks
from texlift.bench.compute import Equation, drawn, equations
from texlift.bench.conversions import conversions
from texlift.bench.mutation import KINDS, mutations, shown_wrong
from texlift.bench.runnable import built_by_sympy, evaluated_by_mpmath, parsed
from texlift.verify import TRUE
from texlift.verify.checker import check_here


def test_equations_are_taken_once(tmp_path: Path) -> None:
    row = {
        "id": "1.E1",
        "kind": "equation",
        "semantic": r"\sin@@{x}=1",
        "symbols": [],
        "constraints": [{"semantic": "x>0"}],
    }
    symbol = {"semantic": "x", "meaning": "real variable"}
    rows = [
        row | {"symbols": [symbol, {"semantic": r"\sin@@{\NVar{x}}", "meaning": "sine"}]},
        row,
        row | {"kind": "expression"},
    ]
    (tmp_path / "dlmf.jsonl").write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    (only,) = equations(tmp_path)
    assert only.symbols == (("x", "real variable"),) and only.constraints == ("x>0",)


def test_mutations_of_each_kind_are_caught() -> None:
    formula = r"\BesselJ{\nu-1}@{z}=\frac{2\nu}{z}\BesselJ{\nu}@{z}-\BesselJ{\nu+1}@{z}"
    assert check_here(formula).verdict in TRUE
    found = mutations(formula)
    assert [mutation.kind for mutation in found] == list(KINDS)
    for mutation in found:
        assert shown_wrong(formula, mutation.semantic)
        assert check_here(mutation.semantic).verdict == "refuted", mutation


def test_what_stays_true_is_no_mutation() -> None:
    assert not shown_wrong(r"\EulerBeta@{a}{b}=\EulerBeta@{b}{a}", r"\EulerBeta@{a}{b}=\EulerBeta@{a}{b}")
    assert not shown_wrong(r"\sin@@{0}=0", r"\sin@@{0}=2(0)")
    even = r"\BesselJ{0}@{z}=\BesselJ{0}@{-z}"
    assert not shown_wrong(even, r"\BesselJ{0}@{z}=\BesselJ{0}@{z}")


def test_what_cannot_be_broken_is_left_alone() -> None:
    assert mutations(r"a=b=c") == []
    assert mutations(r"a\leq b") == []
    assert mutations(r"a=\pm b") == []


def test_code_that_runs() -> None:
    assert built_by_sympy(r"\int_{0}^{\infty}\AiryAi@{t}\diff{t}=\tfrac{1}{3}")
    assert not built_by_sympy(r"\swallowcatastrophe@{t}{x}{y}{z}=1")
    assert evaluated_by_mpmath(r"\EulerGamma@{z+1}=z\EulerGamma@{z}")
    assert not evaluated_by_mpmath(r"f(z+1)=z\EulerGamma@{z}")
    assert parsed({0: "x + 1", 1: "x +"}, "sympy")[0] == {0}
    assert parsed({0: "<ci>x</ci>", 1: "<ci>x"}, "mathml")[0] == {0}


def test_mathematica_and_maxima_judge_their_own_code() -> None:
    for target, good, bad in (("mathematica", "Sin[x] == 1", "Sin[x"), ("maxima", "sin(x) = 1", "sin(x")):
        found, judge = parsed({0: good, 1: bad, 2: good}, target)
        assert found == ({0, 1, 2} if judge == "not parsed" else {0, 2}), judge


def test_equations_of_fold_0_are_not_drawn_and_checks_stop_at_what_is_wanted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TEXLIFT_BENCH_LOG", str(tmp_path / "log"))
    rows = [Equation(str(n), rf"x+{n}={n}+x", (), (), n % 2) for n in range(60)]
    chosen = drawn(rows, 3)
    assert len(chosen) == 30 and {row.fold for row in chosen} == {1} and chosen == drawn(rows, 3)
    assert chosen != drawn(rows, 4)
    figures = {figure.name: figure.value for figure in checks(chosen, 5, 4)}
    assert figures["checkable"] == figures["checked"] == 5
    assert figures["true_percent"] == 100
    assert figures["broken"] == 4 and figures["broken_passed_percent"] == 0
    assert len((tmp_path / "log").read_text("utf-8").splitlines()) >= 9


def test_conversions_are_counted_by_target() -> None:
    rows = [Equation("1", r"\sin@{x}=1", (), ()), Equation("2", r"x=\dots", (), ())]
    figures = {figure.name: figure.value for figure in conversions(rows)}
    assert figures["translated_mathematica_percent"] == figures["translated_sympy_percent"] == 50
    assert figures["conversions_per_second"] > 0
