"""Standalone disambiguation: choices, classifiers, the packaged one, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from texlift.corpus.pair import Pair
from texlift.errors import FormulaError, TexliftError
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift_paper.cli.disambiguate import app
from texlift_paper.disambiguation.choices import Choice, candidates_by_symbol, choices_of, occurrences
from texlift_paper.disambiguation.chooser import Chooser, save_chooser
from texlift_paper.disambiguation.training import Accuracy, Settings, cross_validate, random_accuracy, train_on_all
from texlift_paper.disambiguation.words import words_of

GRAMMAR = Grammar(
    [
        Rule(r"\EulerGamma@{#1}", r"\Gamma\left(#1\right)", 5),
        Rule(r"\incGamma@{#1}{#2}", r"\Gamma\left(#1,#2\right)", 5),
        Rule(r"\BesselJ{#1}@{#2}", r"J_{#1}\left(#2\right)", 5),
    ]
)
LETTERS = "abcuvwxyz"
PAIRS = [
    Pair(f"{a}{b}{k}", generic, semantic, fold=k)
    for k, a in enumerate(LETTERS)
    for b in LETTERS[:4]
    for generic, semantic in (
        (rf"{b}\Gamma\left({a}\right)", rf"{b}\EulerGamma@{{{a}}}"),
        (rf"{b}+\Gamma\left({a},{b}\right)", rf"{b}+\incGamma@{{{a}}}{{{b}}}"),
        (rf"J_{{{b}}}\left({a}\right)", rf"\BesselJ{{{b}}}@{{{a}}}"),
    )
]
CANDIDATES = candidates_by_symbol(GRAMMAR)
CHOICES = choices_of(PAIRS, GRAMMAR)


def test_candidates_print_as_the_symbol() -> None:
    assert CANDIDATES == {r"\Gamma": (r"\EulerGamma", r"\incGamma"), "J": (r"\BesselJ",)}


def test_choices_stand_at_their_symbol() -> None:
    assert len(CHOICES) == len(PAIRS)
    for choice in CHOICES:
        assert choice.formula.startswith(choice.symbol, choice.start)
        assert choice.macro in CANDIDATES[choice.symbol]
    assert random_accuracy(CHOICES, CANDIDATES) == pytest.approx(2 / 3)


def test_occurrences() -> None:
    assert occurrences(r"\frac{\Gamma(a)}{2}+J_{1}", CANDIDATES) == [(r"\Gamma", 6), ("J", 20)]


@pytest.mark.parametrize("settings", [Settings(), Settings(layers=3), Settings("recurrent"), Settings("recursive")])
def test_every_classifier_learns(settings: Settings) -> None:
    small = Settings(settings.kind, settings.layers, 12, 1e-2, 32, 1, 32, 16)
    found = cross_validate(CHOICES, CANDIDATES, small, [0, 3])
    assert found == [Accuracy(0, 1.0, 1.0, 12), Accuracy(3, 1.0, 1.0, 12)]


def test_a_pure_bag_does_not_know_places() -> None:
    first, second = (
        Choice(rf"\Gamma\left({inside}\right)+{rest}", r"\Gamma", 0, r"\EulerGamma", 0)
        for inside, rest in (("a,b", "c"), ("c", "a,b"))
    )
    bags = [words_of(choice.formula, choice.symbol, choice.start, Settings("bag").near) for choice in (first, second)]
    assert bags[0] == bags[1]
    assert set(bags[0]) == {r"symbol \Gamma", *(f"bag {word}" for word in (r"\Gamma", "a", "b", "c", ",", "+"))} | {
        word for word in bags[0] if "left" in word or "right" in word
    }
    near = [words_of(choice.formula, choice.symbol, choice.start, Settings().near) for choice in (first, second)]
    assert near[0] != near[1]
    # comma or none tells the two apart here, wherever it stands: the bag is enough for this corpus
    assert cross_validate(CHOICES, CANDIDATES, Settings("bag", 2, 12, 1e-2, 32, 1, 32), [0])[0].ambiguous == 1


def test_symbols_with_one_candidate_count_as_right() -> None:
    unlearnt = cross_validate(CHOICES, CANDIDATES, Settings(epochs=1, rate=1e-9, hidden=8), [1])[0]
    assert unlearnt.every == pytest.approx((4 + 8 * unlearnt.ambiguous) / 12)


def test_unknown_kinds_are_named() -> None:
    with pytest.raises(ValueError, match="kind must be one of bag, places"):
        Settings("magic")


def test_one_to_five_layers() -> None:
    with pytest.raises(ValueError, match="one to five"):
        cross_validate(CHOICES, CANDIDATES, Settings(layers=6), [0])


@pytest.fixture(scope="module")
def chooser_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chooser") / "chooser.safetensors"
    save_chooser(train_on_all(CHOICES, CANDIDATES, Settings("places", 2, 12, 1e-2, 32, 1, 32)), path)
    return path


def test_a_trained_chooser_needs_only_numpy(chooser_file: Path) -> None:
    decision = Chooser.load(chooser_file).decide(r"2\Gamma\left(a,b\right)")[0]
    assert decision.candidates[0].macro == r"\incGamma"
    assert sum(candidate.probability for candidate in decision.candidates) == pytest.approx(1)


def test_the_command(chooser_file: Path) -> None:
    runner = CliRunner()
    result = runner.invoke(app, [r"\Gamma\left(z\right)+J_{0}", "--model", str(chooser_file), "--json"])
    records = json.loads(result.stdout)
    assert [record["symbol"] for record in records] == [r"\Gamma", "J"]
    assert records[0]["candidates"][0]["macro"] == r"\EulerGamma"
    shown = runner.invoke(app, [r"\Gamma\left(z\right)", "--model", str(chooser_file)]).stdout
    assert r"\EulerGamma" in shown and "%" in shown
    assert runner.invoke(app, []).exit_code == 2
    assert isinstance(runner.invoke(app, ["{", "--model", str(chooser_file)]).exception, FormulaError)


def test_a_damaged_model_is_named(tmp_path: Path, chooser_file: Path) -> None:
    path = tmp_path / "cut.safetensors"
    path.write_bytes(chooser_file.read_bytes()[:200])
    with pytest.raises(TexliftError, match=r"cut\.safetensors is damaged"):
        Chooser.load(path)


def test_the_packaged_chooser() -> None:
    from texlift_paper.disambiguation.chooser import packaged_chooser

    decisions = {
        d.symbol: d.candidates[0].macro for d in packaged_chooser().decide(r"\Gamma\left(z\right)J_{\nu}\left(z\right)")
    }
    assert decisions[r"\Gamma"] == r"\EulerGamma"
    assert decisions["J"] == r"\BesselJ"


def test_only_what_fits_is_possible_where_places_are_known() -> None:
    assert {choice.fitting for choice in CHOICES if choice.symbol == "J"} == {(r"\BesselJ",)}
    one = next(choice for choice in CHOICES if choice.macro == r"\EulerGamma")
    assert one.fitting == (r"\EulerGamma",)  # no comma, so not two arguments
    bag = train_on_all(CHOICES, CANDIDATES, Settings(epochs=1, hidden=8))
    tree = train_on_all(CHOICES, CANDIDATES, Settings("recursive", epochs=1, hidden=8, state=8))
    for trained, count in ((bag, 2), (tree, 1)):
        batch = trained.samples.batch([one], trained.words)
        assert batch.allowed.sum() == 2
        assert batch.fitting.sum() == count
        assert torch.isfinite(trained.models[0](batch)).sum() == count


def test_members_vote(tmp_path: Path) -> None:
    settings = Settings("places", 2, 12, 1e-2, 32, 1, 32, members=3)
    trained = train_on_all(CHOICES, CANDIDATES, settings)
    assert len(trained.models) == 3
    first, second, _ = (dict(model.named_parameters())["last.weight"] for model in trained.models)
    assert not torch.equal(first, second)
    assert trained.accuracy([choice for choice in CHOICES if choice.symbol != "J"]) == 1
    with pytest.raises(TexliftError, match="only one"):
        save_chooser(trained, tmp_path / "chooser.safetensors")
    with pytest.raises(ValueError, match="member"):
        Settings(members=0)
