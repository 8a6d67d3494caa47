"""What is in a corpus: counts, lengths, macros, ambiguity, chapters; and a plot of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import mean, median

from texlift.corpus.pair import Pair
from texlift.errors import FormulaError, TexliftError
from texlift.extras import require
from texlift.files import write_file
from texlift.latex.lexer import tokenize
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Row, Scripted, Text
from texlift.latex.presentation import presentation
from texlift.macros.semantic import parse_semantic

__all__ = ["ChapterStatistics", "Lengths", "Statistics", "draw_statistics", "macro_calls", "measure_corpus"]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of formulae in tokens."""

    mean: float
    median: float
    longest: int

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Lengths:
        return cls(mean(lengths), median(lengths), max(lengths)) if lengths else cls(0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class ChapterStatistics:
    """One chapter: its pairs, how many of them copying gets wrong, how many macros it uses."""

    pairs: int
    nontrivial: int
    macros: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of one corpus. `unique` counts different (generic, semantic), `nontrivial` those that differ.

    `copy_share` is the score of copying the input unchanged, over the rows; always report it beside a score.
    `ambiguous` counts generic formulae with more than one semantic form, `ambiguous_in_section` those that
    have more than one within a section, where titles cannot decide.
    """

    pairs: int
    unique: int
    nontrivial: int
    copy_share: float
    kinds: dict[str, int]
    generic: Lengths
    semantic: Lengths
    lengths: tuple[int, ...]
    macros: dict[str, int]
    ambiguous: int
    ambiguous_in_section: int
    chapters: dict[str, ChapterStatistics]
    unparsed: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """A JSON form without the single lengths."""
        return {
            "pairs": self.pairs,
            "unique": self.unique,
            "nontrivial": self.nontrivial,
            "copy_share": self.copy_share,
            "kinds": self.kinds,
            "generic_tokens": {"mean": self.generic.mean, "median": self.generic.median, "max": self.generic.longest},
            "semantic_tokens": {
                "mean": self.semantic.mean,
                "median": self.semantic.median,
                "max": self.semantic.longest,
            },
            "distinct_macros": len(self.macros),
            "macros": self.macros,
            "ambiguous": self.ambiguous,
            "ambiguous_in_section": self.ambiguous_in_section,
            "chapters": {
                name: {"pairs": chapter.pairs, "nontrivial": chapter.nontrivial, "macros": chapter.macros}
                for name, chapter in self.chapters.items()
            },
            "unparsed": list(self.unparsed),
        }


def measure_corpus(pairs: Iterable[Pair]) -> Statistics:
    """Measure a corpus; formulae that cannot be read are listed by id in `unparsed`, not counted in lengths."""
    pairs = list(pairs)
    generic: list[int] = []
    semantic: list[int] = []
    macros: Counter[str] = Counter()
    unparsed: list[str] = []
    chapter_pairs: dict[str, list[Pair]] = defaultdict(list)
    chapter_macros: dict[str, set[str]] = defaultdict(set)
    calls_of: dict[str, list[str]] = {}
    for pair in pairs:
        chapter_pairs[pair.chapter].append(pair)
        try:
            if pair.semantic not in calls_of:
                calls_of[pair.semantic] = list(macro_calls(pair.semantic))
            generic.append(len(tokenize(pair.generic)))
            semantic.append(len(tokenize(pair.semantic)))
        except FormulaError:
            unparsed.append(pair.id)
            continue
        macros.update(calls_of[pair.semantic])
        chapter_macros[pair.chapter].update(calls_of[pair.semantic])
    unique = {(pair.generic, pair.semantic) for pair in pairs}
    return Statistics(
        pairs=len(pairs),
        unique=len(unique),
        nontrivial=sum(one != other for one, other in unique),
        copy_share=sum(pair.trivial for pair in pairs) / len(pairs) if pairs else 0.0,
        kinds=dict(Counter(pair.kind for pair in pairs).most_common()),
        generic=Lengths.of(generic),
        semantic=Lengths.of(semantic),
        lengths=tuple(generic),
        macros=dict(macros.most_common()),
        ambiguous=_ambiguous((pair.generic, pair.semantic) for pair in pairs),
        ambiguous_in_section=_ambiguous(((pair.section, pair.generic), pair.semantic) for pair in pairs),
        chapters={
            name: ChapterStatistics(len(members), sum(not pair.trivial for pair in members), len(chapter_macros[name]))
            for name, members in chapter_pairs.items()
        },
        unparsed=tuple(unparsed),
    )


def macro_calls(semantic: str) -> Iterator[str]:
    """The names of the semantic macros in a formula, as often as they are called.

    `\\cos` alone is plain LaTeX, `\\cos@{z}` a call.
    """
    plain = presentation().words
    for node in _nodes(parse_semantic(semantic)):
        if isinstance(node, Call) and (node.arguments or node.segments or node.name not in plain):
            yield node.name


def draw_statistics(statistics: Statistics, path: Path | str, title: str = "") -> None:
    """Draw lengths, macros by rank, and chapters; the suffix of `path` (.svg, .png, .pdf) decides the format."""
    require("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    chapters = list(statistics.chapters.items())[:40]
    height = max(4.5, 1.5 + 0.24 * len(chapters))
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(15, height), layout="constrained")
    left.hist(statistics.lengths, bins=40, color="#3b6ea5")
    left.set(xlabel="length of the generic formula in tokens", ylabel="pairs", yscale="log", title="Lengths")
    middle.plot(range(1, len(statistics.macros) + 1), list(statistics.macros.values()), color="#b5523b")
    middle.set(xlabel="rank", ylabel="calls", xscale="log", yscale="log", title=f"{len(statistics.macros)} macros")
    names = [f"{name[:36] or '(none)'}" for name, _ in chapters]
    right.barh(names, [chapter.pairs for _, chapter in chapters], color="#c9d3df", label="copying is right")
    right.barh(names, [chapter.nontrivial for _, chapter in chapters], color="#3b6ea5", label="copying is wrong")
    right.invert_yaxis()
    right.set(xlabel="pairs", title="Chapters")
    right.legend(loc="lower right")
    figure.suptitle(title or f"{statistics.pairs:,} pairs, copying is right for {statistics.copy_share:.1%}")
    picture = BytesIO()
    try:
        figure.savefig(picture, format=Path(path).suffix[1:] or None)
    except ValueError as error:
        raise TexliftError(f"cannot draw {path}: {error}") from error
    finally:
        pyplot.close(figure)
    write_file(path, picture.getvalue())


def _ambiguous(forms: Iterable[tuple[object, str]]) -> int:
    semantics: dict[object, set[str]] = defaultdict(set)
    for generic, semantic in forms:
        semantics[generic].add(semantic)
    return sum(len(group) > 1 for group in semantics.values())


def _nodes(row: Row) -> Iterator[Node]:
    """All nodes below a row, outer ones first; the parser limits the depth."""
    stack: list[Node] = list(reversed(row))
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(_children(node))


def _children(node: Node) -> list[Node]:
    match node:
        case Leaf() | Text():
            return []
        case Group() | Delimited():
            return list(node.children)
        case Scripted():
            base = [] if node.base is None else [node.base]
            return base + [script.argument for script in node.scripts if script.argument is not None]
        case Command():
            return [*node.options, *node.arguments]
        case Infix():
            return [*node.above, *node.below]
        case Environment():
            return [cell for row in node.rows for cell in row]
        case Call():
            scripts = [script.argument for script in node.scripts if script.argument is not None]
            return [*node.arguments, *scripts]
