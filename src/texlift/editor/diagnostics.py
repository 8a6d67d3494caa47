"""What an editor underlines: formulae that cannot be read, doubts, contradictions, refuted equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from lsprotocol import types

from texlift.documents.consistency import symbol_at
from texlift.documents.formula import Lifted
from texlift.editor.analysis import OPTIONS, Analysis
from texlift.editor.hover import percent
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical
from texlift.translate.answer import Decision
from texlift.verify.verdict import Verdict

__all__ = ["SOURCE", "diagnostics"]

SOURCE = "texlift"
_MOST = 500
_MOST_PLACES = 200  # of one symbol that are compared with each other
_MOST_READINGS = 3

_Place = tuple[Lifted, Decision]


def diagnostics(analysis: Analysis, uri: str, verdicts: Mapping[str, Verdict]) -> list[types.Diagnostic]:
    """All diagnostics of one version; `verdicts` has the equations that were checked on request."""
    return list(islice(_all(analysis, uri, verdicts), _MOST))


def _all(analysis: Analysis, uri: str, verdicts: Mapping[str, Verdict]) -> Iterator[types.Diagnostic]:
    for note in analysis.notes:
        yield _one(analysis, analysis.lines.line_span(0), types.DiagnosticSeverity.Warning, "document", note)
    for problem in analysis.problems:
        # problems count `\n` only
        span = analysis.lines.line_span(_line(analysis, problem.line))
        yield _one(analysis, span, types.DiagnosticSeverity.Error, "broken", problem.message)
    for item in analysis.lifted:
        verdict = verdicts.get(item.semantic)
        if verdict is not None and verdict.verdict == "refuted":
            yield _one(analysis, analysis.span(item), types.DiagnosticSeverity.Warning, "refuted", refutation(verdict))
        if item.state == "broken":
            yield _broken(analysis, item)
        elif item.state == "uncertain" or _is_doubted(item):
            yield _unsure(analysis, item)
        elif item.state == "conflict":
            yield _one(analysis, analysis.span(item), types.DiagnosticSeverity.Warning, "conflict", item.message)
    yield from _contradictions(analysis, uri)


def refutation(verdict: Verdict) -> str:
    """What a refuted equation fails at."""
    text = "fails numerically"
    if verdict.counterexample:
        example = verdict.counterexample
        point = ", ".join(f"{name} = {value}" for name, value in example["point"].items())
        text += f"{' at ' + point if point else ''}: left {example['left']}, right {example['right']}"
    return "; ".join(filter(None, [text, verdict.reason]))


def _one(
    analysis: Analysis, span: tuple[int, int], severity: types.DiagnosticSeverity, code: str, message: str
) -> types.Diagnostic:
    return types.Diagnostic(
        range=analysis.lines.range(*span), message=message[:1000], severity=severity, code=code, source=SOURCE
    )


def _line(analysis: Analysis, number: int) -> int:
    """The editor's line of a line that is counted, from 1, by line feeds alone."""
    at = -1
    for _ in range(number - 1):
        at = analysis.text.find("\n", at + 1)
    return analysis.lines.line_of(at + 1) - 1


def _broken(analysis: Analysis, item: Lifted) -> types.Diagnostic:
    """An error at its place; what is no mistake of the author (too long, an address) is only mentioned."""
    latex, span, severity = item.formula.latex, analysis.span(item), types.DiagnosticSeverity.Information
    if len(latex) <= OPTIONS.longest:
        try:
            canonical(latex)
        except FormulaError as error:
            severity = types.DiagnosticSeverity.Error
            start, end = (min(max(at, 0), len(latex)) for at in error.span)
            span = analysis.span(item, (start, end) if start < end else (max(0, start - 1), start))
    return _one(analysis, span, severity, "broken", item.message)


def _is_doubted(item: Lifted) -> bool:
    """Whether a formula was left as it is although something in it may well be a function."""
    return item.confidence < OPTIONS.threshold and any(decision.competing for decision in item.decisions)


def _unsure(analysis: Analysis, item: Lifted) -> types.Diagnostic:
    """A formula that is left alone for doubt: the least certain symbol, and what it may be."""
    doubtful = [decision for decision in item.decisions if decision.competing]
    span, message = analysis.span(item), f"unsure: confidence {percent(item.confidence)}"
    if doubtful:
        decision = min(doubtful, key=lambda one: one.probability)
        if analysis.is_mapped(item):
            span = analysis.span(item, decision.span)
        message = f"unsure what {decision.source} means: {_readings(decision)}"
        if decision.probability >= OPTIONS.threshold:  # every symbol is likely, all of them together are not
            message += f"; all of the formula: {percent(item.confidence)}"
    return _one(analysis, span, types.DiagnosticSeverity.Information, "unsure", message)


def _readings(decision: Decision) -> str:
    """What a symbol may mean, the most likely first; several calls of one macro count together."""
    likely: dict[str, float] = {decision.macro: decision.probability}
    meanings = {decision.macro: decision.meaning}
    for reading in decision.competing:
        likely[reading.macro] = likely.get(reading.macro, 0.0) + reading.probability
        meanings.setdefault(reading.macro, reading.meaning)
    best = sorted(likely, key=lambda macro: -likely[macro])[:_MOST_READINGS]
    return "; ".join(f"{meanings[m] or m if m else 'a plain symbol'}, {percent(likely[m])}" for m in best)


def _contradictions(analysis: Analysis, uri: str) -> Iterator[types.Diagnostic]:
    """Symbols with two meanings, each possible where the other one was read, and no introduction in between."""
    places: dict[str, list[_Place]] = {}
    for item in analysis.lifted:
        for decision in item.decisions if item.state == "translated" else ():
            if decision.macro and (symbol := symbol_at(decision)):
                places.setdefault(symbol, []).append((item, decision))
    for symbol, found in places.items():
        first: dict[str, _Place] = {}
        for item, decision in found[:_MOST_PLACES]:
            rival = next((place for place in first.values() if _exclude_each_other(place[1], decision)), None)
            if decision.macro not in first:
                first[decision.macro] = (item, decision)
            if rival is not None and not _introduced_between(analysis, symbol, rival[0], item):
                yield _contradiction(analysis, uri, symbol, rival, (item, decision))


def _exclude_each_other(one: Decision, other: Decision) -> bool:
    return (
        one.macro != other.macro
        and any(reading.macro == other.macro for reading in one.competing)
        and any(reading.macro == one.macro for reading in other.competing)
    )


def _introduced_between(analysis: Analysis, symbol: str, one: Lifted, other: Lifted) -> bool:
    return any(one.formula.start < place.start <= other.formula.start for place in analysis.introduced.get(symbol, ()))


def _contradiction(analysis: Analysis, uri: str, symbol: str, rival: _Place, place: _Place) -> types.Diagnostic:
    def span(item: Lifted, decision: Decision) -> tuple[int, int]:
        return analysis.span(item, decision.span if analysis.is_mapped(item) else None)

    line = analysis.lines.line_of(analysis.span(rival[0])[0])
    message = f"{symbol} is {place[1].meaning} here, but {rival[1].meaning} in line {line}"
    found = _one(analysis, span(*place), types.DiagnosticSeverity.Warning, "conflict", message)
    location = types.Location(uri, analysis.lines.range(*span(*rival)))
    found.related_information = [types.DiagnosticRelatedInformation(location, f"{symbol}: {rival[1].meaning}")]
    return found
