"""SymPy objects of formulae: they compute, carry what is certain about their letters, and never hang."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest

sympy = pytest.importorskip("sympy")

import texlift  # noqa: E402
from texlift.bench.surviving import cases, outcome  # noqa: E402
from texlift.errors import FormulaError, TexliftError  # noqa: E402
from texlift.targets.objects import build, sympy_objects  # noqa: E402

CASES = cases()


def translated(latex: str, declare: dict[str, str] | None = None) -> texlift.Translation:
    return texlift.translate(latex, alternatives=0, declare=declare)


def made(latex: str, declare: dict[str, str] | None = None) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", texlift.ConversionWarning)
        return translated(latex, declare).sympy()


@pytest.mark.parametrize("case", [c for c in CASES if c["do"] not in ("lambdify", "refuse")], ids=lambda c: c["latex"])
def test_ordinary_formulae_compute(case: dict[str, Any]) -> None:
    assert outcome(case) == case["expect"]


@pytest.mark.parametrize("case", [c for c in CASES if c["do"] == "lambdify"], ids=lambda c: c["latex"])
def test_ordinary_formulae_become_functions(case: dict[str, Any]) -> None:
    pytest.importorskip("scipy")
    assert outcome(case) == pytest.approx(case["expect"], abs=1e-9)


@pytest.mark.parametrize("case", [c for c in CASES if c["do"] == "refuse"], ids=lambda c: c["latex"])
def test_what_sympy_cannot_say_is_an_error(case: dict[str, Any]) -> None:
    with pytest.raises(TexliftError):
        made(case["latex"])


# -- letters -------------------------------------------------------------------------------------------------


def symbol(found: Any, name: str) -> Any:
    (letter,) = {one for one in found.free_symbols | found.atoms(sympy.Symbol) if one.name == name}
    return letter


def test_declared_letters_carry_assumptions() -> None:
    found = made(r"\sqrt{x^2}+n+z", {"x": "positive", "n": "integer", "z": "nonzero complex"})
    assert found == sympy.Symbol("x", positive=True) + sympy.Symbol("n", integer=True) + sympy.Symbol(
        "z", complex=True, zero=False
    )


def test_nothing_is_assumed_of_letters_that_nothing_is_said_of() -> None:
    assert made("n+k+x") == sum(sympy.symbols("n k x"))


def test_conditions_beside_a_statement_become_assumptions() -> None:
    found = made(r"\int_0^1 x^n\,dx=\frac{1}{n+1},\quad n\in\mathbb{N}")
    assert isinstance(found, sympy.Eq)
    assert symbol(found, "n").is_integer
    assert symbol(found, "n").is_nonnegative
    assert made("x^2=2, x>0").free_symbols == {sympy.Symbol("x", positive=True)}


def test_a_condition_that_assumptions_cannot_say_stays_a_statement() -> None:
    found = made("x^2=y, x>1")
    assert [str(part) for part in found] == ["Eq(x**2, y)", "x > 1"]


def test_a_condition_alone_is_the_statement() -> None:
    assert made("x>0") == (sympy.Symbol("x") > 0)
    assert made(r"n\in\mathbb{Z}") == sympy.Contains(sympy.Symbol("n"), sympy.S.Integers)


def test_the_index_of_a_sum_is_an_integer_unless_the_letter_is_free_elsewhere() -> None:
    assert symbol(made(r"\sum_{k=0}^m x^k"), "k").is_integer
    assert symbol(made(r"k+\sum_{k=0}^m x^k"), "k").is_integer is None


def test_assumptions_can_be_left_out() -> None:
    found = translated(r"\sum_{k=0}^n x^k", {"x": "real"}).sympy(assume=False)
    assert all(letter.assumptions0 == {"commutative": True} for letter in found.atoms(sympy.Symbol))


def test_contradictory_assumptions_are_an_error() -> None:
    with pytest.raises(FormulaError, match="refuse"):
        made("x^2=y, x>0", {"x": "imaginary"})


# -- matrices, vectors, units, fields, states -------------------------------------------------------------------


def test_declared_matrices_have_their_sizes_and_do_not_commute() -> None:
    found = made("AB-BA", {"A": "matrix(2,2)", "B": "matrix(2,2)"})
    A, B = sympy.MatrixSymbol("A", 2, 2), sympy.MatrixSymbol("B", 2, 2)
    assert found == A * B - B * A


def test_letters_multiplied_in_both_orders_are_matrices() -> None:
    found = made(r"AB\neq BA")
    assert found.lhs != found.rhs


def test_an_identity_matrix_beside_matrices() -> None:
    found = made(r"\det(A-\lambda I)=0", {"A": "matrix(2,2)"})
    assert sympy.Identity(2) in found.atoms(sympy.Identity)


def test_sizes_that_do_not_fit_and_numbers_beside_matrices_are_errors() -> None:
    with pytest.raises(FormulaError):
        made("Ax=b", {"A": "matrix(2,3)", "x": "vector(2)", "b": "vector(2)"})
    with pytest.raises(FormulaError, match="is a matrix"):
        made("A=5", {"A": "matrix(2,2)"})


def test_a_zero_beside_a_matrix_is_one_of_zeros() -> None:
    assert made("Ax=0", {"A": "matrix(2,2)", "x": "vector(2)"}).rhs == sympy.ZeroMatrix(2, 1)


def test_a_matrix_need_not_be_square_because_it_has_a_transpose() -> None:
    found = made(r"(X^TX)^{-1}X^T\mathbf{y}")
    assert found.has(sympy.MatMul)
    assert not any(shape[0] == shape[1] for shape in {one.shape for one in found.atoms(sympy.MatrixSymbol)})


def test_a_letter_behind_a_matrix_must_be_declared() -> None:
    with pytest.raises(FormulaError, match="a number or a vector"):
        made("Ax", {"A": "matrix(2,2)"})
    assert made("Ax", {"A": "matrix(2,2)", "x": "vector(2)"}).shape == (2, 1)
    assert made("Ax", {"A": "matrix(2,2)", "x": "real"}).shape == (2, 2)


def test_letters_that_may_be_matrices_are_reported() -> None:
    with pytest.warns(texlift.ConversionWarning, match="X was read as a number"):
        translated(r"\mathbf{y}=X\mathbf{b}").sympy()
    assert made(r"A=U\Sigma V^T").rhs.args[0] == sympy.MatrixSymbol(
        "U", *sympy.symbols("n n", integer=True, positive=True)
    )


def test_a_vector_and_its_components() -> None:
    found = made(r"\mathbf{b}=(b_1,b_2,b_3)")
    assert found.lhs.shape == found.rhs.shape == (3, 1)


def test_the_size_of_undeclared_vectors_is_no_letter_of_the_formula() -> None:
    found = made(r"\mathbf{x}=n\mathbf{y}")
    (vector,) = {one for one in found.atoms(sympy.MatrixSymbol) if one.name.endswith("x")}
    assert str(vector.shape[0]) != "n"


def test_units_are_upright_behind_numbers_and_italic_letters_stay_letters() -> None:
    from sympy.physics import units

    found = made(r"F=m\cdot 5\,\mathrm{m}/\mathrm{s}^2")
    assert found.rhs == sympy.Symbol("m") * 5 * units.meter / units.second**2


def test_nabla_of_a_letter_is_not_zero() -> None:
    found = made(r"\nabla^2u=0").lhs.doit()
    assert found != 0
    assert len(found.args) == 3


def test_states_of_quantum_mechanics() -> None:
    from sympy.physics.quantum import Bra, Commutator, Ket, Operator

    assert made(r"|\psi\rangle") == Ket("psi")
    assert made(r"\langle\phi|\psi\rangle") == Bra("phi") * Ket("psi")
    x, p = Operator("hat_x"), Operator("hat_p")
    assert made(r"[\hat{x},\hat{p}]=i\hbar").lhs == Commutator(x, p)
    assert made("|x|") == sympy.Abs(sympy.Symbol("x"))


# -- exactness and limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", [r"\frac{1-3}{2+1}", r"(1-3)^{-3}", r"\frac{2\cdot3}{4}", r"\frac{-1}{3}"])
def test_fractions_of_integers_are_exact(formula: str) -> None:
    assert made(formula).is_Rational


def test_numbers_and_pairs_are_sympy_objects() -> None:
    assert isinstance(made("2"), sympy.Integer)
    assert isinstance(made("(1,2)"), sympy.Tuple)


@pytest.mark.parametrize(
    "formula",
    ["9^{9^{9^9}}", "(10^{10})!", r"\binom{10^9}{5\cdot10^8}", r"\Riemannzeta@{10^7}", "((2^{999})^{999})^{999}",
     r"\begin{pmatrix}1&1\\1&0\end{pmatrix}^{10^9}", r"\ChebyshevpolyT{10^6}@{x}", "10^{-10^6}"],
)  # fmt: skip
def test_numbers_too_large_to_compute_are_refused_at_once(formula: str) -> None:
    with pytest.raises(FormulaError, match="too large"):
        sympy_objects(formula)


def test_large_numbers_that_nothing_computes_are_fine() -> None:
    assert sympy_objects(r"\sum_{k=1}^{10^{12}}k")[0].limits[0][2] == 10**12
    assert sympy_objects("x^{10^{10}}")[0].exp == 10**10


def test_letters_are_reported_with_their_objects() -> None:
    objects = build(r"\lambda x=\BesselJ{0}@{y}")
    assert dict(objects.letters) == {
        r"\lambda": sympy.Symbol("lambda"),
        "x": sympy.Symbol("x"),
        "y": sympy.Symbol("y"),
    }


# -- functions ---------------------------------------------------------------------------------------------------


def test_the_arguments_of_a_defined_function_come_first() -> None:
    function = translated("f(y,x)=ax-y").lambdify()
    assert function(1, 2, 3) == 5  # y, x, a


def test_functions_take_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    function = translated("x^2+1").lambdify()
    assert function(numpy.array([0.0, 1.0, 2.0])).tolist() == [1.0, 2.0, 5.0]


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("x^2+y^2=1", "defines nothing"),
        ("x=x+1", "defines nothing"),
        ("g(x)+1", "no known value"),
        (r"\sum_{n=1}^\infty\frac{1}{n^x}", "infinitely many"),
        (r"\int x\,dx", "indefinite"),
        (r"\begin{cases}x+y=1\\x-y=2\end{cases}", "statements"),
    ],
)
def test_what_has_no_value_is_no_function(formula: str, reason: str) -> None:
    with pytest.raises(TexliftError, match=reason):
        translated(formula).lambdify()


def test_arguments_that_do_not_fit_are_an_error() -> None:
    with pytest.raises(TexliftError, match="missing"):
        translated("x+y").lambdify(["x"])
    with pytest.raises(TexliftError, match="no letter"):
        translated("x+y").lambdify(["x", "y", "w"])


def test_objects_and_answers_can_be_pickled() -> None:
    answer = translated(r"\sum_{k=0}^n x^k", {"x": "positive"})
    again = pickle.loads(pickle.dumps(answer))  # noqa: S301  what was just made
    assert again == answer
    assert again.sympy() == answer.sympy()
