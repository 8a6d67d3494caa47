"""The handbook: sound pairs, none of the DLMF's, and letters that are only letters."""

from __future__ import annotations

import json
import re
from pathlib import Path

from texlift.corpus.demo import demo_pairs
from texlift.corpus.handbook import handbook_pairs
from texlift.errors import FormulaError
from texlift.grammar.expansion import expand
from texlift.latex.canonical import canonical_key
from texlift.macros.lexicon import lexicon

MARKED_CONSTANTS = re.compile(r"\\(?:cpi|expe|iunit|abs)(?![A-Za-z])")
OWN = handbook_pairs()[len(demo_pairs()) :]


def test_every_semantic_side_expands_to_its_generic_side() -> None:
    wrong = [pair.id for pair in OWN if canonical_key(expand(pair.semantic)) != canonical_key(pair.generic)]
    assert wrong == []


def test_it_has_macros_of_every_kind_and_letters_beside_them() -> None:
    used = {name for pair in OWN for name in re.findall(r"\\[A-Za-z]+", pair.semantic)}
    dlmf = {macro.name for macro in lexicon() if macro.dlmf}
    assert len(used & dlmf) > 0.85 * len(dlmf)
    assert sum(pair.trivial for pair in OWN) > 600
    assert sum(not pair.context for pair in OWN) > 1000


def test_it_keeps_to_the_conventions_it_was_written_by() -> None:
    """Constants and bars stay plain: what the DLMF does mostly, the corpus of the DLMF tells."""
    assert [pair.id for pair in OWN if MARKED_CONSTANTS.search(pair.semantic)] == []


def test_ids_differ() -> None:
    pairs = handbook_pairs()
    assert len({pair.id for pair in pairs}) == len(pairs)


def test_what_is_evaluated_on_is_left_out() -> None:
    held_out = OWN[0].generic.replace(r"\left", "").replace(r"\right", "")
    assert OWN[0] not in handbook_pairs([held_out])
    assert len(handbook_pairs([held_out])) < len(handbook_pairs())


def test_it_has_no_formula_of_the_corpus(corpus_sides: list[tuple[str, str]]) -> None:
    def key(generic: str) -> str:
        try:
            return canonical_key(generic)
        except FormulaError:
            return generic

    of_corpus = {key(generic) for generic, _ in corpus_sides}
    assert [pair.id for pair in OWN if canonical_key(pair.generic) in of_corpus] == []


def test_it_has_no_formula_of_fungrim(corpus_path: Path) -> None:
    """Fungrim's formulae are for measuring."""
    lines = (corpus_path.parent / "fungrim_dev.jsonl").read_text("utf-8").splitlines()
    measured = {canonical_key(json.loads(line)["latex"]) for line in lines}
    assert [pair.id for pair in OWN if canonical_key(pair.generic) in measured] == []
