"""Requests and answers of the service, as OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from texlift.latex.lexer import MAX_LENGTH

__all__ = [
    "CheckAnswer",
    "CheckRequest",
    "ConvertAnswer",
    "ConvertRequest",
    "ErrorAnswer",
    "ExpandAnswer",
    "ExpandRequest",
    "ParseAnswer",
    "ParseRequest",
    "PlotRequest",
    "Request",
    "ReviewRequest",
    "TranslateAnswer",
    "TranslateRequest",
]

_Text = Annotated[str, Field(max_length=MAX_LENGTH)]
_Words = Annotated[str, Field(max_length=20_000)]


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [fields]})


class Chosen(BaseModel):
    """A reading fixed by the user: the macro at a span of the source, "" for the plain symbols."""

    model_config = ConfigDict(extra="forbid")
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    macro: str = Field(max_length=100)


class Settled(BaseModel):
    """What an ambiguous place means: where it starts in the semantic LaTeX, what stands there, the meaning."""

    model_config = ConfigDict(extra="forbid")
    start: int = Field(ge=0)
    source: str = Field(max_length=MAX_LENGTH)
    meaning: str = Field(max_length=100)


_Declare = Annotated[
    dict[Annotated[str, Field(max_length=200)], Annotated[str, Field(max_length=200)]], Field(max_length=50)
]
_Structure = Annotated[list[Settled], Field(max_length=100)]


class Request(BaseModel):
    """What every request may have: an `id` of the client's own, which comes back with the answer."""

    id: str | int | None = None


class TranslateRequest(Request):
    """A formula to translate; `context` is a text, or titles and the sentence around by name."""

    model_config = _example(latex=r"J_\nu(z)", context="Bessel functions", alternatives=3)
    latex: _Text
    context: _Words | dict[str, _Words] | None = None
    alternatives: int = Field(3, ge=0, le=20)
    constants: bool = Field(False, description=r"mark every e, i, \pi, \gamma that is the constant")
    choices: list[Chosen] = Field(default_factory=list, max_length=100)
    declare: _Declare = Field(default_factory=dict, description='what symbols and notations mean: {"n": "integer"}')
    structure: _Structure = Field(default_factory=list, description="what ambiguous places mean; with `meaning`")
    render: bool = Field(False, description="add the formula as MathML")
    meaning: bool = Field(False, description="add a sentence, the symbols and the ambiguous places")


class ExpandRequest(Request):
    """Semantic LaTeX to expand."""

    model_config = _example(semantic=r"\BesselJ{\nu}@{z}")
    semantic: _Text


class ConvertRequest(Request):
    """Semantic LaTeX (or LaTeX, which is translated first) to convert; `to` may be "all"."""

    model_config = _example(semantic=r"\BesselJ{\nu}@{z}", to="sympy")
    semantic: _Text | None = None
    latex: _Text | None = None
    context: _Words | dict[str, _Words] | None = None
    declare: _Declare = Field(default_factory=dict)
    structure: _Structure = Field(default_factory=list)
    to: Literal[
        "sympy",
        "mpmath",
        "numpy",
        "mathematica",
        "maple",
        "maxima",
        "julia",
        "mathjson",
        "mathml",
        "intent",
        "concepts",
        "words",
        "all",
    ] = "all"

    @model_validator(mode="after")
    def _one_formula(self) -> ConvertRequest:
        if (self.semantic is None) == (self.latex is None):
            raise ValueError('give either "semantic" or "latex"')
        return self


class CheckRequest(Request):
    """An equation or inequality, semantic LaTeX or LaTeX, with the conditions under which it should hold."""

    model_config = _example(latex=r"\Gamma(z+1)=z\Gamma(z)", constraints=[r"\Re z>0"], seconds=5)
    semantic: _Text | None = None
    latex: _Text | None = None
    context: _Words | dict[str, _Words] | None = None
    constraints: list[_Words] = Field(default_factory=list, max_length=20)
    declare: _Declare = Field(default_factory=dict)
    confidence: float = Field(1.0, ge=0, le=1, description="how likely the semantic LaTeX is what is meant")
    seconds: float = Field(5.0, gt=0, le=30)

    @model_validator(mode="after")
    def _one_formula(self) -> CheckRequest:
        if (self.semantic is None) == (self.latex is None):
            raise ValueError('give either "semantic" or "latex"')
        return self


