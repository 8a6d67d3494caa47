"""Targets are offered wherever users choose one, and a writer that lacks a kind of node says so."""

from __future__ import annotations

import inspect
import re
from typing import get_args

import pytest

from texlift.cli.convert import convert
from texlift.cli.translate import translate
from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Expression
from texlift.server.messages import ConvertRequest
from texlift.targets import TARGETS
from texlift.targets.writers import writer


class Lacking(writer.Writer):
    """A new target whose author has written no method yet."""

    target = "maxima"


@pytest.mark.parametrize(
    ("semantic", "kind"),
    [
        ("x", "a letter"),
        ("f(x)", "an unknown function"),
        (r"\int_{0}^{1}x\diff{x}", "an integral"),
        ("a=b", "a relation"),
    ],
)
def test_a_kind_without_a_method_is_an_error_with_its_place(semantic: str, kind: str) -> None:
    with pytest.raises(FormulaError, match=f"{kind} has no counterpart in maxima") as caught:
        Lacking(semantic).formula(read(semantic))
    assert caught.value.span is not None


def test_every_kind_has_a_name_in_errors() -> None:
    assert set(writer._KINDS) == {kind.__name__.lower() for kind in get_args(Expression)}


@pytest.mark.parametrize("command", [convert, translate])
def test_the_commands_name_every_target(command: object) -> None:
    told = inspect.signature(command).parameters["to"].default.help  # type: ignore[arg-type]
    assert set(TARGETS) <= set(re.findall(r"\w+", told))


def test_the_service_takes_every_target() -> None:
    assert {*get_args(ConvertRequest.model_fields["to"].annotation)} == {*TARGETS, "all"}
