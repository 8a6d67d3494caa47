r"""Units with their quotients and powers inside one upright word: `\mathrm{m/s^2}`, `\text{km/h}`."""

from __future__ import annotations

import re

from texlift.meaning.tree import Apply, Expression, Number, Symbol

__all__ = ["compound"]

_SCALED = frozenset({
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "S", "Wb", "T", "H", "lm", "lx",
    "Bq", "Gy", "Sv", "L", "l", "eV", "bar", "rad", "cal",
})  # fmt: skip
_PLAIN = _SCALED | {"kat", "min", "h", "d", "atm", "u", "sr", "t", "ha", "dB"}
_PREFIXES = ("da", *"YZEPTGMkhdcmunpfazy")
_PIECE = re.compile(
    r"\s*(?:(?P<word>[A-Za-z]+)(?:\s*\^\s*\{?\s*(?P<power>-?\d)\s*\}?)?"
    r"|(?P<times>\\cdot(?![A-Za-z])|\\,|\\;|\\ |~|\.|\*)|(?P<slash>/))"
)
_FRACTION = re.compile(r"\s*\\[dt]?frac\s*\{(?P<above>[^{}]*)\}\s*\{(?P<below>[^{}]*)\}\s*$")


def compound(text: str, start: int) -> Expression | None:
    """The product of units that a text at a place is; None for anything else, also for a single unit."""
    fraction = _FRACTION.match(text)
    if fraction is not None:
        above = _product(fraction["above"], start + fraction.start("above"))
        below = _product(fraction["below"], start + fraction.start("below"))
        return None if not above or not below else Apply("divide", (_joined(above), _joined(below)), _span(text, start))
    parts = text.split("/")
    if len(parts) > 2:
        return None
    found = [_product(parts[0], start)]
    if len(parts) == 2:
        found.append(_product(parts[1], start + len(parts[0]) + 1))
        if len(found[1]) != 1:  # J/kg K: what does the slash reach?
            return None
    if not all(found) or sum(map(len, found)) < 2:
        return None
    values = [_joined(one) for one in found]
    return values[0] if len(values) == 1 else Apply("divide", (values[0], values[1]), _span(text, start))


def _product(text: str, start: int) -> list[Expression]:
    """The units of a product; nothing where something else stands there."""
    found: list[Expression] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None or piece["slash"]:
            return []
        at = piece.end()
        word = piece["word"]
        if word is None:
            continue
        if not _is_unit(word):
            return []
        span = (start + piece.start("word"), start + piece.end("word"))
        value: Expression = Symbol(rf"\mathrm{{{word}}}" if len(word) > 1 else word, span, "unit")
        if piece["power"]:
            number: Expression = Number(piece["power"].lstrip("-"), span)
            number = Apply("negate", (number,), span) if piece["power"][0] == "-" else number
            value = Apply("power", (value, number), (span[0], start + piece.end()))
        found.append(value)
    return found


def _is_unit(word: str) -> bool:
    return word in _PLAIN or any(word.startswith(one) and word[len(one) :] in _SCALED for one in _PREFIXES)


def _joined(parts: list[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else Apply("times", tuple(parts), (parts[0].span[0], parts[-1].span[1]))


def _span(text: str, start: int) -> tuple[int, int]:
    return (start, start + len(text))
