"""Algorithms 1 and 2 against a plain transcription of the paper, and the standard ones."""

from __future__ import annotations

import numpy as np
import pytest

from texlift_paper.batching.clustering import (
    Parameters,
    Topologies,
    equation_parameters,
    no_clustering,
    pick_clustering,
)
from texlift_paper.batching.standard import LINKAGES, dbscan, k_means, linkage


def random_pairs(count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    generator = np.random.default_rng(seed)

    def tree(leaves: int) -> list[int]:
        if leaves == 1:
            return [3]
        left = int(generator.integers(1, leaves))
        return [0, *tree(left), *tree(leaves - left)]

    def make() -> np.ndarray:
        return np.array(tree(int(generator.integers(1, 9))), dtype=np.int32)

    return [(make(), make()) for _ in range(count)]


PAIRS = random_pairs(120, 5)


def transcribed(topologies: Topologies, parameters: Parameters) -> list[set[int]]:
    """The paper's pseudo-code, line by line, with sets."""
    masks = [set(mask.tolist()) for mask in topologies.masks]
    left = list(range(len(masks)))
    clusters: list[set[int]] = []
    for min_elements, max_size in zip(parameters.min_elements, parameters.max_sizes, strict=True):
        for seed in list(left):
            if seed not in left or len(masks[seed]) > max_size:
                continue
            hull, cluster = set(masks[seed]), {seed}
            while True:
                cluster |= {k for k in left if masks[k] <= hull}
                outside = {k: len(masks[k] - hull) for k in left if k not in cluster}
                best = min(outside, key=lambda k: (outside[k], k), default=None)
                if best is None or len(hull) + outside[best] > max_size:
                    break
                cluster.add(best)
                hull |= masks[best]
            if sum(topologies.counts[k] for k in cluster) >= min_elements:
                clusters.append(cluster)
                left = [k for k in left if k not in cluster]
    return clusters + [{k} for k in left]


@pytest.mark.parametrize("traversal", [True, False])
def test_algorithm_1_is_the_papers(traversal: bool) -> None:
    topologies = Topologies.of(PAIRS, traversal)
    parameters = Parameters((12, 8, 5, 3, 2, 1), (6, 10, 16, 20, 26, 60))
    clustering = pick_clustering(topologies, parameters)
    found = [set(np.flatnonzero(clustering.labels == k).tolist()) for k in range(clustering.clusters)]
    assert found == transcribed(topologies, parameters)


def test_the_table_adds_up() -> None:
    topologies = Topologies.of(PAIRS)
    count, total = no_clustering(topologies)
    assert (count, total) == (120, sum(len(a) + len(b) for a, b in PAIRS))
    clustering = pick_clustering(topologies, equation_parameters(count))
    assert clustering.members().sum() == count
    assert clustering.hull_sum() >= total
    assert clustering.estimated_time() == clustering.clusters * clustering.hull_sum()
    assert clustering.estimated_time() < count * total


def test_traversal_makes_hulls_smaller() -> None:
    parameters = equation_parameters(120)
    estimates = [pick_clustering(Topologies.of(PAIRS, flag), parameters).estimated_time() for flag in (True, False)]
    assert estimates[0] < estimates[1]


def test_equations_1_and_2() -> None:
    parameters = equation_parameters(15_240)
    assert (parameters.min_elements[0], parameters.min_elements[-1]) == (304, 1)
    assert (parameters.max_sizes[0], parameters.max_sizes[-1]) == (5, 50_000)
    assert list(parameters.min_elements) == sorted(parameters.min_elements, reverse=True)


def test_standard_algorithms_cluster_everything() -> None:
    topologies = Topologies.of(PAIRS)
    found = [k_means(topologies, 10), k_means(topologies, 10, dimensions=0), dbscan(topologies, 2.0)]
    found += [dbscan(topologies, 2.0, dimensions=0), *(linkage(topologies, 10, kind) for kind in LINKAGES)]
    for clustering in found:
        assert clustering.members().sum() == 120
        assert clustering.hull_sum() >= no_clustering(topologies)[1]


def test_without_reduction_k_means_finds_groups_that_few_dimensions_blur() -> None:
    topologies = Topologies.of(PAIRS)
    count = len(topologies.masks)
    assert k_means(topologies, count, dimensions=0).clusters == count
    assert k_means(topologies, count, dimensions=2).clusters < count


def test_alpha_of_equation_3() -> None:
    clustering = pick_clustering(Topologies.of(PAIRS), equation_parameters(120))
    assert clustering.estimated_time(1.02) == pytest.approx(clustering.clusters * clustering.hull_sum() ** 1.02)
