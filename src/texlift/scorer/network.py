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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.scorer.arrays import Array, Arrays
from texlift.scorer.batch import FEATURE_BITS, Bag, Batch, Ties
from texlift.scorer.levels import Indices, Level, Subtrees, Trees
from texlift.scorer.schema import HOLE_SLOTS
from texlift.scorer.vocabulary import SHAPES, STYLES

__all__ = ["ScorerConfig", "combined", "initial_weights", "prepared", "score_parts"]

_TABLES: Final = frozenset(["linear", "feature", "word", "rule", "macro", "shape", "rule_key"])
"""Weights of which only rows are taken."""


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


def combined(parts: list[Array], network_share: float) -> Array:
    """The score by both scorers together, the network counting `network_share`."""
    return parts[0] if len(parts) == 1 else parts[0] + network_share * parts[1]


def score_parts(weights: Mapping[str, Array], config: ScorerConfig, batch: Batch, xp: Arrays) -> list[Array]:
    """The scores by the linear features and by the network, each (C,); they are trained to be right on their own.

    Two scorers that see different things and err on different formulae are surer together than one that was
    trained as their sum: there, what the linear part knows by heart the network never learns.
    """
    parts: list[Array] = []
    if config.linear:
        index = xp.integers(batch.crossed.features)
        offsets = xp.integers(batch.crossed.offsets)
        bags = xp.bag(weights["linear"], index, offsets, xp.floats(batch.crossed.weights))
        if batch.crossed.of_reading is not None:
            bags = (
                xp.take(bags, xp.integers(batch.crossed.of_reading.ravel()))
                .reshape(len(batch.crossed.of_reading), -1, 1)
                .sum(1)
            )
        parts.append(bags[:, 0])
    if config.network:
        parts.append(_network(weights, config, batch, xp))
    return [_tied(part, batch.ties, xp) for part in parts]


def _tied(scores: Array, ties: Ties, xp: Arrays) -> Array:
    """One symbol with the same readings is decided once for the entire formula: by the mean over its places."""
    means = xp.bag(scores[:, None], xp.integers(ties.order), xp.integers(ties.offsets), xp.floats(ties.weights))
    return xp.take(means, xp.integers(ties.of_reading))[:, 0]


def prepared(weights: Mapping[str, Array], h: int) -> Mapping[str, Array]:
    """The weights as the recursive passes use them: with all that each label and style gives, which needs no formula.

    On NumPy matrices in double precision, see `NumpyArrays`; rows of tables are added to what is in double precision
    already, so the tables stay as they are.

    What goes into sigmoids, all but the first `h` columns, is halved: see `Arrays.gated`.
    """
    weights = {
        name: weight.astype(np.float64) if isinstance(weight, np.ndarray) and name not in _TABLES else weight
        for name, weight in weights.items()
    }
    tables = dict(weights)
    for name, into in (("up", "up"), ("child", "down_child"), ("sibling", "down_sibling")):
        value, bias = _halved(weights[f"{into}_value"], h), _halved(weights[f"{into}_bias"][None], h)
        # most symbols have style 0: with it in the table of the labels, only the others need a second look
        style = weights["style"] @ value
        tables[f"{name}_of_label"] = weights["label"] @ value + style[:1] + bias
        tables[f"{name}_of_style"] = style - style[:1]
    for name in ("up_left", "up_right", *(f"down_{s}_{of}" for s in ("child", "sibling") for of in ("other", "state"))):
        tables[name] = _halved(weights[name], h)
    return tables


def _halved(matrix: Array, h: int) -> Array:
    half = np.full((1, matrix.shape[1]), 0.5, np.float32)
    half[0, :h] = 1.0
    return matrix * (half if isinstance(matrix, np.ndarray) else matrix.new_tensor(half))


def _network(weights: Mapping[str, Array], config: ScorerConfig, batch: Batch, xp: Arrays) -> Array:
    take = xp.take
    h = config.state
    if "up_of_label" not in weights:
        weights = prepared(weights, h)
    context = _context(weights, batch, xp)  # (F, h)
    # (N + 1, h), or (S + 1, h) with S subtrees; the last row zero
    trees = batch.trees
    up = _up(weights, trees, xp, h) if trees.subtrees is None else _up_merged(weights, trees.subtrees, xp, h)
    down = _down(weights, up, context, trees, xp, h)  # (N + 1, h)
    below, above = take(up, xp.integers(batch.place_subtree)), take(down, xp.integers(batch.place_node))
    place = xp.concat([below, above])  # (P, 2h)
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
    hidden = (
        take(at_place, of_place)
        + _features(weights, batch.reading_features, xp) @ weights["hidden_reading"]
        + take(weights["rule"], rule)
        + take(weights["macro"], xp.integers(batch.reading_macro))
        + take(weights["shape"], xp.integers(batch.reading_shape))
    )
    for slot in range(1 + HOLE_SLOTS):
        subtrees = batch.reading_subtrees[:, slot]
        having = (subtrees < len(up) - 1).nonzero()[0]  # most readings have no hole in most slots
        at = xp.integers(subtrees[having])
        if slot:
            rows = take(up, at) @ weights[f"hidden_hole{slot - 1}"]
        else:
            end = xp.integers(batch.end_node[having])
            rows = xp.concat([take(up, at), take(down, end)]) @ weights["hidden_end"]
        hidden = xp.added(hidden, xp.integers(having), rows)
    scores = (xp.relu(hidden) @ weights["output"])[:, 0]
    return scores + (take(query, of_place) * take(weights["rule_key"], rule)).sum(-1)


def _features(weights: Mapping[str, Array], hashed: NDArray[np.int64], xp: Arrays) -> Array:
    """Sums of the embeddings of what is seen, (rows, e); number 0 stands for nothing."""
    return xp.sums(weights["feature"], hashed) * (hashed.shape[1] ** -0.5)


