"""How each letter is used in a formula as a whole: what decides whether `e` is a number or `i` an index.

One walk over the syntax tree counts, for every letter, where it stands: alone, with a power, with a subscript, inside
another's subscript, below a sum, before parentheses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted, Text
from texlift.meaning.reader.notation import notation

__all__ = ["Census", "Uses", "is_letter", "letters_of", "name_of", "styled_name"]

_DERIVATIVES = frozenset({r"\deriv", r"\pderiv", r"\diff", r"\pdiff", r"\ideriv"})
_BINDERS = frozenset({r"\sum", r"\prod", r"\bigcup", r"\bigcap"})
_ANALYSIS = frozenset({r"\ln", r"\log", r"\exp", r"\lim", r"\infty", r"\expe", r"\cpi", r"\pi", "!", r"\sin", r"\cos"})
_CHARGES = frozenset({r"\epsilon_0", r"\varepsilon_0", r"\hbar", "m_e"})
_COMPARED = frozenset({"=", "<", ">", r"\leq", r"\geq", r"\neq", r"\in"})
_BEFORE_COMPARED = _COMPARED | {","}


@dataclass(slots=True)
class Uses:
    """How often a letter stands in each position."""

    alone: int = 0
    numeric_power: int = 0  # e^2
    power: int = 0  # e^{-x}
    subscripted: int = 0
    in_subscript: int = 0
    in_superscript_list: int = 0  # the i of \\Gamma^i_{jk}
    bound: bool = False  # below a sum or product
    compared: bool = False  # i<j, i=1,\\dots,n
    primes: int = 0
    applied: int = 0  # before an opening parenthesis
    differentiated: bool = False  # the i of di/dt is a current
    counted: bool = False  # with a subscript that shows it is a sequence: n+1, or 1 beside dots
    labels: set[str] = field(default_factory=set)  # its subscripts that are single letters
    words: set[tuple[str, ...]] = field(default_factory=set)  # its subscripts that are letters


class Census:
    """The uses of all letters of a formula."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.uses: dict[str, Uses] = {}
        self.signs: set[str] = set()
        self.tensors = False  # whether a script has two Greek letters
        self.functions: set[str] = set()  # names that stand before one letter or number in parentheses
        self._row(list(nodes))

    def of(self, name: str) -> Uses:
        return self.uses.get(name) or Uses()

    # -- decisions ---------------------------------------------------------------------------------------

    def is_index(self, name: str) -> bool:
        """Whether a letter that may be a constant (i, j, e) is an index or a bound variable here."""
        uses = self.of(name)
        used = uses.in_subscript or uses.bound or uses.subscripted or uses.in_superscript_list or uses.compared
        return bool(used or uses.differentiated or name in self.functions)

    def is_variable(self, name: str) -> bool:
        """Whether a letter stands in the formula outside subscripts, or is bound."""
        uses = self.of(name)
        return bool(uses.alone or uses.power or uses.numeric_power or uses.bound)

    def e_is_number(self) -> bool | None:
        """Whether `e` is Euler's number; None where nothing in the formula says so."""
        uses = self.of("e")
        if uses.in_subscript or uses.bound or uses.subscripted or uses.applied:
            return bool(uses.power)
        if uses.power:
            return True
        if {"a", "b", "c", "d"} <= set(self.uses) or self.signs & _CHARGES:
            return False
        return True if self.signs & _ANALYSIS else None

    def j_is_number(self) -> bool:
        """Whether `j` is the imaginary unit, as engineers write it: in exponents or before an angular frequency."""
        engineering = r"j\omega" in self.signs or (self.of(r"\omega").alone and self.of("j").alone)
        return not self.is_index("j") and not self.is_variable("i") and bool(engineering)

    # -- the walk ----------------------------------------------------------------------------------------

    def _use(self, name: str) -> Uses:
        return self.uses.setdefault(name, Uses())

    def _row(self, nodes: list[Node]) -> None:
        previous = ""
        count = len(nodes)
        if count > 3:
            self._definition(nodes)
        for position, node in enumerate(nodes):
            kind = type(node)
            core = node.base if kind is Scripted else node  # type: ignore[union-attr]
            text = _letter_shown(core.text) if type(core) is Leaf else ""
            following = nodes[position + 1] if position + 1 < count else None
            if previous == "j" and text in (r"\omega", r"\theta", r"\phi", "X"):
                self.signs.add(r"j\omega")
            previous = text if kind is Leaf else ""
            if following is not None and _may_open(following) and _holds_one(nodes, position + 1):
                self.functions.add(styled_name(core))
            if following is not None and text and _sign(following) == r"\circ" and kind is Leaf:
                composed = name_of(nodes[position + 2]) if position + 2 < count else ""
                self.functions |= {text, composed} if composed else set()  # f\\circ g: both are functions
            if text:
                self._letter(text, node, nodes, position, following)
            elif kind is Leaf:
                self.signs.add(node.text)  # type: ignore[union-attr]
            else:
                self._inside(node)

    def _definition(self, nodes: list[Node]) -> None:
        """`N(a+bi)=a^2+b^2`: a letter that is nowhere else, before parentheses that are the rest of a left side."""
        name = styled_name(nodes[0].base if nodes and type(nodes[0]) is Scripted else nodes[0] if nodes else None)
        if not name or len(nodes) < 4:
            return
        end = 1
        if _sign(nodes[1]) == "(":
            end = next((i for i, node in enumerate(nodes) if _sign(node) == ")" and type(node) is Leaf), 0)
        elif type(nodes[1]) is not Delimited or nodes[1].left != "(":
            return
        if end and end + 1 < len(nodes) and _sign(nodes[end + 1]) == "=":
            if len(name) == 1 and not _occurs(name, nodes[1:]):
                self.functions.add(name)
                return
            others = Census(nodes[1:])
            if name not in others.uses and name not in others.functions:
                self.functions.add(name)

    def _letter(self, text: str, node: Node, nodes: list[Node], position: int, following: Node | None) -> None:
        uses = self._use(text)
        if following is not None:
            if _opens(following):
                uses.applied += 1
            if _sign(following) in _COMPARED and (position == 0 or _sign(nodes[position - 1]) in _BEFORE_COMPARED):
                uses.compared = True
        if type(node) is not Scripted:
            uses.alone += 1
            return
        self._scripts(node.scripts, uses)
        if any(_source(s) == "0" for s in node.scripts if s.kind == "_"):
            self.signs.add(f"{text}_0")
        if text == "m" and any(letters_of(s.argument) == ["e"] for s in node.scripts if s.kind == "_"):
            self.signs.add("m_e")

    def _scripts(self, scripts: list[Script], uses: Uses) -> None:
        below = [s for s in scripts if s.kind == "_" and s.argument is not None]
        uses.subscripted += bool(below)
        uses.primes = max(uses.primes, sum(s.kind == "'" for s in scripts))
        many = any(len(letters_of(s.argument) or ()) > 1 for s in below)
        for script in scripts:
            letters = letters_of(script.argument)
            self.tensors |= len(letters or ()) > 1 and all(letter[0] == "\\" for letter in letters or ())
            if script.kind == "_" and script.argument is not None:
                self._subscript(script.argument, letters)
                if letters is not None:
                    uses.words.add(tuple(letters))
                if letters is not None and len(letters) == 1:
                    uses.labels.add(letters[0])
                uses.counted |= letters is None and not _is_word(script.argument)
            elif script.kind == "^" and script.argument is not None:
                if many and letters and all(letter.islower() or letter[0] == "\\" for letter in letters):
                    for letter in letters:
                        self._use(letter).in_superscript_list += 1
                elif (_source(script) or "x").isdigit():
                    uses.numeric_power += 1
                else:
                    uses.power += 1
                    if (letters is not None and letters[:1] == ["j"]) or _starts_with_j(script.argument):
                        self.signs.add(r"j\omega")
                    if letters == ["T"]:
                        self.signs.add("T")  # a transpose is no use of the letter, in braces or not
                    else:
                        self._inside(script.argument)

    def _subscript(self, argument: Node, letters: list[str] | None) -> None:
        if letters is not None and len(letters) > 1 and "".join(letters) in notation().labels:
            return
        if type(argument) is Command and argument.arguments and type(argument.arguments[0]) is Text:
            return
        inner = Census([argument])
        self.functions |= inner.functions
        for name in inner.uses:
            self._use(name).in_subscript += 1

    def _inside(self, node: Node | None) -> None:
        kind = type(node)
        if kind is Scripted:
            base = node.base  # type: ignore[union-attr]
            sign = _sign(base)
            if sign in _BINDERS:
                self._bound(node)  # type: ignore[arg-type]
                return
            self.signs.add(sign)
            self._inside(base)
            accented = _bar(base) or styled_name(base)
            if accented:
                self._scripts(node.scripts, self._use(accented))  # type: ignore[union-attr]
                return
            for script in node.scripts:  # type: ignore[union-attr]
                self._inside(script.argument)
        elif kind is Leaf:
            self.signs.add(node.text)  # type: ignore[union-attr]
        elif kind is Group or kind is Delimited:
            self._row(node.children)  # type: ignore[union-attr]
        elif kind is Command:
            self._row([*node.options, *node.arguments])  # type: ignore[union-attr]
        elif kind is Infix:
            self._row(node.above)  # type: ignore[union-attr]
            self._row(node.below)  # type: ignore[union-attr]
        elif kind is Environment:
            for line in node.rows:  # type: ignore[union-attr]
                for cell in line:
                    self._row(cell.children)
        elif kind is Call:
            self.signs.add(node.name)  # type: ignore[union-attr]
            if node.name in _DERIVATIVES:  # type: ignore[union-attr]
                for argument in node.arguments:  # type: ignore[union-attr]
                    for name in letters_of(argument) or ():
                        self._use(name).differentiated = True
            self._row(node.arguments)  # type: ignore[union-attr, arg-type]

    def _bound(self, node: Scripted) -> None:
        for script in node.scripts:
            if script.argument is None:
                continue
            inner = Census([script.argument])
            self.functions |= inner.functions
            for name, uses in inner.uses.items():
                own = self._use(name)
                own.bound = own.bound or (script.kind == "_" and (uses.compared or len(inner.uses) == 1))
                own.alone += uses.alone
            self.signs |= inner.signs


