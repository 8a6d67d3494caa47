"""Arrays on PyTorch: only imported in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from texlift.scorer.arrays import Array

__all__ = ["TorchArrays"]


class TorchArrays:
    """Arrays on PyTorch tensors, differentiable."""

    def integers(self, values: np.ndarray[Any, Any]) -> Array:
        return torch.from_numpy(np.ascontiguousarray(values))

    def floats(self, values: np.ndarray[Any, Any]) -> Array:
        return torch.from_numpy(values.astype(np.float32, copy=False))

    def zeros(self, rows: int, columns: int) -> Array:
        return torch.zeros(rows, columns)

    def concat(self, arrays: list[Array]) -> Array:
        return torch.cat(arrays, dim=-1)

    def take(self, array: Array, index: Array) -> Array:
        return array.index_select(0, index)

    def stack(self, arrays: list[Array]) -> Array:
        return torch.cat(arrays, dim=0)

    def sigmoid(self, array: Array) -> Array:
        return torch.sigmoid(array)

    def tanh(self, array: Array) -> Array:
        return torch.tanh(array)

    def relu(self, array: Array) -> Array:
        return torch.relu(array)

    def gated(self, gates: Array, h: int) -> Array:
        return torch.cat((torch.tanh(gates[:, :h]), torch.sigmoid(2.0 * gates[:, h:])), dim=1)

    def added(self, array: Array, index: Array, rows: Array) -> Array:
        return array.index_add(0, index, rows)

    def bag(self, table: Array, index: Array, offsets: Array, weights: Array | None) -> Array:
        # embedding_bag sorts the indices in its backward pass; adding them up one by one is four times as fast
        lengths = torch.diff(offsets, append=torch.tensor([len(index)]))
        bags = torch.repeat_interleave(torch.arange(len(offsets)), lengths)
        rows = table.index_select(0, index)
        if weights is not None:
            rows = rows * weights[:, None]
        return torch.zeros(len(offsets), table.shape[1]).index_add(0, bags, rows)

    def sums(self, table: Array, index: np.ndarray[Any, Any]) -> Array:
        rows, columns = np.nonzero(index)  # number 0 stands for nothing, and half of the numbers are 0
        shown = table.index_select(0, self.integers(index[rows, columns]))
        return torch.zeros(len(index), table.shape[1]).index_add(0, self.integers(rows), shown)
