"""`texlift parse FORMULA`: draw the tree of a formula."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from texlift.cli.formulae import given

app = typer.Typer(help=__doc__)

_LONGEST_DRAWING = 3000  # nodes: a longer right spine would be drawn in lines of that many characters


@app.command()
def parse(
    formula: str = typer.Argument("", help="A formula in LaTeX; - reads it from standard input."),
    binary: bool = typer.Option(False, "--binary", help="The binary tree instead of the n-ary one."),
    command_end: bool = typer.Option(False, "--command-end", help="End commands with the leaf <COMMAND_END>."),
    concat_end: bool = typer.Option(False, "--concat-end", help="End concatenations with the leaf <CONCAT_END>."),
    prefix: bool = typer.Option(False, "--prefix", help="Move infix operators to the front of their row."),
    postfix: bool = typer.Option(False, "--postfix", help="Move infix operators to the end of their row."),
    semantic: bool = typer.Option(False, "--semantic", help="The formula is semantic LaTeX."),
    brackets: bool = typer.Option(False, "--brackets", help="One line of nested brackets instead of a drawing."),
    svg: Path | None = typer.Option(None, "--svg", help="Draw into this SVG file instead."),
    meaning: bool = typer.Option(False, "--meaning", help="The meaning of the formula instead of its notation."),
    as_json: bool = typer.Option(False, "--json", help="With --meaning: the tree as JSON."),
    context: str = typer.Option("", "--context", help="With --meaning: words around the formula."),
    declare: list[str] = typer.Option([], "--declare", help="With --meaning: what a letter is, e.g. 'n: integer'."),
    choose: list[str] = typer.Option([], "--choose", help="With --meaning: what a place means, e.g. '0=product'."),
    decisions: bool = typer.Option(False, "--decisions", help="With --meaning: list ambiguous places below the tree."),
    own: Path | None = typer.Option(None, "--vocabulary", help="With --meaning: a file with concepts of your own."),
) -> None:
    """Draw the parse tree of a formula, as in the paper's figures, or with --meaning the tree of what it says."""
    from texlift.errors import TexliftError, fenced
    from texlift.latex.binary import binary_tree
    from texlift.latex.drawing import tree_svg, tree_text
    from texlift.latex.signatures import generic_signatures
    from texlift.latex.tree import Heuristics, Tree, parse_tree
    from texlift.latex.wrapping import unwrapped

    if prefix and postfix:
        raise typer.BadParameter("--prefix and --postfix exclude each other")
    if meaning:
        asked = next(given([formula] if formula else None))
        return _meaning(asked, semantic, context, declare, choose, own, decisions, as_json, svg)
    if as_json or context or declare or choose or decisions or own:
        raise typer.BadParameter(
            "--json, --context, --declare, --choose, --decisions and --vocabulary go with --meaning"
        )
    signatures = generic_signatures()
    if semantic:
        from texlift.macros.lexicon import lexicon

        signatures = signatures.with_calls(lexicon().call_signatures())
    typed = next(given([formula] if formula else None))
    with fenced(typed, "parsing"):
        tree = parse_tree(unwrapped(typed), Heuristics(command_end, concat_end, prefix, postfix), signatures)
        if binary:
            flat = binary_tree(tree)
            if len(flat) > _LONGEST_DRAWING:
                raise TexliftError(f"a binary tree of {len(flat):,} nodes is too large to draw")
            tree = flat.nested()
        shown = tree_svg(tree) if svg is not None else str(Tree(tree)) if brackets else tree_text(tree)
    return _written(svg, shown) if svg is not None else typer.echo(shown)


def _meaning(
    formula: str,
    semantic: bool,
    context: str,
    declare: list[str],
    choose: list[str],
    own: Path | None,
    decisions: bool,
    as_json: bool,
    svg: Path | None,
) -> None:
    """Show what a formula says."""
    from texlift.cli.words import declarations
    from texlift.latex.wrapping import unwrapped
    from texlift.meaning.reader.reading import read
    from texlift.meaning.structure.decision import parse_choices

    declared, choices = declarations(declare, own), parse_choices(choose)
    if semantic:
        tree = read(unwrapped(formula), declared=declared, choices=choices)
    else:
        from texlift.translate.translator import load

        tree = load().translate(formula, context=context or None, declare=declared).choose(choices).tree
    if svg is not None:
        return _written(svg, tree.svg())
    typer.echo(json.dumps(tree.as_dict(), ensure_ascii=False) if as_json else tree.pretty())
    if decisions and not as_json:
        for one in tree.decisions:
            others = ", ".join(option.meaning for option in one.alternatives)
            typer.echo(f"{one.span[0]}: {one}" + (f" (or {others})" if others else ""))
    if not as_json:
        for warning in tree.warnings:
            typer.secho(f"warning: {warning}", fg=typer.colors.YELLOW, err=True)
    return None


def _written(path: Path, drawing: str) -> None:
    from texlift.files import write_file

    write_file(path, drawing.encode())
    typer.echo(f"drawn: {path}")
