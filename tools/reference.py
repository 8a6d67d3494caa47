"""Reference pages, made from `--help` and docstrings when the site is built (a hook of mkdocs).

python tools/reference.py FOLDER    writes them to a folder instead
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "texlift"

# what each package is about, in the order of the data flow
PACKAGES = {
    "": "The package",
    "latex": "Text to trees and back",
    "macros": "Semantic macros",
    "grammar": "Templates and readings",
    "corpus": "Pairs",
    "batching": "Topologies and levels",
    "network": "Cells, encoder, decoder, scorer",
    "training": "Training",
    "translate": "Translating",
    "disambiguation": "Disambiguation",
    "targets": "Computer algebra",
    "verify": "Numeric checks",
    "documents": "Whole documents",
    "server": "The service",
    "bench": "Measuring",
}


def pages() -> dict[str, str]:
    """Path of each page below docs/ and its text."""
    made = {"reference/cli.md": command_page(), "reference/python.md": python_index()}
    for name in PACKAGES:
        folder = PACKAGE / name
        if folder.is_dir() and (text := package_page(name)):
            made[f"reference/python/{name or 'texlift'}.md"] = text
    return made


# -- the command line ------------------------------------------------------------------------------------


def command_page() -> str:
    """One section a command: usage, help, arguments and options."""
    from typer.main import get_command

    from texlift.cli.app import COMMANDS, lazy_group

    parts = ["# Command line\n\nThis page is made from `--help`. Exit codes: 0 all right, 1 an error, 2 wrong usage.\n"]
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


def python_index() -> str:
    lines = ["# Python", "", "These pages are made from the docstrings; the code is typed throughout.", ""]
    for name, about in PACKAGES.items():
        if (PACKAGE / name).is_dir() and (not name or package_page(name)):
            title = f"texlift.{name}" if name else "texlift"
            lines.append(f"- [`{title}`](python/{name or 'texlift'}.md): {about[0].lower()}{about[1:]}")
    return "\n".join(lines) + "\n"


def package_page(name: str) -> str:
    """All public names of a package's modules, from the source (nothing is imported)."""
    title = f"texlift.{name}" if name else "texlift"
    sections = []
    for path in sorted((PACKAGE / name).glob("*.py")):
        if name and path.name == "__init__.py":
            continue
        if section := module_section(path, title):
            sections.append(section)
    if not sections:
        return ""
    return f"# {PACKAGES[name]}: `{title}`\n\n" + "\n".join(sections)


def module_section(path: Path, package: str) -> str:
    tree = ast.parse(path.read_text("utf-8"))
    public = exported(tree)
    if not public and path.name != "__init__.py":
        return ""
    module = package if path.name == "__init__.py" else f"{package}.{path.stem}"
    lines = [f"## `{module}`", "", text_of(ast.get_docstring(tree) or ""), ""]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in public:
            lines += class_lines(node)
        elif isinstance(node, ast.FunctionDef) and node.name in public:
            lines += [f"### `{node.name}`", "", signature(node), "", text_of(ast.get_docstring(node) or ""), ""]
    return "\n".join(lines)


def class_lines(node: ast.ClassDef) -> list[str]:
    lines = [f"### `{node.name}`", "", text_of(ast.get_docstring(node) or ""), ""]
    fields = [ast.unparse(item) for item in node.body if isinstance(item, ast.AnnAssign)]
    if fields:
        lines += ["```python", *fields, "```", ""]
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and ast.get_docstring(item):
            lines += [
                f"#### `{node.name}.{item.name}`",
                "",
                signature(item),
                "",
                text_of(ast.get_docstring(item) or ""),
                "",
            ]
    return lines


def signature(node: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"```python\ndef {node.name}({ast.unparse(node.args)}){returns}\n```".replace("```python", "```py")


def exported(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


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
    """Drop pages from the navigation that are not written (yet)."""
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
