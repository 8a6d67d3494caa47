"""Parsing, expansion, grammar induction and readings over the corpus, against the bars of the foundation.

Cross-validation induces a grammar from nine folds and tests it on the tenth: ten times by formula, ten times by
section. Two folds run at a time; progress stands on standard error, failing formulae in the log at level INFO.
"""

from __future__ import annotations

import logging
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.corpus.folds import FOLDS, split_fold
from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair
from texlift.errors import TexliftError
from texlift.grammar.grammar import Grammar
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.tree import parse_tree
from texlift.latex.treetext import tree_latex

__all__ = ["Score", "cross_validate", "goes_back", "measure"]

log = logging.getLogger(__name__)

_WORKERS = 2
_STARTS = 7  # process starts of which the median is taken
_FORMULA = r"\BesselJ{\nu}@{z}"

Sides = tuple[str, str]
"""(generic, semantic)."""


@dataclass(slots=True)
class Score:
    """How many of the tested pairs succeed, all and non-trivial; `failed` are the ones that do not."""

    tested: int = 0
    nontrivial: int = 0
    failed: list[Sides] = field(default_factory=list)

    def add(self, pair: Sides, success: bool) -> None:
        self.tested += 1
        self.nontrivial += pair[0] != pair[1]
        if not success:
            self.failed.append(pair)

    @property
    def percent(self) -> float:
        """Share of all pairs."""
        return 100 * (1 - len(self.failed) / max(1, self.tested))

    @property
    def percent_nontrivial(self) -> float:
        """Share of the pairs whose two sides differ."""
        failed = sum(generic != semantic for generic, semantic in self.failed)
        return 100 * (1 - failed / max(1, self.nontrivial))


Scores = dict[str, Score]


def measure(data: Path) -> list[Figure]:
    """All figures of the foundation; takes about ten minutes on two cores."""
    path = data / "dlmf.jsonl"
    pairs = _unique(_pairs(path))
    figures = [*_round_trips(pairs), _tree_speed([generic for generic, _ in pairs])]
    with _progress() as tick:
        random, by_section = cross_validate(path, tick)
    figures += _fold_figures(random, by_section)
    figures += [_induction_time(pairs), _start_up()]
    return figures


# -- trees and back ------------------------------------------------------------------------------------


def goes_back(source: str, signatures: Signatures) -> bool:
    """Whether a formula is printed back to an equal tree, both as written and as the paper's n-ary tree."""
    printed = print_nodes(parse(source, signatures))
    if print_nodes(parse(printed, signatures)) != printed:
        return False
    tree = parse_tree(source, signatures=signatures)
    return parse_tree(tree_latex(tree, signatures=signatures), signatures=signatures) == tree


def _round_trips(pairs: Sequence[Sides]) -> Iterator[Figure]:
    from texlift.macros.semantic import semantic_signatures

    tables = {"generic": generic_signatures(), "semantic": semantic_signatures()}
    for side, (name, signatures) in enumerate(tables.items()):
        sources = list(dict.fromkeys([pair[side] for pair in pairs]))
        broken: list[str] = []
        wrong: list[str] = []
        for source in sources:
            try:
                if not goes_back(source, signatures):
                    wrong.append(source)
            except TexliftError as error:
                broken.append(str(error).splitlines()[0])
                log.info("%s does not parse: %s", name, error)
        for source in wrong:
            log.info("%s is not printed back to an equal tree: %s", name, source)
        note = f"{len(sources):,} formulae, {len(wrong)} wrong, {len(broken)} broken"
        if broken:
            note += ": " + "; ".join(broken[:5])
        yield Figure(f"{name}_printed_back_percent", 100 * (1 - len(wrong) / len(sources)), "%", ">= 100", note)


def _tree_speed(sources: Sequence[str]) -> Figure:
    """Text to binary tree; the best of three passes, since other work on the machine only ever slows down."""
    from texlift.latex.binary import parse_binary

    rates = []
    for _ in range(3):
        count = 0
        start = time.process_time()
        for source in sources:
            try:
                parse_binary(source)
                count += 1
            except TexliftError:
                continue
        rates.append(count / (time.process_time() - start))
    return Figure("text_to_binary_tree_per_second", max(rates), "1/s", ">= 5000", "one core, processor time")


# -- cross-validation ----------------------------------------------------------------------------------


def cross_validate(path: Path, tick: Callable[[], None] = lambda: None) -> tuple[list[Scores], list[Scores]]:
    """The scores of each random fold and of each section fold."""
    results: dict[tuple[bool, int], Scores] = {}
    with ProcessPoolExecutor(_WORKERS) as pool:
        jobs = {
            pool.submit(_fold_scores, path, fold, by_section): (by_section, fold)
            for by_section in (False, True)
            for fold in range(FOLDS)
        }
        for job in as_completed(jobs):
            results[jobs[job]] = job.result()
            tick()
    return [results[False, fold] for fold in range(FOLDS)], [results[True, fold] for fold in range(FOLDS)]


