"""The check of one formula: read it as a claim, test that, and say what other reading would change the answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice

from texlift.errors import FormulaError
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Expression, Relation, Symbol, free_symbols
from texlift.verify.asymptotics import check_asymptotic
from texlift.verify.commuting import relies_on_commuting
from texlift.verify.conditions import unsettled
from texlift.verify.connectives import JOINED, check_joined, is_joined
from texlift.verify.convergence import divergence
from texlift.verify.declared import NotSampledError, constraints_of
from texlift.verify.doubts import doubt_about, is_condition, relates_letters
from texlift.verify.excerpt import ExcerptCheck
from texlift.verify.existence import check_existence
from texlift.verify.givens import definitions_beside, given_of
from texlift.verify.judging import Judge
from texlift.verify.letters import AMBIGUOUS, customary_definitions
from texlift.verify.logic import decided_logically
from texlift.verify.proof import proof_of
from texlift.verify.quantifiers import unquantified
from texlift.verify.recurrences import check_recurrence
from texlift.verify.setting import Setting
from texlift.verify.statement import ASYMPTOTIC, Claim, UncheckableError, claim_of
from texlift.verify.survey import Survey
from texlift.verify.symbols import primes_below, with_residue_symbols
from texlift.verify.timing import SlowError, limited
from texlift.verify.verdict import NO_POINT, TRUE, Verdict

__all__ = ["check_here", "reconsidered"]

_log = logging.getLogger(__name__)
_WITHIN_ERRORS = ("the numerical error is too large to decide", "the sides are too close to decide")
_CONDITION = "a condition on its variables, no identity"
_ROUGHLY = 0.1  # by which an approximation may be off without being refuted
_PROVING = 0.3  # share of the time for a proof
_SURE = 0.8  # probability below which a reading is uncertain
_MOST_READINGS = 2  # that are tried where the likeliest fails


def check_here(
    semantic: str,
    constraints: Sequence[str] = (),
    seconds: float = 10.0,
    symbols: Mapping[str, str] | None = None,
    seed: int = 1,
    excerpt: bool = False,
    sure: float = 1.0,
    declared: Declarations = NOTHING_DECLARED,
) -> Verdict:
    """Check in this process; `seconds` is only looked at between evaluations (see `texlift.verify.worker`).

    An `excerpt` stands in a text that may say more about its letters (see `texlift.verify.excerpt`); `sure` is the
    probability that the formula was read as it is meant, `declared` what its letters are.
    """
    quantified = unquantified(semantic)
    if quantified is not None:
        constraints = (*constraints, *quantified.conditions)
        semantic = quantified.body
    known = unsettled(symbols or {}, constraints)
    if quantified is not None and quantified.exists:
        return check_existence(semantic, constraints, known, seconds, seed)
    if not excerpt and constraints:

        def part(text: str, beside: Sequence[str]) -> Verdict:
            return check_here(text, beside, seconds / 3, symbols, seed, excerpt, sure, declared)

        if (verdict := check_recurrence(semantic, constraints, part)) is not None:
            return verdict
    try:
        if not excerpt and (verdict := _joined(semantic, constraints, known, declared, seconds, seed)) is not None:
            return verdict
        beside, constraints = definitions_beside(constraints)
        claim = claim_of(semantic, known, declared, beside, quantified is not None)
        if declared:
            constraints = (*constraints_of(declared, claim.variables), *constraints)
        if primes := primes_below(claim):
            known = {**dict.fromkeys(primes, "odd prime"), **known}
            constraints = (*constraints, *(rf"{a}\neq {b}" for a, b in combinations(primes, 2)))
    except (UncheckableError, NotSampledError) as why:
        if str(why) == ASYMPTOTIC and not excerpt:
            verdict = check_asymptotic(semantic, constraints, seconds)
            if verdict is not None:
                return verdict
        return Verdict("undecided", reason=str(why), checkable=False)
    except FormulaError as error:
        return Verdict("undecided", reason=error.message, checkable=error.code != "syntax")
    try:
        verdict = _Checker(semantic, claim, constraints, known, seconds, seed, excerpt, sure, declared).run()
    except FormulaError as error:
        reason = f"{error.message}: {error.hint}" if "runnable" in error.hint else error.message
        return Verdict("undecided", reason=reason)
    if verdict.reason == NO_POINT and constraints:
        return replace(verdict, reason=f"{NO_POINT}: {', '.join(constraints)}")
    return verdict


def _joined(
    semantic: str,
    constraints: Sequence[str],
    known: Mapping[str, str],
    declared: Declarations,
    seconds: float,
    seed: int,
) -> Verdict | None:
    """The verdict about a statement of logic or sets, or about relations that are joined; None for others."""
    reading = read(semantic, declared=declared)
    if len(reading.statements) != 1:
        return None
    statement = reading.statements[0]
    if (verdict := decided_logically(statement)) is not None:
        return verdict
    if not (isinstance(statement, Apply) and statement.head in JOINED and is_joined(statement)):
        return None
    if statement.head == "implies" and _is_simple(statement.arguments[0]):
        try:
            claim_of(semantic, known, declared)
        except UncheckableError:
            pass
        else:
            return None  # a claim with its premise
    return check_joined(semantic, statement, constraints, known, seconds, seed)


def _is_simple(premise: Expression) -> bool:
    """Whether the equations of a premise say what letters are: others have solutions that solving for one loses."""
    if isinstance(premise, Apply) and premise.head == "and":
        return all(map(_is_simple, premise.arguments))
    if not isinstance(premise, Relation) or given_of(premise) is not None:
        return True
    return all(
        operator not in ("=", "===")
        or any(
            isinstance(one, Symbol) and one.name not in free_symbols(other)
            for one, other in ((left, right), (right, left))
        )
        for operator, left, right in premise.links
    )


def reconsidered(
    verdict: Verdict,
    others: Sequence[str],
    constraints: Sequence[str],
    seconds: float,
    declared: Declarations = NOTHING_DECLARED,
) -> Verdict:
    """A refutation is withdrawn where another reading of the formula holds; the reason says which."""
    if verdict.verdict != "refuted":
        return verdict
    for other in others[:_MOST_READINGS]:
        if check_here(other, constraints, seconds / _MOST_READINGS, declared=declared).verdict in TRUE:
            reason = f"fails as it was read, but holds if it is read as {other}"
            return replace(verdict, verdict="undecided", reason=reason, certain=False)
    return verdict


def with_proof(verdict: Verdict, proof: str, semantic: str) -> Verdict:
    """The verdict of numbers about a statement that is proved: they guard against a mistake of the proof.

    A proved statement is called so only if it holds at a point at least and fails at none.
    """
    if not proof:
        return verdict
    if verdict.verdict == "refuted":
        _log.error("proved (%s) and refuted at %s: %s", proof, verdict.counterexample, semantic)
        reason = "a proof and numbers contradict each other, which is a mistake of this program"
        return replace(verdict, verdict="undecided", reason=reason, certain=False)
    if verdict.counterexample is not None or not (verdict.points or verdict.reason in _WITHIN_ERRORS):
        return verdict
    return replace(verdict, verdict="proved", reason=proof)


class _Checker:
    def __init__(
        self,
        semantic: str,
        claim: Claim,
        constraints: Sequence[str],
        known: Mapping[str, str],
        seconds: float,
        seed: int,
        excerpt: bool,
        sure: float,
        declared: Declarations = NOTHING_DECLARED,
    ) -> None:
        self.declared = declared
        self.semantic = semantic
        self.claim = claim
        self.constraints = constraints
        self.known = known
        self.seed = seed
        self.excerpt = excerpt
        self.sure = sure
        self.seconds = seconds
        self.deadline = time.process_time() + seconds
        self.customary = customary_definitions(claim, excerpt)

    def run(self) -> Verdict:
        verdict, setting = self._tested(self.claim)
        stated = verdict.verdict in TRUE and self.constraints and not self.excerpt
        if stated and (where := divergence(self.claim, setting)):
            return Verdict("undecided", reason=f"a series diverges for {where}, which the conditions allow")
        if verdict.counterexample is None:
            return self._remarked(verdict)
        if self.claim.remark and verdict.verdict not in TRUE:
            return Verdict("undecided", reason=f"fails, also with {self.claim.remark}", checkable=False)
        verdict = self._other_letters(verdict)
        if verdict.verdict in TRUE:
            return verdict
        return self._doubted(verdict, setting)

    def _remarked(self, verdict: Verdict) -> Verdict:
        """The verdict with the meaning of letters that was assumed."""
        if not self.claim.remark:
            return verdict
        reason = f"with {self.claim.remark}" + (f"; {verdict.reason}" if verdict.reason else "")
        return replace(verdict, reason=reason)

    def _tested(self, claim: Claim, definitions: Mapping[str, Expression] | None = None) -> tuple[Verdict, Setting]:
        left = max(0.1, self.deadline - time.process_time())
        share = 0.7 if definitions or not self.customary else 0.4
        setting = Setting(self.semantic, claim, self.constraints, self.known, self.seed, definitions, self.excerpt)
        proof = self._proof(claim, setting, left * _PROVING)
        left = max(0.1, self.deadline - time.process_time())
        check = (
            ExcerptCheck(setting, claim, self.known, left)
            if self.excerpt
            else Survey(setting, claim, left * share, bool(proof))
        )
        verdict = with_proof(check.run(), proof, self.semantic)
        if verdict.verdict == "undecided" and verdict.counterexample is None:
            verdict = self._equal_sides(verdict, claim, setting)
        return self._commuted(verdict, claim), setting

    def _equal_sides(self, verdict: Verdict, claim: Claim, setting: Setting) -> Verdict:
        """A strict inequality is refuted where both sides are proved to be equal."""
        for number, comparison in enumerate(claim.comparisons):
            if comparison.operator not in ("<", ">", "!="):
                continue
            proof = self._proof(replace(claim, comparisons=(replace(comparison, operator="="),)), setting, 1.0)
            judge = Judge(setting, claim)
            points = islice(setting.sampler.sweep(), 30) if setting.sampler.free else iter([{}])
            for point in points if proof else ():
                outcome = None if point is None else judge(point)
                if point is None or outcome is None or not outcome.touching:
                    continue
                decision = replace(judge.decide(number, point), holds=False, order=0)
                example, _ = judge.evidence(replace(outcome, holds=False, failure=(comparison, decision)))
                reason = f"both sides are equal: {proof}"
                return replace(verdict, verdict="refuted", counterexample=example, reason=reason, certain=True)
        return verdict

    def _commuted(self, verdict: Verdict, claim: Claim) -> Verdict:
        """What holds only because factors commute, and speaks of capitals alone, may be about matrices."""
        if verdict.verdict not in TRUE or self.excerpt or any(name in self.declared for name in claim.variables):
            return verdict
        if any(name in self.known for name in claim.variables) or not relies_on_commuting(claim):
            return verdict
        letters = " and ".join(claim.variables[:2])
        reason = f"holds for numbers, but {letters} may be matrices; declare what they are"
        return replace(verdict, verdict="undecided", reason=reason)

    @staticmethod
    def _proof(claim: Claim, setting: Setting, seconds: float) -> str:
        """How the claim is proved, in words; empty where it is not, or not in time."""
        try:
            with limited(seconds):
                return proof_of(claim, setting.settled, setting.sampler.domains)
        except SlowError:
            return ""

    def _other_letters(self, verdict: Verdict) -> Verdict:
        """The verdict where letters mean what they customarily do beside each other."""
        for definitions in self.customary:
            if time.process_time() >= self.deadline:
                break
            if set(definitions) & set(self.known) and not self.excerpt:
                continue
            names = ", ".join(definitions)
            other, _ = self._tested(self.claim, definitions)
            if other.verdict == "refuted" and verdict.verdict == "undecided" and "defined elsewhere" in verdict.reason:
                # The letters mean what they always do, and the sides differ all the same.
                reason = f"both sides differ, also with the customary meaning of {names}"
                verdict = replace(other, reason=reason, certain=False)
            if other.verdict in TRUE:
                proof = f"; {other.reason}" if other.verdict == "proved" else ""
                return replace(other, reason=f"with the customary meaning of {names}{proof}")
        return verdict

    def _doubted(self, verdict: Verdict, setting: Setting) -> Verdict:
        """A refutation with the doubts about it: about the claim, its conditions, its reading."""
        if verdict.verdict != "refuted":
            return verdict
        reason = ""
        if doubt := doubt_about(self.claim):
            reason = f"differs, but {doubt}"
        elif setting.conditions.ignored:
            reason = f"differs, but a constraint was not understood: {setting.conditions.ignored[0]}"
        elif unseen := sorted(set(setting.fixed) - set(self.claim.variables) - setting.needed):
            reason = f"differs, but a constraint speaks of {unseen[0]}, which the formula does not show"
        elif relates_letters(self.claim) or (self.excerpt and is_condition(self.claim)):
            reason = _CONDITION
        elif any(comparison.rough for comparison in self.claim.comparisons) and _is_close(verdict):
            reason = "the approximation is off by more than half a unit of its last digit"
        elif symbols := self._residue_symbols():
            reason = symbols
        if reason:
            told = reason == _CONDITION
            return replace(verdict, verdict="undecided", reason=reason, certain=False, checkable=not told)
        if uncertain := next(self._uncertain_readings(), ""):
            proof = ", proven by exact or ball arithmetic"
            return replace(verdict, reason=f"{verdict.reason.replace(proof, '')}; {uncertain}", certain=False)
        return verdict

    def _residue_symbols(self) -> str:
        """Whether fractions in parentheses that are Legendre or Jacobi symbols would make the claim true."""
        other = with_residue_symbols(self.claim, self.semantic)
        if other is None or time.process_time() >= self.deadline:
            return ""
        names = dict.fromkeys(other.variables, "odd prime")
        different = [rf"{a}\neq {b}" for a, b in combinations(other.variables, 2)]
        try:
            setting = Setting(self.semantic, other, [*self.constraints, *different], names, self.seed)
        except FormulaError:
            return ""  # symbols beside functions without exact values
        verdict = Survey(setting, other, max(0.1, self.deadline - time.process_time()) * 0.7).run()
        if verdict.verdict not in TRUE:
            return ""
        return "fails for fractions, but holds if the fractions in parentheses are Legendre symbols of odd primes"

    def _uncertain_readings(self) -> Iterator[str]:
        """What is not certain about how the formula was read."""
        if self.sure < _SURE:
            yield f"but the formula was read with a probability of {self.sure:.0%} only"
        for name in self.claim.variables:
            if name in AMBIGUOUS and name not in self.known and name not in self.declared:
                yield f"{name} was read as a variable"
        yield from read(self.semantic, declared=self.declared).warnings


def _is_close(verdict: Verdict) -> bool:
    """Whether the sides of a counterexample are of about the same size."""
    values = [(verdict.counterexample or {}).get(side) for side in ("left", "right")]
    if not all(isinstance(value, int | float) for value in values):
        return True
    left, right = (float(value) for value in values if value is not None)
    return abs(left - right) <= _ROUGHLY * max(abs(left), abs(right))
