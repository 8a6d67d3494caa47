"""Content MathML 3, strict where the standard has a symbol, `<csymbol cd="dlmf">` for the other macros."""

from __future__ import annotations

from collections.abc import Iterable

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
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
    free_symbols,
)
from texlift.targets.writers.writer import Writer

__all__ = ["MathmlPrinter"]

_OPERATORS = {
    "plus": "plus",
    "times": "times",
    "divide": "divide",
    "power": "power",
    "negate": "minus",
    "factorial": "factorial",
    "abs": "abs",
    "floor": "floor",
    "ceiling": "ceiling",
    "sqrt": "root",
    "min": "min",
    "max": "max",
    "and": "and",
    "or": "or",
    "not": "not",
    "implies": "implies",
    "iff": "equivalent",
    "transpose": "transpose",
    "gradient": "grad",
    "divergence": "divergence",
    "curl": "curl",
    "laplacian": "laplacian",
    "dot": "scalarproduct",
    "cross": "vectorproduct",
    "lcm": "lcm",
    "variance": "variance",
    "union": "union",
    "intersect": "intersect",
    "setminus": "setdiff",
    "compose": "compose",
    "det": "determinant",
    "modulo": "rem",
}
_CONSTANTS = {
    "pi": "pi", "e": "exponentiale", "i": "imaginaryi", "gamma": "eulergamma", "infinity": "infinity", "reals": "reals",
    "integers": "integers", "complexes": "complexes", "rationals": "rationals", "naturals": "naturalnumbers",
    "emptyset": "emptyset",
}  # fmt: skip
_RELATIONS = {"=": "eq", "===": "equivalent", "!=": "neq", "<": "lt", ">": "gt", "<=": "leq", ">=": "geq", "in": "in",
              "notin": "notin", "subset": "subset", "->": "tendsto", "subseteq": "subset",
              "propersubset": "prsubset", "approx": "approx"}  # fmt: skip
_CSYMBOL_RELATIONS = {"~": "asympeq", "~~": "asympexp", "divides": "divides", "mod": "equivmod", "<<": "muchless",
                      ">>": "muchgreater", "colon": "colon", "mapsto": "mapsto", "propto": "proportional"}  # fmt: skip
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def _apply(head: str, parts: Iterable[str]) -> str:
    return f"<apply>{head}{''.join(parts)}</apply>"


def _csymbol(name: str, cd: str = "dlmf") -> str:
    return f'<csymbol cd="{cd}">{name.translate(_ESCAPES)}</csymbol>'


