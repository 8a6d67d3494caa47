r"""The lexicon of semantic macros, read from `lexicon.json`: name, meaning, arity, presentation, DLMF reference.

A template is a pair (call, generic), both with the same holes `#1`..`#9`, `#a`.., numbered in the order of the
call, and at most one script point `#'`, where a prime, power or index of the call goes:

    \BesselJ{#1}#'@{#2}   is shown as   J_{#1}#'\left(#2\right)

An argument without a hole is part of the template: empty (`\deriv{}{#1}`) or a constant that the
presentation hides (`\compellintKk@@{k}` is shown as `K`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.latex.lexer import tokenize
from texlift.latex.nodes import Call
from texlift.latex.parser import parse
from texlift.latex.signatures import CallSignature, generic_signatures

__all__ = ["HOLES", "SCRIPT_POINT", "Lexicon", "Macro", "lexicon", "macro_from_entry", "read_lexicon"]

HOLES = tuple(f"#{mark}" for mark in "123456789abcdefghijklmnopqrstuvwxyz")
"""The holes in the order they are used."""

SCRIPT_POINT = "#'"

_NAME = re.compile(r"\\[A-Za-z]+")
_REFERENCE = re.compile(r"(\d+\.\d+)(?:\.([A-Za-z]+\d+))?|")
_REQUIRED: dict[str, type] = {
    "name": str,
    "meaning": str,
    "options": int,
    "parameters": int,
    "variables": int,
    "ats": list,
    "dlmf": str,
    "templates": dict,
}
_OPTIONAL: dict[str, type] = {
    "by": int,
    "variables_by": dict,
    "synonym": str,
    "lift": bool,
    "letters": list,
    "lists": list,
}
_MOST_ARGUMENTS = len(HOLES)


@dataclass(frozen=True, slots=True)
class Macro:
    r"""One semantic macro.

    `options`, `parameters`, `variables` count the arguments `[..]`, `{..}` before @ and `{..}` behind it;
    `ats` lists the numbers of @ that have a presentation (0: the head alone). Where the number of variables
    depends on a parameter (`\AppellF{1}` has six, `\AppellF{2}` seven), `variables_by` gives it for each
    text of parameter `by`, and `variables` is the largest.

    `letters` are what the DLMF writes for parameters and variables where it defines the macro, "" for more than a
    letter: \nu and z for `\BesselJ{\nu}@{z}`.

    `synonym` names the macro of the DLMF that means the same, for macros of the DRMF and earlier names;
    `lift` is false for macros that are expanded but never read into a formula: `\Sum{n}{0}{\infty}@{..}`.

    `lists` are the numbers of the arguments that hold several things, separated by commas, as those of `\genhyperF`;
    options have the numbers below 0. All others hold one.
    """

    name: str
    meaning: str
    options: int
    parameters: int
    variables: int
    ats: tuple[int, ...]
    dlmf: str
    templates: tuple[tuple[str, str], ...]
    by: int = 0
    variables_by: Mapping[str, int] = field(default_factory=dict, hash=False)
    synonym: str = ""
    lift: bool = True
    letters: tuple[str, ...] = ()
    lists: tuple[int, ...] = ()

    @property
    def lifts(self) -> bool:
        """Whether a formula may be read with this macro: no synonyms, so that every meaning has one name."""
        return self.lift and not self.synonym

    @property
    def signature(self) -> CallSignature:
        """What the parser has to know to read a call."""
        return CallSignature(self.options, self.parameters, self.variables, self.by, self.variables_by)

    @property
    def call_form(self) -> str:
        r"""The fullest call without its script point: `\BesselJ{#1}@{#2}`."""
        return self.templates[0][0].replace(SCRIPT_POINT, "")

    @property
    def generic_form(self) -> str:
        r"""How `call_form` is shown: `J_{#1}\left(#2\right)`."""
        return self.templates[0][1].replace(SCRIPT_POINT, "")

    @property
    def dlmf_url(self) -> str:
        """Address of the definition in the DLMF, empty where the reference is not known."""
        match = _REFERENCE.fullmatch(self.dlmf)
        if match is None or not self.dlmf:
            return ""
        return f"https://dlmf.nist.gov/{match[1]}" + (f"#{match[2]}" if match[2] else "")

    def as_entry(self) -> dict[str, object]:
        """The JSON form, as in `lexicon.json`."""
        entry: dict[str, object] = {name: getattr(self, name) for name in ("name", "meaning", "options", "parameters")}
        entry["variables"] = self.variables
        if self.variables_by:
            entry |= {"by": self.by, "variables_by": dict(self.variables_by)}
        if self.synonym:
            entry["synonym"] = self.synonym
        if not self.lift:
            entry["lift"] = False
        entry |= {"ats": list(self.ats), "dlmf": self.dlmf, "templates": dict(self.templates)}
        if self.letters:
            entry["letters"] = list(self.letters)
        return entry | {"lists": list(self.lists)} if self.lists else entry


class Lexicon:
    """Macros by name, sorted; immutable, `extended` makes a larger one."""

    __slots__ = ("_macros",)

    def __init__(self, macros: Iterable[Macro]) -> None:
        self._macros = {macro.name: macro for macro in sorted(macros, key=lambda macro: macro.name)}

    def __iter__(self) -> Iterator[Macro]:
        return iter(self._macros.values())

    def __len__(self) -> int:
        return len(self._macros)

    def __contains__(self, name: object) -> bool:
        return name in self._macros

    def lookup(self, name: str) -> Macro | None:
        r"""The macro of that name, with or without the backslash; None if there is none."""
        return self._macros.get(name if name.startswith("\\") else "\\" + name)

    def extended(self, macros: Iterable[Macro]) -> Lexicon:
        """This lexicon with `macros` added; a macro of the same name replaces the old one."""
        return Lexicon((self._macros | {macro.name: macro for macro in macros}).values())

    def call_signatures(self) -> dict[str, CallSignature]:
        """The table for `Signatures.with_calls`."""
        return {name: macro.signature for name, macro in self._macros.items()}

    def search(self, words: str | Iterable[str]) -> list[Macro]:
        """All macros in which every word occurs, in name, meaning or presentation; the best first, synonyms last."""
        wanted = [word for word in (words.split() if isinstance(words, str) else words) if word]
        found = []
        for macro in self:
            scores = [_score(macro, word) for word in wanted]
            if all(scores):
                found.append(
                    (bool(macro.synonym), -sum(scores), len(macro.meaning), len(macro.generic_form), macro.name)
                )
        return [self._macros[name] for *_, name in sorted(found)]

    def near(self, words: str | Iterable[str], count: int = 8) -> list[Macro]:
        """Macros whose name, or a word of whose meaning, is spelt much like one of the words."""
        wanted = [word.lower().lstrip("\\") for word in (words.split() if isinstance(words, str) else words)]
        spelling: dict[str, list[Macro]] = {}
        for macro in self:
            for key in {macro.name[1:].lower(), *re.findall(r"[^\W\d_]{3,}", macro.meaning.lower())}:
                spelling.setdefault(key, []).append(macro)
        close = [key for word in wanted for key in get_close_matches(word, spelling, n=count, cutoff=0.6)]
        return list(dict.fromkeys(macro for key in close for macro in spelling[key]))[:count]


def _score(macro: Macro, word: str) -> int:
    """How well `word` fits: the name before the meaning, the meaning before the presentation; 0 for not at all."""
    if word in (macro.name, macro.name[1:]):
        return 1000
    small = word.lower()
    name = macro.name[1:].lower()
    bare = small.lstrip("\\")
    if bare and name == bare:
        return 500
    score = 0
    if bare and bare in name and (small == bare or name.startswith(bare)):
        score = 60 if name.startswith(bare) else 40
    meaning = macro.meaning.lower()
    if small in meaning:
        # A whole word counts more: "theta" should find theta functions before "thetan".
        score += 50 if re.search(rf"(?<!\w){re.escape(small)}(?!\w)", meaning) else 20
    if not score and any(word in generic for _, generic in macro.templates):
        score = 10
    return score


@cache
def lexicon() -> Lexicon:
    """The packaged lexicon. It is checked by the tests, so loading only builds the objects."""
    table = json.loads(files("texlift.macros").joinpath("lexicon.json").read_text("utf-8"))
    return Lexicon(_build(entry) for entry in table["macros"])


def read_lexicon(path: Path) -> Lexicon:
    """A lexicon of the user's own, in the format of the packaged one; every entry is checked."""
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise TexliftError(f"cannot read the lexicon {path}: {error}") from error
    if not isinstance(table, dict) or not isinstance(table.get("macros"), list):
        raise TexliftError(f'{path} is not a lexicon: expected {{"macros": [...]}}')
    macros: dict[str, Macro] = {}
    for number, entry in enumerate(table["macros"], 1):
        try:
            macro = macro_from_entry(entry)
        except TexliftError as error:
            raise TexliftError(f"{path}, entry {number}: {error}") from error
        if macro.name in macros:
            raise TexliftError(f"{path}, entry {number}: {macro.name} stands there twice")
        macros[macro.name] = macro
    return Lexicon(macros.values())


