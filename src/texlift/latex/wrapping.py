r"""The bare formula in what people paste: without dollars, display environments, labels and the sentence's full stop.

    $x^2$   $$x^2$$   \(x^2\)   \[x^2\]   \begin{equation}x^2\label{a}\end{equation}   x^2.      all are x^2

Used wherever a person or a program hands over a single formula. Documents do without: there the wrapping belongs to
the text and must stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from texlift.errors import FormulaError
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.shifted import spelled_out

__all__ = ["unwrapped"]

_PAIRS: Final = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
_ONE_FORMULA: Final = frozenset(("equation", "displaymath", "math", "dmath", "multline"))  # their rows are one formula
_ROWS: Final = frozenset(("align", "gather", "eqnarray", "flalign", "alignat"))  # each of their rows is one
_ANCHORS: Final = {r"\label": 1, r"\tag": 1, r"\tag*": 1, r"\nonumber": 0, r"\notag": 0}
_SPACES: Final = frozenset((r"\,", r"\;", r"\:", r"\!", r"\ ", "~", r"\quad", r"\qquad", r"\\"))
_PUNCTUATION: Final = frozenset(".,;")
_TEXTS: Final = frozenset((r"\text", r"\mbox", r"\hbox", r"\textrm"))
_SIZED: Final = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)")
# what a bare formula does not contain; this test settles most cases
_WRAPPED = re.compile(
    r"\$|\A\s*\\(?:[(\[]|begin\b)|\\(?:label|tag|nonumber|notag)(?![A-Za-z])|(?:[.,;]|[.,;]\s*\}|\\\\)\s*\Z"
)
_BEGIN = re.compile(r"\s*\\begin\s*\{([A-Za-z]+)\*?\}")


def unwrapped(latex: str) -> str:
    """The formula without what only puts it into a text.

    Raises FormulaError where nothing is left, or where it is no text that TeX would read.
    """
    latex = spelled_out(latex)
    if _WRAPPED.search(latex):
        bare = latex.strip()
        while (inner := _without_punctuation(_without_anchors(_inside(bare))).strip()) != bare:
            bare = inner
        latex = bare
    if not latex or latex.isspace():
        raise FormulaError("the formula is empty", latex, (0, len(latex)), r"write LaTeX, for example x^2", "empty")
    return latex


def _inside(latex: str) -> str:
    """What stands between the outermost dollars, brackets or `\\begin` and `\\end`."""
    for opener, closer in _PAIRS:
        inside = latex[len(opener) : -len(closer)]
        if latex.startswith(opener) and latex.endswith(closer) and len(latex) >= len(opener) + len(closer):
            mark = inside.replace(r"\$", "") if opener[0] == "$" else inside
            return latex if opener in mark or closer in mark else inside
    begin = _BEGIN.match(latex)
    if begin is None or begin[1] not in _ONE_FORMULA | _ROWS:
        return latex
    end = re.compile(rf"\\end\s*\{{{begin[1]}\*?\}}\s*\Z").search(latex, begin.end())
    return latex if end is None else _environment(begin[1], latex, latex[begin.end() : end.start()])


def _environment(name: str, latex: str, body: str) -> str:
    """The formula in the body of an environment; several formulae stay in theirs."""
    if name == "alignat":
        body = re.sub(r"\A\s*\{\d*\}", "", body)
    tokens = tokenize(body)
    breaks, columns = [], []
    depth = 0
    for index, text in enumerate(tokens.texts):
        depth += (text in ("{", r"\begin")) - (text in ("}", r"\end"))
        if depth == 0 and text == r"\\":
            breaks.append(index)
        elif depth == 0 and text == "&":
            columns.append(index)
    while breaks and breaks[-1] == len(tokens) - 1:
        breaks.pop()  # a break behind the last row
    if breaks and name in _ROWS:
        return latex
    return _without(tokens, [(index, index + 1) for index in sorted(breaks + columns)])


def _without_anchors(latex: str) -> str:
    """The formula without labels and tags."""
    if not any(name in latex for name in _ANCHORS):
        return latex
    tokens = tokenize(latex)
    gone = []
    index = 0
    while index < len(tokens):
        first, arguments = index, _ANCHORS.get(tokens.texts[index])
        index += 1
        if arguments is not None:
            index = _behind_group(tokens, index) if arguments else index
            gone.append((first, index))
    return _without(tokens, gone)


def _behind_group(tokens: Tokens, index: int) -> int:
    """The index behind the group, or the one token, at `index`."""
    depth = 0
    while index < len(tokens):
        depth += (tokens.texts[index] == "{") - (tokens.texts[index] == "}")
        index += 1
        if depth <= 0:
            break
    return index


def _without(tokens: Tokens, ranges: Sequence[tuple[int, int]]) -> str:
    """The source without some ranges of tokens."""
    kept, at = [], 0
    for first, behind in ranges:
        kept.append(tokens.source[at : tokens.starts[first]])
        at = tokens.end(behind - 1)
    kept.append(tokens.source[at:])
    return " ".join(piece for piece in kept if piece.strip()) if ranges else tokens.source


def _without_punctuation(latex: str) -> str:
    """The formula without the full stop or comma of the sentence, and without spaces before and breaks behind it."""
    tokens = tokenize(latex)
    texts = tokens.texts
    count = len(texts)
    while count and texts[count - 1] == r"\\":
        count -= 1
    last = _before_punctuation(texts, count)
    if last < count:
        while last and texts[last - 1] in _SPACES:
            last -= 1
    if last == 0 or last == len(texts):
        return latex
    return latex[: tokens.end(last - 1)]


def _before_punctuation(texts: Sequence[str], count: int) -> int:
    """How many tokens stand before the mark that ends a sentence; `count` where none does."""
    if count >= 4 and texts[count - 4] in _TEXTS and "".join(texts[count - 3 : count]) in ("{.}", "{,}", "{;}"):
        return count - 4  # `\\text{.}`
    if count < 2 or texts[count - 1] not in _PUNCTUATION:
        return count
    before = texts[count - 2]
    return count if before == "." or _SIZED.fullmatch(before) else count - 1  # `1, 2, ...` and `\right.`
