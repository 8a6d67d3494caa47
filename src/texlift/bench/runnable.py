"""Whether generated code runs: built by SymPy, evaluated by mpmath, parsed by the other systems where they are at hand.

A result counts as translated only if it passes here. Without Mathics3 or Maxima their code is not parsed, and the
notes of the figures say so; there is no free Maple.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from texlift.errors import FormulaError

__all__ = ["built_by_sympy", "evaluated_by_mpmath", "limited", "parsed"]

_SECONDS = 5.0


def built_by_sympy(semantic: str) -> bool:
    """Whether SymPy makes objects of the formula in five seconds, without an undefined value among them."""
    import sympy

    from texlift.targets.objects import sympy_objects

    try:
        with limited(_SECONDS):
            objects = sympy_objects(semantic)
            return not any(_undefined(part, sympy) for part in objects)
    except Exception:  # noqa: BLE001  whatever SymPy throws, the code does not run
        return False


def _undefined(part: Any, sympy: Any) -> bool:
    if isinstance(part, list | tuple):
        return any(_undefined(item, sympy) for item in part)
    return bool(part.has(sympy.nan, sympy.zoo)) if hasattr(part, "has") else False


def evaluated_by_mpmath(semantic: str, constraints: Sequence[str] = ()) -> bool:
    """Whether mpmath gives numbers for both sides of what the formula states, at one of three points."""
    from texlift.meaning.reader.reading import read
    from texlift.targets.writers.mpmath import MpmathBuilder
    from texlift.verify.setting import Setting
    from texlift.verify.statement import UncheckableError, claim_of

    try:
        with limited(_SECONDS):
            builder = MpmathBuilder(semantic)
            for statement in read(semantic).statements:
                builder.build(statement)
            if builder.functions:
                return False  # a function that only the reader knows
            setting = Setting(semantic, claim_of(semantic), constraints, {}, seed=3, excerpt=True)
            return any(_has_values(setting, number) for number in range(3))
    except (FormulaError, UncheckableError, TimeoutError, RecursionError):
        return False


def _has_values(setting: Any, stage: int) -> bool:
    from mpmath import mp

    point = setting.sampler.gentle(stage % 2)
    if point is None:
        return False
    try:
        environment = setting.environment(point)
        return all(mp.isfinite(side(environment)) for _, *sides, _ in setting.sides for side in sides)
    except TimeoutError:
        raise
    except Exception:  # noqa: BLE001  a pole, no convergence: try another point
        return False


def parsed(codes: dict[int, str], target: str) -> tuple[set[int], str]:
    """The numbers of the codes that the target's grammar accepts, and who judged."""
    if target == "mathematica" and importlib.util.find_spec("mathics"):
        return {index for index, code in codes.items() if _mathics(code)}, "parsed by Mathics3"
    if target == "maxima" and shutil.which("maxima"):
        return _maxima(codes), "parsed by Maxima"
    if target in ("sympy", "mpmath"):
        return {index for index, code in codes.items() if _python(code)}, "parsed by Python"
    if target == "numpy":
        return {index for index, code in codes.items() if _module(code)}, "parsed by Python"
    if target in ("mathml", "intent"):
        return {index for index, code in codes.items() if _xml(code)}, "parsed as XML"
    if target == "mathjson":
        return {index for index, code in codes.items() if _json(code)}, "parsed as JSON"
    return set(codes), "not parsed"


def _python(code: str) -> bool:
    with contextlib.suppress(SyntaxError):
        return bool(ast.parse(code, mode="eval"))
    return False


def _module(code: str) -> bool:
    with contextlib.suppress(SyntaxError):
        return bool(ast.parse(code))
    return False


def _json(code: str) -> bool:
    with contextlib.suppress(ValueError):
        json.loads(code)
        return True
    return False


def _xml(code: str) -> bool:
    with contextlib.suppress(ElementTree.ParseError):
        return ElementTree.fromstring(f"<math>{code}</math>") is not None
    return False


def _mathics(code: str) -> bool:
    from mathics.core.parser import MathicsSingleLineFeeder
    from mathics.core.parser.parser import Parser

    try:
        feeder = MathicsSingleLineFeeder(code, "<code>")
        Parser().parse(feeder)
        return bool(feeder.empty())  # one expression, to the end
    except Exception:  # noqa: BLE001  any error of the scanner or parser
        return False


def _maxima(codes: dict[int, str]) -> set[int]:
    """One process reads all codes with `parse_string`, which evaluates nothing."""
    lines = []
    for index, code in codes.items():
        text = code.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'if errcatch(parse_string("{text}")) # [] then print("@{index}")$')
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "codes.mac"
        script.write_text("\n".join(lines), "utf-8")
        command = ["maxima", "--very-quiet", "-b", str(script)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=1800, stdin=subprocess.DEVNULL)
    words = (line.strip() for line in result.stdout.splitlines())
    return {int(word[1:]) for word in words if word.startswith("@") and word[1:].isdigit()}


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what runs inside with a TimeoutError after so much processor time."""
    previous = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _stop(signum: int, frame: object) -> None:
    raise TimeoutError
