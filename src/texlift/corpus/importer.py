"""Importer for the text blocks of the public math-dlmf-dataset (A. Youssef), and for pairs kept the same way.

A file is a sequence of blocks, one per expression, with a blank line (or a line of dashes or equals signs)
between them. A block is a sequence of lines `key: value`:

    id: C5.S2.E1
    section: 5.2
    chapter: Gamma Function
    title: Definitions
    sentence: Euler's integral is
    presentation: $\\Gamma\\left(z\\right)=\\int_{0}^{\\infty}e^{-t}t^{z-1}\\mathrm{d}t$,
    content: $\\EulerGamma@{z}=\\int_{0}^{\\infty}\\expe^{-t}t^{z-1}\\diff{t}$,
    constraint: $\\Re z>0$ ||| $\\realpart@@{z}>0$
    symbol: \\Gamma(z) ||| \\EulerGamma@{\\NVar{z}} ||| gamma function
    defines: z ||| z ||| complex variable

- A line that begins with white space continues the value above it. A line that begins with `#` is a comment.
- Keys are read without regard to case, blanks, hyphens and underscores; the names in `KEYS` are known, others
  are skipped. `constraint`, `symbol` and `defines` may come several times; their parts are separated by `|||`
  (or a tab). A constraint or symbol without a semantic part is its own semantic form.
- Only the two sides of the formula are needed. Without an id a block is called after its file and line;
  section and kind are taken from an id like `C5.S2.E1` (section 5.2, an equation) if they are not given.
- From formulae are removed: dollars and other math delimiters, trailing punctuation, spaces that TeX ignores.

A block that cannot be read is reported with file and line and left out; the rest is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from texlift.corpus.jsonl import MAX_LINE
from texlift.corpus.pair import KINDS, Constraint, Pair, Symbol
from texlift.errors import FormulaError, TexliftError
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures

__all__ = ["KEYS", "Import", "Problem", "clean_formula", "import_blocks", "read_blocks"]

KEYS = {
    "id": "id xmlid label name equationid",
    "kind": "kind type",
    "section": "section sectionnumber number",
    "generic": "generic genericlatex presentation presentationlatex latex tex plainlatex",
    "semantic": "semantic semanticlatex content contentlatex slatex stex",
    "chapter": "chapter chaptertitle",
    "title": "title sectiontitle",
    "subsection": "subsection subsectiontitle",
    "paragraph": "paragraph paragraphtitle",
    "sentence": "sentence context text words",
    "constraint": "constraint constraints condition conditions",
    "symbol": "symbol symbols uses used",
    "defines": "defines defined definition",
}
"""The keys of a block and the names under which each is known."""

_FIELD_OF = {alias: key for key, aliases in KEYS.items() for alias in aliases.split()}
_CONTEXT = {"chapter": "chapter", "title": "section", "subsection": "subsection", "paragraph": "paragraph"}
_KEY_LINE = re.compile(r"([A-Za-z][A-Za-z0-9 _-]{0,39}?)\s*:(?:\s+|$)")
_RULE = re.compile(r"[-=]{3,}\s*$")
_DLMF_ID = re.compile(r"C(\d+)\.S([0-9A-Za-z]+)\b")
_PUNCTUATION = frozenset(".,;:")
_SPACES = frozenset({r"\,", r"\;", r"\:", r"\!", r"\>", "\\ ", r"\quad", r"\qquad", r"\*", "~"})
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
_TAKES_TEXT = frozenset("trO")


@dataclass(frozen=True, slots=True)
class Problem:
    """A block that was left out, and why."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Import:
    """What came out of one or several files."""

    pairs: list[Pair]
    problems: list[Problem]
    blocks: int


@dataclass(slots=True)
class _Block:
    """The lines of one block, gathered: key -> values, each with its line and its continuations."""

    line: int
    values: dict[str, list[tuple[int, list[str]]]]
    problem: tuple[int, str] | None = None

    def all(self, key: str) -> list[tuple[int, str]]:
        return [(line, " ".join(parts)) for line, parts in self.values.get(key, [])]

    def first(self, key: str) -> str:
        return " ".join(self.values[key][0][1]) if key in self.values else ""


