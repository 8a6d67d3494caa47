"""MathJSON: valid JSON, only names of the library or marked ones, and the values that compute-engine computes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from samples import samples, value_of

from texlift.targets import convert
from texlift.targets.table import load_table

PACKAGE = "@cortex-js/compute-engine"
VALUES = {
    r"\npartitions": 11,
    r"\Jacobisym": 1,
    r"\Legendresym": 1,
    r"\sumdivisors": 210,
    r"\nprimesdiv": 2,
}  # mpmath lacks them
CALLS = {  # where the engine keeps other arguments as they are
    r"\BesselJ": r"\BesselJ{2}@{0.72}",
    r"\BesselY": r"\BesselY{2}@{0.72}",
    r"\modBesselI": r"\modBesselI{2}@{0.72}",
    r"\modBesselK": r"\modBesselK{2}@{0.72}",
    r"\polylog": r"\polylog{2}@{0.4}",
    r"\LambertW[]": r"\LambertW[-1]@{-0.2}",
}

_SCRIPT = """
const fs = require("fs");
const { ComputeEngine } = require(process.argv[1]);
const ce = new ComputeEngine();
const names = new Set();
for (let s = ce.context.lexicalScope; s; s = s.parent) for (const k of s.bindings.keys()) names.add(k);
const out = { names: [...names], values: [] };
for (const item of JSON.parse(fs.readFileSync(0, "utf8"))) {
  try {
    const value = ce.box(item).N();
    out.values.push([value.re, value.im]);
  } catch (error) { out.values.push(null); }
}
console.log(JSON.stringify(out));
"""


def _engine() -> str:
    """The folder of the package: in TEXLIFT_NODE_MODULES, or in a node_modules above this file."""
    places = [Path(os.environ.get("TEXLIFT_NODE_MODULES", "node_modules"))]
    places += [parent / "node_modules" for parent in Path(__file__).resolve().parents]
    found = next((place / PACKAGE for place in places if (place / PACKAGE).is_dir()), None)
    if found is None or shutil.which("node") is None:
        pytest.skip(f"needs node and {PACKAGE} (TEXLIFT_NODE_MODULES names the folder node_modules)")
    return str(found.resolve())


def _run(items: list[Any]) -> dict[str, Any]:
    command = ["node", "-e", _SCRIPT, "--", _engine()]
    done = subprocess.run(command, input=json.dumps(items), capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def code(semantic: str) -> Any:
    return json.loads(convert(semantic, "mathjson").code)


def heads(node: Any) -> set[str]:
    if not isinstance(node, list):
        return set()
    return {node[0]}.union(*(heads(part) for part in node[1:]))


@pytest.mark.parametrize(
    ("semantic", "expected"),
    [
        (r"\BesselJ{\nu}@{z}", ["BesselJ", "nu", "z"]),
        (r"\frac{1}{2}x^{2}", ["Multiply", ["Divide", 1, 2], ["Power", "x", 2]]),
        (r"\int_{0}^{1}t\diff{t}", ["Integrate", ["Function", "t", "t"], ["Limits", "t", 0, 1]]),
        (r"\sum_{k=1}^{n}k", ["Sum", "k", ["Limits", "k", 1, "n"]]),
        (r"f''(x)", ["Apply", ["Derivative", "f", 2], "x"]),
        (r"x\in[0,1)", ["Element", "x", ["Interval", 0, ["Open", 1]]]),
        (r"a<b\leq c", ["And", ["Less", "a", "b"], ["LessEqual", "b", "c"]]),
        (r"n\equiv1\pmod{4}", ["Congruent", "n", 1, 4]),
        (r"12345678901234567890", {"num": "12345678901234567890"}),
    ],
)
def test_what_is_written(semantic: str, expected: Any) -> None:
    assert code(semantic) == expected


def test_a_function_that_the_engine_lacks_is_marked_and_said() -> None:
    found = convert(r"\Mathieuce{n}@{z}{q}", "mathjson")
    assert json.loads(found.code) == ["dlmf_Mathieuce", "n", "z", "q"]
    assert any("Mathieuce" in warning for warning in found.warnings)


def test_a_function_that_the_engine_lacks_is_defined_where_it_can_be() -> None:
    found = convert(r"\HankelH{1}{\nu}@{z}", "mathjson")
    assert "BesselJ" in heads(json.loads(found.code))
    assert not any(name.startswith("dlmf_") for name in heads(json.loads(found.code)))


def test_letters_that_are_functions_of_the_engine_are_renamed() -> None:
    assert code("D+N") == ["Add", "D_", "N_"]


def test_names_and_values_are_those_of_the_engine() -> None:
    cases = [(key, CALLS.get(key, call)) for key, call in samples("mathjson") if key != r"\bigO"]
    result = _run([code(call) for _, call in cases])
    known = set(result["names"])
    for _, call in cases:
        assert heads(code(call)) <= known, call
    wrong = []
    for (key, call), value in zip(cases, result["values"], strict=True):
        expected = VALUES[key] if key in VALUES else value_of(call)
        found = complex(*value) if value and None not in value else None
        if found is None or abs(found - expected) > 1e-7 * max(1.0, abs(expected)):
            wrong.append(f"{key}: {call} is {expected}, the engine says {found}")
    assert not wrong, "\n".join(wrong)
    assert len(cases) > 0.9 * len(load_table("mathjson").entries)


def test_binders_have_the_values_of_the_engine() -> None:
    cases = {
        r"\int_{0}^{1}t^{2}\diff{t}": 1 / 3,
        r"\sum_{k=1}^{4}k^{2}": 30,
        r"\prod_{k=1}^{4}k": 24,
        r"\lim_{x\to0}\frac{\sin@@{x}}{x}": 1,
        r"\begin{cases}1,&2>1,\\0,&\text{otherwise}\end{cases}": 1,
        r"\begin{vmatrix}1&2\\3&4\end{vmatrix}": -2,
        r"\pgcd{12,18,15}": 3,
        r"\abs{-2.5}+\floor{2.5}+5!+7!!": 2.5 + 2 + 120 + 105,
    }
    result = _run([code(semantic) for semantic in cases])
    for (semantic, expected), value in zip(cases.items(), result["values"], strict=True):
        assert value is not None and abs(value[0] - expected) < 1e-6, (semantic, value)