def _build(entry: Mapping[str, Any]) -> Macro:
    return Macro(
        entry["name"],
        entry["meaning"],
        entry["options"],
        entry["parameters"],
        entry["variables"],
        tuple(entry["ats"]),
        entry["dlmf"],
        tuple(entry["templates"].items()),
        entry.get("by", 0),
        entry.get("variables_by", {}),
        entry.get("synonym", ""),
        entry.get("lift", True),
        tuple(entry.get("letters", ())),
        tuple(entry.get("lists", ())),
    )


def macro_from_entry(entry: object) -> Macro:
    """Check one JSON entry against the schema and the templates against the arity; raises TexliftError."""
    if not isinstance(entry, dict):
        raise TexliftError("a macro is an object with " + ", ".join(_REQUIRED))
    name = entry.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise TexliftError(f"the name {name!r} is not a backslash followed by letters")
    for key, kind in (_REQUIRED | _OPTIONAL).items():
        if key not in entry and key in _REQUIRED:
            raise TexliftError(f"{name}: {key} is missing")
        if key in entry and type(entry[key]) is not kind:  # isinstance would let true pass for a number
            raise TexliftError(f"{name}: {key} must be of type {kind.__name__}")
    if unknown := entry.keys() - _REQUIRED.keys() - _OPTIONAL.keys():
        raise TexliftError(f"{name}: unknown field {min(unknown)}")
    _check_values(name, entry)
    macro = _build(entry)
    if not macro.templates:
        raise TexliftError(f"{name}: needs at least one template")
    calls = [_check_template(macro, call, generic) for call, generic in macro.templates]
    found = {call.segments[0][0] if call.segments else 0 for call in calls}
    if found != set(macro.ats):
        raise TexliftError(f"{name}: ats is {list(macro.ats)}, but the templates have {sorted(found)}")
    return macro