class MathmlPrinter(Writer):
    """Writes one `<apply>` (or token) for each statement; wrap it in `<math>` to embed it."""

    target = "mathml"
    several = ("<apply><and/>", "</apply>")

    def formula(self, reading: Reading) -> str:
        pieces = self.all(reading.statements)
        return pieces[0] if len(pieces) == 1 else "".join((self.several[0], *pieces, self.several[1]))

    def all(self, nodes: Iterable[Expression]) -> list[str]:
        return [self.write(node) for node in nodes]

    # -- tokens ----------------------------------------------------------------------------------------

    def ci(self, name: str) -> str:
        self.symbols.setdefault(name, name)
        return f"<ci>{name.translate(_ESCAPES)}</ci>"

    def write_number(self, node: Number) -> str:
        return f"<cn>{node.value}</cn>" if "." in node.value else f'<cn type="integer">{node.value}</cn>'

    def write_symbol(self, node: Symbol) -> str:
        code = self.ci(node.name)
        return code.replace("<ci>", f'<ci type="{node.role}">', 1) if node.role in ("matrix", "vector") else code

    def write_indexed(self, node: Indexed) -> str:
        parts = self.all((*node.indices, *node.upper))
        return _apply("<selector/>", (self.ci(node.base), *parts))

    def write_constant(self, node: Constant) -> str:
        known = _CONSTANTS.get(node.name)
        return f"<{known}/>" if known else _csymbol(node.name)

    def write_dots(self, node: Dots) -> str:
        self.notes["the author's dots are an ellipsis in the code: what they stand for is left to the reader"] = None
        return _csymbol("ellipsis", "texlift")

    def write_function(self, node: Function) -> str:
        name = _csymbol(node.head.strip("\\").removesuffix("[]"))
        return _apply(name, self.all(node.parameters)) if node.parameters else name

    # -- applications ----------------------------------------------------------------------------------

    def write_apply(self, node: Apply) -> str:
        head = node.head
        if head[0] == "\\":
            entry = self.table.entries.get(head)
            name = f"<{entry.code}/>" if entry is not None else _csymbol(head[1:].removesuffix("[]"))
            return _apply(name, self.all(node.arguments))
        if head == "root":
            body, degree = self.all(node.arguments)
            return f"<apply><root/><degree>{degree}</degree>{body}</apply>"
        if head == "enumerate":
            general, first, last = self.all(node.arguments)
            domain = f"<bvar><ci>k_</ci></bvar><lowlimit>{first}</lowlimit><uplimit>{last}</uplimit>"
            return f"<list>{domain}{general}</list>"
        if head == "applied":
            function, *rest = self.all(node.arguments)
            return _apply(function, rest)
        if head == "truncated":
            return self.write(node.arguments[0])
        if head == "setbuilder":
            element, condition = node.arguments
            inside = element.operands[0] if isinstance(element, Relation) and element.operators == ("in",) else element
            bound = "".join(f"<bvar>{self.write(name)}</bvar>" for name in free_symbols(inside).values())
            tests = self.write(condition)
            if inside is not element:
                tests = _apply("<and/>", (self.write(element), tests))
            return f"<set>{bound}<condition>{tests}</condition>{self.write(inside)}</set>"
        name = f"<{_OPERATORS[head]}/>" if head in _OPERATORS else _csymbol(head)
        return _apply(name, self.all(node.arguments))

    def write_unknown(self, node: Unknown) -> str:
        function = self.write(node.function)
        if node.order is not None:
            function = _apply(_csymbol("nthderivative"), (self.write(node.order), function))
        return _apply(function, self.all(node.arguments))

    def write_derivative(self, node: Derivative) -> str:
        bound = "".join(
            f"<bvar>{self.write(variable)}<degree>{self.write(order)}</degree></bvar>"
            for variable, order in node.variables
        )
        head = "<diff/>" if len(node.variables) == 1 else "<partialdiff/>"
        return _apply(head, (bound, self.write(node.body)))

    def write_substitution(self, node: Substitution) -> str:
        inner = f"<lambda><bvar>{self.write(node.variable)}</bvar>{self.write(node.body)}</lambda>"
        return _apply(inner, (self.write(node.point),))

    def write_series(self, node: Series) -> str:
        head = "<sum/>" if node.kind == "sum" else "<product/>"
        if isinstance(node.index, Symbol | Indexed):
            parts = [f"<bvar>{self.write(node.index)}</bvar>"]
        else:
            parts = [f"<condition>{self.write(node.index)}</condition>"]
        parts += self.limits(node.lower, node.upper)
        if node.condition is not None:
            parts.append(f"<condition>{self.write(node.condition)}</condition>")
        return _apply(head, (*parts, self.write(node.body)))

    def limits(self, lower: Expression | None, upper: Expression | None) -> list[str]:
        found = [f"<lowlimit>{self.write(lower)}</lowlimit>"] if lower is not None else []
        return found + ([f"<uplimit>{self.write(upper)}</uplimit>"] if upper is not None else [])

    def write_integral(self, node: Integral) -> str:
        head = {"pv": _csymbol("pvint"), "contour": _csymbol("contourint"), "line": _csymbol("lineint")}.get(
            node.kind, "<int/>"
        )
        parts = [f"<bvar>{self.write(node.variable)}</bvar>", *self.limits(node.lower, node.upper)]
        if node.domain is not None:
            parts.append(f"<domainofapplication>{self.write(node.domain)}</domainofapplication>")
        return _apply(head, (*parts, self.write(node.body)))

    def write_limit(self, node: Limit) -> str:
        kind = {"+": ' type="above"', "-": ' type="below"'}.get(node.direction, "")
        arrow = f"<apply><tendsto{kind}/>{self.write(node.variable)}{self.write(node.point)}</apply>"
        bound = f"<bvar>{self.write(node.variable)}</bvar>" if isinstance(node.variable, Symbol | Indexed) else ""
        return _apply("<limit/>", (bound, f"<condition>{arrow}</condition>", self.write(node.body)))

    # -- statements and collections --------------------------------------------------------------------

    def write_relation(self, node: Relation) -> str:
        pieces: list[str] = []
        for operator, left, right in node.links:
            known = _RELATIONS.get(operator)
            head = f"<{known}/>" if known else _csymbol(_CSYMBOL_RELATIONS.get(operator, operator))
            if operator in ("=", "!=") and isinstance(right, Sequence) and right.kind == "list":
                pieces.append(self.membership(operator, left, right))
            else:
                pieces.append(_apply(head, (self.write(left), self.write(right))))
        return pieces[0] if len(pieces) == 1 else _apply("<and/>", pieces)

    def membership(self, operator: str, left: Expression, right: Sequence) -> str:
        """`n=1,2,3` and `n=0,1,2,\\dots`."""
        items = [item for item in right.items if not isinstance(item, Dots)]
        value = self.write(left)
        if len(items) == len(right.items):
            inside = _apply("<in/>", (value, f"<set>{''.join(self.all(items))}</set>"))
        elif isinstance(right.items[-1], Dots) and items:
            step = _apply("<minus/>", (value, self.write(items[0])))
            inside = _apply("<in/>", (step, _csymbol("nonnegIntegers")))
        else:
            raise self.error("dots leave the reader to guess", right)
        return inside if operator == "=" else _apply("<not/>", (inside,))

    def write_cases(self, node: Cases) -> str:
        parts: list[str] = []
        for value, condition in node.branches:
            if condition is None:
                parts.append(f"<otherwise>{self.write(value)}</otherwise>")
            else:
                parts.append(f"<piece>{self.write(value)}{self.write(condition)}</piece>")
        return f"<piecewise>{''.join(parts)}</piecewise>"

    def write_sequence(self, node: Sequence) -> str:
        element = {"set": "set", "tuple": "vector"}.get(node.kind, "list")
        return f"<{element}>{''.join(self.all(node.items))}</{element}>"

    def write_interval(self, node: Interval) -> str:
        closure = {(True, True): "closed", (False, False): "open", (True, False): "closed-open"}.get(
            (node.closed_lower, node.closed_upper), "open-closed"
        )
        return f'<interval closure="{closure}">{self.write(node.lower)}{self.write(node.upper)}</interval>'

    def write_matrix(self, node: Matrix) -> str:
        rows = "".join(f"<matrixrow>{''.join(self.all(row))}</matrixrow>" for row in node.rows)
        matrix = f"<matrix>{rows}</matrix>"
        return _apply("<determinant/>", (matrix,)) if node.determinant else matrix