def name_of(node: Node | None) -> str:
    """The letter a leaf shows, with or without scripts; empty for everything else."""
    core = node.base if type(node) is Scripted else node
    if type(core) is not Leaf:
        return ""
    return _letter_shown(core.text)


@lru_cache(maxsize=4096)
def _letter_shown(text: str) -> str:
    text = notation().synonyms.get(text, text)
    return text if is_letter(text) else ""


def is_letter(text: str) -> bool:
    """Whether a sign is a letter that can name a variable."""
    return (len(text) == 1 and text.isalpha() and text.isascii()) or text in notation().letters


def styled_name(node: Node | None) -> str:
    """The name of a letter with its font or accent, `\\vec{v}` also where it is written `\\vec v`."""
    if type(node) is Command and len(node.arguments) == 1:
        inner = node.arguments[0].children if type(node.arguments[0]) is Group else [node.arguments[0]]
        return f"{node.name}{{{inner[0].text}}}" if len(inner) == 1 and type(inner[0]) is Leaf else ""
    if type(node) is Group and len(node.children) == 2 and _sign(node.children[0]) == r"\cal":
        return rf"\mathcal{{{_sign(node.children[1])}}}"
    return name_of(node)


def _bar(node: Node | None) -> str:
    r"""The name of a letter below a bar that was read as a conjugate; with a subscript it is a name: `\\conj{x}_n`."""
    name = letters_of(node.parameters[0]) if type(node) is Call and node.name == r"\conj" and node.parameters else None
    return rf"\overline{{{name[0]}}}" if name is not None and len(name) == 1 else ""