def _check_values(name: str, entry: Mapping[str, Any]) -> None:
    counts = [entry["options"], entry["parameters"], entry["variables"]]
    if min(counts) < 0 or sum(counts) > _MOST_ARGUMENTS:
        raise TexliftError(f"{name}: the arguments must be 0 to {_MOST_ARGUMENTS} in number")
    if not _NAME.fullmatch(entry.get("synonym", name)):
        raise TexliftError(f"{name}: the synonym {entry['synonym']!r} is not a macro name")
    if not entry["meaning"].strip():
        raise TexliftError(f"{name}: the meaning is empty")
    if not _REFERENCE.fullmatch(entry["dlmf"]):
        raise TexliftError(f"{name}: {entry['dlmf']!r} is not a DLMF reference such as 10.2 or 10.2.E2")
    ats = entry["ats"]
    if not all(type(at) is int and 0 <= at <= 5 for at in ats) or ats != sorted(set(ats)):
        raise TexliftError(f"{name}: ats must be an ascending list of numbers from 0 to 5")
    letters = entry.get("letters", [])
    if len(letters) > sum(counts[1:]) or not all(type(letter) is str for letter in letters):
        raise TexliftError(f"{name}: letters must be texts, at most one for each parameter and variable")
    if not all(type(number) is int and -counts[0] <= number < sum(counts[1:]) for number in entry.get("lists", [])):
        raise TexliftError(f"{name}: lists must be numbers of arguments, options below 0")
    by_text = entry.get("variables_by", {})
    if not all(type(number) is int and 0 <= number <= entry["variables"] for number in by_text.values()):
        raise TexliftError(f"{name}: variables_by must give numbers from 0 to variables")
    if by_text and not 0 <= entry.get("by", 0) < entry["parameters"]:
        raise TexliftError(f"{name}: by must be the index of a parameter")


def _check_template(macro: Macro, call: str, generic: object) -> Call:
    """The call of one template, parsed; both sides must parse and have the same holes."""
    if not isinstance(generic, str):
        raise TexliftError(f"{macro.name}: the template of {call} is not a text")
    where = f"{macro.name}, template {call}"
    signatures = generic_signatures()
    try:
        nodes = parse(call.replace(SCRIPT_POINT, ""), signatures.with_calls({macro.name: macro.signature}))
        parse(generic.replace(SCRIPT_POINT, ""), signatures)
        marks = [text for text in tokenize(call).texts if text[0] == "#"]
        shown = [text for text in tokenize(generic).texts if text[0] == "#"]
    except TexliftError as error:
        raise TexliftError(f"{where}: {error}") from error
    if len(nodes) != 1 or not isinstance(nodes[0], Call) or nodes[0].name != macro.name or nodes[0].scripts:
        raise TexliftError(f"{where}: is not one call of {macro.name} with its arguments")
    node = nodes[0]
    holes = [mark for mark in marks if mark != SCRIPT_POINT]
    if holes != list(HOLES[: len(holes)]):
        raise TexliftError(f"{where}: holes must be numbered in order, found {' '.join(holes)}")
    if set(shown) != set(marks):
        raise TexliftError(f"{where}: the two sides have different holes, {' '.join(marks)} and {' '.join(shown)}")
    if marks.count(SCRIPT_POINT) > 1 or shown.count(SCRIPT_POINT) > 1:
        raise TexliftError(f"{where}: more than one script point")
    if SCRIPT_POINT in marks and SCRIPT_POINT + "@" not in call:
        raise TexliftError(f"{where}: the script point of a call stands before @")
    _check_arity(macro, node, call, where)
    return node


def _check_arity(macro: Macro, node: Call, call: str, where: str) -> None:
    if len(node.parameters) != macro.parameters:
        raise TexliftError(f"{where}: has {len(node.parameters)} parameters, not {macro.parameters}")
    if not node.segments:
        return
    text = call.replace(SCRIPT_POINT, "")
    wanted = macro.signature.variables_for([text[p.start + 1 : p.end - 1].strip() for p in node.parameters])
    # Fewer variables are a call of their own: `\Laplacetrans@{f}` beside `\Laplacetrans@{f}@{s}`.
    if len(node.variables) > wanted or (wanted and not node.variables and node.segments[0][0] == 1):
        raise TexliftError(f"{where}: has {len(node.variables)} variables, not {wanted}")
