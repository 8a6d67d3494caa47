"""All readings of a formula are found, and none that its writer cannot have meant.

What is read with all rules at once is what each rule reads alone, so no rule keeps another from being found.
"""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from texlift.grammar import readings
from texlift.grammar.grammar import Grammar
from texlift.grammar.match import Match
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Forest, Reader, identity
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row, canonical
from texlift.latex.slicing import cut

FORMULAE = [
    r"\frac{d^{2}w}{dz^{2}}+\frac{\partial f}{\partial x}",
    r"J_{\nu}^{2}(\sin x)Y_{k}'(\ln\ln x)+H^{(1)}_{\nu}(z)",
    r"{n\choose k}P_{k}(x)|z|^{k}\sim K(k)E(k)+\gamma",
    r"\left(a\right)_{n}\operatorname{sn}(u+v,k)\int_{0}^{x}e^{-t}dt",
    r"{}_{2}F_{1}(a,b;c;z)+A^{\mathrm{T}}\mathbf{B}^{\mathrm{T}}",
    r"\sqrt{\Gamma(z)}x^{\zeta(s)}_{\Gamma(a)}",
    r"sin x+{\rm erf}(x)+\mathrm{Ai}(x)+\operatorname{Ci}(x)",
    r"\lfloor x\rfloor+\overline{z}+\begin{pmatrix}\pi&i\end{pmatrix}",
    r"\Re z+\Im\Gamma(z)+\theta_{3}(z,q)+\wp(z)+B_{n}(x)",
    r"(n\mid p)+a\times b+f\sim g+\mathbb{R}+x\equiv y",
]
Told = tuple[str, str, int, int, tuple[tuple[int, str], ...], tuple[int, ...], tuple[int, ...]]


def told(match: Match) -> Told:
    """A reading without the objects it is made of: rule, extent, what is in the holes, scripts."""
    holes = tuple(sorted((hole, span.key) for hole, span in match.holes.items()))
    return match.rule.call, match.rule.generic, match.start, match.end, holes, match.scripts, match.trailing


def found(forest: Forest) -> set[tuple[int, int, Told]]:
    """Number of the row, position and reading, of all readings."""
    return {
        (number, position, told(match))
        for number, row in enumerate(forest.rows)
        for position, matches in enumerate(forest.places[id(row)])
        for match in matches
    }


def used_rules() -> list[Rule]:
    """Rules that pairs use often, of macros in which no other rule of the macro has a say about scripts."""
    return [
        rule for rule in packaged_grammar().rules if rule.count > 12 and "^" not in rule.generic.partition(r"\left")[0]
    ]


@pytest.fixture(scope="module")
def alone() -> list[Reader]:
    inside = packaged_grammar().inside
    return [Reader(Grammar([rule], inside)) for rule in used_rules()]


@pytest.fixture(scope="module")
def together() -> Reader:
    return Reader(Grammar(used_rules(), packaged_grammar().inside))


@pytest.mark.parametrize("latex", FORMULAE)
def test_all_rules_at_once_read_what_each_reads_alone(alone: list[Reader], together: Reader, latex: str) -> None:
    root = canonical(latex)
    forest = together.read(root)
    assert not forest.capped
    each = set().union(*(found(reader.read(root)) for reader in alone))
    names = {rule.call for rule in used_rules()}
    own = {reading for reading in found(forest) if reading[2][0] in names}
    assert own == {reading for reading in each if reading[2][0] in names}
    assert own


def reader(*rules: Rule, inside: str = "xn") -> Reader:
    return Reader(Grammar(rules, frozenset(inside)))


def read(reading: Reader, latex: str) -> list[list[str]]:
    """The calls that may start at each element of the outermost row."""
    row = canonical(latex)
    return [[match.rule.call for match in place] for place in reading.read(row).places[id(row)]]


def arguments(reading: Reader, latex: str) -> list[list[str]]:
    """What is in the holes of each reading of the outermost row."""
    row = canonical(latex)
    return [
        [cut(latex, span.row, span.start, span.end).strip() for _, span in sorted(match.holes.items())]
        for place in reading.read(row).places[id(row)]
        for match in place
    ]


