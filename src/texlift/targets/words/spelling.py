r"""Formulae and names spelled as they are written: `x_{0}` is `x sub 0`, `\hat{\theta}` is `theta hat`.

For names of symbols, and for the parts of a formula that are not understood. Nothing here says what a sign means.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from texlift.errors import FormulaError
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted, Text
from texlift.latex.parser import parse
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.reading import semantic_signatures

__all__ = ["Speller", "name_words", "spoken"]

_FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\ifrac"})
_BINOMIALS = frozenset({r"\binom", r"\dbinom", r"\tbinom"})
_SIMPLE = 2  # words of a script that needs no end mark: `capital A`, `n prime`


@cache
def spoken() -> Mapping[str, Any]:
    """The table of signs, letters, fonts and accents."""
    data: dict[str, Any] = json.loads(files("texlift.targets").joinpath("tables", "spoken.json").read_text("utf-8"))
    for name in ("silent", "plain"):
        data[name] = frozenset(data[name].split())
    return data


@cache
def _glyphs() -> Mapping[str, str]:
    data = json.loads(files("texlift.targets").joinpath("tables", "glyphs.json").read_text("utf-8"))
    found: dict[str, str] = {}
    for name in ("identifiers", "prefixes", "operators", "delimiters", "large"):
        found.update(data[name])
    return found


@lru_cache(maxsize=4096)
def name_words(name: str) -> str:
    r"""A symbol by its TeX name: `\Gamma` is `capital gamma`, `k'` is `k prime`, `\mathbf{x}` is `bold x`."""
    if len(name) == 1:
        return _letter(name)
    try:
        return Speller(name.rstrip("_") or name).words()
    except FormulaError:
        return " ".join(_letter(char) for char in name if char.isalnum()) or "symbol"


def _letter(text: str) -> str:
    if len(text) == 1 and text.isascii():
        return f"capital {text}" if text.isupper() else text
    table = spoken()
    if text in table["letters"]:
        return str(table["letters"][text])
    word = text.removeprefix("\\")
    glyph = _glyphs().get(text, text)
    if len(glyph) != 1:
        return word
    described = unicodedata.name(glyph, "").lower()
    if "greek" in described:
        short = word.removeprefix("var") if text[0] == "\\" else described.rpartition(" ")[2].replace("lamda", "lambda")
        size = "capital " if glyph.isupper() else ""
        return ("variant " if word.startswith("var") else "") + size + short.lower()
    return described.replace("mathematical ", "") or word


class Speller:
    """Spells one source; `known` may put a part of it into other words, given its start and end.

    It is asked for calls of semantic macros and, unless `calls` is set, for all that stands between signs.
    """

    def __init__(self, source: str, known: Callable[[int, int], str] | None = None, calls: bool = False) -> None:
        self.source = source
        self.known = known
        self.calls = calls

    def words(self) -> str:
        """The whole source. Raises FormulaError where it is not LaTeX."""
        return " ".join(self.row(parse(self.source, semantic_signatures())).split())

    def first(self) -> str:
        """The first sign of the source."""
        return next(filter(None, map(self.node, parse(self.source, semantic_signatures()))), "")

    def row(self, nodes: list[Node]) -> str:
        """Nodes one after the other; stretches between signs are given to `known` first."""
        if self.known is None or self.calls:
            return self.plain(nodes)
        found: list[str] = []
        start = 0
        for at in range(len(nodes) + 1):
            if at < len(nodes) and not self._separates(nodes[at]):
                continue
            if at > start:
                words = self.known(nodes[start].start, nodes[at - 1].end) if at - start < len(nodes) else ""
                found.append(words or self.plain(nodes[start:at]))
            if at < len(nodes):
                found.append(self.node(nodes[at]))
            start = at + 1
        return " ".join(filter(None, found))

    def _separates(self, node: Node) -> bool:
        """Whether a node is a sign between expressions: a relation, an arrow, a comma."""
        if not isinstance(node, Leaf):
            return isinstance(node, Text)
        if node.text in (",", ";", ":", "=", "<", ">", "&", r"\quad", r"\qquad", r"\forall", r"\exists"):
            return True
        glyph = _glyphs().get(node.text, "")
        return len(glyph) == 1 and unicodedata.category(glyph) == "Sm" and node.text not in _ARITHMETIC

    def plain(self, nodes: list[Node]) -> str:
        found: list[str] = []
        number = ""
        for node in nodes:
            text = node.text if isinstance(node, Leaf) else ""
            if text.isdigit() or (text == "." and number):
                number += text
                continue
            if number and isinstance(node, Scripted) and isinstance(node.base, Leaf) and node.base.text.isdigit():
                number += self.node(node)  # 10^{3}: the exponent stands at the last digit
                continue
            if number:
                found.append(number)
                number = ""
            found.append(self.node(node))
        return " ".join(filter(None, [*found, number]))

    def node(self, node: Node | None) -> str:
        """One node."""
        if node is None:
            return ""
        if isinstance(node, Leaf):
            return self.leaf(node.text)
        if isinstance(node, Group):
            return self.row(node.children)
        if isinstance(node, Scripted):
            return self.scripted(node)
        if isinstance(node, Command):
            return self.command(node)
        if isinstance(node, Delimited):
            inside = self.row(node.children)
            return f"{self.leaf(node.left)} {inside} {self.leaf(node.right)}"
        if isinstance(node, Infix):
            word = {r"\over": "over", r"\choose": "choose", r"\atop": "above"}.get(node.operator, "over")
            return f"the fraction {self.row(node.above)} {word} {self.row(node.below)}, end fraction"
        if isinstance(node, Environment):
            rows = ["; ".join(self.row(cell.children) for cell in line if cell.children) for line in node.rows]
            return f"the table {'; next row: '.join(filter(None, rows))}, end table"
        if isinstance(node, Call):
            return self.call(node)
        return " ".join(self.source[node.start : node.end].replace("\\", " ").replace("$", " ").strip("{}").split())

    def leaf(self, text: str) -> str:
        table = spoken()
        if text in table["silent"] or text.isspace() or text in ("", ".") or text == "\\\\":
            return "point" if text == "." else ""
        if text in table["signs"]:
            return str(table["signs"][text])
        if text.isdigit():
            return text
        if text[0] != "\\" or text in _glyphs():
            glyph = _glyphs().get(text, text)
            return _letter(text) if glyph.isalpha() else unicodedata.name(glyph[:1], text).lower()
        return text[1:].strip()

    def scripted(self, node: Scripted) -> str:
        found = self.node(node.base)
        for script in sorted(node.scripts, key=lambda one: "'_^".index(one.kind)):
            found += f" {self.script(script)}"
        return found

    def script(self, script: Script) -> str:
        if script.kind == "'":
            return "prime"
        inside = self.node(script.argument)
        if script.kind == "^" and inside in _MARKS:
            return inside
        word = "sub" if script.kind == "_" else "superscript"
        short = len(inside.split()) <= _SIMPLE and "sub" not in inside
        return f"{word} {inside}" if short else f"{word} {inside}, end {word}"

    def command(self, node: Command) -> str:
        table, name = spoken(), node.name
        parts = [self.node(part) for part in node.arguments]
        if name in _FRACTIONS:
            return f"the fraction {parts[0]} over {parts[1]}, end fraction"
        if name in _BINOMIALS:
            return f"the binomial {parts[0]} choose {parts[1]}, end binomial"
        if name == r"\sqrt":
            degree = f" of degree {self.node(node.options[0])}" if node.options else ""
            return f"the root{degree} of {parts[0]}, end root"
        if name in table["fonts"]:
            return f"{table['fonts'][name]} {parts[0]}"
        if name in table["accents"]:
            return f"{parts[0]} {table['accents'][name]}"
        if name in table["plain"]:
            return self.word(node, parts[0])
        if name == r"\not":
            return f"not {parts[0]}"
        if name in (r"\pmod", r"\pod"):
            return f"modulo {parts[0]}"
        if name in (r"\overset", r"\stackrel"):
            return f"{parts[1]} with {parts[0]} above"
        if name == r"\underset":
            return f"{parts[1]} with {parts[0]} below"
        if name in (r"\label", r"\tag", r"\phantom", r"\hphantom", r"\vphantom", r"\hspace", r"\mspace", r"\vspace"):
            return ""
        return " ".join(filter(None, [name[1:] if not name.startswith((r"\big", r"\Big")) else "", *parts]))

    def word(self, node: Command, spelled: str) -> str:
        r"""What stands in `\mathrm` or `\text`: a word stays a word."""
        inner = self.source[node.arguments[0].start : node.arguments[0].end].strip("{} ")
        return " ".join(inner.split()) if len(inner) > 1 and inner.replace(" ", "").isalpha() else spelled

    def call(self, node: Call) -> str:
        words = self.known(node.start, node.end) if self.known is not None else ""
        if words:
            return words
        macro = lexicon().lookup(node.name)
        name = macro.meaning.partition(",")[0].partition(" (")[0] if macro is not None else node.name[1:]
        parts = list(filter(None, (self.node(part) for part in node.arguments)))
        scripts = [self.script(script) for script in node.scripts]
        return " ".join(
            filter(
                None, [f"the {name}", *scripts, f"of the arguments {', '.join(parts)}, end arguments" if parts else ""]
            )
        )


_ARITHMETIC = frozenset({r"\pm", r"\mp", r"\times", r"\div", r"\cdot", r"\ast", r"\circ", "+", "-"})
_MARKS = frozenset({"prime", "prime prime", "dagger", "star", "asterisk"})
