"""The tables are sound: known macros, slots that exist, definitions that read and do not run in circles."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from mpmath import mp

from texlift.macros.concepts import vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Symbol
from texlift.targets import TARGETS, convert
from texlift.targets.expansion import expand
from texlift.targets.table import definitions, load_table
from texlift.targets.writers.pycode import compile_tree, template
from texlift.verify.evaluation import Trust, namespace

KEY = re.compile(r"(\\[A-Za-z]+)(\[\])?(\{\d\})?$")


def _arguments(key: str) -> int:
    """How many arguments the macro or concept of a key has."""
    match = KEY.match(key)
    if match:
        macro = lexicon().lookup(match[1])
        assert macro is not None, f"{key} is not in the lexicon"
        return macro.options + macro.parameters + macro.variables
    shapes = [one.shape for one in vocabulary() if one.shape.startswith(f"{key}(")]
    assert shapes, f"{key} is neither a macro nor a concept"
    return 2 if "*" in shapes[0] else len(set(re.findall(r"#\d", shapes[0])))


@pytest.mark.parametrize("target", TARGETS)
def test_entries_fit_the_lexicon(target: str) -> None:
    for key, entry in load_table(target).entries.items():
        most = _arguments(key)
        slots = [int(part) for part in entry.parts[1::2] if part != "n"]
        assert all(1 <= slot <= max(most, 2) for slot in slots), f"{key}: {entry.code} with {most} arguments"


def test_definitions_read_and_fit() -> None:
    for key, found in definitions().items():
        used = {int(number) for number in re.findall(r"#(\d)", found.text)}
        most = _arguments(key) + (2 if found.lattice else 0)  # its half-periods
        assert max(used, default=0) <= most, key
        assert len(read(found.text, definition=True).statements) == 1, key


def test_bound_variables_of_definitions_capture_nothing() -> None:
    k = Symbol("k")
    expanded = expand(Apply(r"\StirlingnumberS", (Symbol("n"), k)))
    assert expanded is not None
    assert "k_" in str(expanded) and "name='k'" in str(expanded)


def test_mathml_is_well_formed() -> None:
    for semantic in (
        r"a<b\leq\BesselJ{\nu}@{z}",
        r"\sum_{n\geq0}\frac{x^{n}}{n!}",
        r"\int_{0}^{1}f(t)\diff{t}=\{1,2\}",
    ):
        code = convert(semantic, "mathml").code
        ElementTree.fromstring(f"<math>{code}</math>")
    assert '<csymbol cd="dlmf">BesselJ</csymbol>' in convert(r"\BesselJ{\nu}@{z}", "mathml").code
    assert convert(r"\sin@@{x}", "mathml").code == "<apply><sin/><ci>x</ci></apply>"


def test_numeric_checks_know_the_functions_of_the_mpmath_table() -> None:
    known = namespace(Trust())
    for key, entry in load_table("mpmath").entries.items():
        for code in (entry.code, entry.derivative):
            for name in re.findall(r"(?<![\w.])[A-Za-z]\w*(?=\()", code):
                if name != "dirichlet":  # of a sequence of numbers, which a letter does not say
                    assert name in known, f"{key}: add {name} to _PLAIN in verify/evaluation.py"


def test_derivatives_of_the_mpmath_table_are_derivatives() -> None:
    """mpmath ignores options it does not know: besselk(nu, z, derivative=1) is besselk(nu, z)."""
    names = namespace(Trust())
    for key, entry in load_table("mpmath").entries.items():
        if not entry.derivative:
            continue
        values = {"_1": mp.mpf("1.3"), "_2": mp.mpf("0.7"), "_3": mp.mpf("0.2"), "_n": 1}
        if key.startswith(r"\Jacobitheta"):
            values |= {"_1": 2, "_3": mp.mpc(0, 1) if "tau" in key else mp.mpf("0.2")}
        slot = "_1" if "zeta" in key or "Airy" in key or key == r"\digamma" else "_2"
        value = compile_tree(template(entry.code), names)
        expected = mp.diff(lambda x, value=value, slot=slot, values=values: value({**values, slot: x}), values[slot])
        found = compile_tree(template(entry.derivative), names)(values)
        assert abs(found - expected) < 1e-8 * max(1, abs(expected)), key
