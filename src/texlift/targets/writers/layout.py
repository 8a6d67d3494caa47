"""LaTeX as it is laid out, to presentation MathML: fractions, scripts, fences, fonts, tables.

A `Layout` shows what the author wrote. What it means (the invisible operators between two pieces, the intent of one)
comes from a subclass, by the place in the source.
"""

from __future__ import annotations

from collections.abc import Iterable

from texlift.errors import FormulaError
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted, Text
from texlift.targets.writers.markup import ALPHABETS, Piece, escaped, glyphs, operator, single, styled

__all__ = ["Layout"]

_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\cfrac"})
_BINOMIALS = frozenset({r"\binom", r"\tbinom", r"\dbinom"})
_SOLIDUS = frozenset({r"\ifrac", r"\sfrac", r"\nicefrac"})
_TEXTS = frozenset({r"\text", r"\mbox", r"\hbox", r"\textrm", r"\textit", r"\textbf", r"\textup", r"\textnormal",
                    r"\textsf", r"\texttt"})  # fmt: skip
_PLAIN = frozenset({r"\mathop", r"\mathbin", r"\mathrel", r"\mathord", r"\mathopen", r"\mathclose", r"\mathpunct",
                    r"\mathinner", r"\ensuremath", r"\smash", r"\mathnormal"})  # fmt: skip
