"""The recursions of both cells over whole batches, level by level, with backward passes of their own.

Compared with autograd over single levels: states and gates live in buffers that are allocated once a batch,
the gradient of a weight matrix is one product over all nodes instead of one a level, and the derivatives of
sigmoid and tanh are written into the buffers by one operation each.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from texlift_paper.batching.levels import DownPlan, UpPlan

__all__ = ["Shared", "down", "up"]

_sigmoid_gradient = torch.ops.aten.sigmoid_backward.grad_input
"""(gradient, y) to gradient * y * (1 - y), into `grad_input`."""
_tanh_gradient = torch.ops.aten.tanh_backward.grad_input
"""(gradient, y) to gradient * (1 - y * y), into `grad_input`."""


class _Up(torch.autograd.Function):
    """Two-ary LSTM from the leaves to the roots."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weight: Tensor, plan: UpPlan, children: Tensor) -> tuple[Tensor, Tensor]:
        rows, state = len(gates), weight.shape[0] // 2
        leaves = plan.leaves
        act = torch.empty_like(gates)
        h = gates.new_empty(rows, state)
        c = gates.new_empty(rows, state)
        tanh_c = gates.new_empty(rows, state)
        inputs = gates.new_empty(rows - leaves, 2 * state)
        # leaves have zero states below them: no product, and the forget gates do not matter
        torch.sigmoid(gates[:leaves, : 4 * state], out=act[:leaves, : 4 * state])
        torch.tanh(gates[:leaves, 4 * state :], out=act[:leaves, 4 * state :])
        torch.mul(act[:leaves, :state], act[:leaves, 4 * state :], out=c[:leaves])
        torch.tanh(c[:leaves], out=tanh_c[:leaves])
        torch.mul(act[:leaves, state : 2 * state], tanh_c[:leaves], out=h[:leaves])
        flat = inputs.view(-1, state)
        for start, end in plan.levels:
            first, last = start - leaves, end - leaves
            index = children[2 * first : 2 * last]
            torch.index_select(h, 0, index, out=flat[2 * first : 2 * last])
            a = act[start:end]
            torch.addmm(gates[start:end], inputs[first:last], weight, out=a)
            a[:, : 4 * state].sigmoid_()
            a[:, 4 * state :].tanh_()
            kept = c.index_select(0, index).view(last - first, 2 * state).mul_(a[:, 2 * state : 4 * state])
            cell = torch.addcmul(kept[:, :state], a[:, :state], a[:, 4 * state :], out=c[start:end])
            cell.add_(kept[:, state:])
            torch.tanh(cell, out=tanh_c[start:end])
            torch.mul(a[:, state : 2 * state], tanh_c[start:end], out=h[start:end])
        # detached: an output that its own context holds is a cycle, which only the garbage collector would free
        ctx.plan, ctx.buffers = plan, (act, c.detach(), tanh_c, inputs, weight, children)
        return h, c

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_h: Tensor, grad_c: Tensor) -> tuple[Tensor, Tensor, None, None]:
        act, c, tanh_c, inputs, weight, children = ctx.buffers
        plan: UpPlan = ctx.plan
        state = weight.shape[0] // 2
        leaves = plan.leaves
        dh, dc = grad_h.clone(), grad_c.clone()
        grad = torch.empty_like(act)
        transposed = weight.t()
        for start, end in reversed(plan.levels):
            first, last = start - leaves, end - leaves
            index = children[2 * first : 2 * last]
            a, g = act[start:end], grad[start:end]
            dcell = _cell_gradient(a, g, dh[start:end], dc[start:end], tanh_c[start:end], state)
            both = dcell.repeat(1, 2)  # for the left and the right child
            forget = a[:, 2 * state : 4 * state]
            below = c.index_select(0, index).view(last - first, 2 * state).mul_(both)
            _sigmoid_gradient(below, forget, grad_input=g[:, 2 * state : 4 * state])
            dc.index_add_(0, index, both.mul_(forget).view(-1, state))
            dh.index_add_(0, index, (g @ transposed).view(-1, state))
        if leaves:
            a, g = act[:leaves], grad[:leaves]
            _cell_gradient(a, g, dh[:leaves], dc[:leaves], tanh_c[:leaves], state)
            g[:, 2 * state : 4 * state] = 0
        return grad, inputs.t() @ grad[leaves:], None, None


def _cell_gradient(a: Tensor, g: Tensor, dh: Tensor, dc: Tensor, tanh_c: Tensor, state: int) -> Tensor:
    """Fill the gradients of input, output and update gates; return that of the cell, (n, state)."""
    i, o, u = a[:, :state], a[:, state : 2 * state], a[:, 4 * state :]
    dcell: Tensor = torch.ops.aten.tanh_backward(dh * o, tanh_c).add_(dc)
    _sigmoid_gradient(dcell * u, i, grad_input=g[:, :state])
    _sigmoid_gradient(dh * tanh_c, o, grad_input=g[:, state : 2 * state])
    _tanh_gradient(dcell * i, u, grad_input=g[:, 4 * state :])
    return dcell


