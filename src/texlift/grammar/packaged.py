"""The grammar that ships with texlift: induced from the DLMF's pairs, completed from the lexicon."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from importlib.resources import files

from texlift.grammar.derivation import derived
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.macros.lexicon import lexicon

__all__ = ["completed", "packaged_grammar"]


@cache
def packaged_grammar() -> Grammar:
    """The packaged grammar; it lies with the model that was trained on it."""
    text = files("texlift.translate").joinpath("model", "grammar.json").read_text("utf-8")
    return Grammar.loads(text, "packaged grammar")


def completed(grammar: Grammar) -> Grammar:
    """`grammar` with the lexicon's templates for what it has no rule for, and what follows from them."""
    templates = [Rule(call, generic) for macro in lexicon() if macro.lifts for call, generic in macro.templates]
    sound = [rule for rule in templates if rule.sound]
    written = {(rule.call, rule.pattern.source): rule.generic for rule in sound}
    # of ways to write the same presentation, the lexicon's: that of the DLMF
    kept = [replace(r, generic=written.get((r.call, r.pattern.source), r.generic)) for r in grammar.rules]
    merged = Grammar(kept, grammar.inside, grammar.language.completed()).merged(sound)
    every = merged.merged(derived(merged.rules))
    printed = {(rule.call, rule.pattern.source) for rule in every.rules}
    return Grammar(
        [rule for rule in every.rules if rule.count or not (_single_symbol(rule) or _says_less(rule, printed))],
        grammar.inside,
        merged.language,
    )


def _says_less(rule: Rule, printed: Collection[tuple[str, str]]) -> bool:
    """`\\deriv[]{#1}{#2}`, which looks the same without its empty option."""
    return "[]" in rule.call and (rule.call.replace("[]", "", 1), rule.pattern.source) in printed


def _single_symbol(rule: Rule) -> bool:
    """A lone small letter that no pair reads this way: too common to offer a guess at every occurrence."""
    items = rule.pattern.items
    if len(items) != 1 or items[0].letters or items[0].scripts or items[0].rows:
        return False
    label = items[0].label
    return ":" not in label and not label.lstrip("\\")[:1].isupper()
