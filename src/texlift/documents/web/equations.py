r"""The displays of a document as HTML: numbered as LaTeX numbers them, labels as anchors, references as links."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from itertools import pairwise

from texlift.documents.formula import Display
from texlift.documents.lifting import Outcome
from texlift.documents.web.mathematics import Shown, mathematics, table

__all__ = ["Equations"]

_NUMBERED = frozenset({
    "equation", "align", "gather", "multline", "flalign", "alignat", "xalignat", "eqnarray", "dmath", "IEEEeqnarray",
})  # fmt: skip
_ALIGNED = frozenset({"align", "flalign", "alignat", "xalignat", "eqnarray", "IEEEeqnarray"})
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
_ATTRIBUTE = re.compile(r"[ \t]*\{#(eq[-:][\w:.-]+)\}")
_LONG = 25  # characters of LaTeX: about what fits on a phone
_CUT = re.compile(r"\\\\")


@dataclass(slots=True)
class Equations:
    """All formulae of a document, shown; `labels` are the numbers that labels stand for."""

    outcome: Outcome
    threshold: float
    labels: dict[str, str] = field(default_factory=dict)
    understood: int = 0
    total: int = 0
    count: int = 0

    def shown(self, display: Display, behind: str = "") -> tuple[str, str]:
        """HTML and words of one display; `behind` is what follows it, for labels that stand there."""
        items = [mathematics(item, self.threshold) for item in self.outcome.lifted[display.first : display.last]]
        self.total += len(items)
        self.understood += sum(item.understood for item in items)
        words = "; ".join(item.words for item in items)
        if not display.display:
            return items[0].math(False), words
        rows = self._numbered(display, items, behind)
        name = display.environment.removesuffix("*")
        if len(rows) == 1:
            item, number, anchor = rows[0]
            place = f' id="{html.escape(anchor)}"' if anchor else ""
            label = f'<span class="number">({html.escape(number)})</span>' if number else ""
            return f'<span class="equation"{place}>{self._scrolled(display, item.math(True))}{label}</span>', words
        return f'<span class="equation">{self._scrolled(display, table(rows, name in _ALIGNED))}</span>', words

    def _scrolled(self, display: Display, math: str) -> str:
        """A display that may be wider than the page: one that is long can be scrolled with the keyboard."""
        formulae = self.outcome.document.formulae[display.first : display.last]
        long = max(formula.end - formula.start for formula in formulae) > _LONG
        reached = ' tabindex="0" role="group" aria-label="equation"' if long else ""
        return f'<span class="scroll"{reached}>{math}</span>'

    @staticmethod
    def attribute(behind: str) -> int:
        """The length of a label behind a display: `{#eq-x}`."""
        found = _ATTRIBUTE.match(behind)
        return found.end() if found else 0

    def reference(self, label: str) -> str:
        """A link to an equation; empty if no equation has the label."""
        number = self.labels.get(label, "")
        return f'<a href="#{html.escape(anchor_of(label))}">{html.escape(number)}</a>' if number else ""

    def _numbered(self, display: Display, items: list[Shown], behind: str) -> list[tuple[Shown, str, str]]:
        name = display.environment
        own = _ATTRIBUTE.match(behind)
        rows: list[tuple[Shown, str, str]] = []
        for index, (item, text) in enumerate(zip(items, self._raw(display), strict=True)):
            tag, label = _TAG.search(text), _LABEL.search(text)
            number = tag[1].strip(" $") if tag else ""
            automatic = (name in _NUMBERED and not _UNNUMBERED.search(text)) or (own is not None and not index)
            if not number and automatic and not (name == "multline" and index < len(items) - 1):
                self.count += 1
                number = str(self.count)
            named = label[1].strip() if label else own[1] if own and not index else ""
            if named:
                self.labels[named] = number or named
            rows.append((item, number, anchor_of(named) if named else ""))
        return rows

    def _raw(self, display: Display) -> list[str]:
        """The source of each row with its labels and tags."""
        formulae = self.outcome.document.formulae[display.first : display.last]
        text = self.outcome.document.parts[display.part]
        cuts = [display.inner[0]]
        for one, following in pairwise(formulae):
            cut = _CUT.search(text, one.end, following.start)
            cuts.append(cut.end() if cut else following.start)
        cuts.append(display.inner[1])
        return [text[first:last] for first, last in pairwise(cuts)]


def anchor_of(label: str) -> str:
    """The anchor of a label in the page."""
    return "eq-" + re.sub(r"[^\w.-]+", "-", label.removeprefix("eq:").removeprefix("eq-")).strip("-")
