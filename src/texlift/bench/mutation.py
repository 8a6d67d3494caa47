"""True equations made wrong on purpose, to see whether the check notices.

Four ways, each at a random place of the right-hand side: a sign changed, a factor 2, two arguments of a function
swapped, an index shifted by one. What is made is not always wrong: functions may be symmetric, even or zero. So
each is kept only if its right-hand side is shown to have another value, at points and with digits that the check
does not use; this compares the new right-hand side with the old one, the check compares it with the left.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from texlift.bench.runnable import limited
from texlift.errors import FormulaError, Span
from texlift.meaning.reader.reading import read, semantic_signatures
from texlift.meaning.tree import Apply, Expression, Relation, walk
from texlift.meaning.tree import Sequence as Listed

__all__ = ["KINDS", "Mutation", "mutations", "shown_wrong"]

KINDS = ("sign", "factor", "swap", "shift")
_SEED = 7919  # other points than those of the check
_POINTS = 6
_DIGITS = 25
_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Mutation:
    """The new formula, and how it was made."""

    kind: str
    semantic: str


def mutations(semantic: str, seed: int = 5) -> list[Mutation]:
    """At most one version of each kind. Empty where the formula is no plain equation."""
    try:
        reading = read(semantic)
    except FormulaError:
        return []
    statement = reading.statements[0]
    signs = semantic.count("=") == 1
    plain = (
        signs and len(reading.statements) == 1 and not reading.split and "&" not in semantic and r"\\" not in semantic
    )
    if not plain or not isinstance(statement, Relation) or statement.operators != ("=",):
        return []
    draw = random.Random(f"{seed} {semantic}")
    right = statement.operands[1]
    side = (semantic.index("=", statement.operands[0].span[1]) + 1, len(semantic.rstrip(" .,;")))
    found = [
        Mutation("sign", _sign(semantic, _term(semantic, right, side, draw))),
        Mutation("factor", _factor(semantic, _term(semantic, right, side, draw))),
    ]
    for kind, places in (("swap", list(_swaps(semantic, right))), ("shift", list(_shifts(semantic, right)))):
        if places:
            found.append(Mutation(kind, draw.choice(places)))
    return [mutation for mutation in found if _readable(mutation.semantic)]


def _readable(semantic: str) -> bool:
    try:
        read(semantic)
    except FormulaError:
        return False
    return True


def _term(semantic: str, right: Expression, side: Span, draw: random.Random) -> Span:
    """Where the whole side, or one of its terms, stands; a term with its minus sign."""
    places = [side]
    if isinstance(right, Apply) and right.head == "plus":
        places += [term.span for term in right.arguments]
    start, end = draw.choice(places)
    text = semantic[start:end]
    # The span of a term may leave out parentheses around its first factor.
    return (start, end) if all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")) else side


def _sign(semantic: str, place: Span) -> str:
    text = semantic[place[0] : place[1]]
    return f"{semantic[: place[0]]}{_joint(semantic, place)}\\left(-\\left({text}\\right)\\right){semantic[place[1] :]}"


def _factor(semantic: str, place: Span) -> str:
    text = semantic[place[0] : place[1]]
    return f"{semantic[: place[0]]}{_joint(semantic, place)}2\\left({text}\\right){semantic[place[1] :]}"


def _joint(semantic: str, place: Span) -> str:
    """A term that begins with its minus sign needs a plus before the parentheses it is put in."""
    return "+" if semantic[place[0] : place[1]].startswith("-") and semantic[place[0] - 1] not in "=({" else ""


def _calls(right: Expression) -> Iterator[Apply]:
    for node in walk(right):
        if isinstance(node, Apply) and node.head[0] == "\\" and not any(isinstance(a, Listed) for a in node.arguments):
            yield node


def _swaps(semantic: str, right: Expression) -> Iterator[str]:
    """The formula with two neighbouring arguments of a function swapped."""
    for node in _calls(right):
        for first, second in zip(node.arguments, node.arguments[1:], strict=False):
            (a, b), (c, d) = first.span, second.span
            if not (node.span[0] < a < b <= c < d <= node.span[1]) or semantic[a:b] == semantic[c:d]:
                continue
            yield semantic[:a] + semantic[c:d] + semantic[b:c] + semantic[a:b] + semantic[d:]


def _shifts(semantic: str, right: Expression) -> Iterator[str]:
    """The formula with 1 added to the first parameter of a function, its order, degree or index."""
    for node in _calls(right):
        signature = semantic_signatures().calls.get(node.head)
        if signature is None or not signature.parameters or not node.arguments:
            continue
        start, end = node.arguments[0].span
        if node.span[0] < start < end <= node.span[1] and semantic[start - 1] == "{" and semantic[end : end + 1] == "}":
            yield f"{semantic[:end]}+1{semantic[end:]}"


def shown_wrong(
    semantic: str, mutated: str, constraints: Sequence[str] = (), symbols: Mapping[str, str] | None = None
) -> bool:
    """Whether both right-hand sides differ at two points or more, to 25 digits; False also where that is not known."""
    try:
        with limited(_SECONDS):
            return _differences(semantic, mutated, constraints, symbols or {}) >= 2
    except (FormulaError, TimeoutError, RecursionError):
        return False


def _differences(semantic: str, mutated: str, constraints: Sequence[str], known: Mapping[str, str]) -> int:
    from mpmath import mp

    from texlift.verify.conditions import unsettled
    from texlift.verify.letters import customary_definitions
    from texlift.verify.setting import Setting
    from texlift.verify.statement import claim_of

    known = unsettled(known, constraints)
    old, new = (_right(text) for text in (semantic, mutated))
    claim = claim_of(semantic, known)
    customary = customary_definitions(claim, excerpt=True)
    setting = Setting(semantic, claim, constraints, known, _SEED, customary[0] if customary else None, excerpt=True)
    sides = [setting.compiled(side) for side in (old, new)]
    found = 0
    points = _POINTS if setting.sampler.domains else 2
    for number in range(points):
        point = setting.sampler.gentle(number % 3)
        if point is None:
            continue
        try:
            with mp.workdps(_DIGITS):
                setting.trust.reset()
                a, b = (mp.mpmathify(side(setting.environment(point))) for side in sides)
                finite = not (mp.isnan(a) or mp.isnan(b) or mp.isinf(a) or mp.isinf(b))
                gap = max(1e-6, 1000 * setting.trust.error) * max(abs(a), abs(b))
                found += bool(finite and abs(a - b) > gap)
        except TimeoutError:
            break  # decide on the points so far
        except Exception:  # noqa: BLE001  a point that cannot be evaluated says nothing
            continue
    return found


def _right(text: str) -> Expression:
    statement = read(text).statements[0]
    assert isinstance(statement, Relation)
    return statement.operands[1]
