"""The scorer gives the same scores on NumPy and on PyTorch, alone and in a batch, in training and translating."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from texlift.corpus.demo import demo_pairs
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.scorer.arrays import NumpyArrays
from texlift.scorer.batch import Batch, Hidden, collate
from texlift.scorer.encoding import Encoded, Encoder
from texlift.scorer.network import initial_weights, score_parts
from texlift.translate.model import Model, packaged_model

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def model() -> Model:
    return packaged_model()


@pytest.fixture(scope="module")
def encoded(model: Model) -> list[Encoded]:
    reader = Reader(model.grammar)
    encoder = Encoder(model.vocabulary, model.numbers)
    forests = [(reader.read(canonical(pair.generic)), pair) for pair in demo_pairs()[:60]]
    # others have nothing to score
    return [encoder.encode(forest, pair.generic, pair.context) for forest, pair in forests if forest.ambiguous]


def batch_of(formulae: list[Encoded], model: Model, hidden: Hidden | None = None) -> Batch:
    memory = model.memory.columns([formula.symbols for formula in formulae])
    return collate(formulae, model.slots, model.config.table_bits, memory, hidden)


def scored(batch: Batch, model: Model, weights: Mapping[str, NDArray[np.float32]] | None = None) -> NDArray[np.float32]:
    """(2, C): by the linear features, by the network."""
    return np.stack(score_parts(weights or model.weights, model.config, batch, NumpyArrays()))


def assert_close(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        assert np.abs(one).max() > 0.1
        assert np.abs(one - other).max() < 1e-5 * max(1.0, np.abs(other).max())


def test_engines_agree(model: Model, encoded: list[Encoded]) -> None:
    from texlift.train.torch_arrays import TorchArrays

    batch = batch_of(encoded, model)
    fresh = initial_weights(model.config, 3)
    fresh["linear"] = np.random.default_rng(4).standard_normal(fresh["linear"].shape).astype(np.float32)
    for weights in (dict(model.weights), fresh):
        tensors = {name: torch.from_numpy(np.array(w)) for name, w in weights.items()}
        theirs = [part.numpy() for part in score_parts(tensors, model.config, batch, TorchArrays())]
        assert_close(scored(batch, model, weights), np.stack(theirs))


def test_a_formula_scores_the_same_alone_and_in_a_batch(model: Model, encoded: list[Encoded]) -> None:
    together = scored(batch_of(encoded, model), model)
    alone = [scored(batch_of([formula], model), model) for formula in encoded]
    assert np.allclose(together, np.concatenate(alone, axis=1), atol=1e-4)


def test_features_shared_by_readings_score_the_same(model: Model, encoded: list[Encoded]) -> None:
    """Translating crosses what readings have in common once, training once for each reading."""
    shared = batch_of(encoded, model)
    nothing = np.zeros(len(encoded), bool)
    apart = batch_of(encoded, model, Hidden(nothing, nothing, nothing, lambda formula, rule, macro: (rule, macro)))
    assert len(shared.crossed.features) < 0.8 * len(apart.crossed.features)
    assert_close(scored(shared, model), scored(apart, model))


def test_merged_subtrees_score_the_same(model: Model, encoded: list[Encoded]) -> None:
    """Translating computes equal subtrees once and leaves out nodes that nothing asks for."""
    plain = batch_of(encoded, model)
    once = plain.merged()
    assert once.trees.subtrees is not None
    assert len(once.trees.subtrees.labels) < 0.9 * len(plain.trees.labels)
    assert len(once.trees.labels) < 0.9 * len(plain.trees.labels)
    assert_close(scored(once, model), scored(plain, model))
