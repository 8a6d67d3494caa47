r"""Alternative text for tagged PDF: every formula of a lifted LaTeX document with its words.

Where tagging is active, `\texliftsay{words}{$..$}` makes a structure `Formula` with alternative text (tagpdf 0.98 or
newer); `\texliftshow` is the same for displays, behind which a blank does not count. Where tagging is not active, both
print their second argument and nothing else. `untagged` takes them off again.
"""

from __future__ import annotations

import re

from texlift.documents.formula import Display
from texlift.documents.lifting import Outcome
from texlift.documents.loading import loaded
from texlift.documents.rows import balanced
from texlift.documents.web.mathematics import words_of

__all__ = ["SAY", "SAY_TEX", "SHOW", "tagged_texts", "untagged"]

SAY, SHOW = r"\texliftsay", r"\texliftshow"
"""The commands around a formula in a line and around a display that have words."""

_SAID = re.compile(r"\\texlift(?:say|show)\{[^{}]*\}(?=\{)")
_UNSAFE = re.compile(r"[^A-Za-z0-9 ,;:.'-]+")
SAY_TEX = r"""% \texliftsay{words}{formula}, \texliftshow{words}{display}: words are alternative text in tagged PDF
\ExplSyntaxOn
\cs_new_protected:Npn \texliftsay #1#2 { \texlift_tagged:nnn {#1} {#2} { } }
\cs_new_protected:Npn \texliftshow #1#2 { \texlift_tagged:nnn {#1} {#2} { \tex_ignorespaces:D } }
\cs_new_protected:Npn \texlift_tagged:nnn #1#2#3
  { \bool_lazy_and:nnTF { \cs_if_exist_p:N \tag_mc_end_push: } { ! \cs_if_exist_p:N \l__math_grabbed_math_tl }
      { \tag_if_active:TF { \texlift_say:nn {#1} {#2} #3 } {#2} } {#2} }
\cs_new_protected:Npn \texlift_say:nn #1#2
  { \tag_mc_end_push: \tag_struct_begin:n { tag=Formula, alt={#1} } \tag_mc_begin:n { tag=Formula }
    #2 \tag_mc_end: \tag_struct_end: \tag_mc_begin_pop:n {} }
\ExplSyntaxOff
"""
"""Its definition, for the package. LaTeX's own tagging of math, where it is loaded, has precedence."""


def tagged_texts(outcome: Outcome, threshold: float) -> list[str]:
    """The texts of the lifted document with words for every formula."""
    document = outcome.document
    edits: dict[int, list[tuple[int, int, str]]] = {}
    for display in document.displays:
        edits.setdefault(display.part, []).append((display.start, display.end, _said(outcome, display, threshold)))
    texts = [file.text for file in document.files]
    for part, text in enumerate(document.parts):
        pieces: list[str] = []
        at = 0
        for start, end, new in edits.get(part, ()):
            pieces += [text[at:start], new]
            at = end
        texts[document.owners[part]] = "".join([*pieces, text[at:]])
    texts[0] = loaded(texts[0])
    return texts


def _said(outcome: Outcome, display: Display, threshold: float) -> str:
    text = outcome.document.parts[display.part]
    items = outcome.lifted[display.first : display.last]
    pieces: list[str] = []
    at = display.start
    for item in items:
        written = item.written if item.state == "translated" else item.formula.latex
        pieces += [text[at : item.formula.start], written]
        at = item.formula.end
    pieces.append(text[at : display.end])
    words = "; ".join(words_of(item, threshold) for item in items)
    return f"{SHOW if display.display else SAY}{{{' '.join(_UNSAFE.sub(' ', words).split())}}}{{{''.join(pieces)}}}"


def untagged(text: str) -> str:
    """A text without the command; what it stands around stays as it is."""
    pieces: list[str] = []
    at = 0
    for match in _SAID.finditer(text):
        end = balanced(text, match.end()) if match.start() >= at else -1
        if end > 0:
            pieces += [text[at : match.start()], text[match.end() + 1 : end - 1]]
            at = end
    return "".join([*pieces, text[at:]])
