import time
from pathlib import Path

import pytest

from texlift.corpus.importer import Problem, clean_formula, import_blocks, read_blocks
from texlift.corpus.pair import Constraint, Pair, Symbol
from texlift.errors import FormulaError, TexliftError

BLOCKS = r"""# the gamma function
id: C5.S2.E1
chapter: Gamma Function
Section-Title: Definitions
sentence: Euler's integral is
presentation: $\Gamma\left(z\right)=\int_{0}^{\infty}
    e^{-t}t^{z-1}\mathrm{d}t$,
content: $\EulerGamma@{z}=\int_{0}^{\infty}\expe^{-t}t^{z-1}\diff{t}$,
constraint: $\Re z>0$ ||| $\realpart@@{z}>0$
symbol: \Gamma(z) ||| \EulerGamma@{\NVar{z}} ||| gamma function
defines: z ||| z ||| complex variable
colour: blue

Presentation LaTeX: x + y .
Content_LaTeX: x + y
"""


def blocks(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "dlmf.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_blocks_become_pairs(tmp_path: Path) -> None:
    result = import_blocks([blocks(tmp_path, BLOCKS)])
    assert result.problems == []
    assert result.blocks == 2
    assert result.pairs[0] == Pair(
        id="C5.S2.E1",
        generic=r"\Gamma\left(z\right)=\int_{0}^{\infty}e^{-t}t^{z-1}\mathrm{d}t",
        semantic=r"\EulerGamma@{z}=\int_{0}^{\infty}\expe^{-t}t^{z-1}\diff{t}",
        context={"chapter": "Gamma Function", "section": "Definitions", "sentence": "Euler's integral is"},
        kind="equation",
        section="5.2",
        constraints=(Constraint(r"\Re z>0", r"\realpart@@{z}>0"),),
        symbols=(
            Symbol(r"\Gamma(z)", r"\EulerGamma@{\NVar{z}}", "gamma function", "used"),
            Symbol("z", "z", "complex variable", "defined"),
        ),
    )
    assert result.pairs[1].kind == "constraint"
    assert result.pairs[1].semantic == r"\realpart@@{z}>0"
    assert result.pairs[2] == Pair("dlmf:14", "x+y", "x+y", {})
    assert len(import_blocks([tmp_path / "dlmf.txt"], with_constraints=False).pairs) == 2


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("$x$", "x"),
        ("$$ x , $$", "x"),
        (r"\[ x \;.\]", "x"),
        (r"$x$.", "x"),
        (r"\(x\),", "x"),
        (r"a  +  \alpha  b", r"a+\alpha b"),
        (r"\alpha 2", r"\alpha2"),
        (r"\text{ if  } x", r"\text{ if }x"),
        (r"\mskip -3.0mu f", r"\mskip-3.0muf"),
        (r"\left\{ x \right.", r"\left\{x\right."),
        (r"\left\{x\right\}.", r"\left\{x\right\}"),
        ("x % a comment\n + y", "x+y"),
        (r"x\,", "x"),
        (r"a\dots,", r"a\dots"),
        ("n!", "n!"),
    ],
)
def test_cleaning(written: str, cleaned: str) -> None:
    assert clean_formula(written) == cleaned
    assert clean_formula(cleaned) == cleaned


def test_broken_formula() -> None:
    with pytest.raises(FormulaError):
        clean_formula("$x^{2$")


@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        ("id: a\ngeneric: x", 5, "no semantic side"),
        ("id: a\nsemantic: x", 5, "no generic side"),
        ("generic: x\nsemantic: {x", 6, "never closed"),
        ("generic: $$\nsemantic: x", 5, "empty"),
        ("generic: x\nsemantic: x\nkind: poem", 7, "kind must be"),
        ("generic: x\nnonsense\nsemantic: x", 6, "neither `key: value`"),
        ("generic: x\nsemantic: x\nconstraint: {", 7, "never closed"),
        (b"generic: \xff\nsemantic: x", 5, "not UTF-8"),
        ("generic: x\x00\nsemantic: x", 5, "control character"),
        ("generic: " + "x" * 300_000 + "\nsemantic: x", 5, "longer than the limit"),
    ],
)
def test_a_bad_block_is_reported_and_the_rest_imported(
    tmp_path: Path, block: str | bytes, line: int, message: str
) -> None:
    good = b"id: g\ngeneric: y\nsemantic: y\n\n"
    raw = block if isinstance(block, bytes) else block.encode()
    path = blocks(tmp_path, good + raw + b"\n\n" + good)
    items = list(read_blocks(path))
    assert len(items) == 3
    problem = items[1]
    assert isinstance(problem, Problem)
    assert (problem.line, problem.path) == (line, path)
    assert message in problem.message
    assert str(problem).startswith(f"{path}:{line}: ")


def test_rules_and_carriage_returns_separate_blocks(tmp_path: Path) -> None:
    path = blocks(tmp_path, "\ufeffgeneric: x\r\nsemantic: x\r\n----\r\ngeneric: y\r\nsemantic: y\r\n")
    assert [pair.generic for pair in import_blocks([path]).pairs] == ["x", "y"]


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(TexliftError, match="cannot read"):
        import_blocks([tmp_path / "none.txt"])


def test_very_many_continuation_lines_take_bounded_time(tmp_path: Path) -> None:
    path = blocks(tmp_path, "generic: x\n" + " +y\n" * 300_000 + "semantic: x\n")
    start = time.perf_counter()
    problem = next(read_blocks(path))
    assert isinstance(problem, Problem)
    assert "longer than the limit" in problem.message
    assert time.perf_counter() - start < 5