GAMMA = Rule(r"\EulerGamma#'@{#1}", r"\Gamma#'\left(#1\right)", 9)
NAME = Rule(r"\EulerGamma", r"\Gamma", 9)
TRANSPOSE = Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", 2, 1)
SINE = Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", 9, 2)


def test_a_formula_with_nothing_to_decide() -> None:
    reading = reader(GAMMA, TRANSPOSE)
    for latex in ("x+y", r"\Gamma", "A^{2}", "", r"\sqrt{\frac{a}{b}}"):
        forest = reading.read(canonical(latex))
        assert not forest.ambiguous
        assert {id(row) for row in forest.rows} == forest.quiet
    for latex in (r"\Gamma(z)", r"\sqrt{\frac{a}{\Gamma(z)}}", r"x_{\Gamma(z)}", r"\Gamma(\Gamma(z))"):
        forest = reading.read(canonical(latex))
        assert forest.ambiguous
        assert not forest.capped


def test_only_rows_without_readings_in_or_below_them_are_quiet() -> None:
    root = canonical(r"\frac{a}{\Gamma(x)}+\sqrt{y}")
    forest = reader(GAMMA).read(root)
    above, below = root.elements[0].rows
    argument = below.elements[1].rows[0]
    under_the_root = root.elements[2].rows[0]
    assert forest.quiet == {id(above), id(argument), id(under_the_root)}
    assert {id(row) for row in forest.rows} == {id(row) for row in (root, above, below, argument, under_the_root)}
    assert forest.labels == {r"\frac", "a", r"\Gamma", "( )", "x", "+", r"\sqrt", "y"}


def test_scripts_are_no_places_of_their_own() -> None:
    assert read(reader(TRANSPOSE), r"{A^{2}}^{\mathrm{T}}") == [[r"\transpose{#1}"], [], []]
    assert read(reader(Rule(r"\Prime", "x'", 1), Rule(r"\X", "x", 1)), "x'+x'") == [
        [r"\Prime", r"\X"],
        [],
        [],
        [r"\Prime", r"\X"],
        [],
    ]


def test_what_must_stand_around_a_symbol() -> None:
    reading = reader(
        Rule(r"\One{#1}", "W_{#1}", 1),
        Rule(r"\Two@{#1}", r"W\left(#1\right)", 1),
        Rule(r"\Three@{#1}", r"W\left[#1\right]", 1),
        Rule(r"\Four", r"\frac{W}{V}", 1),
        Rule(r"\Five{#1}", r"\frac{#1}{V}", 1),
        Rule(r"\Six{#1}", r"W^{#1}", 1),
    )
    assert read(reading, "W") == [[]]
    assert read(reading, "W_{n}")[0] == [r"\One{#1}"]
    assert read(reading, "W(n)")[0] == [r"\Two@{#1}"]
    assert read(reading, "W[n]")[0] == [r"\Three@{#1}"]
    assert read(reading, "W+(n)")[0] == []
    assert read(reading, "W_{n}^{x}")[0] == [r"\One{#1}", r"\Six{#1}"]
    assert read(reading, "W_{n}'")[0] == [r"\One{#1}"]
    assert read(reading, "W^{x}")[0] == [r"\Six{#1}"]
    assert sorted(read(reading, r"\frac{W}{V}")[0]) == [r"\Five{#1}", r"\Four"]
    assert read(reading, r"\frac{x}{V}")[0] == [r"\Five{#1}"]
    assert read(reading, r"\frac{W}{U}")[0] == []


def test_words_written_as_letters_or_as_one() -> None:
    reading = reader(
        Rule(r"\erf#'@@{#1}", r"{\operatorname{erf}#'}#1", 9, 2), Rule(r"\Ei@{#1}", r"\mathrm{Ei}\left(#1\right)", 1)
    )
    for latex in (r"\operatorname{erf}x", r"\mathrm{erf}x", "erf x", r"{\rm erf}x"):
        assert [call for place in read(reading, latex) for call in place] == [r"\erf#'@@{#1}"]
    for latex in (r"\mathrm{Ei}(x)", "Ei(x)"):
        assert [call for place in read(reading, latex) for call in place] == [r"\Ei@{#1}"]
    assert not any(read(reading, "e+r+f x"))


