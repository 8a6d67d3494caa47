"""What must be there for a rule to match: found once for a grammar and kept in a file, so that a rule is only parsed
where it may match.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from texlift.grammar.pattern import Item
from texlift.grammar.rule import Rule

__all__ = ["Needs", "dump_needs", "load_needs", "needs_of"]


class Needs(NamedTuple):
    """A rule starts with a label, or with a hole before an `anchor`."""

    first: str
    scripts: frozenset[str]  # that the first symbol must carry
    follow: str  # the label that must follow it, or empty
    inner: str  # the label its first row must start with, or empty
    letters: tuple[str, str] | None  # a word written letter by letter: its first two
    labels: frozenset[str]  # that must occur in the formula
    words: tuple[tuple[str, str], ...]  # the same for words, each with the letter it starts with
    anchor: str = ""
    content: str = ""  # what must be in the anchor


def needs_of(rule: Rule) -> Needs | None:
    """The needs of a rule; None if it is of no use for reading."""
    items = rule.pattern.items
    if not items or rule.pattern.crowded():
        return None
    labels, words = rule.required
    first = items[0]
    if first.hole >= 0:
        anchor, content = _anchor(items)
        return Needs("", frozenset(), "", "", None, labels, words, anchor, content) if anchor else None
    scripts = frozenset([kind for kind, _ in first.scripts])
    follow = items[1].label if len(items) > 1 and items[1].hole < 0 and not items[1].letters else ""
    inner = ""
    if first.rows and first.rows[0].items:
        leading = first.rows[0].items[0]
        inner = leading.label if leading.hole < 0 and not leading.letters else ""
    letters = (first.letters[0], first.letters[1]) if first.letters else None
    return Needs(first.label, scripts, follow, inner, letters, labels, words)


def _anchor(items: list[Item]) -> tuple[str, str]:
    """The first label, and what must be in it, that a rule which starts with a hole needs; empty if it has none."""
    if items[0].scripts:
        kind, pattern = items[0].scripts[0]
        return kind, "" if pattern is None or "#" in pattern.source else pattern.source
    if len(items) > 1 and items[1].hole < 0 and not items[1].letters:
        return items[1].label, ""
    return "", ""


def dump_needs(all_needs: Iterable[Needs | None]) -> list[Any]:
    """The JSON form."""
    return [
        needs
        and [
            needs.first,
            "".join(sorted(needs.scripts)),
            needs.follow,
            needs.inner,
            needs.letters,
            sorted(needs.labels),
            needs.words,
            needs.anchor,
            needs.content,
        ]
        for needs in all_needs
    ]


def load_needs(table: list[Any]) -> list[Needs | None]:
    """What `dump_needs` wrote; ValueError or TypeError if it is something else."""
    found: list[Needs | None] = []
    for entry in table:
        if entry is None:
            found.append(None)
            continue
        first, scripts, follow, inner, letters, labels, words, anchor, content = entry
        found.append(
            Needs(
                first,
                frozenset(scripts),
                follow,
                inner,
                tuple(letters) if letters else None,
                frozenset(labels),
                tuple([(word, letter) for word, letter in words]),
                anchor,
                content,
            )
        )
    return found
