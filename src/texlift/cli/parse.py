"""`texlift parse FORMULA`: draw the tree of a formula."""

from __future__ import annotations

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
) -> None:
    """Draw the parse tree of a formula, as in the paper's figures."""
    from texlift.errors import TexliftError, fenced
    from texlift.files import write_file
    from texlift.latex.binary import binary_tree
    from texlift.latex.drawing import tree_svg, tree_text
    from texlift.latex.signatures import generic_signatures
    from texlift.latex.tree import Heuristics, Tree, parse_tree
    from texlift.latex.wrapping import unwrapped

    if prefix and postfix:
        raise typer.BadParameter("--prefix and --postfix exclude each other")
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
    if svg is None:
        typer.echo(shown)
        return
    write_file(svg, shown.encode())
    typer.echo(f"drawn: {svg}")
