"""Maxima code runs in Maxima and gives the numbers mpmath gives, for every table entry Maxima can evaluate."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from samples import recorded, samples, value_of

from texlift.errors import FormulaError
from texlift.targets import convert

CONSTRUCTS = [
    (r"\sum_{k=0}^{5}\binom{5}{k}", 32),
    (r"\prod_{k=1}^{4}k", 24),
    (r"\int_{0}^{1}x^{2}\diff{x}", 1 / 3),
    (r"\lim_{x\to0}\frac{\sin@@{x}}{x}", 1),
    (r"\left.\deriv{(x^{3})}{x}\right|_{x=2}", 12),
    (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", -2),
    (r"2^{-\frac{1}{2}}\sqrt[3]{8}", 2**0.5),
    (r"7!!", 105),
]


def _run(codes: list[str], folder: Path) -> dict[int, complex]:
    """Values of all codes from one Maxima process; what has none is left out."""
    program = shutil.which("maxima")
    if program is None:
        pytest.skip("Maxima is not installed: Maxima code is not run")
    lines = ['display2d:false$ load("orthopoly")$ orthopoly_returns_intervals:false$']
    for index, code in enumerate(codes):
        value = f"errcatch(ev(rectform(float(ev({code}, nouns))), numer))"
        shown = f'print("@{index}", float(realpart(r[1])), float(imagpart(r[1])))'
        lines.append(f'block([r: {value}], if r = [] then print("@{index}", "failed") else {shown})$')
    script = folder / "codes.mac"
    script.write_text("\n".join(lines), "utf-8")
    result = subprocess.run(
        [program, "--very-quiet", "-b", str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    values: dict[int, complex] = {}
    for line in result.stdout.splitlines():
        words = line.split()
        if words and words[0].startswith("@") and len(words) == 3:
            try:
                values[int(words[0][1:])] = complex(float(words[1]), float(words[2]))
            except ValueError:
                continue
    return values


def executed(folder: Path) -> dict[str, tuple[str, complex, complex]]:
    """By entry of the table, where Maxima computes a number: the call, the value it should have, what Maxima says."""
    cases: list[tuple[str, str, complex]] = []
    for key, call in samples("maxima"):
        try:
            cases.append((key, call, value_of(call)))
        except (FormulaError, ArithmeticError, ValueError):
            continue
    values = _run([convert(call, "maxima").code for _, call, _ in cases], folder)
    return {cases[index][0]: (*cases[index][1:], found) for index, found in values.items()}


def test_every_entry_that_maxima_can_evaluate(tmp_path: Path) -> None:
    found = executed(tmp_path)
    for key, (call, expected, value) in found.items():
        assert abs(value - expected) <= 1e-6 * max(1, abs(expected)), (
            f"{key}: {call} is {expected}, Maxima says {value}"
        )
    assert set(recorded("maxima")) <= set(found)  # what the page of functions says


def test_constructs(tmp_path: Path) -> None:
    values = _run([convert(semantic, "maxima").code for semantic, _ in CONSTRUCTS], tmp_path)
    for index, (semantic, expected) in enumerate(CONSTRUCTS):
        assert values[index] == pytest.approx(expected), semantic
