"""Special functions of neighbouring parameters in terms of one basis, by the relations of their families."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from texlift.verify.proof.elementary import tidied
from texlift.verify.proof.families import Family, family_of, neighbour
from texlift.verify.proof.quotients import TooLargeError

__all__ = ["reduced"]

_FARTHEST = 8  # steps of a parameter
_ROUNDS = 4
_GAMMA = r"\EulerGamma"


def reduced(term: Any) -> tuple[Any, frozenset[str]]:
    """The term in bases, and which functions had relations that were used."""
    used: set[str] = set()
    for _ in range(_ROUNDS):
        calls = {call for call in term.atoms(AppliedUndef) if family_of(call.func.__name__.partition("#")[0])}
        values = {**_grouped(calls), **_multiplied(calls)}
        values = {call: value for call, value in values.items() if call != value}
        if not values:
            break
        used |= {call.func.__name__.partition("#")[0] for call in values}
        term = term.xreplace(values)
    return _with_wronskians(term), frozenset(used)


def _grouped(calls: set[Any]) -> dict[Any, Any]:
    """Each call in terms of the basis at the lowest parameters of its group."""
    groups: dict[Any, list[tuple[Any, int, tuple[Any, ...], tuple[int, ...]]]] = defaultdict(list)
    for call in calls:
        root, _, number = call.func.__name__.partition("#")
        family = family_of(root)
        assert family is not None
        args = list(map(tidied, call.args))
        if root.startswith("hyper"):
            args = _sorted_rows(args, *map(int, root[5:].split(",")))
        steps: list[int] = []
        classes: list[Any] = []
        for place, argument in enumerate(args):
            if place not in family.shifts:
                classes.append(argument)
                continue
            number_part = sympy.Add(*(part for part in sympy.Add.make_args(argument) if part.is_Rational))
            whole = int(sympy.floor(number_part))
            steps.append(whole)
            classes.append(argument - whole)
        groups[root, tuple(classes)].append((call, int(number or 0), tuple(args), tuple(steps)))
    values: dict[Any, Any] = {}
    for (root, class_of), members in groups.items():
        family = family_of(root)
        assert family is not None
        places = sorted(family.shifts)
        base: list[int] = []
        for k, place in enumerate(places):
            steps_here = [member[3][k] for member in members]
            low = min(steps_here) if family.shifts[place][0] == 1 else max(steps_here)
            if family.start is not None and place == family.start[0] and class_of[place] == 0 and low >= 0:
                low = family.start[1]
            if root == _GAMMA and class_of[place].is_Rational:
                low = 1 if class_of[place] == 0 else 0
            base.append(low)
        for call, number, _, taken in members:
            values[call] = _moved(root, family, class_of, places, base, taken, number)
    return values


def _sorted_rows(args: list[Any], above: int, below: int) -> list[Any]:
    """The parameters of a hypergeometric function in an order that does not depend on integers added to them."""

    def key(value: Any) -> Any:
        number = sympy.Add(*(part for part in sympy.Add.make_args(value) if part.is_Rational))
        return sympy.default_sort_key(value - sympy.floor(number)), number

    return [*sorted(args[:above], key=key), *sorted(args[above : above + below], key=key), args[-1]]


def _moved(
    root: str,
    family: Family,
    classes: tuple[Any, ...],
    places: list[int],
    base: list[int],
    steps: tuple[int, ...],
    number: int,
) -> Any:
    """The call as a combination of the basis at the base of its group."""
    if sum(abs(step - low) for step, low in zip(steps, base, strict=True)) > _FARTHEST:
        raise TooLargeError("parameters far from each other")
    args = list(classes)
    for place, low in zip(places, base, strict=True):
        args[place] = args[place] + low
    row = sympy.zeros(1, family.size)
    row[0, number] = 1
    matrices: list[Any] = []
    for k, place in enumerate(places):
        direction, rule = family.shifts[place]
        for _ in range(abs(steps[k] - base[k])):
            if (steps[k] - base[k]) * direction < 0:
                raise TooLargeError("a step back")
            matrices.append(sympy.Matrix(rule(*args)))
            args[place] = args[place] + direction
    for matrix in reversed(matrices):
        row = row * matrix
        if row.has(sympy.zoo, sympy.nan, sympy.oo):
            raise TooLargeError("a relation that breaks down")
    at_base = list(classes)
    for place, low in zip(places, base, strict=True):
        at_base[place] = at_base[place] + low
    basis = _basis(root, family, at_base)
    return sympy.Add(*(row[0, k] * value for k, value in enumerate(basis) if row[0, k] != 0))


def _basis(root: str, family: Family, args: list[Any]) -> list[Any]:
    if family.start is not None and args[family.start[0]] == family.start[1]:
        return list(map(sympy.sympify, family.start[2](*args)))
    if root == _GAMMA and args[0] == 1:
        return [sympy.Integer(1)]
    if root == _GAMMA and args[0] == sympy.Rational(1, 2):
        return [sympy.sqrt(sympy.pi)]
    found = [sympy.Function(neighbour(root, k))(*args) for k in range(family.size)]
    return [*found[:-1], sympy.Integer(1)] if family.rest else found


# -- gamma functions of multiples and opposites ------------------------------------------------------------


def _multiplied(calls: set[Any]) -> dict[Any, Any]:
    """Gamma functions by the formulas of reflection and multiplication, where one occurs beside another."""
    found: dict[Any, list[tuple[Any, Any, Any]]] = defaultdict(list)  # direction: call, multiple, number
    for call in calls:
        if call.func.__name__ != _GAMMA:
            continue
        argument = tidied(call.args[0])
        number = sympy.Add(*(part for part in sympy.Add.make_args(argument) if part.is_Rational))
        multiple, direction = (argument - number).as_content_primitive()
        if direction.is_Add and direction.could_extract_minus_sign():
            multiple, direction = -multiple, sympy.expand(-direction)
        if direction.is_Mul and direction.args[0] == -1:
            multiple, direction = -multiple, -direction
        if direction.free_symbols and multiple.is_Rational:
            found[direction].append((call, multiple, number))
    values: dict[Any, Any] = {}
    for direction, members in found.items():
        multiples = {multiple for _, multiple, _ in members}
        for call, multiple, number in members:
            if multiple < 0 and any(other > 0 for other in multiples) and not (multiple * direction).is_integer:
                opposite = 1 - multiple * direction - number
                angle = sympy.pi * (multiple * direction + number)
                values[call] = sympy.pi / (sympy.sin(sympy.expand(angle)) * sympy.Function(_GAMMA)(opposite))
                continue
            smaller = [other for other in multiples if 0 < other < multiple and (multiple / other).is_Integer]
            if smaller:
                times = int(multiple / min(smaller))
                if times <= 4:
                    values[call] = _product(multiple * direction + number, times)
    return values


def _product(argument: Any, times: int) -> Any:
    """Gauss's multiplication formula, DLMF 5.5.6."""
    part = sympy.expand(argument / times)
    factors = [sympy.Function(_GAMMA)(part + sympy.Rational(k, times)) for k in range(times)]
    front = (2 * sympy.pi) ** sympy.Rational(1 - times, 2) * sympy.Integer(times) ** (argument - sympy.Rational(1, 2))
    return front * sympy.Mul(*factors)


