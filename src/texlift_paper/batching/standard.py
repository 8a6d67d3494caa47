"""Standard clustering algorithms on topologies, for comparison: k-means, DBSCAN, linkage.

A topology is a point with a coordinate for every position that occurs, 0 or 1; the squared distance of two is
the number of positions that only one of them has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from texlift_paper.batching.clustering import Clustering, Topologies
from texlift_paper.batching.trees import IntArray

__all__ = ["LINKAGES", "dbscan", "k_means", "linkage"]

LINKAGES = ("complete", "average", "single", "ward")


def _matrix(topologies: Topologies) -> Any:
    from scipy.sparse import csr_matrix

    sizes = topologies.sizes
    rows = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.concatenate(topologies.masks)
    ones = np.ones(len(columns), dtype=np.float32)
    return csr_matrix((ones, (rows, columns)), shape=(len(sizes), topologies.positions))


def _points(topologies: Topologies, dimensions: int, seed: int) -> Any:
    """The points in few dimensions (truncated singular value decomposition), (topologies, dimensions).

    With 0 dimensions, all positions as they are, sparse.
    """
    from sklearn.decomposition import TruncatedSVD

    matrix = _matrix(topologies)
    if not dimensions:
        return matrix
    size = min(dimensions, min(matrix.shape) - 1)
    if size < 2:
        return np.asarray(matrix.todense(), dtype=np.float32)
    return np.asarray(TruncatedSVD(size, random_state=seed).fit_transform(matrix), dtype=np.float32)


def _consecutive(labels: IntArray) -> IntArray:
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def k_means(topologies: Topologies, clusters: int, dimensions: int = 64, seed: int = 1) -> Clustering:
    """k-means weighted by the number of pairs: in mini-batches on points in `dimensions` dimensions.

    With 0 dimensions there is no reduction, and plain k-means instead of mini-batches, at many times the cost.
    """
    from sklearn.cluster import KMeans, MiniBatchKMeans

    points = _points(topologies, dimensions, seed)
    clusters = min(clusters, points.shape[0])
    if dimensions:
        model = MiniBatchKMeans(clusters, random_state=seed, n_init=1, batch_size=4096, max_iter=30)
    else:
        model = KMeans(clusters, random_state=seed, n_init=1, max_iter=30)
    labels = model.fit(points, sample_weight=topologies.counts.astype(float)).labels_
    return Clustering(topologies, _consecutive(labels.astype(np.int64)))


def dbscan(topologies: Topologies, radius: float, min_elements: int = 5, dimensions: int = 64) -> Clustering:
    """DBSCAN; what it calls noise becomes clusters of one."""
    from sklearn.cluster import DBSCAN

    points = _points(topologies, dimensions, 1)
    model = DBSCAN(eps=radius, min_samples=min_elements)
    labels = model.fit(points, sample_weight=topologies.counts.astype(float)).labels_.astype(np.int64)
    noise = np.flatnonzero(labels < 0)
    labels[noise] = labels.max() + 1 + np.arange(len(noise))
    return Clustering(topologies, _consecutive(labels))


def linkage(topologies: Topologies, clusters: int, kind: str = "complete") -> Clustering:
    """Linkage of a kind on the exact distances; memory grows with the square of the distinct topologies."""
    from scipy.cluster import hierarchy

    matrix = _matrix(topologies)
    sizes = topologies.sizes.astype(np.float32)
    count = len(sizes)
    distances = np.empty(count * (count - 1) // 2, dtype=np.float64)
    place = 0
    for start in range(0, count, 512):
        block = matrix[start : start + 512]
        common = np.asarray((block @ matrix.T).todense(), dtype=np.float32)
        for offset in range(block.shape[0]):
            row = start + offset
            length = count - row - 1
            distances[place : place + length] = sizes[row] + sizes[row + 1 :] - 2 * common[offset, row + 1 :]
            place += length
    if count == 1:
        return Clustering(topologies, np.zeros(1, dtype=np.int64))
    np.sqrt(distances, out=distances)
    tree = hierarchy.linkage(distances, kind)
    labels = hierarchy.fcluster(tree, min(clusters, count), "maxclust")
    return Clustering(topologies, _consecutive(labels.astype(np.int64)))
