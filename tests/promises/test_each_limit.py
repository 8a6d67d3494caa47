"""Every limit: at the limit it works, one above it there is the documented error or warning, with place and code.

The values are read from the code. `SECURITY.md` has the table; a test compares it with the code.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

import texlift
from texlift.cli import check as cli_check
from texlift.cli import document as cli_document
from texlift.cli import expand as cli_expand
from texlift.cli import lines
from texlift.cli import translate as cli_translate
from texlift.cli.app import app
from texlift.documents import choices, document, source
from texlift.errors import FormulaError, TexliftError
from texlift.grammar import expansion
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.latex import cursor, definitions, lexer, replacing
from texlift.latex.parser import parse
from texlift.meaning.reader import scope
from texlift.targets import convert
from texlift.translate import preparation
from texlift.verify import TRUE, worker

ROOT = Path(__file__).parents[2]
AMBIGUOUS = "very ambiguous: not all readings were considered"


def refusal(run: Callable[[], object]) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        run()
    return caught.value


def test_the_table_in_the_documentation_has_the_values_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import limits

    assert limits.main(["--check"]) == 0, "run python tools/limits.py"
    monkeypatch.setattr(preparation, "MAX_FORMULA", 9_999)
    assert limits.main(["--check"]) == 1  # a number that changes in the code is noticed


# Formulae


def test_characters_that_are_parsed() -> None:
    longest = "x" + " " * (lexer.MAX_LENGTH - 2) + "y"
    assert len(parse(longest)) == 2
    error = refusal(lambda: parse(longest + "z"))
    assert (error.code, error.span) == ("too-long", (lexer.MAX_LENGTH, lexer.MAX_LENGTH + 1))
    assert f"{lexer.MAX_LENGTH:,}" in error.message


def test_characters_that_are_translated() -> None:
    most = preparation.MAX_FORMULA
    longest = r"\Gamma(z)" + " " * (most - 11) + "+y"
    assert len(longest) == most
    assert texlift.load().translate(longest).semantic.startswith(r"\EulerGamma@{z}")
    error = refusal(lambda: texlift.load().translate(longest + "z"))
    assert (error.code, error.span) == ("too-long", (most, most + 1))
    assert f"{most:,}" in error.message


def test_characters_are_counted_when_the_users_macros_are_replaced() -> None:
    half = preparation.MAX_FORMULA // 2
    text = rf"\def\a{{{'x' * half}}}"
    assert texlift.load().translate(text + r"\a\a").semantic == "x" * 2 * half
    assert refusal(lambda: texlift.load().translate(text + r"\a\a y")).code == "too-long"


@pytest.mark.parametrize("pair", ["{}", r"\left( \right)", r"\sqrt{ }", "x^{ }", r"\begin{matrix} \end{matrix}"])
def test_levels_of_nesting(pair: str) -> None:
    opening, _, closing = pair.partition(" ") if " " in pair else ("{", "", "}")
    most = cursor.MAX_DEPTH

    def nested(depth: int) -> str:
        return opening * depth + "x" + closing * depth

    deepest = max(depth for depth in range(most // 3, most + 1) if _parses(nested(depth)))
    assert deepest == most or pair.startswith(r"\begin")  # an environment is two levels: the rows and the cell
    error = refusal(lambda: parse(nested(deepest + 1)))
    assert error.code == "too-deep"
    assert error.span[0] <= len(opening) * (deepest + 1)
    assert str(most) in error.message


def _parses(text: str) -> bool:
    try:
        parse(text)
    except FormulaError:
        return False
    return True


def test_levels_that_are_translated_and_converted() -> None:
    """What the parser takes, the translator takes; code is written for less."""
    deep = "(" * 60 + r"\Gamma(z)" + ")" * 60
    assert texlift.load().translate(deep).semantic == deep.replace(r"\Gamma(z)", r"\EulerGamma@{z}")
    most = scope.MAX_NESTING

    def nested(depth: int) -> str:
        return r"\sqrt{" * depth + "x+1" + "}" * depth

    with ThreadPoolExecutor(1) as fresh:  # a thread has a stack of its own, whatever calls this test
        assert fresh.submit(convert, nested(most), "sympy").result().code.count("sqrt") == most
        error = refusal(lambda: fresh.submit(convert, nested(most + 1), "sympy").result())
    assert (error.code, error.source[error.span[0] :][:3]) == ("too-deep", "{x+")
    assert str(most) in error.message


def test_nothing_that_is_too_deep_ends_the_process() -> None:
    for opening in ("{", "(", r"\left(", r"\sqrt{", r"\sin@{", "x^{", r"\frac{"):
        with pytest.raises(TexliftError):
            texlift.load().translate(opening * 3000)


# The user's macros


def test_replacements() -> None:
    most = definitions.MAX_REPLACEMENTS
    define = r"\def\a{x}"
    uses = r"\a" * most
    assert definitions.expand_definitions(define + uses) == "x" * most
    error = refusal(lambda: definitions.expand_definitions(define + uses + r"\a"))
    assert (error.code, error.span[0]) == ("too-long", len(uses))
    assert f"{most:,}" in error.hint


def test_tokens_that_replacements_bring() -> None:
    most, body = replacing.MAX_EXPANDED, 1000
    define = rf"\def\a{{{'x' * body}}}\def\b{{y}}"
    uses = r"\a" * (most // body)
    assert len(definitions.expand_definitions(define + uses)) == most
    error = refusal(lambda: definitions.expand_definitions(define + uses + r"\b"))
    assert (error.code, error.span[0]) == ("too-long", len(uses))
    assert f"{most:,}" in error.hint


def test_a_macro_that_never_ends() -> None:
    for endless in (r"\def\a{\a}\a", r"\def\a{\b}\def\b{\a\a}\a", r"\newcommand{\a}[1]{\a{#1#1}}\a{x}"):
        assert refusal(lambda text=endless: texlift.load().translate(text)).code == "too-long"


# Readings: see also test_readings_promises.py


def test_an_answer_says_that_readings_were_left_out() -> None:
    answer = texlift.load().translate("|x" * 1500)
    assert AMBIGUOUS in answer.warnings
    assert AMBIGUOUS not in texlift.load().translate("|x" * 15).warnings


# Expansion


def test_characters_of_an_expansion() -> None:
    levels = 7
    most = expansion.MAX_OUTPUT
    assert most % 2**levels == 0
    expander = Expander(Grammar([Rule(r"\Twice@{#1}", "#1#1", 1)]), with_lexicon=False)

    def doubled(inner: str) -> str:
        return r"\Twice@{" * levels + inner + "}" * levels

    assert len(expander.expand(doubled("x" * (most >> levels)))) == most
    error = refusal(lambda: expander.expand(doubled("x" * ((most >> levels) + 1))))
    assert error.code == "too-long"
    assert error.span[0] < len(doubled(""))


# The command line


def bounds(module: ModuleType, command: str, option: str) -> tuple[Any, Any]:
    """The least and the largest value of an option."""
    default = inspect.signature(getattr(module, command)).parameters[option].default
    return default.min, default.max


def run(*arguments: str, given: str = "") -> tuple[int, list[dict[str, Any]], str]:
    result = CliRunner().invoke(app, list(arguments), input=given)
    answers = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, answers, result.output


def test_alternatives() -> None:
    _, most = bounds(cli_translate, "translate", "alternatives")
    line = json.dumps({"latex": r"e^{i\pi}P_n(x)K(k)E(k)"}) + "\n"
    code, (answer,), _ = run("translate", "--jsonl", "-k", str(most), given=line)
    assert code == 0
    assert 3 < len(answer["alternatives"]) <= most
    code, answers, output = run("translate", "--jsonl", "-k", str(most + 1), given=line)
    assert (code, answers) == (2, [])
    assert "-k" in output


@pytest.mark.parametrize(
    ("module", "command"),
    [(cli_translate, "translate"), (cli_expand, "expand"), (cli_check, "check"), (cli_document, "document")],
)
def test_jobs(module: ModuleType, command: str) -> None:
    least, most = bounds(module, command, "jobs")
    for jobs in (least - 1, most + 1):
        code, _, output = run(command, "--jobs", str(jobs), "x")
        assert code == 2
        assert "--jobs" in output


def test_bytes_of_a_line() -> None:
    def line(length: int) -> str:
        short = json.dumps({"latex": r"\Gamma(z)", "id": "a"})
        return short[:-1] + " " * (length - len(short)) + "}\n"

    assert len(line(lines.MAX_LINE)) == lines.MAX_LINE + 1
    given = line(lines.MAX_LINE) + line(lines.MAX_LINE + 1) + line(100)
    code, answers, _ = run("translate", "--jsonl", given=given)
    assert code == 0
    assert [answer["semantic"] for answer in answers] == [r"\EulerGamma@{z}", None, r"\EulerGamma@{z}"]
    assert answers[1]["error"] == {"code": "input", "message": f"line 2 is longer than {lines.MAX_LINE:,} bytes"}


def test_a_formula_in_a_line_has_the_limit_of_a_formula() -> None:
    given = json.dumps({"latex": "x" * (preparation.MAX_FORMULA + 1)}) + "\n"
    _, (answer,), _ = run("translate", "--jsonl", given=given)
    assert answer["semantic"] is None
    assert (answer["error"]["code"], answer["error"]["position"]) == ("too-long", preparation.MAX_FORMULA)


# Checks


def test_seconds_of_a_check() -> None:
    endless = (
        r"\sum_{n=1}^{\infty}\sum_{m=1}^{\infty}\int_{0}^{\infty}\frac{\BesselJ{n}@{mt}}{n^{2}+m+t}\diff{t}=x\sin@@{x}"
    )
    verdict = worker.check(endless, seconds=0.5)
    assert verdict.verdict == "undecided"
    assert verdict.reason in ("takes too long", "no result within 0.5 seconds")
    assert worker.check(r"\sin@{-x}=-\sin@@{x}").verdict in TRUE
    least, _ = bounds(cli_check, "check", "seconds")
    code, _, output = run("check", "--seconds", str(least / 2), "x=x")
    assert code == 2
    assert "--seconds" in output


def test_bytes_of_a_check() -> None:
    """The limit holds for the whole worker: with too little of it, it does not even start."""
    (verdict,) = worker.check_all([worker.Task("x=x")], memory=worker.MEMORY)
    assert verdict.verdict in ("verified", "proved")
    with pytest.raises(TexliftError, match="does not start"):
        list(worker.check_all([worker.Task("x=x")], memory=worker.MEMORY // 150))


def test_terms_of_a_sum() -> None:
    from texlift.verify.operators import MAX_TERMS

    def verdict(last: int) -> worker.Verdict:
        return worker.check(rf"\sum_{{k=0}}^{{{last}}}k={last * (last + 1) // 2}")

    assert verdict(MAX_TERMS).verdict in TRUE
    above = verdict(MAX_TERMS + 1)
    assert above.verdict == "undecided"
    assert "too many terms" in above.reason


# Documents


def test_bytes_of_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 1000)  # fifty megabytes would be written and read
    path = tmp_path / "paper.tex"
    path.write_text("x" * 1000, "utf-8")
    assert source.read_source(path, None).text == "x" * 1000
    path.write_text("x" * 1001, "utf-8")
    with pytest.raises(TexliftError, match="1,001 bytes, more than the limit of 1,000"):
        source.read_source(path, None)


def test_levels_of_included_files(tmp_path: Path) -> None:
    deepest = document._DEEPEST
    for level in range(deepest + 3):
        (tmp_path / f"p{level}.tex").write_text(rf"$x_{{{level}}}$ \input{{p{level + 1}}}", "utf-8")
    found = document.read_document(tmp_path / "p0.tex")
    assert len(found.files) == deepest + 1
    (problem,) = found.problems
    assert problem.path == f"p{deepest}.tex"
    assert str(deepest) in problem.message


def test_bytes_of_a_file_of_choices(tmp_path: Path) -> None:
    most = choices._LARGEST
    path = tmp_path / "texlift.toml"
    path.write_text("#" * (most - 1) + "\n", "utf-8")
    assert choices.read_choices(path) == choices.Choices()
    path.write_text("#" * most + "\n", "utf-8")
    with pytest.raises(TexliftError, match=f"larger than {most:,} bytes"):
        choices.read_choices(path)
