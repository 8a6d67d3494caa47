"""Formulae in the order of a text tell each other's sections; in no order they do not."""

from __future__ import annotations

import numpy as np

from texlift.context.succession import Succession

COUNT = 80
SECTIONS = Succession(np.arange(COUNT) // 4)  # four in each chapter


def looks_like(section: int, how: float = 8.0) -> list[float]:
    """A formula that is much likelier in one section than in any other."""
    return [how * (at == section) for at in range(COUNT)]


def either(first: int, second: int) -> list[float]:
    return [8.0 * (at in (first, second)) for at in range(COUNT)]


def test_a_formula_between_two_of_a_section_is_from_it() -> None:
    likely = SECTIONS.likely(np.array([looks_like(2), either(2, 60), looks_like(2)]))
    assert likely is not None
    assert likely[1].argmax() == 2
    assert likely[1, 2] > 0.9 > likely[1, 60]


def test_what_comes_behind_tells_as_much_as_what_came_before() -> None:
    forwards = SECTIONS.likely(np.array([either(1, 70), looks_like(1), looks_like(1), looks_like(0)]))
    backwards = SECTIONS.likely(np.array([looks_like(0), looks_like(1), looks_like(1), either(1, 70)]))
    assert forwards is not None
    assert backwards is not None
    np.testing.assert_allclose(forwards, backwards[::-1])


def test_the_next_section_is_mostly_of_the_same_chapter() -> None:
    likely = SECTIONS.likely(np.array([looks_like(0), looks_like(0), either(1, 50), looks_like(1)]))
    assert likely is not None
    assert likely[2].argmax() == 1


def test_probabilities_are_probabilities() -> None:
    likely = SECTIONS.likely(np.array([looks_like(k // 4) for k in range(20)]))
    assert likely is not None
    np.testing.assert_allclose(likely.sum(1), 1.0)


def test_formulae_of_many_texts_say_nothing_about_each_other() -> None:
    shuffled = np.array([looks_like(k) for k in (0, 50, 22, 71, 44, 66, 13, 35, 5, 60, 77, 28)])
    assert SECTIONS.likely(shuffled) is None


def test_formulae_that_look_like_nothing_are_in_no_order() -> None:
    assert SECTIONS.likely(np.zeros((10, COUNT))) is None


def test_unlikely_beyond_what_a_number_can_hold_is_no_error() -> None:
    likely = SECTIONS.likely(np.array([looks_like(2, 5000.0), looks_like(2, 5000.0), looks_like(3, 5000.0)]))
    assert likely is not None
    assert np.isfinite(likely).all()
