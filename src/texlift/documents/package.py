r"""`texlift-macros.sty`: LaTeX definitions of semantic macros, so that a lifted document compiles and looks the same.

A call is read as texlift reads it: `\name[opt]..{par}..scripts@@{var}..`. What it prints is a spelling (see
`texlift.documents.spelling`). The package of a document also keeps its spellings as comments that begin with `%:`, one
JSON object in a line: `texlift expand --document` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from texlift.documents.spelling import Spelling, key_of, shape_of
from texlift.errors import FormulaError, TexliftError
from texlift.grammar.pattern import HOLES
from texlift.latex.nodes import Scripted
from texlift.latex.parser import parse
from texlift.latex.symbols import known_commands
from texlift.macros.concepts import vocabulary
from texlift.macros.lexicon import Macro, lexicon
from texlift.targets.writers.intent import concept

__all__ = [
    "LOADING",
    "PACKAGE",
    "package_of",
    "package_text",
    "read_package",
    "sound_spelling",
    "standard_spellings",
    "without",
]

PACKAGE = "texlift-macros"
"""Name of the package."""

LOADING = f"\\usepackage{{{PACKAGE}}}"
"""The line of a document that loads it."""

_DATA = "%: "
_MARK = re.compile(r"#([1-9a-z'])")
_SCRIPT_HOLE = re.compile(r"(?<!\\)([_^])#([1-9a-z])")
_COMMENT_SIGN = re.compile(r"[\r\n]")
_NEEDED = (  # of the standard notations; a document's own spellings need nothing but what it loads
    "\\RequirePackage{amsmath,amssymb,mathrsfs,bm}\n\\providecommand\\ifrac[2]{{#1}/{#2}}\n"
)
_INTENTS = r"""% #1 scripts of a call, #2 intent, #3 what is printed; with scripts it means something else than its name
\AtBeginDocument{\ifdefined\MathMLintent\else\let\MathMLintent\@secondoftwo\let\MathMLarg\@secondoftwo\fi}
\def\tl@intent#1#2#3{\if\relax\detokenize{#1}\relax\expandafter\MathMLintent\else\expandafter\@secondoftwo\fi{#2}{#3}}
\def\tl@arg#1#2{\MathMLarg{#1}{#2}}
"""
_LARGEST = 10_000_000


def standard_spellings(macros: Iterable[Macro], names: dict[str, str] | None = None) -> list[Spelling]:
    """The spellings of the lexicon: every form of these macros, in its standard notation."""
    names = names or {}
    return [
        Spelling(call, names.get(macro.name, macro.name), _with_room(shown))
        for macro in macros
        for call, shown in macro.templates
    ]


def _with_room(shown: str) -> str:
    """A standard notation with braces around a symbol that has a superscript already where those of a call go."""
    before, point, behind = shown.partition("#'")
    try:
        last = parse(before)[-1] if point else None
    except (FormulaError, IndexError):
        last = None
    if isinstance(last, Scripted) and any(script.kind in "^'" for script in last.scripts):
        # TeX takes the braces off an accent that is alone in them
        return f"{before[: last.start]}{{{{}}{before[last.start :]}}}#'{behind}"
    return shown


def package_of(spellings: Sequence[Spelling], intents: bool = False) -> str:
    """The package of a document: its spellings, and the standard ones of forms that it does not use.

    With `intents` every call says what it means to packages that know `\\MathMLintent`.
    """
    names = {_macro_name(s.form): s.name for s in spellings}
    others = standard_spellings([m for name in sorted(names) if (m := lexicon().lookup(name))], names)
    return package_text(spellings, without(others, spellings), intents=intents)


def without(standard: Iterable[Spelling], own: Iterable[Spelling]) -> list[Spelling]:
    """The standard spellings of calls that a document has no spelling of its own for."""
    known = {(s.name, key_of(s.form)) for s in own}
    return [s for s in standard if (s.name, key_of(s.form)) not in known]


def package_text(
    own: Sequence[Spelling], standard: Sequence[Spelling], requires: bool = False, intents: bool = False
) -> str:
    """The package: `own` are spellings of a document, which are kept as data too."""
    data = "".join(f"{_DATA}{json.dumps(_record(s), ensure_ascii=True)}\n" for s in own)
    engine = files("texlift.documents").joinpath("package.tex").read_text("utf-8")
    by_name: dict[str, list[Spelling]] = {}
    for spelling in (*own, *standard):
        by_name.setdefault(spelling.name, []).append(spelling)
    needed = _NEEDED if requires else ""
    if requires or any(spelling.variant for spelling in own):
        needed += "\\let\\spelt\\tl@spelling\n"  # only where it is used: a document may have a \\spelt of its own
    if intents:
        needed += _INTENTS
    macros = "".join(_macro(name, spellings, intents) for name, spellings in sorted(by_name.items()))
    return f"{engine}{needed}{data}{macros}\\endinput\n"


def read_package(path: Path) -> list[Spelling] | None:
    """The spellings that a package keeps; None if there is no such package. Raises TexliftError if it is damaged."""
    try:
        if path.stat().st_size > _LARGEST:
            raise TexliftError(f"{path} is larger than {_LARGEST:,} bytes")
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise TexliftError(f"cannot read {path}: {error}") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith(_DATA):
            continue
        try:
            found.append(sound_spelling(json.loads(line[len(_DATA) :])))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise TexliftError(f"{path}, line {number}: not a spelling that texlift wrote") from None
    return found


def sound_spelling(record: Mapping[str, str]) -> Spelling:
    """A spelling from data; raises ValueError or KeyError if it is none."""
    spelling = Spelling(record["form"], record["name"], record["text"], record.get("variant", ""))
    try:
        sound = all(isinstance(value, str) for value in record.values()) and _sound(spelling)
    except TexliftError:
        sound = False
    if not sound:
        raise ValueError("not a spelling")
    return spelling


def _record(spelling: Spelling) -> dict[str, str]:
    record = {"form": spelling.form, "name": spelling.name, "text": spelling.text}
    return {**record, "variant": spelling.variant} if spelling.variant else record


def _sound(spelling: Spelling) -> bool:
    if not re.fullmatch(r"\\[A-Za-z]+", spelling.name) or not re.fullmatch(r"[a-z]*", spelling.variant):
        return False
    return bool(shape_of(spelling.form).name)


def _macro_name(form: str) -> str:
    match = re.match(r"\\[A-Za-z]+", form)
    return match[0] if match else ""


# -- TeX -----------------------------------------------------------------------------------------------


def _macro(name: str, spellings: Sequence[Spelling], intents: bool) -> str:
    """The definitions of one macro."""
    word = name[1:]
    macro = lexicon().lookup(_macro_name(spellings[0].form)) or vocabulary().macros.get(name)
    simple = all(shape_of(s.form).layout == (0, 0) for s in spellings)
    own = name in known_commands()
    lines = [f"\\let\\tl@own@{word}{name}\n"] if own else []
    if simple:
        for spelling in spellings:
            body = _body(spelling, own).replace("#1", "")
            target = f"\\expandafter\\protected\\expandafter\\def\\csname tl@{word}/{spelling.variant}\\endcsname"
            lines.append(f"{target if spelling.variant else f'{chr(92)}protected{chr(92)}def{name}'}{{{body}}}\n")
        return "".join(lines)
    layouts = [shape_of(s.form).layout for s in spellings]
    options = max([layout[0] for layout in layouts] + [macro.options if macro else 0])
    variables = -1 if all(len(layout) == 2 for layout in layouts) else max(sum(layout[3::2]) for layout in layouts)
    lines.append(f"\\protected\\def{name}{{\\tl@call{{{word}}}{{{options}}}{{{layouts[0][1]}}}{{{variables}}}}}\n")
    groups: dict[tuple[str, str], list[Spelling]] = {}
    for spelling in spellings:
        groups.setdefault((_key(spelling), spelling.variant), []).append(spelling)
    if own and ("", "") not in groups:
        lines.append(_definition(word, "", "", 0, f"\\tl@own@{word}#1"))
    lines += [_form(word, key, variant, group, own, intents) for (key, variant), group in groups.items()]
    return "".join(lines)


def _key(spelling: Spelling) -> str:
    """What TeX has read when a call is complete: o for each option, a for each @, v for each variable."""
    layout = shape_of(spelling.form).layout
    return "o" * layout[0] + "".join(
        "a" * ats + "v" * count for ats, count in zip(layout[2::2], layout[3::2], strict=True)
    )


def _form(word: str, key: str, variant: str, group: Sequence[Spelling], own: bool, intents: bool) -> str:
    """One form; of several with the same layout those with constants are tried first."""
    ordered = sorted(group, key=lambda s: -sum(isinstance(a, str) for a in shape_of(s.form).arguments))
    count = len(shape_of(ordered[0].form).arguments)
    body = ""
    for spelling in reversed(ordered):
        constants = [(i, a) for i, a in enumerate(shape_of(spelling.form).arguments) if isinstance(a, str)]
        text = _body(spelling, own, intents)
        if not body:
            body = text
            continue
        given = "/".join(_parameter(index) for index, _ in constants)
        wanted = "/".join(constant for _, constant in constants)
        body = f"\\tl@same{{{given}}}{{{wanted}}}{{{text}}}{{{body}}}" if constants else text
    return _definition(word, key, variant, count, body)


def _definition(word: str, key: str, variant: str, count: int, body: str) -> str:
    """`#1` are the scripts, the arguments follow; TeX takes nine at a time."""
    parameters = "".join(f"#{number}" for number in range(1, min(9, count + 1) + 1))
    if count > 8:
        rest = "".join(f"##{number}" for number in range(1, count - 8 + 1))
        body = f"\\def\\tl@rest{rest}{{{body}}}\\tl@rest"
    return f"\\expandafter\\def\\csname tl@{word}/{key}/{variant}\\endcsname{parameters}{{{body}}}\n"


def _parameter(index: int) -> str:
    """The parameter of argument `index`, which is one behind the scripts."""
    return f"#{index + 2}" if index < 8 else f"##{index - 7}"


def _body(spelling: Spelling, own: bool, intents: bool = False) -> str:
    shape = shape_of(spelling.form)
    numbers = {HOLES[a]: _parameter(i) for i, a in enumerate(shape.arguments) if isinstance(a, int)}
    name = concept(shape.name) if intents and shape.layout[2:] else ""
    shown = [mark for mark in numbers if f"#{mark}" in spelling.text]
    meant = ",".join(f"$a{mark}" for mark in shown)
    if name and shown and "derivative" not in name:
        numbers = {mark: f"\\tl@arg{{a{mark}}}{{{parameter}}}" for mark, parameter in numbers.items()}
    else:
        name = ""
    text = _SCRIPT_HOLE.sub(r"\1{#\2}", _COMMENT_SIGN.sub(" ", spelling.text))
    if own:
        text = re.sub(rf"{re.escape(spelling.name)}(?![A-Za-z])", lambda _: f"\\tl@own@{spelling.name[1:]} ", text)
    text = _MARK.sub(lambda match: numbers.get(match[1], "#1" if match[1] == "'" else ""), text)
    text = text if "#'" in spelling.text else f"{text}#1"
    return f"\\tl@intent{{#1}}{{{name}({meant})}}{{{text}}}" if name else text
