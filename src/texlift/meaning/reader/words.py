"""Named functions: `\\lg x`, `\\operatorname{tg}^2 x`, `\\max(a,b)`, `\\mathrm{Var}(X)`, `\\operatorname{f}(x)`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Delimited, Leaf, Script, Scripted, Text
from texlift.macros.inverses import inverse_of
from texlift.meaning.reader import fence, probability, symbol
from texlift.meaning.reader.notation import notation
from texlift.meaning.tree import Apply, Expression, Number, Sequence, Symbol, Unknown

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["OPERATORS", "applied", "argument", "function", "operator", "spelled", "typed", "word_of"]

OPERATORS = {r"\sup": "sup", r"\inf": "inf", r"\Re": r"\realpart", r"\Im": r"\imagpart"}
_OF_LISTS = frozenset({"max", "min", "lcm", r"\pgcd", "covariance"})
_NUMBER_OF_LOG = {"log10": "10", "log2": "2"}
_UPRIGHT = frozenset({r"\mathrm", r"\text", r"\operatorname", r"\mbox"})  # units, mostly
_STOPS = frozenset({"(", "[", "|", r"\|"})


def word_of(source: str, node: Command) -> str:
    """The word that an upright command sets: letters only, empty for anything else."""
    if len(node.arguments) != 1:
        return ""
    argument = node.arguments[0]
    text = argument.body if type(argument) is Text else source[argument.start : argument.end]
    if type(argument) is Text and text[:1].isspace() and text[-1:].isspace():
        return ""  # prose between two parts
    text = text.strip("{}").replace(r"\,", "").replace("~", "").strip()
    return text if text.isalpha() else ""


def spelled(row: Row) -> str:
    """A function's name typed as plain letters at the cursor, before an argument: `sin(x)`, `log 2x`."""
    run = ""
    for index in range(row.at, min(row.count, row.at + _longest() + 1)):  # a longer run is no name
        text = row.texts[index]
        plain = len(text) == 1 and text.isascii() and text.isalpha()
        if not plain or (run and row.items[index].start != row.items[index - 1].end):
            break
        run += text
        if type(row.items[index]) is Scripted:
            break
    if run not in notation().spelled or run not in notation().functions or row.at + len(run) >= row.count:
        return ""
    return run


@cache
def _longest() -> int:
    """Letters of the longest name that may be typed plainly."""
    return max(map(len, notation().spelled))


def typed(row: Row, word: str) -> Expression:
    """A function typed as plain letters, applied; the last letter may carry its power."""
    start = row.items[row.at].start
    last = row.items[row.at + len(word) - 1]
    row.at += len(word)
    row.scope.warn(f"{word} typed as letters was read as the function", (start, last.end))
    return applied(row, word, last.scripts if type(last) is Scripted else [], (start, last.end))


def function(row: Row, word: str, operator_like: bool, scripts: list[Script], span: Span) -> Expression | None:
    """An upright word applied to what follows; None where it is only a name."""
    if word in notation().functions:
        if _follows_argument(row) or (row.starts_factor() and len(word) > 1):
            return applied(row, word, scripts, span)
        return None
    if not _follows_argument(row) and not (operator_like and row.starts_factor() and len(word) > 1):
        return None
    name = rf"\operatorname{{{word}}}"
    inside = probability.read(row, name, scripts, span)
    if inside is not None:
        return inside
    if len(word) > 1:
        row.scope.warn(f"{word} is not known: it was read as a function", span)
    if _follows_argument(row):
        return symbol.symbol(row, name if len(word) > 1 else word, scripts, span, function=True)
    value, after = argument(row, word)
    items = value.items if isinstance(value, Sequence) else (value,)
    result: Expression = Unknown(Symbol(name, span), items, None, (span[0], value.span[1]))
    return row.scripts(result, [*scripts, *after])


