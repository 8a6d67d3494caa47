"""HTML reduced to harmless elements: the one place that decides what of a document's own HTML reaches the page.

Elements and attributes are on lists; everything else is dropped, scripts and styles with their content. Addresses are
of the web, of mail or of the page itself. Pictures become data, so that the page loads nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from html.parser import HTMLParser

from texlift.documents.web.standins import StandIns

__all__ = ["Harmless", "Picture", "harmless"]

Picture = Callable[[str], str]
"""Gives the data address of a picture by its name in the document; empty if there is none."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ELEMENTS = _names(
    "a abbr article aside b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption "
    "figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q s samp section small span strong sub "
    "summary sup table tbody td tfoot th thead tr u ul var wbr"
)
_VOID = _names("br hr img col wbr")
_DROPPED = _names(
    "script style template noscript iframe object embed svg math title head textarea select option button form "
    "audio video canvas applet frame frameset noframes noembed xmp plaintext"
)
_ATTRIBUTES = _names("id class title alt href src colspan rowspan start scope lang dir open cite datetime role")
_KEPT_CLASSES = re.compile(r"[A-Za-z][\w-]*")
_ADDRESS = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
_RELATIVE = re.compile(r"[\w./%~+-]+(?:[?#][\w=&%./+-]*)?")
_CODE = _names("code pre kbd samp")
_HEADING = re.compile(r"h[1-6]")
_DEEPEST = 200


def harmless(text: str, standins: StandIns, picture: Picture | None = None, level: int = 6) -> str:
    """The harmless part of some HTML, its formulae put in.

    `level` is that of the heading before it; no heading is more than one below the one before.
    """
    parser = Harmless(standins, picture, level)
    parser.feed(text)
    parser.close()
    return parser.finished()


class Harmless(HTMLParser):
    """Writes what is allowed; every element that it opens it closes."""

    def __init__(self, standins: StandIns, picture: Picture | None, level: int = 6) -> None:
        super().__init__(convert_charrefs=True)
        self.standins = standins
        self.picture = picture
        self.pieces: list[str] = []
        self.level = level
        self.headings: list[str] = []  # the names under which open headings are written
        self.open: list[str] = []
        self.dropped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.dropped or tag in _DROPPED:
            if tag not in ("embed", "frame"):
                self.dropped.append(tag)
            return
        if tag not in _ELEMENTS or len(self.open) >= _DEEPEST:
            return
        kept = {name: self.standins.words(value or "") for name, value in attrs if name in _ATTRIBUTES}
        if tag == "img":
            self.pieces.append(self._image(kept))
            return
        kept.pop("src", None)
        if "href" in kept and not self._harmless_address(kept["href"]):
            del kept["href"]
        if "id" in kept:
            kept["id"] = re.sub(r"[^\w.:-]+", "-", kept["id"])
        if "class" in kept:
            kept["class"] = " ".join(_KEPT_CLASSES.findall(kept["class"]))
        written = "".join(f' {name}="{html.escape(value)}"' for name, value in kept.items())
        self.pieces.append(f"<{self._opened(tag)}{written}>")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            return
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.dropped:
            if tag in self.dropped:
                while self.dropped.pop() != tag:
                    pass
            return
        if tag in self.open:
            while (last := self.open.pop()) != tag:
                self.pieces.append(f"</{self._closed(last)}>")
            self.pieces.append(f"</{self._closed(tag)}>")

    def handle_data(self, data: str) -> None:
        if self.dropped:
            return
        if _CODE.intersection(self.open):
            self.pieces.append(html.escape(self.standins.source(data), quote=False))
        else:
            self.pieces.append(self.standins.html(html.escape(data, quote=False)))

    def finished(self) -> str:
        """All that was written, with what is still open closed."""
        return "".join(self.pieces) + "".join(f"</{self._closed(tag)}>" for tag in reversed(self.open))

    def _opened(self, tag: str) -> str:
        """The name under which an element is written: headings skip no level."""
        if not _HEADING.fullmatch(tag):
            return tag
        self.level = min(int(tag[1]), self.level + 1)
        self.headings.append(f"h{self.level}")
        return self.headings[-1]

    def _closed(self, tag: str) -> str:
        return self.headings.pop() if _HEADING.fullmatch(tag) else tag

    def _harmless_address(self, address: str) -> bool:
        address = re.sub(r"[\x00-\x20]", "", address)
        return bool(_ADDRESS.match(address) or _RELATIVE.fullmatch(address))

    def _image(self, kept: dict[str, str]) -> str:
        source, alt = kept.get("src", ""), kept.get("alt", "")
        data = self.picture(source) if self.picture is not None else ""
        if data:
            return f'<img src="{html.escape(data)}" alt="{html.escape(alt)}">'
        name = html.escape(alt or source.rpartition("/")[2] or "picture")
        if _ADDRESS.match(source):
            return f'<a href="{html.escape(source)}">picture: {name}</a>'
        return f"<span>[picture: {name}]</span>"
