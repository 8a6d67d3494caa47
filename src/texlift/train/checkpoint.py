"""Everything a training needs to go on, in one safetensors file, written whole or not at all.

Tensors: `model.*`, `optimiser.*`, `rng`; numbers and texts stand in the file's metadata as JSON. Nothing is
pickled, so a file from a stranger cannot run code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn
from torch.optim import Optimizer

from texlift.errors import TexliftError
from texlift.files import checksum, write_file

__all__ = ["load_tensors", "load_weights", "restore", "save_checkpoint", "save_tensors", "write_bytes", "write_json"]

_CHECKSUM = "checksum"  # of the facts and the numbers, in the file's metadata


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file so that a crash or a full disk leaves the old one as it was."""
    write_file(path, content)


def write_json(path: Path, content: Any) -> None:
    """Write what JSON can hold, indented for people."""
    write_bytes(path, json.dumps(content, indent=2).encode())


def save_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Tensors and facts (anything JSON can hold) in one file."""
    whole = {name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}
    told = json.dumps(facts)
    numbers = _numbers(tensors_to_bytes(whole))
    write_bytes(path, tensors_to_bytes(whole, {"texlift": told, _CHECKSUM: str(_checksum(told, numbers))}))


def _numbers(content: bytes) -> bytes:
    """The part of a safetensors file behind its header, of which the first eight bytes tell the length."""
    return content[8 + int.from_bytes(content[:8], "little") :]


def _checksum(facts: str, numbers: bytes) -> int:
    return checksum(numbers, checksum(facts.encode()))


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `save_tensors` wrote. Raises TexliftError for a file that is missing, cut off or something else."""
    if not path.is_file():
        raise TexliftError(f"no weights at {path}")
    try:
        with safe_open(str(path), "pt") as stream:
            told = stream.metadata() or {}
            facts = told.get("texlift", "{}")
            expected = told.get(_CHECKSUM)  # files of version 0.1 have none
            if expected is not None and expected != str(_checksum(facts, _numbers(path.read_bytes()))):
                raise ValueError("its checksum is another")
            return {name: stream.get_tensor(name) for name in stream.keys()}, json.loads(facts)  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, KeyError, RecursionError) as error:
        raise TexliftError(f"{path} is damaged or not a file of weights: {error}") from error


def load_weights(module: nn.Module, tensors: Mapping[str, Tensor], path: Path) -> None:
    """Weights into a module; names and shapes must agree."""
    own = module.state_dict()
    for name, tensor in own.items():
        if name not in tensors:
            raise TexliftError(f"{path}: weights of another model: {name} is missing")
        if tensors[name].shape != tensor.shape:
            found, wanted = tuple(tensors[name].shape), tuple(tensor.shape)
            raise TexliftError(f"{path}: weights of another shape: {name} is {found}, the model needs {wanted}")
    extra = sorted(set(tensors) - set(own))
    if extra:
        raise TexliftError(f"{path}: weights of another model: {extra[0]} is not part of this one")
    module.load_state_dict(dict(tensors))


def save_checkpoint(path: Path, model: nn.Module, optimiser: Optimizer, facts: Mapping[str, Any]) -> None:
    """Model, optimiser, the state of the random numbers, and the facts."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    state = optimiser.state_dict()
    for number, slots in state["state"].items():
        for name, value in slots.items():
            tensors[f"optimiser.{number}.{name}"] = torch.as_tensor(value)
    tensors["rng"] = torch.get_rng_state()
    save_tensors(path, tensors, facts)


def restore(path: Path, model: nn.Module, optimiser: Optimizer) -> dict[str, Any]:
    """Bring model, optimiser and random numbers to where the checkpoint was written; its facts."""
    tensors, facts = load_tensors(path)
    weights = {name[len("model.") :]: tensor for name, tensor in tensors.items() if name.startswith("model.")}
    load_weights(model, weights, path)
    slots: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimiser."):
            _, number, slot = name.split(".", 2)
            slots.setdefault(int(number), {})[slot] = tensor
    state = optimiser.state_dict()
    optimiser.load_state_dict({"state": slots, "param_groups": state["param_groups"]})
    if "rng" in tensors:
        torch.set_rng_state(tensors["rng"])
    return facts
