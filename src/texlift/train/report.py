"""The evaluation of a translator as a page: Markdown with tables and pictures."""

from __future__ import annotations

import io
import json
import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from texlift.train.checkpoint import write_bytes
from texlift.train.evaluate import Outcome, confusions, coverage, share
from texlift.translate.confidence import Calibration, probability_of

__all__ = ["FoldOutcomes", "draw_training", "write_report"]

FoldOutcomes = Mapping[str, Sequence[Sequence[Outcome]]]
"""Setting or ablation -> for each fold its outcomes."""

_LENGTHS = (10, 25, 50, 100, 200, 10**9)


def write_report(folder: Path, title: str, folds: FoldOutcomes, calibration: Calibration) -> str:
    """Write report.md, its pictures, figures.json and the outcomes; the text of the report."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(folds)
    main = [outcome for fold in folds[names[0]] for outcome in fold]
    figures = {name: _figures(folds[name]) for name in names}
    _draw_reliability(folder / "reliability.png", main)
    _draw_coverage(folder / "coverage.png", main)
    lines = [f"# {title}", "", *_main_table(figures), "", "![reliability](reliability.png) ![coverage](coverage.png)"]
    lines += ["", "## By kind", "", *_groups(main, lambda outcome: outcome.kind)]
    lines += ["", "## By length", "", *_groups(main, _length)]
    lines += ["", "## By chapter", "", *_groups(main, lambda outcome: outcome.chapter)]
    lines += ["", "## Confusions", "", "| gold | answer | times |", "|---|---|---|"]
    lines += [f"| `{gold}` | `{answer}` | {count} |" for gold, answer, count in confusions(main)]
    lines += ["", "## Wrong answers", "", "The surest first.", ""]
    wrong = sorted((o for o in main if not o.right), key=lambda o: -o.probability)
    lines += [f"- {o.probability:.2f} `{o.gold}` was read as `{o.answer}`" for o in wrong[:60]]
    text = "\n".join(lines) + "\n"
    write_bytes(folder / "report.md", text.encode())
    write_bytes(folder / "figures.json", json.dumps(figures, indent=1).encode())
    write_bytes(folder / "calibration.json", json.dumps(asdict(calibration)).encode())
    records = "".join(json.dumps({"setting": n, **asdict(o)}) + "\n" for n in names for fold in folds[n] for o in fold)
    write_bytes(folder / "outcomes.jsonl", records.encode())
    return text


def _figures(folds: Sequence[Sequence[Outcome]]) -> dict[str, float]:
    everything = [outcome for fold in folds for outcome in fold]

    def spread(values: list[float]) -> float:
        return statistics.stdev(values) if len(values) > 1 else 0.0

    all_of = [share(fold) for fold in folds]
    hard = [share(fold, lambda outcome: not outcome.trivial) for fold in folds]
    once = [[outcome for outcome in fold if outcome.first] for fold in folds]
    # macros that print the same, sign by sign, cannot be told apart by the formula
    alike = [[replace(outcome, right=outcome.right or outcome.homograph) for outcome in fold] for fold in folds]
    copied = [100.0 * sum(outcome.copied for outcome in fold) / max(len(fold), 1) for fold in folds]
    return {
        "folds": float(len(folds)),
        "formulae": float(len(everything)),
        "all": statistics.mean(all_of),
        "all_deviation": spread(all_of),
        "nontrivial": statistics.mean(hard),
        "nontrivial_deviation": spread(hard),
        "alike_all": statistics.mean([share(fold) for fold in alike]),
        "alike_nontrivial": statistics.mean([share(fold, lambda outcome: not outcome.trivial) for fold in alike]),
        "once_all": statistics.mean([share(fold) for fold in once]),
        "once_nontrivial": statistics.mean([share(fold, lambda outcome: not outcome.trivial) for fold in once]),
        "copy": statistics.mean(copied),
        "coverage_99": coverage(everything, 0.99),
        "coverage_999": coverage(everything, 0.999),
    }


def _main_table(figures: Mapping[str, Mapping[str, float]]) -> list[str]:
    lines = [
        "| | formulae | exact, all | exact, non-trivial | exact or printing the same | different pairs once "
        "| copying the input | answered at 99 % | at 99.9 % |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, f in figures.items():
        lines.append(
            f"| {name} | {f['formulae']:.0f} | {f['all']:.2f} ± {f['all_deviation']:.2f} "
            f"| {f['nontrivial']:.2f} ± {f['nontrivial_deviation']:.2f} "
            f"| {f['alike_all']:.2f} / {f['alike_nontrivial']:.2f} "
            f"| {f['once_all']:.2f} / {f['once_nontrivial']:.2f} | {f['copy']:.1f} "
            f"| {f['coverage_99']:.1f} % | {f['coverage_999']:.1f} % |"
        )
    return lines


def _groups(outcomes: Sequence[Outcome], key) -> list[str]:  # type: ignore[no-untyped-def]
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome)].append(outcome)
    lines = ["| | formulae | exact, all | exact, non-trivial |", "|---|---|---|---|"]
    for name in sorted(groups, key=lambda name: (name.startswith("up") is False, name)):
        some = groups[name]
        lines.append(
            f"| {name} | {len(some)} | {share(some):.2f} | {share(some, lambda outcome: not outcome.trivial):.2f} |"
        )
    return lines


def _length(outcome: Outcome) -> str:
    limit = next(limit for limit in _LENGTHS if outcome.length <= limit)
    return f"up to {limit:>3}" if limit < 10**9 else "longer"


_STEPS = 10  # of confidence
_FEWEST = 5  # answers that a step must have to be drawn


def _draw_reliability(path: Path, outcomes: Sequence[Outcome]) -> None:
    """How often answers of each confidence are right, before and after calibration."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2), constrained_layout=True)
    axis = figure.subplots()
    axis.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    for name, values in (
        ("scorer", [probability_of(o.evidence[0]) if o.evidence else o.probability for o in outcomes]),
        ("calibrated on the other folds", [o.probability for o in outcomes]),
    ):
        steps: dict[int, list[tuple[float, bool]]] = {}
        for value, outcome in zip(values, outcomes, strict=True):
            steps.setdefault(min(int(_STEPS * value), _STEPS - 1), []).append((value, outcome.right))
        # most answers are sure: steps of equal width show the others too, few of them as small points
        shown = [some for _, some in sorted(steps.items()) if len(some) >= _FEWEST]
        xs = [sum(v for v, _ in some) / len(some) for some in shown]
        ys = [sum(ok for _, ok in some) / len(some) for some in shown]
        (line,) = axis.plot(xs, ys, linewidth=1, label=name)
        axis.scatter(xs, ys, [6 + 9 * math.log10(len(some)) for some in shown], color=line.get_color())
    axis.set_xlabel("confidence")
    axis.set_ylabel("share right")
    axis.legend()
    _save(figure, path)


