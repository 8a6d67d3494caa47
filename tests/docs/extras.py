"""An environment that has exactly some extras of texlift: the modules of all others cannot be imported in it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from texlift.extras import EXTRAS

_COMPUTE = {"sympy", "mpmath", "flint", "matplotlib"}
_TRAIN = {"torch", "sklearn", "scipy", "sacrebleu", "matplotlib", "sympy", "mpmath"}  # PyTorch itself needs SymPy
MODULES = {
    "compute": _COMPUTE,
    "train": _TRAIN,
    "tensorboard": _TRAIN | {"tensorboard"},
    "serve": _COMPUTE | set(EXTRAS["serve"]),
    "editor": set(EXTRAS["editor"]),
    "scale": set(EXTRAS["scale"]),
}
_NAMED = re.compile(r"(?:texlift|'\.)\[([a-z,]+)\]")
_BLOCK = """
import os, sys

class Missing:
    names = frozenset(os.environ["TEXLIFT_MISSING"].split(","))

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""


def named(text: str) -> set[str]:
    """The extras that a page tells its reader to install."""
    return {extra for group in _NAMED.findall(text) for extra in group.split(",") if extra in MODULES}


def environment(extras: set[str], folder: Path) -> dict[str, str]:
    """Variables for a process with these extras only; `folder` holds what keeps the other modules out."""
    allowed = set().union(*(MODULES[extra] for extra in extras))
    missing = set().union(*MODULES.values()) - allowed
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(_BLOCK, "utf-8")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": path, "PATH": binaries, "TEXLIFT_MISSING": ",".join(sorted(missing))}
