"""The tables are sound: known macros, slots that exist, definitions that read and do not run in circles."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from texlift.macros.lexicon import lexicon
from texlift.targets import TARGETS, convert
from texlift.targets.expansion import expand
from texlift.targets.expression import Apply, Symbol
from texlift.targets.reading import read
from texlift.targets.table import definitions, load_table

KEY = re.compile(r"(\\[A-Za-z]+)(\[\])?(\{\d\})?$")


@pytest.mark.parametrize("target", TARGETS)
def test_entries_fit_the_lexicon(target: str) -> None:
    for key, entry in load_table(target).entries.items():
        match = KEY.match(key)
        assert match, key
        macro = lexicon().lookup(match[1])
        assert macro is not None, f"{key} is not in the lexicon"
        most = macro.options + macro.parameters + macro.variables
        slots = [int(part) for part in entry.parts[1::2] if part != "n"]
        assert all(1 <= slot <= max(most, 2) for slot in slots), f"{key}: {entry.code} with {most} arguments"


def test_definitions_read_and_fit() -> None:
    for key, found in definitions().items():
        match = KEY.match(key)
        assert match, key
        macro = lexicon().lookup(match[1])
        assert macro is not None, f"{key} is not in the lexicon"
        used = {int(number) for number in re.findall(r"#(\d)", found.text)}
        assert max(used, default=0) <= macro.options + macro.parameters + macro.variables, key
        assert len(read(found.text).statements) == 1, key


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
