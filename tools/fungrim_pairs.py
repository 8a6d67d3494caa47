"""Pairs of LaTeX and Mathematica from Fungrim's formulae: its LaTeX, and its symbolic form with Mathematica's names.

    python tools/fungrim_pairs.py fungrim_dev.jsonl -o pairs.jsonl

Formulae with heads that Mathematica does not have under the same arguments are left out, and counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from texlift.bench.fungrim_terms import Term as FungrimTerm
from texlift.bench.fungrim_terms import parse_term
from texlift.macros.syntaxes.mathematica import print_mathematica
from texlift.macros.syntaxes.term import Term

SAME = """Sin Cos Tan Cot Sec Csc Sinh Cosh Tanh Coth Sech Csch Sqrt Exp Log Abs Re Im Sign Arg Floor Gamma
    BesselJ BesselY BesselI BesselK AiryAi AiryBi BarnesG Binomial Fibonacci GCD LCM ChebyshevT ChebyshevU
    HurwitzZeta Conjugate Hypergeometric2F1
    PartitionsP EllipticK EllipticE DedekindEta Erf Erfc LambertW Pi Infinity Subscript"""
RENAMED = """Asin=ArcSin Acos=ArcCos Atan=ArcTan Acot=ArcCot Asinh=ArcSinh Acosh=ArcCosh Atanh=ArcTanh
    Acoth=ArcCoth
    Ceil=Ceiling RiemannZeta=Zeta DigammaFunction=PolyGamma RisingFactorial=Pochhammer LegendrePolynomial=LegendreP
    Totient=EulerPhi BernoulliB=BernoulliB BetaFunction=Beta LogIntegral=LogIntegral SinIntegral=SinIntegral ConstI=I
    ConstGamma=EulerGamma ConstE=E EllipticPi=EllipticPi BellNumber=BellB LambertW=ProductLog Greater=Greater
    AGM=ArithmeticGeometricMean Add=Plus Mul=Times Div=Divide Pow=Power Neg=Minus Factorial=Factorial Equal=Equal
    NotEqual=Unequal Less=Less LessEqual=LessEqual GreaterEqual=GreaterEqual"""
NAMES = {name: name for name in SAME.split()} | dict([pair.split("=") for pair in RENAMED.split()])
ARGUMENTS = {"Zeta": (1,), "PolyGamma": (1,), "ProductLog": (1,), "HurwitzZeta": (2,), "Log": (1,), "Gamma": (1,),
             "BesselJ": (2,), "BesselY": (2,), "BesselI": (2,), "BesselK": (2,), "AiryAi": (1,), "AiryBi": (1,),
             "BarnesG": (1,), "EllipticE": (1,), "DedekindEta": (1,), "EulerPhi": (1,)}  # fmt: skip
GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "lambda", "mu", "nu", "xi", "rho"),
    *("sigma", "tau", "phi", "chi", "psi", "omega"),
)


class NoPairError(Exception):
    """A formula that has no pair; the text says which head is the reason."""


def mathematica(term: FungrimTerm) -> Term:
    head = term.head
    if term.arguments is None:
        if head.isdigit() or (len(head) == 1 and head.isalpha()):
            return Term(head)
        if head in GREEK:
            return Term(f"\\[{head.capitalize()}]")
        if head in NAMES:
            return Term(NAMES[head])
        raise NoPairError(head)
    if head == "Sub" and len(term.parts) == 2:
        first, second = map(mathematica, term.parts)
        return Term("Plus", (first, Term("Minus", (second,))))
    if head in ("Parentheses", "Brackets") and len(term.parts) == 1:
        return mathematica(term.parts[0])
    if head in ("Sum", "Product", "Integral") and len(term.parts) == 2 and term.parts[1].head == "For":
        name = "Integrate" if head == "Integral" else head
        return Term(name, (mathematica(term.parts[0]), Term("List", tuple(map(mathematica, term.parts[1].parts)))))
    if head not in NAMES:
        raise NoPairError(head)
    name = NAMES[head]
    if name in ARGUMENTS and len(term.parts) not in ARGUMENTS[name]:
        raise NoPairError(f"{head} with {len(term.parts)} arguments")
    return Term(name, tuple(map(mathematica, term.parts)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    lines: list[str] = []
    missing: Counter[str] = Counter()
    for text in options.file.read_text("utf-8").splitlines():
        record = json.loads(text)
        try:
            code = print_mathematica(mathematica(parse_term(record["expr"])))
        except (NoPairError, ValueError) as error:
            missing[str(error)] += 1
            continue
        lines.append(json.dumps({"id": record["id"], "generic": record["latex"], "semantic": code}))
    options.output.write_text("\n".join(lines) + "\n", "utf-8")
    reasons = ", ".join(f"{name} {count}" for name, count in missing.most_common(12))
    sys.stdout.write(f"{len(lines)} pairs; left out {missing.total()}: {reasons}\n")


if __name__ == "__main__":
    main()
