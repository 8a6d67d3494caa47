"""Words for what binds a variable (sums, integrals, limits, derivatives) and for collections."""

from __future__ import annotations

from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Expression,
    Integral,
    Interval,
    Limit,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
    substitute,
)
from texlift.targets.words.operators import ordinal
from texlift.targets.words.phrase import Level, Phrase, listed
from texlift.targets.words.spelling import name_words
from texlift.targets.writers.writer import Writer

__all__ = ["Binders"]

_DOTS = (r"\dot", r"\ddot", r"\dddot")
_INTEGRALS = {
    "pv": "the principal value of the integral",
    "contour": "the contour integral",
    "line": "the line integral",
}


class Binders(Writer):
    """Phrases for binders and collections; the printer has the rest."""

    def phrase(self, node: Expression) -> Phrase:
        raise NotImplementedError

    def final(self, node: Expression, mark: str = "", highest: Level = Level.APPLIED) -> Phrase:
        raise NotImplementedError

    def middle(self, node: Expression) -> Phrase:
        raise NotImplementedError

    def say_series(self, node: Series) -> Phrase:
        if isinstance(node.index, Symbol) and node.index.name.endswith("_") and node.lower is not None:
            return self.continued(node)
        kind = node.kind
        text = f"the {kind} over {self.phrase(node.index).text}"
        if node.lower is not None:
            text += f" from {self.middle(node.lower).text}"
        if node.upper is not None:
            text += f" to {self.middle(node.upper).text}"
        condition = node.condition
        if isinstance(condition, Relation) and condition.operators == ("in",) and condition.operands[0] == node.index:
            text += f" in {self.middle(condition.operands[1]).text}"
        elif condition is not None:
            text = f"the {kind} over all {self.phrase(node.index).text}{self.range(node)} such that"
            text += f" {self.phrase(condition).text},"
        return self.body(text, node.body, kind)

    def range(self, node: Series) -> str:
        lower = f" from {self.middle(node.lower).text}" if node.lower is not None else ""
        return lower + (f" to {self.middle(node.upper).text}" if node.upper is not None else "")

    def body(self, text: str, body: Expression, mark: str) -> Phrase:
        """What a sum or limit is taken of: a product at most, or with an end mark."""
        phrase = self.phrase(body)
        if phrase.level <= Level.PRODUCT:
            return Phrase(f"{text} of {phrase.text}", Level.APPLIED, mark=f"end {mark}")
        return Phrase(f"{text} of {phrase.closed().text}, end {mark}", Level.APPLIED, shut=True)

    def continued(self, node: Series) -> Phrase:
        """Terms with dots between them, as they were written: `a sub 1 plus and so on plus a sub n`."""
        assert isinstance(node.index, Symbol) and node.lower is not None
        word = "plus" if node.kind == "sum" else "times"
        ends: list[Expression] = [node.lower]
        if node.upper is not None and not (isinstance(node.upper, Constant) and node.upper.name == "infinity"):
            ends.append(node.upper)
        terms = [self.phrase(substitute(node.body, {node.index.name: end})) for end in ends]
        texts = [term.text if term.level <= Level.APPLIED else term.quantity().text for term in terms]
        texts.insert(1, "and so on")
        return Phrase(f" {word} ".join(texts), Level.SUM if node.kind == "sum" else Level.PRODUCT)

    def apply_enumerate(self, node: Apply) -> Phrase:
        general, first, last = node.arguments
        ends = [first] if isinstance(last, Constant) and last.name == "infinity" else [first, last]
        texts = [self.phrase(substitute(general, {"k_": end})).text for end in ends]
        texts.insert(1, "and so on")
        return Phrase(" comma ".join(texts), Level.SET)

    def say_integral(self, node: Integral) -> Phrase:
        text = _INTEGRALS.get(node.kind, "the integral")
        if node.domain is not None:
            text += f" over {self.middle(node.domain).text}"
        if node.lower is not None:
            text += f" from {self.middle(node.lower).text}"
        if node.upper is not None:
            text += f" to {self.middle(node.upper).text}"
        return Phrase(f"{text} of {self.phrase(node.body).text} with respect to {self.phrase(node.variable).text}")

    def say_limit(self, node: Limit) -> Phrase:
        side = {"+": " from above", "-": " from below"}.get(node.direction, "")
        variable, point = self.phrase(node.variable).text, self.middle(node.point).text
        return self.body(f"the limit as {variable} tends to {point}{side}", node.body, "limit")

    def say_derivative(self, node: Derivative) -> Phrase:
        written = self.source[node.span[0] : node.span[1]]
        if written.startswith(_DOTS):  # by time, or only a name: what is written is said
            return Phrase(name_words(written), Level.ATOM, beside=True)
        partial = "partial " if len(node.variables) > 1 or r"\partial" in written or r"\p" in written[:3] else ""
        steps = []
        for variable, order in node.variables:
            times = "" if isinstance(order, Number) and order.value == "1" else f"{ordinal(self.phrase(order).text)} "
            steps.append((times, self.phrase(variable).text))
        if len(steps) == 1:
            text = f"the {steps[0][0]}{partial}derivative with respect to {steps[0][1]}"
        else:
            names = [name if not times else f"{name} ({times.strip()})" for times, name in steps]
            text = f"the partial derivative with respect to {listed(names)}"
        slot = self.final(node.body, "derivative")
        return Phrase(f"{text} of {slot.text}", shut=slot.shut)

    def say_substitution(self, node: Substitution) -> Phrase:
        variable = node.variable
        if isinstance(variable, Symbol) and variable.name.endswith("_") and isinstance(node.body, Derivative):
            inner = node.body.body
            if isinstance(inner, Apply | Unknown):
                order = node.body.variables[0][1]
                times = (
                    "" if isinstance(order, Number) and order.value == "1" else f"{ordinal(self.phrase(order).text)} "
                )
                shown = self.phrase(substitute(inner, {variable.name: Symbol("t")})).text
                return Phrase(
                    f"the {times}derivative of {shown} with respect to t, evaluated where t equals "
                    f"{self.final(node.point).text}"
                )
        body = self.phrase(node.body)
        text = body.text if body.short else body.quantity().text
        point = self.final(node.point).text
        text += f", evaluated where {self.phrase(variable).text} equals {point}"
        return Phrase(text, Level.APPLIED, mark="end evaluation")

    # -- collections -----------------------------------------------------------------------------------

    def say_sequence(self, node: Sequence) -> Phrase:
        items = [self.phrase(item).text for item in node.items]
        if node.kind == "set":
            return Phrase(
                f"the set of {' comma '.join(items)}, end set" if items else "the empty set", shut=bool(items)
            )
        if node.kind == "tuple":
            return Phrase(f"the {'pair' if len(items) == 2 else 'tuple'} {' comma '.join(items)}, end tuple", shut=True)
        return Phrase(" comma ".join(items), Level.SET)

    def say_interval(self, node: Interval) -> Phrase:
        kinds = {(True, True): "closed", (False, False): "open"}
        kind = kinds.get((node.closed_lower, node.closed_upper), "half-open")
        lower, upper = self.middle(node.lower).text, self.final(node.upper).text
        note = "" if kind != "half-open" else f", {'including' if node.closed_lower else 'excluding'} the lower end"
        return Phrase(f"the {kind} interval from {lower} to {upper}{note}", Level.APPLIED)

    def say_matrix(self, node: Matrix) -> Phrase:
        kind = "determinant of the" if node.determinant else ""
        size = f"{len(node.rows)} by {len(node.rows[0]) if node.rows else 0} matrix"
        rows = "; ".join(
            f"row {n}: {', '.join(self.phrase(c).text for c in row)}" for n, row in enumerate(node.rows, 1)
        )
        return Phrase(f"the {kind} {size} with {rows}, end matrix".replace("  ", " "), shut=True)

    def say_cases(self, node: Cases) -> Phrase:
        parts = []
        for value, condition in node.branches:
            when = f" if {self.phrase(condition).text}" if condition is not None else " otherwise"
            parts.append(self.phrase(value).text + when)
        return Phrase(f"{'; '.join(parts)}, end cases", shut=True)

    def apply_setbuilder(self, node: Apply) -> Phrase:
        first, second = node.arguments
        element, condition = self.phrase(first).text, self.phrase(second).text
        if isinstance(first, Relation) and first.operators == ("in",):
            element = f"{self.phrase(first.operands[0]).text} in {self.phrase(first.operands[1]).text}"
        return Phrase(f"the set of all {element} such that {condition}, end set", shut=True)

    def apply_probability(self, node: Apply) -> Phrase:
        return self._given("probability", node)

    def apply_expectation(self, node: Apply) -> Phrase:
        return self._given("expected value", node)

    def apply_variance(self, node: Apply) -> Phrase:
        return self._given("variance", node)

    def _given(self, name: str, node: Apply) -> Phrase:
        """What is known stands last: `E[X\\mid Y]`."""
        parts = [self.phrase(part) for part in node.arguments]
        if len(parts) == 1 and parts[0].level <= Level.TIGHT:
            return Phrase(f"the {name} of {parts[0].text}")
        text = " given ".join(part.text for part in parts)
        return Phrase(f"the {name} of {text}, end {name.split()[-1]}", shut=True)

    def apply_applied(self, node: Apply) -> Phrase:
        function, *rest = node.arguments
        inner = self.phrase(function)
        name = inner.text if inner.level == Level.ATOM else inner.quantity().text
        values = [self.final(part).text for part in rest]
        return Phrase(f"{name} of {' comma '.join(values)}")

    def apply_not(self, node: Apply) -> Phrase:
        inner = self.phrase(node.arguments[0])
        return Phrase(f"not {inner.text if inner.level <= Level.APPLIED else inner.quantity().text}", Level.RELATION)

    def apply_subscript(self, node: Apply) -> Phrase:
        base, below = (self.phrase(part) for part in node.arguments)
        return Phrase(
            f"{base.quantity().text if base.level else base.text} sub {below.text}, end sub", Level.ATOM, shut=True
        )
