"""Places where an expression stands before a bracket, with everything a model may use to tell arguments from a factor.

How brackets are typed is no evidence: `\\left(` and `(` give the same features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

from texlift.latex.nodes import Delimited, Leaf, Node, Row, Script, Scripted
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

__all__ = ["Place", "Usage", "places_of", "reason", "usage_of"]

_LONGEST = 40  # items of a bracket that are looked at
_LEFT = frozenset({
    "letter", "word", "digit", "close", "open", "fraction", "derivative", "root", "command", "call", "constant", "bars",
    "fence", "group", "sign", "dots", "upright i", "upright e", "upright d",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Usage:
    """How often each name of a formula or document stands before a bracket, and how often elsewhere."""

    before: Counter[str]
    single: Counter[str]  # before a bracket with one letter or number
    several: Counter[str]  # before a bracket with commas
    elsewhere: Counter[str]

    @classmethod
    def empty(cls) -> Usage:
        """No uses."""
        return cls(Counter(), Counter(), Counter(), Counter())

    def add(self, other: Usage) -> None:
        """Count further uses."""
        for mine, theirs in zip(self._counters(), other._counters(), strict=True):
            mine.update(theirs)

    def without(self, part: Usage, names: Set[str] | None = None) -> Usage:
        """The uses outside of one formula, of some names or of all."""
        pairs = zip(self._counters(), part._counters(), strict=True)
        if names is None:
            return Usage(*(mine - theirs for mine, theirs in pairs))
        return Usage(*(Counter({n: max(0, mine[n] - theirs[n]) for n in names}) for mine, theirs in pairs))

    def _counters(self) -> tuple[Counter[str], ...]:
        return self.before, self.single, self.several, self.elsewhere


@dataclass(frozen=True, slots=True)
class Place:
    """A bracket with something before it: where it starts, the name before it (empty for no letter or word).

    `idle` is whether a product would not need the bracket: it holds one letter or number, or a list, or stands behind
    primes, and has no scripts.
    """

    start: int
    name: str
    features: tuple[str, ...]
    idle: bool = False

    @property
    def is_letter(self) -> bool:
        """Whether a single letter stands before the bracket, with or without scripts."""
        return kind_of_name(self.name) in ("small", "capital", "greek", "Greek")


@dataclass(frozen=True, slots=True)
class _Site:
    items: list[Node]
    at: int  # the bracket
    end: int  # its closer
    inside: list[Node]


_REASONS = {
    "name": "the letter {}",
    "only": "a single sign in the brackets",
    "length=1": "a single sign in the brackets",
    "separators": "a list in the brackets",
    "sums=0": "no sum in the brackets",
    "sums": "a sum in the brackets",
    "first": "the brackets start with {}",
    "itself inside=True": "the letter stands inside the brackets too",
    "marks": "its scripts",
    "formula single": "the letter stands before a single sign elsewhere",
    "formula several": "the letter stands before a list elsewhere",
    "formula use": "how else the formula uses the letter",
    "document use": "how other formulae use the letter",
    "document single": "how other formulae use the letter",
    "behind": "what stands behind the brackets",
    "before": "what stands before the letter",
    "after": "what follows the brackets",
}


def reason(features: list[str]) -> str:
    """The first features that can be said in words."""
    found: dict[str, None] = {}
    for feature in features:
        kind, _, value = feature.partition("=")
        empty = value in ("", "False", "end") or value.startswith("0")
        words = _REASONS.get(feature) or (None if empty else _REASONS.get(kind))
        if words:
            found[words.format(value)] = None
    return ", ".join(list(found)[:2]) or "the shape of the place"


def places_of(nodes: Row, document: Usage | None = None) -> list[Place]:
    """All places of a formula in reading order; `document` counts the uses in the other formulae of its document."""
    sites = list(_sites(nodes))
    if not sites:
        return []
    usage = usage_of(nodes)
    return [_place(site, usage, document) for site in sites]


def usage_of(nodes: Row) -> Usage:
    """The uses of all names of a formula."""
    usage = Usage.empty()
    stack = [nodes]
    while stack:
        items = items_of(stack.pop())
        for index, node in enumerate(items):
            stack.extend(rows_in(node))
            name = name_of(node)
            if not name:
                continue
            if index + 1 < len(items) and _opens(items[index + 1]):
                end = closing(items, index + 1)
                inside = _inside(items, index + 1, end)
                usage.before[name] += 1
                usage.single[name] += len(inside) == 1 and class_of(inside[0]) in ("letter", "digit")
                usage.several[name] += any(text_of(item) in (",", ";") for item in inside)
            else:
                usage.elsewhere[name] += 1
    return usage


def _opens(node: Node) -> bool:
    core = node.base if type(node) is Scripted else node
    if type(core) is Delimited:
        return core.left in OPENERS
    return type(core) is Leaf and core.text in OPENERS


def _inside(items: list[Node], opening: int, end: int) -> list[Node]:
    node = items[opening]
    core = node.base if type(node) is Scripted else node
    if type(core) is Delimited:
        return items_of(core.children)[:_LONGEST]
    return items[opening + 1 : end][:_LONGEST]


def _sites(nodes: Row) -> Iterator[_Site]:
    stack: list[Row] = [nodes]
    while stack:
        items = items_of(stack.pop())
        inner: list[Row] = []
        for index, node in enumerate(items):
            if index and _opens(node) and class_of(items[index - 1]) in _LEFT and not _is_opener(items[index - 1]):
                end = closing(items, index)
                yield _Site(items, index, end, _inside(items, index, end))
            inner.extend(rows_in(node))
        stack.extend(reversed(inner))


def _is_opener(node: Node) -> bool:
    return type(node) is Leaf and node.text in OPENERS


def _place(site: _Site, usage: Usage, document: Usage | None) -> Place:
    items, at = site.items, site.at
    left = items[at - 1]
    name = name_of(left)
    scripts = left.scripts if type(left) is Scripted else []
    found = [*_about_name(name, left, scripts), *_about_inside(name, site), *_around(site)]
    shape = _shape(site.inside)
    found += [f"name×shape={name}×{shape}", f"kind×shape={kind_of_name(name)}×{shape}"]
    found += _about_use("formula", name, usage, own=1)
    if document is not None:
        found += _about_use("document", name, document, own=0)
    marks = _marks(scripts)
    listed = any(text_of(item) in (",", ";") for item in site.inside)
    single = len(site.inside) == 1 and class_of(site.inside[0]) in ("letter", "digit", "constant")
    raised = type(items[site.end]) is Scripted  # a power needs its brackets, and a list with a subscript is a symbol
    idle = bool(name) and not raised and (single or listed or "'" in marks or "^()" in marks)
    return Place(items[at].start, name, tuple(found), idle)


def _about_name(name: str, left: Node, scripts: list[Script]) -> list[str]:
    kind = kind_of_name(name) or class_of(left)
    marks = _marks(scripts)
    return ["always", f"name={name}", f"kind={kind}", f"marks={marks}", f"name×marks={name}×{marks}",
            f"kind×marks={kind}×{marks}"]  # fmt: skip


def _marks(scripts: list[Script]) -> str:
    found = []
    for script in scripts:
        if script.kind == "'" or script.argument is None:
            found.append("'")
            continue
        inner = items_of([script.argument])
        texts = [text_of(item) for item in inner]
        if texts[:1] == [r"\prime"]:
            found.append("'")
        elif _opens(inner[0]) if inner else False:
            found.append(script.kind + "()")
        elif texts and all(text.isdigit() for text in texts):
            found.append(script.kind + "0")
        elif len(inner) == 1:
            found.append(script.kind + class_of(inner[0]))
        else:
            found.append(script.kind + "row")
    return "".join(sorted(found))


def _shape(inside: list[Node]) -> str:
    """The classes of what stands in a bracket, shortened."""
    classes = [class_of(item) + ("^" if type(item) is Scripted else "") for item in inside[:5]]
    return " ".join(classes) + (" …" if len(inside) > 5 else "")


def _about_inside(name: str, site: _Site) -> list[str]:
    inside = site.inside
    texts = [text_of(item) for item in inside]
    node = site.items[site.at]
    core = node.base if type(node) is Scripted else node
    square = (core.left if type(core) is Delimited else text_of(node)) == "["
    separators = sum(text in (",", ";") for text in texts)
    sums = sum(text in ("+", "-", r"\pm", r"\mp") for text in texts[1:])
    kind = kind_of_name(name)
    found = [
        f"square={square}",
        f"separators={min(separators, 3)}",
        f"sums={min(sums, 2)}",
        f"kind×separators={kind}×{min(separators, 1)}",
        f"kind×sums={kind}×{min(sums, 2)}",
        f"length={min(len(inside), 8)}",
        f"sign first={texts[:1] in (['-'], ['+'])}",
        f"bar={any(text in ('|', chr(92) + 'mid') for text in texts)}",
        f"relation={any(class_of(item) == 'relation' for item in inside)}",
        f"itself inside={bool(name) and name in map(name_of, inside)}",
        f"dots={any(text.endswith('dots') for text in texts)}",
    ]
    if inside:
        first = name_of(inside[0]) or class_of(inside[0])
        found += [f"first={first}", f"name×first={name}×{first}", f"kind×first={kind}×{first}"]
        last = class_of(inside[-1])
        found.append(f"last={last}")
        if len(inside) == 1:
            found += [f"only={first}", f"kind×only={kind}×{class_of(inside[0])}"]
        if sums:
            found.append(f"sum with number={kind}×{last == 'digit'}")
    return found


def _around(site: _Site) -> list[str]:
    items, at, end = site.items, site.at, site.end
    before = items[at - 2] if at > 1 else None
    after = items[end + 1] if end + 1 < len(items) else None
    kind = kind_of_name(name_of(items[at - 1])) or class_of(items[at - 1])
    first, last = class_of(before), class_of(after)
    closer = items[end]
    behind = _marks(closer.scripts) if type(closer) is Scripted else ""
    found = [f"before={first}", f"after={last}", f"kind×before={kind}×{first}", f"kind×after={kind}×{last}",
             f"behind={behind}", f"kind×behind={kind}×{behind}", f"around={first}×{last}"]  # fmt: skip
    if not name_of(items[at - 1]):
        found += _about_closed(items, at - 1)
    if after is not None and _opens(after):
        found.append(f"two brackets={kind}")
    if before is not None:
        found.append(f"before sign={text_of(before) or name_of(before)}")
    if after is not None:
        found.append(f"after sign={text_of(after)}")
    return found


def _about_closed(items: list[Node], at: int) -> list[str]:
    r"""What stands in a bracket that another one follows, and before it: `\mathscr{L}(f)(s)`, `(f+g)(x)`."""
    left = items[at]
    core = left.base if type(left) is Scripted else left
    opening = at
    if type(core) is Delimited:
        inside = items_of(core.children)
    elif text_of(left) in CLOSERS:
        depth = 0
        for opening in range(at, -1, -1):
            text = text_of(items[opening])
            depth += (text in CLOSERS) - (text in OPENERS)
            if depth == 0:
                break
        inside = items[opening + 1 : at]
    else:
        return []
    head = name_of(items[opening - 1]) if opening else ""
    operator = class_of(inside[0]) == "derivative" if inside else False
    return [f"closed={_shape(inside[:2])}×{kind_of_name(head)}", f"closed head={head}", f"closed operator={operator}"]


def _about_use(where: str, name: str, usage: Usage, own: int) -> list[str]:
    if not name:
        return []
    before, elsewhere = usage.before[name] - own, usage.elsewhere[name]
    single, several = usage.single[name], usage.several[name]
    kind = kind_of_name(name)
    state = f"{min(before, 2)}{'>' if before + own > elsewhere else '<'}{min(elsewhere, 2)}"
    return [
        f"{where} use={state}",
        f"{where} kind×use={kind}×{state}",
        f"{where} single={min(single, 2)}×{min(elsewhere, 1)}",
        f"{where} several={min(several, 1)}×{min(elsewhere, 1)}",
    ]
