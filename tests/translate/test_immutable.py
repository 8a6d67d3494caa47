"""What one step hands to the next is never changed: not its fields, not the arrays that are kept between formulae."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texlift.context.passage import passage
from texlift.scorer.batch import Batch, Hidden, collate
from texlift.scorer.encoding import Encoded
from texlift.translate.model import packaged_model
from texlift.translate.preparation import Preparation, Work
from texlift.translate.scores import Scorer, Scores, caution, chosen, with_priors
from texlift.translate.translator import Translator

FORMULA = r"J_{\nu}(z)+P_n(x)"
CONTEXTS: list[Any] = [
    None,
    "Bessel functions",
    {"chapter": "Bessel Functions", "section": "Zeros", "sentence": rf"the Bessel function ${FORMULA}$ of $J$"},
]


@pytest.fixture(scope="module")
def works() -> list[Work]:
    found = Preparation(packaged_model()).ready([(FORMULA, context) for context in CONTEXTS], constants=False)
    return [work for work in found if isinstance(work, Work)]


@pytest.fixture(scope="module")
def formulae(works: list[Work]) -> list[Encoded]:
    return [work.encoded for work in works if work.encoded is not None]


def batch_of(formulae: list[Encoded], hidden: Hidden | None = None) -> Batch:
    model = packaged_model()
    memory = model.memory.columns([formula.symbols for formula in formulae])
    return collate(formulae, model.slots, model.config.table_bits, memory, hidden)


def scores_of(formulae: list[Encoded]) -> list[Scores]:
    model = packaged_model()
    memory = model.memory.columns([formula.symbols for formula in formulae])
    return list(Scorer(model.weights, model.config, model.slots, model.tuning)(formulae, memory))


def parts(value: Any) -> Iterator[Any]:
    """A dataclass or named tuple and all that it is made of."""
    yield from [value] if names(value) else []
    for name in names(value):
        yield from parts(getattr(value, name))


def names(value: Any) -> tuple[str, ...]:
    """The names of the fields of a dataclass or named tuple."""
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(field.name for field in fields(value))
    return tuple(getattr(value, "_fields", ()))


def arrays(value: Any) -> list[NDArray[Any]]:
    """All arrays that a dataclass or named tuple is made of."""
    return [
        inner for part in parts(value) for name in names(part) if isinstance(inner := getattr(part, name), np.ndarray)
    ]


def test_fields_cannot_be_assigned(works: list[Work], formulae: list[Encoded]) -> None:
    batch = batch_of(formulae)
    handed = (formulae[0], batch, batch.merged(), scores_of(formulae)[0], works[0], passage(FORMULA, CONTEXTS[2]))
    seen = set()
    for whole in handed:
        for part in parts(whole):
            seen.add(type(part).__name__)
            for name in names(part):
                with pytest.raises(AttributeError):
                    setattr(part, name, None)
    assert {"Encoded", "Tree", "Places", "Readings", "Symbols", "Words"} <= seen
    assert {"Batch", "Trees", "Subtrees", "Bag", "Ties", "Crossed", "Scores", "Work", "Passage"} <= seen


def test_a_batch_shares_no_array_with_its_formulae(formulae: list[Encoded]) -> None:
    """Training writes to the arrays of a batch, also of one with a single formula."""
    nothing = np.zeros(1, bool)
    for formula in formulae:
        for hidden in (None, Hidden(nothing, nothing, nothing, lambda formula, rule, macro: (rule, macro))):
            for ours in arrays(batch_of([formula], hidden)):
                assert not any(np.shares_memory(ours, theirs) for theirs in arrays(formula))


def test_scoring_and_hiding_change_no_formula(formulae: list[Encoded]) -> None:
    before = [array.tobytes() for formula in formulae for array in arrays(formula)]
    everything = np.ones(len(formulae), bool)
    batch_of(formulae, Hidden(everything, everything, everything, lambda formula, rule, macro: (rule, macro)))
    batch_of(formulae).merged()
    scores_of(formulae)
    assert [array.tobytes() for formula in formulae for array in arrays(formula)] == before


def test_merging_leaves_a_batch_as_it_was(formulae: list[Encoded]) -> None:
    batch = batch_of(formulae)
    before = [array.tobytes() for array in arrays(batch)]
    batch.merged()
    assert [array.tobytes() for array in arrays(batch)] == before


def test_priors_leave_scores_as_they_were(formulae: list[Encoded]) -> None:
    scores = scores_of(formulae)[0]
    before = ([list(own) for own in scores.all], [[list(own) for own in part] for part in scores.parts])
    preferred = chosen(formulae[0], lambda symbol, macro: 3.0 if macro else 0.0, {})
    other = with_priors(scores, [preferred, caution(formulae[0], 2.0)])
    assert other.all != before[0]
    assert ([list(own) for own in scores.all], [[list(own) for own in part] for part in scores.parts]) == before


def test_a_context_does_not_change_what_is_kept_of_a_formula() -> None:
    """The readings of a formula are kept whatever its context: what is added for one is not there for the next."""
    preparation = Preparation(packaged_model())

    def encoded(context: Any, document: bool = False) -> list[bytes]:
        asked = [(FORMULA, context), (r"f\left(x\right)", None)]
        work = preparation.ready(asked, constants=False, document=document)[0]
        assert isinstance(work, Work) and work.encoded is not None
        return [array.tobytes() for array in arrays(work.encoded)]

    first = [encoded(context) for context in CONTEXTS]
    assert len({tuple(one) for one in first}) == len(CONTEXTS)
    kept = preparation._known(FORMULA)._sketches[False]
    before = [array.tobytes() for array in arrays(kept)]
    for context in (*CONTEXTS[::-1], "letters"):
        encoded(context, document=True)
        encoded(context)
    assert [array.tobytes() for array in arrays(preparation._known(FORMULA)._sketches[False])] == before
    assert [encoded(context) for context in CONTEXTS] == first


def test_answers_do_not_change_what_comes_later() -> None:
    """A, B, A: the second answer to A is the first, and that has not changed in the meantime."""
    translator = Translator(packaged_model())
    first = [translator.translate(FORMULA, context, constants=marked) for context in CONTEXTS for marked in (0, 1)]
    shown = [repr(answer) for answer in first]
    for context in ("Probability", {"section": "Legendre Polynomials"}):
        translator.translate(FORMULA, context)
        translator.translate(FORMULA, context, prefer=lambda symbol, macro: -9.0 if macro else 0.0)
        list(translator.translate_many([(FORMULA, context), (r"P_n\left(x\right)=1", None)], document=True))
    again = [translator.translate(FORMULA, context, constants=marked) for context in CONTEXTS for marked in (0, 1)]
    assert [repr(answer) for answer in first] == shown == [repr(answer) for answer in again]
    assert again == first
    with pytest.raises(FrozenInstanceError):
        first[0].semantic = ""  # type: ignore[misc]
