"""What canonical trees consist of: elements in rows."""

from __future__ import annotations

from texlift.errors import Span
from texlift.latex.nodes import Call
from texlift.remembered import remembered

__all__ = ["CallElement", "Element", "FontElement", "Row", "spell"]


class Element:
    """One element of a row; `start:end` is where it stands in the source."""

    __slots__ = ("end", "label", "rows", "spaced", "start", "style")

    def __init__(
        self, label: str, rows: tuple[Row, ...], start: int, end: int, style: str = "", spaced: bool = False
    ) -> None:
        self.label = label
        self.rows = rows
        self.start = start
        self.end = end
        self.style = style
        self.spaced = spaced  # a space command (`\\,`, `\\!`) stood before it

    def __repr__(self) -> str:
        return f"Element({self.key!r})"

    @property
    def key(self) -> str:
        """Canonical text: equal for two elements exactly if they present the same."""
        label = self.label
        if not self.rows:
            return label if len(label) == 1 or label[0] == "\\" else spell(label)
        return label + "{" + "}{".join([row.key for row in self.rows]) + "}"


class CallElement(Element):
    """A semantic macro in a semantic row; `rows` are its arguments, `scripts` what stands before the @."""

    __slots__ = ("node", "scripts")

    def __init__(self, node: Call, rows: tuple[Row, ...], scripts: list[Element]) -> None:
        super().__init__(node.name, rows, node.start, node.end, "call")
        self.node = node
        self.scripts = scripts

    @property
    def key(self) -> str:
        node = self.node
        shape = f"{node.name}[{len(node.options)}]({len(node.parameters)})"
        ats = "".join(f"@{count}({len(variables)})" for count, variables in node.segments)
        arguments = "}{".join([row.key for row in self.rows])
        return f"{shape}{ats}{{{arguments}}}{' '.join([script.key for script in self.scripts])}"


class FontElement(Element):
    """A letter or word in a font that makes it another symbol (`\\mathbf{T}`); `inner` is the row of plain letters."""

    __slots__ = ("inner",)

    def __init__(self, plain: Element, inner: Row) -> None:
        super().__init__(plain.label, (), plain.start, plain.end, plain.style, plain.spaced)
        self.inner = inner

    @property
    def font(self) -> str:
        """The prefix of the label: `bf:`."""
        return self.label.partition(":")[0] + ":"


class Row:
    """A sequence of elements; `start:end` is its source without the braces around it.

    `dissolved` holds, for every pair of braces that only grouped, the spans of the opening and the closing
    one; `braced` tells whether the row itself stood in braces.
    """

    __slots__ = ("_key", "braced", "dissolved", "elements", "end", "start")

    def __init__(
        self,
        elements: list[Element],
        start: int,
        end: int,
        dissolved: list[tuple[Span, Span]] | None = None,
        braced: bool = True,
    ) -> None:
        self.elements = elements
        self.start = start
        self.end = end
        self.dissolved = dissolved or []
        self.braced = braced
        self._key: str | None = None

    def __repr__(self) -> str:
        return f"Row({self.key!r})"

    @property
    def key(self) -> str:
        """Canonical text of the row."""
        if self._key is None:
            self._key = " ".join([element.key for element in self.elements])
        return self._key


@remembered(maxsize=4096)
def spell(label: str) -> str:
    """A word or number letter by letter, so that `\\sin`, `\\mathrm{sin}` and `sin` are the same."""
    if label[0] in "#([{" or label.startswith(("text:", "env:")):
        return label
    style, colon, word = label.partition(":")
    if not colon or not word:
        return " ".join(label)
    if word[0] == "\\":
        return label
    return " ".join([f"{style}:{letter}" for letter in word])
