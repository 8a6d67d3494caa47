"""Files are there whole, the old or the new, whatever happens while they are written; damaged ones are refused."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from texlift import files
from texlift.cli.app import app
from texlift.errors import TexliftError
from texlift.files import write_file
from texlift.translate.model import Model, packaged_model

OLD, NEW = b"old " * 1000, b"new " * 3000
STEPS = ("open", "fdopen", "fsync", "replace")  # the calls of the system that writing a file makes


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "out.json"
    path.write_bytes(OLD)
    return path


def failing(step: str, error: BaseException, skip: int = 0) -> Callable[..., Any]:
    """The step of the system, which fails after a number of times."""
    original = getattr(os, step)
    left = [skip]

    def fail(*arguments: Any, **options: Any) -> Any:
        if left[0]:
            left[0] -= 1
            return original(*arguments, **options)
        raise error

    return fail


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_the_old_file_survives_every_failure(
    target: Path, step: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files.os, step, failing(step, OSError(number, os.strerror(number))))
    with pytest.raises(TexliftError, match=os.strerror(number)):
        write_file(target, NEW)
    monkeypatch.undo()
    assert target.read_bytes() == OLD
    assert [path.name for path in target.parent.iterdir()] == [target.name]  # nothing is left behind


def test_an_interrupt_leaves_the_old_file(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.os, "fsync", failing("fsync", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write_file(target, NEW)
    assert target.read_bytes() == OLD


def test_pieces_that_fail_leave_the_old_file(target: Path) -> None:
    def pieces() -> Any:
        yield NEW
        raise TexliftError("the third pair is broken")

    with pytest.raises(TexliftError, match="third pair"):
        write_file(target, pieces())
    assert target.read_bytes() == OLD


_KILLED = """
import os, sys
from pathlib import Path
from texlift import files
step, skip, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
original = getattr(os, step)
def dying(*arguments, **options):
    global skip
    if skip == 0:
        os.kill(os.getpid(), 9)
    skip -= 1
    return original(*arguments, **options)
setattr(os, step, dying)
files.write_file(path, b"new " * 3000)
"""


@pytest.mark.parametrize(("step", "skip"), [("open", 0), ("fdopen", 0), ("fsync", 0), ("replace", 0), ("fsync", 1)])
def test_a_killed_process_leaves_the_old_or_the_new_file(target: Path, step: str, skip: int) -> None:
    done = subprocess.run([sys.executable, "-c", _KILLED, step, str(skip), str(target)], timeout=60, check=False)
    assert done.returncode == -9
    assert target.read_bytes() == (NEW if skip else OLD)


def test_modes_follow_the_umask_and_existing_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        path.unlink(missing_ok=True)
        before = os.umask(mask)
        try:
            write_file(path, b"x")
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    path.chmod(0o640)
    write_file(path, b"y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def special(kind: str, folder: Path) -> Path:
    path = folder / "special.tex"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        (folder / "behind.tex").write_bytes(OLD)
        path.symlink_to(folder / "behind.tex")
    elif kind == "dangling link":
        path.symlink_to(folder / "nowhere.tex")
    elif kind == "folder":
        path.mkdir()
    else:
        return Path("/dev/null")
    return path


@pytest.mark.parametrize("kind", ["pipe", "link", "dangling link", "folder", "device"])
def test_only_plain_files_are_written_unless_asked_for(kind: str, tmp_path: Path) -> None:
    path = special(kind, tmp_path)
    with pytest.raises(TexliftError, match="not a file"):
        write_file(path, NEW)
    source = tmp_path / "in.tex"
    source.write_text("$x$", "utf-8")
    result = CliRunner().invoke(app, ["document", str(source), "-o", str(path), "-q"])
    assert isinstance(result.exception, TexliftError)
    drawn = CliRunner().invoke(app, ["parse", "x", "--svg", str(path)])
    assert isinstance(drawn.exception, TexliftError)
    if kind == "link":
        assert (tmp_path / "behind.tex").read_bytes() == OLD
        write_file(path, NEW, special=True)
        assert path.is_symlink()
        assert (tmp_path / "behind.tex").read_bytes() == NEW
    if kind == "device":
        write_file(path, NEW, special=True)


# -- models and checkpoints


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "model"
    packaged_model().save(folder)
    return folder


@pytest.mark.parametrize(
    "name", ["weights.safetensors", "memory.safetensors", "grammar.json", "needs.json", "model.json"]
)
def test_a_flipped_byte_in_a_model_is_an_error(saved: Path, name: str) -> None:
    path = saved / name
    whole = path.read_bytes()
    try:
        for place in (len(whole) // 2, len(whole) - 2):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(TexliftError, match=f"{name} is damaged"):
                Model.load(saved)
        path.write_bytes(whole[: len(whole) // 3])
        with pytest.raises(TexliftError, match=f"{name} is damaged"):
            Model.load(saved)
    finally:
        path.write_bytes(whole)


def test_the_packaged_model_has_its_checksums(caplog: pytest.LogCaptureFixture) -> None:
    from importlib.resources import as_file
    from importlib.resources import files as resources

    with as_file(resources("texlift.translate").joinpath("model")) as folder:
        Model.load(folder)
    assert "checksums" not in caplog.text


@pytest.mark.parametrize("moved", range(7))
def test_a_killed_save_leaves_the_old_or_the_new_model(
    moved: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renames fail after each number of them, as if the process had died there."""
    from dataclasses import replace

    folder = tmp_path / "model"
    old = packaged_model()
    old.save(folder)
    new = replace(old, card={**old.card, "examples": -1})
    original, left = Path.replace, [moved]

    def dying(self: Path, target: Path) -> Path:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return original(self, target)

    monkeypatch.setattr(Path, "replace", dying)
    with pytest.raises(KeyboardInterrupt):
        new.save(folder)
    monkeypatch.undo()
    assert Model.load(folder).card["examples"] == (-1 if moved else old.card["examples"])
    new.save(folder)
    assert Model.load(folder).card["examples"] == -1
    assert not [path for path in folder.iterdir() if path.name.startswith(".next")]


def test_a_flipped_byte_in_a_checkpoint_is_an_error(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from texlift.train.checkpoint import load_tensors, save_tensors

    path = tmp_path / "c.safetensors"
    save_tensors(path, {"a": torch.arange(100.0), "b": torch.ones(3)}, {"epoch": 3, "loss": [0.5]})
    assert load_tensors(path)[1] == {"epoch": 3, "loss": [0.5]}
    whole = path.read_bytes()
    data = 8 + int.from_bytes(whole[:8], "little")
    facts = whole.index(b"epoch")
    for place in (data, data + 201, len(whole) - 1, facts + 9):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(TexliftError, match="damaged"):
            load_tensors(path)


def test_checksums_are_part_of_what_is_saved(saved: Path) -> None:
    sums = json.loads((saved / "checksums.json").read_text("utf-8"))
    assert {path.name for path in saved.iterdir()} == {*sums, "checksums.json"}
