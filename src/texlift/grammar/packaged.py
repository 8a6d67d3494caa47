"""The grammar that ships with texlift: induced from the DLMF's pairs, completed from the lexicon."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from importlib.resources import files

from texlift.grammar.derivation import derived
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.macros.conventions import judged_like
from texlift.macros.lexicon import lexicon

__all__ = ["completed", "is_lexicons", "packaged_grammar"]

_OWN_SHARE = 0.2  # uses of the lexicon's macros: a corpus may mix them with macros of its own


@cache
def packaged_grammar() -> Grammar:
    """The packaged grammar; it lies with the model that was trained on it."""
    text = files("texlift.translate").joinpath("model", "grammar.json").read_text("utf-8")
    return Grammar.loads(text, "packaged grammar")


def is_lexicons(grammar: Grammar) -> bool:
    """Whether the pairs that a grammar was induced from are in the lexicon's language: they use its macros.

    A grammar without rules is, too: then the lexicon is all there is.
    """
    uses = [(lexicon().lookup(rule.name) is not None, rule.count) for rule in grammar.rules]
    return sum([count for own, count in uses if own]) >= _OWN_SHARE * sum([count for _, count in uses])


def completed(grammar: Grammar) -> Grammar:
    """`grammar` with the lexicon's templates for what it has no rule for, and what follows from them.

    A grammar of another language stays as it is: the lexicon's macros would be foreign to it.
    """
    if not is_lexicons(grammar):
        return grammar
    templates = [Rule(call, generic) for macro in lexicon() if macro.lifts for call, generic in macro.templates]
    sound = [rule for rule in templates if rule.sound]
    written = {(rule.call, rule.pattern.source): rule.generic for rule in sound}
    # of ways to write the same presentation, the lexicon's: that of the DLMF
    kept = [replace(r, generic=written.get((r.call, r.pattern.source), r.generic)) for r in grammar.rules]
    merged = Grammar(kept, grammar.inside, grammar.language.completed()).merged(sound)
    every = merged.merged(derived(merged.rules))
    printed = {(rule.call, rule.pattern.source) for rule in every.rules}
    conventional = judged_like()  # notations that `Reader` adds itself
    return Grammar(
        [
            rule
            for rule in every.rules
            if rule.count or not (_single_symbol(rule) or _says_less(rule, printed) or rule.call in conventional)
        ],
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