# -- relations between two functions -----------------------------------------------------------------------

_PAIRS: dict[tuple[str, str], Any] = {
    (r"\BesselJ", r"\BesselY"): lambda f, f1, g, n, z: (f1 * g - 2 / (sympy.pi * z)) / f,
    (r"\sphBesselJ", r"\sphBesselY"): lambda f, f1, g, n, z: (f1 * g - 1 / z**2) / f,
    (r"\modBesselI", r"\modBesselK"): lambda f, f1, g, n, z: (1 / z - f1 * g) / f,
    (r"\AiryAi", r"\AiryBi"): lambda f, f1, g, z: (f1 * g + 1 / sympy.pi) / f,
}
"""The neighbour of the second function by their Wronskian: DLMF 10.5.2, 10.50.1, 10.28.2, 9.2.7."""


def _with_wronskians(term: Any) -> Any:
    calls = term.atoms(AppliedUndef)
    values: dict[Any, Any] = {}
    for (first, second), rule in _PAIRS.items():
        for call in calls:
            if call.func.__name__ != neighbour(second, 1):
                continue
            others = [sympy.Function(name)(*call.args) for name in (first, neighbour(first, 1), second)]
            if others[0] in calls or others[1] in calls:
                values[call] = rule(*others, *call.args)
    return term.xreplace(values) if values else _with_squares(term)


def _with_squares(term: Any) -> Any:
    """Legendre's relation of complete elliptic integrals, DLMF 19.7.1."""
    values: dict[Any, Any] = {}
    for call in term.atoms(AppliedUndef):
        if call.func.__name__ == r"\ccompellintEk":
            k = call.args[0]
            big_k, big_e, other = (sympy.Function(name)(k) for name in (
                r"\compellintKk", r"\compellintEk", r"\ccompellintKk"))  # fmt: skip
            if term.has(big_k, big_e):
                values[call] = (sympy.pi / 2 + big_k * other - big_e * other) / big_k
    return term.xreplace(values) if values else term
