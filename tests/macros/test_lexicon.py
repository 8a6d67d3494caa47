"""The lexicon: every entry keeps the schema, is found again, and reads every formula of the corpus."""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from pathlib import Path

import pytest

from texlift.errors import FormulaError, TexliftError
from texlift.latex.nodes import Call
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures
from texlift.macros.lexicon import SCRIPT_POINT, Lexicon, Macro, lexicon, macro_from_entry, read_lexicon

TEXT = files("texlift.macros").joinpath("lexicon.json").read_text("utf-8")
ENTRIES = json.loads(TEXT)["macros"]
SIGNATURES = generic_signatures().with_calls(lexicon().call_signatures())

BESSEL = {
    "name": r"\BesselJ",
    "meaning": "Bessel function of the first kind",
    "options": 0,
    "parameters": 1,
    "variables": 1,
    "ats": [0, 1],
    "dlmf": "10.2.E2",
    "templates": {r"\BesselJ{#1}#'@{#2}": r"J_{#1}#'\left(#2\right)", r"\BesselJ{#1}": "J_{#1}"},
}


# -- the packaged file ---------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_every_entry_keeps_the_schema(entry: dict[str, object]) -> None:
    assert macro_from_entry(entry).as_entry() == entry


def test_names_are_unique_sorted_and_one_a_line() -> None:
    names = [entry["name"] for entry in ENTRIES]
    assert names == sorted(set(names))
    assert [json.loads(line.rstrip(","))["name"] for line in TEXT.splitlines()[1:-1]] == names


def test_no_macro_has_two_presentations_for_one_call() -> None:
    for macro in lexicon():
        calls = [call.replace(SCRIPT_POINT, "") for call, _ in macro.templates]
        assert len(calls) == len(set(calls)), macro.name


def test_the_first_template_takes_all_arguments() -> None:
    for macro in lexicon():
        if not macro.variables_by:
            node = parse(macro.call_form, SIGNATURES)[0]
            assert isinstance(node, Call)
            assert len(node.variables) == macro.variables, macro.name


def test_synonyms_name_a_macro_that_is_shown_the_same_way() -> None:
    synonyms = [macro for macro in lexicon() if macro.synonym]
    assert synonyms
    for macro in synonyms:
        original = lexicon().lookup(macro.synonym)
        assert original is not None and original.lifts and not macro.lifts
        assert [generic for _, generic in macro.templates] == [generic for _, generic in original.templates]


def test_it_is_as_large_as_the_readme_says() -> None:
    assert len(lexicon()) > 650
    assert sum(macro.lifts for macro in lexicon()) > 620


# -- looking up ----------------------------------------------------------------------------------------


def test_lookup_with_and_without_backslash() -> None:
    assert lexicon().lookup("BesselJ") is lexicon().lookup(r"\BesselJ") is not None
    assert lexicon().lookup("NoSuchMacro") is None
    assert r"\BesselJ" in lexicon() and "BesselJ" not in lexicon()


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("10.2.E2", "https://dlmf.nist.gov/10.2#E2"),
        ("10.2", "https://dlmf.nist.gov/10.2"),
        ("19.2.Ex1", "https://dlmf.nist.gov/19.2#Ex1"),
        ("", ""),
    ],
)
def test_dlmf_url(reference: str, url: str) -> None:
    assert macro_from_entry(BESSEL | {"dlmf": reference}).dlmf_url == url


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("BesselJ", r"\BesselJ"),
        (r"\BesselJ", r"\BesselJ"),
        ("besselj", r"\BesselJ"),
        ("digamma", r"\digamma"),
        ("gamma function", r"\EulerGamma"),
        (r"\Gamma", r"\EulerGamma"),
        ("modified bessel second", r"\modBesselK"),
        ("elliptic integral third incomplete", r"\incellintPik"),
        (r"\wp", r"\Weierstrassplatt"),
        ("binomial", r"\binom"),
    ],
)
def test_search_puts_the_obvious_macro_first(words: str, first: str) -> None:
    assert lexicon().search(words)[0].name == first


def test_search_wants_every_word() -> None:
    assert all("zeta" in macro.meaning.lower() for macro in lexicon().search("zeta hurwitz"))
    assert lexicon().search("hurwitz cosine") == []


def test_search_without_words_gives_everything() -> None:
    assert len(lexicon().search("")) == len(lexicon())


def test_near_misses_forgive_a_slip() -> None:
    assert r"\BesselJ" in [macro.name for macro in lexicon().near("BeselJ")]
    assert any("Legendre" in macro.meaning for macro in lexicon().near("legandre"))
    assert lexicon().near("qqqqqqqq") == []


def test_extended_replaces_and_adds_without_touching_the_original() -> None:
    mine = macro_from_entry(BESSEL | {"meaning": "mine"})
    larger = lexicon().extended([mine])
    assert larger.lookup("BesselJ") == mine and len(larger) == len(lexicon())
    assert lexicon().lookup("BesselJ") != mine
    assert [macro.name for macro in Lexicon([mine])] == [r"\BesselJ"]


# -- entries that are wrong ----------------------------------------------------------------------------


