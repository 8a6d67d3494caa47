"""Measured training time of a clustering, to compare with the paper's equation 3.

Training goes through a sample of the clusters, padded to their hulls, node by node over all trees. A step takes a time
for every node of the hull and one for every node of every padded tree; both are fitted to the sample and summed over
all clusters.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from texlift_paper.batching.padding import hull_of
from texlift_paper.network.cluster_engine import ClusterEngine
from texlift_paper.network.loss import masked_loss
from texlift_paper.network.model import TreeToTree
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.evaluation import sides

__all__ = ["EpochTime", "epoch_time"]

_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True)
class EpochTime:
    """Seconds of processor time for an epoch, from `sampled` of its steps."""

    seconds: float
    sampled: int
    per_hull_node: float
    per_padded_node: float


def epoch_time(model: TreeToTree, groups: Sequence[Sequence[TreePair]], seconds: float) -> EpochTime:
    """Train on clusters of all sizes for about so many seconds; the time of a whole epoch."""
    hulls = np.array(
        [len(hull_of(pair.source for pair in group)) + len(hull_of(pair.target for pair in group)) for group in groups]
    )
    padded = hulls * np.array([len(group) for group in groups])
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-6)
    engine = ClusterEngine()
    model.train()
    # small and large ones in turn: steps of the golden ratio through the clusters in order of their work
    order = np.argsort(padded)
    places = (np.arange(1, 4 * len(groups) + 1) * _GOLDEN % 1 * len(groups)).astype(int)
    chosen = list(dict.fromkeys(order[places].tolist()))
    times: list[float] = []
    began = time.process_time()
    for index in chosen:
        start = time.process_time()
        source, target = sides(groups[index])
        loss = masked_loss(model(source, target, engine), torch.as_tensor(target.values), 0.1, 0.9)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        times.append(time.process_time() - start)
        if time.process_time() - began > seconds and len(times) > 2:
            break
    sample = chosen[: len(times)]
    work = np.stack((hulls[sample], padded[sample]), axis=1).astype(float)
    from scipy.optimize import nnls

    (per_hull_node, per_padded_node), _ = nnls(work, np.array(times))
    total = per_hull_node * hulls.sum() + per_padded_node * padded.sum()
    return EpochTime(float(total), len(sample), float(per_hull_node), float(per_padded_node))
