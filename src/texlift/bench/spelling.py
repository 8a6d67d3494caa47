"""One spelling for codes that name the same things differently: labels, indices, arguments of unknown functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from texlift.bench.term import Term, names, symbol

__all__ = ["renamed", "sorted_arguments", "spelled_alike", "symbols_in"]

_TYPEFACES = frozenset(
    {
        "vec",
        "bold",
        "mathbf",
        "boldsymbol",
        "bm",
        "mathrm",
        "rm",
        "text",
        "mathit",
        "operatorname",
        "bf",
        "bb",
        "cal",
        "frak",
    }
)
_ACCENTS = frozenset({"hat", "widehat", "bar", "overline", "tilde", "widetilde", "dot", "ddot", "check", "breve"})
_SAME_ACCENT = {"widehat": "hat", "overline": "bar", "widetilde": "tilde"}
_SAME_LETTER = {"lambda": "lamda", "varphi": "phi", "varepsilon": "epsilon", "vartheta": "theta", "varrho": "rho"}
_WORD = re.compile(r"[A-Za-z]+|[0-9]+|[^\W\d_]+|(?<=\w)[+-](?=\w)")  # `x_n+1` has a sign in its name
_COUNTERS = frozenset("ijklmnp")


def spelled_alike(term: Term) -> Term:
    """The term with one label for each name, and indices as parts of names unless something counts with them."""
    labels = _labels({name for name in _names_in(term) if name})
    return _unindexed(_relabelled(term, labels), frozenset(_bound_in(term, labels)))


def sorted_arguments(term: Term) -> Term:
    """The term with the arguments of unknown functions in order, where their order says nothing."""
    return _sorted(term, _always_alike(term))


def _names_in(term: Term) -> Iterator[str]:
    if term.kind in ("symbol", "unknown", "indexed", "text"):
        yield term.name
    for part in term.parts:
        yield from _names_in(part)


def _labels(found: set[str]) -> dict[str, str]:
    """A label for each name: typeface counts only where it tells two names apart."""
    spelled = {name: _spelled(name) for name in found}
    plain: dict[str, set[tuple[str, ...]]] = {}
    for faces, letters in spelled.values():
        plain.setdefault(letters, set()).add(faces)
    return {
        name: letters if len(plain[letters]) == 1 else "_".join((*faces, letters))
        for name, (faces, letters) in spelled.items()
    }


def _spelled(name: str) -> tuple[tuple[str, ...], str]:
    """Typeface and letters of a name: `x_1`, `x_{1}`, `x1` and `hat_x`, `x_hat` are spelled alike."""
    words = _WORD.findall(name)
    faces = tuple(sorted({"bold" for word in words[:-1] if word in _TYPEFACES}))
    rest = [word for place, word in enumerate(words) if word not in _TYPEFACES or place == len(words) - 1 == 0]
    accents = sorted(_SAME_ACCENT.get(word, word) for word in rest if word in _ACCENTS and len(rest) > 1)
    letters = [_SAME_LETTER.get(word, word) for word in rest if word not in _ACCENTS or len(rest) == 1]
    return faces, "".join((*accents, *letters)) or name


def _relabelled(term: Term, labels: Mapping[str, str]) -> Term:
    parts = tuple(_relabelled(part, labels) for part in term.parts)
    if term.kind in ("symbol", "unknown", "indexed"):
        return Term(term.kind, labels[term.name], parts)
    return Term(term.kind, term.name, parts)


def _bound_in(term: Term, labels: Mapping[str, str]) -> Iterator[str]:
    """The labels of all variables that a sum, integral or limit binds."""
    if term.kind == "call" and term.name in names()["binders"]:
        for part in term.parts:
            inner = part.parts[:1] if part.kind in ("tuple", "list") else (part,)
            yield from (labels[symbol.name] for symbol in inner if symbol.kind == "symbol")
    for part in term.parts:
        yield from _bound_in(part, labels)


def _is_label(term: Term, bound: frozenset[str], index: bool) -> bool:
    """Whether an index is only part of a name: a letter to count with, one with an accent, or a quotient."""
    if term.kind == "symbol":
        accented = index and any(term.name.startswith(accent) for accent in _ACCENTS)
        return (term.name in _COUNTERS or accented) and term.name not in bound
    if index and term.kind == "call" and term.name == "Add":
        return not symbols_in(term) & bound and all(part.kind in ("number", "symbol") for part in term.parts)
    if index and term.kind == "call" and term.name == "Mul":
        return all(part.kind in ("number", "symbol") or _is_reciprocal(part) for part in term.parts) and not (
            symbols_in(term) & bound
        )
    return False


def _is_reciprocal(term: Term) -> bool:
    return term.kind == "call" and term.name == "Pow" and term.parts[0].kind == "number"


def _label_text(term: Term) -> str:
    if term.kind in ("symbol", "number"):
        return term.name
    if term.name == "Add":
        return "+".join(part.name for part in term.parts).replace("+-", "-")
    return "".join(_label_text(part) for part in (term.parts[:1] if term.name == "Pow" else term.parts))


def _unindexed(term: Term, bound: frozenset[str]) -> Term:
    """`a_n`, `Indexed('a', n)` and `a(n)` are one thing unless a sum counts with n."""
    parts = tuple(_unindexed(part, bound) for part in term.parts)
    if term.kind not in ("indexed", "unknown"):
        return Term(term.kind, term.name, parts)
    if parts and all(_is_label(part, bound, term.kind == "indexed") for part in parts):
        return symbol(term.name + "".join(_label_text(part) for part in parts))
    return Term("unknown", term.name, parts)


def symbols_in(term: Term) -> frozenset[str]:
    """The symbols that stand in a term, bound ones included."""
    if term.kind == "symbol":
        return frozenset({term.name})
    return frozenset().union(*map(symbols_in, term.parts))


def renamed(term: Term, old: str, new: str) -> Term:
    """The term with one symbol renamed."""
    if term.kind == "symbol":
        return symbol(new) if term.name == old else term
    if not term.parts:
        return term
    return Term(term.kind, term.name, tuple(renamed(part, old, new) for part in term.parts))


def _always_alike(term: Term) -> frozenset[str]:
    """The unknown functions that stand with the same different symbols everywhere: u(x, t) is then u(t, x)."""
    found: dict[str, set[tuple[Term, ...]]] = {}
    _collect_calls(term, found)
    return frozenset(
        name
        for name, calls in found.items()
        if len(calls) == 1 and all(_distinct_symbols(arguments) for arguments in calls)
    )


def _collect_calls(term: Term, found: dict[str, set[tuple[Term, ...]]]) -> None:
    if term.kind == "unknown":
        found.setdefault(term.name, set()).add(term.parts)
    for part in term.parts:
        _collect_calls(part, found)


def _distinct_symbols(arguments: tuple[Term, ...]) -> bool:
    return all(argument.kind == "symbol" for argument in arguments) and len(set(arguments)) == len(arguments)


def _sorted(term: Term, functions: frozenset[str]) -> Term:
    parts = tuple(_sorted(part, functions) for part in term.parts)
    if term.kind == "unknown" and term.name in functions:
        parts = tuple(sorted(parts, key=lambda part: part.name))
    return Term(term.kind, term.name, parts)
