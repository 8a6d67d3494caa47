"""Binary trees back to n-ary ones.

The signatures say which leaves are heads of commands and how many arguments they take; without end marks the
last argument, or the last item of a row, is all the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from texlift.errors import TexliftError
from texlift.latex.cursor import MAX_DEPTH
from texlift.latex.signatures import CallSignature, Signatures
from texlift.latex.tree import (
    COMMAND_END,
    CONCAT_END,
    INFIX_OPERATORS,
    INNER,
    OPTION,
    Heuristics,
    NaryTree,
    is_closer,
    is_opener,
)

__all__ = ["read_nary"]

_LIMIT = 5 * MAX_DEPTH


def read_nary(labels: Sequence[str], ends: Sequence[int], heuristics: Heuristics, signatures: Signatures) -> NaryTree:
    """The n-ary tree of labels in pre-order; `ends` is the position behind each node's subtree."""
    return _Reader(labels, ends, heuristics, signatures).root()


class _Reader:
    """Binary to n-ary: the signatures say which leaves are heads of commands and how many arguments they take."""

    __slots__ = (
        "calls",
        "command_end",
        "concat_end",
        "depth",
        "ends",
        "labels",
        "moves",
        "postfix",
        "prefix",
        "rows",
        "signatures",
    )

    def __init__(
        self, labels: Sequence[str], ends: Sequence[int], heuristics: Heuristics, signatures: Signatures
    ) -> None:
        self.labels = labels
        self.ends = ends
        self.command_end = heuristics.command_end
        self.concat_end = heuristics.concat_end
        self.prefix = heuristics.prefix
        self.postfix = heuristics.postfix
        self.moves = heuristics.prefix or heuristics.postfix
        self.signatures = signatures
        self.calls = signatures.calls
        self.depth = 0
        self.rows: dict[int, tuple[list[NaryTree], bool]] = {}

    def root(self) -> NaryTree:
        return self.node(0, root=True)

    # -- places ------------------------------------------------------------------------------------------

    def split(self, i: int, at_most: int) -> list[int]:
        """The first `at_most - 1` left children along the right spine of `i`, and the rest."""
        places: list[int] = []
        while len(places) < at_most - 1 and self.labels[i] == INNER:
            places.append(i + 1)
            i = self.ends[i + 1]
        places.append(i)
        return places

    # -- nodes -------------------------------------------------------------------------------------------

    def node(self, i: int, root: bool = False) -> NaryTree:
        label = self.labels[i]
        if label != INNER:
            return label
        self.depth += 1
        if self.depth > _LIMIT:
            raise TexliftError(f"binary tree nested more than {_LIMIT} levels to the left")
        items, ended = self.row(i, root)
        self.depth -= 1
        if root and self.concat_end and items[-1] == CONCAT_END:
            items = self.regrouped(items[:-1])
        if len(items) == 1:
            return items[0]
        return (*items, CONCAT_END) if ended else tuple(items)

    def regrouped(self, items: list[NaryTree]) -> list[NaryTree]:
        """An end mark at the end of the root is that of a node in last place; where that began is not known."""
        length = 2
        if self.moves and is_closer(items[-1]):
            length = 3 if len(items) > 2 and is_opener(items[-3]) else 2
        elif self.moves and items[-1] in INFIX_OPERATORS:
            operators = 0
            while operators < len(items) and items[-1 - operators] in INFIX_OPERATORS:
                operators += 1
            length = 2 * operators + 1
        if length >= len(items):
            return items
        return [*items[:-length], (*items[-length:], CONCAT_END)]

    def row(self, i: int, root: bool) -> tuple[list[NaryTree], bool]:
        """The items of the node at `i`, and whether `<CONCAT_END>` closed it."""
        if root:
            return self.read_row(i, root)
        if i not in self.rows:  # asked for twice where an argument is tried before it is taken
            self.rows[i] = self.read_row(i, root)
        return self.rows[i]

    def read_row(self, i: int, root: bool) -> tuple[list[NaryTree], bool]:
        items: list[NaryTree] = []
        labels = self.labels
        while True:
            label = labels[i]
            if label != INNER:
                if self.concat_end and label == CONCAT_END and items and not root:
                    return items, True
                items.append(label)
                return items, False
            head = labels[i + 1]
            if head != INNER:
                node = self.command(i, head)
                if node is None and self.prefix and head in INFIX_OPERATORS and items:
                    node = self.chain(i)
                if node is not None:
                    items.append(node)
                    return items, False
                items.append(head)
            else:
                items.append(self.node(i + 1))
            i = self.ends[i + 1]
            if self.prefix and len(items) == 1 and head in INFIX_OPERATORS and head != INNER:
                return self.chain_items(items, i, root)

    def chain(self, i: int) -> NaryTree | None:
        """A prefix row at the end of another row; None for a sign alone, as in `(+)`."""
        items, ended = self.chain_items([self.labels[i + 1]], self.ends[i + 1], root=False)
        operators = sum(item in INFIX_OPERATORS for item in items)
        if len(items) != 2 * operators + 1:
            return None
        return (*items, CONCAT_END) if ended else tuple(items)

    def chain_items(self, items: list[NaryTree], i: int, root: bool) -> tuple[list[NaryTree], bool]:
        """k operators are followed by k + 1 operands; the last is all the rest."""
        labels = self.labels
        while labels[i] == INNER and labels[i + 1] in INFIX_OPERATORS:
            items.append(labels[i + 1])
            i = self.ends[i + 1]
        operators = len(items)
        ended = self.concat_end and not root
        places = self.split(i, operators + 1 + ended)
        if ended and labels[places[-1]] == CONCAT_END:
            places.pop()
        else:
            ended = False
        items.extend([self.node(place) for place in places])
        return items, ended

    # -- commands ----------------------------------------------------------------------------------------

    def command(self, i: int, head: str) -> NaryTree | None:
        """The command node at `i`, or None if its left child `head` takes no arguments here."""
        signatures = self.signatures
        rest = self.ends[i + 1]
        if head in _SCRIPTS or head == OPTION:
            return self.arguments(head, rest, 1)
        if head in signatures.infix:
            return self.arguments(head, rest, 2)
        if head in self.calls:
            return self.call(head, rest)
        spec = signatures.commands.get(head, "")
        required = len(spec) - spec.count("o") - spec.count("O")
        if required:
            return self.arguments(head, rest, required)
        if head.startswith((r"\left", r"\begin{")) and len(head) > 5 and not head[5:].isalpha():
            return self.enclosing(head, rest)
        return self.call(head, rest) if self.calls and head[0] == "\\" and head[1:].isalpha() else None

    def arguments(self, head: str, i: int, required: int) -> NaryTree:
        end: tuple[str, ...] = ()
        if self.command_end and self.labels[i] == INNER and self.labels[self.ends[i + 1]] == COMMAND_END:
            i, end = i + 1, (COMMAND_END,)
        options = 0
        place = i
        while self.labels[place] == INNER and self.is_option(place + 1):
            options += 1
            place = self.ends[place + 1]
        places = self.split(i, required + options)
        trees = [self.node(place) for place in places]
        return (head, trees[0] if len(trees) == 1 else tuple(trees), *end)

    def is_option(self, i: int) -> bool:
        return self.labels[i] == INNER and self.labels[i + 1] == OPTION

    def is_script(self, i: int) -> bool:
        label = self.labels[i] or self.labels[i + 1]
        return label in _SCRIPTS if self.labels[i] == INNER else label == "'"

    def is_at(self, i: int) -> bool:
        return self.labels[i] != INNER and self.labels[i].strip("@") == ""

    def enclosing(self, head: str, i: int) -> NaryTree:
        """`\\left( X \\right)` and environments: the end is marked, everything between are items."""
        if head.startswith(r"\left"):
            places = self.split(i, 3 if self.command_end else 2)
            return (head, *[self.node(place) for place in places])
        items: list[NaryTree] = [head]
        while self.labels[i] == INNER:
            rest = self.ends[i + 1]
            separated = self.labels[rest] == INNER and self.labels[rest + 1] in ("&", "\\\\")
            ended = self.command_end and self.labels[rest] == COMMAND_END
            if not separated and not ended:
                break
            items.append(self.node(i + 1))
            i = rest
            if separated:
                items.append(self.labels[i + 1])
                i = self.ends[i + 1]
        items.append(self.node(i))
        return tuple(items)

    def call(self, head: str, i: int) -> NaryTree | None:
        """A semantic call; without end marks the last argument is all the rest."""
        signature = self.calls.get(head)
        shape = signature or _UNKNOWN
        spine: list[int] = []  # nodes whose left children are the items; the last one may be an item itself
        place = i
        while len(spine) < _CALL_ITEMS:
            spine.append(place)
            if self.labels[place] != INNER:
                break
            place = self.ends[place + 1]
        items = [place + 1 if self.labels[place] == INNER else place for place in spine]
        options = 0
        while options < len(items) and options < shape.options and self.is_option(items[options]):
            options += 1
        at = next((k for k, item in enumerate(items) if self.is_at(item)), -1) if shape.variables else -1
        parameters = items[options:at] if at >= 0 else []
        while parameters and signature and self.is_script(parameters[-1]):
            parameters.pop()
        if len(parameters) > shape.parameters or any(map(self.is_script, parameters)):
            at = -1
        if at < 0:
            return None if signature is None else self.call_without_at(head, i, options, shape)
        before = [head, *map(self.node, items[:at])]
        texts = [self.labels[place] or "\0" for place in parameters]
        after = self.variables(spine[at], shape.variables_for(texts))
        return (*before, *after) if after is not None else None

    def variables(self, i: int, missing: int) -> list[NaryTree] | None:
        """`@@ variables @ variables`, from the node `i` whose left child is the first @."""
        labels, ends = self.labels, self.ends
        items: list[NaryTree] = []
        while labels[i] == INNER:
            rest = ends[i + 1]
            at = self.is_at(i + 1)
            if not (at or self.command_end or (missing > 1 and self.has_operands(rest))):
                break
            items.append(self.node(i + 1))
            missing -= not at
            i = rest
        if (self.command_end and labels[i] != COMMAND_END) or not self.is_argument(i):
            return None
        items.append(self.node(i))
        return items

    def has_operands(self, i: int) -> bool:
        """Whether the operators of a postfix row at the end of `i` have their operands in `i`."""
        if not self.postfix:
            return True
        items = operators = 0
        while True:
            inner = self.labels[i] == INNER
            label = self.labels[i + 1] if inner else self.labels[i]
            operators = operators + 1 if label in INFIX_OPERATORS else operators if label == CONCAT_END else 0
            items += label != CONCAT_END
            if not inner:
                return operators == 0 or items > 2 * operators
            i = self.ends[i + 1]

    def is_argument(self, i: int) -> bool:
        """Whether all that is left can be the last argument: a row of several items would be ended, one of one not."""
        if not self.concat_end or self.labels[i] != INNER:
            return True
        items, ended = self.row(i, root=False)
        return ended == (len(items) > 1)

    def call_without_at(self, head: str, i: int, options: int, shape: CallSignature) -> NaryTree | None:
        if not self.command_end:
            at_most = options + shape.parameters
            if at_most == 0:
                # an option node may be all there is
                return (head, self.node(i)) if shape.options and self.is_option(i) else None
            places = self.split(i, at_most)
            return (head, *map(self.node, places)) if self.is_argument(places[-1]) else None
        places = self.split(i, shape.options + shape.parameters + 1)
        if self.labels[places[-1]] != COMMAND_END or len(places) < 2:
            return None
        if len(places) - 1 - options > shape.parameters:
            return None
        return (head, *map(self.node, places))


_UNKNOWN = CallSignature(options=0, parameters=0, variables=99)
_SCRIPTS = frozenset("^_")
_CALL_ITEMS = 40  # options, parameters and scripts before the @: far more than any macro has
