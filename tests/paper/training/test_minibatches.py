"""Clusters as mini-batches and answers on their hulls, counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_corpus import write_experiment

from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.engines import ENGINES
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.tree_engine import TreeEngine
from texlift_paper.network.vocabulary import END
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.evaluation import copied_on_hulls
from texlift_paper.training.experiment import read_experiment
from texlift_paper.training.lessons import Lessons
from texlift_paper.training.loop import Share, _step
from texlift_paper.training.minibatches import Clusters, batches, cut, random_batches
from texlift_paper.training.trial import Trial

TABLE = SubtreeTable()


def tree(*values: int) -> TreeArrays:
    return TreeArrays.of(np.array(values, dtype=np.int32), TABLE)


def pair(source: TreeArrays, target: TreeArrays) -> TreePair:
    return TreePair("a", "b", source, target)


# (3, (4, 5)); ((4, 5), 3), which the traversal turns into the same shape; 6 alone
PAIRS = [pair(tree(3), tree(0, 3, 0, 4, 5)), pair(tree(3), tree(0, 0, 4, 5, 3)), pair(tree(0, 6, 3), tree(6))]

E = END


def forced_into_one(pairs: list[TreePair], path: Path) -> Clusters:
    """All pairs in one cluster, through the cache of labels."""
    Clusters.of(pairs, path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "labels": [0] * len(pairs)}))
    return Clusters.of(pairs, path)


def test_answers_are_padded_to_the_hull_of_their_cluster(tmp_path: Path) -> None:
    clusters = forced_into_one(PAIRS, tmp_path / "clusters.json")
    assert clusters.hulls == (frozenset({1, 2, 3, 6, 7}),)
    first, second, third = (clusters.padded(pair).target for pair in PAIRS)
    assert first.values.tolist() == [0, 3, 0, 4, 5]
    assert second.values.tolist() == [0, 0, 4, 5, 3]  # in its own order
    assert third.values.tolist() == [6, E, E, E, E]
    assert third.rights.tolist() == [2, -1, 4, -1, -1]


def test_a_cached_clustering_of_other_pairs_is_not_used(tmp_path: Path) -> None:
    forced_into_one(PAIRS, tmp_path / "clusters.json")
    other = [replace(pair, generic="c") for pair in PAIRS]
    assert set(Clusters.of(other, tmp_path / "clusters.json").numbers) == set(other)
    assert json.loads((tmp_path / "clusters.json").read_text())["labels"] != [0, 0, 0]


def test_copying_on_hulls(tmp_path: Path) -> None:
    scores = copied_on_hulls(forced_into_one(PAIRS, tmp_path / "clusters.json"))
    first, _, third = (scores[pair] for pair in PAIRS)
    # 3 at the root, y_end elsewhere, for (3, (4, 5)): nothing is right, the bag has the 3
    assert (first.nodes, first.right, first.symbols, first.right_symbols, first.missing) == (5, 0, 3, 0, 4)
    # (6, 3) for 6: its 3 stands where y_end should; two of four y_end are right, and the bag lacks two
    assert (third.nodes, third.right, third.symbols, third.right_symbols, third.missing) == (5, 2, 1, 0, 2)


@pytest.mark.parametrize("engine", ["levels", "clusters", "trees"])
def test_the_loss_of_a_cluster_counts_its_padding(tmp_path: Path, engine: str) -> None:
    clusters = forced_into_one(PAIRS, tmp_path / "clusters.json")
    torch.manual_seed(2)
    model = TreeToTree(ModelConfig(state=5, embedding=4, dropout=0), 7)
    path = write_experiment(tmp_path, training='hulls = true\nmini_batches = "clusters"')
    experiment = read_experiment(path)
    experiment = replace(experiment, loss=replace(experiment.loss, alpha=0.5, beta=0.25))
    lessons = Lessons.__new__(Lessons)
    lessons.experiment, lessons.config, lessons.clusters = experiment, experiment.training, clusters
    lessons.called, lessons.engine, lessons.targets = model, ENGINES[engine](TABLE), None
    lessons.device = torch.device("cpu")
    (batch,) = clusters.batches(np.random.default_rng(1))
    # by hand: 15 nodes, of which 4 are y_end and 4 are inner; 3, 4 and 5 stand there twice, 6 once
    gold = [0, 3, 0, 4, 5, 0, 0, 4, 5, 3, 6, E, E, E, E]
    counts = {0: 4, E: 4, 3: 2, 4: 2, 5: 2, 6: 1}
    padded = TreeBatch.of([clusters.padded(pair).target for pair in PAIRS])
    assert padded.values.tolist() == gold
    chances = model(TreeBatch.of([pair.source for pair in PAIRS]), padded, TreeEngine()).detach()
    expected = 0.0
    for row, value in zip(chances, gold, strict=True):
        factor = 0.25 if int(row.argmax()) == value else 1.0
        expected += factor * counts[value] ** -0.5 * -float(row[value])
    optimiser = torch.optim.SGD(model.parameters(), lr=0.0)
    loss, nodes = _step(experiment, model, lessons, optimiser, batch, Share())
    assert (loss, nodes) == (pytest.approx(expected, rel=1e-5), 15)
    assert model.prediction.second.bias.grad is not None


def test_a_cluster_in_pieces_has_the_gradient_of_the_whole(tmp_path: Path) -> None:
    gradients = []
    for size in (12, 100_000):
        path = write_experiment(tmp_path, training=f'hulls = true\nmini_batches = "clusters"\nbatch_nodes = {size}')
        path.write_text(path.read_text().replace("dropout = 0.1", "dropout = 0.0"))
        trial = Trial.of(read_experiment(path))
        lessons = Lessons(trial.experiment, trial.dataset, trial.model, trial.engine, tmp_path / f"{size}.json")
        batch = max(lessons.order()(np.random.default_rng(0)), key=len)
        assert (len(cut(lessons.prepare(batch), size)) > 1) == (size == 12)
        _step(trial.experiment, trial.model, lessons, torch.optim.SGD(trial.model.parameters(), lr=0.0), batch, Share())
        gradients.append({name: size * p.grad for name, p in trial.model.named_parameters() if p.grad is not None})
    for name, gradient in gradients[0].items():
        assert torch.allclose(gradient, gradients[1][name], atol=1e-4), name


def test_every_kind_of_mini_batch_has_every_pair_once(tmp_path: Path) -> None:
    for kind in ("sizes", "clusters", "random"):
        trial = Trial.of(read_experiment(write_experiment(tmp_path, training=f'mini_batches = "{kind}"')))
        lessons = Lessons(trial.experiment, trial.dataset, trial.model, trial.engine, tmp_path / f"{kind}.json")
        seen = [pair for batch in lessons.order()(np.random.default_rng(3)) for pair in batch]
        assert len(seen) == len(lessons.pairs) and set(seen) == set(lessons.pairs)


def test_batches_keep_to_their_budget() -> None:
    pairs = [pair(tree(3), tree(3)) for _ in range(10)] + [pair(tree(0, 3, 3), tree(0, 3, 3)) for _ in range(5)]
    for groups in (list(batches(pairs, 8)), list(random_batches(pairs, 8, np.random.default_rng(1)))):
        assert sorted(map(len, groups), reverse=True)[0] <= 4
        assert sum(map(len, groups)) == 15
    assert [len(group) for group in cut(pairs[:3], 1)] == [1, 1, 1]