def _without(key: str) -> dict[str, object]:
    return {name: value for name, value in BESSEL.items() if name != key}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("text", "a macro is an object"),
        (_without("name"), "not a backslash"),
        (BESSEL | {"name": "BesselJ"}, "not a backslash"),
        (_without("meaning"), "meaning is missing"),
        (BESSEL | {"meaning": " "}, "meaning is empty"),
        (BESSEL | {"variables": "1"}, "variables must be of type int"),
        (BESSEL | {"variables": True}, "variables must be of type int"),
        (BESSEL | {"variables": -1}, "must be 0 to"),
        (BESSEL | {"variables": 10**9}, "must be 0 to"),
        (BESSEL | {"colour": "red"}, "unknown field colour"),
        (BESSEL | {"dlmf": "javascript:alert(1)"}, "not a DLMF reference"),
        (BESSEL | {"ats": [1, 0]}, "ascending"),
        (BESSEL | {"ats": [0, 1, 2]}, "but the templates have [0, 1]"),
        (BESSEL | {"by": 3, "variables_by": {"1": 1}}, "index of a parameter"),
        (BESSEL | {"variables_by": {"1": 5}}, "from 0 to variables"),
        (BESSEL | {"synonym": "J"}, "not a macro name"),
        (BESSEL | {"templates": {}}, "at least one template"),
        (BESSEL | {"templates": {r"\BesselJ{#1}": 3}}, "not a text"),
        (BESSEL | {"templates": {r"\BesselY{#1}@{#2}": "Y"}}, "not one call"),
        (BESSEL | {"templates": {r"\BesselJ{#1}@{#2}{#3}": "J_{#1}#2#3"}}, "not one call"),
        (BESSEL | {"templates": {r"\BesselJ@{#1}": "J#1"}}, "has 0 parameters, not 1"),
        (BESSEL | {"templates": {r"\BesselJ{#1}@": "J_{#1}"}}, "has 0 variables, not 1"),
        (BESSEL | {"templates": {r"\BesselJ{#2}@{#1}": "J_{#1}#2"}}, "numbered in order"),
        (BESSEL | {"templates": {r"\BesselJ{#1}@{#2}": "J_{#1}"}}, "different holes"),
        (BESSEL | {"templates": {r"\BesselJ{#1}#'@{#2}": "J_{#1}#2"}}, "different holes"),
        (BESSEL | {"templates": {r"\BesselJ{#1}@{#2}": r"J_{#1}\left(#2"}}, "never closed"),
        (BESSEL | {"templates": {r"\BesselJ#'{#1}@{#2}": r"J#'_{#1}\left(#2\right)"}}, "stands before @"),
    ],
)
def test_a_wrong_entry_is_refused_with_the_reason(entry: object, message: str) -> None:
    with pytest.raises(TexliftError, match=re.escape(message)):
        macro_from_entry(entry)


def test_read_lexicon_reads_what_it_should(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"macros": [BESSEL]}))
    (macro,) = read_lexicon(path)
    assert isinstance(macro, Macro) and macro.signature.parameters == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot read the lexicon"),
        ("[]", "is not a lexicon"),
        (json.dumps({"macros": [BESSEL, BESSEL]}), "entry 2: \\BesselJ stands there twice"),
        (json.dumps({"macros": [BESSEL, {}]}), "entry 2: the name None"),
        ("[" * 100_000, "cannot read the lexicon"),
        ("\udcff", "cannot read the lexicon"),
    ],
)
def test_read_lexicon_names_the_place_of_an_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(TexliftError, match=re.escape(message)):
        read_lexicon(path)


# -- the corpus ----------------------------------------------------------------------------------------


@pytest.mark.skipif("TEXLIFT_DATA" not in os.environ, reason="TEXLIFT_DATA is not set: no DLMF pairs")
def test_every_call_of_the_corpus_has_the_arguments_of_its_macro() -> None:
    path = Path(os.environ["TEXLIFT_DATA"]) / "dlmf.jsonl"
    formulae = {json.loads(line)["semantic"] for line in path.read_text("utf-8").splitlines()}
    layouts = {
        (call.name, len(call.options), len(call.parameters), _segments(call))
        for macro in lexicon()
        for form, _ in macro.templates
        for call in _calls(parse(form.replace(SCRIPT_POINT, ""), SIGNATURES))
    }
    broken = []
    strange = set()
    for formula in formulae:
        try:
            nodes = parse(formula, SIGNATURES)
        except FormulaError:
            broken.append(formula)
            continue
        for call in _calls(nodes):
            layout = (call.name, len(call.options), len(call.parameters), _segments(call))
            if layout not in layouts:
                strange.add(layout)
    assert len(broken) <= 1
    # Two slips of the gold, which mark an argument as hidden where the macro never hides one.
    assert {name for name, *_ in strange} <= {r"\CarlsonsymellintRD", r"\ChebyshevpolyW"}


def _segments(call: Call) -> tuple[tuple[int, int], ...]:
    return tuple((ats, len(variables)) for ats, variables in call.segments)


def _calls(node: object) -> list[Call]:
    """All calls in a tree of nodes, found through the fields of the nodes."""
    found = []
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, list | tuple):
            stack.extend(node)
        elif hasattr(node, "__slots__"):
            if isinstance(node, Call):
                found.append(node)
            stack.extend(getattr(node, slot) for slot in node.__slots__)
    return found