class _BlockError(TexliftError):
    """What is wrong in a block, at one of its lines."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def import_blocks(paths: Iterable[Path | str], with_constraints: bool = True) -> Import:
    """Import all blocks of the files; with constraints as pairs of kind `constraint` of their own.

    Raises TexliftError for a file that cannot be opened; everything else becomes a Problem.
    """
    pairs: list[Pair] = []
    problems: list[Problem] = []
    blocks = 0
    for path in map(Path, paths):
        for item in read_blocks(path):
            blocks += 1
            if isinstance(item, Problem):
                problems.append(item)
                continue
            pairs.append(item)
            if with_constraints:
                pairs += _constraint_pairs(item)
    return Import(pairs, problems, blocks)


def read_blocks(path: Path | str) -> Iterator[Pair | Problem]:
    """One pair or one problem for each block of a file."""
    path = Path(path)
    for block in _blocks(path):
        try:
            yield _pair(path, block)
        except _BlockError as error:
            yield Problem(path, error.line, str(error))


def clean_formula(formula: str) -> str:
    """A formula without math delimiters, trailing punctuation and spaces that TeX ignores.

    Raises FormulaError where it is not a formula.
    """
    formula = formula.strip()
    tail = ""
    while formula and formula[-1] in ".,;" and formula[:1] in "$\\" and not formula.endswith(("\\,", "\\;", "\\.")):
        formula, tail = formula[:-1].rstrip(), formula[-1] + tail  # punctuation behind the closing dollar
    for opener, closer in _DELIMITERS:
        if formula.startswith(opener) and formula.endswith(closer) and len(formula) >= len(opener) + len(closer):
            formula, tail = formula[len(opener) : -len(closer)], ""
            break
    tokens = tokenize(formula + tail)
    count = _without_punctuation(tokens)
    text = "".join(_compact(tokens, count))
    parse(text)
    return text


# -- blocks ----------------------------------------------------------------------------------------------


def _blocks(path: Path) -> Iterator[_Block]:
    try:
        stream = path.open("rb")
    except OSError as error:
        raise TexliftError(f"cannot read {path}: {error.strerror}") from error
    block: _Block | None = None
    key = ""
    with stream:
        number = 0
        while raw := stream.readline(MAX_LINE + 1):
            number += 1
            line, problem = _decode(raw)
            if (not line.strip() and not problem) or _RULE.match(line):
                if block is not None:
                    yield block
                block = None
                continue
            if line.startswith("#"):
                continue
            if block is None:
                block, key = _Block(number, {}), ""
            match = _KEY_LINE.match(line)
            if problem:
                block.problem = block.problem or (number, problem)
            elif line[0] in " \t" and key:
                block.values[key][-1][1].append(line.strip())
            elif match:
                key = _FIELD_OF.get(re.sub(r"[ _-]", "", match[1]).lower(), f"?{match[1]}")
                block.values.setdefault(key, []).append((number, [line[match.end() :].strip()]))
            else:
                block.problem = block.problem or (number, f"neither `key: value` nor a continuation: {line[:60]!r}")
    if block is not None:
        yield block


def _decode(raw: bytes) -> tuple[str, str]:
    """(line, problem)"""
    if len(raw) > MAX_LINE:
        return "", f"line is longer than {MAX_LINE:,} bytes"
    try:
        return raw.decode("utf-8-sig").rstrip("\r\n"), ""
    except UnicodeDecodeError as error:
        return "", f"not UTF-8 at byte {error.start}"


def _pair(path: Path, block: _Block) -> Pair:
    if block.problem:
        raise _BlockError(*block.problem)
    for side in ("generic", "semantic"):
        if side not in block.values:
            raise _BlockError(block.line, f"no {side} side: one of the keys {', '.join(KEYS[side].split()[:4])}")
    name = block.first("id") or f"{path.stem}:{block.line}"
    dlmf = _DLMF_ID.match(name)
    kind = block.first("kind").lower() or ("equation" if re.search(r"\.E\d+\w*$", name) else "expression")
    if kind not in KINDS:
        raise _BlockError(block.values["kind"][0][0], f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    context = {name: block.first(key) for key, name in _CONTEXT.items() if block.first(key)}
    if block.first("sentence"):
        context["sentence"] = " ".join(value for _, value in block.all("sentence"))
    return Pair(
        id=name,
        generic=_formula(*block.all("generic")[0]),
        semantic=_formula(*block.all("semantic")[0]),
        context=context,
        kind=kind,
        section=block.first("section") or (f"{dlmf[1]}.{dlmf[2]}" if dlmf else ""),
        constraints=tuple(
            Constraint(_formula(line, parts[0]), _formula(line, parts[1] if len(parts) > 1 else parts[0]))
            for line, parts in _parts(block, "constraint")
        ),
        symbols=tuple(
            Symbol(
                _formula(line, parts[0]),
                _formula(line, parts[1] if len(parts) > 1 else parts[0]),
                parts[2] if len(parts) > 2 else "",
                role,
            )
            for key, role in (("symbol", "used"), ("defines", "defined"))
            for line, parts in _parts(block, key)
        ),
    )


def _parts(block: _Block, key: str) -> Iterator[tuple[int, list[str]]]:
    for line, value in block.all(key):
        if value:
            yield line, [part.strip() for part in re.split(r"\|\|\||\t", value)]


def _formula(line: int, value: str) -> str:
    try:
        formula = clean_formula(value)
    except FormulaError as error:
        raise _BlockError(line, f"not a formula: {error.message}\n{error.excerpt()}") from error
    if not formula:
        raise _BlockError(line, "the formula is empty")
    return formula


def _constraint_pairs(pair: Pair) -> list[Pair]:
    return [
        Pair(f"{pair.id}.c{index}", c.generic, c.semantic, pair.context, "constraint", pair.section)
        for index, c in enumerate(pair.constraints, 1)
    ]


# -- formulae --------------------------------------------------------------------------------------------


def _without_punctuation(tokens: Tokens) -> int:
    """How many tokens stay; the point of `\\right.` is a delimiter and stays."""
    count = len(tokens)
    while count and (tokens.texts[count - 1] in _PUNCTUATION or tokens.texts[count - 1] in _SPACES):
        if count > 1 and tokens.texts[count - 2] in (r"\right", r"\left", r"\middle"):
            break
        count -= 1
    return count


def _compact(tokens: Tokens, count: int) -> Iterator[str]:
    """The first `count` tokens without the gaps TeX ignores; text arguments are copied as they are."""
    commands = generic_signatures().commands
    verbatim = 0  # depth of braces within a text argument
    starting = False
    for index in range(count):
        text = tokens.texts[index]
        if verbatim or (starting and text != "{"):
            yield re.sub(r"\s+", " ", tokens.gap(index))
        elif index and text[0].isalpha() and tokens.texts[index - 1][1:].isalpha():
            yield " "
        yield text
        if text == "{" and (verbatim or starting):
            verbatim += 1
        elif text == "}" and verbatim:
            verbatim -= 1
        starting = not verbatim and bool(_TAKES_TEXT & set(commands.get(text, "")))
