"""Python functions of formulae, by SymPy's `lambdify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from texlift.errors import TexliftError
from texlift.targets.objects import REFUSALS, Objects

__all__ = ["function_of"]

_MOST_TERMS = 10_000_000  # most terms of a sum that is computed at each call


def function_of(
    objects: Objects, arguments: Sequence[str] | None = None, modules: str | Sequence[str] | None = None
) -> Callable[..., Any]:
    """The value of a formula as a function of its letters.

    `y=...` and `f(x)=...` give their right-hand side. `arguments` names the letters in the order wanted; without it,
    those of `f(x,y)` come first, then the others as they first appear. `modules` is SymPy's: by default SciPy and
    NumPy, without SciPy special functions are mpmath's and take no arrays. Raises TexliftError where there is no value.
    """
    import sympy

    if len(objects.statements) != 1:
        raise TexliftError(f"{len(objects.statements)} statements are no function; take one of sympy()")
    value, leading = _defined(objects.statements[0])
    value = _done(value)
    for kind in (sympy.core.function.AppliedUndef, sympy.Derivative, sympy.Limit, sympy.Indexed):
        unknown = sorted(map(str, value.atoms(kind)))
        if unknown:
            raise TexliftError(f"{unknown[0]} has no known value; give a formula without it")
    _refuse_endless(value)
    order = _arguments(value, leading, objects, arguments)
    chosen = modules or (["scipy", "numpy"] if _has_scipy() else ["numpy", "mpmath"])
    try:
        made: Callable[..., Any] = sympy.lambdify(order, value, modules=chosen)
    except REFUSALS as error:
        raise TexliftError(f"SymPy makes no function of this ({type(error).__name__}: {error})") from None
    return made


def _has_scipy() -> bool:
    try:
        return find_spec("scipy") is not None
    except ModuleNotFoundError:
        return False


def _defined(statement: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a statement defines, and the arguments of the function on its left; an expression is its own value."""
    import sympy

    if not isinstance(statement, sympy.Basic | sympy.MatrixBase):
        raise TexliftError("a list is no function; take one of its items from sympy()")
    if isinstance(statement, sympy.Eq):
        left, right = statement.args
        letter = left.is_Symbol or isinstance(left, sympy.MatrixSymbol)
        if letter and left not in right.free_symbols:
            return right, ()
        applied = isinstance(left, sympy.core.function.AppliedUndef) and all(one.is_Symbol for one in left.args)
        if applied and not right.has(left.func):
            return right, left.args
        raise TexliftError("this equation defines nothing: take sympy().lhs or .rhs, or solve it")
    return statement, ()


def _done(value: Any) -> Any:
    """Derivatives, limits and substitutions carried out; sums and integrals are left to numerical code."""
    import sympy

    found = value.atoms(sympy.Derivative, sympy.Limit, sympy.Subs)
    if not found:
        return value
    return value.xreplace({one: one.doit() for one in found})


def _refuse_endless(value: Any) -> None:
    """Sums of infinitely or far too many terms are not computed at each call."""
    import sympy

    for series in value.atoms(sympy.Sum, sympy.Product):
        for _, low, high in series.limits:
            terms = high - low
            if terms.is_infinite or (terms.is_number and terms > _MOST_TERMS):
                raise TexliftError("a sum of infinitely many terms; try sympy().doit() for a closed form")
    for integral in value.atoms(sympy.Integral):
        if any(len(limit) < 3 for limit in integral.limits):
            raise TexliftError("an indefinite integral is no number; try sympy().doit()")


def _arguments(value: Any, leading: tuple[Any, ...], objects: Objects, names: Sequence[str] | None) -> list[Any]:
    import sympy

    used = value.free_symbols | value.atoms(sympy.MatrixSymbol)
    known = {tex: made for tex, made in objects.letters if made in used or made in leading}
    if names is None:
        rest = [made for made in known.values() if made not in leading]
        return [*leading, *rest]
    by_name = {**{str(made): made for made in known.values()}, **known}
    unknown = [name for name in names if name not in by_name]
    missing = [str(made) for made in known.values() if made in used and made not in [by_name.get(n) for n in names]]
    if unknown or missing:
        wrong = f"{unknown[0]} is no letter of it" if unknown else f"{missing[0]} is missing"
        raise TexliftError(
            f"the arguments do not fit the formula: {wrong}; it has {', '.join(map(str, known.values()))}"
        )
    return [by_name[name] for name in names]
