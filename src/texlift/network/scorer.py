"""The recursive scorer: how likely each reading of each place is.

A Tree-LSTM reads the tree bottom-up (a node sees everything below and to the right of it), another top-down (a
node sees everything above and to the left); the context stands at the root of the second. A reading is scored from
the two states at its place, at its end and at its holes, the embeddings of its rule and macro and the context, plus
a sparse linear model of features crossed with rule and macro. Softmax over the readings of a place.

One definition for PyTorch (training) and NumPy (translating): see `Arrays`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift.network.arrays import Array, Arrays
from texlift.translate.batch import FEATURE_BITS, Batch
from texlift.translate.encoding import HOLE_SLOTS
from texlift.translate.rulenumbers import SHAPES
from texlift.translate.vocabulary import STYLES

__all__ = ["ScorerConfig", "combined", "initial_weights", "score", "score_parts"]


@dataclass(frozen=True, slots=True)
class ScorerConfig:
    """Sizes of the scorer."""

    labels: int
    words: int
    rules: int  # with the unknown rule and one literal reading per label behind them
    macros: int  # with the literal reading before and the unknown macro behind them
    embedding: int = 32
    state: int = 48
    hidden: int = 64
    table_bits: int = 21
    linear: bool = True
    network: bool = True


def initial_weights(config: ScorerConfig, seed: int) -> dict[str, NDArray[np.float32]]:
    """Xavier weights, zero biases (forget gates 1), zero linear table."""
    rng = np.random.default_rng(seed)

    def xavier(rows: int, columns: int) -> NDArray[np.float32]:
        bound = np.sqrt(6.0 / (rows + columns))
        return rng.uniform(-bound, bound, (rows, columns)).astype(np.float32)

    def normal(rows: int, columns: int, scale: float) -> NDArray[np.float32]:
        return (rng.standard_normal((rows, columns)) * scale).astype(np.float32)

    e, h, k = config.embedding, config.state, config.hidden
    up_bias = np.zeros(5 * h, np.float32)
    up_bias[3 * h :] = 1.0
    down_bias = np.zeros(4 * h, np.float32)
    down_bias[3 * h :] = 1.0
    weights = {
        "label": normal(config.labels, e, 0.3),
        "style": normal(len(STYLES), e, 0.1),
        "word": normal(max(config.words, 1), e, 0.3),
        "context": xavier(2 * e, h),
        "context_bias": np.zeros(h, np.float32),
        "up_value": xavier(e, 5 * h),
        "up_left": xavier(h, 5 * h),
        "up_right": xavier(h, 5 * h),
        "up_bias": up_bias,
        "hidden_place": xavier(2 * h, k),
        "hidden_end": xavier(2 * h, k),
        "hidden_context": xavier(h, k),
        "hidden_bias": np.zeros(k, np.float32),
        "rule": normal(config.rules, k, 0.1),
        "macro": normal(config.macros, k, 0.1),
        "shape": normal(SHAPES, k, 0.1),
        "output": xavier(k, 1),
        "match_place": xavier(2 * h + h, k),
        "feature": normal(1 << FEATURE_BITS, e, 0.1),
        "hidden_seen": xavier(e, k),
        "hidden_reading": xavier(e, k),
        "match_seen": xavier(e, k),
        "rule_key": normal(config.rules, k, 0.1),
        "linear": np.zeros((1 << config.table_bits, 1), np.float32),
    }
    for side in ("child", "sibling"):
        weights[f"down_{side}_value"] = xavier(e, 4 * h)
        weights[f"down_{side}_other"] = xavier(h, 4 * h)
        weights[f"down_{side}_state"] = xavier(h, 4 * h)
        weights[f"down_{side}_bias"] = down_bias.copy()
    for slot in range(HOLE_SLOTS):
        weights[f"hidden_hole{slot}"] = xavier(h, k)
    return weights


def score(weights: Mapping[str, Array], config: ScorerConfig, batch: Batch, xp: Arrays) -> Array:
    """Scores of all readings of a batch, before the softmax over each place: (C,)."""
    return combined(score_parts(weights, config, batch, xp))


def combined(parts: list[Array]) -> Array:
    """The score by all scorers together."""
    return parts[0] if len(parts) == 1 else sum([share * part for share, part in zip(_SHARES, parts, strict=True)])


def score_parts(weights: Mapping[str, Array], config: ScorerConfig, batch: Batch, xp: Arrays) -> list[Array]:
    """The scores by the linear features and by the network, each (C,); they are trained to be right on their own.

    Two scorers that see different things and err on different formulae are surer together than one that was
    trained as their sum: there, what the linear part knows by heart the network never learns.
    """
    parts: list[Array] = []
    if config.linear:
        index = xp.integers(batch.crossed)
        offsets = xp.integers(batch.crossed_offsets)
        parts.append(xp.bag(weights["linear"], index, offsets, xp.floats(batch.crossed_weights))[:, 0])
    if config.network:
        parts.append(_network(weights, config, batch, xp))
    return [_tied(part, batch, xp) for part in parts]


_SHARES = (1.0, 0.5)  # of the linear features and of the network; each is sure enough on its own


def _tied(scores: Array, batch: Batch, xp: Arrays) -> Array:
    """One symbol with the same readings is decided once for the entire formula: by the mean over its places."""
    ties = xp.bag(
        scores[:, None], xp.integers(batch.tied), xp.integers(batch.tie_offsets), xp.floats(batch.tie_weights)
    )
    return xp.take(ties, xp.integers(batch.reading_tie))[:, 0]


def _network(weights: Mapping[str, Array], config: ScorerConfig, batch: Batch, xp: Arrays) -> Array:
    take = xp.take
    h = config.state
    context = _context(weights, batch, xp)  # (F, h)
    values = take(weights["label"], xp.integers(batch.labels)) + take(weights["style"], xp.integers(batch.styles))
    up = _up(weights, values, batch, xp, h)  # (N + 1, h), the last row zero
    down = _down(weights, values, up, context, batch, xp, h)  # (N + 1, h)
    both = xp.concat([up, down])
    place = take(both, xp.integers(batch.place_node))  # (P, 2h)
    own_context = take(context, xp.integers(batch.place_formula))
    seen = _features(weights, batch.place_features, xp)  # (P, e)
    at_place = (
        place @ weights["hidden_place"]
        + seen @ weights["hidden_seen"]
        + own_context @ weights["hidden_context"]
        + weights["hidden_bias"]
    )
    query = xp.concat([place, own_context]) @ weights["match_place"] + seen @ weights["match_seen"]  # (P, k)
    of_place = xp.integers(batch.reading_place)
    rule = xp.integers(batch.reading_rule)
    ends = take(both, xp.integers(batch.reading_nodes[:, 0]))
    hidden = (
        take(at_place, of_place)
        + ends @ weights["hidden_end"]
        + _features(weights, batch.reading_features, xp) @ weights["hidden_reading"]
        + take(weights["rule"], rule)
        + take(weights["macro"], xp.integers(batch.reading_macro))
        + take(weights["shape"], xp.integers(batch.reading_shape))
    )
    for slot in range(HOLE_SLOTS):
        hidden = hidden + take(up, xp.integers(batch.reading_nodes[:, 1 + slot])) @ weights[f"hidden_hole{slot}"]
    scores = (xp.relu(hidden) @ weights["output"])[:, 0]
    return scores + (take(query, of_place) * take(weights["rule_key"], rule)).sum(-1)


def _features(weights: Mapping[str, Array], hashed: NDArray[np.int64], xp: Arrays) -> Array:
    """Sums of the embeddings of what is seen, (rows, e); number 0 stands for nothing."""
    rows, width = hashed.shape
    shown = (hashed != 0).astype(np.float32)
    starts = np.arange(rows) * width
    return xp.bag(
        weights["feature"], xp.integers(hashed.ravel()), xp.integers(starts), xp.floats(shown.ravel() / np.sqrt(width))
    )


def _context(weights: Mapping[str, Array], batch: Batch, xp: Arrays) -> Array:
    titles = xp.bag(
        weights["word"], xp.integers(batch.titles), xp.integers(batch.title_offsets), xp.floats(batch.title_weights)
    )
    sentence = xp.bag(
        weights["word"],
        xp.integers(batch.sentence),
        xp.integers(batch.sentence_offsets),
        xp.floats(batch.sentence_weights),
    )
    return xp.tanh(xp.concat([titles, sentence]) @ weights["context"] + weights["context_bias"])


def _up(weights: Mapping[str, Array], values: Array, batch: Batch, xp: Arrays, h: int) -> Array:
    """Bottom-up two-ary Tree-LSTM with node values: states of all nodes and a row of zeros, (N + 1, h)."""
    gates_of_value = values @ weights["up_value"] + weights["up_bias"]  # (N, 5h)
    nothing = xp.zeros(1, h)
    below, memory = nothing, nothing
    states: list[Array] = [nothing]
    for level in reversed(batch.levels):
        left = xp.integers(level.left)
        right = xp.integers(level.right)
        gates = (
            gates_of_value[level.start : level.end]
            + xp.take(below, left) @ weights["up_left"]
            + xp.take(below, right) @ weights["up_right"]
        )
        opened = xp.sigmoid(gates[:, h:])
        cell = (
            opened[:, :h] * xp.tanh(gates[:, :h])
            + opened[:, 2 * h : 3 * h] * xp.take(memory, left)
            + opened[:, 3 * h :] * xp.take(memory, right)
        )
        state = opened[:, h : 2 * h] * xp.tanh(cell)
        states.append(state)
        below = xp.stack([state, nothing])
        memory = xp.stack([cell, nothing])
    return xp.stack(states[::-1])


def _down(
    weights: Mapping[str, Array], values: Array, up: Array, context: Array, batch: Batch, xp: Arrays, h: int
) -> Array:
    """Top-down LSTM: a child sees its parent and what follows the parent, a sibling what hangs below the one before.

    States of all nodes and a row of zeros, (N + 1, h); the roots hold the context.
    """
    # for each node what its left child gets from it, then what its right child gets; all at once but for the state
    given = [
        values @ weights[f"down_{side}_value"]
        + xp.take(up, xp.integers(others)) @ weights[f"down_{side}_other"]
        + weights[f"down_{side}_bias"]
        for side, others in (("child", batch.right), ("sibling", batch.left))
    ]
    above = np.concatenate([level.above + 2 * level.start for level in batch.levels])
    from_above = xp.take(xp.concat(given).reshape(-1, 4 * h), xp.integers(above))  # (N - roots, 4h)
    both = xp.concat([weights["down_child_state"], weights["down_sibling_state"]])
    roots = batch.levels[0].end
    state, memory = context, context
    states: list[Array] = [state]
    for level in batch.levels[:-1]:
        start = level.end - roots
        gates = from_above[start : start + len(level.above)] + xp.take(
            (state @ both).reshape(-1, 4 * h), xp.integers(level.above)
        )
        opened = xp.sigmoid(gates[:, h:])
        memory = opened[:, :h] * xp.tanh(gates[:, :h]) + opened[:, 2 * h :] * xp.take(
            memory, xp.integers(level.parents)
        )
        state = opened[:, h : 2 * h] * xp.tanh(memory)
        states.append(state)
    return xp.stack([*states, xp.zeros(1, h)])
