import pytest

from texlift.documents.markdown import read_markdown
from texlift.documents.tex import TexReader


@pytest.mark.parametrize(
    ("text", "formulae"),
    [
        ("a $x$ and $y+1$.", ["x", "y+1"]),
        ("$5 and $10", []),
        ("costs $5, not $ 6$", []),
        ("`$x$` and ``a ` $y$`` $z$", ["z"]),
        ("```\n$x$\n```\n$y$", ["y"]),
        ("~~~py\n$x$\n~~~\n$y$", ["y"]),
        ("```math\nx\n```", ["x"]),
        ("<!-- $x$ --> $y$", ["y"]),
        ("$$\na\\\\b\n$$", ["a", "b"]),
        ("\\$x\\$", []),
        ("\\begin{align}a&=b\\end{align}", ["a&=b"]),
        ("# On $x$\n\\(y\\)", ["x", "y"]),
    ],
)
def test_where_math_is(text: str, formulae: list[str]) -> None:
    reader = TexReader()
    read_markdown(reader, text)
    assert [formula.latex for formula in reader.formulae] == formulae


def test_headings_and_front_matter_are_context() -> None:
    reader = TexReader()
    read_markdown(reader, '---\ntitle: "Waves"\n---\n## Bessel\n$x$\n')
    assert reader.formulae[0].context["chapter"] == "Waves"
    assert reader.formulae[0].context["section"] == "Bessel"
