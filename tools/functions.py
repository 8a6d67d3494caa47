"""The page of functions per target (docs/reference/functions.md), made from the target tables.

python tools/functions.py            writes the page
python tools/functions.py --check    says whether the page is up to date, and exits with 1 if it is not
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from texlift.errors import FormulaError
from texlift.macros.concepts import vocabulary
from texlift.macros.lexicon import Macro, lexicon
from texlift.targets import convert
from texlift.targets.table import definitions, load_table

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "functions.md"
SYSTEMS = {
    "sympy": "SymPy",
    "mpmath": "mpmath",
    "numpy": "NumPy, SciPy",
    "mathematica": "Mathematica",
    "maple": "Maple",
    "maxima": "Maxima",
    "julia": "Julia",
    "mathjson": "MathJSON",
}
DEFINED = "defined"
EXECUTED: Mapping[str, list[str]] = json.loads(Path(__file__).with_name("executed.json").read_text("utf-8"))
"""Entries that a real system has executed, by target; written by `tools/executed.py`."""
_LETTERS = ("a", "b", "c", "x", "y", "z", "u", "v", "w")
_TITLES = {
    1: "Algebraic and analytic methods",
    2: "Asymptotic approximations",
    3: "Numerical methods",
    4: "Elementary functions",
    5: "Gamma function",
    6: "Exponential, logarithmic, sine and cosine integrals",
    7: "Error functions, Dawson's and Fresnel integrals",
    8: "Incomplete gamma and related functions",
    9: "Airy and related functions",
    10: "Bessel functions",
    11: "Struve and related functions",
    12: "Parabolic cylinder functions",
    13: "Confluent hypergeometric functions",
    14: "Legendre and related functions",
    15: "Hypergeometric function",
    16: "Generalized hypergeometric functions and Meijer G-function",
    17: "q-hypergeometric and related functions",
    18: "Orthogonal polynomials",
    19: "Elliptic integrals",
    20: "Theta functions",
    21: "Multidimensional theta functions",
    22: "Jacobian elliptic functions",
    23: "Weierstrass elliptic and modular functions",
    24: "Bernoulli and Euler polynomials",
    25: "Zeta and related functions",
    26: "Combinatorial analysis",
    27: "Functions of number theory",
    28: "Mathieu functions and Hill's equation",
    29: "Lamé functions",
    30: "Spheroidal wave functions",
    31: "Heun functions",
    32: "Painlevé transcendents",
    33: "Coulomb functions",
    34: "3j, 6j, 9j symbols",
    35: "Functions of matrix argument",
    36: "Integrals with coalescing saddles",
}
_INTRO = """---
hide: [navigation]
---

# Functions per target

<!-- written by tools/functions.py from src/texlift/targets/tables: do not edit -->

Which functions `texlift convert` can write for which system. A cell has the code for the call on its left;
*defined* means that the system lacks the function and texlift writes it with others, by an equation of the DLMF
(`--explain` says which one). An empty cell is an error that names the place. Content MathML has every macro: as an
element of its own where the standard has one, otherwise as a `csymbol`; so has presentation MathML with intents.
MathJSON has a function `dlmf_...` for what compute-engine lacks.

Which entries a real system has executed, in the tests, with the value that mpmath has: NumPy and SciPy all (Mathieu
functions by their equation), MathJSON all (by compute-engine, where it is installed), SymPy and mpmath those that have
a value; of Maxima and Mathematica (by Mathics3) those marked with ✓ ({executed}). **No entry for Maple or Julia was
executed**: there is no free Maple, and Julia was not at hand. Their names come from the systems' manuals. So do those
of Mathematica that Mathics3 does not have; the tests list them. Definitions are computed by mpmath: those of
Weierstrass functions against sums over the lattice, those of 6j symbols against SymPy.

