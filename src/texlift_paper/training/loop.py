"""The training loop: batches, optimiser, schedule, checkpoints; also under `torchrun`.

A run that was killed goes on where its last checkpoint was written and ends with the same weights: the order
of batches depends on the seed and the epoch alone, and the state of the random numbers is part of the
checkpoint. With several processes each takes its share of every batch; the loss is a sum, so the gradients of
the shares add up to those of the whole.
"""

from __future__ import annotations

import ctypes
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
import torch.distributed
from torch import Tensor, nn

from texlift.train.checkpoint import restore, save_checkpoint
from texlift_paper.network.loss import masked_loss
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.experiment import Experiment, OptimiserConfig
from texlift_paper.training.minibatches import cut
from texlift_paper.training.run import Run
from texlift_paper.training.tensorboard import log_epoch

__all__ = ["Share", "Work", "make_optimiser", "rate_at", "reuse_memory", "stalled", "train"]

logger = logging.getLogger(__name__)


class Work(Protocol):
    """What a step of training is made of."""

    def prepare(self, batch: list[TreePair]) -> list[TreePair]:
        """The pairs as they are trained on, padded or not."""
        ...

    def values(self, pairs: list[TreePair]) -> Tensor:
        """The right values of prepared pairs, (nodes,)."""
        ...

    def forward(self, pairs: list[TreePair]) -> Tensor:
        """Log-probabilities of prepared pairs, (nodes, vocabulary)."""
        ...


def reuse_memory() -> None:
    """Tell glibc to keep freed memory: otherwise every batch pays for new pages, a fifth of the time."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-3, 1 << 30)  # M_MMAP_THRESHOLD
        libc.mallopt(-1, (1 << 31) - 1)  # M_TRIM_THRESHOLD
    except (OSError, AttributeError):
        logger.debug("no glibc: memory is returned to the system after every batch")


def make_optimiser(parameters: Iterator[nn.Parameter], config: OptimiserConfig) -> torch.optim.Optimizer:
    """RMSProp or Adam."""
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    if config.name == "rmsprop":
        return torch.optim.RMSprop(trained, lr=config.rate, weight_decay=config.decay)
    return torch.optim.AdamW(trained, lr=config.rate, weight_decay=config.decay)


def rate_at(config: OptimiserConfig, step: int, progress: float) -> float:
    """The learning rate at a step; `progress` runs from 0 to 1 over the whole training."""
    rate = config.rate
    if config.schedule == "cosine":
        rate *= 0.5 * (1 + math.cos(math.pi * min(1.0, progress))) * 0.98 + 0.02
    elif config.schedule == "linear":
        rate *= max(0.02, 1 - progress)
    return rate * min(1.0, (step + 1) / config.warmup) if config.warmup else rate


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of a batch this process takes."""

    rank: int = 0
    size: int = 1

    @classmethod
    def current(cls) -> Share:
        """This process's, alone or under torchrun."""
        if not torch.distributed.is_available() or not torch.distributed.is_initialized():
            return cls()
        return cls(torch.distributed.get_rank(), torch.distributed.get_world_size())

    def of(self, batch: list[TreePair]) -> list[TreePair]:
        """Every size-th pair; a process that would go without gets one whose loss does not count."""
        return batch[self.rank :: self.size] or batch[:1]

    def agree(self, flag: bool) -> bool:
        """What the first process says: all of them must stop together."""
        if self.size == 1:
            return flag
        told = torch.tensor(float(flag))
        torch.distributed.broadcast(told, 0)
        return bool(told.item())

    def counts(self, batch: list[TreePair]) -> bool:
        """Whether this process's share is part of the batch."""
        return self.rank < len(batch)


