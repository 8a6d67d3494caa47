"""What the service says about the meaning of a formula, and that it obeys what users say."""

from typing import Any

from client import Client


def asked(client: Client, latex: str, **more: Any) -> Any:
    return client.post("/translate", json={"latex": latex, "meaning": True, **more})


PRODUCT = {"start": 0, "source": "T(n/2)", "meaning": "product"}


def test_words_symbols_and_structure(client: Client) -> None:
    record = asked(client, "T(n/2)+n").json()
    assert record["words"].startswith("capital T of")
    assert [symbol["name"] for symbol in record["symbols"]] == ["T", "n"]
    assert record["structure"][0]["alternatives"][0]["meaning"] == "product"
    assert "words" not in client.post("/translate", json={"latex": "T(n/2)+n"}).json()


def test_an_ambiguous_place_is_settled_everywhere(client: Client) -> None:
    assert asked(client, "T(n/2)", structure=[PRODUCT]).json()["words"] == "capital T times n over 2"
    code = client.post("/convert", json={"semantic": "T(n/2)", "to": "sympy", "structure": [PRODUCT]}).json()["code"]
    assert code == "T*n/2"
    drawn = client.post("/parse", json={"latex": "T(n/2)", "meaning": True, "structure": [PRODUCT]}).json()
    assert drawn["text"].startswith("×") and drawn["svg"].startswith("<svg")


def test_a_choice_for_what_no_longer_stands_there_is_refused(client: Client) -> None:
    answer = asked(client, "S(n/2)", structure=[PRODUCT])
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "choice")
    assert client.post("/translate", json={"latex": "T(n/2)", "structure": [PRODUCT]}).status_code == 422


def test_declarations_reach_reading_code_and_check(client: Client) -> None:
    declared = asked(client, "P(A)+n", declare={"P(#1)": "probability", "n": "integer"}).json()
    assert declared["words"] == "the probability of capital A plus n"
    assert declared["symbols"][1]["said"] == "declared"
    root = {"semantic": r"\sqrt{x^2}=x", "seconds": 5}
    assert client.post("/check", json={**root, "declare": {"x": "positive"}}).json()["verdict"] == "proved"
    assert client.post("/check", json=root).json()["verdict"] == "refuted"


def test_declarations_that_cannot_be_obeyed_are_not_ignored(client: Client) -> None:
    assert asked(client, "x", declare={"x": "nonsense"}).status_code == 422
    idle = asked(client, "x", declare={"P(#1)": "probability"}).json()
    assert any("P(#1)" in warning for warning in idle["warnings"])
    unchecked = client.post("/check", json={"semantic": "P(A)=1", "declare": {"P(#1)": "probability"}})
    assert unchecked.status_code == 422


def test_a_wrong_declaration_spoils_no_other_answer(client: Client) -> None:
    lines = [{"latex": "x", "declare": {"x": "nonsense"}}, {"latex": r"\Gamma(z)"}]
    results = client.post("/translate/batch", json={"formulae": lines}).json()["results"]
    assert results[0]["error"]["message"] and results[1]["semantic"] == r"\EulerGamma@{z}"


def test_the_vocabulary_has_kinds_concepts_and_macros(client: Client) -> None:
    def sorts(words: str) -> set[str]:
        found = client.get("/vocabulary", params={"q": words, "limit": 50}).json()["entries"]
        return {entry["sort"] for entry in found}

    assert sorts("") == {"kind"}
    assert "concept" in sorts("expected value")
    assert "macro" in sorts("bessel")
    assert client.get("/vocabulary", params={"q": "no such thing"}).json()["total"] == 0


def test_every_kind_on_offer_can_be_declared() -> None:
    from texlift.meaning.declarations import Declarations
    from texlift.server.glossary import KINDS

    for kind in KINDS:
        assert Declarations.of({"x": kind})
