r"""What the Speech Rule Engine says of formulae, without and with texlift's MathML, beside texlift's own words.

    npm install --prefix build/sre speech-rule-engine@4.1.5
    NODE_PATH=build/sre/node_modules python tools/speech.py --seed 1 > docs/speech.md

100 formulae are drawn from the DLMF's pairs and 100 from the articles in $TEXLIFT_DATA, at random. The rules below
judge those of the DLMF by its editors' semantic LaTeX, not by texlift's reading. Articles have no such key: they are
counted and shown, not judged.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from texlift.documents.document import read_document
from texlift.documents.mathml import render
from texlift.errors import TexliftError
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Expression, Indexed, Symbol, Unknown, walk
from texlift.targets import convert
from texlift.targets.words.spelling import name_words
from texlift.translate.translator import load

EACH = 100
SHOWN = 20
_GREEK = frozenset({"beta", "gamma", "zeta", "eta", "theta", "lambda", "mu", "pi", "sigma", "phi", "psi", "omega"})
_SMALL = frozenset({"function", "of", "the", "or", "a", "an", "by", "for", "in", "and"})
_CAPITALS = re.compile(r"\b(?:capital|cap|upper)\b ?")


@dataclass(frozen=True)
class Case:
    """A formula with what is said of it; `key` is the editors' semantic LaTeX, empty for articles."""

    latex: str
    key: str
    plain: str
    meant: str
    words: str
    understood: bool


def plain(text: str) -> str:
    """Speech in small letters, without the words for capitals and without punctuation."""
    return " ".join(_CAPITALS.sub("", re.sub(r"[^\w' -]", " ", text.lower())).split())


def _singular(word: str) -> str:
    return word[:-1] if word in ("functions", "polynomials", "numbers", "integrals", "zeros", "roots") else word


# -- the rules: each gives what it applies to in a formula, and a test of the speech -------------------------


def names(tree: list[Expression]) -> Iterator[Callable[[str], bool]]:
    """The name of each function is spoken, all its words; for a Greek letter (gamma) also the word function."""
    for node in tree:
        macro = (
            lexicon().lookup(node.head.removesuffix("[]")) if isinstance(node, Apply) and node.head[0] == "\\" else None
        )
        if macro is None or not macro.variables:
            continue
        main = macro.meaning.partition(",")[0]
        choices = [re.sub(r"\(.*?\)", "", main), *re.findall(r"\((?:or )?([^)]*)\)", main)]
        sets = []
        for choice in choices:
            kept = [word for word in choice.split() if "_" not in word and not word.endswith(("'s", "s'"))]
            parts = {_singular(word) for word in plain(" ".join(kept)).split()} - _SMALL
            sets.append(parts | {"function"} if parts and parts <= _GREEK else parts)
        yield lambda said, sets=sets: any(parts <= set(said.split()) for parts in sets)


def products(tree: list[Expression]) -> Iterator[Callable[[str], bool]]:
    """A letter that is multiplied with a sum is not said to be a function `of` it."""
    functions = {n.function.name for n in tree if isinstance(n, Unknown) and isinstance(n.function, Symbol)}
    for node in tree:
        if not isinstance(node, Apply) or node.head != "times":
            continue
        for left, right in zip(node.arguments, node.arguments[1:], strict=False):
            summed = isinstance(right, Apply) and right.head in ("plus", "negate")
            if isinstance(left, Symbol) and left.name not in functions and summed:
                letter = plain(name_words(left.name))
                yield lambda said, letter=letter: not re.search(rf"\b{re.escape(letter)} of\b", said)


def applications(tree: list[Expression]) -> Iterator[Callable[[str], bool]]:
    """A function without a name of its own, f(x), is said to be `of` its argument."""
    for node in tree:
        written = isinstance(node, Unknown) and node.span != node.function.span and node.order is None
        if written and isinstance(node.function, Symbol):  # type: ignore[union-attr]
            letter = plain(name_words(node.function.name))  # type: ignore[union-attr]
            yield lambda said, letter=letter: bool(re.search(rf"\b{re.escape(letter)} of\b", said))


