"""What macros print around themselves unseen belongs to their templates, and goes with their calls."""

from __future__ import annotations

import pytest

from texlift.context.style import BRACES, EXACT, FENCES, print_level
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.induction.induce import induce
from texlift.grammar.match import Match
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.latex.invisible import around, frame, framed
from texlift.macros.semantic import Language
from texlift.translate.rendering import Renderer

PAIRS = [
    (r"\mathord{{p}^{-1}}=q", r"\opp{p}=q"),
    (r"f(\mathord{{g}^{-1}}(b))", r"f(\opp{g}(b))"),
    (r"{a}^{-1}+b", r"\inv{a}+b"),
    (r"c-{x}^{-1}", r"c-\inv{x}"),
    (r"\lambda x.\,f(x)", r"\lam{x}f(x)"),
    (r"g=\lambda y.\,y", r"g=\lam{y}y"),
    (r"\lambda z.\,\;h", r"\lam{z}\;h"),
    (r"\mathopen{}\left\Vert A\right\Vert_{n}\mathclose{}\to B", r"\trunc{n}{A}\to B"),
    (r"x:\mathopen{}\left\Vert B\right\Vert_{2}\mathclose{}", r"x:\trunc{2}{B}"),
    (r"a\mathrel{\#}b", r"a\apart b"),
    (r"c+1\mathrel{\#}d", r"c+1\apart d"),
    (r"A\simeq B", r"\eqv{A}{B}"),
    (r"C\to D\simeq E", r"\eqv{C\to D}{E}"),
    (r"\left\{\begin{array}{cc}a&b\end{array}\right.", r"\either{a}{b}"),
    (r"k=\left\{\begin{array}{cc}x&1\end{array}\right.", r"k=\either{x}{1}"),
]


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return induce(PAIRS)


def rendered(grammar: Grammar, generic: str, semantic: str) -> str:
    """What is written for a formula whose readings are those of gold."""
    forest = Reader(grammar).read(canonical(generic))
    alignment = Aligner(grammar.rules, 0, grammar.language).align(grammar.language.row(semantic), forest.root)
    assert alignment is not None
    chosen = {(id(step.row), step.position): step.match for step in alignment.steps if step.match is not None}
    ends = {(id(row), at, end) for row in forest.rows for at in range(len(row.elements)) for end in range(at + 1, 40)}
    matches: dict[tuple[int, int, int], Match] = {}
    for step in reversed(alignment.steps):
        if step.match is not None:
            for row, at, end in ends:
                if (row, at) == (id(step.row), step.position) and end >= step.match.end:
                    matches[row, at, end] = step.match
    assert len(matches) >= len(chosen)
    return Renderer(generic, matches).formula(forest.root)


def comparable(language: Language, text: str) -> str:
    return language.comparable(text).replace(" ", "")


@pytest.mark.parametrize(
    ("call", "template"),
    [
        (r"\opp{#1}", r"\mathord{{#1}^{-1}}"),
        (r"\inv{#1}", r"{#1}^{-1}"),
        (r"\lam{#1}", r"\lambda #1.\,"),
        (r"\trunc{#1}{#2}", r"\mathopen{}\left\Vert #2\right\Vert_{#1}\mathclose{}"),
        (r"\apart", r"\mathrel{\#}"),
    ],
)
def test_a_template_has_what_its_macro_prints_around_itself(grammar: Grammar, call: str, template: str) -> None:
    assert [rule.generic for rule in grammar.rules if rule.call == call and rule.count] == [template]


@pytest.mark.parametrize(
    ("generic", "semantic"),
    [
        *PAIRS,
        (r"\lambda x.\,\lambda y.\,\mathord{{x}^{-1}}", r"\lam{x}\lam{y}\opp{x}"),
        (
            r"\mathopen{}\left\Vert A\right\Vert_{0}\mathclose{}"
            r"\simeq\mathopen{}\left\Vert B\right\Vert_{1}\mathclose{}",
            r"\eqv{\trunc{0}{A}}{\trunc{1}{B}}",
        ),
        (r"\mathord{{\mathord{{p}^{-1}}}^{-1}}", r"\opp{\opp{p}}"),
        (r"{\mathord{{p}^{-1}}}^{-1}", r"\inv{\opp{p}}"),
        (r"\frac{\mathord{{p}^{-1}}}{2}\,+1", r"\frac{\opp{p}}{2}\,+1"),
    ],
)
def test_a_call_takes_what_it_printed_with_it_and_nothing_else(grammar: Grammar, generic: str, semantic: str) -> None:
    written = rendered(grammar, generic, semantic)
    assert comparable(grammar.language, written) == comparable(grammar.language, semantic)


