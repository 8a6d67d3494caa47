"""Files that are written whole or not at all, and checksums that tell a damaged file from a sound one."""

from __future__ import annotations

import contextlib
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path

from texlift.errors import TexliftError

__all__ = ["checksum", "refuse_special", "write_file"]

_SPECIAL = (
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a link"),
)


def checksum(content: bytes, start: int = 0) -> int:
    """A number that changes when a byte does (CRC-32); `start` is the checksum of what stands before."""
    return zlib.crc32(content, start)


def write_file(path: Path | str, content: bytes | Iterable[bytes], special: bool = False) -> None:
    """Write a file: whatever happens meanwhile, the old content or all of the new is there.

    A new file gets the mode that the umask says, an existing one keeps its own. Where a link, a device or a pipe stands
    instead of a file, nothing is written, unless the caller asks for it (`special`): then a link is followed, and what
    is no file is written to directly. Raises TexliftError.
    """
    path = Path(path)
    try:
        refuse_special(path, special)
        pieces = (content,) if isinstance(content, bytes) else content
        if special and path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.writelines(pieces)
        else:
            _replace(path.resolve() if special else path, pieces)
    except OSError as error:
        raise TexliftError(f"cannot write {path}: {error.strerror or error}") from error
    except UnicodeEncodeError as error:  # of the pieces
        raise TexliftError(f"cannot write {path}: {error.reason}") from error


def refuse_special(path: Path, special: bool = False) -> None:
    """Raise TexliftError if what stands at `path` is no plain file: a folder, or anything else not asked for."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise TexliftError(f"cannot write {path}: {error.strerror or error}") from error
    for is_kind, name in _SPECIAL:
        if is_kind(mode) and (not special or name == "a folder"):
            raise TexliftError(f"{path} is {name}, not a file: not written")


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    temporary = path.with_name(f".{path.name[:100]}.{os.urandom(6).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # the system applies the umask
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777)
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
