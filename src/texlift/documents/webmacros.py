r"""Semantic macros for web pages: scripts that make KaTeX and MathJax read calls and print them as spelt.

Neither has a way in plain macros to look at what stands behind a macro's arguments, so both read calls by a function.
Where a document spells a call in several ways, pages show the standard one, or the one that `\spelt` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files

from texlift.documents.spelling import Spelling, shape_of
from texlift.grammar.pattern import HOLES
from texlift.latex.symbols import known_commands
from texlift.macros.lexicon import lexicon

__all__ = ["katex_script", "mathjax_script"]

_MARK = re.compile(r"#([1-9a-z'])")
_SCRIPT_HOLE = re.compile(r"(?<!\\)([_^])#([1-9a-z])")


def _texts(spelling: Spelling) -> str:
    """What a spelling prints: script arguments in braces, LaTeX's own names as words, so that they are no calls."""
    text = _SCRIPT_HOLE.sub(r"\1{#\2}", re.sub(r"[\r\n]", " ", spelling.text))
    if spelling.name in known_commands():
        text = re.sub(rf"{re.escape(spelling.name)}(?![A-Za-z])", rf"\\operatorname{{{spelling.name[1:]}}}", text)
    text = re.sub(r"(\\[A-Za-z]+)#", r"\1 #", text)
    return text if "#'" in text else f"{text}#'"


_Form = tuple[tuple[int, ...], str]
"""Layout of a call, and the letter of its spelling."""


def _by_macro(spellings: Iterable[Spelling]) -> dict[str, dict[_Form, Spelling]]:
    """The spellings by macro and form; where arguments are constants, the more general one."""
    found: dict[str, dict[_Form, Spelling]] = {}
    for spelling in spellings:
        layout = shape_of(spelling.form).layout
        if spelling.name in known_commands() and len(layout) == 2:
            continue
        own = found.setdefault(spelling.name, {})
        form = (layout, spelling.variant)
        if form not in own or _constants(spelling) < _constants(own[form]):
            own[form] = spelling
    return found


def _constants(spelling: Spelling) -> int:
    return sum(isinstance(argument, str) for argument in shape_of(spelling.form).arguments)


def mathjax_script(spellings: Iterable[Spelling]) -> str:
    """A script that makes MathJax (3 or 4) read calls; it stands before the one that loads MathJax."""
    return _script("mathjax.js", spellings)


def katex_script(spellings: Iterable[Spelling]) -> str:
    """A script that defines `texliftMacros`, for the option `macros` of KaTeX."""
    return _script("katex.js", spellings)


def _script(name: str, spellings: Iterable[Spelling]) -> str:
    script = files("texlift.documents").joinpath(name).read_text("utf-8")
    data = json.dumps(_table(spellings), ensure_ascii=True, sort_keys=True).replace("</", "<\\/")
    return script.replace("TABLE", data, 1)


def _table(spellings: Iterable[Spelling]) -> dict[str, list[object]]:
    """For each macro: most options, parameters, most variables, and what it prints by what was read of it."""
    table: dict[str, list[object]] = {"ifrac": [0, 2, 0, {"/": "{#1}/{#2}"}]}
    for name, forms in sorted(_by_macro(spellings).items()):
        macro = lexicon().lookup(shape_of(next(iter(forms.values())).form).name)
        layouts = [layout for layout, _ in forms]
        options = max(layout[0] for layout in layouts)
        variables = max([sum(layout[3::2]) for layout in layouts] + [macro.variables if macro else 0])
        shown = {f"{_key(layout)}/{letter}": _numbered(spelling) for (layout, letter), spelling in forms.items()}
        if name in known_commands():
            shown.setdefault("/", f"\\operatorname{{{name[1:]}}}#'")
        table[name[1:]] = [options, layouts[0][1], variables, shown]
    return table


def _key(layout: Sequence[int]) -> str:
    runs = zip(layout[2::2], layout[3::2], strict=True)
    return "o" * layout[0] + "".join("a" * ats + "v" * count for ats, count in runs)


def _numbered(spelling: Spelling) -> str:
    """What a spelling prints, argument k as the hole with its number, whatever hole the form has there."""
    arguments = shape_of(spelling.form).arguments
    marks = {HOLES[a]: HOLES[i] for i, a in enumerate(arguments) if isinstance(a, int)}
    return _MARK.sub(lambda match: match[0] if match[1] == "'" else f"#{marks[match[1]]}", _texts(spelling))
