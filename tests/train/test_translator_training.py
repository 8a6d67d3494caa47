"""Training of the translator: the same seed gives the same weights, also if it was stopped on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from texlift.corpus.demo import demo_pairs
from texlift.grammar.packaged import packaged_grammar

pytest.importorskip("torch")


class _StoppedError(Exception):
    pass


def test_a_training_that_was_stopped_ends_with_the_same_weights(tmp_path: Path) -> None:
    from texlift.train.fit import TranslatorSettings, fit

    pairs = demo_pairs()[:40]
    settings = TranslatorSettings(
        epochs=2,
        batch=16,
        state=8,
        hidden=8,
        embedding=8,
        table_bits=12,
        primer=False,
        handbook=False,
        checkpoint_seconds=0.0,
    )
    whole, _ = fit(pairs, settings, grammar=packaged_grammar())

    def stop(stage: str, done: int, total: int, figures: dict[str, float]) -> None:
        if stage.startswith("epoch 2") and done == 2:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        fit(pairs, settings, tmp_path, stop, packaged_grammar())
    resumed, history = fit(pairs, settings, tmp_path, grammar=packaged_grammar())
    assert len(history) == settings.epochs
    for name, weights in whole.weights.items():
        assert np.array_equal(weights, resumed.weights[name]), name
    assert np.array_equal(whole.memory.keys, resumed.memory.keys)
    assert len(whole.memory.keys)
