"""`texlift corpus`: import, inspect, augment and generate pairs; induce a grammar from them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from texlift.cli.bulk import translate_command

if TYPE_CHECKING:
    from texlift.corpus.pair import Pair
    from texlift.corpus.statistics import Statistics
    from texlift.grammar.induction.coverage import Coverage

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)

_PAIRS = typer.Argument(..., metavar="PAIRS", help="A file of pairs (JSON lines), `demo` or `handbook`.")
_OUT = typer.Option(None, "--output", "-o", metavar="FILE", help="Where to write; default: standard output.")
_SEED = typer.Option(0, "--seed", help="The same seed gives the same output.")
_NOTATIONS = ("dlmf", "everyday", "mixed")


app.command("translate")(translate_command)


@app.command("import")
def import_command(
    files: list[Path] = typer.Argument(..., metavar="FILES...", help="Text blocks, `key: value` lines; see the docs."),
    out: Path | None = _OUT,
    constraints: bool = typer.Option(True, help="Write constraints also as pairs of their own."),
    strict: bool = typer.Option(False, "--strict", help="Exit with 1 if any block could not be read."),
) -> None:
    """Import text blocks (the form of the public math-dlmf-dataset) as JSON lines, with folds.

    Blocks that cannot be read are listed on standard error with file and line; the rest is imported.
    """
    from texlift.corpus.folds import assign_folds
    from texlift.corpus.importer import Problem, import_blocks

    pairs: list[Pair] = []
    problems: list[Problem] = []
    blocks = 0
    with _progress("importing", len(files)) as advance:
        for path in files:
            result = import_blocks([path], constraints)
            pairs += result.pairs
            problems += result.problems
            blocks += result.blocks
            advance(1)
    for problem in problems:
        typer.echo(f"left out: {problem}", err=True)
    _write(out, assign_folds(pairs))
    typer.echo(f"{blocks:,} blocks: {len(pairs):,} pairs, {len(problems):,} left out", err=True)
    if (strict and problems) or not pairs:
        raise typer.Exit(1)


@app.command()
def stats(
    pairs: str = _PAIRS,
    as_json: bool = typer.Option(False, "--json", help="One JSON object instead of tables."),
    plot: Path | None = typer.Option(None, "--plot", metavar="FILE", help="Draw a plot too (.svg, .png, .pdf)."),
    top: int = typer.Option(15, "--top", min=0, help="How many macros to list."),
) -> None:
    """Count pairs, lengths, macros, ambiguous formulae, chapters; the score of copying the input."""
    from texlift.corpus.statistics import draw_statistics, measure_corpus

    members = _read(pairs)
    with _progress("measuring", len(members)) as advance:
        statistics = measure_corpus(_counted(members, advance))
    if plot:
        draw_statistics(statistics, plot)
    if as_json:
        typer.echo(json.dumps(statistics.as_dict(), ensure_ascii=False))
    else:
        _show(statistics, top)


@app.command()
def augment(
    pairs: str = _PAIRS,
    out: Path | None = _OUT,
    parts: bool = typer.Option(True, help="Split at comparators: single terms, two and three adjacent ones."),
    variants: int = typer.Option(0, "--variants", min=0, help="Also write each formula in this many other notations."),
    hold_out: int | None = typer.Option(None, "--hold-out", help="Leave this fold out: augment the training set only."),
    seed: int = _SEED,
) -> None:
    """Make more pairs of pairs, as the paper does: parts between comparators; and other notations.

    A part keeps the fold of the formula it comes from. Formulae that cannot be parsed are kept as they are.
    """
    from texlift.corpus.folds import assign_folds

    members = assign_folds(_read(pairs))
    if hold_out is not None:
        members = [pair for pair in members if pair.fold != hold_out]
    with _progress("augmenting", len(members)) as advance:
        more = list(_augmented(_counted(members, advance), members, parts, variants, seed))
    _write(out, more)
    typer.echo(f"{len(members):,} pairs: {len(more):,} after augmentation", err=True)


@app.command()
def generate(
    count: int = typer.Option(1000, "--count", "-n", min=1, max=1_000_000, help="How many pairs."),
    out: Path | None = _OUT,
    kinds: list[str] = typer.Option(
        ["equation", "expression"], "--kind", help="equation, expression or constraint; may be given several times."
    ),
    notation: str = typer.Option("dlmf", "--notation", help="Notation of the generic side: dlmf, everyday or mixed."),
    syntax: str = typer.Option("", "--syntax", help="Write the semantic side in this syntax: mathematica."),
    seed: int = _SEED,
) -> None:
    """Generate synthetic pairs from the lexicon, for training without the DLMF; or of LaTeX and another syntax."""
    from texlift.corpus.folds import assign_folds
    from texlift.corpus.generator import generate_pairs
    from texlift.corpus.notation import everyday
    from texlift.corpus.notation import variants as variants_of

    if syntax:
        _generate_in(syntax, count, out, seed)
        return
    if notation not in _NOTATIONS:
        raise typer.BadParameter(f"{notation!r}: choose one of {', '.join(_NOTATIONS)}", param_hint="--notation")
    with _progress("generating", count) as advance:
        pairs = generate_pairs(count, seed, kinds, on_pair=lambda: advance(1))
    if notation == "everyday":
        pairs = [replace(pair, generic=everyday(pair.generic)) for pair in pairs]
    elif notation == "mixed":
        pairs = [replace(pair, generic=(variants_of(pair.generic, seed, 1) or [pair.generic])[0]) for pair in pairs]
    _write(out, assign_folds(pairs, anew=True))  # by the formula as it is now written
    typer.echo(f"{len(pairs):,} pairs", err=True)


def _generate_in(name: str, count: int, out: Path | None, seed: int) -> None:
    """Pairs of LaTeX and another syntax, over the functions of the target of that name."""
    from texlift.corpus.bilingual import bilingual_pairs
    from texlift.macros.syntaxes.syntax import syntax
    from texlift.targets.table import load_table

    if name != "mathematica":
        raise typer.BadParameter(f"{name!r}: pairs can be generated for mathematica", param_hint="--syntax")
    # of macros that print the same, those whose code says the same without a convention come first
    entries = sorted(load_table(name).entries.items(), key=lambda item: bool(item[1].note))
    codes = {macro: entry.code for macro, entry in entries}
    pairs = bilingual_pairs(codes, syntax(name), count, seed)
    _write(out, pairs)
    typer.echo(f"{len(pairs):,} pairs", err=True)


@app.command("from-tex")
def from_tex(
    files: list[Path] = typer.Argument(..., metavar="FILES...", help="LaTeX files; what they \\input is read too."),
    out: Path | None = _OUT,
    sentence: str = typer.Option(
        "dollars", "--sentence", help="Mathematics in the sentence around a formula: `dollars` (expanded) or `out`."
    ),
    keep: list[str] = typer.Option(
        [], "--expand", metavar="MACRO", help="A macro that means nothing: expanded on both sides. Several allowed."
    ),
) -> None:
    """Make pairs from LaTeX that defines macros of its own: as its author typed it, and with the definitions expanded.

    What cannot be used (formulae that do not parse, macros that are programs or refer to themselves) is listed on
    standard error.
    """
    from texlift.corpus.folds import assign_folds
    from texlift.documents.pairs import SENTENCES, pairs_from_tex

    if sentence not in SENTENCES:
        raise typer.BadParameter(f"{sentence!r}: choose one of {', '.join(SENTENCES)}", param_hint="--sentence")
    result = pairs_from_tex(files, sentence, keep)
    for problem in result.problems:
        typer.echo(f"left out: {problem}", err=True)
    _write(out, assign_folds(result.pairs))
    typer.echo(
        f"{result.formulae:,} formulae, {len(result.macros):,} macros: {len(result.pairs):,} pairs, "
        f"{sum(not pair.trivial for pair in result.pairs):,} of them with a macro; {len(result.problems):,} left out",
        err=True,
    )
    if not result.pairs:
        raise typer.Exit(1)


@app.command()
def induce(
    pairs: str = _PAIRS,
    out: Path = typer.Option(..., "--output", "-o", metavar="GRAMMAR", help="Where to write the grammar (JSON)."),
    words: bool | None = typer.Option(
        None,
        "--lexicon/--no-lexicon",
        help="Complete it with the lexicon's templates for macros not in the pairs; by default if they are in its "
        "language.",
        show_default=False,
    ),
) -> None:
    """Induce a grammar (templates with holes, one per form of a macro) from pairs.

    The pairs may be in any language of LaTeX macros: which commands are calls, and with what, is found in the pairs.
    """
    from texlift.corpus.jsonl import write_text
    from texlift.errors import TexliftError
    from texlift.grammar.induction.coverage import measure
    from texlift.grammar.induction.induce import induce as induce_grammar
    from texlift.grammar.induction.selection import select
    from texlift.grammar.packaged import completed, is_lexicons

    chosen = select((pair.generic, pair.semantic) for pair in _stream(pairs))
    with _progress("inducing", 1) as advance:

        def report(name: str, done: int, total: int) -> None:
            advance(0, f"{name}: {done:,} of {total:,}", done, total)

        grammar = induce_grammar(chosen.pairs, progress=report)
    learnt = len(grammar)
    if words and not is_lexicons(grammar):
        raise TexliftError("--lexicon: the pairs are in another language than the lexicon's")
    if words is not False:
        grammar = completed(grammar)
    write_text(out, [grammar.dumps()])
    more = f", {len(grammar) - learnt:,} more from the lexicon" if len(grammar) > learnt else ""
    if chosen.thinned:
        typer.echo(str(chosen), err=True)
    typer.echo(f"{chosen.seen:,} pairs: {learnt:,} rules{more}", err=True)
    _report_rest(measure(grammar, [side for side in chosen.pairs if side[0] != side[1]], grammar.language.calls))


@app.command()
def coverage(
    pairs: str = _PAIRS,
    by: str = typer.Option("section", "--by", help="Folds by `section` or by `formula`."),
    folds: list[int] = typer.Option([], "--fold", help="Only this fold; may be given several times. Default: all."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object a fold instead of a table."),
    listed: bool = typer.Option(False, "--list", help="Also list the pairs that are not explained."),
) -> None:
    """Induce a grammar from all folds but one and try it on that one: does it expand, is gold among the readings?

    Each figure is given for all pairs and for non-trivial ones, and again for pairs whose macros the other folds have.
    """
    from texlift.cli.coverage_table import show_coverage
    from texlift.corpus.folds import assign_folds

    if by not in ("section", "formula"):
        raise typer.BadParameter(f"{by!r}: choose section or formula", param_hint="--by")
    show_coverage(assign_folds(_read(pairs)), by == "section", folds, as_json, listed)


def _report_rest(explained: Coverage) -> None:
    """What of the pairs the grammar does not explain."""
    count = len(explained.pairs)
    if not count:
        return
    share = explained.share("expands")
    typer.echo(f"{share:.1f} % of {count:,} non-trivial pairs expand as they should", err=True)
    for reason, number in explained.reasons.most_common():
        typer.echo(f"left out: {number:,} pairs: {reason}", err=True)
    if explained.unknown:
        names = ", ".join(name for name, _ in explained.unknown.most_common(10))
        typer.echo(f"no rule was learnt for {len(explained.unknown):,} macros: {names}", err=True)
    if share < _LEAST_SHARE:
        typer.echo(
            f"warning: less than {_LEAST_SHARE} % are explained: do the two sides of the pairs correspond?", err=True
        )


_LEAST_SHARE = 50

# -- files ---------------------------------------------------------------------------------------------


def _read(name: str) -> list[Pair]:
    return list(_stream(name))


def _stream(name: str) -> Iterator[Pair]:
    """The pairs of a file, one by one, or those of a packaged set."""
    from texlift.corpus.demo import demo_pairs
    from texlift.corpus.handbook import handbook_pairs
    from texlift.corpus.jsonl import iterate_pairs

    if name in ("handbook", "demo"):
        yield from handbook_pairs() if name == "handbook" else demo_pairs()
    else:
        yield from iterate_pairs(name)


def _write(out: Path | None, pairs: Sequence[Pair]) -> None:
    from texlift.corpus.jsonl import write_pairs

    if out is not None and str(out) != "-":
        write_pairs(out, pairs)
        return
    for pair in pairs:
        sys.stdout.write(json.dumps(pair.as_dict(), ensure_ascii=False) + "\n")


def _augmented(pairs: Iterable[Pair], whole: Sequence[Pair], parts: bool, variants: int, seed: int) -> Iterator[Pair]:
    """Each different (generic, semantic) once; no generic formula in two folds, whole formulae deciding."""
    from texlift.corpus.augment import augment as parts_of
    from texlift.corpus.notation import variants as variants_of
    from texlift.errors import FormulaError

    folds = {pair.generic: pair.fold for pair in whole}
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        sides = parts_of(pair.generic, pair.semantic) if parts else [(pair.generic, pair.semantic)]
        for number, (generic, semantic) in enumerate(sides, 1):
            written = [generic]
            if variants:
                with suppress(FormulaError):  # what cannot be parsed stays as it is written
                    written += variants_of(generic, seed, variants)
            for way, form in enumerate(written):
                if (form, semantic) in seen:
                    continue
                seen.add((form, semantic))
                is_whole = generic == pair.generic
                name = pair.id + ("" if is_whole else f".p{number}") + (f".v{way}" if way else "")
                fold = folds.setdefault(form, pair.fold)
                yield replace(
                    pair,
                    id=name,
                    generic=form,
                    semantic=semantic,
                    kind=pair.kind if is_whole else "expression",
                    constraints=pair.constraints if is_whole else (),
                    fold=fold,
                )


# -- the terminal --------------------------------------------------------------------------------------


class _Advance(Protocol):
    def __call__(self, step: int, text: str = "", done: int | None = None, total: int | None = None) -> None: ...


@contextmanager
def _progress(text: str, total: int) -> Iterator[_Advance]:
    """A bar on standard error, drawn only where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(text, total=total)

        def advance(step: int, text: str = "", done: int | None = None, total: int | None = None) -> None:
            if done is None:
                progress.advance(task, step)
            else:
                progress.update(task, description=text, completed=done, total=total)

        yield advance