class _Down(torch.autograd.Function):
    """Two-valued LSTM from the roots to the leaves."""

    @staticmethod
    def forward(
        ctx: Any, gates: Tensor, weight: Tensor, root_h: Tensor, root_c: Tensor, plan: DownPlan, parents: Tensor
    ) -> tuple[Tensor, Tensor]:
        state = weight.shape[0]
        pairs, roots = len(gates), plan.roots
        h = gates.new_empty(roots + 2 * pairs, state)
        c = gates.new_empty(roots + 2 * pairs, state)
        h[:roots], c[:roots] = root_h, root_c
        act = gates.new_empty(pairs, 8 * state)
        tanh_c = gates.new_empty(2 * pairs, state)
        inputs = gates.new_empty(pairs, state)
        for start, end in plan.levels:
            index = parents[start:end]
            torch.index_select(h, 0, index, out=inputs[start:end])
            torch.addmm(gates[start:end], inputs[start:end], weight, out=act[start:end])
            a = act[start:end].view(-1, 4 * state)  # (children, 4 * state)
            a[:, : 3 * state].sigmoid_()
            a[:, 3 * state :].tanh_()
            first, last = roots + 2 * start, roots + 2 * end
            kept = a[:, state : 2 * state].view(-1, 2, state) * c.index_select(0, index).unsqueeze(1)
            cell = torch.addcmul(kept.view(-1, state), a[:, :state], a[:, 3 * state :], out=c[first:last])
            torch.tanh(cell, out=tanh_c[2 * start : 2 * end])
            torch.mul(a[:, 2 * state : 3 * state], tanh_c[2 * start : 2 * end], out=h[first:last])
        ctx.plan, ctx.buffers = plan, (act, c.detach(), tanh_c, inputs, weight, parents)
        return h, c

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_h: Tensor, grad_c: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None, None]:
        act, c, tanh_c, inputs, weight, parents = ctx.buffers
        plan: DownPlan = ctx.plan
        state, roots = weight.shape[0], plan.roots
        dh, dc = grad_h.clone(), grad_c.clone()
        grad = torch.empty_like(act)
        transposed = weight.t()
        for start, end in reversed(plan.levels):
            index = parents[start:end]
            first, last = roots + 2 * start, roots + 2 * end
            a, g = act[start:end].view(-1, 4 * state), grad[start:end].view(-1, 4 * state)
            t = tanh_c[2 * start : 2 * end]
            i, f, o, u = a[:, :state], a[:, state : 2 * state], a[:, 2 * state : 3 * state], a[:, 3 * state :]
            above = dh[first:last]
            dcell = torch.ops.aten.tanh_backward(above * o, t).add_(dc[first:last])
            _sigmoid_gradient(dcell * u, i, grad_input=g[:, :state])
            _sigmoid_gradient(above * t, o, grad_input=g[:, 2 * state : 3 * state])
            _tanh_gradient(dcell * i, u, grad_input=g[:, 3 * state :])
            kept = (dcell.view(-1, 2, state) * c.index_select(0, index).unsqueeze(1)).view(-1, state)
            _sigmoid_gradient(kept, f, grad_input=g[:, state : 2 * state])
            dcell.mul_(f)
            # every node has one pair of children, so no two of these rows are the same
            dc.index_add_(0, index, dcell[0::2].add_(dcell[1::2]))
            dh.index_add_(0, index, grad[start:end] @ transposed)
        return grad, inputs.t() @ grad, dh[:roots], dc[:roots], None, None


def up(gates: Tensor, weight: Tensor, plan: UpPlan) -> tuple[Tensor, Tensor]:
    """States of all rows of the plan, h and c of (rows, state), from projected inputs (rows, 5 * state)."""
    with _full_precision(gates):
        h, c = _Up.apply(gates.float(), weight, plan, torch.as_tensor(plan.children))  # type: ignore[no-untyped-call]
    return h, c


def down(gates: Tensor, weight: Tensor, root_h: Tensor, root_c: Tensor, plan: DownPlan) -> tuple[Tensor, Tensor]:
    """States of all rows of the plan, h and c of (rows, state), from projected inputs (pairs, 8 * state)."""
    with _full_precision(gates):
        h, c = _Down.apply(  # type: ignore[no-untyped-call]
            gates.float(), weight, root_h.float(), root_c.float(), plan, torch.as_tensor(plan.parents)
        )
    return h, c


def _full_precision(tensor: Tensor) -> AbstractContextManager[object]:
    """Recursions write into buffers of their own, which mixed precision would give another type."""
    kind = tensor.device.type
    if kind != "cuda" or not torch.is_autocast_enabled(kind):
        return nullcontext()
    return torch.autocast(kind, enabled=False)


class Shared:
    """A weight matrix that many small products share, one a level, and whose gradient is one product at the end.

    `begin` has to be called with a state that all the products depend on: on the way back it is reached last.
    """

    def __init__(self, weight: Tensor) -> None:
        self.weight = weight
        self.store: list[tuple[Tensor, Tensor]] = []

    def begin(self, state: Tensor) -> Tensor:
        """The state, unchanged."""
        collected: Tensor = _Collect.apply(state, self.weight, self.store)  # type: ignore[no-untyped-call]
        return collected

    def product(self, inputs: Tensor, bias: Tensor) -> Tensor:
        """`inputs @ weight + bias`."""
        weight = self.weight.detach()
        with _full_precision(inputs):
            made: Tensor = _Product.apply(inputs.float(), bias, weight, self.store)  # type: ignore[no-untyped-call]
        return made


class _Collect(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, state: Tensor, weight: Tensor, store: list[tuple[Tensor, Tensor]]) -> Tensor:
        ctx.store = store
        return state.view_as(state)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor | None, None]:
        if not ctx.store or not ctx.needs_input_grad[1]:
            return grad, None, None
        inputs, gradients = (torch.cat(parts) for parts in zip(*ctx.store, strict=True))
        ctx.store.clear()
        return grad, inputs.t() @ gradients, None


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, bias: Tensor, weight: Tensor, store: list[tuple[Tensor, Tensor]]) -> Tensor:
        ctx.store, ctx.weight, ctx.inputs = store, weight, inputs.detach()
        return torch.addmm(bias, inputs, weight)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None, None]:
        ctx.store.append((ctx.inputs, grad))
        return grad @ ctx.weight.t(), grad.sum(dim=0), None, None
