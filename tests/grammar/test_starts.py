"""Matchers are made when a label comes up, and rules that match in the same ways share a number."""

from __future__ import annotations

from texlift.grammar.matching import Matcher
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical


def _made(reader: Reader) -> list[Matcher]:
    return list(reader._matchers.values())


def test_only_rules_that_may_match_get_a_matcher() -> None:
    reader = Reader(packaged_grammar())
    before = len(_made(reader))
    reader.read(canonical(r"J_\nu(z)"))
    made = _made(reader)
    assert before < len(made) < before + 100 < len(packaged_grammar().rules)
    assert any(matcher.rule.name == r"\BesselJ" for matcher in made)


def test_a_number_stands_for_one_way_to_match() -> None:
    reader = Reader(packaged_grammar())
    for formula in (r"J_\nu(z)+\Gamma(z)\sin x", r"\int_0^\infty e^{-t}\,dt", r"K(k)+E(k)-\theta_1(z,q)"):
        reader.read(canonical(formula))
    ways: dict[int, set[tuple[int, bool, str]]] = {}
    for matcher in _made(reader):
        ways.setdefault(matcher.kind, set()).add((matcher.longest, matcher.open, matcher.rule.generic))
    assert len(ways) > 20
    assert all(len(same) == 1 for same in ways.values())
