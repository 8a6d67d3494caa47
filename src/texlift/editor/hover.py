"""What an editor shows beside the pointer: the meaning of the symbol under it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsprotocol import types

from texlift.documents.choices import FILE_NAME, symbol_of
from texlift.documents.formula import Lifted
from texlift.editor.analysis import Analysis
from texlift.editor.introductions import introduced, symbol_key
from texlift.errors import FormulaError
from texlift.translate.answer import Decision, Reading

__all__ = ["Token", "code", "hover", "percent", "token_at"]

_TOKEN = re.compile(
    r"\\(?:text|mbox|operatorname|label|tag|ref|eqref|cite|mathrm|textrm|begin|end)\*?\s*\{[^{}]*\}"
    r"|(?P<letter>\\(?:mathbf|mathbb|mathcal|mathfrak|mathsf|mathscr|boldsymbol|bm|vec|hat|widehat|tilde|bar|overline)"
    r"\s*\{\s*\\?[A-Za-z]+\s*\}|\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi"
    r"|rho|sigma|tau|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|ell)"
    r"(?![A-Za-z])|(?<!\\)[A-Za-z])|\\[A-Za-z]+|\\.|%[^\n]*|.",
    re.DOTALL,
)
_MOST_READINGS = 5
_MOST_DECISIONS = 10
_LONGEST = 200  # characters of the document that are quoted
_FAINT = 0.001  # readings less likely than that are not shown


@dataclass(frozen=True, slots=True)
class Token:
    """A symbol of a formula; `span` counts from the start of the formula."""

    text: str
    span: tuple[int, int]
    is_letter: bool


def token_at(latex: str, place: int) -> Token | None:
    """The symbol at a place of a formula, the one before it where the formula ends."""
    last = None
    for match in _TOKEN.finditer(latex):
        last = Token(match[0], match.span(), match["letter"] is not None)
        if match.end() > place:
            return last
    return last


def hover(analysis: Analysis, offset: int) -> types.Hover | None:
    """What to show at an offset of the text; nothing outside of mathematics."""
    item = analysis.at(offset)
    if item is None:
        return None
    if item.state == "broken":
        return _shown(analysis, analysis.span(item), [f"Not read: {_plain(item.message)}"])
    token = token_at(item.formula.latex, offset - analysis.span(item)[0])
    if not analysis.is_mapped(item):
        said = _said(token.text, analysis, offset) if token is not None and token.is_letter else []
        return _shown(analysis, analysis.span(item), said + (_whole(item) if item.decisions or not said else []))
    decision = analysis.decision_at(item, offset)
    starts_here = decision is not None and token is not None and decision.span[0] == token.span[0]
    if decision is not None and (starts_here or token is None or not token.is_letter):
        return _shown(analysis, analysis.span(item, decision.span), _described(decision, analysis, item))
    if token is None or not token.is_letter:
        return None
    parts = _letter(token.text, analysis, offset)
    if decision is not None and decision.macro:
        parts.append(f"Stands in {code(decision.source)}: {_meaning(decision)}")
    return _shown(analysis, analysis.span(item, token.span), parts)


def _shown(analysis: Analysis, span: tuple[int, int], parts: list[str]) -> types.Hover:
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts))
    return types.Hover(content, analysis.lines.range(*span))


def _described(decision: Decision, analysis: Analysis, item: Lifted) -> list[str]:
    """Meaning, probability, alternatives of one decision, and what the text says about its symbol."""
    head = [f"{code(decision.source)}: a plain symbol"]
    if decision.macro:
        head = [f"**{_meaning(decision)}**", code(decision.call)]
    parts = ["  \n".join([*head, f"probability {percent(decision.probability)}"])]
    if item.state in ("uncertain", "conflict"):
        parts.append(f"The formula is left alone: {_plain(item.message)}")
    likely = [reading for reading in decision.competing if reading.probability >= _FAINT][:_MOST_READINGS]
    if likely:
        parts.append("\n".join(["Other readings:\n", *(f"- {_reading(reading)}" for reading in likely)]))
    parts += _said(_symbol(decision), analysis, analysis.span(item, decision.span)[0])
    return parts


def _letter(written: str, analysis: Analysis, offset: int) -> list[str]:
    said = _said(written, analysis, offset)
    return said or [f"{code(written)}: a letter; the text does not say what it is"]


def _said(written: str, analysis: Analysis, offset: int) -> list[str]:
    """What the author and the text say about a symbol: role, type, where it is introduced."""
    parts = []
    if _label(written) in analysis.choices.fixed:
        macro = analysis.choices.fixed[_label(written)]
        parts.append(f"{code(written)} is {code(macro) if macro else 'a plain symbol'}: chosen in {FILE_NAME}")
    place = introduced(analysis.introduced.get(symbol_key(written), ()), offset - analysis.shift)
    if place is not None:
        if place.declared is not None:
            traits = ", ".join(sorted(place.declared.traits))
            parts.append(f"{code(written)}: {place.declared.role}" + (f", {traits}" if traits else ""))
        line = analysis.lines.line_of(place.start + analysis.shift)
        parts.append(f"Introduced in line {line}: {code(place.phrase)}")
    return parts


def _whole(item: Lifted) -> list[str]:
    """All decisions of a formula: where the author's macros were written out, places are not those of the text."""
    if not item.decisions:
        return ["No function texlift knows is in this formula"]
    rows = [
        f"- {code(decision.source)}: {_meaning(decision)}, {percent(decision.probability)}"
        for decision in item.decisions[:_MOST_DECISIONS]
    ]
    more = len(item.decisions) - len(rows)
    return ["\n".join(["In this formula, your macros written out:\n", *rows])] + ([f"and {more} more"] if more else [])


def _meaning(decision: Decision) -> str:
    text = _plain(decision.meaning or decision.macro)
    return f"[{text}]({decision.url})" if decision.url else text


def _reading(reading: Reading) -> str:
    what = f"{_plain(reading.meaning)} {code(reading.macro)}" if reading.macro else "a plain symbol"
    return f"{what}, {percent(reading.probability)}"


def percent(probability: float) -> str:
    """A probability for people; what is not certain is neither 100 % nor 0 %."""
    if probability < 0.001:
        return "under 0.1 %"
    return "over 99.9 %" if probability > 0.999 else f"{100 * probability:.1f} %"


def code(text: str) -> str:
    """Text of the document, quoted so that nothing in it acts as Markdown."""
    text = " ".join(text.split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", " ".join(text.split())[: 2 * _LONGEST])


def _symbol(decision: Decision) -> str:
    token = token_at(decision.source, 0)
    return token.text if token is not None else ""


def _label(written: str) -> str:
    try:
        return symbol_of(written)
    except FormulaError:
        return ""
