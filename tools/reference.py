"""Reference pages, made from `--help` and docstrings when the site is built (a hook of mkdocs).

python tools/reference.py FOLDER    writes them to a folder instead
"""

from __future__ import annotations

import ast
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from inspect import getsource
from pathlib import Path
from textwrap import dedent
from typing import Any

FIRST = ("translate", "Translation", "check", "equal", "parse_latex", "convert", "expand", "load",
         "Translator.translate", "Translator")  # fmt: skip
"""What most readers look for, in this order; a name that texlift does not export is left out."""

_WIDTH = 100  # characters of a signature in one line

# the public names: heading, sentence, names as "module:name"
SECTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Parts of an answer": (
        "What `Translation.decisions` and `Translation.alternatives` hold.",
        (
            "texlift.translate.answer:Decision",
            "texlift.translate.answer:Reading",
            "texlift.translate.answer:Alternative",
        ),
    ),
    "Code for computer algebra": (
        "`Translation.to` and `Translation.converted` use these.",
        ("texlift.targets:Conversion", "texlift.targets.objects:build", "texlift.targets.objects:Objects"),
    ),
    "Numeric checks": (
        "These need `pip install 'texlift[compute]'`.",
        ("texlift.verify:check", "texlift.verify:check_all", "texlift.verify:Task", "texlift.verify:Verdict"),
    ),
    "What a formula says": (
        "`Translation.tree` is a `Reading`, `Translation.symbols` holds `Letter`s.",
        (
            "texlift.meaning.reader.reading:Reading",
            "texlift.meaning.letters:Letter",
            "texlift.meaning.declarations:Declarations",
            "texlift.meaning.declarations:Declaration",
        ),
    ),
    "Macros": (
        "",
        (
            "texlift.macros.lexicon:lexicon",
            "texlift.macros.lexicon:Lexicon",
            "texlift.macros.lexicon:Macro",
        ),
    ),
    "Grammar and trees": (
        "",
        (
            "texlift.grammar.grammar:Grammar",
            "texlift.latex.canonical:canonical_key",
        ),
    ),
    "Pairs": (
        "",
        (
            "texlift.corpus.pair:Pair",
            "texlift.corpus.demo:demo_pairs",
            "texlift.corpus.folds:split_fold",
            "texlift.corpus.augment:augment",
            "texlift.corpus.notation:everyday",
            "texlift.corpus.notation:variants",
        ),
    ),
}


def pages() -> dict[str, str]:
    """Path of each page below docs/ and its text."""
    return {"reference/cli.md": command_page(), "reference/python.md": python_page()}


# -- the command line ------------------------------------------------------------------------------------


def command_page() -> str:
    """One section per command: usage, help, arguments and options."""
    from typer.main import get_command

    from texlift.cli.app import COMMANDS, lazy_group

    exits = "Exit codes: 0 success, 1 an error, 2 wrong usage, 70 a defect of texlift."
    parts = [f"# Command line\n\nThis page is made from `--help`. {exits}\n"]
    for name, (module, _) in lazy_group(COMMANDS).table().items():
        if find_spec(module) is not None:
            command = get_command(import_module(module).app)
            parts.append(describe(command, f"texlift {name}", 2))
    return "\n".join(parts)


def describe(command: Any, name: str, level: int) -> str:
    """A command as Markdown, with its subcommands below it."""
    subcommands = {**getattr(command, "commands", {}), **lazy_subcommands(command)}
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [
        p for p in command.params if p.param_type_name == "option" and not p.hidden and p.name not in _COMPLETION
    ]
    usage = [name, *(["COMMAND"] if subcommands else []), *(["[OPTIONS]"] if options else [])]
    usage += [metavar(argument) for argument in arguments]
    lines = [f"{'#' * level} `{name}`", "", text_of(command.help or ""), "", "```text", " ".join(usage), "```", ""]
    rows = [(f"`{metavar(a)}`", getattr(a, "help", None) or "", "") for a in arguments]
    rows += [(", ".join(f"`{o}`" for o in [*p.opts, *p.secondary_opts]), p.help or "", default(p)) for p in options]
    if rows:
        lines += ["| | | default |", "|---|---|---|"]
        lines += [f"| {cell(a)} | {cell(b)} | {cell(c)} |" for a, b, c in rows]
        lines.append("")
    lines += [describe(sub, f"{name} {key}", level + 1) for key, sub in subcommands.items()]
    return "\n".join(lines)


_COMPLETION = frozenset({"install_completion", "show_completion", "help"})


def lazy_subcommands(command: Any) -> dict[str, Any]:
    """Commands of a lazy group, imported."""
    from typer.main import get_command

    table: dict[str, tuple[str, str]] = command.table() if hasattr(command, "table") else {}
    return {name: get_command(import_module(module).app) for name, (module, _) in table.items() if find_spec(module)}


def metavar(argument: Any) -> str:
    name = argument.metavar or (argument.name or "").upper()
    many = "..." if argument.nargs == -1 and not name.endswith("...") else ""
    return f"{name}{many}" if argument.required else f"[{name}{many}]"