def _counted(pairs: Iterable[Pair], advance: _Advance) -> Iterator[Pair]:
    for pair in pairs:
        yield pair
        advance(1)


def _show(statistics: Statistics, top: int) -> None:
    from rich.table import Table

    from texlift.cli.console import console

    out = console()
    nontrivial = statistics.nontrivial / statistics.unique if statistics.unique else 0.0
    rows = [
        ("pairs", f"{statistics.pairs:,}", ", ".join(f"{n:,} {kind}s" for kind, n in statistics.kinds.items())),
        ("different", f"{statistics.unique:,}", ""),
        ("non-trivial", f"{statistics.nontrivial:,}", f"{nontrivial:.1%} of the different ones: the sides differ"),
        ("copying is right", f"{statistics.copy_share:.1%}", "of all pairs; report it beside every score"),
        (
            "tokens, generic",
            f"{statistics.generic.mean:.1f}",
            f"on average; median {statistics.generic.median:g}, at most {statistics.generic.longest:,}",
        ),
        (
            "tokens, semantic",
            f"{statistics.semantic.mean:.1f}",
            f"on average; median {statistics.semantic.median:g}, at most {statistics.semantic.longest:,}",
        ),
        ("macros", f"{len(statistics.macros):,}", f"{sum(statistics.macros.values()):,} calls"),
        ("ambiguous", f"{statistics.ambiguous:,}", f"formulae; {statistics.ambiguous_in_section:,} within a section"),
        ("chapters", f"{len(statistics.chapters):,}", ""),
    ]
    if statistics.unparsed:
        rows.append(("not parsed", f"{len(statistics.unparsed):,}", ", ".join(statistics.unparsed[:5])))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column()
    for row in rows:
        table.add_row(*row)
    out.print(table)
    if top and statistics.macros:
        out.print("\n[bold]most used macros")
        listed = list(statistics.macros.items())[:top]
        out.print(", ".join(f"{name} {count:,}" for name, count in listed), markup=False, highlight=False)
