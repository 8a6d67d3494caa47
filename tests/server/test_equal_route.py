"""POST /equal: two answers compared by the service."""

from __future__ import annotations

import pytest
from client import Client

pytest.importorskip("flint")


def test_equal(client: Client) -> None:
    found = client.post("/equal", json={"a": "x=5", "b": "The answer is $5$", "id": "q"}).json()
    assert found["verdict"] == "equal"
    assert found["id"] == "q"
    assert found["reason"]


def test_what_counts_is_part_of_the_request(client: Client) -> None:
    pair = {"a": "1,2", "b": "2,1", "options": {"order": True}}
    assert client.post("/equal", json=pair).json()["verdict"] == "different"
    near = {"a": r"\sqrt{x^2}", "b": "x", "where": "x>0", "declare": {"x": "real"}}
    assert client.post("/equal", json=near).json()["verdict"] == "equal"


def test_an_answer_that_cannot_be_read_is_undecided(client: Client) -> None:
    assert client.post("/equal", json={"a": "x+", "b": "5"}).json()["verdict"] == "undecided"


def test_a_declaration_that_cannot_be_obeyed_is_an_error(client: Client) -> None:
    assert client.post("/equal", json={"a": "x", "b": "5", "declare": {"x": "cheese"}}).status_code == 422
