"""The paper's accuracies (section 5), exact match, and tree edit distance.

The paper defines p_f, p_m and p_b for one tree; over a corpus this gives the mean over trees (macro) and the
share over all nodes (micro). Its trees are padded with `y_end` to the hull of their cluster, which p_m leaves out
and p_f and p_b count: that is the mode "hull given". With "topology given" only the nodes of the tree itself
count, which is harder. A prediction is a tree of its own when free-running; a node is right if the
prediction has the same value at the same position. Figures with the topology given and free-running figures
are different things and never mixed: `mode` says which.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from texlift_paper.network.vocabulary import END, UNKNOWN, ZERO
from texlift_paper.training.text_metrics import bleu, levenshtein, split_tokens

__all__ = ["MODES", "Score", "TreeScore", "aligned", "edit_distance", "score_tree", "summarise"]

MODES = ("topology given", "free-running", "hull given", "prefix given")
"""How an answer came about; the last is for sequences: each token is predicted behind the right ones."""
_LARGEST = 120  # nodes up to which the edit distance is computed: it takes cubic time and more


@dataclass(frozen=True, slots=True)
class TreeScore:
    """Counts for one tree, so that both means can be taken."""

    nodes: int
    right: int
    symbols: int
    right_symbols: int
    missing: int
    exact: bool
    distance: int | None = None
    surprise: float | None = None
    """Minus the log-probability of the right values, summed."""
    texts: tuple[str, str] | None = None
    """The right answer and the one given, as LaTeX."""

    @property
    def full(self) -> float:
        """p_f."""
        return self.right / self.nodes

    @property
    def masked(self) -> float:
        """p_m."""
        return self.right_symbols / self.symbols if self.symbols else 1.0

    @property
    def bag(self) -> float:
        """p_b."""
        return 1 - self.missing / self.nodes


@dataclass(frozen=True, slots=True)
class Score:
    """Percentages over a corpus; `p_f`, `p_m`, `p_b` are means over trees, `micro_*` shares of all nodes."""

    mode: str
    trees: int
    p_f: float
    p_m: float
    p_b: float
    micro_p_f: float
    micro_p_m: float
    micro_p_b: float
    exact: float
    edit_distance: float | None
    """Mean over the trees small enough for it."""
    perplexity: float | None = None
    """Of a node or token, where those before it are given."""
    bleu: float | None = None
    """Of the tokens of all answers, as sacrebleu counts; None also if that is not installed."""
    levenshtein: float | None = None
    """Tokens to insert, remove or replace in an answer, mean over formulae."""

    def as_dict(self) -> dict[str, object]:
        """Plain values."""
        return asdict(self)


def aligned(predicted: Sequence[int], gold: Sequence[int]) -> list[int]:
    """The predicted value at each position of the gold tree, -1 where the prediction has no node.

    Both in pre-order, 0 for inner nodes.
    """
    values = [-1] * len(gold)
    ends = _ends(predicted)
    gold_ends = _ends(gold)
    stack = [(0, 0)]
    while stack:
        ours, theirs = stack.pop()
        values[theirs] = predicted[ours]
        if predicted[ours] == ZERO and gold[theirs] == ZERO:
            stack.append((ends[ours + 1], gold_ends[theirs + 1]))
            stack.append((ours + 1, theirs + 1))
    return values


def _ends(values: Sequence[int]) -> list[int]:
    ends = [0] * len(values)
    for node in range(len(values) - 1, -1, -1):
        ends[node] = node + 1 if values[node] != ZERO else ends[ends[node + 1]]
    return ends


def score_tree(
    at_positions: Sequence[int], gold: Sequence[int], predicted: Sequence[int] | None = None, copied: bool = False
) -> TreeScore:
    """`at_positions` has the predicted value for each gold node; `predicted` the whole tree if free-running.

    "Unknown" is no answer, so it is never right, unless labels were `copied` and not predicted.
    """
    if not copied:
        at_positions = [-1 if value == UNKNOWN else value for value in at_positions]
        predicted = None if predicted is None else [-1 if value == UNKNOWN else value for value in predicted]
    right = sum(ours == theirs for ours, theirs in zip(at_positions, gold, strict=True))
    symbols = [(ours, theirs) for ours, theirs in zip(at_positions, gold, strict=True) if theirs not in (ZERO, END)]
    have = Counter(at_positions if predicted is None else predicted)
    missing = sum(max(count - have[value], 0) for value, count in Counter(gold).items())
    exact = right == len(gold)
    distance = None
    if predicted is not None and max(len(gold), len(predicted)) <= _LARGEST:
        distance = 0 if exact else edit_distance(predicted, gold)
    return TreeScore(len(gold), right, len(symbols), sum(a == b for a, b in symbols), missing, exact, distance)


def summarise(scores: Iterable[TreeScore], mode: str) -> Score:
    """Percentages over a corpus."""
    if mode not in MODES:
        raise ValueError(f"mode must be one of {MODES}")
    listed = list(scores)
    count = max(1, len(listed))
    nodes = max(1, sum(score.nodes for score in listed))
    symbols = max(1, sum(score.symbols for score in listed))
    distances = [score.distance for score in listed if score.distance is not None]
    surprises = [(score.surprise, score.nodes) for score in listed if score.surprise is not None]
    texts = [score.texts for score in listed if score.texts is not None]
    edits = [levenshtein(split_tokens(gold), split_tokens(answer)) for gold, answer in texts]
    return Score(
        mode=mode,
        trees=len(listed),
        p_f=100 * sum(score.full for score in listed) / count,
        p_m=100 * sum(score.masked for score in listed) / count,
        p_b=100 * sum(score.bag for score in listed) / count,
        micro_p_f=100 * sum(score.right for score in listed) / nodes,
        micro_p_m=100 * sum(score.right_symbols for score in listed) / symbols,
        micro_p_b=100 - 100 * sum(score.missing for score in listed) / nodes,
        exact=100 * sum(score.exact for score in listed) / count,
        edit_distance=sum(distances) / len(distances) if distances else None,
        perplexity=math.exp(sum(s for s, _ in surprises) / sum(n for _, n in surprises)) if surprises else None,
        bleu=bleu(texts),
        levenshtein=sum(edits) / len(edits) if edits else None,
    )


def edit_distance(first: Sequence[int], second: Sequence[int]) -> int:
    """Zhang and Shasha's distance of ordered labelled trees: insertions, deletions and changes of nodes."""
    a, b = _post_order(first), _post_order(second)
    distance = [[0] * len(b[0]) for _ in a[0]]
    for i in a[2]:
        for j in b[2]:
            _forest_distance(a, b, i, j, distance)
    return distance[-1][-1]