def test_arguments_behind_and_before_their_sign() -> None:
    assert arguments(reader(TRANSPOSE), r"B+A_{1}^{\mathrm{T}}") == [["A_{1}"]]
    assert arguments(reader(TRANSPOSE), r"(A+B)^{\mathrm{T}}") == [["(A+B)"]]
    assert not any(read(reader(TRANSPOSE), r"A^{\mathrm{S}}"))
    assert arguments(reader(Rule(r"\Inverse{#1}", "#1^{-1}", 2, 1)), "B+A^{-1}") == [["A"]]
    assert arguments(reader(Rule(r"\Factorial{#1}", "#1!", 2, 1)), "n!") == [["n"]]
    assert arguments(reader(Rule(r"\Modulo{#1}{#2}", r"#1\bmod#2", 2, 1)), r"n\bmod x") == [["n", "x"]]
    assert not any(read(reader(TRANSPOSE), r"\mathrm{T}A^{2}"))
    assert arguments(reader(SINE), r"\sin xnx") == [["x"], ["xn"], ["xnx"]]
    assert arguments(reader(SINE), r"\sin^{2}(x+1)") == [["(x+1)"]]


def test_an_argument_is_hardly_longer_than_any_seen() -> None:
    """One symbol longer, and two symbols in any case."""
    for seen in (0, 1, 2, 4):
        rule = Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", 9, seen)
        longest = max(len(argument) for (argument,) in arguments(reader(rule), r"\sin " + "n" * 12))
        assert longest == max(seen + 1, 2)


def test_words_between_formulae_are_not_read() -> None:
    reading = reader(NAME, SINE)
    for latex, calls in (
        (r"\Gamma$ by \Gamma$\Gamma", 2),
        (r"$\Gamma$ by \Gamma$\Gamma$", 2),
        (r"\Gamma$\Gamma", 2),
        (r"\Gamma$\Gamma$", 1),
        (r"$\Gamma$", 1),
        (r"\Gamma$ \Gamma $\Gamma$ \Gamma $\Gamma", 3),
        (r"\sqrt{x}\Gamma$ by $\Gamma", 2),
    ):
        assert sum(map(len, read(reading, latex))) == calls, latex


def test_rules_that_no_pair_uses_give_way() -> None:
    """Where one that pairs use covers as much and shows as much; a longer one, or one that shows more, stays."""
    seen, short = Rule(r"\Seen@{#1}", r"W\left(#1\right)", 5), Rule(r"\Short", "W", 5)
    unseen, bare = Rule(r"\Unseen@{#1}", r"W\left(#1\right)"), Rule(r"\Bare", "W")
    assert read(reader(seen, unseen), "aW(x)")[1] == [r"\Seen@{#1}"]
    assert read(reader(unseen), "aW(x)")[1] == [r"\Unseen@{#1}"]
    assert read(reader(short, unseen), "aW(x)")[1] == [r"\Short", r"\Unseen@{#1}"]
    assert read(reader(short, bare), "aW")[1] == [r"\Short"]
    assert read(reader(seen, bare), "aW(x)")[1] == [r"\Seen@{#1}"]
    assert read(reader(short, bare), "W") == [[r"\Short", r"\Bare"]]
    assert read(reader(seen, unseen), "W(x)")[0] == [r"\Seen@{#1}"]
    assert read(reader(short, bare), "W+1")[0] == [r"\Short"]
    assert read(reader(bare, unseen), "aW(x)")[1] == [r"\Bare", r"\Unseen@{#1}"]


def test_a_used_rule_that_leaves_scripts_over_displaces_none() -> None:
    powers = Rule(r"\Seen#'@{#1}", r"W#'\left(#1\right)", 5)
    exact = Rule(r"\Square@{#1}", r"W^{2}\left(#1\right)")
    assert sorted(read(reader(powers, exact), "aW^{2}(x)")[1]) == [r"\Seen#'@{#1}", r"\Square@{#1}"]
    assert read(reader(powers, Rule(r"\Other@{#1}", r"W\left(#1\right)")), "aW(x)")[1] == [r"\Seen#'@{#1}"]
    behind = Rule(r"\Behind@{#1}", r"W\left(#1\right)^{2}")
    assert sorted(read(reader(powers, behind), "aW(x)^{2}")[1]) == [r"\Behind@{#1}", r"\Seen#'@{#1}"]


