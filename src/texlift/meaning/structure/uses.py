"""How a formula uses each of its letters: everything a model may know to say what kind of thing a letter is.

Features come from the formula as it is printed, so that they are the same whichever functions were recognised in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from texlift.latex.nodes import Command, Delimited, Leaf, Node, Row, Scripted
from texlift.meaning.reader.items import text_of
from texlift.meaning.structure.signs import (
    CLOSERS,
    OPENERS,
    class_of,
    closing,
    items_of,
    kind_of_name,
    name_of,
    rows_in,
)

__all__ = ["features_of", "said_around", "title_words", "uses_of"]

_BINDERS = frozenset({r"\sum", r"\prod"})
_INTEGRALS = frozenset({r"\int", r"\oint", r"\iint"})
_MOST = 400  # occurrences that are looked at
_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_COMMON = frozenset({
    "the", "and", "for", "with", "from", "that", "this", "are", "which", "dlmf", "chapter", "section", "other", "some",
    "into", "their", "where", "notation",
})  # fmt: skip


def uses_of(nodes: Row) -> dict[str, set[str]]:
    """For each letter of a formula, in the order of first use: how it is used, as features."""
    found: dict[str, set[str]] = {}
    stack: list[tuple[Row, str]] = [(nodes, "top")]
    seen = 0
    while stack:
        row, where = stack.pop()
        items = items_of(row)
        inner: list[tuple[Row, str]] = []
        opened: list[tuple[str, int]] = []  # the names before the brackets that are open, and the argument reached
        for index, node in enumerate(items):
            text = text_of(node)
            if text in OPENERS:
                opened.append((_head(items, index), 1))
            elif text in CLOSERS and opened:
                opened.pop()
            elif text in (",", ";") and opened:
                opened[-1] = (opened[-1][0], opened[-1][1] + 1)
            name = name_of(node)
            if name and seen < _MOST:
                seen += 1
                uses = found.setdefault(name, set())
                uses.update(_place(items, index, where))
                if opened and opened[-1][0]:
                    uses.add(f"argument of={opened[-1][0]}×{opened[-1][1]}")
                    uses.add(f"argument={kind_of_name(opened[-1][0])}×{opened[-1][1]}")
            inner += _inner(items, index, node, name, where)
        stack.extend(reversed(inner))
    return found


def _head(items: list[Node], bracket: int) -> str:
    return name_of(items[bracket - 1]) if bracket else ""


def _inner(items: list[Node], index: int, node: Node, name: str, where: str) -> list[tuple[Row, str]]:
    """The rows inside an item, each with a word for where it is."""
    if type(node) is Scripted:
        rows: list[tuple[Row, str]] = []
        base = node.base
        if base is not None and not name:
            rows += _inner(items, index, base, "", where)
        sign = text_of(node)
        head = sign if sign in _BINDERS | _INTEGRALS or sign == r"\lim" else name or class_of(node)
        for script in node.scripts:
            if script.argument is not None:
                rows.append(([script.argument], f"{'below' if script.kind == '_' else 'above'} {head}"))
        return rows
    if type(node) is Delimited:
        head = name_of(items[index - 1]) if index else ""
        return [(node.children, f"in {head}" if head else where)]
    if type(node) is Command:
        return [(row, node.name) for row in rows_in(node)] if not name else []
    return [(row, where) for row in rows_in(node)]


def _place(items: list[Node], index: int, where: str) -> list[str]:
    node = items[index]
    before = items[index - 1] if index else None
    after = items[index + 1] if index + 1 < len(items) else None
    found = [
        f"where={where}",
        f"where kind={where.split(' ')[0]}",
        f"next={_shown(after)}",
        f"previous={_shown(before)}",
    ]
    if len(items) == 1:
        found.append(f"alone={where}")
    scripts = node.scripts if type(node) is Scripted else []
    for script in scripts:
        if script.argument is None:
            found.append("primed")
            continue
        inner = items_of([script.argument])
        only = class_of(inner[0]) if len(inner) == 1 else "row"
        found.append(f"script={script.kind}{only}")
        if script.kind == "_" and len(inner) == 1:
            found.append(f"subscript={name_of(inner[0]) or text_of(inner[0])}")
    if after is not None:
        found += _behind(items, index, after)
    if before is not None and (text_of(before) in ("d", r"\partial") or class_of(before) == "upright d"):
        found.append("differentiated by")
    return found


def _behind(items: list[Node], index: int, after: Node) -> list[str]:
    """What stands behind a letter: brackets, or a relation and what it is compared with."""
    core = after.base if type(after) is Scripted else after
    if class_of(after) == "open" and not (type(core) is Leaf and core.text in CLOSERS):
        end = closing(items, index + 1)
        inside = items_of(core.children) if type(core) is Delimited else items[index + 2 : end]
        listed = any(text_of(item) in (",", ";") for item in inside)
        return [f"before brackets={'one' if len(inside) == 1 else 'list' if listed else 'row'}"]
    if class_of(after) == "relation" and index + 2 < len(items):
        right = items[index + 2]
        shown = text_of(right) or name_of(right) or class_of(right)
        found = [f"compared={text_of(after)}×{shown}"]
        texts = [text_of(item) for item in items[index + 2 : index + 9]]
        if any(text.endswith("dots") for text in texts) and "," in texts:
            found.append(f"counted from={texts[0]}")
        return found
    return []


def _shown(node: Node | None) -> str:
    if node is None:
        return "end"
    kind = class_of(node)
    return text_of(node) if kind in ("operation", "relation", "separator", "binder", "sign", "bars") else kind


def title_words(context: str) -> list[str]:
    """Words of titles and sentences that may tell what letters are about."""
    words = (word.lower() for word in _WORD.findall(context[:2000]))
    return list(dict.fromkeys(word for word in words if word not in _COMMON))[:30]


def said_around(name: str, context: str) -> list[str]:
    """The words behind a letter of a sentence, "where $n$ is a nonnegative integer": features for that letter."""
    written = re.escape(name)
    found: list[str] = []
    pattern = rf"(?<![A-Za-z\\]){written}(?![A-Za-z])[^A-Za-z\\]{{0,6}}(?:is|are|be|denotes?|an?)\s([^$.;]{{3,60}})"
    for match in re.finditer(pattern, context[:4000]):
        found += [f"said={word.lower()}" for word in _WORD.findall(match[1])[:6]]
    return found


def features_of(
    name: str,
    uses: Mapping[str, Iterable[str]],
    elsewhere: Mapping[str, Iterable[str]] | None = None,
    context: str = "",
) -> tuple[str, ...]:
    """All features of one letter: its name, its uses here and in the rest of the document, its company, the context."""
    own = sorted(uses.get(name, ()))
    kind = kind_of_name(name)
    found = ["always", f"name={name}", f"kind={kind}"]
    for use in own:
        found += [use, f"{name}×{use}", f"{kind}×{use}"]
    found += [f"{name} beside={other}" for other in uses if other != name]
    for use in sorted((elsewhere or {}).get(name, ())):
        if use.startswith(
            ("compared", "counted", "before brackets", "differentiated", "where kind", "where=below", "script")
        ):
            found += [f"document {use}", f"document {name}×{use}"]
    if context:
        found += [f"{name} title={word}" for word in title_words(context)]
        found += said_around(name, context)
    return tuple(dict.fromkeys(found))
