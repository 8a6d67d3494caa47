"""No unknown names: what the tables write exists in the system, as far as a system is at hand to ask."""

from __future__ import annotations

import ast
import builtins
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from mpmath import mp

from texlift.special import numbers
from texlift.targets import convert
from texlift.targets.table import load_table
from texlift.targets.writers.pycode import template

# Functions of the Wolfram Language that Mathics3 does not have; checked by hand in its documentation.
WOLFRAM = """
    Erfi FactorialPower
    AppellF1 AppellF2 AppellF3 AppellF4 ArithmeticGeometricMean BarnesG BetaRegularized CarlsonRC CarlsonRD
    CarlsonRF CarlsonRG CarlsonRJ CosIntegral CoshIntegral CoulombF CoulombG DawsonF DedekindEta DiracDelta
    DirichletCharacter EllipticTheta FresnelF FresnelG GammaRegularized HeavisideTheta HeunG HurwitzLerchPhi
    HurwitzZeta Hypergeometric1F1Regularized Hypergeometric2F1Regularized HypergeometricPFQRegularized
    InverseJacobiCD InverseJacobiCN InverseJacobiCS InverseJacobiDC InverseJacobiDN InverseJacobiDS
    InverseJacobiNC InverseJacobiND InverseJacobiNS InverseJacobiSC InverseJacobiSD InverseJacobiSN
    JacobiAmplitude JacobiCD JacobiCN JacobiCS JacobiDC JacobiDN JacobiDS JacobiEpsilon JacobiNC JacobiND
    JacobiNS JacobiSC JacobiSD JacobiSN JacobiZN KleinInvariantJ KroneckerDelta LameC LameEigenvalueA
    LameEigenvalueB LameS LiouvilleLambda LogIntegral LommelS1 LommelS2 MangoldtLambda MathieuC
    MaxLimit MinLimit
    MathieuCharacteristicA MathieuCharacteristicB MathieuS ModularLambda NorlundB ParabolicCylinderD PrimeNu
    QBinomial QFactorial QGamma QHypergeometricPFQ QPochhammer RamanujanTau RiemannXi ScorerGi ScorerHi
    SiegelTheta Signature SinIntegral SinhIntegral SpheroidalEigenvalue SpheroidalPS SpheroidalQS SpheroidalS1
    WeierstrassE1 WeierstrassE2 WeierstrassE3 WeierstrassP WeierstrassSigma WeierstrassZeta WhittakerM
    WhittakerW
"""
JULIA = """sin cos tan cot sec csc sinh cosh tanh coth sech csch asin acos atan acot asec acsc asinh acosh atanh acoth
asech acsch exp log floor ceil conj sign abs angle real imag binomial gcd"""
SPECIAL_FUNCTIONS = """gamma digamma trigamma polygamma beta gamma_inc beta_inc erf erfc erfinv erfcinv dawson expint
expinti sinint cosint airyai airyaiprime airybi airybiprime besselj bessely besseli besselk hankelh1 hankelh2
sphericalbesselj sphericalbessely zeta ellipk ellipe"""


def _names(target: str, pattern: str) -> set[str]:
    found: set[str] = set()
    for entry in load_table(target).entries.values():
        code = re.sub(r'"[^"]*"', "", f"{entry.code} {entry.derivative}")
        found.update(re.findall(pattern, code))
    return found


def test_names_of_mpmath() -> None:
    known = set(dir(mp)) | set(dir(builtins)) | {"j", "gcd", "lcm", "range", "map"} | set(numbers.__all__)
    for key, entry in load_table("mpmath").entries.items():
        for code in filter(None, (entry.code, entry.derivative)):
            tree = template(code)
            bound = {
                argument.arg for node in ast.walk(tree) if isinstance(node, ast.Lambda) for argument in node.args.args
            }
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            unknown = {name for name in names - bound if name not in known and not re.fullmatch(r"_(\d+|n)", name)}
            assert not unknown, (key, unknown)


def test_names_of_mathematica() -> None:
    pytest.importorskip("mathics", reason="Mathics3 is not installed: names of Mathematica are not looked up")
    from mathics.core.load_builtin import _builtins, import_and_load_builtins

    import_and_load_builtins()
    known = {name.split("`")[-1] for name in _builtins}
    assert _names("mathematica", r"\b[A-Z][A-Za-z0-9]*") - known <= set(WOLFRAM.split())


def test_names_of_maxima(tmp_path: Path) -> None:
    program = shutil.which("maxima")
    if program is None:
        pytest.skip("Maxima is not installed: its names are not looked up")
    names = sorted(_names("maxima", r"\b[A-Za-z_][A-Za-z_0-9]*(?=\()"))
    lines = ['load("orthopoly")$'] + [
        f'if member(\'{name}, apropos("{name}")) then print("@{name}")$' for name in names
    ]
    script = tmp_path / "names.mac"
    script.write_text("\n".join(lines), "utf-8")
    command = [program, "--very-quiet", "-b", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    found = {line.strip()[1:] for line in done.stdout.splitlines() if line.startswith("@")}
    assert set(names) <= found, sorted(set(names) - found)


def test_names_of_julia() -> None:
    """Against the manuals of Julia and SpecialFunctions.jl: no Julia is at hand."""
    names = _names("julia", r"\b[A-Za-z_][A-Za-z_0-9]*(?=\()")
    assert names <= {*JULIA.split(), *SPECIAL_FUNCTIONS.split()}


@pytest.mark.parametrize("target", ["mathematica", "maple", "maxima", "mpmath", "numpy", "julia"])
def test_a_divisor_of_many_keeps_all_of_them(target: str) -> None:
    code = convert(r"\pgcd{12,18,8,7}", target).code
    assert all(re.search(rf"\b{number}\b", code.splitlines()[-1]) for number in (12, 18, 8, 7))
