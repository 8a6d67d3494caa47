import pytest

from texlift.corpus.augment import COMPARATORS, PAPER_COMPARATORS, augment, split

GENERIC = r"-\tfrac{3}{2}{\pi}+\delta\leq\mathrm{ph}{((\lambda_{2}-\lambda_{1})z)}\leq\tfrac{3}{2}{\pi}-\delta"
SEMANTIC = r"-\tfrac{3}{2}{\cpi}+\delta\leq\phase{((\lambda_{2}-\lambda_{1})z)}\leq\tfrac{3}{2}{\cpi}-\delta"


def test_the_papers_example() -> None:
    assert augment(GENERIC, SEMANTIC) == [
        (r"-\tfrac{3}{2}{\pi}+\delta", r"-\tfrac{3}{2}{\cpi}+\delta"),
        (r"\mathrm{ph}{((\lambda_{2}-\lambda_{1})z)}", r"\phase{((\lambda_{2}-\lambda_{1})z)}"),
        (r"\tfrac{3}{2}{\pi}-\delta", r"\tfrac{3}{2}{\cpi}-\delta"),
        (
            r"-\tfrac{3}{2}{\pi}+\delta\leq\mathrm{ph}{((\lambda_{2}-\lambda_{1})z)}",
            r"-\tfrac{3}{2}{\cpi}+\delta\leq\phase{((\lambda_{2}-\lambda_{1})z)}",
        ),
        (
            r"\mathrm{ph}{((\lambda_{2}-\lambda_{1})z)}\leq\tfrac{3}{2}{\pi}-\delta",
            r"\phase{((\lambda_{2}-\lambda_{1})z)}\leq\tfrac{3}{2}{\cpi}-\delta",
        ),
        (GENERIC, SEMANTIC),
    ]


def test_long_chains_give_runs_of_three_and_the_whole() -> None:
    parts = [generic for generic, _ in augment("a=b=c=d=e", "a=b=c=d=e")]
    assert parts == [*"abcde", "a=b", "b=c", "c=d", "d=e", "a=b=c", "b=c=d", "c=d=e", "a=b=c=d=e"]


@pytest.mark.parametrize(
    ("generic", "semantic"),
    [
        (r"f(x)\sim\sum a_{n}", r"f(x)\asympexp\sum a_{n}"),
        (r"f(x)\sim g(x)", r"f(x)\asympeq g(x)"),
        (r"x\equiv a\pmod{m}", r"x\equivmod a\pmod{m}"),
        (r"E\equiv m", r"E\defeq m"),
        (r"a\not\equiv b", r"a\not\equivmod b"),
        (r"a \lt b", "a<b"),
    ],
)
def test_comparators_that_look_alike_meet(generic: str, semantic: str) -> None:
    assert len(augment(generic, semantic)) == 3


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=0}^{n}a_{k}",
        r"P(X=x)",
        r"\left(a<b\right)",
        r"\bigl(a<b\bigr)^{2}",
        r"\begin{cases}a,&x>0\\b,&x\leq0\end{cases}",
        r"(a=b",
        "[0,1)",
    ],
)
def test_only_top_level_comparators_split(formula: str) -> None:
    assert augment(formula, formula) == [(formula, formula)]


def test_half_open_intervals_do_not_hide_the_comparator() -> None:
    assert len(augment("I=[0,1)", "I=[0,1)")) == 3


def test_sides_that_split_differently_stay_whole() -> None:
    assert augment("a=b", r"\foo{a}{b}") == [("a=b", r"\foo{a}{b}")]
    assert augment("a=b<c", "a<b=c") == [("a=b<c", "a<b=c")]
    assert augment("a=b", "a=b=c") == [("a=b", "a=b=c")]


def test_broken_sides_stay_whole() -> None:
    assert augment("{a=b", "a=b") == [("{a=b", "a=b")]


def test_empty_terms_make_no_pairs() -> None:
    assert augment("=1", "=1") == [("1", "1"), ("=1", "=1")]
    assert augment("=", "=") == [("=", "=")]
    assert augment("", "") == [("", "")]


def test_equal_parts_come_once() -> None:
    assert augment("a=a", "a=a") == [("a", "a"), ("a=a", "a=a")]


def test_every_comparator_splits() -> None:
    for comparator in COMPARATORS:
        terms, signs = split(f"a{comparator} b")
        assert (len(terms), signs) == (2, [COMPARATORS[comparator]])


def test_the_papers_own_comparators() -> None:
    both = r"a=b\leq c"
    assert len(augment(both, both)) == 6
    assert augment(both, both, PAPER_COMPARATORS) == [("a", "a"), (r"b\leq c", r"b\leq c"), (both, both)]
    for sign in ("=", r"\gt", r"\lt", r"\equiv", r"\asympeq", r"\sim", r"\rightarrow", r"\Rightarrow", r"\to"):
        assert len(augment(f"x{sign} y", f"x{sign} y", PAPER_COMPARATORS)) == 3
    for sign in (r"\approx", r"\neq", r"\asympexp", r"\propto"):
        assert len(augment(f"x{sign} y", f"x{sign} y", PAPER_COMPARATORS)) == 1
