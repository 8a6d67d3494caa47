"""`texlift bench training`: how fast the batching engines are; ratios from one run hold on any machine."""

from __future__ import annotations

import resource
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.optim import Optimizer

from texlift.bench.figure import Figure
from texlift_paper.network.cluster_engine import ClusterEngine
from texlift_paper.network.engine import Engine
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.loss import masked_loss
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.tree_engine import TreeEngine
from texlift_paper.training.dataset import TreePair, load_dataset
from texlift_paper.training.evaluation import sides
from texlift_paper.training.experiment import DataConfig
from texlift_paper.training.loop import reuse_memory
from texlift_paper.training.minibatches import Clusters, batches, cut

__all__ = ["measure"]

_TERMS = 15_240  # as many as the paper clusters: with fewer, the clusters are thin and padding saves nothing
_SAMPLE = 1_000  # pairs that are trained on one at a time
_STATE = 256
_LEVEL_NODES = 12_000  # of a batch: more nodes share a product, and more equal subtrees are encoded once
_CLUSTER_NODES = 8_000  # of a piece of a cluster, without padding
_ROUNDS = 2  # of the same batches; the engines take turns and the best round of each counts, as noise comes and goes
_SECONDS = 10.0  # for each engine in a round


def measure(data: Path) -> list[Figure]:
    """Train with each engine for a while: the same model, the same pairs, one thread, CPU time."""
    reuse_memory()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    config = DataConfig(str(data / "dlmf.jsonl"), augment=True, terms=_TERMS, max_nodes=300)
    dataset = load_dataset(config, 1)
    generator = np.random.default_rng(1)
    chosen = generator.permutation(len(dataset.training))[:_SAMPLE]
    sample = [dataset.training[index] for index in chosen]
    # clusters come from all pairs, as in training; those of the sample would be much thinner
    clusters = [piece for group in Clusters.of(dataset.training).groups for piece in cut(group, _CLUSTER_NODES)]
    levels = list(batches(dataset.training, _LEVEL_NODES, generator))
    ones = [[pair] for pair in sample]
    model = TreeToTree(ModelConfig(state=_STATE, embedding=_STATE, dropout=0.05), len(dataset.vocabulary))
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-5)
    model.train()
    engines: dict[str, tuple[Engine, list[list[TreePair]]]] = {
        "trees": (TreeEngine(), ones),
        "clusters": (ClusterEngine(), clusters),
        "levels": (LevelEngine(dataset.table), levels),
    }
    rounds = [
        {name: _speed(model, optimiser, engine, groups) for name, (engine, groups) in engines.items()}
        for _ in range(_ROUNDS)
    ]
    speeds = {name: max(speeds[name] for speeds in rounds) for name in engines}
    attention = replace(model.config, attention=True, copying=True, sibling="subtree", outside=True)
    full = TreeToTree(attention, len(dataset.vocabulary))
    full_optimiser = torch.optim.Adam(full.parameters(), lr=1e-5)
    full.train()
    smaller = list(batches(dataset.training, 4_000, generator))
    with_attention = _speed(full, full_optimiser, LevelEngine(dataset.table), smaller)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return [
        Figure("level_speedup", speeds["levels"] / speeds["trees"], "x", ">= 25", "over one tree at a time"),
        Figure("cluster_speedup", speeds["clusters"] / speeds["trees"], "x", "", "the paper's: about 10 x"),
        Figure("level_over_cluster", speeds["levels"] / speeds["clusters"], "x"),
        Figure("tree_nodes_per_second", speeds["trees"], "nodes/s", "", f"state {_STATE}, one thread"),
        Figure("cluster_nodes_per_second", speeds["clusters"], "nodes/s", "", "nodes of the trees, not of the hulls"),
        Figure("level_nodes_per_second", speeds["levels"], "nodes/s"),
        Figure("attention_nodes_per_second", with_attention, "nodes/s", "", "with attention and sibling feeding"),
        Figure("memory", memory, "GB", "<= 2", "largest of the whole run"),
    ]


def _speed(model: TreeToTree, optimiser: Optimizer, engine: Engine, groups: list[list[TreePair]]) -> float:
    """Nodes of both trees trained on in a second of CPU time; batches in a random order."""
    order = np.random.default_rng(2).permutation(len(groups)).tolist()
    nodes = 0
    start = 0.0
    for number, index in enumerate(order):
        source, target = sides(groups[index])
        loss = masked_loss(model(source, target, engine), torch.as_tensor(target.values), 0.2, 0.9)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if number == 0:  # the first batch pays for what is set up once
            start = time.process_time()
            continue
        nodes += len(source) + len(target)
        if time.process_time() - start > _SECONDS:
            break
    return nodes / (time.process_time() - start)
