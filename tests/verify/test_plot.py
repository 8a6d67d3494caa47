"""`check --plot` and `texlift.plot`: a picture, or one line that says why there is none."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("mpmath")
pytest.importorskip("matplotlib")

from texlift.errors import TexliftError
from texlift.verify.plot import draw
from texlift.verify.plots.worker import picture

SVG = "{http://www.w3.org/2000/svg}"


def segments(svg: bytes, group: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The straight lines of a curve, in the coordinates of the picture."""
    found = []
    for part in ET.fromstring(svg).iter(f"{SVG}g"):
        if part.get("id") != group:
            continue
        for path in part.iter(f"{SVG}path"):
            last = None
            for command, x, y in re.findall(r"([ML]) (\S+) (\S+)", path.get("d", "")):
                here = (float(x), float(y))
                if command == "L" and last is not None:
                    found.append((last, here))
                last = here
    return found


@pytest.mark.parametrize("name", ["plot.xyz", "plot.pdf", "plot", "no/such/folder/plot.png", "folder.png"])
def test_a_plot_that_cannot_be_written_is_told_in_a_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    command = [sys.executable, "-m", "texlift", "check", "--semantic", "x=x", "--plot", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(("error: cannot", f"error: {tmp_path / name}"))
    assert "Traceback" not in done.stderr
    if "." not in name or name.endswith(("xyz", "pdf")):
        assert ".svg or .png" in done.stderr


def test_no_line_of_the_picture_crosses_a_pole() -> None:
    lines = segments(picture(r"\frac{1}{x}"), "side-0")
    assert len(lines) > 30
    left = min(x for line in lines for x, _ in line)
    right = max(x for line in lines for x, _ in line)
    pole = (left + right) / 2  # the window is symmetric
    assert not [line for line in lines if line[0][0] < pole - 0.01 and line[1][0] > pole + 0.01]
    assert all(one[0] <= other[0] for one, other in lines)


def test_the_same_formula_gives_the_same_bytes() -> None:
    assert picture(r"\sin@@{x}<x", ["x>0"]) == picture(r"\sin@@{x}<x", ["x>0"])
    png = picture("x^2", kind="png")
    assert png.startswith(b"\x89PNG") and png == picture("x^2", kind="png")


def test_the_complex_plane_in_colour(tmp_path: Path) -> None:
    draw(r"\frac{z-1}{z+1}", [], tmp_path / "plane.svg", in_colour=True)
    assert "<image" in (tmp_path / "plane.svg").read_text()
    with pytest.raises(TexliftError, match="n is an integer"):
        draw(r"n!", [], tmp_path / "no.svg", in_colour=True)
    assert not (tmp_path / "no.svg").exists()


def test_too_slow_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    target = tmp_path / "slow.png"
    with pytest.raises(TexliftError, match="no plot within"):
        draw(r"\int_{0}^{1}\int_{0}^{1}\sin@{xst}\diff{s}\diff{t}", [], target, seconds=0.3)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("formula", "reason"),
    [("1+1=2", "no variable"), (r"f(x)=g(x)", "unknown function"), (r"\sqrt{-1-x^2}", "no real value")],
)
def test_nothing_to_draw_says_why(formula: str, reason: str) -> None:
    with pytest.raises(TexliftError, match=reason):
        picture(formula)


def test_a_plot_for_notebooks(tmp_path: Path) -> None:
    import texlift

    plot = texlift.plot(texlift.translate(r"x^2<x"))
    assert plot._repr_svg_().lstrip().startswith("<?xml") and 'id="holds"' in plot.svg
    plot.save(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(TexliftError, match=r"svg or \.png"):
        plot.save(tmp_path / "plot.gif")


def test_lines_ascend() -> None:
    lines = segments(picture(r"\floor{x}"), "side-0")
    assert lines and all(abs(one[1] - other[1]) < 1e-6 for one, other in lines)  # steps: no risers
    assert all(first[1][0] <= second[0][0] + 1e-9 for first, second in pairwise(lines))
