r"""The formula in an answer as people and language models write it.

    The answer is $5$.     \boxed{5}     **5**     x = 5 \text{ cm}     no solution

Words around a formula are taken off only where each of them is known to add nothing ("the", "answer", "is"); any
other word ("not", "half of") stays and makes the answer unreadable rather than wrong. Units become `\mathrm{unitN}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from texlift.errors import FormulaError, TexliftError
from texlift.verify.equality.boxes import tidied, unboxed
from texlift.verify.equality.units import Unit, unit_of

__all__ = ["MAX_ANSWER", "Answer", "answer_in"]

MAX_ANSWER = 20_000
"""Longest answer in characters."""

_DATA: dict[str, Any] = json.loads(files("texlift.verify.equality").joinpath("wording.json").read_text("utf-8"))
_SIGNS = str.maketrans(_DATA["signs"])
_FILLING = frozenset(_DATA["filling"].split())
_OPERATIONS = frozenset(_DATA["operations"].split())  # "the inverse is", but not "the inverse of"
_ENDING = frozenset(_DATA["ending"].split())
_APPROXIMATE = frozenset(_DATA["approximate"].split())
_SHORT = frozenset(_DATA["never_letters"].split())
_SINGLE = frozenset(_DATA["single_units"].split())  # units that are letters, behind a number and a space
_NAMED: dict[str, str] = _DATA["names"]
_SAID = {words: meaning for meaning, spellings in _DATA["said"].items() for words in spellings}
_MARK = re.compile(r"(?:final\s+answer|answer|result|solution)s?\s*(?:is|are|:|=)\s*:?", re.IGNORECASE)
_MATH = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$(.+?)(?<!\\)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_BODY = r"((?:[^{}]|\{[^{}]*\})*)"
_TEXT = re.compile(rf"\\(?:text(?:rm|bf|it|normal)?|mathrm|mbox|rm|mathbf|hbox|operatorname)\s*\{{{_BODY}\}}")
_STRONG = re.compile(rf"\\(?:textbf|textit|mathbf|underline|emph)\s*\{{{_BODY}\}}")
_SPACE = r"(?:\\[,;: !]|~|\s|\\quad|\\ )*"
_POWER = r"(?:\s*\^\s*(?:\{\s*-?\d+\s*\}|\d))?"
_WORDED = r"\\(?:text|textrm|textbf|textit|textnormal|mathrm|mbox|rm|hbox)\s*\{(?:[^{}]|\{[^{}]*\})*\}"
_UNITS = re.compile(
    rf"(?P<before>[A-Za-z\d}})\]]){_SPACE}(?P<unit>(?:{_WORDED}{_POWER}|\\frac\s*\{{\s*{_WORDED}{_POWER}\s*\}}\s*"
    rf"\{{\s*{_WORDED}{_POWER}\s*\}})(?:{_SPACE}(?:/|\\cdot|\\times|\\,)?{_SPACE}{_WORDED}{_POWER})*)"
)
_SCIENTIFIC = re.compile(r"(?<![\w.\\])(?P<mantissa>\d+(?:\.\d+)?)(?P<mark>[eE])(?P<exponent>[+-]?\d{1,4})(?![\w.])")
_OVER_QUANTITY = re.compile(r"/\s*(\d+(?:\.\d+)?\\cdot\\mathrm\{unit[a-z]+\})")  # 10 V/2 A: a number keeps its unit
_SPELLINGS = (
    (re.compile(r"(?<=\d)\s*\\(?:text|mathrm)\s*\{\s*E\s*\}\s*(?=[-+]?\d)"), "E"),  # 3\text{E}5
    (re.compile(r"\\(mathrm|text|rm)\s+([A-Za-z])(?![A-Za-z])"), r"\\\1{\2}"),  # \mathrm m
    (re.compile(r"(?<=[\d ,}])\\mu\s*\\(mathrm|text)\s*\{(?=[A-Za-z]{1,2}\})"), r"\\\1{µ"),  # 5\,\mu\mathrm{m}
    (re.compile(r"\\(mathrm|text)\s*\{\s*([kMGm]?)\s*\\Omega\s*\}"), r"\\\1{\2Ω}"),
    (re.compile(r"(?<=[\d ,}~])\\Omega\b"), r"\\mathrm{Ω}"),
    (re.compile(r"\A\\text\s*\{\s*(?:approximately|approx\.?|about|around|roughly|nearly)\s*\}"), r"\\approx "),
)
"""Other spellings of powers of ten, units and words, and what they are written as here."""

_NOUNS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_PLAIN_UNIT = re.compile(
    r"(?P<before>\d)\s*(?P<unit>(?:square |cubic |sq\.? )?[A-Za-zµΩ]+(?:\^\{?-?\d\}?)?"
    r"(?:\s*(?:/|per )\s*[A-Za-z]+(?:\^\{?-?\d\}?)?)?)\s*\Z"
)
_JOINT = re.compile(
    rf"{_SPACE}(?:\\q?quad)*{_SPACE}\\(?:text|mbox|textrm)\s*\{{\s*,?\s*(or|and)\s*\}}{_SPACE}(?:\\q?quad)*{_SPACE}"
)
_LETTERED = re.compile(rf"{_WORDED}|(?<![\\A-Za-z])(?P<word>and|or)(?![A-Za-z])")  # of a formula: (1,2) or (2,1)
_CLOSING = re.compile(
    r"(?:is|are|as)\s+(?:indeed\s+)?(?:the|our|my)?\s*(?:final|correct|required|desired|only|unique)?\s*"
    r"(?:answer|solution|result|value)s?", re.IGNORECASE)  # fmt: skip
_JOINING = {"or": "or", "and": "and"}


@dataclass(frozen=True, slots=True)
class Answer:
    """`latex` is the formula, `units` what its `\\mathrm{unitN}` stand for; or `words` without a formula.

    `degrees` says that a sign of degrees or the word stands in it, `approximate` that it claims to be approximate.
    """

    latex: str
    units: tuple[Unit, ...] = ()
    words: str = ""
    known_words: bool = False
    degrees: bool = False
    approximate: bool = False


def answer_in(text: str) -> Answer:
    """The formula in an answer. Raises FormulaError or TexliftError for what cannot be read."""
    if len(text) > MAX_ANSWER:
        raise TexliftError(f"an answer of {len(text):,} characters is longer than {MAX_ANSWER:,}")
    if not text.strip():
        raise FormulaError("the answer is empty", text, (0, len(text)), r"write LaTeX, for example x=5", "empty")
    bare = tidied(text.translate(_SIGNS)).strip()
    bare = re.sub(r"\*\*(.+?)\*\*", r"\1", bare)
    bare = re.sub(r"\A(?:\*\*|__|`)+|(?:\*\*|__|`)+\Z", "", bare)
    if re.fullmatch(r"\$?\d{1,2}:[0-5]\d\$?", bare):
        raise TexliftError("a time or a ratio")
    bare = unboxed(bare)
    bare = re.sub(r"\A#+\s*", "", bare)
    bare = _STRONG.sub(lambda match: match[1] if re.search(r"\d", match[1]) else match[0], bare)
    bare = _without_leading_text(bare)
    bare = re.sub(r"(?<!\\)%", r"\\%", bare)
    bare = re.sub(r"(?<![<=])>=(?!=)", r"\\ge ", re.sub(r"<=(?![=>])", r"\\le ", bare)).replace("!=", r"\ne ")
    for written, meant in _SPELLINGS:
        bare = written.sub(meant, bare)
    bare = _SCIENTIFIC.sub(_power_of_ten, bare)
    bare = _currency(bare)
    if re.fullmatch(r"\$*\s*(?:\\left)?\\\{\s*(?:\\right)?\\\}\s*\$*\.?", bare):
        return Answer("", words="empty", known_words=True)
    said = _said(bare)
    if said is not None:
        return said
    approximate = False
    bare, approximate = _without_words(bare)
    bare = _JOINT.sub(r" \\text{ \1 } ", bare)
    bare, units = _with_units(bare)
    bare = _OVER_QUANTITY.sub(r"/(\1)", bare)
    degrees = bool(re.search(r"\\circ|\\degree", bare)) or any(unit.of_pi for unit in units)
    return Answer(bare.strip(), tuple(units), degrees=degrees, approximate=approximate)


def _without_leading_text(text: str) -> str:
    """`\\text{The answer is }5` without its words, where each is known to add nothing."""
    match = re.match(rf"\A\\text(?:bf|it|rm)?\s*\{{{_BODY}\}}", text)
    if match is None:
        return text
    words = [word.lower() for word in re.split(r"[\s,.:;]+", match[1]) if word]
    rest = text[match.end() :]
    return rest if words and rest.strip() and all(word in _FILLING for word in words) else text


def _power_of_ten(match: re.Match[str]) -> str:
    """`1.5e-3` and `1E5`; `2e-3` may as well be a number less three."""
    mantissa, mark, exponent = match["mantissa"], match["mark"], match["exponent"]
    plain = mantissa not in ("1", "-1") and "." not in mantissa and mark == "e" and exponent[0] in "+-"
    if plain and len(exponent) == 2:
        raise TexliftError(f"{match[0]} may be a power of ten or hold Euler's number")
    return rf"{mantissa}\times10^{{{exponent.lstrip('+')}}}"


def _currency(text: str) -> str:
    """A sign of currency before a number, as a unit behind it."""
    text = re.sub(r"(?:\\\$|€)\s*(-?\d(?:[\d,{}]|\\!)*(?:\.\d+)?)", _money, text)
    text = re.sub(r"\A(-?\d[\d,]*(?:\.\d+)?)\s*(\$|€)\Z", _money, text)
    if text.count("$") - text.count(r"\$") == 1:
        text = re.sub(r"(?<!\\)\$\s*(-?[\d][\d,]*(?:\.\d+)?)", r"\1\\text{ dollars}", text)
    return text


def _money(match: re.Match[str]) -> str:
    return f"{match[1]}\\text{{ {'euros' if '€' in match[0] else 'dollars'}}}"


def _said(text: str) -> Answer | None:
    """An answer in words alone."""
    plain = _TEXT.sub(lambda match: f" {match[1]} ", text.replace("$", " "))
    plain = re.sub(r"\\[ ,;:!]|~", " ", plain)
    words = " ".join(plain.strip(" .!").lower().split())
    if words in _SAID:
        return Answer("", words=_SAID[words], known_words=True)
    for start in range(len(words.split())):
        rest = words.split()[start:]
        if not all(word.strip(",:") in _FILLING | {"there"} for word in words.split()[:start]):
            break
        if " ".join(rest) in _SAID:
            return Answer("", words=_SAID[" ".join(rest)], known_words=True)
    choice = re.fullmatch(r"\(?([a-z])[).]?|option \(?([a-z])\)?", words)
    if choice is not None and ("\\" in text or len(words) > 1):
        return Answer("", words=f"choice {choice[1] or choice[2]}", known_words=True)
    if re.fullmatch(r"[a-z]{2,}(?:[ -][a-z]+)*", words) and _TEXT.fullmatch(text.strip(" .$")):
        return Answer("", words=words)
    if re.fullmatch(r"[a-z]{4,}(?: [a-z]{2,})*", words) and "\\" not in text:
        return Answer("", words=words)
    return None


# -- words around a formula --------------------------------------------------------------------------------


def _without_words(text: str) -> tuple[str, bool]:
    """The formula without filling words, and whether it claims to be approximate."""
    marks = list(_MARK.finditer(_masked(text)))
    if marks:
        rest = text[marks[-1].end() :].strip()
        if rest.strip(" .$*"):
            text = rest
    pieces: list[tuple[str, str]] = []  # kind, text
    at = 0
    for match in _MATH.finditer(text):
        pieces.append(("words", text[at : match.start()]))
        pieces.append(("math", next(group for group in match.groups() if group is not None)))
        at = match.end()
    if not pieces:
        return _plain(text)
    pieces.append(("words", text[at:]))
    approximate = False
    found = ""
    for kind, piece in pieces:
        if kind == "math":
            found += _LETTERED.sub(lambda m: f"\\text{{ {m['word']} }}" if m["word"] else m[0], piece)
            continue
        kept, about = _between(piece, bool(found))
        approximate = approximate or about
        found += kept
    return found.strip().rstrip(".,"), approximate


def _masked(text: str) -> str:
    """The text with formulae blanked, so that words in them are not found."""
    return _MATH.sub(lambda match: "\0" * len(match[0]), text)


def _between(words: str, behind: bool) -> tuple[str, bool]:
    """What words outside dollars add to the formula: a joint, a unit, or nothing."""
    stripped = words.strip()
    if not stripped or stripped in (".", ":", "!"):
        return "", False
    if stripped in (",", ";"):
        return ",", False
    found = [word for word in re.split(r"[\s,.:;!]+", stripped) if word]
    lowered = [word.lower() for word in found]
    about = any(word in _APPROXIMATE for word in lowered)
    if behind and lowered in (["or"], ["and"]):
        return rf"\text{{ {lowered[0]} }}", False
    if behind:
        unit = unit_of(stripped)
        if unit is not None and unit.known:
            return rf"\text{{ {stripped.rstrip('.')} }}", False
    if behind and stripped.rstrip(" .") in (r"\%", "%"):
        return r"\%", False
    if behind and _CLOSING.fullmatch(stripped.rstrip(" .!")):
        return "", False
    if behind and len(lowered) == 1 and lowered[0] in ("is", "equals", "are"):
        return "=", False
    if not _adds_nothing(lowered, stripped.endswith(":")):
        raise TexliftError(f"words that are not understood: {stripped[:40]!r}")
    if behind and stripped.strip(" .!"):
        raise TexliftError(f"words behind the formula that are not understood: {stripped[:40]!r}")
    return "", about


def _adds_nothing(words: Sequence[str], colon: bool) -> bool:
    """Whether words before a formula only announce it: "the answer is", not "half of"."""
    known = all(word in _FILLING | _APPROXIMATE | _OPERATIONS or re.fullmatch(r"[a-z]", word) for word in words)
    operation = any(word in _OPERATIONS for word in words)
    return known and (not operation or colon or words[-1] in _ENDING)


def _plain(text: str) -> tuple[str, bool]:
    """A formula without dollars: leading words go, joints and units become text, others must be letters."""
    text = text.strip().rstrip(".") if not text.endswith("...") else text
    approximate = False
    text = re.sub(r"\A([A-Za-z])\s+(?:is|equals)\s+", r"\1=", text)
    words = re.match(r"((?:[A-Za-z']{2,}|[aI])[,:]?\s+)+", text)
    if words is not None:
        leading = [word.strip(",:").lower() for word in words[0].split()]
        known = _FILLING | _APPROXIMATE | _OPERATIONS
        count = next((index for index, word in enumerate(leading) if word not in known), len(leading))
        if count and not _adds_nothing(leading[:count], words[0].rstrip().endswith(":")):
            raise TexliftError(f"words that are not understood: {words[0][:40]!r}")
        if count:
            approximate = any(word in _APPROXIMATE for word in leading[:count])
            text = re.sub(rf"\A(?:\S+\s+){{{count}}}", "", text)
            text = re.sub(r"\A([A-Za-z])\s+(?:is|equals)\s+", r"\1=", text)
    text = re.sub(r"\A:\s*", "", text)
    match = _PLAIN_UNIT.search(text)
    apart = match is not None and match["unit"] in _SINGLE and text[match.end("before")].isspace()
    if match is not None and (apart or not _is_product(match["unit"])):
        unit = unit_of(match["unit"].replace("{", "").replace("}", ""))
        if unit is not None:
            plain = match["unit"].replace("{", "").replace("}", "")
            text = f"{text[: match.start('unit')].rstrip()}\\text{{ {plain} }}"
    return _worded(text), approximate


def _is_product(word: str) -> bool:
    """Whether letters behind a number are rather a product: `5x`, `2ab`, `3m`."""
    unit = unit_of(word)
    return len(word) == 1 or (len(word) <= 3 and (unit is None or not unit.known))


def _worded(text: str) -> str:
    """Plain words inside a formula: joints as text, names of functions as commands."""
    masked = _TEXT.sub(lambda match: " " * len(match[0]), text)
    masked = re.sub(r"\\(?:begin|end)\s*\{[a-z*]+\}", lambda match: " " * len(match[0]), masked)
    made, at = "", 0
    for match in _NOUNS.finditer(masked):
        word = match[0]
        lowered = word.lower()
        made += text[at : match.start()]
        at = match.end()
        if lowered in _JOINING:
            made += rf"\text{{ {lowered} }}"
        elif word in _NAMED:
            made += _NAMED[word]
        elif lowered in _SHORT or (len(word) > 3 and not _letters(word)):
            raise TexliftError(f"words that are not understood: {word!r}")
        else:
            made += word
    made += text[at:]
    return re.sub(r"\\sqrt\s*\(([^()]*)\)", r"\\sqrt{\1}", made)


def _letters(word: str) -> bool:
    """Whether a run of letters can be a product of variables: `abcd`."""
    return (
        word.islower() and len(word) <= 5 and len(set(word)) == len(word) and not re.search(r"[aeiou].*[aeiou]", word)
    )


# -- units -------------------------------------------------------------------------------------------------


def _with_units(text: str) -> tuple[str, list[Unit]]:
    """The formula with each unit behind a number as `\\mathrm{unitN}`."""
    units: list[Unit] = []

    def replaced(match: re.Match[str]) -> str:
        unit = unit_of(_spelled(match["unit"]))
        if unit is None or _is_joint(match["unit"]) or (match["before"].isalpha() and not unit.known):
            return match[0]
        units.append(unit)
        return rf"{match['before']}\cdot\mathrm{{unit{_letter(len(units) - 1)}}}"

    if "\\" in text:
        text = re.sub(
            r"\^\s*\{?\s*\\circ\s*\}?\s*(?:\\(?:text|mathrm)\s*\{\s*([CF])\s*\}|([CF])(?![a-z]))", _celsius, text
        )
        text = _UNITS.sub(replaced, text)
    return text, units


def _celsius(match: re.Match[str]) -> str:
    return rf"\text{{ °{match[1] or match[2]}}}"


def _letter(index: int) -> str:
    return chr(ord("a") + index // 26 % 26) + chr(ord("a") + index % 26)


def _spelled(latex: str) -> str:
    """The words and signs of a unit: `\\mathrm{m}/\\mathrm{s}^{2}` is `m / s ^2`."""
    fraction = re.match(r"\\frac\s*\{(.*)\}\s*\{(.*)\}\Z", latex.strip())
    if fraction is not None:
        return f"{_spelled(fraction[1])} / {_spelled(fraction[2])}"
    plain = _TEXT.sub(lambda match: f" {match[1]} ", latex)
    plain = re.sub(r"\\cdot|\\times", "*", plain)
    plain = re.sub(r"\\[,;: !]|~|\\ ", " ", plain)
    return re.sub(r"\s*\^\s*\{?\s*(-?\d+)\s*\}?", r"^\1", plain)


def _is_joint(latex: str) -> bool:
    words = _spelled(latex).strip(" ,.").lower().split()
    return bool(words) and ((words[0] == "in" and len(words) > 1) or words[0] in (
        "or", "and", "if", "for", "when", "where", "with", "then", "iff", "implies", "as", "otherwise", "else", "such",
        "is", "are", "to", "th", "st", "nd", "rd", "e", "i", "d", "mod", "not", "no", "but", "only",
    ))  # fmt: skip
