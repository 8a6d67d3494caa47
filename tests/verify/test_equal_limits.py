"""What happens with answers that are made to hang, crash or mislead: a verdict, and the next pair goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("flint")

from texlift.errors import TexliftError
from texlift.verify.equality import Equality, Options, Pair, equal, equal_all

LONG = "+".join(f"x^{{{power}}}" for power in range(800))
HOSTILE = [
    ("9^{9^{9^{9}}}", "9^{9^{9^{9}}}+1"),
    ("2^{2^{2^{2^{2^{2}}}}}", "x"),
    ("(10^{9})!", "(10^9)!+1"),
    (r"\begin{pmatrix}1&2\\3\end{pmatrix}", r"\begin{pmatrix}1&2\\3\end{pmatrix}"),
    (r"\frac10", "1"),
    (r"\frac{1}{x-x}", "1"),
    (r"\ln 0", "0"),
    ("(" * 3000 + "x" + ")" * 3000, "x"),
    ("1" * 9000, "1" * 8999 + "2"),
    ("{" * 5000, "x"),
    ("$" * 999, "x"),
    ("", ""),
    ("x=", "x"),
    ("\x00", "1"),
    (r"e^{e^{e^{e^{10}}}}", r"e^{e^{e^{e^{10}}}}+1"),
    (r"\tan\frac{\pi}{2}", "0"),
]


@pytest.mark.parametrize(("a", "b"), HOSTILE)
def test_what_cannot_be_decided_is_undecided_with_a_reason(a: str, b: str) -> None:
    found = equal(a, b, seconds=2)
    assert found.verdict == "undecided"
    assert found.reason


def test_the_batch_goes_on_behind_a_pair_that_takes_too_long() -> None:
    pairs = [Pair("1", "1.0"), Pair(r"\sum_{k=1}^{10^{12}}\frac{1}{k+\sqrt{k}}", "26"), Pair("1", "2")]
    verdicts = [found.verdict for found in equal_all(pairs, seconds=2)]
    assert verdicts == ["equal", "undecided", "different"]


def test_long_answers_are_compared() -> None:
    assert equal(LONG, LONG).is_equal
    assert equal(LONG, LONG + "+1").verdict == "different"


@pytest.mark.parametrize("where", [["x>5", "x<3"], [r"x^2<0"]])
def test_contradictory_conditions_decide_nothing(where: list[str]) -> None:
    assert equal("x^2+x", "x(x+2)", where=where, seconds=2).verdict == "undecided"


def test_a_condition_that_is_not_understood_decides_nothing() -> None:
    assert equal(r"\sqrt{x^2}", "x", where="x is lovely").verdict == "undecided"


def test_answers_do_not_depend_on_threads() -> None:
    pairs = [("x^2+2x+1", "(x+1)^2"), (r"\sin 2x", r"2\sin x\cos x"), ("x^2=4", "x=2"), (r"\sqrt8", r"2\sqrt2")] * 8
    alone = [equal(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: equal(*pair), pairs)) == alone


def test_the_same_pair_has_the_same_verdict_each_time() -> None:
    assert equal(r"\tan x", r"\cot x") == equal(r"\tan x", r"\cot x")


def test_a_counterexample_names_a_point_and_both_values() -> None:
    found = equal("x^2", "x^3")
    assert found.counterexample is not None
    (value,) = found.counterexample["point"].values()
    assert found.counterexample["a"] == str(value**2)
    assert found.counterexample["b"] == str(value**3)


@pytest.mark.parametrize(
    "fields",
    [{"a": "1"}, {"a": "1", "b": 2}, {"a": "1", "b": "2", "where": 3}, {"a": "1", "b": "2", "options": {"x": 1}},
     {"a": "1", "b": "2", "options": {"tolerance": -1}}, {"a": "1", "b": "2", "options": []},
     {"a": "1", "b": "2", "declare": {"n": "cheese"}}],
)  # fmt: skip
def test_a_pair_that_is_none_is_an_error(fields: dict) -> None:
    with pytest.raises(TexliftError):
        Pair.of(fields)


def test_a_pair_survives_its_way_to_a_worker() -> None:
    fields = {"a": "x", "b": "y", "where": "x>0", "declare": {"n": "positive integer"}, "options": {"form": True}}
    pair = Pair.of(fields)
    assert Pair.of(pair.as_fields()) == pair
    assert pair.options == Options(form=True)


def test_only_the_verdict_equal_counts_as_equal() -> None:
    assert Equality("equal").is_equal
    assert not Equality("different").is_equal
    assert not Equality("undecided").is_equal
