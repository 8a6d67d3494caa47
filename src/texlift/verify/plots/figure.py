"""The picture of a trace, by Matplotlib, as SVG or PNG."""

from __future__ import annotations

from io import BytesIO
from itertools import groupby
from typing import Any

from texlift.verify.plots.labels import formula_label, name_label
from texlift.verify.plots.ticks import pi_ticks
from texlift.verify.plots.trace import Trace

__all__ = ["STYLE", "picture_of", "saved"]

STYLE = {
    "svg.hashsalt": "texlift",
    "svg.fonttype": "path",
    "mathtext.fontset": "cm",
    "font.size": 11,
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-4, 5),
    "axes.unicode_minus": True,
}
_COLOURS = ("#1f5fa8", "#c8501e", "#2a7f3f", "#7b3fa0")
_DIFFERENT, _HOLDS = "#d62728", "#2a9d5c"
_WORDS = {1: ("value",), 2: ("left side", "right side")}
_FAR = 0.5  # heights of the picture beyond which nothing is drawn


def picture_of(trace: Trace, kind: str) -> bytes:
    """The picture in a format, `svg` or `png`."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.subplots()
        _spans(axes, trace)
        for number in range(len(trace.subject.sides)):
            _side(axes, trace, number)
        _frame(axes, trace)
        return saved(figure, kind)


def saved(figure: Any, kind: str) -> bytes:
    """The bytes of a figure; the same for the same figure."""
    picture = BytesIO()
    if kind == "svg":
        figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": "texlift"})
    else:
        figure.savefig(picture, format="png", dpi=150, metadata={"Software": "texlift"})
    return picture.getvalue()


def _side(axes: Any, trace: Trace, number: int) -> None:
    sides = trace.subject.sides
    words = _WORDS.get(len(sides), ())
    label = formula_label(sides[number].source, words[number] if words else f"side {number + 1}")
    values = trace.side(number)
    broad = number == 0 and len(sides) > 1
    colour = _COLOURS[number]
    line = {"color": colour, "linewidth": 4.5 if broad else 1.6, "alpha": 0.4 if broad else 1.0}
    line |= {"linestyle": (0, (5, 2.5)) if number else "-", "solid_capstyle": "butt", "dash_capstyle": "butt"}
    parts = [("", [None if v is None else v.real for v in values])]
    if any(value is not None and value.imag for value in values):
        parts = [("Re ", parts[0][1]), ("Im ", [None if v is None else v.imag for v in values])]
    for index, (part, heights) in enumerate(parts):
        name = f"{part}{label}"
        if trace.subject.is_sequence:
            pairs = [(x, y) for x, y in zip(trace.places, heights, strict=True) if y is not None]
            size = 9 if broad else 4.5
            marker = "os"[index]
            axes.plot(
                *zip(*pairs, strict=True) if pairs else ((), ()), marker, color=colour, markersize=size,
                alpha=0.4 if broad else 1.0, markeredgewidth=0, label=name, gid=f"side-{number}{'-im' * index}",
                zorder=3,
            )  # fmt: skip
            continue
        low, high = trace.frame
        reach = (high - low) * _FAR
        drawn = [float("nan") if y is None else min(max(y, low - reach), high + reach) for y in heights]
        faded = {"color": _COLOURS[2 + number % 2]} if index else {}
        axes.plot(trace.places, drawn, label=name, gid=f"side-{number}{'-im' * index}", zorder=3, **(line | faded))


def _spans(axes: Any, trace: Trace) -> None:
    """Where an inequality holds, and where the sides of an equation differ."""
    for flags, colour, label in (
        (trace.hold, _HOLDS, "holds"),
        (trace.differ, _DIFFERENT, "sides differ"),
    ):
        gid = label.replace(" ", "-")
        if not any(flags):
            continue
        if trace.subject.is_sequence:
            places = [place for place, flag in zip(trace.places, flags, strict=True) if flag]
            for place in places:
                axes.axvspan(place - 0.3, place + 0.3, color=colour, alpha=0.16, linewidth=0, gid=gid, label=label)
                label = "_again"
            continue
        for flag, run in groupby(zip(trace.places, flags, strict=True), key=lambda pair: pair[1]):
            places = [place for place, _ in run]
            if not flag:
                continue
            if len(places) > 1:
                axes.axvspan(places[0], places[-1], color=colour, alpha=0.13, linewidth=0, gid=gid, label=label)
            else:
                axes.axvline(places[0], color=colour, alpha=0.5, linewidth=1, gid=gid, label=label)
            label = "_again"


def _frame(axes: Any, trace: Trace) -> None:
    from matplotlib.ticker import MaxNLocator

    subject = trace.subject
    low, high = trace.ends
    margin = 0.6 if subject.is_sequence else (high - low) * 0.02
    axes.set_xlim(low - margin, high + margin)
    if trace.logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(*trace.frame)
        if trace.frame[0] < 0 < trace.frame[1]:
            axes.axhline(0, color="0.45", linewidth=0.8, zorder=1)
    if low <= 0 <= high and not subject.is_sequence:
        axes.axvline(0, color="0.45", linewidth=0.8, zorder=1)
    ticks = pi_ticks(low, high) if trace.of_pi else []
    if subject.is_sequence:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    elif len(ticks) > 2:
        axes.set_xticks([place for place, _ in ticks], [label for _, label in ticks])
    axes.grid(True, color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel(name_label(subject.variable) + (" (real)" if subject.domain.kind == "complex" else ""))
    if subject.name:
        axes.set_ylabel(formula_label(subject.name, subject.name))
    if subject.fixed:
        axes.set_title(_fixed(trace), fontsize=10, loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.16), ncols=2, frameon=False, fontsize=12)


def _fixed(trace: Trace) -> str:
    """`with a = 2, b = 3`."""
    return "with " + ", ".join(f"{name_label(name)} = {value.shown()}" for name, value in trace.subject.fixed.items())
