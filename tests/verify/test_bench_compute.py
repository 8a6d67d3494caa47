"""The benchmark's own parts: which rows it takes, how it breaks formulae."""

from __future__ import annotations

import json
from pathlib import Path

from texlift.bench.compute import broken_versions, equations
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


def test_broken_versions_are_caught() -> None:
    formula = r"\BesselJ{\nu-1}@{z}=\frac{2\nu}{z}\BesselJ{\nu}@{z}-\BesselJ{\nu+1}@{z}"
    assert check_here(formula).verdict == "verified"
    versions = broken_versions(formula)
    assert len(versions) == 4
    assert [check_here(version).verdict for version in versions] == ["refuted"] * 4


def test_what_cannot_be_broken_is_left_alone() -> None:
    assert broken_versions(r"a=b=c") == []
    assert broken_versions(r"f(x)=0") == []
    assert broken_versions(r"a\leq b") == []
