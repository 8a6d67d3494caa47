"""SymPy objects of a formula, built node by node, with the assumptions that are certain about its letters.

Nothing evaluates text: the trees that `writers/sympy.py` makes are compiled with a fixed set of names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from texlift.errors import FormulaError, fenced
from texlift.extras import require
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import NUMBERS, Declarations
from texlift.meaning.letters import Letter, letters_of, without_conditions
from texlift.meaning.reader.names import identifier
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.structure.decision import NO_CHOICES, Choices
from texlift.meaning.structure.places import Usage
from texlift.targets.alternatives import as_one
from texlift.targets.fields import in_coordinates
from texlift.targets.magnitude import refuse_giants
from texlift.targets.namespace import namespace
from texlift.targets.shapes import Shape, doubts_about, identities, shapes_of
from texlift.targets.table import load_table
from texlift.targets.units import units_of
from texlift.targets.writers.pycode import Environment, compile_tree
from texlift.targets.writers.sympy import SympyBuilder

__all__ = ["Objects", "build", "sympy_objects"]

REFUSALS = (ArithmeticError, AttributeError, IndexError, NotImplementedError, TypeError, ValueError)
"""What SymPy throws at what it refuses: an order of booleans, a letter that is no set."""

_ASSUMPTIONS = {
    "complex": {"complex": True},
    "real": {"real": True},
    "rational": {"rational": True},
    "irrational": {"irrational": True},
    "integer": {"integer": True},
    "prime": {"prime": True},
    "even": {"even": True},
    "odd": {"odd": True},
    "positive": {"positive": True},
    "negative": {"negative": True},
    "nonnegative": {"nonnegative": True},
    "nonpositive": {"nonpositive": True},
    "nonzero": {"zero": False},  # SymPy's own `nonzero` says that a number is real
    "imaginary": {"imaginary": True},
    "finite": {"finite": True},
}


@dataclass(frozen=True, slots=True)
class Objects:
    """The statements of a formula as SymPy objects, what was decided on the way, and the object of each letter."""

    statements: tuple[Any, ...]
    warnings: tuple[str, ...] = ()
    letters: tuple[tuple[str, Any], ...] = ()

    @property
    def whole(self) -> Any:
        """The one object, or the list of several."""
        return self.statements[0] if len(self.statements) == 1 else list(self.statements)


def sympy_objects(
    semantic: str, declare: Mapping[str, str] | Declarations | None = None, assume: bool = True
) -> tuple[Any, ...]:
    """The statements of semantic LaTeX as SymPy objects. See `build`."""
    return build(semantic, declare, assume).statements


def build(
    semantic: str,
    declare: Mapping[str, str] | Declarations | None = None,
    assume: bool = True,
    spelling: Callable[[str, str], str] | None = None,
    choices: Choices = NO_CHOICES,
    document: Usage | None = None,
) -> Objects:
    r"""The statements of semantic LaTeX as SymPy objects.

    Symbols carry what is declared, what conditions beside the statement say (`n\in\mathbb{N}`) and what their places do
    (the index of a sum is an integer); nothing if `assume` is false, and conditions are statements then. `spelling`
    names a letter, given its TeX name and its identifier; `document` says how other formulae use letters. Raises
    FormulaError where SymPy has no counterpart.
    """
    require("sympy")
    semantic = unwrapped(semantic)
    with fenced(semantic, "building SymPy objects"):
        reading = read(semantic, declared=Declarations.of(declare), choices=choices, document=document)
        return _Construction(reading, assume, spelling).objects()


def _spelled(tex: str, label: str) -> str:
    """The name of a letter: only code must avoid `E` and `lambda`; what code tells apart is told apart here."""
    usual = identifier(tex, SympyBuilder.separator, load_table("sympy").reserved)
    return identifier(tex) if label == usual else label


class _Construction:
    """The objects of one formula."""

    def __init__(self, reading: Reading, assume: bool, spelling: Callable[[str, str], str] | None) -> None:
        self.reading = reading
        self.assume = assume
        self.spelling = spelling or _spelled
        self.letters = letters_of(reading)
        self.shapes: dict[str, Shape] = shapes_of(reading)
        self.identity = identities(reading, self.shapes)

    def objects(self) -> Objects:
        merged = as_one(self.reading)
        reading = self.reading if merged is None else replace(self.reading, statements=merged, split=False)
        stated = without_conditions(reading) if self.assume else reading.statements
        statements, cautions = in_coordinates(stated, self.reading)
        units = units_of(statements, self.reading)
        builder = SympyBuilder(self.reading.source)
        builder.units = {place: name for place, (name, _) in units.items()}
        cautions = (*cautions, *self._doubts())
        statements = builder.approached(tuple(statements))
        for statement in statements:
            refuse_giants(statement, self.reading.source)
        trees = [builder.build(statement) for statement in statements]
        try:
            made = {tex: self._object(tex, label, builder) for tex, label in builder.symbols.items()}
            environment: Environment = {builder.symbols[tex]: value for tex, value in made.items()}
            environment.update((f"unit {name}", unit) for name, unit in units.values())
            environment.update(self._functions(builder))
            found = tuple(_sympified(compile_tree(tree, namespace())(environment)) for tree in trees)
        except REFUSALS as error:
            raise self._refused(error, builder) from None
        shown = tuple((tex, value) for tex, value in made.items() if tex not in builder.functions and tex != "t_")
        measured = tuple(f"{name} was read as a unit" for name in dict.fromkeys(name for name, _ in units.values()))
        named = {f"{name} was read as a name" for name, _ in units.values()}
        warnings = (*(w for w in self.reading.warnings if w not in named), *builder.cautions, *cautions, *measured)
        return Objects(found, warnings, shown)

    def _doubts(self) -> list[str]:
        """Warnings of letters that may be matrices; a letter that may be a vector behind a matrix is an error."""
        found: list[str] = []
        for letter, likely in doubts_about(self.reading, self.shapes):
            if likely == "vector":
                reason = f"{letter.name} behind a matrix: a number or a vector?"
                hint = f"declare it: {letter.name}: vector"
                raise FormulaError(reason, self.reading.source, letter.span, hint, "unsupported")
            found.append(f"{letter.name} was read as a number; declare it if it is a {likely}")
        inferred = [n for n, shape in self.shapes.items() if "1" not in shape and n not in self.reading.declared]
        found += [f"{name} was read as a matrix" for name in inferred if name not in self.identity]
        return list(dict.fromkeys(found))

    def _refused(self, error: Exception, builder: SympyBuilder) -> FormulaError:
        source = self.reading.source
        if sets := [note.split()[0] for note in builder.notes if note.endswith("stands for a set")]:
            reason = f"{sets[0]} stands for a set, and SymPy has no symbols for sets"
            return FormulaError(reason, source, (0, len(source)), "write the set out: an interval, numbers", "refused")
        own = isinstance(error, _MismatchError)
        reason = str(error) if own else f"SymPy refuses this ({type(error).__name__}: {error})"
        return FormulaError(reason, source, (0, len(source)), _DECLARE if own else "", "refused")

    # -- letters ---------------------------------------------------------------------------------------

    def _object(self, tex: str, label: str, builder: SympyBuilder) -> Any:
        """The object that a letter stands for."""
        import sympy

        name = self.spelling(tex, label)
        if tex in self.identity and tex not in self.reading.declared:
            rows = next((shape[0] for shape in self.shapes.values()), "n")
            return sympy.Identity(self._size(rows))
        if tex in self.shapes:
            rows, columns = self.shapes[tex]
            return sympy.MatrixSymbol(name, self._size(rows), self._size(columns))
        letter = self.letters.get(tex, Letter(tex))
        if label in builder.random or letter.role == "random":
            from sympy.stats.rv import RandomSymbol

            return RandomSymbol(name)
        if label in builder.noncommutative or letter.role == "operator":
            from sympy.physics.quantum import Operator

            return Operator(name)
        return sympy.Symbol(name, **self._assumptions(letter))

    def _assumptions(self, letter: Letter) -> dict[str, bool]:
        if not self.assume:
            return {}
        found: dict[str, bool] = {}
        for trait in sorted(letter.traits):
            found.update(_ASSUMPTIONS[trait])
        if letter.name in {size for shape in self.shapes.values() for size in shape}:
            found.update(integer=True, positive=True)
        return found

    def _size(self, size: str) -> Any:
        import sympy

        if size.isdigit():
            return sympy.Integer(int(size))
        return sympy.Symbol(size, integer=True, positive=True)

    # -- functions that look at what they are given --------------------------------------------------------

    def _functions(self, builder: SympyBuilder) -> Environment:
        import sympy

        of_label = {label: tex for tex, label in builder.symbols.items()}

        def function(label: str) -> Any:
            tex = of_label.get(label, label)
            letter = self.letters.get(tex, Letter(tex))
            traits = self._assumptions(letter) if letter.role not in NUMBERS else {}
            return sympy.Function(self.spelling(tex, label), **traits)

        def indexed(label: str, *indices: Any) -> Any:
            base = sympy.IndexedBase(self.spelling(of_label.get(label, label), label))
            return sympy.Indexed(base, *indices)

        return {
            "Function": function,
            "Indexed": indexed,
            "Eq": lambda *sides, **options: _related(sympy.Eq, *sides, **options),
            "Ne": lambda *sides, **options: _related(sympy.Ne, *sides, **options),
            "Dot": _dot,
            "Cross": _cross,
        }


def _sympified(value: Any) -> Any:
    """Python's own numbers and pairs as SymPy's; a list stays a list."""
    import sympy

    if isinstance(value, list):
        return [_sympified(item) for item in value]
    if isinstance(value, tuple):
        return sympy.Tuple(*map(_sympified, value))
    return sympy.sympify(value, strict=True) if isinstance(value, int | float | complex) else value


_DECLARE = "say what the letters are: declare A as a matrix, x as a vector"


class _MismatchError(TypeError):
    """A matrix beside a number, or matrices whose sizes do not fit."""


def _related(relation: Any, left: Any, right: Any, **options: Any) -> Any:
    """An equation; a zero beside a matrix is one of zeros, a list beside a vector its components."""
    import sympy

    if isinstance(right, tuple) and getattr(left, "is_Matrix", False) and left.shape[1] == 1:
        right = sympy.Matrix(right)
    elif isinstance(left, tuple) and getattr(right, "is_Matrix", False) and right.shape[1] == 1:
        left = sympy.Matrix(left)
    shapes: list[Any] = [side.shape if getattr(side, "is_Matrix", False) else None for side in (left, right)]
    if shapes[0] is not None and shapes[1] is not None:
        known = [all(size.is_Integer for size in map(sympy.sympify, shape)) for shape in shapes]
        if all(known) and shapes[0] != shapes[1]:
            sizes = " and ".join(f"{rows}x{columns}" for rows, columns in shapes)
            raise _MismatchError(f"the sizes of the two sides differ: {sizes}")
    elif shapes[0] is not None and right == 0:
        right = _zeros(left)
    elif shapes[1] is not None and left == 0:
        left = _zeros(right)
    elif shapes != [None, None]:
        matrix, number = (left, right) if shapes[0] is not None else (right, left)
        if shapes[0] != (1, 1) and shapes[1] != (1, 1):
            raise _MismatchError(f"{str(matrix)[:60]} is a matrix, {str(number)[:60]} is not")
    return relation(left, right, **options)


def _zeros(matrix: Any) -> Any:
    import sympy

    explicit = isinstance(matrix, sympy.MatrixBase)
    return sympy.zeros(*matrix.shape) if explicit else sympy.ZeroMatrix(*matrix.shape)


def _explicit(vector: Any) -> Any:
    import sympy

    if isinstance(vector, tuple | list):
        return sympy.Matrix(vector)
    return vector if isinstance(vector, sympy.MatrixBase) else vector.as_explicit()


def _dot(left: Any, right: Any) -> Any:
    """The scalar product: of vectors of unknown size it stays unevaluated."""
    import sympy
    from sympy.matrices.expressions.dotproduct import DotProduct

    sides = [sympy.Matrix(side) if isinstance(side, tuple | list) else side for side in (left, right)]
    if not all(getattr(side, "is_Matrix", False) for side in sides):
        raise _MismatchError("the scalar product of something that is no vector")
    if any(isinstance(side, sympy.MatrixBase) for side in sides):
        return _explicit(sides[0]).dot(_explicit(sides[1]))
    return DotProduct(*sides)


def _cross(left: Any, right: Any) -> Any:
    """The vector product, component by component."""
    sides = [left, right]
    if not all(isinstance(side, tuple | list) or getattr(side, "is_Matrix", False) for side in sides):
        raise _MismatchError("the vector product of something that is no vector")
    return _explicit(left).cross(_explicit(right))
