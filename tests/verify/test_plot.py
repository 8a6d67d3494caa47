"""`check --plot`: a picture, or one line that says why there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["plot.xyz", "no/such/folder/plot.png", "folder.png"])
def test_a_plot_that_cannot_be_written_is_told_in_a_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    command = [sys.executable, "-m", "texlift", "check", "--semantic", "x=x", "--plot", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(("error: cannot", f"error: {tmp_path / name}"))
    assert "Traceback" not in done.stderr