class EqualOptions(BaseModel):
    """What counts: the form of an expression, the order of a list, a tolerance between numbers."""

    form: bool = False
    order: bool = False
    tolerance: float = Field(default=0.0, ge=0, lt=1)


class EqualRequest(Request):
    """Two answers to compare, conditions on their letters, what the letters are, and what counts."""

    model_config = _example(a="x=5", b="The answer is $5$", options={"tolerance": 0})
    a: _Text
    b: _Text
    where: Annotated[list[_Words], Field(max_length=20)] | _Words = Field(default_factory=list)
    declare: dict[str, _Words] = Field(default_factory=dict, max_length=100)
    options: EqualOptions = EqualOptions()
    semantic: bool = False
    seconds: float = Field(5.0, gt=0, le=30)


class PlotRequest(BaseModel):
    """Semantic LaTeX with one relation: both sides are drawn along one variable."""

    model_config = _example(semantic=r"\EulerGamma@{x+1}=x\EulerGamma@{x}")
    semantic: _Text
    constraints: list[_Words] = Field(default_factory=list, max_length=20)


_Table = Annotated[
    dict[Annotated[str, Field(max_length=200)], Annotated[str, Field(max_length=200)]], Field(max_length=10_000)
]


class ReviewRequest(BaseModel):
    """A document with its author's choices: readings of symbols ("" for none), changes that are not wanted."""

    model_config = _example(name="paper.tex", data="VGhlIGdhbW1hIGZ1bmN0aW9uICRcR2FtbWEoeikk", readings={"K": ""})
    name: str = Field(max_length=200)
    data: str = Field(description="the file, in base64")
    threshold: float = Field(0.7, ge=0, le=1)
    readings: _Table = Field(default_factory=dict, description="as [readings] in texlift.toml")
    rejected: _Table = Field(default_factory=dict, description="as [rejected] in texlift.toml")
    check: bool = Field(False, description="check equations numerically, as many as there is time for")


class ParseRequest(Request):
    """A formula to draw the tree of; `semantic` if it is semantic LaTeX, `meaning` for what semantic LaTeX says."""

    model_config = _example(latex=r"\frac{\Gamma(z)}{2}")
    latex: _Text
    binary: bool = False
    semantic: bool = False
    meaning: bool = False
    declare: _Declare = Field(default_factory=dict)
    structure: _Structure = Field(default_factory=list)


class Place(BaseModel):
    """What is wrong, and where."""

    code: str
    message: str
    position: int | None = None
    end: int | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None


class ErrorAnswer(BaseModel):
    """Every error looks like this."""

    error: Place


class TranslateAnswer(BaseModel):
    """The most likely meaning; `decisions` has one entry for each place with a choice."""

    latex: str
    semantic: str
    confidence: float
    decisions: list[dict[str, Any]]
    alternatives: list[dict[str, Any]]
    warnings: list[str]
    mathml: str | None = None
    words: str | None = None
    heads: list[str] | None = None
    symbols: list[dict[str, Any]] | None = None
    structure: list[dict[str, Any]] | None = None
    understood: float | None = None
    unread: str | None = None


class ExpandAnswer(BaseModel):
    """Generic LaTeX."""

    latex: str


class ConvertAnswer(BaseModel):
    """Code for one target; for "all", `targets` has an entry for each."""

    code: str | None = None
    warnings: list[str] | None = None
    notes: list[str] | None = None
    targets: dict[str, Any] | None = None


class CheckAnswer(BaseModel):
    """The outcome of a numeric check.

    `domain` and `points` say where it was tested, `digits` to how many digits the sides agree, `holds` where a refuted
    statement does hold, `certain` whether a refutation is proven.
    """

    semantic: str
    verdict: Literal["proved", "verified", "refuted", "undecided"]
    domain: str
    points: int
    digits: int
    counterexample: dict[str, Any] | None
    holds: str
    reason: str
    certain: bool


class EqualAnswer(BaseModel):
    """Whether two answers mean the same, and why; a counterexample where they differ."""

    verdict: Literal["equal", "different", "undecided"]
    reason: str
    counterexample: dict[str, Any] | None


class ParseAnswer(BaseModel):
    """The tree as nested lists (a leaf is a text), as text lines and as a picture, both if it is not too large."""

    tree: Any
    text: str
    svg: str | None
    nodes: int