def orders(tree: list[Expression]) -> Iterator[Callable[[str], bool]]:
    """An order, degree or other parameter that is written as an index is not said to be a `sub`."""
    for node in tree:
        macro = lexicon().lookup(node.head) if isinstance(node, Apply) and node.head[0] == "\\" else None
        if macro is None or not macro.variables or "_{#1}" not in macro.generic_form or not macro.parameters:
            continue
        first = node.arguments[0]  # type: ignore[union-attr]
        below = rf"_\{{?{re.escape(getattr(first, 'name', ''))}\b"
        index = any(isinstance(other, Indexed) and first in other.indices for other in tree)
        named = any(re.search(below, other.name) for other in tree if isinstance(other, Symbol))
        if isinstance(first, Symbol) and not index and not named:  # it is no index of something else
            letter = plain(name_words(first.name))
            yield lambda said, letter=letter: not re.search(rf"\bsub(?:script)? {re.escape(letter)}\b", said)


RULES = {
    "the function's name is spoken": names,
    "a product with a sum is not “of”": products,
    "f(x) is “f of x”": applications,
    "an order or degree is not “sub”": orders,
}


# -- material -------------------------------------------------------------------------------------------


def drawn(folder: Path, seed: int) -> list[tuple[str, object, str]]:
    """Formulae with their context and key."""
    choose = random.Random(seed)
    with (folder / "dlmf.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found: list[tuple[str, object, str]] = [
        (row["generic"], row["context"], row["semantic"]) for row in choose.sample(rows, EACH)
    ]
    articles = sorted((folder / "texts").rglob("*.tex"))
    while len(found) < 2 * EACH:
        formulae = read_document(choose.choice(articles)).formulae
        if formulae:
            one = choose.choice(formulae)
            found.append((one.latex.replace("&", " "), one.context, ""))
    return found


def spoken(lines: list[str]) -> list[str]:
    """What the engine says of each line of MathML."""
    script = Path(__file__).with_name("speech.js")
    text = "\n".join(re.sub(r"\s*\n\s*", " ", line) for line in lines)
    done = subprocess.run(["node", str(script)], input=text, capture_output=True, text=True, check=True)
    said = done.stdout.splitlines()
    if len(said) != len(lines):
        raise SystemExit(f"{len(lines)} formulae, but {len(said)} lines of speech:\n{done.stderr[:500]}")
    return said


def cases(folder: Path, seed: int) -> list[Case]:
    """All formulae with all that is said of them."""
    asked = drawn(folder, seed)
    answers = load().translate_many([(latex, context) for latex, context, _ in asked], bare=True)  # type: ignore[misc]
    without, given, words, understood = [], [], [], []
    for (latex, _, _), answer in zip(asked, answers, strict=True):
        without.append(render(latex, False))
        semantic = getattr(answer, "semantic", latex)
        try:
            given.append(convert(semantic, "intent").code)
            understood.append(True)
        except TexliftError:
            given.append(without[-1])
            understood.append(False)
        try:
            words.append(convert(semantic, "words").code)
        except TexliftError:
            words.append("")
    said, meant = spoken(without), spoken(given)
    return [
        Case(latex, key, *texts)
        for (latex, _, key), *texts in zip(asked, said, meant, words, understood, strict=True)  # type: ignore[arg-type]
    ]


def judged(case: Case) -> dict[str, tuple[bool, bool, bool]]:
    """For each rule that applies: whether the three speeches keep it at every place."""
    try:
        nodes = [node for statement in read(case.key).statements for node in walk(statement)]
        tree = [n for n in nodes if not isinstance(n, Apply) or n.head[0] != "\\" or n.head.strip("[]") in case.key]
    except TexliftError:
        return {}
    found: dict[str, tuple[bool, bool, bool]] = {}
    for rule, places in RULES.items():
        tests = list(places(tree))
        if tests:
            texts = [plain(text) for text in (case.plain, case.meant, case.words)]
            kept = [all(test(text) for test in tests) for text in texts]
            found[rule] = (kept[0], kept[1], kept[2])
    return found