def default(option: Any) -> str:
    value = option.default
    if value in (None, False, "", ()) or callable(value):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(f"`{v}`" for v in value)
    return "" if value is True and option.secondary_opts == [] else f"`{value}`".replace("`True`", "yes")


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# -- the package -----------------------------------------------------------------------------------------


def python_page() -> str:
    """The public names with signature and docstring. Everything else in the package may change without notice."""
    lines = [
        "# Python",
        "",
        "The public API. Whatever is not on this page may change without notice. The code is typed throughout.",
        "",
        "## `texlift`",
        "",
    ]
    for name in top_level():
        lines += entry("texlift", name)
    for title, (about, names) in SECTIONS.items():
        lines += [f"## {title}", "", *([about, ""] if about else [])]
        for name in names:
            module, _, attribute = name.partition(":")
            lines += [*entry(module, attribute)]
    return "\n".join(lines)


def top_level() -> list[str]:
    """What `texlift` exports, the most used first."""
    import texlift

    exported = [name for name in texlift.__all__ if not name.startswith("_") and name in dir(texlift)]
    first = [name for name in FIRST if name.partition(".")[0] in exported]
    if "translate" in exported:
        first.remove("Translator.translate")
    return first + [name for name in exported if name not in first]


def entry(module: str, name: str) -> list[str]:
    """A class, a function or a method (`Translator.translate`) as Markdown."""
    found: Any = import_module("texlift.translate.shortcut" if (module, name) == ("texlift", "translate") else module)
    for part in name.split("."):
        found = getattr(found, part)
    (node,) = ast.parse(dedent(getsource(found))).body
    lines = [f"### `{name}`", ""]
    if module != "texlift":
        lines += [f"`from {module} import {name}`", ""]
    if isinstance(node, ast.ClassDef):
        return lines + class_lines(node)
    assert isinstance(node, ast.FunctionDef)
    return [*lines, signature(node), "", text_of(ast.get_docstring(node) or ""), ""]


def class_lines(node: ast.ClassDef) -> list[str]:
    lines = [text_of(ast.get_docstring(node) or ""), ""]
    if fields := [field_line(item) for item in node.body if isinstance(item, ast.AnnAssign) and is_shown(item)]:
        lines += ["```py", *fields, "```", ""]
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and ast.get_docstring(item):
            name = f"{node.name}.{item.name}"
            if name not in top_level():
                lines += [f"#### `{name}`", "", signature(item), "", text_of(ast.get_docstring(item) or ""), ""]
    return lines


def is_shown(item: ast.AnnAssign) -> bool:
    """Whether a field is for users: not private, and not left out of `repr`."""
    return not ast.unparse(item.target).startswith("_") and "repr=False" not in ast.unparse(item)


def field_line(item: ast.AnnAssign) -> str:
    line = f"{ast.unparse(item.target)}: {ast.unparse(item.annotation)}"
    if item.value is None:
        return line
    default = re.sub(
        r"field\(default(_factory)?=(.*)\)", lambda m: f"{m[2]}()" if m[1] else m[2], ast.unparse(item.value)
    )
    return f"{line} = {default}"


def signature(node: ast.FunctionDef) -> str:
    """The head of a function, one parameter on a line where they do not fit."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorated = [f"@{d.id}" for d in node.decorator_list if isinstance(d, ast.Name) and d.id != "cached_property"]
    head = parameters(node.args)
    line = f"def {node.name}({', '.join(head)}){returns}"
    if len(line) > _WIDTH:
        line = "\n".join([f"def {node.name}(", *(f"    {one}," for one in head), f"){returns}"])
    return "\n".join(["```py", *decorated, line, "```"])


def parameters(arguments: ast.arguments) -> list[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    shown = [parameter(one, default) for one, default in zip(plain, defaults, strict=True)]
    if arguments.vararg or arguments.kwonlyargs:
        shown.append(f"*{arguments.vararg.arg if arguments.vararg else ''}")
    return shown + [parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]


def parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def text_of(docstring: str) -> str:
    """A docstring as Markdown: indented lines become a block, as they look in the source."""
    lines: list[str] = []
    code = False
    for line in docstring.expandtabs().splitlines():
        indented = line.startswith("    ") and line.strip() != ""
        if indented and not code and (not lines or not lines[-1].strip()):
            lines.append("```text")
            code = True
        elif code and not indented and line.strip():
            while lines[-1] == "":
                lines.pop()
            lines += ["```", ""]
            code = False
        lines.append(line[4:] if code else line)
    if code:
        lines.append("```")
    return "\n".join(lines)


# -- mkdocs ----------------------------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    """Leave pages out of the navigation that do not exist."""
    docs = Path(config["docs_dir"])
    made = pages()

    def present(entry: Any) -> Any:
        if isinstance(entry, str):
            return entry if entry in made or (docs / entry).exists() else None
        if isinstance(entry, dict):
            kept = {title: present(target) for title, target in entry.items()}
            return {title: target for title, target in kept.items() if target} or None
        return [kept for item in entry if (kept := present(item))]

    config["nav"] = present(config["nav"])
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages made from the code."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
    for page, content in pages().items():
        (target / page).parent.mkdir(parents=True, exist_ok=True)
        (target / page).write_text(content, "utf-8")
