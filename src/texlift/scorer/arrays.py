"""The few array functions that NumPy and PyTorch do not share by name.

A network written against `Arrays` runs on both: on PyTorch in training, on NumPy in use.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

__all__ = ["Array", "Arrays", "NumpyArrays"]

Array = Any
"""A numpy.ndarray or a torch.Tensor; which one is the business of the Arrays in use."""


class Arrays(Protocol):
    """What the networks need beyond operators and indexing."""

    def integers(self, values: np.ndarray[Any, Any]) -> Array:
        """An index array."""

    def floats(self, values: np.ndarray[Any, Any]) -> Array:
        """An array of numbers."""

    def zeros(self, rows: int, columns: int) -> Array:
        """(rows, columns) of zeros."""

    def concat(self, arrays: list[Array]) -> Array:
        """Side by side, along the last axis."""

    def take(self, array: Array, index: Array) -> Array:
        """Rows of `array`."""

    def stack(self, arrays: list[Array]) -> Array:
        """One below the other, along the first axis."""

    def sigmoid(self, array: Array) -> Array: ...

    def tanh(self, array: Array) -> Array: ...

    def relu(self, array: Array) -> Array: ...

    def gated(self, gates: Array, h: int) -> Array:
        """tanh of the first `h` columns, the sigmoid of twice the others; may overwrite `gates`."""

    def added(self, array: Array, index: Array, rows: Array) -> Array:
        """`array` with `rows` added at the row numbers `index`, all different; may overwrite `array`."""

    def bag(self, table: Array, index: Array, offsets: Array, weights: Array | None) -> Array:
        """Sums of table rows: bag b holds index[offsets[b]:offsets[b + 1]], weighted."""

    def sums(self, table: Array, index: np.ndarray[Any, Any]) -> Array:
        """Sums of table rows, one for each row of `index`; number 0 stands for nothing."""


_PRECISION = np.float64


class NumpyArrays:
    """Arrays on NumPy.

    Everything is summed in double precision: how a product of matrices is rounded depends on how many rows it has, and
    a formula must score the same, to the last digit that is shown, whatever else is in its batch.
    """

    def integers(self, values: np.ndarray[Any, Any]) -> Array:
        return values

    def floats(self, values: np.ndarray[Any, Any]) -> Array:
        return values.astype(_PRECISION, copy=False)

    def zeros(self, rows: int, columns: int) -> Array:
        return np.zeros((rows, columns), _PRECISION)

    def concat(self, arrays: list[Array]) -> Array:
        return np.concatenate(arrays, axis=-1)

    def take(self, array: Array, index: Array) -> Array:
        return array.take(index, 0)  # half the time of array[index] for the few rows of a level

    def stack(self, arrays: list[Array]) -> Array:
        return np.concatenate(arrays, axis=0)

    def sigmoid(self, array: Array) -> Array:
        half = np.tanh(0.5 * array)
        half += 1.0
        half *= 0.5
        return half

    def tanh(self, array: Array) -> Array:
        return np.tanh(array)

    def relu(self, array: Array) -> Array:
        return np.maximum(array, 0.0)

    def gated(self, gates: Array, h: int) -> Array:
        # the sigmoid of 2x is (tanh x + 1) / 2: one pass does for all gates
        np.tanh(gates, out=gates)
        sigmoids = gates[:, h:]
        sigmoids += 1.0
        sigmoids *= 0.5
        return gates

    def added(self, array: Array, index: Array, rows: Array) -> Array:
        array[index] += rows
        return array

    def bag(self, table: Array, index: Array, offsets: Array, weights: Array | None) -> Array:
        columns = table.shape[1]
        if columns == 1:  # as a flat array: a third of the time
            table = table[:, 0]
        rows = table.take(index, 0).astype(_PRECISION, copy=False)
        if weights is not None:
            rows *= weights.reshape((-1,) + (1,) * (rows.ndim - 1))
        sums = np.zeros((len(offsets), *table.shape[1:]), _PRECISION)
        filled = np.diff(offsets, append=len(index)).nonzero()[0]
        if 0 < len(filled) == len(offsets):
            sums = np.add.reduceat(rows, offsets, axis=0)
        elif len(filled):
            sums[filled] = np.add.reduceat(rows, offsets[filled], axis=0)
        return sums.reshape(len(offsets), columns)

    def sums(self, table: Array, index: np.ndarray[Any, Any]) -> Array:
        # as a product with ones and zeros: a fifth of the time of np.add.reduceat over rows this short
        shown = (index != 0).astype(_PRECISION)[:, None, :]
        sums = np.empty((len(index), 1, table.shape[1]), _PRECISION)
        for at in range(0, len(index), _BLOCK):  # so many rows fit into the processor's cache
            some = slice(at, at + _BLOCK)
            rows = table.take(index[some], 0).astype(_PRECISION, copy=False)
            np.matmul(shown[some], rows, out=sums[some])
        return sums[:, 0]


_BLOCK = 128
