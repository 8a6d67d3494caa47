"""The paper's masked loss (section 3.2.1): frequent symbols, and those predicted right, count less."""

from __future__ import annotations

import torch
from torch import Tensor

__all__ = ["loss_mask", "masked_loss"]


def loss_mask(targets: Tensor, right: Tensor | None, alpha: float, beta: float, counts: Tensor) -> Tensor:
    """m_i: 1 over (occurrences of the symbol in the mini-batch)^alpha, times beta where the prediction is right.

    `targets` and `right` are (nodes,), so is the mask; `counts` (vocabulary,) are the occurrences.
    """
    mask = counts.clamp_min(1).to(torch.float32).pow(-alpha)[targets]
    if right is not None and beta != 1:
        mask = torch.where(right, mask * beta, mask)
    return mask


def masked_loss(
    log_probabilities: Tensor,
    targets: Tensor,
    alpha: float = 0.0,
    beta: float = 1.0,
    weights: Tensor | None = None,
    counts: Tensor | None = None,
) -> Tensor:
    """Softmax cross-entropy of (nodes, vocabulary) with (nodes,), masked and summed (not averaged).

    `weights` (nodes,) leaves nodes out, or counts some more than others; `counts` (vocabulary,) are the
    occurrences of each value in the mini-batch where `targets` is only a part of it.
    """
    losses = -log_probabilities.gather(1, targets.unsqueeze(1)).squeeze(1)
    right = None
    if beta != 1:  # the largest value is found much faster than its place
        right = -losses.detach() == log_probabilities.detach().amax(dim=1)
    if alpha or right is not None:
        if counts is None:
            counted = targets if weights is None else targets[weights > 0]
            counts = torch.bincount(counted, minlength=log_probabilities.shape[1])
        losses = losses * loss_mask(targets, right, alpha, beta, counts)
    if weights is not None:
        losses = losses * weights
    return losses.sum()
