"""Formulae as sequences of tokens: vocabulary, and numbers behind placeholders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from texlift.latex.lexer import tokenize
from texlift_paper.network.vocabulary import Vocabulary

__all__ = ["Numbers", "latex_of", "token_vocabulary", "tokens_of"]

_PLACEHOLDERS = 20  # numbers of a formula that get one; the others stay digits
_DIGITS = frozenset(".0123456789")
_NUMBER = re.compile(r"\d(?:\.?\d)+")
_HIDDEN = re.compile(r"<number_(\d+)>")
_COMMAND = re.compile(r"\\[A-Za-z]+")


@lru_cache(maxsize=200_000)
def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a formula, without spaces; a number is one token a digit."""
    return tuple(tokenize(text).texts)


def latex_of(tokens: Sequence[str]) -> str:
    """Tokens as LaTeX: a letter behind a command is kept apart from it."""
    pieces: list[str] = []
    for token in tokens:
        if pieces and token[:1].isalpha() and _COMMAND.fullmatch(pieces[-1]):
            pieces.append(" ")
        pieces.append(token)
    return "".join(pieces)


def token_vocabulary(sequences: Iterable[Sequence[str]], at_least: int = 2) -> Vocabulary:
    """A vocabulary of tokens, the most frequent first; ZERO begins a sequence and fills it up, END ends it."""
    counts = Counter(token for tokens in sequences for token in tokens)
    kept = sorted((token for token, count in counts.items() if count >= at_least), key=lambda token: -counts[token])
    return Vocabulary(["", "<END>", "<UNKNOWN>", *kept])


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a source formula with two digits or more, in the order in which they occur first.

    They can be hidden behind `<number_1>`, `<number_2>` in both sides of a pair and be put back into an answer, so that
    a network need not learn to copy digit by digit.
    """

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Numbers:
        """Those of the tokens of a source."""
        found = dict.fromkeys("".join(piece) for piece in _pieces(tokens) if len(piece) > 1)
        return cls(tuple(found)[:_PLACEHOLDERS])

    def hide(self, tokens: Sequence[str]) -> list[str]:
        """Tokens with placeholders for the numbers of the source; other numbers stay as they are."""
        hidden: list[str] = []
        for piece in _pieces(tokens):
            number = "".join(piece)
            if len(piece) > 1 and number in self.texts:
                hidden.append(f"<number_{self.texts.index(number) + 1}>")
            else:
                hidden += piece
        return hidden

    def show(self, tokens: Sequence[str]) -> list[str]:
        """The way back; a placeholder of a number that the source does not have stays."""
        shown: list[str] = []
        for token in tokens:
            match = _HIDDEN.fullmatch(token)
            place = int(match[1]) if match else 0
            shown += self.texts[place - 1] if 0 < place <= len(self.texts) else [token]
        return shown


def _pieces(tokens: Sequence[str]) -> Iterable[list[str]]:
    """The tokens one by one, but those of a number together."""
    # one character a token, so that places in the text are places in the sequence
    text = "".join(token if token in _DIGITS else " " for token in tokens)
    at = 0
    for match in _NUMBER.finditer(text):
        yield from ([token] for token in tokens[at : match.start()])
        yield list(tokens[match.start() : match.end()])
        at = match.end()
    yield from ([token] for token in tokens[at:])
