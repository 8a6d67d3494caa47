"""Which entries of the tables Maxima and Mathics3 execute, with the value that mpmath has (tools/executed.json).

python tools/executed.py    runs both systems, which takes minutes, and writes the file

The page of functions marks these entries; the tests check that they still run.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

FILE = Path(__file__).with_name("executed.json")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "targets"))


def _right(found: dict[str, tuple[str, complex, complex]]) -> list[str]:
    close = {key for key, (_, value, said) in found.items() if abs(value - said) <= 1e-6 * max(1, abs(value))}
    return sorted(close)


def main() -> None:
    """Run both systems and write the file."""
    import test_mathematica
    import test_maxima
    from mathics.core.load_builtin import import_and_load_builtins
    from mathics.session import MathicsSession

    import_and_load_builtins()
    with tempfile.TemporaryDirectory() as folder:
        maxima = _right(test_maxima.executed(Path(folder)))
    mathics = _right(test_mathematica.executed(MathicsSession(add_builtin=True, catch_interrupt=False)))
    FILE.write_text(json.dumps({"maxima": maxima, "mathematica": mathics}, indent=1) + "\n", "utf-8")
    sys.stdout.write(f"Maxima executes {len(maxima)} entries, Mathics3 {len(mathics)}\n")


if __name__ == "__main__":
    main()
