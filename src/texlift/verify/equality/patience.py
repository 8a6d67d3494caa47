"""What takes seconds: numeric checks with mpmath, and SymPy. Runs in a worker process."""

from __future__ import annotations

import time
from typing import Any

from texlift.errors import TexliftError
from texlift.meaning.tree import Relation
from texlift.verify.checker import check_here
from texlift.verify.equality.families import Lines, lines_of, parameter_of, same_lines
from texlift.verify.equality.forms import Condition, Form, Numbers, Solutions, Value, form_of
from texlift.verify.equality.judgement import Pair, judged_here
from texlift.verify.equality.result import Equality, different, equal_because
from texlift.verify.equality.source import Source, read_conditions, source_of
from texlift.verify.evaluation import Trust, compile_expression, namespace

__all__ = ["judged_patiently", "prepare"]

_ROUNDS = (0.3, 0.4)  # shares of the time for arithmetic and for the numeric check
_DIGITS = 40
_NEAR = 1e-9
_MANY = 320


def prepare() -> None:
    """Load what a comparison may need, before the clock starts."""
    from texlift.targets.objects import sympy_objects
    from texlift.translate.translator import load

    load()
    namespace(Trust())
    sympy_objects("x^2=1")


def judged_patiently(pair: Pair, seconds: float) -> Equality:
    """The verdict by everything that is there."""
    started = time.process_time()
    found = judged_here(pair, seconds * _ROUNDS[0], patient=True)
    if found.verdict != "undecided" or pair.options.form or pair.options.tolerance:
        return found
    try:
        sources = [source_of(text, pair.declared, pair.semantic) for text in (pair.a, pair.b)]
    except TexliftError:
        return found
    if any(source.reading is None or source.answer.units or source.has_log for source in sources):
        return found
    forms = [form_of(source.reading) for source in sources if source.reading is not None]
    where = read_conditions(pair.where, pair.declared, pair.semantic)
    if all(isinstance(form, Value) and not form.approximate for form in forms):
        left = seconds - (time.process_time() - started)
        checked = _checked(sources, forms, where, pair, left * _ROUNDS[1])
        return checked if checked is not None else _simplified(sources, forms, bool(where), found)
    if found.reason.startswith("the values solve"):
        counted = _counted(sources, forms, bool(where))
        return found if counted is None else counted
    solved = _solved(sources, forms, bool(where))
    return found if solved is None else solved


def _checked(
    sources: list[Source], forms: list[Form], where: tuple[str, ...], pair: Pair, seconds: float
) -> Equality | None:
    """The equation between both sides, checked as any statement is."""
    texts = [_side(source, form) for source, form in zip(sources, forms, strict=True)]
    if texts[0] is None or texts[1] is None:
        return None
    known = {name: " ".join(sorted(one.traits)) for name, one in pair.declared.items() if one.traits}
    verdict = check_here(f"{texts[0]}={texts[1]}", where, seconds, known)
    if verdict.verdict == "proved":
        return equal_because(verdict.reason)
    if verdict.verdict == "verified":
        return equal_because(f"the same values at {verdict.points} points, to {verdict.digits} digits")
    if verdict.verdict == "refuted" and verdict.counterexample is not None and not verdict.holds:
        example = verdict.counterexample
        sides = {"point": example.get("point", {}), "a": example.get("left"), "b": example.get("right")}
        return different("the values differ", sides)
    return None


def _side(source: Source, form: Form) -> str | None:
    """The semantic LaTeX of a value; None where it is part of a longer statement."""
    assert isinstance(form, Value) and source.reading is not None
    if form.name or len(source.reading.statements) != 1 or isinstance(source.reading.statements[0], Relation):
        return None
    return source.reading.source


def _simplified(sources: list[Source], forms: list[Form], conditional: bool, found: Equality) -> Equality:
    """The difference, simplified by SymPy; sums, limits and integrals in closed form."""
    import sympy

    try:
        a, b = (_object(source) for source in sources)
    except (TexliftError, ValueError):
        return found
    a, b = (side.doit() if hasattr(side, "doit") else side for side in (a, b))
    if a in (sympy.oo, -sympy.oo) or b in (sympy.oo, -sympy.oo):
        if a == b:
            return equal_because("both are infinite")
        if all(side.is_number and not side.has(sympy.Sum, sympy.Integral, sympy.Limit) for side in (a, b)):
            return different("an infinity and a number", {"point": {}, "a": str(a), "b": str(b)})
        return found
    if any(side.has(sympy.nan, sympy.zoo, sympy.AccumBounds) for side in (a, b)):
        return found
    if a.is_infinite or b.is_infinite:
        return found
    if sympy.simplify(a - b) == 0:
        return equal_because("the difference simplifies to zero")
    numbers = _numbers(a, b, sources)
    return found if numbers is None else numbers


def _numbers(a: Any, b: Any, sources: list[Source]) -> Equality | None:
    """Two numbers in closed form that differ, and that numeric values confirm."""
    import sympy

    if any(side.free_symbols or side.has(sympy.Sum, sympy.Integral, sympy.Limit, sympy.Product) for side in (a, b)):
        return None
    closed = [complex(side.evalf(_DIGITS)) for side in (a, b)]
    numeric = [_numeric(source) for source in sources]
    if any(
        one is None or abs(one - other) > _NEAR * max(1, abs(other)) for one, other in zip(numeric, closed, strict=True)
    ):
        return None
    if abs(closed[0] - closed[1]) <= 100 * _NEAR * max(1, *map(abs, closed)):
        return None
    return different("the values differ", {"point": {}, "a": str(a), "b": str(b)})


