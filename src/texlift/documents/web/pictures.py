"""Pictures of a document as data inside the page; only files in the document's folder are read."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from texlift.documents.source import inside
from texlift.errors import TexliftError

__all__ = ["Pictures"]

_KINDS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg+xml"}
_LARGEST = 5_000_000
_MOST = 50_000_000


class Pictures:
    """Finds pictures by the names that a document uses."""

    def __init__(self, root: Path, attachments: Mapping[str, Any] | None = None) -> None:
        self.root = root
        self.attachments = attachments if isinstance(attachments, Mapping) else {}
        self.bytes = 0

    def data(self, name: str) -> str:
        """The data address of a picture; empty if it is not there, too large or of another kind."""
        if name.startswith("attachment:"):
            return self._attached(unquote(name.removeprefix("attachment:")))
        for suffix in ("", *_KINDS):
            kind = _KINDS.get(Path(name + suffix).suffix.lower())
            if kind is None:
                continue
            try:
                path = inside(self.root, unquote(name), (suffix,))
                size = path.stat().st_size
                if size > _LARGEST or self.bytes + size > _MOST:
                    return ""
                self.bytes += size
                return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
            except (TexliftError, OSError):
                continue
        return ""

    def _attached(self, name: str) -> str:
        found = self.attachments.get(name)
        if not isinstance(found, Mapping):
            return ""
        for kind, encoded in found.items():
            known = isinstance(kind, str) and kind.removeprefix("image/") in _KINDS.values()
            if known and isinstance(encoded, str) and len(encoded) < 2 * _LARGEST:
                clean = "".join(encoded.split())
                if all(char.isalnum() or char in "+/=" for char in clean) and clean.isascii():
                    return f"data:{kind};base64,{clean}"
        return ""
