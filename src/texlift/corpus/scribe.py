"""Writes a parsed formula again in another notation, place by place."""

from __future__ import annotations

from random import Random

from texlift.corpus.habits import Habits
from texlift.corpus.shape import (
    bracket,
    count_primes,
    delimiter,
    is_closed,
    is_empty,
    is_letter,
    is_loose,
    is_short,
    is_space,
    is_word,
    letters,
    other_signs,
    takes_scripts,
)
from texlift.latex.nodes import (
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Row,
    Script,
    Scripted,
    Text,
)
from texlift.latex.presentation import presentation
from texlift.latex.printing import join
from texlift.latex.signatures import generic_signatures

__all__ = ["Scribe"]

_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac"})
_ACCENTS = {r"\overline": r"\bar", r"\bar": r"\overline", r"\widetilde": r"\tilde", r"\widehat": r"\hat"}
_WORD_FONTS = frozenset({r"\mathrm", r"\operatorname", r"\mathit"})
_SWITCHES = {r"\mathbf": r"\bf", r"\mathsf": r"\sf", r"\mathcal": r"\cal", r"\mathit": r"\it", r"\mathrm": r"\rm"}
_CONSTANTS = frozenset("die")
# words for which LaTeX itself has a command
_NAMED = frozenset(
    {"arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "ker"}
    | {"lg", "ln", "log", "sec", "sin", "sinh", "tan", "tanh"}
)
_BINARY = frozenset("+-=<>,;")
_BEFORE_SIGN = ("", "(", "[", "{", "=", "<", ">", ",", ";", "+", "-")  # a sign behind them is no operator
_RELATIONS = frozenset({"=", "<", ">", r"\leq", r"\geq", r"\neq", r"\sim", r"\equiv", r"\to", r"\in"})
_MATH_ONLY = frozenset("mo")
_MAX_PAIRS = 2_000  # more brackets than that in one row are left as they are


class Scribe:
    """Writes formulae in one notation; `rng` decides where the notation leaves a choice."""

    __slots__ = ("fence_is_left", "habits", "rng", "source")

    def __init__(self, habits: Habits, rng: Random) -> None:
        self.habits = habits
        self.rng = rng
        self.source = ""
        self.fence_is_left = [True]  # whether `\middle` has a `\left` around it

    def write(self, row: Row, source: str) -> str:
        """The formula that `row` was parsed from, written anew."""
        self.source = source
        return self.content(row)

    def choose(self, ways: tuple[str, ...]) -> str:
        return ways[0] if len(ways) == 1 else self.rng.choice(ways)

    def copy(self, node: Node | Script) -> str:
        return self.source[node.start : node.end]

    # -- rows ------------------------------------------------------------------------------------------

    def content(self, row: Row) -> str:
        """A row in a container of its own (the formula, an argument, a cell, the inside of a fence)."""
        out: list[str] = []
        self.row(row, out)
        return _join(out)

    def row(self, row: Row, out: list[str]) -> None:
        table = presentation()
        if any(isinstance(node, Leaf) and node.text in table.font_switches for node in row):
            # a font switch reaches to the end of its group: nothing in it is moved
            out.append(self.source[row[0].start : row[-1].end])
            return
        fences = self.pairs(row)
        previous: Node | None = None
        for index, node in enumerate(row):
            if is_space(node) and self.choose(self.habits.spaces) != "keep":
                continue
            self.space(node, out, fences.get(index, ""))
            if index in fences:
                self.plain_fence(node, fences[index], out)
            else:
                self.node(node, out, previous)
            previous = node

    def pairs(self, row: Row) -> dict[int, str]:
        """How to write the brackets of a row that have a partner in it: index -> `left` or `right`, and the way."""
        ways = self.habits.fences
        if ways in (("keep",), ("short",)) or len(row) > _MAX_PAIRS:
            return {}
        partners = presentation().partners
        closing = presentation().closing
        chosen: dict[int, str] = {}
        openers: list[tuple[int, str]] = []
        for index, node in enumerate(row):
            text = bracket(node)
            if text in partners and not isinstance(node, Scripted):
                openers.append((index, text))
            elif text in closing:
                while openers:
                    start, opener = openers.pop()
                    if text in partners[opener]:
                        way = self.choose(ways)
                        if (
                            way not in ("keep", "short")
                            and (opener, text) != ("[", ")")
                            and (opener, text) != ("(", "]")
                        ):
                            chosen[start] = f"left {way}"
                            chosen[index] = f"right {way}"
                        break
        return chosen

    def plain_fence(self, node: Node, how: str, out: list[str]) -> None:
        side, way = how.split()
        if isinstance(node, Scripted):
            assert node.base is not None
            self.plain_fence(node.base, how, out)
            self.scripts(node.scripts, out)
            return
        text = bracket(node)
        if way == "left":
            out.append(rf"\{side}{text}")
        elif way == "big":
            out.append(rf"\big{side[0]}{text}")
        else:
            out.append(text)

    def space(self, node: Node, out: list[str], fence: str) -> None:
        """Sprinkle spaces where people put them; never before a script, which would attach to them."""
        if not out or self.habits.spaces == ("keep",) or self.choose(self.habits.spaces) != "sprinkle":
            return
        if isinstance(node, Scripted) and (node.base is None or is_empty(node.base)):
            return
        draw = self.rng.random()
        if isinstance(node, Delimited) or fence.startswith("left"):
            if draw < 0.4:
                out.append(r"\!")
        elif isinstance(node, Command) and self.copy(node) == r"\mathrm{d}":
            if draw < 0.7:
                out.append(r"\,")
        elif isinstance(node, Leaf) and node.text in _RELATIONS:
            if draw < 0.3:
                out.append(r"\;")
        elif draw < 0.03:
            out.append(r"\,")

    # -- nodes -----------------------------------------------------------------------------------------

    def node(self, node: Node, out: list[str], previous: Node | None = None) -> None:
        match node:
            case Leaf():
                self.leaf(node, out, previous)
            case Group():
                self.group(node, out, previous)
            case Scripted():
                self.scripted(node, out)
            case Command():
                self.command(node, out)
            case Delimited():
                self.delimited(node, out)
            case Infix():
                self.infix(node, out)
            case Environment():
                self.environment(node, out)
            case _:
                out.append(self.copy(node))

    def leaf(self, node: Leaf, out: list[str], previous: Node | None) -> None:
        text = node.text
        way = self.choose(self.habits.signs)
        if way != "keep":
            ways = other_signs(way == "unicode").get(presentation().synonyms.get(text, text), ())
            text = self.rng.choice(ways) if ways else text
        if text in _BINARY and self.choose(self.habits.blanks) == "some":
            signed = text in "+-" and (not out or out[-1].rstrip()[-1:] in _BEFORE_SIGN)
            text = text if signed else f"{text} " if text in ",;" else f" {text} "
        elif (
            is_letter(text)
            and not is_word(previous)
            and self.choose(self.habits.groups) == "add"
            and self.rng.random() < 0.15
        ):
            text = f"{{{text}}}"
        out.append(text)

    def group(self, node: Group, out: list[str], previous: Node | None) -> None:
        if len(node.children) == 1 and isinstance(node.children[0], Infix):
            self.infix(node.children[0], out)
        elif self.choose(self.habits.groups) == "drop" and is_loose(node) and not is_word(previous):
            self.row(node.children, out)
        else:
            out.append(f"{{{self.content(node.children)}}}")

    def scripted(self, node: Scripted, out: list[str]) -> None:
        base = node.base
        if base is None or is_empty(base):
            # `{}_{2}F_{1}`: without the braces only where nothing stands before, or the script attaches to it
            way = self.choose(self.habits.groups)
            if (base is not None and (way != "drop" or out)) or (base is None and way == "add"):
                out.append("{}")
        elif isinstance(base, Group) and not takes_scripts(base):
            out.append(f"{{{self.content(base.children)}}}")
        else:
            self.node(base, out)
        self.scripts(node.scripts, out)

    def scripts(self, scripts: list[Script], out: list[str]) -> None:
        primes: list[str] = []
        others: list[tuple[str, str]] = []
        for script in scripts:
            if script.argument is None:
                primes.append("")
            elif script.kind == "^" and (count := count_primes(script.argument)):
                primes += [self.copy(script), *[""] * (count - 1)]
            else:
                others.append((script.kind, script.kind + self.argument(script.argument)))
        order = self.choose(self.habits.order)
        if order != "keep":
            others.sort(key=lambda other: (other[0] == "^") is (order == "sub"))
        has_super = any(kind == "^" for kind, _ in others)
        written = "".join([text for _, text in others])
        if not primes:
            out.append(written)
            return
        way = self.choose(self.habits.primes)
        if has_super or way == "mark" or (way == "keep" and not any(primes)):
            # TeXbook, chapter 18: `'` is a superscript that takes a `^` right behind it along, no other
            sub = "".join([text for kind, text in others if kind == "_"])
            sup = "".join([text for kind, text in others if kind == "^"])
            out.append(sub + "'" * len(primes) + sup if order != "super" else "'" * len(primes) + sup + sub)
        else:
            mark = "^{" + r"\prime" * len(primes) + "}"
            out.append(mark + written if order == "super" else written + mark)

    def argument(self, node: Node) -> str:
        """A mandatory argument, with braces wherever it is more than one sign."""
        way = self.choose(self.habits.arguments)
        inner = node
        if isinstance(node, Group) and len(node.children) == 1:
            inner = node.children[0]
        if isinstance(inner, Leaf) and is_short(inner) and (way == "short" or (way == "keep" and inner is node)):
            return inner.text
        return f"{{{self.content(_content(node))}}}"

    # -- constructs ------------------------------------------------------------------------------------

    def delimited(self, node: Delimited, out: list[str]) -> None:
        way = self.choose(self.habits.fences)
        if way == "short":
            way = "plain" if len(node.children) == 1 and isinstance(node.children[0], Leaf | Scripted) else "left"
        is_left = way in ("keep", "left")
        left = rf"\left{node.left}"
        right = rf"\right{node.right}"
        if not is_left:
            sized = way == "big" and "." not in (node.left, node.right)
            left = delimiter(node.left, r"\bigl" if sized else "", r"\langle")
            right = delimiter(node.right, r"\bigr" if sized else "", r"\rangle")
        self.fence_is_left.append(is_left)
        out.append(left)
        if is_left or not is_closed(node.children):
            inside = self.content(node.children)
            out.append(inside if is_left else f"{{{inside}}}")
        else:
            self.row(node.children, out)
        out.append(right)
        self.fence_is_left.pop()

    def command(self, node: Command, out: list[str]) -> None:
        name = node.name
        if name in _WORD_FONTS and (word := letters(node)):
            self.word(node, word, out)
        elif name in presentation().fonts:
            way = self.choose(self.habits.fonts)
            if way == "switch" and name in _SWITCHES and (word := letters(node)):
                out.append(f"{{{_SWITCHES[name]} {word}}}")
            else:
                out.append(self.copy(node))
        elif name in _FRACTIONS:
            self.fraction(node.arguments[0], node.arguments[1], name, out)
        elif name in presentation().binomials:
            self.binomial(node.arguments[0], node.arguments[1], self.choose(self.habits.binomials), name, out)
        elif name == r"\genfrac":
            self.genfrac(node, out)
        elif name == r"\middle" and not self.fence_is_left[-1]:
            out.append(delimiter(self.copy(node.arguments[0]), "", r"\langle"))
        elif set(generic_signatures().commands[name]) <= _MATH_ONLY and name not in (r"\not", r"\substack"):
            if self.choose(self.habits.signs) == "any":
                name = _ACCENTS.get(name, name)
            options = [f"[{self.copy(option)[1:-1]}]" for option in node.options]
            out.append(_join([name, *options, *[self.argument(argument) for argument in node.arguments]]))
        else:
            out.append(self.copy(node))

    def word(self, node: Command, word: str, out: list[str]) -> None:
        if word in _CONSTANTS and node.name == r"\mathrm":
            out.append(word if self.choose(self.habits.constants) == "plain" else self.copy(node))
            return
        way = self.choose(self.habits.words)
        if way == "mathrm" and len(word) > 1 and node.name != r"\mathit":
            out.append(rf"\mathrm{{{word}}}")
        elif way == "operatorname" and len(word) > 1:
            out.append(rf"\operatorname{{{word}}}")
        elif way == "text" and len(word) > 1:
            out.append(rf"\text{{{word}}}")
        elif way == "rm" and node.name in _SWITCHES:
            out.append(f"{{{_SWITCHES[node.name]} {word}}}")
        elif way == "command" and word in _NAMED:
            out.append(f"\\{word}")
        elif way == "plain" and len(word) > 1:
            out.append(f"{word} ")
        else:
            out.append(self.copy(node))

    def fraction(self, above: Node, below: Node, name: str, out: list[str]) -> None:
        way = self.choose(self.habits.fractions)
        if way == "over" or (way == "keep" and name == r"\over"):
            self.infixed(r"\over", above, below, out)
        else:
            name = name if way == "keep" else f"\\{way}"
            out.append(_join([name, self.argument(above), self.argument(below)]))

    def binomial(self, above: Node, below: Node, way: str, name: str, out: list[str]) -> None:
        if way == "choose" or (way == "keep" and name == r"\choose"):
            self.infixed(r"\choose", above, below, out)
        elif way == "genfrac":
            out.append(rf"\genfrac{{(}}{{)}}{{0pt}}{{}}{self.argument(above)}{self.argument(below)}")
        else:
            name = name if way == "keep" else r"\binom"
            out.append(_join([name, self.argument(above), self.argument(below)]))

    def stack(self, above: Node, below: Node, name: str, out: list[str]) -> None:
        way = self.choose(self.habits.stacks)
        if way == "genfrac":
            out.append(rf"\genfrac{{}}{{}}{{0pt}}{{}}{self.argument(above)}{self.argument(below)}")
        else:
            self.infixed(name, above, below, out)

    def genfrac(self, node: Command, out: list[str]) -> None:
        left, right, thickness, _ = (a.body.strip() for a in node.arguments[:4] if isinstance(a, Text))
        above, below = node.arguments[4:]
        thin = thickness[:1] == "0" and not thickness.strip("0.ptem")
        if thin and (left, right) == ("(", ")") and (way := self.choose(self.habits.binomials)) != "keep":
            self.binomial(above, below, way, node.name, out)
        elif thin and not left and not right and "atop" in self.habits.stacks:
            self.stack(above, below, r"\atop", out)
        else:
            head = self.source[node.start : above.start]
            out.append(_join([head, self.argument(above), self.argument(below)]))

    def infix(self, node: Infix, out: list[str]) -> None:
        above = Group(node.above, *node.above_span)
        below = Group(node.below, *node.below_span)
        if node.operator == r"\over":
            self.fraction(above, below, node.operator, out)
        elif node.operator == r"\choose":
            self.binomial(above, below, self.choose(self.habits.binomials), node.operator, out)
        elif node.operator == r"\atop":
            self.stack(above, below, node.operator, out)
        else:
            self.infixed(node.operator, above, below, out)

    def infixed(self, operator: str, above: Node, below: Node, out: list[str]) -> None:
        parts = [self.content(_content(part)) for part in (above, below)]
        out.append("{" + _join([parts[0], operator, parts[1]]) + "}")

    def environment(self, node: Environment, out: list[str]) -> None:
        cells = [cell for row in node.rows for cell in row]
        pieces = [self.source[node.start : cells[0].start]]
        for index, cell in enumerate(cells):
            written = self.content(cell.children)
            # a bracket behind `\\` would be read as its optional argument
            pieces.append(f"{{}}{written}" if pieces[-1].endswith("\\\\") and written[:1] in ("[", "*") else written)
            follows = cells[index + 1].start if index + 1 < len(cells) else node.end
            pieces.append(self.source[cell.end : follows])
        out.append(_join(pieces))


def _join(pieces: list[str]) -> str:
    """Pieces in a row, with a blank where a command name would swallow a letter."""
    last = ""
    joined: list[str] = []
    for piece in pieces:
        if piece:
            joined.append(join(last, piece)[len(last) :])
            last = piece
    return "".join(joined)


def _content(node: Node) -> Row:
    """What stands in an argument, without its braces."""
    return node.children if isinstance(node, Group) else [node]