def _fold_scores(path: Path, fold: int, by_section: bool) -> Scores:
    """Induce from the other folds, test on this one; runs in a worker process."""
    from texlift.grammar.induction.induce import induce
    from texlift.grammar.packaged import completed

    rest, held_out = split_fold(_pairs(path), fold, by_section)
    with _without_warnings("texlift.grammar.induction.induce"):  # broken pairs are listed once, above
        induced = induce(_unique(rest))
    full = completed(induced)
    tested = _unique(held_out)
    return {
        "expand_induced": _expansion(induced, tested, False),
        "expand_with_lexicon": _expansion(full, tested, True),
        "reading_induced": _gold_among_readings(induced, tested),
        "reading_with_lexicon": _gold_among_readings(full, tested),
    }


@contextmanager
def _without_warnings(name: str) -> Iterator[None]:
    """Let a logger be silent about anything but errors for a while."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _expansion(grammar: Grammar, pairs: Sequence[Sides], with_lexicon: bool) -> Score:
    from texlift.grammar.expansion import Expander
    from texlift.latex.canonical import canonical_key

    expander = Expander(grammar, with_lexicon)
    score = Score()
    for generic, semantic in pairs:
        try:
            exact = canonical_key(expander.expand(semantic)) == canonical_key(generic)
        except TexliftError:
            exact = False
        score.add((generic, semantic), exact)
    return score


def _gold_among_readings(grammar: Grammar, pairs: Sequence[Sides]) -> Score:
    from texlift.grammar.induction.alignment import Aligner
    from texlift.grammar.readings import Reader
    from texlift.latex.canonical import canonical
    from texlift.train.examples import gold_readings

    reader = Reader(grammar)
    aligner = Aligner(grammar.rules)
    score = Score()
    for generic, semantic in pairs:
        try:
            found = gold_readings(reader.read(canonical(generic)), semantic, aligner) is not None
        except TexliftError:
            found = False
        score.add((generic, semantic), found)
    return score


_BARS = {
    ("random", "expand_induced"): (">= 99.5", ">= 99.2"),
    ("random", "reading_induced"): (">= 99.3", ">= 98.8"),
    ("section", "reading_with_lexicon"): (">= 99", ""),
}


def _fold_figures(random: Sequence[Scores], by_section: Sequence[Scores]) -> Iterator[Figure]:
    """Means over the folds, with the range as a note."""
    for kind, folds in (("random", random), ("section", by_section)):
        for name in folds[0]:
            scores = [fold[name] for fold in folds]
            for score in scores:
                for generic, semantic in score.failed:
                    log.info("%s folds, %s fails: %s <- %s", kind, name, generic, semantic)
            bars = _BARS.get((kind, name), ("", ""))
            for suffix, bar, shares in (
                ("all", bars[0], [score.percent for score in scores]),
                ("nontrivial", bars[1], [score.percent_nontrivial for score in scores]),
            ):
                note = f"mean of {len(scores)} folds, {min(shares):.2f} to {max(shares):.2f}"
                yield Figure(f"{kind}_folds_{name}_{suffix}_percent", statistics.mean(shares), "%", bar, note)


# -- time ----------------------------------------------------------------------------------------------


def _induction_time(pairs: Sequence[Sides]) -> Figure:
    from texlift.grammar.induction.induce import induce

    start = time.process_time()
    grammar = induce(pairs)
    seconds = time.process_time() - start
    return Figure("induction_seconds", seconds, "s", "<= 30", f"{len(pairs):,} pairs, {len(grammar):,} rules")


def _start_up() -> Figure:
    """`texlift expand` of one formula less an empty Python: medians of whole processes, in turns."""
    command = "from texlift.cli.app import main; main()"
    expand = [sys.executable, "-c", command, "expand", _FORMULA]
    empty = [sys.executable, "-c", "pass"]
    differences = [_seconds(expand) - _seconds(empty) for _ in range(_STARTS)]
    note = f"median of {_STARTS} process starts, {min(differences):.2f} to {max(differences):.2f} s"
    return Figure("expand_start_seconds", statistics.median(differences), "s", "<= 0.4", note)


def _seconds(command: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
    return time.perf_counter() - start


# -- the corpus ----------------------------------------------------------------------------------------


@cache
def _pairs(path: Path) -> list[Pair]:
    return read_pairs(path)


def _unique(pairs: Iterable[Pair]) -> list[Sides]:
    return list(dict.fromkeys([(pair.generic, pair.semantic) for pair in pairs]))


class _progress:  # noqa: N801 - a context manager, used like a function
    """A bar on standard error with one tick a fold."""

    def __enter__(self) -> Callable[[], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True))
        self._bar.start()
        task = self._bar.add_task("folds", total=2 * FOLDS)
        return lambda: self._bar.advance(task)

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