def _occurs(letter: str, nodes: Iterable[Node | None]) -> bool:
    """Whether a letter stands anywhere in a row, whatever it is there."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is Leaf:
            if _letter_shown(node.text) == letter:  # type: ignore[union-attr]
                return True
        elif kind is Scripted:
            stack.append(node.base)  # type: ignore[union-attr]
            stack.extend(script.argument for script in node.scripts)  # type: ignore[union-attr]
        elif kind is Group or kind is Delimited:
            stack.extend(node.children)  # type: ignore[union-attr]
        elif node is not None:
            return True  # commands, calls and tables: the census looks closer
    return False


def _may_open(node: Node) -> bool:
    """Whether parentheses may start at a node: quickly no for most."""
    kind = type(node)
    if kind is Leaf:
        return _known(node.text) == "("  # type: ignore[union-attr]
    return kind is Delimited or (kind is Scripted and type(node.base) is Delimited)  # type: ignore[union-attr]


@lru_cache(maxsize=4096)
def _known(text: str) -> str:
    """A sign by the name it is known by."""
    return notation().synonyms.get(text, text)


def _holds_one(nodes: list[Node], position: int) -> bool:
    """Whether parentheses with a single letter or number inside start at a position."""
    if position >= len(nodes):
        return False
    node = nodes[position]
    if type(node) is Leaf and node.text != "(" and node.text.isalnum():
        return False
    core = node.base if type(node) is Scripted else node
    if type(core) is Delimited:
        inside = core.children if core.left == "(" else []
    elif _sign(node) == "(" and type(node) is Leaf:
        end = next((i for i in range(position + 1, len(nodes)) if _sign(nodes[i]) in ("(", ")")), len(nodes))
        inside = nodes[position + 1 : end] if end < len(nodes) and _sign(nodes[end]) == ")" else []
    else:
        return False
    shown = [item for item in inside if not (type(item) is Leaf and item.text in notation().ignored)]
    if not shown:
        return False
    if all(_sign(item).isdigit() and type(item) is Leaf for item in shown):
        return True
    only = shown[0]
    powered = type(only) is Scripted and any(s.kind == "^" and s.argument is not None for s in only.scripts)
    return len(shown) == 1 and bool(styled_name(only.base if type(only) is Scripted else only)) and not powered


def letters_of(argument: Node | None) -> list[str] | None:
    """The letters of a script that is nothing but letters; None otherwise."""
    children = argument.children if type(argument) is Group else [argument]
    letters = [name_of(child) if type(child) is Leaf else "" for child in children]
    return letters if letters and all(letters) else None


def _sign(node: Node | None) -> str:
    core = node.base if type(node) is Scripted else node
    return _known(core.text) if type(core) is Leaf else ""


def _opens(node: Node) -> bool:
    core = node.base if type(node) is Scripted else node
    return _sign(node) == "(" or (type(core) is Delimited and core.left == "(")


def _source(script: Script) -> str | None:
    """The digits of a script that is a number."""
    children = script.argument.children if type(script.argument) is Group else [script.argument]
    texts = [child.text if type(child) is Leaf else "x" for child in children]
    return "".join(texts) if texts and all(text.isdigit() for text in texts) else None


def _is_word(argument: Node) -> bool:
    """Whether a subscript is a number, a sign or upright text: nothing to count with."""
    children = argument.children if type(argument) is Group else [argument]
    while len(children) == 1 and type(children[0]) is Group:
        children = children[0].children
    plain = all(type(child) is Leaf and not name_of(child) for child in children)
    return plain or any(type(child) is Command for child in children[:1]) or _sign(children[0]) in (r"\rm", r"\sf")


def _starts_with_j(argument: Node) -> bool:
    children = argument.children if type(argument) is Group else [argument]
    while children and type(children[0]) is Leaf and (children[0].text in "+-" or children[0].text.isdigit()):
        children = children[1:]
    return bool(children) and type(children[0]) is Leaf and children[0].text == "j" and len(children) > 1
