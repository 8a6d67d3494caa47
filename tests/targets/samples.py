"""One call with numbers for each entry of a table, and its value by mpmath."""

from __future__ import annotations

import json
import re
from pathlib import Path

from texlift.macros.concepts import vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.reading import read
from texlift.targets.table import load_table
from texlift.verify.evaluation import Trust, compile_expression, namespace

NUMBERS = ("0.31", "0.72", "1.43", "0.55", "0.64", "0.27", "0.41", "0.35", "0.23")

# Arguments where the generic numbers are outside the domain or where integers are meant, in the order written.
SPECIAL = {
    r"\acosh": "1.4",
    r"\acoth": "1.7",
    r"\asec": "1.6",
    r"\acsc": "1.6",
    r"\LambertW[]": "1 0.4",
    r"\LambertWm": "-0.2",
    r"\LegendrepolyP": "3 0.4",
    r"\ChebyshevpolyT": "3 0.4",
    r"\ChebyshevpolyU": "3 0.4",
    r"\HermitepolyH": "3 0.4",
    r"\dilHermitepolyHe": "3 0.4",
    r"\genexpintE": "2 0.4",
    r"\modsphBesselK": "2 0.72",
    r"\LaguerrepolyL": "3 0.4",
    r"\LaguerrepolyL[]": "0.3 3 0.4",
    r"\JacobipolyP": "0.3 0.6 3 0.4",
    r"\ultrasphpoly": "0.7 3 0.4",
    r"\sphharmonicY": "3 1 0.7 0.4",
    r"\FerrersP[]": "1 3 0.4",
    r"\FerrersQ[]": "1 3 0.4",
    r"\assLegendreP[]": "0.3 0.7 1.9",
    r"\assLegendreQ[]": "0.3 0.7 1.9",
    r"\assLegendreOlverQ[]": "0.3 0.7 1.9",
    r"\assLegendreP": "0.7 1.9",
    r"\assLegendreQ": "0.7 1.9",
    r"\BernoullinumberB": "6",
    r"\EulernumberE": "6",
    r"\BernoullipolyB": "5 0.3",
    r"\EulerpolyE": "5 0.3",
    r"\Bellnumber": "5",
    r"\Catalannumber": "5",
    r"\Stirlingnumbers": "6 3",
    r"\StirlingnumberS": "6 3",
    r"\Eulertotientphi": "12",
    r"\Moebiusmu": "30",
    r"\sumdivisors": "2 12",
    r"\ndivisors": "12",
    r"\nprimes": "20",
    r"\MangoldtLambda": "8",
    r"\pgcd": "12,18",
    r"\Kroneckerdelta": "2 2",
    r"\binom": "7 3",
    r"\StieltjesConstants": "1",
    r"\zBesselj": "1 2",
    r"\zBessely": "1 2",
    r"\zAirya": "2",
    r"\zAiryb": "2",
    r"\polygamma": "2 0.7",
    r"\qPochhammer": "0.3 0.4 3",
    r"\qfactorial": "3 0.4",
    r"\qbinom": "4 2 0.4",
    r"\qGamma": "0.4 1.7",
    r"\Riemannzeta": "2.5",
    r"\Hurwitzzeta": "2.5 0.7",
    r"\polylog": "2.5 0.4",
    r"\LerchPhi": "0.3 2.5 0.7",
    r"\genhyperF": "2 1 0.3,0.4 0.7 0.2",
    r"\qgenhyperphi": "2 1 0.3,0.4 0.7 0.5 0.2",
    r"\genhyperOlverF": "2 1 0.3,0.4 0.7 0.2",
    r"\Jacobithetatau": "3 0.4 0.9\\iunit",
    r"\Jacobithetaq": "3 0.4 0.2",
    r"\modularlambdatau": "0.9\\iunit",
    r"\KleincompinvarJtau": "0.9\\iunit",
    r"\Dedekindeta": "0.9\\iunit",
    r"\logint": "2.4",
    r"\inverfc": "0.7",
    r"\expintEi": "0.7",
    r"\regCoulombF": "1 0.3 0.7",
    r"\irregCoulombG": "1 0.3 0.7",
    r"\normCoulombC": "1 0.3",
    r"\repinterfc": "2 0.4",
    r"\sphBesselJ": "2 0.72",
    r"\sphBesselY": "2 0.72",
    r"\sphHankelh": "1 2 0.72",
    r"\Wignerthreejsym": "2 1 2 1 0 -1",
    r"\LeviCivitasym": "1 2 3",
    r"\incellintPik": "0.3 0.2 0.6",
    r"\compellintPik": "0.2 0.6",
    r"\multinomial": "5 2,3",
    r"\CarlsonsymellintRJ": "0.3 0.7 1.4 0.5",
    r"\AppellF": "1 0.3 0.7 1.4 0.5 0.1 0.1",
    r"\genlog": "3 0.7",
    r"\npartitions": "6",
    r"\nprimesdiv": "12",
    r"\Legendresym": "2 7",
    r"\Jacobisym": "2 15",
}
_FIXED = re.compile(r"(\\[A-Za-z]+)(\[\])?(?:\{(\d)\})?$")


def call_for(key: str) -> str | None:
    """Semantic LaTeX for an entry's key with numbers as arguments; None where the lexicon does not know it."""
    match = _FIXED.match(key)
    if match is None:
        return _concept(key)
    macro = lexicon().lookup(match[1])
    if macro is None:
        return None
    first = match[3]
    options = 1 if match[2] else 0
    parameters = macro.parameters
    variables = macro.signature.variables_for([first] if first else [])
    count = options + parameters + variables
    given = SPECIAL.get(match[1] + (match[2] or ""))
    values = given.split() if given else list(NUMBERS[:count])
    if first and not given:
        values = [first, *NUMBERS[: count - 1]]
    elif first:
        values[0] = first
    if len(values) != count:
        values = (values + ["0.1"] * 9)[:count]
    text = match[1] + "".join(f"[{v}]" for v in values[:options])
    text += "".join(f"{{{v}}}" for v in values[options : options + parameters])
    return text + ("@" + "".join(f"{{{v}}}" for v in values[options + parameters :]) if variables else "")


def _concept(key: str) -> str | None:
    """The same for an entry of the vocabulary."""
    concept = next((one for one in vocabulary() if one.shape.startswith(f"{key}(#")), None)
    if concept is None:
        return None
    text = concept.macro
    for number, value in enumerate(NUMBERS, 1):
        text = text.replace(f"#{number}", value)
    return text


def value_of(semantic: str) -> complex:
    """The value by mpmath."""
    code, _ = compile_expression(read(semantic).statements[0], semantic, namespace(Trust()))
    return complex(code({}))


def recorded(target: str) -> list[str]:
    """The entries of a table that a real system has executed, as the page of functions marks them."""
    file = Path(__file__).parents[2] / "tools" / "executed.json"
    return list(json.loads(file.read_text("utf-8")).get(target, []))


def samples(target: str) -> list[tuple[str, str]]:
    """(key, call) for each entry of a target's table that can be called with numbers."""
    found = [(key, call_for(key)) for key in load_table(target).entries]
    return [(key, call) for key, call in found if call is not None]
