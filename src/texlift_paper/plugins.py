"""How the laboratory joins texlift's command line: the objects that the entry points in pyproject.toml name.

Imported for `texlift --help`, so nothing here may import torch.
"""

from texlift.cli.plugins import Plugin

__all__ = [
    "ATTENTION",
    "BENCH",
    "CLUSTER",
    "CROSSVAL",
    "DISAMBIGUATE",
    "ERRORS",
    "EVALUATE",
    "REPORT",
    "RUN",
    "TRAIN",
]

CLUSTER = Plugin("texlift_paper.cli.cluster", "Cluster trees by topology (the paper's table).")
DISAMBIGUATE = Plugin("texlift_paper.cli.disambiguate", "List the macros a symbol may stand for.")
REPORT = Plugin("texlift_paper.cli.report", "Compare experiment runs.")
TRAIN = Plugin("texlift_paper.cli.train_experiment", "An experiment file: the paper's networks.")
EVALUATE = Plugin("texlift_paper.cli.evaluate_experiment", "An experiment file: the paper's networks.")
CROSSVAL = Plugin("texlift_paper.cli.crossval_experiment", "An experiment file: the paper's networks.")
ERRORS = Plugin("texlift_paper.cli.evaluate_errors", "The wrong answers of an experiment, as a page with filters.")
ATTENTION = Plugin("texlift_paper.cli.evaluate_attention", "Where an experiment's decoder looked, as a picture.")
RUN = Plugin("texlift_paper.training.lifter", "The network of an experiment.")
BENCH = Plugin("texlift_paper.bench", "throughput of the batching engines")
