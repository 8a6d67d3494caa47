"""`texlift evaluate attention RUN FORMULA`: where the decoder looked while it translated one formula."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(help=__doc__)


@app.command()
def evaluate_attention(
    run: Path = typer.Argument(..., help="Folder of a trained run whose network has attention."),
    formula: str = typer.Argument(..., help="A formula in generic LaTeX."),
    out: Path = typer.Option(Path("attention.svg"), "--out", "-o", help="The picture, .svg or .png."),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the experiment, e.g. `--set decoding.beam=4`; may be repeated."
    ),
) -> None:
    """Draw the attention of each symbol of the answer over the symbols of the source."""
    from texlift.errors import TexliftError
    from texlift_paper.training.attention_picture import draw_attention
    from texlift_paper.training.lifter import Lifter

    lifted = Lifter.load(run, settings).lift(formula)
    if lifted.look is None:
        raise TexliftError("this network has no attention: nothing says where it looked")
    draw_attention(lifted.look, lifted.semantic, out)
    typer.echo(lifted.semantic)
    typer.echo(f"drawn: {out}", err=True)