@dataclass(slots=True)
class _Position:
    """Where a training stands; everything but the tensors."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    seconds: float = 0.0
    loss: float = 0.0
    nodes: int = 0


def train(
    experiment: Experiment,
    run: Run,
    model: nn.Module,
    work: Work,
    make_batches: Callable[[np.random.Generator], Iterable[list[TreePair]]],
    after_epoch: Callable[[int], dict[str, Any]],
    on_batch: Callable[[int, int, float], None] | None = None,
    epochs: int | None = None,
) -> list[dict[str, Any]]:
    """Train until the epochs or the minutes are over; the history, one record an epoch.

    `make_batches` gives the batches of an epoch in order; `after_epoch` figures for the history; `on_batch` gets
    (batch, batches, loss per node).
    """
    config = experiment.training
    epochs = epochs or config.epochs
    share = Share.current()
    optimiser = make_optimiser(model.parameters(), experiment.optimiser)
    position = _Position()
    if run.checkpoint.is_file():
        position = _Position(**restore(run.checkpoint, model, optimiser)["position"])
        logger.info("going on at epoch %d, batch %d", position.epoch + 1, position.batch)
    history = run.history()[: position.epoch]
    # processor time: the schedule must not depend on what else the machine is doing
    began = time.process_time() - position.seconds
    saved = time.monotonic()

    def save() -> None:
        position.seconds = time.process_time() - began
        if share.rank == 0:
            facts = {"position": {name: getattr(position, name) for name in _Position.__slots__}}
            save_checkpoint(run.checkpoint, model, optimiser, facts)

    def time_is_up() -> bool:
        return share.agree(config.minutes > 0 and time.process_time() - began > 60 * config.minutes)

    while position.epoch < epochs and not time_is_up() and not share.agree(stalled(history, config.patience)):
        generator = np.random.default_rng((config.seed, position.epoch))
        order = list(make_batches(generator))
        model.train()
        stopped = False
        while position.batch < len(order):
            batch = order[position.batch]
            elapsed = (time.process_time() - began) / (60 * config.minutes) if config.minutes else 0.0
            done = max(elapsed, (position.epoch + position.batch / len(order)) / epochs)
            for group in optimiser.param_groups:
                group["lr"] = rate_at(experiment.optimiser, position.step, done)
            loss, nodes = _step(experiment, model, work, optimiser, batch, share)
            position.loss += loss
            position.nodes += nodes
            position.batch += 1
            position.step += 1
            if on_batch is not None:
                on_batch(position.batch, len(order), loss / max(1, nodes))
            if time.monotonic() - saved > 60 * config.save_minutes:
                save()
                saved = time.monotonic()
            if config.minutes and time_is_up():
                stopped = position.batch < len(order)
                break
        record = {
            "epoch": position.epoch + 1,
            "loss": position.loss / max(1, position.nodes),
            "minutes": (time.process_time() - began) / 60,
            "complete": not stopped,
            **after_epoch(position.epoch + 1),
        }
        history.append(record)
        position.epoch += 1
        position.batch = position.nodes = 0
        position.loss = 0.0
        save()
        saved = time.monotonic()
        if share.rank == 0:
            run.save_history(history)
            if config.tensorboard:
                log_epoch(run.tensorboard, record)
    return history


def stalled(history: list[dict[str, Any]], patience: int) -> bool:
    """Whether the last `patience` epochs were no better than the best before them, by what was watched."""
    watched = [record["watched"] for record in history if record.get("watched") is not None]
    return 0 < patience <= len(watched) - 1 - watched.index(max(watched)) if watched else False


def _step(
    experiment: Experiment,
    model: nn.Module,
    work: Work,
    optimiser: torch.optim.Optimizer,
    batch: list[TreePair],
    share: Share,
) -> tuple[float, int]:
    """One batch; the summed loss and the nodes of the whole batch.

    A cluster too large to be computed at once is computed in pieces, whose gradients add up; the mask counts values in
    the whole cluster all the same. Several processes do not cut: they would have to cut alike.
    """
    alone = share.size == 1
    pairs = work.prepare(share.of(batch))
    whole = not alone or experiment.training.mini_batches != "clusters"
    pieces = [pairs] if whole else cut(pairs, experiment.training.batch_nodes)
    factor = 1.0 if share.counts(batch) else 0.0
    values = [work.values(piece) for piece in pieces]
    nodes = sum(map(len, values)) if factor else 0
    optimiser.zero_grad(set_to_none=True)
    counts: Tensor | None = None
    total = 0.0
    for piece, targets in zip(pieces, values, strict=True):
        log_probabilities = work.forward(piece)
        if counts is None and (not alone or len(pieces) > 1):
            counts = factor * torch.bincount(torch.cat(values), minlength=log_probabilities.shape[1])
            if not alone:
                torch.distributed.all_reduce(counts)
        weights = None if factor else torch.zeros(len(targets), device=targets.device)
        loss = masked_loss(
            log_probabilities, targets, experiment.loss.alpha, experiment.loss.beta, weights=weights, counts=counts
        )
        # a constant factor: every node weighs the same in every batch, and gradients have a handy size.
        # DistributedDataParallel averages over processes where the paper's loss is a sum
        (loss * (share.size / experiment.training.batch_nodes)).backward()  # type: ignore[no-untyped-call]
        total += loss.item()
    if experiment.optimiser.clip:
        nn.utils.clip_grad_norm_(model.parameters(), experiment.optimiser.clip)
    optimiser.step()
    totals = torch.tensor([total, nodes], dtype=torch.float64)
    if not alone:
        torch.distributed.all_reduce(totals)
    return float(totals[0]), int(totals[1])