def test_what_a_macro_does_not_print_stays(grammar: Grammar) -> None:
    assert rendered(grammar, r"\lambda x.\quad f", r"\lam{x} f") == r"\lam{x}\quad f"
    assert rendered(grammar, r"\mathbin{{p}^{-1}}", r"\opp{p}") == r"\mathbin{\opp{p}}"


def test_the_scorer_sees_which_of_two_macros_prints_the_source(grammar: Grammar) -> None:
    def levels(source: str) -> dict[str, int]:
        forest = Reader(grammar).read(canonical(source))
        matches = forest.places[id(forest.root)][0]
        return {match.rule.name: print_level(match, source, with_frame=True) for match in matches}

    wrapped, bare = levels(r"\mathord{{p}^{-1}}"), levels(r"{p}^{-1}")
    assert wrapped[r"\opp"] == EXACT > wrapped[r"\inv"]
    assert bare[r"\inv"] == EXACT > bare[r"\opp"]


@pytest.mark.parametrize(
    ("source", "call", "level"),
    [
        (r"A\simeq B", r"\eqv{#1}{#2}", EXACT),
        (r"A \simeq B", r"\eqv{#1}{#2}", BRACES),  # the macro prints no space there
        ("{p}^{-1}", r"\inv{#1}", EXACT),
        ("p^{-1}", r"\inv{#1}", FENCES),  # the macro prints braces
        (r"\mathord{{p}^{-1}}", r"\inv{#1}", FENCES),  # another macro prints what is around it
        (r"\mathord{{p(q)}^{-1}}", r"\opp{#1}", EXACT),
        (r"\mathopen{}\left\Vert\lambda\right\Vert_{n}\mathclose{}", r"\trunc{#1}{#2}", EXACT),
        # what another macro prints around itself belongs to the argument that it stands in
        (r"\mathopen{}\left\Vert A\right\Vert_{n}\mathclose{}\simeq B", r"\eqv{#1}{#2}", EXACT),
        (r"A\simeq\mathopen{}\left\Vert B\right\Vert_{n}\mathclose{}", r"\eqv{#1}{#2}", EXACT),
        (r"\mathopen{}\left\Vert A\right\Vert_{n}\mathclose{} \simeq B", r"\eqv{#1}{#2}", BRACES),
    ],
)
def test_spaces_and_braces_tell_whether_a_macro_was_used(grammar: Grammar, source: str, call: str, level: int) -> None:
    forest = Reader(grammar).read(canonical(source))
    found = [match for match in forest.places[id(forest.root)][0] if match.rule.call == call]
    assert max(print_level(match, source, with_frame=True) for match in found) == level


def test_calls_with_empty_arguments_do_not_rival_what_pairs_use() -> None:
    pairs = [
        ("A\\simeq B", r"\eqv{A}{B}"),
        ("C\\simeq D", r"\eqv{C}{D}"),
        ("\\simeq x", r"\eqvsym x"),
        ("a_{}", r"\rec{}"),
    ]
    grammar = induce([*pairs, ("a_{n}", r"\rec{n}"), ("y\\simeq", r"y\eqvsym")])
    forest = Reader(grammar).read(canonical(r"\simeq z"))
    assert {match.rule.call for match in forest.places[id(forest.root)][0]} == {r"\eqvsym"}


def test_frames_are_found_between_the_neighbours_only() -> None:
    source = r"a\,\mathord{\!x}b\,{c}"
    row = canonical(source)
    assert around(source, row, 1, 2) == (r"\,\mathord{\!", "}")
    assert frame(r"\mathord{\! #1}") == (r"\mathord{\!", "}")
    assert framed(source, row, 1, 2, r"\mathord{\!#1}") == (3, 16)
    assert framed(source, row, 1, 2, r"\mathbin{\!#1}") is None
    assert framed(source, row, 1, 2, "#1") is None
    assert framed(r"\frac{x}{y}", canonical(r"\frac{x}{y}").elements[0].rows[0], 0, 1, "{#1}") is None
    assert framed(r"x\quadrant", canonical(r"x\quadrant"), 0, 1, r"#1\quad") is None
