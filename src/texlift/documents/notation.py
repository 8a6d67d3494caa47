r"""The notation of a document: what each symbol means in it, where it is introduced, where it stands.

The table is shown in the report, written as `texlift.toml` to be edited (`--notation FILE.toml`), and as a table of
notation for the paper (`--notation FILE.tex`).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texlift.documents.choices import symbol_of
from texlift.documents.consistency import symbol_at
from texlift.documents.formula import Formula, Lifted
from texlift.documents.lifting import Outcome
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical
from texlift.macros.lexicon import lexicon
from texlift.translate.answer import Decision

__all__ = ["Entry", "notation", "notation_json", "notation_tex", "notation_toml"]

_SAID = re.compile(
    r"(?:\b(?P<noun>functions?|constants?|integers?|numbers?|parameters?|variables?|operators?|matrix|matrices|vectors?|"
    r"sets?|groups?|fields?|sequences?|polynomials?)\s+)?\$(?P<math>[^$]{1,40})\$\s+"
    r"(?:is|are|be|denotes?|stands? for|represents?|will denote)\s+(?P<phrase>(?:an?|the|any|some)\s+[^$.,;:()]{3,60})"
)
_MEMBER = re.compile(
    r"\s*(?P<symbol>\\?[A-Za-z]+(?:_\{?\w+\}?)?)\s*\\in\s*(?P<set>\\[A-Za-z]+\s*\{?\s*[A-Za-z]\s*\}?[_^+*{}0-9]*)\s*"
)
_SIMPLE = re.compile(r"\s*(\\[A-Za-z]+|[A-Za-z])(?:_\{?[A-Za-z0-9]+\}?)?(?:\([^()]{1,20}\))?\s*")
_BEFORE = re.compile(r"\b(?:let|by|defines?|denotes?|where|write|call)\s*$", re.IGNORECASE)
_AFTER = re.compile(r"\s*(?:is|are|be|denotes?|stands? for)\b")
_ROLES = {"diff": "operator", "deriv": "operator", "pderiv": "operator", "grad": "operator", "curl": "operator"}
_SETS = {r"\Reals", r"\Integers", r"\natNumbers", r"\Complexes", r"\Rationals", r"\NatNumbers"}
_MACRO = re.compile(r"\\(?:[A-Za-z]+|.)")
_TRAILING = re.compile(r"(?:\s+(?:of|in|on|to|by|from|at|over|under|as|is|the|an?))+\Z")
_MOST_PLACES = 1_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One symbol with one meaning; `lifted` of its `places` (file, line) are calls in the output.

    `macro` is empty for a symbol that only the text says something of, and `meaning` then is what it says. `own` is
    true for a macro that the author defined. `others` are the meanings that competed, the likeliest first.
    """

    symbol: str
    example: str
    macro: str
    meaning: str
    role: str
    kind: str
    introduced: tuple[str, int]
    places: tuple[tuple[str, int], ...]
    count: int
    lifted: int
    confidence: float
    others: tuple[str, ...] = ()
    own: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether no place of it was sure enough to be lifted."""
        return bool(self.macro) and not self.own and not self.lifted


class _Collected:
    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.places: list[tuple[str, int]] = []
        self.introduced: tuple[str, int] | None = None
        self.lifted = 0
        self.others: Counter[str] = Counter()


def notation(outcome: Outcome) -> list[Entry]:
    """The notation of a document, by meaning: what was read, what the author's macros mean, what the text says."""
    kinds = _kinds(outcome)
    entries = [*_read(outcome, kinds), *_own(outcome), *_said(outcome, kinds)]
    return sorted(entries, key=lambda entry: (not entry.macro, -entry.count, entry.symbol))


def _place(outcome: Outcome, formula: Formula) -> tuple[str, int]:
    return outcome.document.path_of(formula).name, formula.line


