"""An encoded formula in its context: the features that depend on what is said around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from texlift.context.exactness import EXACT
from texlift.context.memory import context_keys
from texlift.context.overlap import Overlap, overlap
from texlift.context.passage import Surroundings, surroundings
from texlift.latex.canonical import Row
from texlift.scorer.encoded import Encoded, Ints, Sketch

__all__ = ["MENTION_COLUMNS", "SENTENCE_COLUMNS", "TITLE_COLUMN", "in_context"]

TITLE_COLUMN = 15  # reading features that compare the macro's meaning with the titles
SENTENCE_COLUMNS = (16, 17, 18)  # with the sentence, the words next to the formula, those next to the symbol
MENTION_COLUMNS = (29, 31)  # place features: how the symbol occurs in the sentence, how formulae are written there
_SCRIPTS: Final = frozenset("_'^")


def in_context(
    sketch: Sketch,
    latex: str,
    context: str | Mapping[str, str],
    numbered: Callable[[tuple[str, ...]], Ints],
    spelled: str | None = None,
) -> Encoded:
    """The formula with the source `latex` in its context, which spells it so, if otherwise.

    `numbered` gives the numbers of words.
    """
    formula = sketch.formula
    around = surroundings(latex, context, spelled)
    titles, sentence, beside = tuple(around.titles), tuple(around.sentence), tuple(around.beside)
    said: list[int] = []  # with the titles, the sentence and the words beside, each for all macros and at last for none
    for words in (titles, sentence, beside):
        said += overlap(words).of_each(sketch.names)
        said.append(0)
    reading_features = formula.reading_features.copy()
    # -1, the literal reading, is the last
    columns = np.array(said, np.int32).reshape(3, -1).take(sketch.reading_name, 1, mode="wrap")
    reading_features[:, TITLE_COLUMN : TITLE_COLUMN + 3] = columns.T
    if around.named:
        at = 0
        for place in formula.places:
            naming = _named_at(place.row, place.position, latex, around.named)
            if naming is not None:
                own = naming.of_each([match.rule.name for match in place.matches])
                reading_features[at + 1 : at + 1 + len(own), SENTENCE_COLUMNS[-1]] = own
            at += 1 + len(place.matches)
    place_features = formula.place_features
    if around.present or around.written:
        place_features = place_features.copy()
        if around.present:
            place_features[:, MENTION_COLUMNS[0]] = _mentions(sketch, around)
        if around.written:
            place_features[:, MENTION_COLUMNS[1]] = sketch.exact + (1 + (EXACT + 1) * around.written)
    return Encoded(
        formula.labels,
        formula.styles,
        formula.left,
        formula.right,
        formula.places,
        formula.place_node,
        place_features,
        formula.reading_place,
        formula.reading_rule,
        formula.reading_macro,
        formula.reading_shape,
        formula.reading_nodes,
        reading_features,
        formula.bag,
        numbered(titles),
        numbered(tuple([title for title in titles if title[0] == "="])),
        numbered(sentence),
        np.array(around.near, np.int32),
        np.array(around.math, np.int32),
        formula.place_group,
        formula.depth,
        formula.where,
        formula.place_keys,
        formula.reading_keys,
        formula.reading_fenced,
        formula.reading_words,
        formula.writing | around.writing,
        formula.elsewhere,
        formula.typed,
        context_keys(context, sentence),
    )


def _named_at(row: Row, position: int, latex: str, named: Mapping[str, list[str]]) -> Overlap | None:
    """What the sentence says next to the symbol at a place, with its scripts or without."""
    elements = row.elements
    start = elements[position].start
    end = position + 1
    while end < len(elements) and elements[end].label in _SCRIPTS:
        end += 1
    words = named.get(latex[start : elements[end - 1].end]) or named.get(latex[start : elements[position].end])
    return overlap(tuple(words)) if words else None


def _mentions(sketch: Sketch, around: Surroundings) -> list[int]:
    """How the symbol of each place occurs in the sentence."""
    present, called = around.present, around.called
    values = []
    for place, kind in zip(sketch.formula.places, sketch.kinds, strict=True):
        plain = place.row.elements[place.position].label.rpartition(":")[2].removeprefix("\\")
        values.append(1 + ((plain in present) + 2 * (plain in called)) * 3 + kind)
    return values