{totals}
"""


@dataclass(frozen=True)
class Row:
    """A macro call, what it means, and its code (or DEFINED, or nothing) for each system."""

    chapter: int
    call: str
    meaning: str
    code: Mapping[str, str]
    key: str = ""


def rows() -> list[Row]:
    """All functions that a table or a definition has, by chapter of the DLMF."""
    keys = set(definitions()).union(*(load_table(target).entries for target in SYSTEMS))
    found = [_row(key) for key in keys]
    return sorted(found, key=lambda row: (row.chapter, row.meaning.lower(), row.call))


def _row(key: str) -> Row:
    name = key.partition("{")[0].removesuffix("[]")
    macro = lexicon().lookup(name)
    if macro is None:
        return _concept_row(key)
    call = _example(macro, key, True)
    if macro.lists and not any(_code(call, key, target) for target in SYSTEMS):
        call = _example(macro, key, False)  # no system takes a list
    chapter = macro.dlmf.partition(".")[0]
    code = {target: _code(call, key, target) for target in SYSTEMS}
    return Row(int(chapter) if chapter.isdigit() else 0, call, macro.meaning, code, key)


def _concept_row(key: str) -> Row:
    """A function of the vocabulary that the DLMF has no macro for."""
    concept = next((one for one in vocabulary() if one.shape.startswith(f"{key}(")), None)
    if concept is None:
        raise LookupError(f"a target table has {key}, which neither the lexicon nor the vocabulary has")
    call = concept.macro
    for number, text in enumerate(concept.example, 1):
        call = call.replace(f"#{number}", text)
    return Row(0, call, concept.words, {target: _code(call, key, target) for target in SYSTEMS}, key)


def _example(macro: Macro, key: str, listed: bool) -> str:
    """A call with the letters of the macro's definition; a parameter that the key fixes is a number.

    Arguments that may be lists are some if `listed`.
    """
    count = macro.parameters + macro.variables
    own = all(macro.letters) and len(set(macro.letters)) == count
    letters = list(macro.letters if own else _LETTERS[:count])
    for index in (place - macro.options for place in macro.lists if listed and place >= macro.options):
        letters[index] = "m,n"
    fixed = key.partition("{")[2].rstrip("}")
    if fixed and "[]" not in key:
        letters[0] = fixed
    option = "[" + (fixed or "\\mu") + "]" if "[]" in key else "[]" * min(macro.options, 1)
    groups = [f"{{{letter}}}" for letter in letters]
    shown = "@" * (1 if 1 in macro.ats else max(macro.ats, default=0)) if macro.variables else ""
    call = macro.name + option + "".join(groups[: macro.parameters]) + shown + "".join(groups[macro.parameters :])
    return call if groups or not _takes_operand(key) else f"{call} A"


def _takes_operand(key: str) -> bool:
    """Whether the function is an operator in front of its operand: no arguments of its own, but a slot in the code."""
    entries = (load_table(target).entries.get(key) for target in SYSTEMS)
    return any(entry.slots for entry in entries if entry is not None)


def _code(call: str, key: str, target: str) -> str:
    try:
        code = convert(call, target).code
    except FormulaError:
        return ""
    if key in definitions() and key not in load_table(target).entries:
        return DEFINED
    if target == "numpy":  # what the function returns
        return code.strip().rpartition("    return ")[2]
    if target == "mathjson" and "dlmf_" in code:
        return ""
    return code.strip().rpartition(") = ")[2] if target == "julia" else code


def page() -> str:
    """The page as Markdown."""
    found = rows()
    lines = ["| | " + " | ".join(SYSTEMS.values()) + " |", "|---" * (len(SYSTEMS) + 1) + "|"]
    own = {target: sum(row.code[target] not in ("", DEFINED) for row in found) for target in SYSTEMS}
    defined = {target: sum(row.code[target] == DEFINED for row in found) for target in SYSTEMS}
    for title, counts in (("functions of its own", own), ("defined by others", defined)):
        lines.append(f"| {title} | " + " | ".join(str(counts[target]) for target in SYSTEMS) + " |")
    executed = ", ".join(f"{len(keys)} of {SYSTEMS[target]}" for target, keys in EXECUTED.items())
    parts = [_INTRO.format(totals="\n".join(lines), executed=executed)]
    for chapter in sorted({row.chapter for row in found}, key=lambda number: number or 99):
        parts.append(f"## {_TITLES.get(chapter, 'Other')}\n")
        parts.append("| macro | meaning | " + " | ".join(SYSTEMS.values()) + " |")
        parts.append("|---" * (len(SYSTEMS) + 2) + "|")
        parts += [_line(row) for row in found if row.chapter == chapter]
        parts.append("")
    return "\n".join(parts)


def _line(row: Row) -> str:
    cells = [_quoted(row.call), row.meaning.replace("|", "&#124;")]
    for target in SYSTEMS:
        code = row.code[target]
        mark = " ✓" if row.key in EXECUTED.get(target, ()) else ""
        cells.append(f"*{code}*" if code == DEFINED else _quoted(code) + mark)
    return "| " + " | ".join(cells) + " |"


def _quoted(code: str) -> str:
    if "|" in code or "`" in code:
        escaped = code.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;").replace("`", "&#96;")
        return f"<code>{escaped}</code>"
    return f"`{code}`" if code else ""


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    text = page()
    if not arguments:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, "utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text("utf-8") == text:
        return 0
    sys.stderr.write(f"{PAGE.name} is out of date: run python tools/functions.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