def applied(row: Row, word: str, scripts: list[Script], span: Span) -> Expression:
    """A known function applied to what follows, with its base, power and inverse."""
    head = notation().functions[word]
    base: Expression | None = None
    powers: list[Script] = []
    for script in scripts:
        if script.kind == "_" and script.argument is not None:
            base = type(row)(row.scope, [script.argument], (script.start, script.end)).expression()
        elif script.kind == "^":
            powers.append(script)
        else:
            raise row.scope.error(f"a prime on {word}", span)
    if base is not None and head not in ("log", r"\ln"):
        raise row.scope.error(f"{word} over a domain has no counterpart", span)
    if head in ("variance", "covariance", "probability"):
        found = probability.measured(row, head, span)
        return row.scripts(found, powers) if powers else found
    inverse = _inverse(row, head, powers)
    with row.scope.expecting("several" if head in _OF_LISTS else "one", 1):
        value, after = argument(row, word)
    items = value.items if isinstance(value, Sequence) else (value,)
    whole = (span[0], value.span[1])
    if inverse:
        row.scope.warn(f"{word} with the exponent -1 was read as the inverse function", span)
        return row.scripts(Apply(inverse, items, whole), after)
    result = _value(row, head, items, base, whole)
    return row.scripts(result, [*powers, *after])


def _inverse(row: Row, head: str, powers: list[Script]) -> str:
    if len(powers) != 1 or powers[0].argument is None or head[0] != "\\":
        return ""
    return inverse_of(head) if "".join(row.digits(powers[0].argument)) == "-1" else ""


def _value(row: Row, head: str, items: tuple[Expression, ...], base: Expression | None, span: Span) -> Expression:
    if head == "log" and base is None:
        row.scope.warn("log was read as the natural logarithm", span)
        head = r"\ln"
    if head in ("log", r"\ln") and base is not None:
        return Apply(r"\genlog", (base, *items), span)
    if head in _NUMBER_OF_LOG:
        return Apply(r"\genlog", (Number(_NUMBER_OF_LOG[head], span), *items), span)
    if head == "sinc":
        row.scope.warn("sinc x was read as sin(x)/x", span)
    return Apply(head, items, span)


def operator(row: Row, head: str, scripts: list[Script], span: Span) -> Expression:
    """`\\Re z`, `\\sup(a,b)`."""
    if any(script.kind == "_" for script in scripts):
        raise row.scope.error(f"{head.strip(chr(92))} over a domain has no counterpart", span)
    value, after = fence.argument(row) if _follows_argument(row) else (row.factor(), [])
    items = value.items if isinstance(value, Sequence) else (value,)
    result: Expression = Apply(head, items, (span[0], value.span[1]))
    return row.scripts(result, [*scripts, *after])


def _follows_argument(row: Row) -> bool:
    node = row.items[row.at] if row.at < row.count else None
    base = node.base if type(node) is Scripted else node
    return row.at < row.count and (row.texts[row.at] in ("(", "[") or type(base) is Delimited)


def argument(row: Row, word: str) -> tuple[Expression, list[Script]]:
    """What a function is applied to, in parentheses or the simple factors behind it; scripts behind parentheses."""
    if _follows_argument(row):
        return fence.argument(row)
    if not row.starts_factor():
        raise row.error(f"{word} of nothing", "something must stand here")
    factors = [row.factor()]
    while row.starts_factor() and not _stops(row):
        factors.append(row.factor())
    return (factors[0] if len(factors) == 1 else row.times(factors)), []


def _stops(row: Row) -> bool:
    """A parenthesis or another function ends an argument without parentheses: `\\lg x(1+x)`, `\\lg a\\lg b`."""
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    if row.texts[row.at] in _STOPS or isinstance(base, Delimited | Call):
        return True
    if type(base) is Leaf:
        return base.text[:1] == "\\" and (base.text[1:] in notation().functions or base.text in OPERATORS)
    return type(base) is Command and (word_of(row.scope.source, base) in notation().functions or base.name in _UPRIGHT)
