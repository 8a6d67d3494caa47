"""The report on a document: what was changed, what is in doubt, and what each symbol means.

The page stands alone: styles are inside, math is MathML, filters are plain HTML and CSS; there are no scripts and
nothing is loaded from elsewhere. Formulae that were left as they are and raise no question are not in it, and equal
changes stand there once with all their places, so that the report on a book stays small.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator
from importlib.resources import files

from texlift.documents.formula import STATES, Lifted
from texlift.documents.lifting import Outcome
from texlift.documents.mathml import render
from texlift.documents.notation import Entry, notation, notation_json
from texlift.documents.review import Change, changes, drawn, spoken, standard

__all__ = ["LARGEST", "report_html", "report_json"]

LARGEST = 1_900_000
"""Bytes of a page, apart from its frame; what does not fit is counted and left to the report in JSON."""

_MARKS = {"translated": "✓", "plain": "·", "uncertain": "?", "conflict": "!", "rejected": "–", "broken": "✗"}
_VERDICTS = {
    "verified": "✓ verified",
    "proved": "✓ proved",
    "refuted": "✗ fails numerically",
    "undecided": "? undecided",
}
_FILTERS = {
    "all": "everything",
    "translated": "changed",
    "uncertain": "uncertain",
    "partly": "partly changed",
    "conflict": "conflicting",
    "refuted": "fails numerically",
    "broken": "broken",
}
_MOST_PLACES = 12
_MOST_SPOKEN = 300  # with more changes, those that are sure stand there without words and without a second picture
_SURE = 0.95
_ROOM_FOR_NOTATION = 400_000


def report_json(outcome: Outcome) -> str:
    """The report as JSON, for programs: all formulae."""
    return json.dumps(
        {
            "files": [str(source.path) for source in outcome.document.files],
            "counts": outcome.counts,
            "problems": [str(problem) for problem in outcome.document.problems],
            "notation": notation_json(notation(outcome)),
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
    hidden = "".join(
        f"#show-{name}:checked ~ main article:not(.{name}) {{ display: none; }}\n" for name in _FILTERS if name != "all"
    )
    body = "".join(_body(outcome, title))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{html.escape(_safe(title))}: texlift report</title>\n<style>\n{style}{hidden}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def _body(outcome: Outcome, title: str) -> Iterator[str]:
    counts = outcome.counts
    yield f"<header><h1>{html.escape(_safe(title))}</h1>\n<p>{len(outcome.lifted):,} formulae</p>\n<dl class=counts>\n"
    for state, meaning in STATES.items():
        if counts.get(state):
            yield f'<div class="{state}"><dt>{state}</dt><dd>{counts[state]:,}</dd><dd>{meaning}</dd></div>\n'
    yield "</dl></header>\n"
    if outcome.document.problems:
        yield "<section><h2>Problems</h2><ul>"
        yield from (f"<li>{html.escape(_safe(str(problem)))}</li>" for problem in outcome.document.problems[:200])
        yield "</ul></section>\n"
    yield from _notation(notation(outcome))
    groups = changes(outcome)
    present = {name for change in groups for name in change.classes}
    yield "<h2>Changes and doubts</h2>\n<p class=filters>show </p>\n"
    for name, label in _FILTERS.items():
        if name == "all" or name in present:
            checked = " checked" if name == "all" else ""
            yield f'<input type=radio name=show id="show-{name}"{checked}><label for="show-{name}">{label}</label>\n'
    yield "<main>\n"
    room = LARGEST - _ROOM_FOR_NOTATION
    heading = None
    for number, change in enumerate(groups):
        place = change.heading
        piece = "".join(_change(outcome, change, len(groups) <= _MOST_SPOKEN or change.first.confidence < _SURE))
        if place != heading:
            heading = place
            piece = (f"<h3>{html.escape(_safe(place))}</h3>\n" if place else "") + piece
        room -= len(piece.encode("utf-8", "replace"))
        if room < 0:
            yield f"<p class=message>{len(groups) - number:,} more do not fit here: see --report FILE.json</p>\n"
            break
        yield piece
    yield "</main>\n"


def _notation(entries: list[Entry]) -> Iterator[str]:
    if not entries:
        return
    yield (
        "<section id=notation><h2>Notation</h2>\n<p>To accept, veto or correct a symbol for the whole document, edit "
        "the file that <code>--notation texlift.toml</code> writes.</p>\n<table><tr><th>symbol<th>meaning<th>macro"
        "<th>role<th>type<th>introduced<th>places<th>lifted<th>confidence<th>or</tr>\n"
    )
    room = _ROOM_FOR_NOTATION
    for number, entry in enumerate(entries):
        meaning = html.escape(_safe(entry.meaning)) + (" (your macro)" if entry.own else "")
        shown = ", ".join(f"{name}:{line}" for name, line in entry.places[:_MOST_PLACES])
        more = f" and {entry.count - _MOST_PLACES:,} more" if entry.count > _MOST_PLACES else ""
        row = (
            f'<tr class="{"uncertain" if entry.doubtful else "translated"}"><td>{render(entry.example, False)}'
            f"<td>{meaning}<td><code>{html.escape(entry.macro)}</code><td>{html.escape(entry.role)}"
            f"<td>{html.escape(_safe(entry.kind))}<td>{html.escape(_safe('{}:{}'.format(*entry.introduced)))}"
            f"<td><details><summary>{entry.count:,}</summary>{html.escape(_safe(shown + more))}</details>"
            f"<td>{entry.lifted:,}<td>{entry.confidence:.0%}"
            f"<td><code>{html.escape(' '.join(entry.others))}</code></tr>\n"
        )
        room -= len(row)
        if room < 0:
            yield f"<tr><td>{len(entries) - number:,} more</tr>\n"
            break
        yield row
    yield "</table></section>\n"


def _change(outcome: Outcome, change: Change, spelt_out: bool) -> Iterable[str]:
    item = change.first
    formula = item.formula
    places = ", ".join(shown := change.places(outcome))
    if len(change.items) > len(shown):
        places += f" and {len(change.items) - len(shown):,} more"
    yield f'<article id="c{item.change}" class="{" ".join(change.classes)}">\n'
    yield f"<p class=place>{html.escape(_safe(places))} <span class=state>{_MARKS[item.state]} {item.state}</span>"
    if item.state != "broken":
        yield f" <span class=confidence>{item.confidence:.1%}</span>"
    if item.verdict is not None:
        word = item.verdict.verdict
        yield f' <span class="verdict {word}">{_VERDICTS.get(word, word)}</span>'
    if item.state == "translated":
        yield f" <code class=change>{item.change}</code>"
    yield f"</p>\n<div class=sides><div><div class=math>{render(drawn(item))}</div>"
    yield f"<pre>{html.escape(_safe(formula.latex))}</pre></div>\n"
    if item.state == "translated":
        printed = standard(item) if spelt_out else ""
        yield f"<div><div class=math>{render(printed)}</div>" if printed else "<div>"
        yield f"<pre class=semantic>{html.escape(_safe(item.written))}</pre>"
        if spelt_out and (words := spoken(item.asserted)):
            yield f"<p class=words>{html.escape(_safe(words))}</p>"
        yield f"{_meanings(item)}</div>"
    elif item.semantic != formula.latex:
        yield f"<div><pre class=semantic>{html.escape(_safe(item.semantic))}</pre>{_meanings(item)}</div>"
    yield "</div>\n"
    messages = change.notes
    if item.verdict is not None and (item.verdict.reason or item.verdict.counterexample):
        example = item.verdict.counterexample
        messages.append(item.verdict.reason + (f" {json.dumps(example, ensure_ascii=False)}" if example else ""))
    yield from (f"<p class=message>{html.escape(_safe(message))}</p>\n" for message in messages)
    if item.code:
        yield f"<pre class=code>{html.escape(_safe(item.code))}</pre>\n"
    yield "</article>\n"


def _meanings(item: Lifted) -> str:
    """What was read, once each, with what competed."""
    found: dict[str, str] = {}
    for decision in item.decisions:
        if decision.macro and decision.macro not in found:
            meaning = html.escape(decision.meaning)
            if decision.url.startswith("https://"):
                meaning = f'<a href="{html.escape(decision.url)}" rel="noreferrer">{meaning}</a>'
            others = [
                f"{o.macro or 'unchanged'} {o.probability:.0%}" for o in decision.competing[:2] if o.probability > 0.01
            ]
            doubt = f" {decision.probability:.0%}" if decision.probability < 0.995 else ""
            otherwise = f", or {html.escape(', '.join(others))}" if others else ""
            found[decision.macro] = f"<code>{html.escape(decision.macro)}</code> {meaning}{doubt}{otherwise}"
    return f"<p class=meanings>{'; '.join(found.values())}</p>" if found else ""


def _safe(text: str) -> str:
    """Text without characters that an HTML page cannot have."""
    return "".join(
        char if char in "\n\t" or (char >= " " and not "\ud800" <= char <= "\udfff") else "�" for char in text
    )
