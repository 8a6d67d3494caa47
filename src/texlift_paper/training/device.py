"""Where a network computes, and how precisely."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch

from texlift.errors import TexliftError

__all__ = ["PRECISIONS", "autocast", "device_of", "on_device"]

PRECISIONS = ("float32", "bfloat16")


def device_of(name: str) -> torch.device:
    """The device of a name: cpu, cuda, cuda:1, or auto for a graphics card if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise TexliftError(f"no device {name!r}: cpu, cuda, cuda:1 ... or auto") from None
    if device.type not in ("cpu", "cuda"):
        raise TexliftError(f"no device {name!r}: cpu, cuda, cuda:1 ... or auto")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise TexliftError(f"device {name!r} is not there: PyTorch finds {torch.cuda.device_count()} graphics cards")
    return device


def on_device(device: torch.device) -> AbstractContextManager[object]:
    """New tensors are made on this device; nothing to do for the CPU, where that is so anyway."""
    return nullcontext() if device.type == "cpu" else device


def autocast(device: torch.device, precision: str) -> AbstractContextManager[object]:
    """Mixed precision for a forward pass, on devices that have it."""
    if precision == "float32":
        return nullcontext()
    if device.type != "cuda" or not torch.cuda.is_bf16_supported():
        raise TexliftError(f"precision {precision!r} needs a graphics card with bfloat16; this is {device}")
    return torch.autocast(device.type, dtype=torch.bfloat16)
