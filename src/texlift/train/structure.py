"""Fitting the linear models of `texlift.meaning.structure` to the editors' operator trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from texlift.corpus.kinds import kind_of_meaning, letter_name
from texlift.corpus.structure import APPLICATION, Structured, bracket_gold, default_products, letter_gold
from texlift.errors import TexliftError
from texlift.latex.nodes import Command, Delimited, Leaf, Node, Row, Scripted, Text
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures
from texlift.meaning.structure.linear import SCALE, Linear
from texlift.meaning.structure.places import Usage, places_of, usage_of
from texlift.meaning.structure.signs import OPENERS, items_of, rows_in
from texlift.meaning.structure.uses import features_of, said_around, uses_of

__all__ = ["APPLICATIONS", "FEWEST_OF_KINDS", "Example", "applications", "fit", "held_out", "letters"]

APPLICATIONS = ("product", "application")
"""What a bracket behind a letter may be."""

FEWEST_OF_KINDS = 10
"""Examples from which on a feature says something about the kind of a letter."""

_LEAST = 3  # hundredths: smaller weights are left out
_LEAST_OF_MANY = 9  # the same where there are more than two classes


@dataclass(frozen=True, slots=True)
class Example:
    """Features and gold of one decision; `trusted` is false where the gold is likely a default of the converter."""

    features: tuple[str, ...]
    gold: str
    fold: int
    group: str = ""  # what it is reported with
    trusted: bool = True
    default: bool = False  # whether the gold is a product by default, as its tree shows
    note: str = ""


def applications(formulae: Sequence[Structured]) -> list[Example]:
    """Every place before a bracket for which the tree says application or product.

    A letter whose role the editors did not give is multiplied by default: `f(x)` too. Gold that calls it a product
    where a product would need no bracket is not trusted. It is left out of training, never out of the raw figures.
    """
    parsed = [(formula, nodes) for formula in formulae if (nodes := _parsed(formula.generic)) is not None]
    uses = [usage_of(nodes) for _, nodes in parsed]
    documents: dict[str, Usage] = {}
    for (formula, _), usage in zip(parsed, uses, strict=True):
        document = documents.setdefault(formula.section, Usage.empty())
        document.add(usage)
    found: list[Example] = []
    for (formula, nodes), usage in zip(parsed, uses, strict=True):
        gold = bracket_gold(formula)
        brackets = _brackets(nodes)
        if len(gold) != len(brackets):
            continue
        sign_at = dict(zip(brackets, gold, strict=True))
        default_at = dict(zip(brackets, default_products(formula), strict=True))
        for place in places_of(nodes, documents[formula.section].without(usage)):
            sign = sign_at.get(place.start, "")
            if not sign:
                continue
            kind = "application" if sign == APPLICATION else "product"
            group = "letter" if place.is_letter else "other"
            trusted = not (kind == "product" and place.idle)
            note = formula.generic[max(0, place.start - 30) : place.start + 20]
            default = default_at[place.start]
            found.append(Example(place.features, kind, formula.section_fold, group, trusted, default, note))
    return found


def _parsed(source: str) -> Row | None:
    try:
        return parse(source, generic_signatures())
    except TexliftError:
        return None


def _brackets(nodes: Row) -> list[int]:
    """Where opening brackets stand, in reading order; negative numbers for those of a binomial coefficient."""
    found: list[int] = []
    stack: list[Node | Row] = [nodes]
    while stack:
        top = stack.pop()
        if isinstance(top, list):
            stack.extend(reversed(items_of(top)))
            continue
        core = top.base if type(top) is Scripted else top
        if (type(core) is Delimited and core.left in OPENERS) or (type(core) is Leaf and core.text in OPENERS):
            found.append(top.start)
        elif type(core) is Command and core.name == r"\genfrac":
            first = core.arguments[0]
            shown = first.body if type(first) is Text else first.text if type(first) is Leaf else ""
            if shown in OPENERS:
                found.append(-len(found) - 1)
        stack.extend(reversed(rows_in(top)))
    return found


# -- fitting ---------------------------------------------------------------------------------------------


def fit(examples: Sequence[Example], classes: Sequence[str], strength: float = 0.3, fewest: int = 3) -> Linear:
    """A model of the trusted examples; a feature gets a weight from `fewest` examples on. Needs scikit-learn."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    trusted = [example for example in examples if example.trusted]
    counts = Counter(feature for example in trusted for feature in example.features)
    names = [name for name, count in counts.items() if count >= fewest]
    column = {name: index for index, name in enumerate(names)}
    pointers: list[int] = [0]
    indices: list[int] = []
    for example in trusted:
        indices.extend({column[name] for name in example.features if name in column})
        pointers.append(len(indices))
    values = csr_matrix(
        (np.ones(len(indices)), np.array(indices, "int32"), np.array(pointers, "int32")),
        shape=(len(trusted), len(names)),
    )
    gold = np.array([classes.index(example.gold) for example in trusted])
    model = LogisticRegression(C=strength, max_iter=300, tol=1e-3, fit_intercept=False)
    model.fit(values, gold)
    weights: dict[str, dict[int, int]] = {}
    least = _LEAST if len(classes) == 2 else _LEAST_OF_MANY
    present = [int(index) for index in model.classes_]
    rows = [present[1:]] if len(present) == 2 else [[index] for index in present]
    for row, (index,) in zip(model.coef_, rows, strict=True):
        for name, value in zip(names, row, strict=True):
            whole = round(float(value) * SCALE)
            if abs(whole) >= least:
                weights.setdefault(name, {})[index] = whole
    return Linear(tuple(classes), weights)


