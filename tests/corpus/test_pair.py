import pytest

from texlift.corpus.pair import Constraint, Pair, Symbol
from texlift.errors import TexliftError

FULL = Pair(
    id="E1",
    generic=r"\Gamma(z)",
    semantic=r"\EulerGamma@{z}",
    context={"chapter": "Gamma Function", "sentence": "Let $z$ be complex."},
    kind="equation",
    section="5.2",
    constraints=(Constraint(r"\Re z>0", r"\realpart@@{z}>0"),),
    symbols=(Symbol("z", "z", "complex variable", "defined"),),
    fold=3,
    section_fold=0,
)


def test_a_pair_survives_its_json_form() -> None:
    assert Pair.from_dict(FULL.as_dict()) == FULL
    small = Pair("1", "x", "x", "some words")
    assert Pair.from_dict(small.as_dict()) == small
    assert "fold" not in small.as_dict()


def test_unknown_fields_are_ignored() -> None:
    assert Pair.from_dict({"id": "a", "generic": "x", "semantic": "x", "colour": 1}).generic == "x"


def test_chapter_and_context_in_both_forms() -> None:
    assert FULL.chapter == "Gamma Function"
    assert FULL.context_text == "Gamma Function\nLet $z$ be complex."
    assert Pair("1", "x", "x", "words", section="5.2").chapter == "5"
    assert FULL.trivial is False


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"semantic": "x"}, "generic"),
        ({"generic": "x"}, "semantic"),
        ({"generic": 1, "semantic": "x"}, "generic"),
        ({"generic": "x", "semantic": "x", "context": ["a"]}, "context"),
        ({"generic": "x", "semantic": "x", "kind": "poem"}, "kind"),
        ({"generic": "x", "semantic": "x", "fold": -1}, "fold"),
        ({"generic": "x", "semantic": "x", "fold": True}, "fold"),
        ({"generic": "x", "semantic": "x", "symbols": ["a"]}, "symbols"),
        ({"generic": "x", "semantic": "x", "constraints": {"a": 1}}, "constraints"),
    ],
)
def test_errors_name_the_field(record: dict[str, object], field: str) -> None:
    with pytest.raises(TexliftError, match=field):
        Pair.from_dict(record, "1")