def _read(outcome: Outcome, kinds: dict[str, str]) -> Iterator[Entry]:
    found: dict[tuple[str, str], _Collected] = defaultdict(_Collected)
    own = {(index, id(decision)) for index, _, decision in outcome.kept}
    for index, item in enumerate(outcome.lifted):
        left = {id(decision) for decision in item.left}
        for decision in item.decisions:
            if not decision.macro or (index, id(decision)) in own or not (symbol := symbol_at(decision)):
                continue
            row = found[symbol, decision.macro]
            place = _place(outcome, item.formula)
            row.decisions.append(decision)
            row.places.append(place)
            row.lifted += (item.state == "translated" and id(decision) not in left) or _unchanged(decision)
            if row.introduced is None and _introduces(item.formula.context.get("sentence", ""), decision.source):
                row.introduced = place
            for other in decision.competing[:3]:
                if other.macro and other.macro != decision.macro and other.probability > 0.01:
                    row.others[other.macro] += 1
    for (symbol, macro), row in found.items():
        best = min(row.decisions, key=lambda decision: len(decision.source))
        yield Entry(
            _written(symbol, best.source),
            best.source,
            macro,
            best.meaning,
            _role(macro),
            kinds.get(symbol, ""),
            row.introduced or row.places[0],
            tuple(dict.fromkeys(row.places))[:_MOST_PLACES],
            len(row.places),
            row.lifted,
            sum(decision.probability for decision in row.decisions) / len(row.decisions),
            tuple(name for name, _ in row.others.most_common(3)),
        )


def _written(label: str, source: str) -> str:
    """A symbol as its author writes it: the first sign of a place where it stands."""
    elements = canonical(source).elements
    written = source[elements[0].start : elements[0].end] if elements else label
    try:
        return written if written and symbol_of(written) == label else label
    except FormulaError:
        return label


def _introduces(sentence: str, source: str) -> bool:
    """Whether a sentence says what a symbol is: "let $P_n(x)$ be", "$P_n(x)$ denotes"."""
    at = sentence.find(source)
    if at < 0:
        return False
    opening, closing = sentence.rfind("$", 0, at), sentence.find("$", at)
    before, after = sentence[max(0, opening - 20) : max(0, opening)], sentence[closing + 1 : closing + 20]
    return bool(_BEFORE.search(before) or (closing >= 0 and _AFTER.match(after)))


def _phrase(words: str) -> str:
    phrase = " ".join(re.split(r"\s(?:and|where|such|which|that|with|if|for|so)\b", words)[0].split())
    return _TRAILING.sub("", phrase)


def _unchanged(decision: Decision) -> bool:
    return decision.call == decision.source


def _own(outcome: Outcome) -> Iterator[Entry]:
    found: dict[tuple[str, str], list[tuple[int, Decision]]] = defaultdict(list)
    uses: dict[str, str] = {}
    for index, use, decision in outcome.kept:
        if match := _MACRO.match(use):
            found[match[0], decision.macro].append((index, decision))
            uses.setdefault(match[0], use)
    for (name, macro), rows in found.items():
        places = [_place(outcome, outcome.lifted[index].formula) for index, _ in rows]
        decision = rows[0][1]
        mean = sum(one.probability for _, one in rows) / len(rows)
        kept = tuple(dict.fromkeys(places))[:_MOST_PLACES]
        yield Entry(
            name,
            uses[name],
            macro,
            decision.meaning,
            _role(macro),
            "",
            places[0],
            kept,
            len(places),
            0,
            mean,
            (),
            own=True,
        )


def _said(outcome: Outcome, kinds: dict[str, str]) -> Iterator[Entry]:
    """Symbols of which the text says what they are, and that nothing else is known of."""
    read = {symbol_at(decision) for item in outcome.lifted for decision in item.decisions if decision.macro}
    found: dict[str, tuple[str, Lifted]] = {}
    for item in outcome.lifted:
        for match in _SAID.finditer(item.formula.context.get("sentence", "")):
            simple = _SIMPLE.fullmatch(match["math"])
            if simple and (label := _label(simple[1])) and label not in read:
                found.setdefault(label, (_phrase(match["phrase"]), item))
    places: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for item in outcome.lifted if found else ():
        for label in _labels(item.formula.latex) & found.keys():
            places[label].append(_place(outcome, item.formula))
    for label, (phrase, item) in found.items():
        own = places[label] or [_place(outcome, item.formula)]
        role = next(
            (word for word in ("function", "operator", "set", "constant", "matrix", "vector") if word in phrase), ""
        )
        kept = tuple(dict.fromkeys(own))[:_MOST_PLACES]
        yield Entry(
            label, label, "", phrase, role, kinds.get(label, ""), _place(outcome, item.formula), kept, len(own), 0, 1.0
        )


def _kinds(outcome: Outcome) -> dict[str, str]:
    r"""What the document says of symbols by `x\in\mathbb{R}`."""
    found: dict[str, str] = {}
    for item in outcome.lifted:
        if "\\in" in item.formula.latex and (match := _MEMBER.fullmatch(item.formula.latex)):
            symbol = re.split(r"_", match["symbol"])[0]
            found.setdefault(_label(symbol), f"in ${match['set'].strip()}$")
    return found


def _label(latex: str) -> str:
    try:
        elements = canonical(latex).elements
    except FormulaError:
        return ""
    return elements[0].label if len(elements) == 1 else ""


