"""`texlift cluster`: cluster tree pairs by topology and print the paper's table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from texlift.batching.clustering import Clustering, Topologies

app = typer.Typer(help=__doc__)

ALGORITHMS = ("algorithm1", "algorithm1-fine", "k-means", "k-means-fine", "complete-linkage", "dbscan")


@app.command()
def cluster(
    file: str = typer.Argument("dlmf.jsonl", help="Corpus: a path, or a name in the folder TEXLIFT_DATA."),
    terms: int = typer.Option(15_240, help="Terms to cluster, chosen at random from the augmented corpus; 0 for all."),
    algorithm: list[str] = typer.Option(
        ["algorithm1", "algorithm1-fine"], help=f"Repeat for several; of {', '.join(ALGORITHMS)}, or all."
    ),
    traversal: bool = typer.Option(True, help="Right-child-biggest traversal before clustering."),
    both: bool = typer.Option(False, help="With and without the traversal."),
    plot: Path | None = typer.Option(None, help="Draw hull and cluster sizes into this PNG file."),
    seed: int = typer.Option(1, help="Which terms are chosen."),
) -> None:
    """Cluster tree pairs by topology: clusters, sum of hulls, estimated training time, CPU time."""
    import time

    from rich.console import Console
    from rich.table import Table

    from texlift.batching.clustering import Topologies, no_clustering
    from texlift.training.dataset import load_dataset
    from texlift.training.experiment import DataConfig

    chosen = list(ALGORITHMS) if "all" in algorithm else algorithm
    for name in chosen:
        if name not in ALGORITHMS:
            raise typer.BadParameter(f"unknown algorithm {name!r}; choose one of {', '.join(ALGORITHMS)} or all")
    config = DataConfig(file, validation_fold=-1, test_fold=-1, augment=True, terms=terms, max_nodes=1 << 30)
    pairs = [(pair.source.values, pair.target.values) for pair in load_dataset(config, seed).training]
    table = Table(title=f"Clustering of {len(pairs):,} tree pairs")
    for column in ("algorithm", "clusters", "Σ hull sizes", "est. time (10⁶)", "over none", "CPU s"):
        table.add_column(column, justify="left" if column == "algorithm" else "right", no_wrap=True)
    console = Console(stderr=True)
    drawn: dict[str, Clustering] = {}
    for traversed in (True, False) if both else (traversal,):
        suffix = "" if traversed else ", no traversal"
        start = time.process_time()
        topologies = Topologies.of(pairs, traversed)
        preparing = time.process_time() - start
        count, total = no_clustering(topologies)
        if traversed or not both:
            table.add_row("none", f"{count:,}", f"{total:,}", f"{count * total / 1e6:,.0f}", "1", "-")
        for name in chosen:
            with console.status(f"{name}{suffix}"):
                start = time.process_time()
                clustering = _algorithms()[name](topologies)
                seconds = time.process_time() - start + preparing
                estimate = clustering.estimated_time()
            drawn[name + suffix] = clustering
            cells = (
                name + suffix,
                f"{clustering.clusters:,}",
                f"{clustering.hull_sum():,}",
                f"{estimate / 1e6:,.0f}",
                f"{estimate / (count * total):.4f}",
                f"{seconds:.1f}",
            )
            table.add_row(*cells)
            console.print(*cells)  # some take many minutes: nothing is lost if a later one is stopped
    Console().print(table)
    if plot is not None:
        _draw(drawn, plot)
        typer.echo(f"drawn: {plot}")


def _algorithms() -> dict[str, Callable[[Topologies], Clustering]]:
    from texlift.batching import clustering, standard

    def pairs(topologies: Topologies) -> int:
        return int(topologies.counts.sum())

    return {
        "algorithm1": lambda t: clustering.pick_clustering(t, clustering.equation_parameters(pairs(t))),
        "algorithm1-fine": lambda t: clustering.pick_clustering(t, clustering.finer_parameters(pairs(t))),
        "k-means": lambda t: standard.k_means(t, 935),
        "k-means-fine": lambda t: standard.k_means(t, 2287),
        "complete-linkage": lambda t: standard.complete_linkage(t, 2287),
        "dbscan": lambda t: standard.dbscan(t, 2.0),
    }


def _draw(clusterings: dict[str, Clustering], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for name, clustering in clusterings.items():
        axes[0].plot(sorted(clustering.hull_sizes(), reverse=True), label=name)
        axes[1].plot(sorted(clustering.members(), reverse=True), label=name)
    for axis, title in zip(axes, ("nodes of the hull", "pairs in the cluster"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="cluster, the largest first", title=title)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
