"""The scorer gives the same scores on NumPy and on PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from texlift.corpus.demo import demo_pairs
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.scorer.arrays import NumpyArrays
from texlift.scorer.batch import collate
from texlift.scorer.encoding import Encoded, Encoder
from texlift.scorer.merging import merged
from texlift.scorer.network import initial_weights, score
from texlift.translate.model import packaged_model

torch = pytest.importorskip("torch")


def _encoded(count: int) -> list[Encoded]:
    model = packaged_model()
    reader = Reader(model.grammar)
    encoder = Encoder(model.vocabulary, model.numbers)
    return [encoder.encode(reader.read(canonical(p.generic)), p.generic, p.context) for p in demo_pairs()[:count]]


def test_engines_agree() -> None:
    from texlift.train.torch_arrays import TorchArrays

    model = packaged_model()
    encoded = _encoded(60)
    batch = collate(encoded, model.config.table_bits)
    for weights in (dict(model.weights), initial_weights(model.config, 3)):
        ours = score(weights, model.config, batch, NumpyArrays())
        tensors = {name: torch.from_numpy(np.array(w)) for name, w in weights.items()}
        theirs = score(tensors, model.config, batch, TorchArrays()).numpy()
        assert np.abs(ours - theirs).max() < 1e-5 * max(1.0, np.abs(ours).max())


def test_a_formula_scores_the_same_alone_and_in_a_batch() -> None:
    model = packaged_model()
    encoded = _encoded(40)
    together = score(model.weights, model.config, collate(encoded, model.config.table_bits), NumpyArrays())
    alone = [score(model.weights, model.config, collate([e], model.config.table_bits), NumpyArrays()) for e in encoded]
    assert np.allclose(together, np.concatenate(alone), atol=1e-4)


def test_features_shared_by_readings_score_the_same() -> None:
    """Translating crosses what readings have in common once, training once for each reading."""
    model = packaged_model()
    encoded = _encoded(60)
    apart, shared = (collate(encoded, model.config.table_bits, shared=way) for way in (False, True))
    assert len(shared.crossed) < 0.8 * len(apart.crossed)
    ours, theirs = (score(model.weights, model.config, batch, NumpyArrays()) for batch in (shared, apart))
    assert np.abs(ours - theirs).max() < 1e-5 * max(1.0, np.abs(theirs).max())


def test_merged_subtrees_score_the_same() -> None:
    """Translating computes equal subtrees once and leaves out nodes that nothing asks for."""
    model = packaged_model()
    plain = collate(_encoded(60), model.config.table_bits)
    once = merged(plain)
    assert once.subtrees is not None
    assert len(once.subtrees.labels) < 0.9 * len(plain.labels)
    assert len(once.labels) < 0.9 * len(plain.labels)
    ours, theirs = (score(model.weights, model.config, batch, NumpyArrays()) for batch in (once, plain))
    assert np.abs(ours - theirs).max() < 1e-5 * max(1.0, np.abs(theirs).max())