def test_a_superscript_is_no_power_where_the_function_has_a_parameter() -> None:
    with_parameter = Rule(r"\Poly[#1]{#2}#'@{#3}", r"L^{(#1)}_{#2}#'\left(#3\right)", 9)
    without = Rule(r"\Poly[]{#1}#'@{#2}", r"L_{#1}#'\left(#2\right)", 9)
    head = Rule(r"\Poly[]{#1}", "L_{#1}", 9)
    reading = reader(with_parameter, without, head)
    assert read(reading, r"L_{n}^{2}(x)")[0] == []
    assert read(reading, "L_{n}(x)^{2}")[0] == [r"\Poly[]{#1}"]
    assert read(reading, "L_{n}'(x)")[0] == [r"\Poly[]{#1}#'@{#2}", r"\Poly[]{#1}"]
    assert read(reading, "L_{n}^{(a)}(x)")[0] == [r"\Poly[#1]{#2}#'@{#3}"]
    assert read(reader(without), "L_{n}^{2}(x)")[0] == [r"\Poly[]{#1}#'@{#2}"]
    assert read(reading, r"{L^{(a)}_{n}}^{2}(x)")[0] == [r"\Poly[#1]{#2}#'@{#3}"]
    name = Rule(r"\Name{#1}", "M^{#1}", 9)  # says nothing about the function's arguments
    assert r"\Name{}#'@{#1}" in read(reader(name, Rule(r"\Name{}#'@{#1}", r"M#'\left(#1\right)", 9)), "M^{2}(x)")[0]


def test_no_parameter_is_invented() -> None:
    """`Li(x)` has no order: a call with an empty one is read only where pairs have it."""
    ordered = Rule(r"\Poly{#1}@{#2}", r"\mathrm{Li}_{#1}\left(#2\right)", 5)
    empty = Rule(r"\Poly{}@{#1}", r"\mathrm{Li}\left(#1\right)")
    assert not any(read(reader(ordered, empty), r"\mathrm{Li}(x)"))
    used = Rule(r"\Poly{}@{#1}", r"\mathrm{Li}\left(#1\right)", 2)
    assert read(reader(ordered, used), r"\mathrm{Li}(x)")[0] == [r"\Poly{}@{#1}"]
    name = Rule(r"\Poly{}", r"\mathrm{Li}")
    assert read(reader(ordered, name), r"\mathrm{Li}")[0] == [r"\Poly{}"]
    elsewhere = Rule(r"\Poly{}", r"\mathrm{Li}", 2)
    assert r"\Poly{}@{#1}" in read(reader(ordered, elsewhere, empty), r"\mathrm{Li}(x)")[0]


def test_within_a_span_only_what_fits() -> None:
    rules = (Rule(r"\J{#1}@{#2}", r"J_{#1}\left(#2\right)", 9), Rule(r"\J{#1}", "J_{#1}", 3), Rule(r"\Jay", "J", 3))
    row = canonical("J_{n}(z)w")
    forest = reader(*rules).read(row)
    short = {r"\J{#1}", r"\Jay"}
    for end, calls in ((4, {r"\J{#1}@{#2}", *short}), (3, {r"\J{#1}@{#2}", *short}), (2, short), (1, {r"\Jay"})):
        assert {match.rule.call for match in forest.at(row, 0, end)} == calls
    assert all(match.end <= 3 for match in forest.at(row, 0, 3))


