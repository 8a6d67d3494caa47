"""`texlift cluster`: cluster tree pairs by topology and print the paper's table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from texlift_paper.batching.clustering import Clustering, Topologies
    from texlift_paper.batching.trees import IntArray
    from texlift_paper.training.dataset import Dataset, TreePair

    Algorithm = Callable[[Topologies], Clustering]

app = typer.Typer(help=__doc__)

ALGORITHMS = ("algorithm1", "algorithm1-fine", "k-means", "linkage", "dbscan")
COLUMNS = ("algorithm", "clusters", "Σ hull sizes", "est. time (10⁶)", "over none", "CPU s", "epoch, s")


@app.command()
def cluster(
    file: str = typer.Argument("dlmf.jsonl", help="Corpus: a path, or a name in the folder TEXLIFT_DATA."),
    terms: int = typer.Option(15_240, help="Terms to cluster, chosen at random from the augmented corpus; 0 for all."),
    algorithm: list[str] = typer.Option(
        ["algorithm1", "algorithm1-fine"], help=f"Repeat for several; of {', '.join(ALGORITHMS)}, or all."
    ),
    k: list[int] = typer.Option([935, 2287], "-k", help="Clusters for k-means and linkage; may be repeated."),
    dimensions: list[int] = typer.Option(
        [64], help="Dimensions k-means and DBSCAN are reduced to, 0 for none; may be repeated."
    ),
    linkage: list[str] = typer.Option(["complete"], help="complete, average, single or ward; may be repeated."),
    radius: list[float] = typer.Option([2.0], help="Radius of DBSCAN; may be repeated."),
    alpha: float = typer.Option(1.0, min=0.0, help="α of equation 3, the estimated time; the paper's is 1 to 1.02."),
    comparators: str = typer.Option("all", help="Where formulae are cut into terms: all, or the paper's own list."),
    traversal: bool = typer.Option(True, help="Right-child-biggest traversal before clustering."),
    both: bool = typer.Option(False, help="With and without the traversal."),
    plot: Path | None = typer.Option(None, help="Draw hull and cluster sizes into this PNG file."),
    seed: int = typer.Option(1, help="Which terms are chosen."),
    train_seconds: float = typer.Option(
        0.0, min=0.0, help="Also train on each clustering for so many seconds and give the measured time of an epoch."
    ),
    state: int = typer.Option(256, min=1, help="State size of the network for --train-seconds."),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of a table."),
) -> None:
    """Cluster tree pairs by topology: clusters, sum of hulls, estimated training time, CPU time."""
    import json
    import time

    import numpy as np
    from rich.console import Console

    from texlift_paper.batching.clustering import Topologies, no_clustering
    from texlift_paper.training.dataset import load_dataset
    from texlift_paper.training.experiment import DataConfig

    algorithms = _algorithms(algorithm, k, dimensions, linkage, radius)
    try:
        config = DataConfig(
            file,
            validation_fold=-1,
            test_fold=-1,
            augment=True,
            comparators=comparators,
            terms=terms,
            max_nodes=1 << 30,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    dataset = load_dataset(config, seed)
    pairs = [(pair.source.values, pair.target.values) for pair in dataset.training]
    measure = partial(_epoch_seconds, dataset, state, train_seconds) if train_seconds else None
    console = Console(stderr=True)
    rows: list[dict[str, Any]] = []
    drawn: dict[str, Clustering] = {}
    for traversed in (True, False) if both else (traversal,):
        suffix = "" if traversed else ", no traversal"
        start = time.process_time()
        topologies = Topologies.of(pairs, traversed)
        preparing = time.process_time() - start
        count, total = no_clustering(topologies)
        alone = float(count * total**alpha)
        if traversed or not both:
            rows.append(_row("none", count, total, alone, alone, None))
            if measure is not None:
                rows[-1]["epoch seconds"] = measure(np.arange(len(pairs)))
        for name, make in algorithms.items():
            with console.status(f"{name}{suffix}"):
                start = time.process_time()
                clustering = make(topologies)
                seconds = time.process_time() - start + preparing
            drawn[name + suffix] = clustering
            estimate = clustering.estimated_time(alpha)
            rows.append(_row(name + suffix, clustering.clusters, clustering.hull_sum(), estimate, alone, seconds))
            if measure is not None:
                rows[-1]["epoch seconds"] = measure(clustering.labels[topologies.of_pair])
            console.print(*_cells(rows[-1]))  # some take many minutes: nothing is lost if a later one is stopped
    if as_json:
        typer.echo(json.dumps({"pairs": len(pairs), "seed": seed, "alpha": alpha, "rows": rows}))
    else:
        _print(rows, f"Clustering of {len(pairs):,} tree pairs")
    if plot is not None:
        _draw(drawn, plot)
        typer.echo(f"drawn: {plot}", err=True)


def _algorithms(
    chosen: list[str], counts: list[int], dimensions: list[int], linkages: list[str], radii: list[float]
) -> dict[str, Algorithm]:
    """What to run, by the name of its row."""
    from texlift_paper.batching import clustering, standard

    for name in chosen:
        if name not in (*ALGORITHMS, "all"):
            raise typer.BadParameter(f"unknown algorithm {name!r}; choose one of {', '.join(ALGORITHMS)} or all")
    for kind in linkages:
        if kind not in standard.LINKAGES:
            raise typer.BadParameter(f"unknown linkage {kind!r}; choose one of {', '.join(standard.LINKAGES)}")
    if min((*counts, *radii), default=1) <= 0 or min(dimensions, default=0) < 0:
        raise typer.BadParameter("clusters and radius must be positive, dimensions not negative")

    def reduced(size: int) -> str:
        return f"{size} dimensions" if size else "not reduced"

    def picked(parameters: Callable[[int], clustering.Parameters]) -> Algorithm:
        return lambda t: clustering.pick_clustering(t, parameters(int(t.counts.sum())))

    rows: dict[str, dict[str, Algorithm]] = {
        "algorithm1": {"algorithm1": picked(clustering.equation_parameters)},
        "algorithm1-fine": {"algorithm1-fine": picked(clustering.finer_parameters)},
        "k-means": {
            f"k-means, k = {count}, {reduced(size)}": partial(standard.k_means, clusters=count, dimensions=size)
            for size in dimensions
            for count in counts
        },
        "linkage": {
            f"{kind} linkage, n = {count}": partial(standard.linkage, clusters=count, kind=kind)
            for kind in linkages
            for count in counts
        },
        "dbscan": {
            f"dbscan, radius {r:g}, {reduced(size)}": partial(standard.dbscan, radius=r, dimensions=size)
            for size in dimensions
            for r in radii
        },
    }
    wanted = ALGORITHMS if "all" in chosen else tuple(dict.fromkeys(chosen))
    return {row: make for name in wanted for row, make in rows[name].items()}


def _epoch_seconds(dataset: Dataset, state: int, seconds: float, labels: IntArray) -> float:
    """Measured seconds of training for one epoch, with every pair in the cluster of its label."""
    import torch

    from texlift_paper.network.model import ModelConfig, TreeToTree
    from texlift_paper.training.cluster_time import epoch_time

    torch.set_num_threads(1)
    torch.manual_seed(1)
    groups: list[list[TreePair]] = [[] for _ in range(int(labels.max()) + 1)]
    for pair, label in zip(dataset.training, labels.tolist(), strict=True):
        groups[label].append(pair)
    model = TreeToTree(ModelConfig(state=state, embedding=state), len(dataset.vocabulary))
    return epoch_time(model, groups, seconds).seconds


def _row(
    name: str, clusters: int, hulls: int, estimate: float, alone: float, seconds: float | None
) -> dict[str, str | float | None]:
    return {
        "algorithm": name,
        "clusters": clusters,
        "hulls": hulls,
        "estimate": estimate,
        "over none": estimate / alone,
        "seconds": seconds,
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["algorithm"],
        f"{row['clusters']:,}",
        f"{row['hulls']:,}",
        f"{row['estimate'] / 1e6:,.0f}",
        f"{row['over none']:.4f}",
        *("-" if (value := row.get(key)) is None else f"{value:.1f}" for key in ("seconds", "epoch seconds")),
    )


def _print(rows: list[dict[str, Any]], title: str) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "algorithm" else "right", no_wrap=True)
    for row in rows:
        table.add_row(*_cells(row))
    Console(width=120).print(table)


def _draw(clusterings: dict[str, Clustering], path: Path) -> None:
    from io import BytesIO

    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from texlift.files import write_file

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for name, clustering in clusterings.items():
        axes[0].plot(sorted(clustering.hull_sizes(), reverse=True), label=name)
        axes[1].plot(sorted(clustering.members(), reverse=True), label=name)
    for axis, title in zip(axes, ("nodes of the hull", "pairs in the cluster"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="cluster, the largest first", title=title)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    picture = BytesIO()
    figure.savefig(picture, format=path.suffix[1:] or None, dpi=110)
    pyplot.close(figure)
    write_file(path, picture.getvalue())
