r"""Notations of the vocabulary as patterns: `\operatorname{grad} #1` is a word and a hole.

A pattern is a row of elements. Fonts that only set a word upright are one element, brackets are one element whether
they are written with `\left` or not, so a notation is written once and read in all its spellings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from texlift.latex.nodes import Call, Command, Delimited, Group, Leaf, Node, Script, Scripted, Text
from texlift.latex.nodes import Row as Nodes
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.macros.concepts import Concept, ConceptNotation, Vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.items import flatten
from texlift.meaning.reader.notation import notation
from texlift.meaning.shape import Shape, shape
from texlift.remembered import remembered

__all__ = [
    "NO_PATTERNS",
    "OPERATORS",
    "UPRIGHT",
    "Bracket",
    "Element",
    "Hole",
    "Part",
    "Pattern",
    "Patterns",
    "Raised",
    "Sign",
    "elements_of",
    "keys_of",
    "patterns",
    "script_keys",
    "word_in",
]

UPRIGHT = frozenset({r"\operatorname", r"\operatorname*", r"\mathrm", r"\text", r"\mbox", r"\textrm"})
"""Commands that set a word upright: all say the same."""

OPERATORS = frozenset({
    "arg", "cos", "cot", "csc", "deg", "det", "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup",
    "ln", "log", "max", "min", "Pr", "sec", "sin", "sup", "tan",
})  # fmt: skip
"""Words that LaTeX has as commands: `\\ker` says what `\\operatorname{ker}` says."""

ANYTHING = "anything"
"""The key of a script that begins with a hole."""

_CLOSING = {"(": ")", "[": "]", r"\{": r"\}", r"\langle": r"\rangle", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil"}


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of the concept."""

    name: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign or letter by the name it is known by, or an upright word (`word`)."""

    text: str
    word: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A command or a call with its arguments."""

    name: str
    arguments: tuple[tuple[Element, ...], ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """What stands between two brackets."""

    left: str
    right: str
    inside: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Raised:
    """An element with scripts: (kind, content) in the order `^`, `_`, `'`; nothing as base for scripts before."""

    base: Element | None
    scripts: tuple[tuple[str, tuple[Element, ...]], ...]


Element = Hole | Sign | Part | Bracket | Raised


@dataclass(frozen=True, slots=True)
class Pattern:
    """A notation that can be read: its concept, the shape it builds, its elements."""

    concept: Concept
    shape: Shape
    elements: tuple[Element, ...]
    lists: frozenset[str]  # holes that hold several things

    @property
    def infix(self) -> bool:
        """Whether it stands between its first and its last hole."""
        ends = (self.elements[0], self.elements[-1])
        return len(self.elements) > 2 and all(isinstance(end, Hole) for end in ends)

    @property
    def postfix(self) -> bool:
        """Whether it is nothing but scripts on a hole."""
        only = self.elements[0]
        return len(self.elements) == 1 and isinstance(only, Raised) and isinstance(only.base, Hole)


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of a vocabulary by what they begin with; infix and suffix ones by their first sign."""

    starts: dict[str, tuple[Pattern, ...]]
    infix: dict[str, tuple[Pattern, ...]]
    postfix: dict[str, tuple[Pattern, ...]]  # by the kind of the script and what it begins with
    suffix: dict[str, tuple[Pattern, ...]]


NO_PATTERNS = Patterns({}, {}, {}, {})


@lru_cache(maxsize=64)
def patterns(vocabulary: Vocabulary) -> Patterns:
    """The notations that a vocabulary reads by their templates: a user's own first, then the longest."""
    found: list[tuple[tuple[bool, int], Pattern]] = []
    for concept in vocabulary:
        for one in concept.notations:
            if one.reading == "template":
                pattern = _pattern(concept, one)
                if pattern is not None:
                    size = sum(_size(element) for element in pattern.elements)
                    found.append(((concept.name not in vocabulary.own, -size), pattern))
    found.sort(key=lambda pair: pair[0])
    starts: dict[str, list[Pattern]] = {}
    infix: dict[str, list[Pattern]] = {}
    suffix: dict[str, list[Pattern]] = {}
    postfix: dict[str, list[Pattern]] = {}
    for _, pattern in found:
        if pattern.postfix:
            postfix.setdefault(_script_key(pattern), []).append(pattern)
        elif pattern.infix:
            infix.setdefault(_key(pattern.elements[1]), []).append(pattern)
        elif isinstance(pattern.elements[0], Hole):
            suffix.setdefault(_key(pattern.elements[1]), []).append(pattern)
        else:
            starts.setdefault(_key(pattern.elements[0]), []).append(pattern)
    return Patterns(_frozen(starts), _frozen(infix), _frozen(postfix), _frozen(suffix))


def _script_key(pattern: Pattern) -> str:
    only = pattern.elements[0]
    assert isinstance(only, Raised)
    kind, content = only.scripts[0]
    return kind + (ANYTHING if content and isinstance(content[0], Hole) else _key(content[0]) if content else "")


def script_keys(script: Script) -> list[str]:
    """What patterns that may be written with a script are looked up by."""
    node = script.argument
    if node is None:
        return [script.kind]
    first = node.children[0] if type(node) is Group and node.children else node
    return [*(script.kind + key for key in keys_of(first)), script.kind + ANYTHING]


def _frozen(table: dict[str, list[Pattern]]) -> dict[str, tuple[Pattern, ...]]:
    return {key: tuple(some) for key, some in table.items()}


def _pattern(concept: Concept, one: ConceptNotation) -> Pattern | None:
    """The pattern of a notation; None where a hole stands before something that does not say where it ends."""
    elements = elements_of(one.latex)
    made = shape(concept.shape)
    pattern = Pattern(concept, made, elements, concept.lists.union(_splats(made)))
    first = elements[0]
    if isinstance(first, Raised) and isinstance(first.base, Hole) and not pattern.postfix:
        return None
    if pattern.infix and not concept.level:
        return None
    return pattern


def elements_of(latex: str) -> tuple[Element, ...]:
    """The elements of a notation."""
    return _elements(parse(latex, _signatures()))


@lru_cache(maxsize=1)
def _signatures() -> Signatures:
    return generic_signatures().with_calls(lexicon().call_signatures())


def _splats(made: Shape) -> list[str]:
    if made.kind == "splat":
        return [made.name]
    return [name for _, part in made.parts for name in _splats(part)]


def _size(element: Element) -> int:
    """How much of a pattern is fixed."""
    match element:
        case Hole():
            return 0
        case Sign():
            return 2
        case Part(arguments=arguments):
            return 2 + sum(_size(inner) for argument in arguments for inner in argument)
        case Bracket(inside=inside):
            return 2 + sum(map(_size, inside))
        case Raised(base=base, scripts=scripts):
            inner = [part for _, content in scripts for part in content]
            return 1 + (_size(base) if base is not None else 0) + sum(map(_size, inner))


def _key(element: Element | None) -> str:
    """What the pattern's first element is looked up by."""
    match element:
        case Sign(text=text, word=word):
            return f"word {text}" if word else text
        case Part(name=name):
            return name
        case Bracket(left=left):
            return left
        case Raised(base=base):
            return _key(base)
    return ""


def _elements(nodes: Nodes) -> tuple[Element, ...]:
    items: list[Node] = []
    flatten(nodes, items)
    found: list[Element] = []
    at = 0
    while at < len(items):
        node = items[at]
        text = _text(node)
        closing = _closer(items, at) if text in _CLOSING else None
        if closing is not None:
            inside = _elements(items[at + 1 : closing])
            bracket = Bracket(text, _text(items[closing]), inside)
            found.append(_raised(bracket, items[closing]))
            at = closing
        else:
            found.append(_element(node))
        at += 1
    return tuple(found)


def _text(node: Node) -> str:
    base = node.base if isinstance(node, Scripted) else node
    return base.text if isinstance(base, Leaf) else ""


def _closer(items: list[Node], opening: int) -> int | None:
    depth = 0
    for index in range(opening, len(items)):
        depth += (_text(items[index]) in _CLOSING) - (_text(items[index]) in _CLOSING.values())
        if depth == 0:
            return index
    return None


def _raised(base: Element | None, node: Node) -> Element:
    if not isinstance(node, Scripted):
        assert base is not None
        return base
    scripts = [(s.kind, _elements([s.argument]) if s.argument is not None else ()) for s in node.scripts]
    return Raised(base, tuple(sorted(scripts, key=lambda pair: "^_'".index(pair[0]))))


def _element(node: Node) -> Element:
    if isinstance(node, Scripted):
        empty = node.base is None or (isinstance(node.base, Group) and not node.base.children)
        if empty:
            return _raised(None, node)
        assert node.base is not None
        inner = _elements([node.base])
        return _raised(inner[0], node)
    if isinstance(node, Leaf):
        if node.text[0] == "#":
            return Hole(node.text[1:])
        text = notation().synonyms.get(node.text, node.text)
        return Sign(text)
    if isinstance(node, Delimited):
        known = notation().synonyms
        ends = (known.get(node.left, node.left), known.get(node.right, node.right))
        return Bracket(*ends, _elements(node.children))
    if isinstance(node, Command):
        word = word_in(node)
        if word:
            return Sign(word, True)
        return Part(node.name, tuple(_elements(_children(part)) for part in (*node.options, *node.arguments)))
    if isinstance(node, Call):
        if not node.arguments and not node.segments:
            return Sign(node.name)
        return Part(node.name, tuple(_elements(_children(part)) for part in node.arguments))
    return Sign(node.body.strip() if isinstance(node, Text) else "\0")  # which matches nothing


def word_in(node: Command) -> str:
    """The word that a command sets upright; empty for other commands."""
    if node.name not in UPRIGHT or len(node.arguments) != 1:
        return ""
    argument = node.arguments[0]
    if isinstance(argument, Text):
        return argument.body.strip()
    letters = [child.text for child in _children(argument) if isinstance(child, Leaf)]
    whole = len(letters) == len(_children(argument))
    return "".join(letter for letter in letters if letter not in notation().ignored) if whole else ""


def _children(node: Node) -> Nodes:
    return node.children if isinstance(node, Group) else [node]


@remembered(maxsize=1024)
def _keys_of_sign(text: str) -> tuple[str, ...]:
    return (text, f"word {text[1:]}") if text[1:] in OPERATORS else (text,)


def keys_of(node: Node) -> Iterable[str]:
    """What patterns that may begin with a node are looked up by."""
    base = node.base if type(node) is Scripted else node
    if type(base) is Leaf:
        return _keys_of_sign(base.text)
    if type(base) is Command:
        return (f"word {word_in(base)}",) if base.name in UPRIGHT else (base.name,)
    if type(base) is Call:
        return _keys_of_sign(notation().synonyms.get(base.name, base.name))  # a dot product is a dot
    if type(base) is Delimited:
        return (notation().synonyms.get(base.left, base.left),)
    return ("",) if base is None or (type(base) is Group and not base.children) else ()