def _labels(latex: str) -> set[str]:
    try:
        rows = [canonical(latex)]
    except FormulaError:
        return set()
    found: set[str] = set()
    while rows:
        for element in rows.pop().elements:
            found.add(element.label)
            rows += element.rows
    return found


def _role(macro: str) -> str:
    if macro[1:] in _ROLES:
        return _ROLES[macro[1:]]
    if macro in _SETS:
        return "set"
    known = lexicon().lookup(macro)
    if known is None:
        return ""
    return "function" if known.variables else "operator" if known.parameters else "constant"


# -- as files ------------------------------------------------------------------------------------------


def notation_json(entries: Iterable[Entry]) -> list[dict[str, object]]:
    """The table as data, for the report in JSON."""
    return [
        {
            "symbol": entry.symbol,
            "example": entry.example,
            "macro": entry.macro,
            "meaning": entry.meaning,
            "role": entry.role,
            "type": entry.kind,
            "introduced": "{}:{}".format(*entry.introduced),
            "places": ["{}:{}".format(*place) for place in entry.places],
            "count": entry.count,
            "lifted": entry.lifted,
            "confidence": round(entry.confidence, 4),
            "others": list(entry.others),
            "own": entry.own,
        }
        for entry in entries
    ]


def notation_toml(entries: Iterable[Entry], title: str) -> str:
    """The table as a choices file: every line is a comment until its author accepts it."""
    lines = [
        f"# What the symbols of {_one_line(title)} mean: texlift document reads texlift.toml beside the document.",
        '# To accept a line for the whole document, take off its "#". To veto it, make the right side "".',
        "# To correct it, write another macro there: texlift macros WORDS finds it.",
        "",
        "[readings]",
    ]
    entries = list(entries)
    meanings = Counter(entry.symbol for entry in entries if entry.macro and not entry.own)
    for entry in entries:
        if not entry.macro or entry.own:
            continue
        role = ", ".join(part for part in (entry.role, entry.kind) if part)
        state = f"{entry.lifted} of {entry.count} places lifted"
        lines.append(f"# {_one_line(entry.meaning)} ({_one_line(role)}), as in {_one_line(entry.example)}")
        lines.append(f"#   {state}, first in {_one_line('{}:{}'.format(*entry.introduced))}, {entry.confidence:.0%}")
        if entry.others:
            lines.append(f"#   or: {', '.join(entry.others)}")
        several = meanings[entry.symbol] > 1
        if several:
            lines.append(
                f"#   {_one_line(entry.symbol)} has other meanings here too: a line would make this its only one"
            )
        mark = "##" if several else "#"  # whoever takes off the first sign of every line gets a file that can be read
        lines.append(f"{mark}{json.dumps(entry.symbol, ensure_ascii=False)} = {json.dumps(entry.macro)}")
    said = [entry for entry in entries if not entry.macro]
    if said:
        quoted = [(json.dumps(e.symbol, ensure_ascii=False), json.dumps(_one_line(e.meaning))) for e in said]
        lines += ["", "[functions]  # symbols that are the document's own, never read as anything else"]
        lines += [f"#{symbol} = {meaning}" for symbol, meaning in quoted]
    return "\n".join([*lines, ""])


def notation_tex(entries: Iterable[Entry]) -> str:
    r"""The table as LaTeX, to be `\input` into the paper."""
    rows = [
        f"${entry.example}$ & {_text(entry.meaning)} & {_text(entry.role)} & {entry.introduced[1]}\\\\\n"
        for entry in entries
        if (entry.lifted or entry.own or not entry.macro) and _printable(entry.example)
    ]
    return (
        "% The notation of the document, written by texlift: \\input it where the table is to stand.\n"
        "\\begin{tabular}{llll}\nsymbol & meaning & role & line\\\\\n\\hline\n" + "".join(rows) + "\\end{tabular}\n"
    )


def _printable(example: str) -> bool:
    return "\n\n" not in example and not re.search(r"[%&$]|\\\\", example)


def _one_line(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split())


def _text(text: str) -> str:
    """Words as LaTeX: mathematics in dollars stays."""
    pieces = text.split("$")
    escaped = [re.sub(r"([&%#_{}])", r"\\\1", piece).replace("^", r"\^{}") for piece in pieces[::2]]
    return "".join(
        piece if number % 2 == 0 else f"${piece}$"
        for number, piece in enumerate(x for pair in zip(escaped, [*pieces[1::2], ""], strict=False) for x in pair)
        if piece or number % 2 == 0
    )
