"""Every feature has a name, is there where it applies, and says what its name says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from texlift.context.memory import COLUMNS
from texlift.context.passage import Context
from texlift.context.style import LEFT_AROUND_SYMBOL, PLAIN_BRACKETS
from texlift.corpus.demo import demo_pairs
from texlift.errors import TexliftError
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.scorer.batch import Batch, Hidden, collate
from texlift.scorer.encoding import Encoded, Encoder
from texlift.scorer.schema import LIKELY, MEMORY, PLACE, READING, Feature, Schema, Slots
from texlift.train.ledger import Ledger
from texlift.translate.model import Model, packaged_model
from texlift.translate.scores import Scorer

BITS = 21
SLOTS = Slots.of()  # all features, also those that the packaged model was trained without
TITLES = {"chapter": "Bessel Functions", "section": "Inequalities; Monotonicity"}


class Formulae:
    """Encodes formulae with the packaged model."""

    def __init__(self) -> None:
        self.model = packaged_model()
        self._reader = Reader(self.model.grammar)
        self._encoder = Encoder(self.model.vocabulary, self.model.numbers)

    def encoded(self, latex: str, context: Context = None, constants: bool = False, brackets: int = 0) -> Encoded:
        forest = self._reader.read(canonical(latex))
        return self._encoder.placed(self._encoder.sketch(forest, latex, constants), latex, context, brackets)

    def batch(self, formulae: Sequence[Encoded], hidden: Hidden | None = None) -> Batch:
        """A batch of formulae; all but the last are remembered, as if they were letters throughout."""
        book = Ledger(self.model.tuning)
        for number, formula in enumerate(formulae[:-1]):
            book.enter(str(number), formula.symbols, np.zeros(len(formula.at), np.int32))
        memory = book.memory().columns([formula.symbols for formula in formulae])
        return collate(formulae, SLOTS, BITS, memory, hidden)


@pytest.fixture(scope="module")
def formulae() -> Formulae:
    return Formulae()


@pytest.fixture(scope="module")
def varied(formulae: Formulae) -> list[Encoded]:
    """Some formulae of many kinds, with titles and sentences and without."""
    found = [formulae.encoded(pair.generic, pair.context) for pair in demo_pairs()[:40]]
    sentence = r"The Bessel function $J_{\nu}\left(z\right)$ is $\frac{J_{0}'(x)}{2}$ where the Bessel function $J$ is"
    found += [
        formulae.encoded(r"\frac{J_{0}'(x)}{2}", {**TITLES, "sentence": sentence}),
        formulae.encoded(r"P^{(\alpha,\beta)}_{n}(x)+\frac{dy}{dx}+\Gamma(a,b)e^{i\pi}", constants=True),
        formulae.encoded(r"J_{0}^{2}\left(z\right)", brackets=LEFT_AROUND_SYMBOL),
        formulae.encoded("J"),
        formulae.encoded("J_{0}(x)"),
        formulae.encoded("J_{0}(x)", {**TITLES, "section": "Zeros"}),
        formulae.encoded("J_{5}(y)", TITLES),
    ]
    return [one for one in found if one.at]


# -- names -----------------------------------------------------------------------------------------------------------


def test_names_are_unique_and_columns_are_found_by_them() -> None:
    for schema in (PLACE, READING):
        assert len(set(schema.names)) == len(schema) == len(schema.features)
        assert [schema.column(name) for name in schema.names] == list(range(len(schema)))
        assert all(feature.name == name for feature, name in zip(schema.features, schema.names, strict=True))
    with pytest.raises(ValueError, match="two features of one name"):
        Schema([Feature("primes"), Feature("style"), Feature("primes")])
    with pytest.raises(KeyError):
        PLACE.column("no such feature")


def test_what_memory_gives_stands_together() -> None:
    assert READING.names[MEMORY] == COLUMNS
    assert set(READING.names[LIKELY]) < set(COLUMNS)
    with pytest.raises(ValueError, match="together"):
        READING.span([COLUMNS[1], COLUMNS[0]])


# -- presence --------------------------------------------------------------------------------------------------------

# those that there is something to say of at every place: what stands before it, how long something is
_EVERYWHERE = {
    "always",
    "style",
    "previous",
    "following",
    "before previous",
    "behind following",
    "previous and following",
    "parent",
    "grandparent",
    "position and length",
    "subscript length",
    "superscript length",
    "subscript's first two",
    "primes",
    "spaces",
    "parent and previous",
    "habits and brackets",
    "scripts as written",
    "elsewhere in the formula",
    "best print",
    "company",
}


def test_every_feature_is_there_where_it_applies_and_only_there(formulae: Formulae, varied: list[Encoded]) -> None:
    batch = formulae.batch(varied)
    for schema, values in ((PLACE, batch.place_features), (READING, batch.reading_features)):
        assert values.shape[1] == len(schema)
        for name in schema.names:
            shown = values[:, schema.column(name)] != 0
            assert shown.any(), f"{name} is never there"
            assert shown.all() == (name in _EVERYWHERE), f"{name} is {'' if shown.all() else 'not '}everywhere"


def test_a_literal_reading_covers_nothing(formulae: Formulae, varied: list[Encoded]) -> None:
    """Only memory speaks of it."""
    batch = formulae.batch(varied)
    literal = batch.reading_features[batch.reading_macro == 0]
    assert len(literal) == len(batch.place_node)
    assert not literal[:, : MEMORY.start].any()
    assert literal[:, MEMORY].any()


# -- what a feature says -----------------------------------------------------------------------------------------------

Asked = str | tuple[str, Context]


def at_place(formulae: Formulae, asked: Asked, symbol: str, name: str) -> int:
    """The value of a feature at the first place with a symbol; of no context but for what is asked."""
    latex, context = (asked, None) if isinstance(asked, str) else asked
    formula = formulae.encoded(latex, context)
    batch = collate([formula], SLOTS, BITS)
    labels = [place.row.elements[place.position].label for place in formula.at]
    return int(batch.place_features[labels.index(symbol), PLACE.column(name)])


WHERE_J = {"sentence": "where $J$ is a letter and $a=b$"}

# name: symbol, two formulae in which the feature differs, one that differs from the first in something else alone
AT_PLACES: Mapping[str, tuple[str, Asked, Asked, Asked]] = {
    "style": ("i", r"\mathrm{i}x", "ix", r"\mathrm{i}y"),
    "previous": ("J", "aJ_{0}(z)", "bJ_{0}(z)", "b+aJ_{1}(x)"),
    "following": ("J", "J_{0}(z)", "J_{0}+z", "J_{1}(x)"),
    "before previous": ("J", "a+J_{0}(z)", "b+J_{0}(z)", "a-J_{0}(z)"),
    "behind following": ("J", "J_{0}(z)a", "J_{0}(z)b", "J_{1}(x)a"),
    "previous and following": ("J", "aJ_{0}(z)", "bJ_{0}(z)", "caJ_{1}(x)"),
    "parent": ("J", r"\frac{J_{0}(z)}{2}", r"\sqrt{J_{0}(z)}", r"\frac{1+J_{0}(x)}{3}"),
    "grandparent": ("J", r"\frac{\sqrt{J_{0}(z)}}{2}", r"\sqrt{\sqrt{J_{0}(z)}}", r"\frac{\overline{J_{0}(z)}}{2}"),
    "position and length": ("J", "J_{0}(z)", "aJ_{0}(z)", "J_{1}(x)"),
    "subscript starts with": ("J", "J_{0}(z)", "J_{1}(z)", "J_{0+1}(x)"),
    "subscript length": ("J", "J_{0}(z)", "J_{n+1}(z)", "J_{1}(x)"),
    "subscript's first two": ("J", "J_{n+1}(z)", "J_{n-1}(z)", "J_{n+2}(x)"),
    "superscript starts with": ("J", "J_{0}^{2}(z)", "J_{0}^{3}(z)", "J_{1}^{2+1}(z)"),
    "superscript length": ("J", "J_{0}^{2}(z)", "J_{0}^{2+1}(z)", "J_{1}^{3}(z)"),
    "primes": ("J", "J_{0}(z)", "J_{0}'(z)", "J_{1}(x+1)"),
    "brackets behind": ("J", "J_{0}(z)", r"J_{0}\left(z\right)", "J_{1}(x+1)"),
    "separators in brackets": (r"\Gamma", r"\Gamma(a,b)", r"\Gamma(a)", r"\Gamma(c,d)"),
    "brackets start with": ("J", "J_{0}(a)", "J_{0}(b)", "J_{1}(a+b)"),
    "length of brackets": ("J", "J_{0}(a)", "J_{0}(a+b)", "J_{1}(b)"),
    "spaces": ("J", "aJ_{0}(z)", r"a\,J_{0}(z)", "bJ_{1}(x)"),
    "parent and previous": ("J", r"\sqrt{aJ_{0}(z)}", r"\sqrt{bJ_{0}(z)}", r"\sqrt{baJ_{1}(x)}"),
    "habits and brackets": ("J", "J_{0}(z)", r"J_{0}(z)+\left(a+b\right)", "J_{1}(x)+(a+b)"),
    "separators inside": ("( )", "(a,b)", "(a,b,c)", "(c,d)"),
    "first row starts with": ("( )", "(a,b)", "(c,b)", "(a,c)"),
    "second row starts with": (r"\frac", r"\frac{dy}{dx}", r"\frac{\partial y}{\partial x}", r"\frac{df}{dz}"),
    "scripts as written": ("J", "J_{0}'(z)", r"J_{0}^{\prime}(z)", "J_{1}'(x)"),
    "elsewhere in the formula": ("E", "E+1", r"E+E\left(k\right)", "E-2"),
    "in the sentence": ("J", ("J_{0}(z)", WHERE_J), ("J_{0}(z)", {"sentence": "where $a=b$"}), ("J_{1}(x)", WHERE_J)),
    "best print": ("J", r"J_{0}\left(z\right)", "J_{0}(z)", r"J_{1}\left(x\right)"),
    "length without context": ("J", "J", "J_{0}(z)", "J"),
}


@pytest.mark.parametrize("name", AT_PLACES)
def test_what_is_seen_at_a_place(formulae: Formulae, name: str) -> None:
    symbol, one, other, alike = AT_PLACES[name]
    value = at_place(formulae, one, symbol, name)
    assert value
    assert at_place(formulae, other, symbol, name) != value
    assert at_place(formulae, alike, symbol, name) == value


def test_every_feature_of_a_place_is_tested() -> None:
    apart = {"always", "constants asked for", "best print and author's brackets"}
    assert apart.isdisjoint(AT_PLACES)
    assert apart.union(AT_PLACES) == set(PLACE.names)


def test_always_is_always_the_same(formulae: Formulae, varied: list[Encoded]) -> None:
    values = formulae.batch(varied).place_features[:, PLACE.column("always")]
    assert len(set(values.tolist())) == 1


def test_constants_asked_for(formulae: Formulae) -> None:
    column = PLACE.column("constants asked for")
    plain, marked = (formulae.encoded("e^{x}", constants=wanted).places.features for wanted in (False, True))
    assert not plain[:, column].any()
    assert marked[:, column].all()
    assert np.array_equal(np.delete(plain, column, 1), np.delete(marked, column, 1))


def test_the_authors_brackets(formulae: Formulae) -> None:
    """They come from the rest of the document or from a sentence that holds the formula, not from another text."""
    column = PLACE.column("best print and author's brackets")

    def value(context: Context = None, brackets: int = 0) -> int:
        return int(formulae.encoded("J_{0}(z)", context, brackets=brackets).places.features[0, column])

    plain, left = value(brackets=PLAIN_BRACKETS), value(brackets=LEFT_AROUND_SYMBOL)
    assert 0 != plain != left != 0 == value()
    assert value({"sentence": r"that $J_{0}(z)$ is $f\left(x\right)$"}) == left
    assert value({"sentence": "that $J_{0}(z)$ is $f(x)$"}) == plain
    assert value({"sentence": r"that the other is $f\left(x\right)$"}) == 0


def of_reading(formulae: Formulae, asked: Asked, macro: str, name: str) -> set[int]:
    """The values of a feature in all readings with a macro."""
    latex, context = (asked, None) if isinstance(asked, str) else asked
    formula = formulae.encoded(latex, context)
    batch = collate([formula], SLOTS, BITS)
    names = [called for place in formula.at for called in ("", *(match.rule.name for match in place.matches))]
    rows = [number for number, called in enumerate(names) if called == macro]
    assert rows
    return set(batch.reading_features[rows, READING.column(name)].tolist())


BESSEL = {"section": "Bessel Functions", "sentence": "of the Bessel function $J_{0}(z)$ that follows"}
AIRY = {"section": "Airy Functions", "sentence": "of the Airy integral $J_{0}(z)$ that follows"}
NAMED = {"sentence": "this is $J_{0}(z)$. Now we take the Bessel function $J_{0}$ as known"}
UNNAMED = {"sentence": "this is $J_{0}(z)$. Now we take the Airy integral $J_{0}$ as known"}

# name: macro, two formulae in which the feature differs, one that differs from the first in something else alone
OF_READINGS: Mapping[str, tuple[str, Asked, Asked, Asked]] = {
    "behind": (r"\abs", r"\left|a\right|+b", r"\left|a\right|-b", r"\left|c\right|+1"),
    "last": (r"\sin", r"\sin x", r"\sin y", r"2\sin x"),
    "length": (r"\abs", r"\left|a\right|", r"\left|a\right|^{2}", r"\left|b\right|"),
    "scripts and trailing": (r"\abs", r"\left|a\right|", r"\left|a\right|^{2}", r"\left|b+1\right|"),
    "hole 0 starts with": (r"\abs", r"\left|a\right|", r"\left|b\right|", r"\left|a+b\right|"),
    "hole 0 length": (r"\abs", r"\left|a\right|", r"\left|a+b\right|", r"\left|b\right|"),
    "hole 1 starts with": (r"\binom", r"\binom{n}{k}", r"\binom{n}{m}", r"\binom{m}{k+1}"),
    "hole 1 length": (r"\binom", r"\binom{n}{k}", r"\binom{n}{k+1}", r"\binom{m}{m}"),
    "hole 2 starts with": (r"\hyperF", r"F\left(a,b;c;z\right)", r"F\left(a,b;d;z\right)", r"F\left(d,b;c+1;x\right)"),
    "hole 2 length": (r"\hyperF", r"F\left(a,b;c;z\right)", r"F\left(a,b;c+1;z\right)", r"F\left(a,b+1;d;z\right)"),
    "last and behind": (r"\abs", r"\left|a\right|+b", r"\left|a\right|-b", r"\left|c\right|+1"),
    "holes": (r"\BesselJ", "J", r"J_{\nu}\left(z\right)", "xJ"),
    "separators in holes": (r"\canonint", r"\Psi_{K}(x)", r"\Psi_{K}(x,y)", r"\Psi_{J}(t)"),
    "scripts": (r"\abs", r"\left|a\right|", r"\left|a\right|^{2}", r"\left|b+1\right|"),
    "print": (r"\abs", r"\left|a\right|", "|a|", r"\left|b+1\right|"),
    "overlap with titles": (
        r"\BesselJ",
        ("J_{0}(z)", BESSEL),
        ("J_{0}(z)", AIRY),
        ("J_{1}(x)", {"section": "Bessel Functions"}),
    ),
    "overlap with sentence": (
        r"\BesselJ",
        ("J_{0}(z)", BESSEL),
        ("J_{0}(z)", AIRY),
        ("J_{1}(x)", {"sentence": "that follows of the Bessel function"}),
    ),
    "overlap with words beside": (
        r"\BesselJ",
        ("J_{0}(z)", BESSEL),
        ("J_{0}(z)", AIRY),
        ("J_{0}(z)", {"sentence": "of the Bessel function $J_{0}(z)$ which is"}),
    ),
    "overlap with words beside the symbol": (
        r"\BesselJ",
        ("J_{0}(z)", NAMED),
        ("J_{0}(z)", UNNAMED),
        ("J_{0}(z)", {"sentence": "that is $J_{0}(z)$. We take the Bessel function $J_{0}$ as known"}),
    ),
}


@pytest.mark.parametrize("name", OF_READINGS)
def test_how_a_rule_would_read_it(formulae: Formulae, name: str) -> None:
    macro, one, other, alike = OF_READINGS[name]
    values = of_reading(formulae, one, macro, name)
    assert values != {0} or name.startswith("hole")
    assert of_reading(formulae, other, macro, name) != values
    assert of_reading(formulae, alike, macro, name) == values


def test_every_feature_of_a_reading_is_tested() -> None:
    """Those of memory are tested with it."""
    assert set(OF_READINGS) | set(COLUMNS) == set(READING.names)


@pytest.mark.parametrize("name", COLUMNS)
def test_what_memory_says_stands_under_its_name(formulae: Formulae, name: str) -> None:
    formula = formulae.encoded("J_{0}(z)")
    said = np.zeros((len(formula.readings.place), len(COLUMNS)), np.int32)
    without = collate([formula], SLOTS, BITS, said).reading_features
    said[1, COLUMNS.index(name)] = 3
    batch = collate([formula], SLOTS, BITS, said).reading_features
    assert np.argwhere(batch != without).tolist() == [[1, READING.column(name)]]


# -- what training hides -----------------------------------------------------------------------------------------------


def hidden(count: int, what: str, number: int) -> Hidden:
    """One thing is hidden from one formula."""
    rows = {name: np.zeros(count, bool) for name in ("titles", "sentences", "writing")}
    if what:
        rows[what][number] = True
    return Hidden(rows["titles"], rows["sentences"], rows["writing"], lambda formula, rule, macro: (rule, macro))


def shown_groups(batch: Batch, number: int) -> set[str]:
    """The groups of which a formula has some feature."""
    own = batch.place_formula == number
    parts = ((PLACE, batch.place_features[own]), (READING, batch.reading_features[own[batch.reading_place]]))
    return {
        feature.group
        for schema, values in parts
        for feature, shown in zip(schema.features, values.any(0), strict=True)
        if shown
    }


@pytest.mark.parametrize(
    ("what", "groups"),
    [
        ("titles", {"titles", "chapter", "section"}),
        ("sentences", {"sentence"}),
        ("writing", {"writing"}),
    ],
)
def test_groups_hide_what_they_say(formulae: Formulae, varied: list[Encoded], what: str, groups: set[str]) -> None:
    """From that formula alone, and nothing else; only whether there is any context may change besides."""
    count = len(varied)
    plain = formulae.batch(varied, hidden(count, "", 0))
    number = next(at for at in range(count) if groups <= shown_groups(plain, at))
    without = formulae.batch(varied, hidden(count, what, number))
    own_place = plain.place_formula == number
    for schema, before, after, own in (
        (PLACE, plain.place_features, without.place_features, own_place),
        (READING, plain.reading_features, without.reading_features, own_place[plain.reading_place]),
    ):
        assert np.array_equal(before[~own], after[~own])
        for column, feature in enumerate(schema.features):
            if feature.group in groups:
                assert not after[own, column].any(), feature.name
            elif feature.name != "length without context":
                assert np.array_equal(before[own, column], after[own, column]), feature.name


def test_hidden_words_are_gone(formulae: Formulae, varied: list[Encoded]) -> None:
    number = next(at for at, one in enumerate(varied) if len(one.words.titles) and len(one.words.sentence))
    count = len(varied)

    def sizes(bag: str, what: str) -> NDArray[np.int64]:
        words = getattr(formulae.batch(varied, hidden(count, what, number)), bag)
        return np.diff(words.offsets, append=len(words.words))

    for bag, what in (("titles", "titles"), ("sentence", "sentences")):
        before, after = sizes(bag, ""), sizes(bag, what)
        assert before[number] > 0 == after[number]
        assert np.array_equal(np.delete(before, number), np.delete(after, number))


def test_hidden_writing_leaves_no_style_in_the_tree(formulae: Formulae) -> None:
    formula = formulae.encoded(r"J_{0}\left(z\right)")
    assert formulae.batch([formula], hidden(1, "", 0)).trees.styles.any()
    assert not formulae.batch([formula], hidden(1, "writing", 0)).trees.styles.any()


# -- models and their lists of features --------------------------------------------------------------------------------


def linear(model: Model, slots: Slots, formulae: Sequence[Encoded]) -> Model:
    """A model of the linear part alone whose weights belong to features of other numbers; the same model otherwise."""
    silent = np.zeros((sum(len(one.readings.place) for one in formulae), len(COLUMNS)), np.int32)
    ours, theirs = (collate(formulae, some, BITS, silent).crossed.features for some in (SLOTS, slots))
    drawn = np.random.default_rng(5).standard_normal(1 << BITS).astype(np.float16).astype(np.float32)
    table = np.zeros((1 << BITS, 1), np.float32)
    table[theirs, 0] = drawn[ours]
    assert np.array_equal(table[theirs, 0], drawn[ours]), "two features share a number: take other formulae"
    weights = {**model.weights, "linear": table}
    return replace(model, config=replace(model.config, network=False), weights=weights, slots=slots)


def scores(model: Model, formulae: Sequence[Encoded]) -> list[list[list[float]]]:
    silent = np.zeros((sum(len(one.readings.place) for one in formulae), len(COLUMNS)), np.int32)
    return [one.all for one in Scorer(model.weights, model.config, model.slots, model.tuning)(formulae, silent)]


LISTS = {
    "in another order": (PLACE.names[::-1], READING.names[7:] + READING.names[:7]),
    "with one that was dropped": (
        (*PLACE.names[:9], "colour", *PLACE.names[9:]),
        (*READING.names[:3], "smell", *READING.names[3:]),
    ),
}


@pytest.mark.parametrize("kind", LISTS)
def test_a_model_with_another_list_of_features_scores_the_same(formulae: Formulae, kind: str, tmp_path: Path) -> None:
    asked = [formulae.encoded(r"\lfloor a\rfloor", "Bessel functions")]
    plain = linear(formulae.model, SLOTS, asked)
    other = linear(formulae.model, Slots.of(*LISTS[kind]), asked)
    assert other.slots.place.tolist() != plain.slots.place.tolist()
    other.save(tmp_path / "model")
    saved = json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))
    assert [tuple(saved["features"][part]) for part in ("place", "reading")] == [*LISTS[kind]]
    loaded = Model.load(tmp_path / "model")
    expected = scores(plain, asked)
    assert scores(loaded, asked) == expected
    assert scores(replace(loaded, slots=Slots.of()), asked) != expected  # the list counts


def test_features_that_a_model_was_trained_without_are_off() -> None:
    slots = Slots.of([name for name in PLACE.names if name != "primes"], READING.names[:-1])
    assert slots.untrained == ("primes", READING.names[-1])
    assert np.flatnonzero(slots.place == 0).tolist() == [PLACE.column("primes")]
    assert np.flatnonzero(slots.reading == 0).tolist() == [len(READING) - 1]
    assert not SLOTS.untrained and SLOTS.place.all() and SLOTS.reading.all()


def changed(model: Model, folder: Path, features: Mapping[str, object]) -> Path:
    """A model on disk with another list of features."""
    model.save(folder)
    table = json.loads((folder / "model.json").read_text("utf-8"))
    table["features"] |= features
    (folder / "model.json").write_text(json.dumps(table), "utf-8")
    (folder / "checksums.json").unlink()  # it was changed on purpose
    return folder


def test_a_model_from_before_a_feature_is_read_and_says_so(
    tmp_path: Path, formulae: Formulae, caplog: pytest.LogCaptureFixture
) -> None:
    """Its answers are those of the same model with the feature switched off."""
    names = [*formulae.model.slots.place_names]
    names[names.index("primes")] = "a feature dropped since"  # so that all others keep their numbers
    older = Model.load(changed(formulae.model, tmp_path / "model", {"place": names}))
    assert "was trained without the features primes" in caplog.text
    asked = [formulae.encoded("J_{0}'(z)")]
    off = replace(formulae.model, slots=formulae.model.slots.without("primes"))
    assert scores(older, asked) == scores(off, asked)


def test_what_is_no_list_of_features_is_refused(tmp_path: Path, formulae: Formulae) -> None:
    for place in ("primes", [1], None):
        with pytest.raises(TexliftError, match="no list of names"):
            Model.load(changed(formulae.model, tmp_path / "model", {"place": place}))


def test_the_packaged_model_was_trained_with_every_feature(formulae: Formulae) -> None:
    assert not formulae.model.slots.untrained, "train the packaged model again (poe model)"


def test_a_model_that_is_loaded_and_saved_stays_the_same(tmp_path: Path, formulae: Formulae) -> None:
    """The packaged one was trained with features that have been dropped since."""
    formulae.model.save(tmp_path / "model")
    again = Model.load(tmp_path / "model")
    for name in ("place", "reading"):
        assert np.array_equal(getattr(again.slots, name), getattr(formulae.model.slots, name))
    asked = [formulae.encoded(latex) for latex in (r"P_n(x)", r"\psi(x)")]
    assert scores(again, asked) == scores(formulae.model, asked)


def test_features_can_be_switched_off(formulae: Formulae) -> None:
    """Those and no others, to see what they are worth; the model's list of names stays."""
    slots = formulae.model.slots
    formula = formulae.encoded("J_{0}'(z)", "Bessel functions")
    off = slots.without("primes", "print")
    plain, without = (collate([formula], some, BITS) for some in (slots, off))
    for schema, before, after in (
        (PLACE, plain.place_features, without.place_features),
        (READING, plain.reading_features, without.reading_features),
    ):
        for column, name in enumerate(schema.names):
            if name in ("primes", "print"):
                assert before[:, column].any() and not after[:, column].any(), name
            else:
                assert np.array_equal(before[:, column], after[:, column]), name
    assert (off.place_names, off.reading_names) == (slots.place_names, slots.reading_names)
    with pytest.raises(TexliftError, match="no such features: smell"):
        slots.without("primes", "smell")
