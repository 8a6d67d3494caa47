"""The report on a document: one page with every formula, its translation, alternatives and verdict.

The page stands alone: styles are inside, math is MathML, there are no scripts and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from importlib.resources import files

from texlift.documents.formula import STATES, Lifted
from texlift.documents.lifting import Outcome
from texlift.documents.mathml import render

__all__ = ["report_html", "report_json"]

_MARKS = {"translated": "✓", "plain": "·", "uncertain": "?", "conflict": "!", "broken": "✗"}
_VERDICTS = {"verified": "✓ verified", "refuted": "✗ refuted", "undecided": "? undecided"}


def report_json(outcome: Outcome) -> str:
    """The report as JSON, for programs."""
    return json.dumps(
        {
            "files": [str(source.path) for source in outcome.document.files],
            "counts": outcome.counts,
            "problems": [str(problem) for problem in outcome.document.problems],
            "formulae": [
                {"file": outcome.document.path_of(item.formula).name, **item.as_dict()} for item in outcome.lifted
            ],
        },
        ensure_ascii=False,
        indent=1,
    )


def report_html(outcome: Outcome, title: str) -> str:
    """The report as a page of its own."""
    style = files("texlift.documents").joinpath("report.css").read_text("utf-8")
    body = "".join(_body(outcome, title))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{html.escape(title)}: texlift report</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def _body(outcome: Outcome, title: str) -> Iterable[str]:
    counts = outcome.counts
    yield f"<header><h1>{html.escape(title)}</h1>\n<p>{len(outcome.lifted):,} formulae</p>\n<dl class=counts>\n"
    for state, meaning in STATES.items():
        if counts.get(state):
            yield f'<div class="{state}"><dt>{state}</dt><dd>{counts[state]:,}</dd><dd>{meaning}</dd></div>\n'
    yield "</dl></header>\n<main>\n"
    if outcome.document.problems:
        yield "<section><h2>Problems</h2><ul>"
        yield from (f"<li>{html.escape(str(problem))}</li>" for problem in outcome.document.problems)
        yield "</ul></section>\n"
    alone = [item for item in outcome.lifted if item.state in ("uncertain", "conflict", "broken")]
    if alone:
        yield "<section><h2>Left alone</h2>\n<ul>\n"
        for item in alone:
            yield f"<li><a href='#{_anchor(outcome, item)}'>line {item.formula.line}</a>: "
            yield f"<code>{html.escape(_short(item.formula.latex))}</code>: {html.escape(item.message)}</li>\n"
        yield "</ul></section>\n"
    heading = None
    yield "<section><h2>All formulae</h2>\n"
    for item in outcome.lifted:
        context = item.formula.context
        place = " › ".join(context[level] for level in ("chapter", "section", "subsection") if context.get(level))
        if place != heading:
            heading = place
            if place:
                yield f"<h3>{html.escape(place)}</h3>\n"
        yield from _formula(outcome, item)
    yield "</section>\n</main>\n"


def _formula(outcome: Outcome, item: Lifted) -> Iterable[str]:
    formula = item.formula
    name = outcome.document.path_of(formula).name
    yield f'<article id="{_anchor(outcome, item)}" class="{item.state}">\n'
    state = f"<span class=state>{_MARKS[item.state]} {item.state}</span>"
    yield f"<p class=place>{html.escape(name)}:{formula.line} {state}"
    if item.state != "broken":
        yield f" <span class=confidence>{item.confidence:.1%}</span>"
    if item.verdict is not None:
        yield f' <span class="verdict {item.verdict.verdict}">{_VERDICTS[item.verdict.verdict]}</span>'
    yield f"</p>\n<div class=math>{render(formula.latex)}</div>\n<pre>{html.escape(formula.latex)}</pre>\n"
    if item.state != "plain" and item.semantic != formula.latex:
        yield f"<pre class=semantic>{html.escape(item.semantic)}</pre>\n"
    if item.message:
        yield f"<p class=message>{html.escape(item.message)}</p>\n"
    if item.code:
        yield f"<pre class=code>{html.escape(item.code)}</pre>\n"
    if item.code_error:
        yield f"<p class=message>no code: {html.escape(item.code_error)}</p>\n"
    if item.verdict is not None and (item.verdict.reason or item.verdict.counterexample):
        example = item.verdict.counterexample
        shown = f" {json.dumps(example, ensure_ascii=False)}" if example else ""
        yield f"<p class=message>{html.escape(item.verdict.reason + shown)}</p>\n"
    yield from _details(item)
    yield "</article>\n"


def _details(item: Lifted) -> Iterable[str]:
    if not item.decisions and not item.alternatives:
        return
    yield "<details><summary>decisions and alternatives</summary>\n"
    if item.decisions:
        yield "<table><tr><th>in the source<th>read as<th>meaning<th>probability<th>otherwise</tr>\n"
        for decision in item.decisions:
            meaning = html.escape(decision.meaning)
            if decision.url.startswith("https://"):
                meaning = f'<a href="{html.escape(decision.url)}" rel="noreferrer">{meaning}</a>'
            others = ", ".join(f"{o.macro or 'unchanged'} {o.probability:.1%}" for o in decision.competing[:3])
            yield (
                f"<tr><td><code>{html.escape(decision.source)}</code><td><code>{html.escape(decision.call)}</code>"
                f"<td>{meaning}<td>{decision.probability:.1%}<td>{html.escape(others)}</tr>\n"
            )
        yield "</table>\n"
    for semantic, confidence in item.alternatives:
        yield f"<pre>{html.escape(semantic)}</pre><p class=message>{confidence:.1%}</p>\n"
    yield "</details>\n"


def _anchor(outcome: Outcome, item: Lifted) -> str:
    return f"f{item.formula.part}-{item.formula.start}"


def _short(latex: str) -> str:
    latex = " ".join(latex.split())
    return latex if len(latex) <= 80 else latex[:79] + "…"
