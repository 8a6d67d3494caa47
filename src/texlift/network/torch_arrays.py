"""Arrays on PyTorch: only imported in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from texlift.network.arrays import Array

__all__ = ["TorchArrays"]


class TorchArrays:
    """Arrays on PyTorch tensors, differentiable."""

    def integers(self, values: np.ndarray[Any, Any]) -> Array:
        return torch.from_numpy(np.ascontiguousarray(values))

    def floats(self, values: np.ndarray[Any, Any]) -> Array:
        return torch.from_numpy(values.astype(np.float32, copy=False))

    def zeros(self, rows: int, columns: int, like: Array) -> Array:
        return torch.zeros(rows, columns)

    def concat(self, arrays: list[Array]) -> Array:
        return torch.cat(arrays, dim=-1)

    def take(self, array: Array, index: Array) -> Array:
        return array.index_select(0, index)

    def put(self, array: Array, index: Array, rows: Array) -> Array:
        return array.index_copy_(0, index, rows)

    def sigmoid(self, array: Array) -> Array:
        return torch.sigmoid(array)

    def tanh(self, array: Array) -> Array:
        return torch.tanh(array)

    def relu(self, array: Array) -> Array:
        return torch.relu(array)

    def bag(self, table: Array, index: Array, offsets: Array, weights: Array | None) -> Array:
        return torch.nn.functional.embedding_bag(index, table, offsets, mode="sum", per_sample_weights=weights)