def _draw_coverage(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Precision over coverage: what abstaining buys."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2), constrained_layout=True)
    axis = figure.subplots()
    ranked = sorted(outcomes, key=lambda outcome: -outcome.probability)
    right = 0
    xs, ys = [], []
    for count, outcome in enumerate(ranked, 1):
        right += outcome.right
        if count % max(len(ranked) // 400, 1) == 0:
            xs.append(100.0 * count / len(ranked))
            ys.append(100.0 * right / count)
    axis.plot(xs, ys)
    axis.axhline(99.9, color="grey", linewidth=0.8)
    axis.set_xlabel("formulae answered, %")
    axis.set_ylabel("of these right, %")
    _save(figure, path)


def draw_training(path: Path, history: Sequence[Mapping[str, float]]) -> None:
    """Loss and accuracy of a training over its epochs."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.4), constrained_layout=True)
    axes = figure.subplots(1, 2)
    epochs = [record["epoch"] for record in history]
    for axis, key, title in zip(axes, ("loss", "accuracy"), ("loss per formula", "places right"), strict=True):
        axis.plot(epochs, [record[key] for record in history], marker="o")
        axis.set_title(title)
        axis.set_xlabel("epoch")
        axis.grid(alpha=0.3)
    _save(figure, path)


def _save(figure: object, path: Path) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)  # type: ignore[attr-defined]
    write_bytes(path, picture.getvalue())