def test_a_span_may_end_before_the_scripts_of_a_symbol() -> None:
    """The differential of `\\mathrm{d}A^{2}` has the argument A, which is a name of its own there."""
    rules = (Rule(r"\Mat", "A", 9), Rule(r"\Square", "A^{2}", 9), Rule(r"\Two@{#1}", r"A\left(#1\right)", 1))
    row = canonical(r"A^{2}+A(x)^{2}")
    forest = reader(*rules).read(row)
    assert [match.rule.call for match in forest.at(row, 0, 1)] == [r"\Mat"]
    (cut_short,) = forest.at(row, 0, 1)
    assert (cut_short.end, cut_short.scripts, cut_short.trailing) == (1, (), ())
    again = forest.at(row, 0, 1)
    assert [identity(match) for match in again] == [identity(cut_short)]
    assert [match.rule.call for match in forest.at(row, 3, 5)] == [r"\Mat", r"\Two@{#1}"]
    assert len({identity(match) for match in forest.at(row, 3, 5)}) == len(forest.at(row, 3, 5))


def test_readings_of_one_place_are_all_different() -> None:
    forest = Reader(packaged_grammar()).read(canonical(FORMULAE[1]))
    for row in forest.rows:
        for place in forest.places[id(row)]:
            assert len({identity(match) for match in place}) == len(place)


def names(count: int) -> list[str]:
    return [rf"\m{first}{second}" for first in ascii_lowercase for second in ascii_lowercase][:count]


def test_readings_of_a_place() -> None:
    most = readings.MAX_READINGS
    row = canonical("x+W")
    for count, capped in ((most, False), (most + 1, True)):
        forest = Reader(Grammar([Rule(name, "W", 1) for name in names(count)])).read(row)
        assert len(forest.places[id(row)][2]) == most
        assert forest.capped == capped


def test_readings_of_a_formula() -> None:
    """Fifty readings of each W, one of V; each counts once."""
    most, each = readings.MAX_SIZE, 50
    assert most % each == 0
    many = Reader(Grammar([*(Rule(name, "W", 1) for name in names(each)), Rule(r"\other", "V", 1)]))
    full = "W" * (most // each)
    for formula, capped in ((full, False), (full + "V", True)):
        assert many.read(canonical(formula)).capped == capped
    row = canonical(full + "VV")
    places = many.read(row).places[id(row)]
    assert [len(matches) for matches in places[-3:]] == [each, 1, 0]  # the last is not looked at any more


def test_what_a_reading_holds_counts() -> None:
    """Four readings of a call, each counted with the length of what is in its parentheses."""
    most, inside = readings.MAX_SIZE, 299
    rules = [Rule(rf"{name}@{{#1}}", r"W\left(#1\right)", 1) for name in names(4)]
    many = Reader(Grammar([*rules, Rule(r"\other", "V", 1)]))
    assert most % (4 * (inside + 1)) == 0
    formula = f"W({'x' * inside})" * (most // (4 * (inside + 1)))
    assert not many.read(canonical(formula)).capped
    assert many.read(canonical(formula + "V")).capped


def test_what_a_reading_without_brackets_holds_counts() -> None:
    """Ten readings of a sine, each with one symbol behind it."""
    most, each = readings.MAX_SIZE, 10
    rules = [Rule(rf"{name}@@{{#1}}", r"\sin#1", 1, 1) for name in names(each)]
    many = Reader(Grammar([*rules, Rule(r"\other", "V", 1)]))
    formula = r"\sin x+" * (most // (2 * each))
    assert not many.read(canonical(formula)).capped
    assert many.read(canonical(formula + "V")).capped


def test_readings_of_a_place_before_a_script() -> None:
    most = readings.MAX_READINGS
    row = canonical("W^{2}")
    forest = Reader(Grammar([Rule(name, "W", 1) for name in names(most + 1)])).read(row)
    assert len(forest.at(row, 0, 1)) == most


def rows_below(row: Row) -> list[Row]:
    return [row, *(below for element in row.elements for child in element.rows for below in rows_below(child))]


@pytest.mark.parametrize("latex", FORMULAE)
def test_every_row_is_read(together: Reader, latex: str) -> None:
    root = canonical(latex)
    forest = together.read(root)
    assert [id(row) for row in forest.rows] == [id(row) for row in rows_below(root)]
    assert set(forest.places) == {id(row) for row in forest.rows}
    assert forest.labels == {element.label for row in forest.rows for element in row.elements}