_SIZES = frozenset(f"\\{word}{side}" for word in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m"))
_OPENERS = frozenset({"(", "[", r"\{", r"\lbrace", r"\lbrack", r"\langle", r"\lfloor", r"\lceil", r"\lvert", r"\lVert"})
_CLOSERS = frozenset({")", "]", r"\}", r"\rbrace", r"\rbrack", r"\rangle", r"\rfloor", r"\rceil", r"\rvert", r"\rVert"})
_OPENING = _OPENERS | {"|", r"\|", r"\vert", r"\Vert"}
_SKIPPED = frozenset({r"\,", r"\;", r"\:", r"\!", r"\>", r"\ ", "~", r"\*", r"\displaystyle", r"\textstyle", r"\limits",
                      r"\nolimits", r"\scriptstyle", r"\scriptscriptstyle", r"\thinspace", r"\enskip", r"\enspace",
                      r"\nonumber", r"\notag", r"\tiny", r"\null", r"\allowbreak", r"\nobreak", r"\displaylimits",
                      r"\medspace", r"\thickspace", r"\negthinspace", r"\small", r"\scriptsize", r"\cr"})  # fmt: skip
_INVISIBLE_COMMANDS = frozenset({r"\mskip", r"\mspace", r"\mkern", r"\kern", r"\hspace", r"\label", r"\cfracstyle"})
_ENVELOPES = {"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "‖‖"}
_SWITCHES = {r"\cal": r"\mathcal", r"\rm": r"\mathrm", r"\bf": r"\mathbf", r"\sf": r"\mathsf", r"\it": r"\mathit",
             r"\tt": r"\mathtt"}  # fmt: skip
_UPRIGHT = frozenset({r"\mathrm", r"\mathit", r"\operatorname", r"\operatorname*", r"\symrm"})


class Layout:
    """Shows one source; subclasses say what stands between pieces and what they mean."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.filled: dict[str, str] = {}  # what stands for the holes of a template
        self.font = ""

    def refuse(self, what: str, start: int, end: int) -> FormulaError:
        return FormulaError(f"{what} cannot be shown in MathML", self.source, (start, end), "", "unsupported")

    # -- hooks -----------------------------------------------------------------------------------------

    def between(self, left: Piece, right: Piece) -> str:
        """The invisible operator between two neighbours, as an element, or nothing."""
        return ""

    def meant(self, piece: Piece) -> Piece:
        """The piece with what it means."""
        return piece

    def call(self, node: Call) -> Piece:
        """A semantic macro."""
        raise self.refuse(node.name, node.start, node.end)

    def fence(self, left: str, inside: list[Piece], right: str, start: int, end: int) -> Piece:
        """What stands between two delimiters, which are elements or nothing."""
        return Piece(f"<mrow>{left}{''.join(piece.xml for piece in inside)}{right}</mrow>", start, end, "fence")

    def raised(self, base: Piece, scripts: list[Script], end: int, limits: bool) -> Piece:
        """A piece with its scripts."""
        kind = base.kind if base.kind in ("large", "operator") else "operand"
        return Piece(self.scripts(base.xml, scripts, limits), base.start, end, kind)

    def closing_bar(self, nodes: list[Node], at: int) -> int:
        """The place of the bar that closes the one at `at`, or -1."""
        return -1

    # -- rows ------------------------------------------------------------------------------------------

    def row(self, nodes: Iterable[Node]) -> str:
        """One element for a row."""
        return single([piece.xml for piece in self.joined(self.pieces(list(nodes)))])

    def joined(self, pieces: list[Piece]) -> list[Piece]:
        """The pieces with invisible operators between them."""
        found: list[Piece] = []
        for piece in pieces:
            if found and found[-1].kind in ("operand", "fence") and piece.kind in ("operand", "fence", "large"):
                between = self.between(found[-1], piece)
                if between:
                    found.append(Piece(between, piece.start, piece.start, "operator"))
            found.append(piece)
        return found

    def pieces(self, nodes: list[Node]) -> list[Piece]:
        """The pieces of a row, without what is invisible."""
        found: list[Piece] = []
        at, font = 0, self.font
        while at < len(nodes):
            node = nodes[at]
            text = node.text if type(node) is Leaf else ""
            if len(text) == 1 and text.isalpha():
                found.append(self.leaf(node))  # type: ignore[arg-type]  # most nodes; a letter is always shown
                at += 1
                continue
            if text in _SWITCHES:
                self.font = _SWITCHES[text]
                at += 1
                continue
            if text.isdigit() or (text == "." and at + 1 < len(nodes) and _text(nodes[at + 1]).isdigit()):
                piece, at = self.number(nodes, at)
                found.append(self.meant(piece))
                continue
            if (text or type(node) is Command) and _delimiter(node) in _OPENING:
                close = self.closer(nodes, at)
                if close > at:
                    found.append(self.fenced(nodes, at, close))
                    at = close + 1
                    continue
            piece_or_none = self.piece(node)
            if piece_or_none is not None:
                found.append(piece_or_none)
            at += 1
        self.font = font
        return found

    def number(self, nodes: list[Node], at: int) -> tuple[Piece, int]:
        start = at
        text = ""
        while at < len(nodes):
            part = _text(nodes[at])
            follows = at + 1 < len(nodes) and _text(nodes[at + 1])[:1].isdigit()
            if part.isdigit() or (part == "." and "." not in text and (follows or not text)):
                text += part
            elif not (part in (r"\,", r"\;") and text and follows):
                break
            at += 1
        last = nodes[at] if at < len(nodes) else None
        piece = Piece(f"<mn>{escaped(text)}</mn>", nodes[start].start, nodes[at - 1].end)
        if isinstance(last, Scripted) and last.base is not None and _text(last.base).isdigit():  # 12^{2}
            whole = f"<mn>{escaped(text + _text(last.base))}</mn>"
            return Piece(self.scripts(whole, last.scripts, False), piece.start, last.end), at + 1
        return piece, at

    def closer(self, nodes: list[Node], at: int) -> int:
        """The place of the delimiter that closes the one at `at`, or -1."""
        if _delimiter(nodes[at]) not in _OPENERS:
            return self.closing_bar(nodes, at)
        depth = 0
        for place in range(at, len(nodes)):
            mark = _delimiter(nodes[place])
            depth += (mark in _OPENERS) - (mark in _CLOSERS)
            if depth == 0:
                return place
        return -1

    def fenced(self, nodes: list[Node], at: int, close: int) -> Piece:
        """What stands between two delimiters, with the scripts of the second."""
        table = glyphs()["delimiters"]
        inside = self.joined(self.pieces(nodes[at + 1 : close]))
        last = nodes[close]
        end = last.base.end if isinstance(last, Scripted) and last.base is not None else last.end
        left, right = (operator(table[_delimiter(node)]) for node in (nodes[at], last))
        fence = self.fence(left, inside, right, nodes[at].start, end)
        if not isinstance(last, Scripted):
            return fence
        return self.raised(fence, last.scripts, last.end, False)

    # -- nodes -----------------------------------------------------------------------------------------

    def element(self, node: Node | None) -> str:
        """One element for a node; a group is shown without its braces."""
        if node is None:
            return "<mrow></mrow>"
        if isinstance(node, Group):
            return self.row(node.children)
        return self.row([node])

    def piece(self, node: Node) -> Piece | None:
        """The piece for one node; None for what is invisible."""
        span = (node.start, node.end)
        if isinstance(node, Leaf):
            return self.leaf(node)
        if isinstance(node, Group):
            if not node.children:
                return None
            return self.meant(Piece(self.row(node.children), *span))
        if isinstance(node, Scripted):
            return self.scripted(node)
        if isinstance(node, Command):
            return self.command(node)
        if isinstance(node, Delimited):
            return self.delimited(node)
        if isinstance(node, Infix):
            above, below = self.row(node.above), self.row(node.below)
            if node.operator == r"\over":
                return self.meant(Piece(f"<mfrac>{above}{below}</mfrac>", *span))
            return self.meant(Piece(self.stacked(above, below, node.operator), *span))
        if isinstance(node, Environment):
            return self.meant(Piece(self.environment(node), *span))
        if isinstance(node, Call):
            return self.call(node)
        return Piece(f"<mtext>{escaped(_words(node))}</mtext>", *span, "space")

    def leaf(self, node: Leaf) -> Piece | None:
        text, span = node.text, (node.start, node.end)
        if text in self.filled:
            return Piece(self.filled[text], *span)
        table = glyphs()
        if text in table["operators"]:
            return Piece(operator(table["operators"][text]), *span, "operator")
        if text in table["dots"]:
            return Piece(operator(table["dots"][text]), *span, "operator")
        if text in _SKIPPED or text.isspace():
            return None
        if text in table["identifiers"] or (len(text) == 1 and text.isalpha()):
            return self.meant(Piece(f"<mi>{self.letter(table['identifiers'].get(text, text))}</mi>", *span))
        if text in table["large"]:
            return Piece(operator(table["large"][text]), *span, "large")
        if text in table["prefixes"]:
            return Piece(operator(table["prefixes"][text]), *span, "large")
        if text in table["spaces"]:
            return Piece(f'<mspace width="{table["spaces"][text]}"/>', *span, "space")
        if text in ("\\\\", r"\newline", r"\linebreak"):
            return Piece('<mspace linebreak="newline"/>', *span, "space")
        if text in table["delimiters"] and table["delimiters"][text]:
            return Piece(operator(table["delimiters"][text]), *span, "operator")
        if text[1:].isalpha():
            return Piece(f"<mi>{escaped(text[1:])}</mi>", *span, "large")  # \lim, \max, \arg
        if len(text) == 1:
            return Piece(operator(text), *span, "operator")
        raise self.refuse(text, *span)

    def letter(self, text: str) -> str:
        return escaped(styled(text, self.font) if self.font in ALPHABETS else text)

    def scripted(self, node: Scripted) -> Piece:
        span = (node.start, node.end)
        base = node.base
        if base is None or (isinstance(base, Group) and not base.children):
            return Piece(self.scripts("<mrow></mrow>", node.scripts, False), *span, "prescript")
        shown = self.piece(base) or Piece("<mrow></mrow>", *span)
        limits = shown.kind == "large" and (
            _text(base) in glyphs()["limits"] or (_text(base) in glyphs()["large"] and "int" not in _text(base))
        )
        return self.raised(shown, node.scripts, node.end, limits)

    def scripts(self, base: str, scripts: list[Script], limits: bool) -> str:
        """A base with its scripts; primes are raised before other superscripts."""
        below = [self.element(script.argument) for script in scripts if script.kind == "_"]
        primes = sum(script.kind == "'" for script in scripts)
        above = [f"<mo>{'′' * primes}</mo>"] if primes else []
        above += [self.element(script.argument) for script in scripts if script.kind == "^"]
        names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        if below and above:
            return f"<{names[2]}>{base}{single(below)}{single(above)}</{names[2]}>"
        if below:
            return f"<{names[0]}>{base}{single(below)}</{names[0]}>"
        return f"<{names[1]}>{base}{single(above)}</{names[1]}>"

    def delimited(self, node: Delimited) -> Piece:
        table = glyphs()["delimiters"]
        marks = (table.get(mark, mark if mark != "." else "") for mark in (node.left, node.right))
        left, right = (operator(mark, fence="true") if mark else "" for mark in marks)
        return self.fence(left, self.joined(self.pieces(node.children)), right, node.start, node.end)

    def command(self, node: Command) -> Piece | None:
        name, span = node.name, (node.start, node.end)
        if name in _INVISIBLE_COMMANDS:
            return None
        if name in _SIZES or name == r"\middle":
            mark = _delimiter(node)
            return Piece(operator(glyphs()["delimiters"].get(mark, mark)), *span, "operator")
        xml = self.shown(node)
        if xml is None:
            raise self.refuse(name, *span)
        kind = {r"\not": "operator", r"\mathrel": "operator", r"\mathbin": "operator"}.get(name, "operand")
        if name in _TEXTS or name == r"\pmod":
            kind = "space"
        return self.meant(Piece(xml, *span, kind))

    def shown(self, node: Command) -> str | None:
        """The element of a command."""
        name, parts = node.name, node.arguments
        table = glyphs()
        if name in _FRACTIONS:
            return f"<mfrac>{self.element(parts[0])}{self.element(parts[1])}</mfrac>"
        if name in _SOLIDUS:
            return f"<mrow>{self.element(parts[0])}<mo>/</mo>{self.element(parts[1])}</mrow>"
        if name in _BINOMIALS:
            return self.stacked(self.element(parts[0]), self.element(parts[1]), r"\choose")
        if name == r"\genfrac":
            marks = (_words(part).strip() for part in parts[:2])
            left, right = (f"<mo>{escaped(glyphs()['delimiters'].get(m, m))}</mo>" if m else "" for m in marks)
            thin = ' linethickness="0"' if _words(parts[2]).strip() else ""
            inner = f"<mfrac{thin}>{self.element(parts[4])}{self.element(parts[5])}</mfrac>"
            return f"<mrow>{left}{inner}{right}</mrow>" if left or right else inner
        if name == r"\sqrt":
            if node.options:
                return f"<mroot>{self.element(parts[0])}{self.element(node.options[0])}</mroot>"
            return f"<msqrt>{self.element(parts[0])}</msqrt>"
        if name in _TEXTS:
            return f"<mtext>{escaped(_words(parts[0]))}</mtext>"
        if name in ALPHABETS or name in _UPRIGHT:
            return self.in_font(node)
        if name in table["accents"]:
            return f'<mover accent="true">{self.element(parts[0])}<mo>{table["accents"][name]}</mo></mover>'
        if name in table["under"]:
            return f"<munder>{self.element(parts[0])}<mo>{table['under'][name]}</mo></munder>"
        if name in (r"\overset", r"\stackrel"):
            return f"<mover>{self.element(parts[1])}{self.element(parts[0])}</mover>"
        if name == r"\underset":
            return f"<munder>{self.element(parts[1])}{self.element(parts[0])}</munder>"
        if name == r"\not":
            negated = self.element(parts[0])
            return negated.replace("</mo>", "\u0338</mo>") if negated.startswith("<mo") else None
        if name in (r"\pmod", r"\pod"):
            word = "<mi>mod</mi>" if name == r"\pmod" else ""
            return f"<mrow><mo>(</mo>{word}{self.element(parts[0])}<mo>)</mo></mrow>"
        if name in (r"\phantom", r"\hphantom", r"\vphantom"):
            return f"<mphantom>{self.element(parts[0])}</mphantom>"
        if name in (r"\substack", r"\rselection", r"\lselection", r"\selection"):
            return self.lines(node)
        if name == r"\Sci":
            return f"<mrow>{self.element(parts[0])}<mo>×</mo><msup><mn>10</mn>{self.element(parts[1])}</msup></mrow>"
        if name == r"\sideset":
            return self.row(parts)
        if name == r"\boxed":
            return f'<menclose notation="box">{self.element(parts[0])}</menclose>'
        return self.element(parts[0]) if name in _PLAIN else None

    def in_font(self, node: Command) -> str:
        body = node.arguments[0]
        children = body.children if isinstance(body, Group) else [body]
        while len(children) == 1 and isinstance(children[0], Group):
            children = children[0].children
        letters = [glyphs()["identifiers"].get(_text(child), _text(child)) for child in children]
        if all(len(text) == 1 for text in letters):
            text = "".join(letters)
            if node.name in _UPRIGHT:
                plain = ' mathvariant="normal"' if len(text) == 1 and node.name != r"\mathit" else ""
                return f"<mn>{text}</mn>" if text.isdigit() else f"<mi{plain}>{escaped(text)}</mi>"
            return f"<mi>{escaped(styled(text, node.name))}</mi>"
        font, self.font = self.font, node.name
        shown = self.row(children)
        self.font = font
        return shown

    def stacked(self, above: str, below: str, sign: str) -> str:
        inner = f'<mfrac linethickness="0">{above}{below}</mfrac>'
        ends = {r"\choose": "()", r"\brack": "[]", r"\brace": "{}"}.get(sign, "")
        return f"<mrow><mo>{ends[0]}</mo>{inner}<mo>{ends[1]}</mo></mrow>" if ends else inner

    def lines(self, node: Command) -> str:
        """Lines one above the other, separated by \\\\."""
        body = node.arguments[0]
        rows: list[list[Node]] = [[]]
        for child in body.children if isinstance(body, Group) else [body]:
            if _text(child) == "\\\\":
                rows.append([])
            else:
                rows[-1].append(child)
        return "<mtable>" + "".join(f"<mtr><mtd>{self.row(line)}</mtd></mtr>" for line in rows) + "</mtable>"

    def environment(self, node: Environment) -> str:
        rows = "".join(
            "<mtr>" + "".join(f"<mtd>{self.row(cell.children)}</mtd>" for cell in line) + "</mtr>"
            for line in node.rows
            if any(cell.children for cell in line)
        )
        table = f"<mtable>{rows}</mtable>"
        if node.name in ("cases", "dcases"):
            return f"<mrow><mo>{{</mo>{table}</mrow>"
        ends = _ENVELOPES.get(node.name)
        return f"<mrow><mo>{ends[0]}</mo>{table}<mo>{ends[1]}</mo></mrow>" if ends else table


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Leaf) else ""


def _delimiter(node: Node) -> str:
    """The delimiter that a node is: bare, with a size, or with scripts."""
    if isinstance(node, Scripted) and node.base is not None:
        node = node.base
    if isinstance(node, Command) and (node.name in _SIZES or node.name == r"\middle") and node.arguments:
        only = node.arguments[0]
        return only.body if isinstance(only, Text) else _text(only)
    return _text(node)


def _words(node: Node) -> str:
    if isinstance(node, Text):
        return " ".join(node.body.replace("~", " ").replace("$", "").replace("\\", " ").split())
    return "".join(_words(child) for child in node.children) if isinstance(node, Group) else _text(node)