# -- the page -------------------------------------------------------------------------------------------


_HOW = """# What a speech engine says

The Speech Rule Engine ({engine}, ClearSpeak) was given {count} formulae: {each} of the DLMF and {each} of articles,
drawn at random. Once as plain MathML made from the LaTeX, once as texlift's MathML (`--to intent`, after
`texlift translate`). Beside it stand texlift's own words (`--to words`).

```sh
npm install --prefix build/sre speech-rule-engine@{engine}
NODE_PATH=build/sre/node_modules python tools/speech.py --seed {seed} > docs/speech.md
```

**The engine does not read `intent`**, neither in this version nor in 5.0.0-rc.4. What it takes from texlift are the
invisible signs for products and applications and the grouping. So it knows no names of functions, with or without
texlift: {same} of {count} formulae sound the same both times. Readers that know `intent`, such as MathCAT, could not be
tried here. texlift cannot read {spelled} of the formulae; the engine got plain MathML for these.

## Judged by rules

The rules apply to those of the {each} formulae of the DLMF that have such a place. What is right comes from the
editors' semantic LaTeX. texlift's model was trained on the DLMF, and its names of functions come from the lexicon that
the first rule uses: read its column as a check that nothing is lost, not as a comparison of equals.

Rules and names were adjusted on the draw with seed 1 (texlift's words kept all rules in 44 of 50 formulae before that,
in 49 of 50 after; the engine in 16 of 50 both times). The figures here are those of the first draw after that.

| rule | formulae | engine alone | engine with texlift's MathML | texlift's words |
|---|---|---|---|---|
"""


def page(found: list[Case], seed: int, engine: str) -> Iterator[str]:
    """The page of the documentation."""
    verdicts = [judged(case) for case in found if case.key]
    yield _HOW.format(
        engine=engine,
        seed=seed,
        each=EACH,
        count=len(found),
        same=sum(case.plain == case.meant for case in found),
        spelled=sum(not case.understood for case in found),
    )
    for rule in RULES:
        yield _line(rule, [verdict[rule] for verdict in verdicts if rule in verdict])
    yield _line("all that apply", [_all(verdict) for verdict in verdicts if verdict])
    yield f"\n## {SHOWN} of them\n\nDrawn with the same seed from all {len(found)}; nothing was picked.\n\n"
    for case in random.Random(seed).sample(found, SHOWN):
        yield f"`` {' '.join(case.latex.split())} ``\n\n"
        yield f"- engine alone: {_shown(case.plain)}\n"
        if case.meant != case.plain:
            yield f"- engine with texlift's MathML: {_shown(case.meant)}\n"
        yield f"- texlift's words{'' if case.understood else ' (spelled)'}: {_shown(case.words)}\n\n"


def _line(rule: str, rows: list[tuple[bool, bool, bool]]) -> str:
    counts = " | ".join(str(sum(row[which] for row in rows)) for which in range(3))
    return f"| {rule} | {len(rows)} | {counts} |\n"


def _all(verdict: dict[str, tuple[bool, bool, bool]]) -> tuple[bool, bool, bool]:
    first, second, third = (all(kept[which] for kept in verdict.values()) for which in range(3))
    return first, second, third


def _shown(text: str) -> str:
    text = re.sub(r"([\\`*_<>\[\]{}|])", r"\\\1", text)
    return text if len(text) < 700 else f"{text[:700]} …"


def main() -> None:
    """Write the page to standard output."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--engine", default="4.1.5", help="the version that is installed, for the page")
    given = options.parse_args()
    folder = os.environ.get("TEXLIFT_DATA")
    if not folder:
        raise SystemExit("TEXLIFT_DATA names no folder with dlmf.jsonl and texts/")
    sys.stdout.writelines(page(cases(Path(folder), given.seed), given.seed, given.engine))


if __name__ == "__main__":
    main()