def held_out(
    examples: Sequence[Example],
    classes: Sequence[str],
    strength: float = 0.3,
    fewest: int = 3,
    progress: Callable[[int], None] | None = None,
) -> list[dict[str, float]]:
    """The probabilities for each example by a model that has seen no formula of its fold."""
    found: list[dict[str, float]] = [{} for _ in examples]
    for fold in sorted({example.fold for example in examples}):
        model = fit([example for example in examples if example.fold != fold], classes, strength, fewest)
        for index, example in enumerate(examples):
            if example.fold == fold:
                found[index] = model.probabilities(example.features)
        if progress is not None:
            progress(fold)
    return found


# -- kinds of letters ------------------------------------------------------------------------------------


def letters(formulae: Sequence[Structured], titles: bool = True) -> list[Example]:
    """Every letter of every formula of which the editors say what kind of thing it is."""
    parsed = [(formula, nodes) for formula in formulae if (nodes := _parsed(formula.generic)) is not None]
    uses = [uses_of(nodes) for _, nodes in parsed]
    documents: dict[str, dict[str, Counter[str]]] = {}
    for (formula, _), used in zip(parsed, uses, strict=True):
        document = documents.setdefault(formula.section, {})
        for name, features in used.items():
            document.setdefault(name, Counter()).update(features)
    found: list[Example] = []
    for (formula, _), used in zip(parsed, uses, strict=True):
        kinds: dict[str, Counter[str]] = {}
        for sign, meaning in letter_gold(formula):
            name, kind = letter_name(sign), kind_of_meaning(meaning)
            if "derivative of" in meaning and name != "d":
                continue  # the order of a derivative: what is said of the whole operator is no kind of the letter
            if name and kind:
                kinds.setdefault(name, Counter())[kind] += 1
        document = documents[formula.section]
        context = formula.title.removeprefix("DLMF: ") if titles else ""
        for name, counts in kinds.items():
            if name not in used:
                continue
            rest = {name: {use for use, count in document[name].items() if count > (use in used[name])}}
            gold = counts.most_common(1)[0][0]
            group = "named" if gold in ("constant", "operator", "function", "polynomial") else "letter"
            said = said_around(name, formula.sentence) if titles else []
            about = (*features_of(name, used, rest, context), *said)
            found.append(Example(about, gold, formula.section_fold, group, note=f"{name}: {formula.generic[:60]}"))
    return found
