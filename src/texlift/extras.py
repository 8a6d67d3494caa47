"""Which extra installs which library: so that what is missing can be named."""

from __future__ import annotations

from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from texlift.errors import TexliftError

__all__ = ["EXTRAS", "MissingExtraError", "missing_extra", "require"]

EXTRAS: Final = MappingProxyType(
    {
        "compute": ("sympy", "mpmath", "flint", "matplotlib"),
        "train": ("torch", "sklearn", "scipy", "sacrebleu"),
        "tensorboard": ("tensorboard",),
        "serve": ("fastapi", "starlette", "pydantic", "uvicorn", "math_core", "uvloop", "httptools"),
        "editor": ("pygls", "lsprotocol"),
        "scale": ("ray", "pyarrow"),
    }
)
"""Extra -> the modules that only it brings along."""


class MissingExtraError(TexliftError):
    """A library is not installed; the message has the command that installs it."""


def missing_extra(error: ImportError) -> MissingExtraError | None:
    """The error to show for an import that failed; None if no extra would help."""
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return MissingExtraError(f"this needs {module}, which is not installed: pip install 'texlift[{extra}]'")
    return None


def require(*modules: str) -> None:
    """Raise MissingExtraError if one of the modules is not installed; nothing is imported."""
    for module in modules:
        try:
            found = find_spec(module) is not None
        except ModuleNotFoundError:
            found = False
        error = None if found else missing_extra(ModuleNotFoundError(name=module))
        if error is not None:
            raise error
