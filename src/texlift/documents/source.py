r"""Files of a document: reading them in their encoding, staying inside the folder, writing them safely."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from pathlib import Path

from texlift.errors import TexliftError
from texlift.files import write_file

__all__ = ["MAX_BYTES", "Source", "decode", "inside", "read_source", "write_atomically"]

MAX_BYTES = 50_000_000
"""Largest file; a book of 2,000 pages has a tenth of that."""

_DECLARED = re.compile(
    rb"\\usepackage\s*\[([A-Za-z0-9-]+)\]\s*\{inputenc\}|%\s*!TeX\s+encoding\s*=\s*([A-Za-z0-9-]+)", re.IGNORECASE
)
_NAMES = {
    "latin1": "latin-1",
    "latin9": "iso8859-15",
    "ansinew": "cp1252",
    "applemac": "mac-roman",
    "utf8x": "utf-8",
    "utf8": "utf-8",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file; `encoded` gives back the very bytes for the text as it was read."""

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    def encoded(self, text: str) -> bytes:
        """`text` as bytes, in the encoding of the file."""
        return self.bom + text.encode(self.encoding)


def read_source(path: Path, encoding: str = "") -> Source:
    """Read a file; raises TexliftError if it is missing, too large, or in an encoding that was not named."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise TexliftError(f"{path} is not a file")
        if size > MAX_BYTES:
            raise TexliftError(f"{path} has {size:,} bytes, more than the limit of {MAX_BYTES:,}")
        data = path.read_bytes()
    except OSError as error:
        raise TexliftError(f"cannot read {path}: {error.strerror or error}") from None
    return decode(data, path, encoding)


def decode(data: bytes, path: Path, encoding: str = "") -> Source:
    """Bytes to text: the encoding given, a byte order mark, UTF-8, or what the file declares, in this order."""
    bom = b""
    if not encoding:
        bom, encoding = next(((mark, name) for mark, name in _BOMS if data.startswith(mark)), (b"", ""))
    tried = encoding or "utf-8"
    try:
        return Source(path, data[len(bom) :].decode(tried), tried, bom)
    except LookupError:
        raise TexliftError(f"{path}: unknown encoding {tried!r}") from None
    except UnicodeError as error:
        declared = _declared(data) if not encoding else ""
        if declared and declared != "utf-8":
            try:
                return Source(path, data.decode(declared), declared)
            except (UnicodeError, LookupError):  # also a codec that is not for text: zip, hex
                tried = declared
        start = error.start if isinstance(error, UnicodeDecodeError) else 0  # `idna` does not say where
        line = data.count(b"\n", 0, start) + 1
        raise TexliftError(
            f"{path}, line {line}: byte 0x{data[len(bom) + start]:02x} is not {tried}; "
            r"say how the file is encoded: --encoding latin-1, or \usepackage[latin1]{inputenc} in it"
        ) from None


def inside(root: Path, name: str, suffixes: tuple[str, ...] = (".tex", ""), links: bool = False) -> Path:
    r"""The file that `\input{name}` means, by the name it has below `root`.

    It must lie there, links followed, unless `links` allows that one in the folder leads elsewhere. Raises TexliftError
    for absolute paths, for paths that leave the folder, and for files that do not exist.
    """
    if not name or "\0" in name or len(name) > 500:
        raise TexliftError("no file name that could be followed")
    if name.startswith(("/", "\\", "~", "|")) or re.match(r"[A-Za-z]:", name):
        raise TexliftError(f"{name!r} is an absolute path or a command: only files in the document's folder are read")
    base = root.resolve()
    for suffix in suffixes:
        named = Path(os.path.normpath(base / (name + suffix)))
        try:
            target = named.resolve()
        except (OSError, RuntimeError, ValueError):
            continue
        if not named.is_relative_to(base) or not (links or target.is_relative_to(base)):
            hint = "" if not named.is_relative_to(base) else "; --follow-links allows links that lead out of it"
            raise TexliftError(f"{name!r} leads out of the document's folder: not read{hint}")
        if target.is_file():
            return named
    raise TexliftError(f"{name!r} does not exist in the document's folder")


def write_atomically(path: Path, data: bytes, special: bool = False) -> None:
    """Write a file in one step: a reader sees the old content or all of the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, data, special)


def _declared(data: bytes) -> str:
    match = _DECLARED.search(data[:200_000])
    if not match:
        return ""
    name = (match[1] or match[2]).decode("ascii").lower()
    name = _NAMES.get(name, name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