def _numeric(source: Source) -> complex | None:
    """The value that mpmath computes for an expression without letters."""
    assert source.reading is not None
    try:
        code, _ = compile_expression(source.reading.statements[0], source.reading.source, namespace(Trust()))
        return complex(code({}))
    except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError, AttributeError, TexliftError):
        return None


def _object(source: Source) -> Any:
    import sympy

    from texlift.targets.objects import sympy_objects

    assert source.reading is not None
    objects = sympy_objects(source.reading.source)
    if len(objects) != 1:
        raise ValueError("several statements")
    found = sympy.Integer(objects[0]) if isinstance(objects[0], int) else objects[0]
    if not isinstance(found, sympy.Expr):
        raise ValueError("no expression")
    letters = {letter: sympy.Symbol(letter.name, real=True) for letter in getattr(found, "free_symbols", ())}
    return found.subs(letters) if letters else found


def _solved(sources: list[Source], forms: list[Form], conditional: bool) -> Equality | None:
    """Equations and inequalities in one letter, solved over the real numbers by SymPy."""
    import sympy

    if conditional:
        return None
    sets = []
    for source, form in zip(sources, forms, strict=True):
        try:
            made = _set(source, form)
        except (TexliftError, ValueError, NotImplementedError, TypeError):
            return None
        if made is None or made.has(sympy.ConditionSet) or made.has(sympy.Dummy):
            return None
        sets.append(made)
    a, b = sets
    if a == b:
        return equal_because("the same solutions")
    gap = a.symmetric_difference(b)
    if gap.is_empty:
        return equal_because("the same solutions")
    if isinstance(a, sympy.FiniteSet) and isinstance(b, sympy.FiniteSet):
        return _finite(a, b)
    return None


def _counted(sources: list[Source], forms: list[Form], conditional: bool) -> Equality | None:
    """Values that solve an equation: whether SymPy finds as many, or the same family."""
    import sympy

    if isinstance(forms[1], Solutions):
        sources, forms = sources[::-1], forms[::-1]
    values, condition = forms
    if conditional or not isinstance(values, Solutions) or not isinstance(condition, Condition):
        return None
    try:
        found = _set(sources[1], condition)
    except (TexliftError, ValueError, NotImplementedError, TypeError):
        return None
    parameter = parameter_of(values.values, values.parameters)
    if parameter:
        lines, theirs = lines_of(values.values, parameter), _image_lines(found)
        return None if lines is None or theirs is None else same_lines(lines, theirs)
    if _image_lines(found) is not None:
        example = {"point": {}, "a": str(len(values.values)), "b": "infinitely many"}
        return different("the equation has infinitely many solutions", example)
    if isinstance(found, sympy.FiniteSet) and len(found) == len(values.values):
        return equal_because("the values are all solutions")
    if isinstance(found, sympy.FiniteSet) and len(found) > len(values.values):
        example = {"point": {}, "a": str(len(values.values)), "b": str(found)}
        return different("the equation has more solutions", example)
    return None


def _image_lines(found: Any) -> Lines | None:
    """`{a n + b | n an integer}` and unions of such sets."""
    import flint
    import sympy

    lines: Lines = []
    for part in found.args if isinstance(found, sympy.Union) else (found,):
        if not isinstance(part, sympy.ImageSet) or part.base_sets != (sympy.S.Integers,):
            return None
        values = [part.lamda(number) for number in (0, 1, 2, 5)]
        step = values[1] - values[0]
        if sympy.simplify(values[2] - values[1] - step) != 0 or sympy.simplify(values[3] - values[0] - 5 * step) != 0:
            return None
        old = flint.ctx.prec
        try:
            flint.ctx.prec = 1200
            pair = [flint.arb(str(value.evalf(_MANY))) + flint.arb(0, 1e-300) for value in (values[0], step)]
        finally:
            flint.ctx.prec = old
        lines.append((pair[0], pair[1]))
    return lines or None


def _finite(a: Any, b: Any) -> Equality | None:
    """Finite sets: each member has a partner that simplifies to the same, or none that is near."""
    import sympy

    for mine, others, first in ((a, b, True), (b, a, False)):
        for member in mine:
            if any(sympy.simplify(member - other) == 0 for other in others):
                continue
            if all(abs((member - other).evalf(_DIGITS)) > 1e-12 for other in others):
                side = "the first" if first else "the second"
                example = {"point": {}, "a": str(a), "b": str(b)}
                return different(f"{member} is a solution of {side} only", example)
            return None
    return equal_because("the same solutions")


def _set(source: Source, form: Form) -> Any:
    """The set of real numbers that a form stands for."""
    import sympy

    from texlift.targets.objects import sympy_objects

    assert source.reading is not None
    if not isinstance(form, Solutions | Condition | Numbers):
        return None
    objects = sympy_objects(source.reading.source)
    parts = []
    for one in objects:
        letters = sorted(getattr(one, "free_symbols", ()), key=str)
        if isinstance(one, sympy.Set):
            parts.append(one)
            continue
        if len(letters) != 1:
            return None
        real = sympy.Symbol("x", real=True)
        parts.append(sympy.solveset(one.subs(letters[0], real), real, sympy.S.Reals))
    if not parts:
        return None
    if isinstance(form, Solutions):
        return sympy.Union(*parts)
    return sympy.Intersection(*parts) if len(parts) > 1 else parts[0]
