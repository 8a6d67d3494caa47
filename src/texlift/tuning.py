"""The numbers that were tuned by hand, all of them, by name; those of the translator are saved with the model.

Everything else on the way from a formula to its answer is learnt. `texlift bench ablation` prints what each mechanism
with one of these numbers is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from texlift.errors import TexliftError

__all__ = ["READER", "ReaderTuning", "Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """Tuned numbers of the translator."""

    # scorer
    network_share: float = 0.75  # of the network's score beside the linear one's
    unscored: float = -7.0  # log-odds, beside the literal reading, of a reading cut short by the span it stands in
    # memory
    memory_counts: tuple[float, ...] = (2.0, 3.0, 6.0, 16.0)  # steps: how many formulae have the symbol
    memory_shares: tuple[float, ...] = (1e-9, 0.2, 0.5, 0.8, 1.0)  # steps: the share of them that agree
    company_steps: tuple[float, ...] = (-10.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 10.0)  # of log-likelihood ratios
    company_smoothing: float = 3.0  # formulae with the usual symbols that are added to those of a reading
    document_memory: float = 0.9  # probability from which on a decision is remembered for the rest of its document
    # languages learnt from pairs: log-odds, counted in training, see `scorer.fidelity`
    inexact: float = 0.0  # of a call that prints something else than what stands there
    braced: float = 0.0  # of a call that prints braces around itself, which stand there
    wrapped: float = 0.0  # of a call that prints spacing or a command around itself, which stands there
    # sections that a formula without titles looks like
    section_smoothing: float = 3.0  # formulae with the usual symbols that are added to those of a section
    section_temper: float = 0.5  # symbols are not independent: naive Bayes claims too much
    section_common: float = 0.4  # share of the sections from which on a symbol says nothing about them
    # priors
    caution: float = 2.0  # log-odds by which a bare letter without any context must be likelier a name
    unspoken: float = 5.0  # log-odds by which a reading that only specialists know must be likelier, unspoken of
    unspoken_argument: float = 3.4  # the same where it shows one argument, beyond what its letter alone makes likely
    unspoken_letter: float = 12.0  # the most that its letter alone makes likely: more is said by the print
    unspoken_bare: float = 6.0  # times `unspoken` for a letter without arguments
    unspoken_fences: float = 5.0  # log-odds that `\left` adds in the handbook, where macros print it, and not elsewhere
    unspoken_applied: float = 3.0  # the same for `\!\left`, which says that what stands before is applied
    unspoken_function: float = 2.6  # log-odds by which this speaks for functions that only specialists know
    # documents
    said: float = 8.0  # log-odds that a reading gains where the words beside its symbol say that it is just that
    said_alone: float = 12.0  # the same where they name one function only
    said_confidence: float = 0.97  # confidence in such a reading, times that in the least likely decision beside it
    unsaid_confidence: float = 0.94  # the most in a letter that the text speaks of somewhere, but not beside it
    document_symbol: float = 0.8  # a letter or sign whose reading is less likely on average is asserted nowhere
    # what a reader is shown
    doubtful_decision: float = 0.6  # a decision less likely is a warning
    doubtful_answer: float = 0.9  # an answer with less confidence is a warning
    settled_literal: float = 0.98  # a literal reading less likely is listed among the decisions
    faint: float = 0.001  # readings less likely are not shown

    def as_dict(self) -> dict[str, float | list[float]]:
        """The JSON form."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @staticmethod
    def of(table: Mapping[str, Any]) -> Tuning:
        """A tuning from its JSON form; what is missing has its default. TexliftError for an unknown name."""
        known = {field.name: field for field in fields(Tuning)}
        if unknown := sorted(set(table) - set(known)):
            raise TexliftError(f"unknown tuning: {', '.join(unknown)}; known are {', '.join(known)}")
        values: dict[str, Any] = {
            name: tuple(map(float, value)) if isinstance(value, (list, tuple)) else float(value)
            for name, value in table.items()
        }
        return Tuning(**values)


@dataclass(frozen=True, slots=True)
class ReaderTuning:
    """Tuned numbers of the reader of semantic LaTeX: what is a call, and what kind of thing a letter is.

    Its model of calls learnt from a handbook of functions, where nine of ten letters before a bracket are applied. In
    ordinary mathematics the rule for letters before brackets has to be outvoted: log-odds are added for what it says.
    """

    rule_applies: float = 3.0  # log-odds of an application where the rule says so
    rule_multiplies: float = -2.5  # the same where the rule says product
    rule_multiplies_needed: float = -4.5  # and a product needs its brackets: around a sum, or before a power
    doubtful_call: float = 0.9  # a call less likely is a warning
    likely_kind: float = 0.6  # a kind of a letter less likely is not shown


READER = ReaderTuning()
"""The numbers in use."""