_PostOrder = tuple[list[int], list[int], list[int]]


def _post_order(values: Sequence[int]) -> _PostOrder:
    """(values in post-order, first leaf of each node, key roots), of the mirrored tree.

    Two trees and their mirror images have the same distance, but rows are right spines: mirrored, they share their
    first leaf and need one table, instead of one for each of their nodes.
    """
    labels: list[int] = []
    leftmost: list[int] = []
    ends = _ends(values)
    stack = [(0, False)]
    first_of: dict[int, int] = {}
    while stack:
        node, done = stack.pop()
        if values[node] != ZERO:
            first_of[node] = len(labels)
        elif done:
            first_of[node] = first_of[ends[node + 1]]
        else:
            stack += [(node, True), (node + 1, False), (ends[node + 1], False)]
            continue
        labels.append(values[node])
        leftmost.append(first_of[node])
    last = {left: position for position, left in enumerate(leftmost)}
    return labels, leftmost, sorted(last.values())


def _forest_distance(a: _PostOrder, b: _PostOrder, i: int, j: int, distance: list[list[int]]) -> None:
    labels_a, left_a, _ = a
    labels_b, left_b, _ = b
    start_a, start_b = left_a[i], left_b[j]
    rows, columns = i - start_a + 2, j - start_b + 2
    table = [[0] * columns for _ in range(rows)]
    for x in range(1, rows):
        table[x][0] = x
    table[0] = list(range(columns))
    for x in range(1, rows):
        node_a = start_a + x - 1
        whole_a = left_a[node_a] == start_a
        above, current = table[x - 1], table[x]
        for y in range(1, columns):
            node_b = start_b + y - 1
            if whole_a and left_b[node_b] == start_b:
                change = above[y - 1] + (labels_a[node_a] != labels_b[node_b])
                current[y] = min(above[y] + 1, current[y - 1] + 1, change)
                distance[node_a][node_b] = current[y]
            else:
                change = table[left_a[node_a] - start_a][left_b[node_b] - start_b] + distance[node_a][node_b]
                current[y] = min(above[y] + 1, current[y - 1] + 1, change)
