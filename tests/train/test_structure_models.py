"""Gold from operator trees, and figures that come from formulae the model has not seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from texlift.corpus.kinds import KINDS, kind_of_meaning, letter_name
from texlift.corpus.structure import (
    APPLICATION,
    PRODUCT,
    Structured,
    bare_gold,
    bracket_gold,
    default_products,
    letter_gold,
    read_structured,
)
from texlift.train.structure import APPLICATIONS, Example, applications, fit, held_out, letters


def formula(generic: str, tree: object, meanings: tuple[str, ...] = (), fold: int = 0) -> Structured:
    return Structured("1.1", "Notation", generic, tree, meanings, fold)


APPLIED = formula(
    r"f\left(x\right)+n(n+1)",
    ["row", ["row", ["f", 0], APPLICATION, ["row", "(", "x", ")"]], "+",
     ["row", ["n", 1], PRODUCT, ["row", "(", ["row", ["n", 1], "+", "1"], ")"]]],
    ("function", "nonnegative integer"),
)  # fmt: skip


def test_gold_of_brackets_letters_and_bare_places() -> None:
    assert bracket_gold(APPLIED) == [APPLICATION, PRODUCT]
    assert letter_gold(APPLIED)[:2] == [("f", "function"), ("n", "nonnegative integer")]
    bare = formula(r"2\sin x", ["row", "2", PRODUCT, ["row", "sin", APPLICATION, "x"]])
    assert sorted(bare_gold(bare)) == [("2", PRODUCT), ("sin", APPLICATION)]


def test_places_of_the_source_are_matched_with_the_tree() -> None:
    found = applications([APPLIED])
    assert [(one.gold, one.group, one.trusted) for one in found] == [
        ("application", "letter", True),
        ("product", "letter", True),
    ]


def test_a_product_whose_brackets_nobody_needs_is_not_trusted() -> None:
    default = formula("p(x)", ["row", "p", PRODUCT, ["row", "(", "x", ")"]])
    assert [one.trusted for one in applications([default])] == [False]


def test_the_order_of_a_derivative_is_no_operator() -> None:
    meanings = ("derivative of 𝑓 with respect to 𝑥", "function")
    tree = ["row", ["frac", ["sup", ["d", 0], ["n", 0]], ["row", ["d", 0], "x"]], ["f", 1]]
    found = letters([formula(r"\frac{d^n}{dx}f", tree, meanings)])
    assert {(one.note[0], one.gold) for one in found} == {("d", "operator"), ("f", "function")}


def test_letters_and_their_kinds() -> None:
    assert {(one.gold, one.note[0]) for one in letters([APPLIED])} == {("function", "f"), ("nonnegative integer", "n")}


@pytest.mark.parametrize(
    ("meaning", "kind"),
    [
        ("nonnegative integer", "nonnegative integer"),
        ("Bessel function of the first kind", "function"),
        ("complex variable", "complex"),
        ("real or complex parameter", "parameter"),
        ("real symmetric matrix", "matrix"),
        ("generalized hypergeometric function of matrix", "function"),
        ("prime numbers", "prime"),
        ("imaginary unit", "constant"),
        ("set of all integers", "set"),
        ("polynomial coefficient", "sequence"),
        ("eigenvalues of the spheroidal differential equation", "sequence"),
        ("real or complex variable not equal to zero", "complex"),
        ("zeros", "sequence"),
        ("phase of Bessel functions", "function"),
        ("real part of 𝑧", "real"),
        ("real part", "operator"),
        ("𝛼", ""),
    ],
)
def test_kinds_of_meanings(meaning: str, kind: str) -> None:
    assert kind_of_meaning(meaning) == kind
    assert not kind or kind in KINDS


def test_letters_of_trees_as_formulae_write_them() -> None:
    assert [letter_name(sign) for sign in ("x", "ν", "𝐮", "+", "sin")] == ["x", r"\nu", r"\mathbf{u}", "", ""]


def test_held_out_probabilities_do_not_know_their_own_fold() -> None:
    examples = []
    for fold in range(3):
        for _ in range(20):
            # what is said of the folds' own features is seen in no other fold
            examples.append(Example(("always", f"only {fold}", "shared"), "application", fold))
            examples.append(Example(("always", f"other {fold}"), "product", fold))
    shares = held_out(examples, APPLICATIONS)
    assert fit(examples, APPLICATIONS).weights["only 0"]
    applied = {
        round(share["application"], 6) for share, one in zip(shares, examples, strict=True) if "shared" in one.features
    }
    assert len(applied) == 1  # decided by what the folds share, the same in each
    assert applied.pop() > 0.5


@pytest.mark.parametrize(
    ("tree", "meanings", "default"),
    [
        (["row", "p", PRODUCT, ["row", "(", "x", ")"]], (), True),
        (["row", ["sub", ["p", 0], "n"], PRODUCT, ["row", "(", ["row", "x", ",", "y"], ")"]], ("function",), True),
        (["row", ["p", 0], PRODUCT, ["row", "(", "x", ")"]], ("real parameter",), False),
        (["row", "p", PRODUCT, ["row", "(", ["row", "x", "+", "1"], ")"]], (), False),
        (["row", "p", PRODUCT, ["sup", ["row", "(", "x", ")"], "2"]], (), False),
        (["row", ["frac", "p", "q"], PRODUCT, ["row", "(", "x", ")"]], (), False),
        (["row", "p", APPLICATION, ["row", "(", "x", ")"]], (), False),
    ],
)
def test_products_that_the_editors_did_not_ask_for(tree: object, meanings: tuple[str, ...], default: bool) -> None:
    assert default_products(formula("p(x)", tree, meanings)) == [default]


def test_sentences_come_from_the_file_of_pairs(tmp_path: Path) -> None:
    record = {"section": "1.1", "title": "Notation", "generic": r"x_{n}", "tree": "x", "meanings": []}
    pair = {"section": "1.1", "generic": "x_n", "context": {"sentence": "where $n$ is an integer"}}
    trees, pairs = tmp_path / "trees.jsonl", tmp_path / "pairs.jsonl"
    trees.write_text(json.dumps({**record, "section_fold": 0}), "utf-8")
    pairs.write_text(json.dumps(pair), "utf-8")
    assert [one.sentence for one in read_structured(trees, pairs)] == ["where $n$ is an integer"]
    assert [one.sentence for one in read_structured(trees)] == [""]