def _context(weights: Mapping[str, Array], batch: Batch, xp: Arrays) -> Array:
    said = [_mean(weights["word"], bag, xp) for bag in (batch.titles, batch.sentence)]
    return xp.tanh(xp.concat(said) @ weights["context"] + weights["context_bias"])


def _mean(table: Array, bag: Bag, xp: Arrays) -> Array:
    return xp.bag(table, xp.integers(bag.words), xp.integers(bag.offsets), xp.floats(bag.weights))


def _given(weights: Mapping[str, Array], name: str, labels: Indices, styles: Indices, xp: Arrays) -> Array:
    """What nodes give to the gates by their label and style, bias included."""
    gates = xp.take(weights[f"{name}_of_label"], xp.integers(labels))
    styled = styles.nonzero()[0]
    return xp.added(gates, xp.integers(styled), xp.take(weights[f"{name}_of_style"], xp.integers(styles[styled])))


def _up(weights: Mapping[str, Array], trees: Trees, xp: Arrays, h: int) -> Array:
    """Bottom-up two-ary Tree-LSTM with node values: states of all nodes and a row of zeros, (N + 1, h)."""
    given = _given(weights, "up", trees.labels, trees.styles, xp)  # (N, 5h)
    left, right = weights["up_left"], weights["up_right"]
    states: list[Array] = [xp.zeros(1, h)]
    state = memory = states[0]
    below: Level | None = None
    for level in reversed(trees.levels):
        gates = given[level.start : level.end]
        sides: list[tuple[Array, int, Array, Array]] = []  # parents, their forget gate, states and memories below
        if below is not None:
            lefts = below.middle - below.start
            if lefts:
                sides.append((xp.integers(below.left_parents), 3 * h, state[:lefts] @ left, memory[:lefts]))
            if len(below.right_parents):
                sides.append((xp.integers(below.right_parents), 4 * h, state[lefts:] @ right, memory[lefts:]))
        for parents, _, rows, _ in sides:
            gates = xp.added(gates, parents, rows)
        gates = xp.gated(gates, h)
        memory_above = gates[:, :h] * gates[:, h : 2 * h]
        for parents, at, _, remembered in sides:
            kept = xp.take(gates[:, at : at + h], parents) * remembered
            memory_above = xp.added(memory_above, parents, kept)
        memory = memory_above
        state = gates[:, 2 * h : 3 * h] * xp.tanh(memory)
        states.append(state)
        below = level
    return xp.stack(states[::-1])


def _up_merged(weights: Mapping[str, Array], subtrees: Subtrees, xp: Arrays, h: int) -> Array:
    """The same as `_up` for subtrees that are used in several places, (S + 1, h): for translating, not for training."""
    given = _given(weights, "up", subtrees.labels, subtrees.styles, xp)  # (S, 5h)
    states, memories = xp.zeros(len(given) + 1, h), xp.zeros(len(given) + 1, h)
    for level in reversed(subtrees.levels):
        gates = given[level.start : level.end]
        sides = (
            (level.left_parents, level.left, weights["up_left"], 3 * h),
            (level.right_parents, level.right, weights["up_right"], 4 * h),
        )
        for parents, below, matrix, _ in sides:
            if len(parents):
                gates = xp.added(gates, parents, xp.take(states, below) @ matrix)
        gates = xp.gated(gates, h)
        memory = gates[:, :h] * gates[:, h : 2 * h]
        for parents, below, _, at in sides:
            if len(parents):
                kept = xp.take(gates[:, at : at + h], parents) * xp.take(memories, below)
                memory = xp.added(memory, parents, kept)
        memories[level.start : level.end] = memory
        states[level.start : level.end] = gates[:, 2 * h : 3 * h] * xp.tanh(memory)
    return states


def _down(weights: Mapping[str, Array], up: Array, context: Array, trees: Trees, xp: Arrays, h: int) -> Array:
    """Top-down LSTM: a child sees its parent and what follows the parent, a sibling what hangs below the one before.

    States of all nodes and a row of zeros, (N + 1, h); the roots hold the context.
    """
    # what each node but the roots gets from its parent, all at once but for the parent's state
    parent, right = np.divmod(trees.above, 2)
    label, style = trees.labels[parent], trees.styles[parent]
    gates = xp.zeros(len(parent), 4 * h)
    for name, nodes in (("child", (right == 0).nonzero()[0]), ("sibling", right.nonzero()[0])):
        gates = xp.added(gates, xp.integers(nodes), _given(weights, name, label[nodes], style[nodes], xp))
    for name, (nodes, others) in (("child", trees.hanging), ("sibling", trees.following)):
        rows = xp.take(up, xp.integers(others)) @ weights[f"down_{name}_other"]
        gates = xp.added(gates, xp.integers(nodes), rows)
    roots = trees.count
    state, memory = context, context
    states: list[Array] = [state]
    for level in trees.levels[1:]:
        rows = [
            xp.take(state, xp.integers(parents)) @ weights[f"down_{name}_state"]
            for name, parents in (("child", level.left_parents), ("sibling", level.right_parents))
            if len(parents)
        ]
        own = gates[level.start - roots : level.end - roots] + (rows[0] if len(rows) == 1 else xp.stack(rows))
        own = xp.gated(own, h)
        remembered = xp.take(memory, xp.integers(level.parents))
        memory = own[:, :h] * own[:, h : 2 * h] + own[:, 3 * h :] * remembered
        state = own[:, 2 * h : 3 * h] * xp.tanh(memory)
        states.append(state)
    return xp.stack([*states, xp.zeros(1, h)])
