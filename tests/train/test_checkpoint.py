"""Nothing that was saved is lost; what is damaged is named."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from texlift.errors import TexliftError
from texlift.train.checkpoint import load_tensors, load_weights, restore, save_checkpoint, save_tensors


def test_round_trip_with_optimiser(tmp_path: Path) -> None:
    path = tmp_path / "c.safetensors"
    model, other = nn.Linear(3, 2), nn.Linear(3, 2)
    first, second = torch.optim.Adam(model.parameters(), lr=0.1), torch.optim.Adam(other.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(1, 3)).sum().backward()
        first.step()
    save_checkpoint(path, model, first, {"step": 3})
    assert restore(path, other, second) == {"step": 3}
    for optimiser, module in ((first, model), (second, other)):
        optimiser.zero_grad()
        module(torch.ones(1, 3)).sum().backward()
        optimiser.step()
    assert torch.equal(model.weight, other.weight)


def test_truncated_file(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    save_tensors(path, {"a": torch.ones(100)}, {})
    path.write_bytes(path.read_bytes()[:120])
    with pytest.raises(TexliftError, match=r"w\.safetensors is damaged"):
        load_tensors(path)


def test_other_shapes_and_names(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    with pytest.raises(TexliftError, match=r"weight is \(2, 4\), the model needs \(2, 3\)"):
        load_weights(nn.Linear(3, 2), nn.Linear(4, 2).state_dict(), path)
    with pytest.raises(TexliftError, match="bias is missing"):
        load_weights(nn.Linear(3, 2), nn.Linear(3, 2, bias=False).state_dict(), path)
    with pytest.raises(TexliftError, match="not part of this one"):
        load_weights(nn.Linear(3, 2, bias=False), nn.Linear(3, 2).state_dict(), path)


def test_a_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.safetensors"
    save_tensors(path, {"a": torch.ones(3)}, {"epoch": 1})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TexliftError, match=r"cannot write .*No space left"):
        save_tensors(path, {"a": torch.zeros(3)}, {"epoch": 2})
    monkeypatch.undo()
    tensors, facts = load_tensors(path)
    assert facts == {"epoch": 1}
    assert torch.equal(tensors["a"], torch.ones(3))
    assert [file.name for file in tmp_path.iterdir()] == ["w.safetensors"]
