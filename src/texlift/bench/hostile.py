"""Hostile input for fuzzing: formulae made by rules, formulae changed at random, broken lines, documents, requests.

All input is text; where bytes are meant, each character stands for one byte. The same seed gives the same input.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from texlift.corpus.demo import demo_pairs
from texlift.corpus.mutants import mutants
from texlift.grammar.packaged import packaged_grammar
from texlift.latex.signatures import generic_signatures
from texlift.latex.symbols import symbols
from texlift.macros.lexicon import lexicon

__all__ = ["Hostile"]

# fmt: off
_ODD = (
    *("\0", "\x1b", "\x7f", "\ud800", "\udfff", "\ufeff", "\u202e", "\u2061", "\u0301", "\U0001d400", "\u00b2"),
    *("%", "%\n", "#", "#1", "$", "$$", "~", "&", r"\\", "\n", "\r", "\t", "\\", "@", "@@", "'", "''", '"', "`"),
    *("^", "_", "^^", "__", "^'", "_{}", "^{}", "{}", "{", "}", "[", "]", "|", r"\|", "/", "!", "!!", "..."),
    *(r"\left", r"\right", r"\left.", r"\middle|", r"\Big^", r"\left_", r"\rm", r"\mathop\rm", r"\mathrel\rm"),
    *(r"\begin{cases}", r"\end{cases}", r"\begin{", r"\end", r"\over", r"\def\a{\a\a}\a", r"\let\a"),
    *(r"\newcommand{\f}[2]{#2#1}\f", "NaN", "1e999", "9" * 400, "0x10", "1.2.3", "1,000,000", "\u0660\u0661", "-0"),
    *("<b>", "&lt;", "]]>", "-->", "__import__"),
)
_OPENERS = (
    (r"\left(", r"\right)"), ("{", "}"), ("(", ")"), (r"\sqrt{", "}"), ("x^{", "}"),
    (r"\begin{matrix}", r"\end{matrix}"),
)
_LETTERS = (
    *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    r"\alpha", r"\nu", r"\Gamma", r"\pi", r"\zeta", r"\theta",
)
_RELATIONS = (
    *"=<+-*,;|", r"\le", r"\ne", r"\sim", r"\to", r"\in", r"\equiv", r"\cdot", r"\times",
)
_WORDS = (
    "Bessel functions", "let $n$ be an integer", "gamma function", "probability", "", "\ud800", "$" * 50, "x" * 2000,
)
_JSON = (
    *("null", "[]", "{}", "1e999", "NaN", "[" * 3000, '"', '{"latex"', '{"latex": 1}', "\xff\xfe", "\0", "true"),
    *("", " ", "\ufeff{}"),
)
_PROSE = (
    *("Let ", "% no $x$\n", r"\section{Bessel $x$}", r"\verb|$|", "```\n", "$$", "$", r"\[", r"\]", r"\(", "`$x$`"),
    *(r"\begin{verbatim}", r"\end{verbatim}", r"\input{x}", r"\input{/etc/passwd}", r"\newcommand{\a}{\b}"),
    *(r"\def\x#1{#1#1}", r"\begin{align}", r"\end{align}", "\n\n", "\r\n", r"\begin{equation}\label{e}"),
    *(r"\end{equation}", "# Title\n", "<!--", "% !TeX encoding = zip\n", "% !TeX encoding = utf-7\n", "\xff", "\xc3"),
    *("\xed\xa0\x80", "\xef\xbb\xbf", r"\end{document}"),
)
# fmt: on
_DEEPEST = 5
_LONGEST = 4_000  # characters: what the service takes


class Hostile:
    """A source of hostile input; `found` are inputs that were trouble before, which are changed further."""

    def __init__(self, seed: int, found: Sequence[str] = ()) -> None:
        self.rng = Random(f"hostile:{seed}")
        self._seed = seed
        pairs = demo_pairs()
        self._generic = [*(pair.generic for pair in pairs), *found]
        self._semantic = [*(pair.semantic for pair in pairs), *found]
        self._found = list(found)
        signatures = generic_signatures()
        self._commands = sorted(signatures.commands)
        self._environments = sorted(signatures.environments)
        self._symbols = sorted(symbols() | signatures.infix | signatures.switches)
        self._rules = [(rule.call, rule.generic) for rule in packaged_grammar().rules]
        self._macros = sorted(macro.name for macro in lexicon())

    # -- formulae --------------------------------------------------------------------------------------------

    def formula(self) -> str:
        """A formula as somebody who wants to break things would write it."""
        return self._text(self._generic, 1)

    def semantic(self) -> str:
        """Semantic LaTeX of that kind."""
        return self._text(self._semantic, 0)

    def statement(self) -> str:
        """An equation or inequality, of short sides so that a check has a chance."""
        sides = [self._grown(3, 0)[:200] for _ in range(2)]
        return self.rng.choice(("=", "<", r"\le", r"\ne", r"\in")).join(sides)

    def words(self) -> str:
        """Words around a formula, or words to search for."""
        rng = self.rng
        return rng.choice(_WORDS) if rng.random() < 0.5 else f"{rng.choice(self._macros)[1:]} ${self.formula()}$"

    def _text(self, pool: Sequence[str], side: int) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            text = self._grown(_DEEPEST, side)
        elif kind < 0.70:
            text = next(mutants(pool, 1, rng.getrandbits(48)))
        elif kind < 0.85:
            text = self._scratched(rng.choice(pool))
        elif kind < 0.93:
            text = self._scratched(self._grown(_DEEPEST, side))
        else:
            text = self._repeated(side)
        return text[:_LONGEST]

    def _grown(self, depth: int, side: int) -> str:
        """A formula grown from rules: templates with holes, commands with arguments, scripts, fences, tables."""
        return "".join([self._part(depth, side) for _ in range(self.rng.choice((1, 1, 2, 3, 5)))])

    def _part(self, depth: int, side: int) -> str:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            return self._leaf()
        inside = self._grown
        kind = rng.randrange(9)
        if kind < 3:
            call, generic = rng.choice(self._rules)
            return self._filled((call, generic)[side if rng.random() < 0.9 else 1 - side], depth, side)
        if kind == 3:
            letters = "".join([f"{{{inside(depth - 2, side)}}}" for _ in range(rng.choice((0, 1, 1, 2, 3)))])
            return rng.choice(self._commands) + letters
        if kind == 4:
            base, scripts = self._part(depth - 1, side), rng.choice(("^{", "_{", "'^{", "_a^{", "^2_{"))
            return f"{base}{scripts}{inside(depth - 2, side)}}}"
        if kind == 5:
            opener, closer = rng.choice(_OPENERS)
            return f"{opener}{inside(depth - 1, side)}{closer}"
        if kind == 6:
            name = rng.choice(self._environments)
            cells = rng.choice(("&", r"\\", " & ", r" \\ \hline ")).join(inside(depth - 2, side) for _ in range(3))
            return rf"\begin{{{name}}}{cells}\end{{{name}}}"
        if kind == 7:
            arguments = rng.choice((",", ";", "|")).join([inside(depth - 2, side) for _ in range(2)])
            return f"{rng.choice(_LETTERS)}({arguments})"
        return f"{inside(depth - 1, side)}{rng.choice(_RELATIONS)} {inside(depth - 1, side)}"

    def _leaf(self) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            return f"{rng.choice(_LETTERS)} " if rng.random() < 0.5 else rng.choice(_LETTERS)
        if kind < 0.75:
            return str(rng.choice((0, 1, 2, 3, 10, 3.14)))
        if kind < 0.9:
            return rng.choice(self._symbols) + " "
        return rng.choice(_ODD) if rng.random() < 0.3 else rng.choice(self._macros) + " "

    def _filled(self, template: str, depth: int, side: int) -> str:
        pieces = template.split("#")
        text = pieces[0]
        for piece in pieces[1:]:
            script = rng_script(self.rng) if piece[:1] == "'" else self._grown(depth - 2, side)
            text += script + piece[1:]
        return text

    def _scratched(self, text: str) -> str:
        """The text with characters lost, repeated, exchanged, or something odd put in."""
        rng = self.rng
        for _ in range(rng.choice((1, 1, 2, 4))):
            start = rng.randrange(len(text) + 1)
            end = start + rng.choice((0, 1, 1, 3, 20))
            text = (
                text[:start] + rng.choice((rng.choice(_ODD), "", text[start:end] * 3, text[end : end + 9])) + text[end:]
            )
        return text

    def _repeated(self, side: int) -> str:
        """One thing many times, side by side or nested."""
        rng = self.rng
        times = rng.choice((10, 60, 119, 121, 400, 1500))
        if rng.random() < 0.4:
            opener, closer = rng.choice(_OPENERS)
            return opener * times + self._leaf() + closer * rng.choice((times, times - 1))
        return rng.choice((self._part(1, side), rng.choice(_ODD), self._leaf())) * times

    # -- lines, documents, requests ----------------------------------------------------------------------------

    def line(self, field: str) -> str:
        """A line of JSON with a formula, most often broken in some way; without a line break."""
        rng = self.rng
        record: dict[str, object] = {field: self.formula() if field == "latex" else self.semantic()}
        for name, values in (
            ("context", (None, 1, [], {"section": "x"}, {"a": 1}, self.words())),
            ("id", (None, 1, "a", [1], {"a": 1}, "\ud800")),
            ("document", (None, "a", 1, [], {})),
            ("constraints", (None, [], ["x>0"], [1], "x>0")),
        ):
            if rng.random() < 0.2:
                record[name] = rng.choice(values)
        text = json.dumps(record, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass").decode("latin-1")
        kind = rng.random()
        if kind < 0.15:
            text = rng.choice(_JSON).encode("utf-8").decode("latin-1")
        elif kind < 0.4:
            text = self._scratched(text).encode("utf-8", "surrogatepass").decode("latin-1")
        return text.replace("\n", " ").replace("\r", " ")

    def tex(self) -> str:
        """A LaTeX document, as bytes."""
        return self._document(lambda: rf"${self.formula()}$")

    def markdown(self) -> str:
        """A Markdown document, as bytes."""
        return self._document(lambda: f"$${self.formula()}$$\n\n")

    def notebook(self) -> str:
        """A notebook, as bytes; now and then one that is none."""
        rng = self.rng
        cells: list[object] = [
            {"cell_type": rng.choice(("markdown", "code", 1)), "metadata": {}, "source": [self._document(self.formula)]}
            for _ in range(rng.randrange(4))
        ]
        if rng.random() < 0.3:
            cells.append(
                rng.choice((None, 1, {}, {"cell_type": "markdown"}, {"cell_type": "markdown", "source": "$\ud800$"}))
            )
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        return self._scratched(text).encode("utf-8", "replace").decode("latin-1") if rng.random() < 0.3 else text

    def _document(self, formula: Callable[[], str]) -> str:
        rng = self.rng
        pieces = [formula() if rng.random() < 0.5 else rng.choice(_PROSE) for _ in range(rng.randrange(1, 12))]
        if rng.random() < 0.05:  # what opens and never ends, again and again
            pieces.append(rng.choice(_PROSE) * rng.choice((100, 1_000, 4_000)))
        return "".join(
            p if max(p, default="") < "\u0100" else p.encode("utf-8", "replace").decode("latin-1") for p in pieces
        )


def rng_script(rng: Random) -> str:
    """What may stand at the script point of a template."""
    return rng.choice(("", "", "'", "^2", "_a^b", "^{(n)}"))
