"""For each function of a formula: what the DLMF means by it, what the target calls it, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator

from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Function, walk
from texlift.targets.table import definition, load_table, lookup

__all__ = ["explain"]

_OTHERWISE = {"mathml": "csymbol", "mathjson": "a function of its own, dlmf_..."}  # for macros that are in no table


def explain(semantic: str, target: str) -> Iterator[str]:
    """Lines for a person, one block for each macro in the order of first use."""
    seen: set[str] = set()
    for statement in read(semantic).statements:
        for node in walk(statement):
            if not isinstance(node, Apply | Function) or node.head[0] != "\\" or node.head in seen:
                continue
            seen.add(node.head)
            yield from _block(node, target) if isinstance(node, Apply) else (f"{node.head}: only a name",)


def _block(node: Apply, target: str) -> Iterator[str]:
    name = node.head.removesuffix("[]")
    if target == "intent":
        from texlift.targets.writers.intent import concept

        yield f"{name}: intent {concept(name) or 'none'}"
        return
    macro = lexicon().lookup(name)
    where = f", {macro.dlmf_url}" if macro is not None and macro.dlmf_url else ""
    yield f"{name}: {macro.meaning if macro is not None else 'unknown'}{where}"
    entry = lookup(load_table(target), node)
    if entry is not None:
        yield f"  {target}: {entry.code}"
        if entry.note:
            yield f"  convention: {entry.note}"
        if entry.conditions:
            yield f"  needs: {entry.conditions}"
        return
    found = definition(node)
    if found is None:
        yield f"  {target}: {_OTHERWISE.get(target, 'no counterpart')}"
        return
    yield f"  {target} lacks it; defined by {found.text}"
    if found.note:
        yield f"  source: {found.note}"
    if found.conditions:
        yield f"  valid for: {found.conditions}"
