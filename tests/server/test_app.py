import base64
import json
import threading
import time
import tomllib
from typing import Any

import pytest
from client import Client

from texlift.latex.canonical import canonical


def test_translate_answers_with_decisions_and_mathml(client: Client) -> None:
    answer = client.post("/translate", json={"latex": r"\Gamma(z)", "context": "Gamma function", "render": True})
    record = answer.json()
    assert answer.status_code == 200
    assert record["semantic"] == r"\EulerGamma@{z}"
    assert record["decisions"][0]["macro"] == r"\EulerGamma"
    assert record["decisions"][0]["url"].startswith("https://dlmf.nist.gov/")
    assert record["mathml"].startswith("<math")


def test_choice_changes_the_answer(client: Client) -> None:
    first = client.post("/translate", json={"latex": "J_n(x)", "context": "Bessel functions"}).json()["decisions"][0]
    chosen = [{"start": first["start"], "end": first["end"], "macro": ""}]
    answer = client.post("/translate", json={"latex": "J_n(x)", "context": "Bessel functions", "choices": chosen})
    assert first["macro"] == r"\BesselJ"
    assert answer.json()["semantic"] == "J_n(x)"


def test_broken_formula_is_422_with_the_place(client: Client) -> None:
    answer = client.post("/translate", json={"latex": r"\frac{1}{"})
    assert answer.status_code == 422
    assert answer.json()["error"]["position"] == 8


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"latex": 1}', b'{"latex": "x", "other": 1}', b"\xff\xfe"])
def test_wrong_json_is_400(client: Client, body: bytes) -> None:
    answer = client.post("/translate", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_formula_over_the_limit(client: Client) -> None:
    answer = client.post("/translate", json={"latex": "x+" * 10_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too-long")


def test_batch_keeps_order_and_errors(client: Client) -> None:
    answer = client.post("/translate/batch", json={"formulae": [{"latex": r"\Gamma(z)"}, {"latex": "{"}, {"x": 1}]})
    results = answer.json()["results"]
    assert results[0]["semantic"] == r"\EulerGamma@{z}"
    assert results[1]["error"]["code"] == "syntax"
    assert results[2]["error"]["code"] == "request"


def test_stream_has_a_line_for_each_line(client: Client) -> None:
    lines = [json.dumps({"latex": formula}) for formula in (r"\Gamma(z)", "{", r"\zeta(s)")]
    answer = client.post("/translate/stream", content="\n".join(lines))
    records = [json.loads(line) for line in answer.text.splitlines()]
    assert [record["semantic"] for record in records] == [r"\EulerGamma@{z}", None, r"\Riemannzeta@{s}"]


def test_expand_convert_parse(client: Client) -> None:
    expanded = client.post("/expand", json={"semantic": r"\EulerGamma@{z}"}).json()["latex"]
    assert canonical(expanded).key == canonical(r"\Gamma(z)").key
    converted = client.post("/convert", json={"semantic": r"\BesselJ{\nu}@{z}", "to": "sympy"}).json()
    assert converted["code"] == "besselj(nu, z)"
    everything = client.post("/convert", json={"latex": r"\Gamma(z)"}).json()["targets"]
    assert everything["mathematica"]["code"] == "Gamma[z]"
    parsed = client.post("/parse", json={"latex": r"\frac{a}{b}"}).json()
    assert parsed["tree"] == ["\\frac", ["a", "b"]]
    assert parsed["svg"].startswith("<svg")


def test_check_and_plot(client: Client) -> None:
    verdict = client.post("/check", json={"semantic": r"\EulerGamma@{z+1}=z\EulerGamma@{z}"}).json()
    assert verdict["verdict"] == "proved" and verdict["domain"] == "z complex" and verdict["points"] > 10
    partly = client.post("/check", json={"semantic": "|x|=x", "confidence": 0.5}).json()
    assert partly["verdict"] == "refuted" and partly["holds"] == "x >= 0" and not partly["certain"]
    curves = client.post("/plot", json={"semantic": r"\EulerGamma@{x+1}=x\EulerGamma@{x}"}).json()
    assert curves["variable"] == "x"
    pairs = [(a, b) for a, b in zip(curves["left"], curves["right"], strict=True) if None not in (a, b)]
    assert len(pairs) > 100 and [a for a, _ in pairs] == pytest.approx([b for _, b in pairs])
    assert client.post("/plot", json={"semantic": "x+y"}).status_code == 422


def test_macros(client: Client) -> None:
    found = client.get("/macros", params={"q": "bessel", "limit": 5}).json()
    assert found["total"] > 5
    assert len(found["macros"]) == 5
    assert client.get("/macros/BesselJ").json()["call"] == r"\BesselJ{#1}@{#2}"
    missing = client.get("/macros/BeselJ")
    assert missing.status_code == 404
    assert r"\BesselJ" in missing.json()["error"]["message"]


def test_document(client: Client) -> None:
    source = "% $\\Gamma(no)$\r\nText $\\Gamma(z)$ und $x\\input{secret}$ \\input{/etc/passwd}\n"
    record = client.post("/document", params={"name": "a.tex"}, content=source).json()
    assert record["output"].startswith("% $\\Gamma(no)$\r\nText $\\EulerGamma@{z}$")
    assert any("not followed" in problem for problem in record["problems"])
    assert "<title>a.tex" in record["report"]


@pytest.mark.parametrize(("name", "body"), [("a.exe", b"x"), ("a.tex", b"\xff\xfe\xff"), ("a.ipynb", b"{}")])
def test_document_that_is_none(client: Client, name: str, body: bytes) -> None:
    answer = client.post("/document", params={"name": name}, content=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


def test_too_large_bodies_are_refused(client: Client) -> None:
    assert client.post("/translate", content=b"x" * 1_000_001).status_code == 413
    assert client.post("/document", params={"name": "a.tex"}, content=b"x" * 10_000_001).status_code == 413


def test_page_and_headers(client: Client) -> None:
    page = client.get("/")
    assert "<title>texlift</title>" in page.text
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    again = client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["nothing.js", "..%2fapp.py", "%2e%2e/app.py", "..\\app.py"])
def test_only_files_of_the_page_are_served(client: Client, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_scripts_in_formulae_stay_text(client: Client) -> None:
    evil = r'<script>alert(1)</script>\text{"><img src=x onerror=alert(1)>}'
    record = client.post("/translate", json={"latex": evil, "render": True}).json()
    assert "<script" not in record["mathml"]
    assert "<img" not in record["mathml"]


def test_openapi_has_examples_for_every_post(client: Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/translate", "/expand", "/convert", "/check", "/parse", "/macros", "/document"} <= paths.keys()
    for name in ("translate", "expand", "convert", "check", "parse"):
        for suffix in ("", "/batch", "/stream"):
            content = paths[f"/{name}{suffix}"]["post"]["requestBody"]["content"]
            assert all(described["example"] for described in content.values())


def test_health_and_metrics(client: Client) -> None:
    assert client.get("/health").json()["status"] == "ok"
    text = client.get("/metrics").text
    assert 'texlift_requests_total{route="/translate",status="200"}' in text
    assert 'texlift_request_seconds_bucket{route="/translate",le="+Inf"}' in text


def test_a_long_formula_does_not_keep_the_others_waiting(client: Client) -> None:
    long = threading.Thread(target=client.post, args=("/translate", {"latex": "W" * 3_500}))
    long.start()
    started = time.monotonic()
    assert client.post("/translate", json={"latex": r"\zeta(s)+7"}).status_code == 200
    waited = time.monotonic() - started
    long.join()
    assert waited < time.monotonic() - started


def test_the_description_is_a_page_and_a_schema(client: Client) -> None:
    page = client.get("/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/openapi.json").status_code == 200


@pytest.mark.parametrize("typed", [r"$\Gamma(z)$", r"$$\Gamma(z)$$", r"\[\Gamma(z).\]", r"\Gamma(z)\label{a}"])
def test_what_is_wrapped_around_a_formula_is_taken_off(client: Client, typed: str) -> None:
    record = client.post("/translate", json={"latex": typed}).json()
    assert (record["latex"], record["semantic"]) == (r"\Gamma(z)", r"\EulerGamma@{z}")
    assert client.post("/convert", json={"latex": typed, "to": "sympy"}).json()["code"] == "gamma(z)"
    assert (
        client.post("/convert", json={"semantic": f"${record['semantic']}$", "to": "sympy"}).json()["code"]
        == "gamma(z)"
    )
    assert client.post("/expand", json={"semantic": f"${record['semantic']}$"}).json()["latex"].startswith(r"\Gamma")
    assert client.post("/parse", json={"latex": typed}).status_code == 200


def test_places_of_errors_are_those_of_what_was_typed(client: Client) -> None:
    error = client.post("/translate", json={"latex": r"$\frac{1}{$"}).json()["error"]
    assert error["position"] == 9


@pytest.mark.parametrize("empty", ["", " ", "$$", r"\label{a}"])
def test_an_empty_formula_is_an_error(client: Client, empty: str) -> None:
    for path, field in (("/translate", "latex"), ("/expand", "semantic"), ("/parse", "latex")):
        answer = client.post(path, json={field: empty})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "empty"


def test_ids_come_back(client: Client) -> None:
    for path, field in (
        ("/translate", "latex"),
        ("/expand", "semantic"),
        ("/parse", "latex"),
        ("/convert", "semantic"),
    ):
        assert client.post(path, json={field: "x", "id": "a"}).json()["id"] == "a"
        assert client.post(path, json={field: "{", "id": 7}).json()["id"] == 7
        many = client.post(
            f"{path}/batch", json={"formulae": [{field: "x", "id": 1}, {field: "{", "id": 2}, {field: "y"}]}
        )
        assert [result.get("id") for result in many.json()["results"]] == [1, 2, None]
        lines = client.post(
            f"{path}/stream", content=b'{"%s": "x", "id": 5}\n{"%s": "{", "id": 6}\n' % ((field.encode(),) * 2)
        )
        assert [json.loads(line)["id"] for line in lines.text.splitlines()] == [5, 6]


def test_choices_that_cannot_be_followed_are_errors(client: Client) -> None:
    for choice in ({"start": 0, "end": 6, "macro": r"\EulerGamma"}, {"start": 50, "end": 60, "macro": ""}):
        answer = client.post("/translate", json={"latex": "J_n(x)", "choices": [choice]})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "choice"


def test_one_formula_cannot_stop_the_others(client: Client) -> None:
    odd = [r"e\Big^", r"W\left_\right)", r"T{}\Big^", r"\Kelvinber", r"\mathrel\rm", "ζ(2)=π²/6", r"\pgcd{a}"]
    results = client.post("/convert/batch", json={"formulae": [{"latex": f} for f in [*odd, r"\Gamma(z)"]]}).json()[
        "results"
    ]
    assert len(results) == len(odd) + 1
    assert results[-1]["targets"]["sympy"]["code"] == "gamma(z)"
    assert "internal" not in json.dumps(results)


def _reviewed(client: Client, text: str, **more: object) -> dict[str, Any]:
    data = base64.b64encode(text.encode()).decode()
    answer = client.post("/document/review", json={"name": "a.tex", "data": data, **more})
    assert answer.status_code == 200, answer.text
    record: dict[str, Any] = answer.json()
    files = {file["kind"]: base64.b64decode(file["data"]).decode() for file in record["files"]}
    return {**record, "files": files}


def test_review_of_a_document_obeys_its_author(client: Client) -> None:
    text = "The gamma function $\\Gamma(z)$ and the zeta function $\\zeta(s)$."
    record = _reviewed(client, text)
    gamma = next(change for change in record["changes"] if change["latex"] == r"\Gamma(z)")
    assert gamma["written"] == r"\EulerGamma@{z}"
    assert "gamma function" in gamma["words"]
    assert "<math" in gamma["before"]
    assert "<math" in gamma["after"]
    assert {symbol["macro"] for symbol in record["symbols"]} == {r"\EulerGamma", r"\Riemannzeta"}
    assert r"\EulerGamma" in record["files"]["macros"]
    rejected = _reviewed(client, text, rejected={gamma["names"][0]: "a group"})["files"]
    assert rejected["result"] == "The gamma function $\\Gamma(z)$ and the zeta function $\\Riemannzeta@{s}$."
    vetoed = _reviewed(client, text, readings={r"\zeta": ""})["files"]
    assert vetoed["result"] == "The gamma function $\\EulerGamma@{z}$ and the zeta function $\\zeta(s)$."
    assert tomllib.loads(vetoed["choices"]) == {"readings": {r"\zeta": ""}}
    assert "+The gamma function $\\EulerGamma@{z}$" in vetoed["diff"]


def test_review_lists_what_fails_numerically(client: Client) -> None:
    text = "The gamma function has $\\Gamma(z+1)=z+\\Gamma(z)$."
    (change,) = _reviewed(client, text, check=True)["changes"]
    assert change["verdict"]["verdict"] == "refuted"
    assert "refuted" in change["classes"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"data": "no base64!"}, 400),
        ({"name": "a.exe"}, 422),
        ({"readings": {r"\Gamma": r"\BeselJ"}}, 422),
        ({"readings": {r"\Gamma": r"\BesselJ"}}, 422),
        ({"unknown": 1}, 400),
    ],
)
def test_a_review_that_cannot_be_obeyed_is_refused(client: Client, change: dict[str, Any], status: int) -> None:
    data = base64.b64encode(b"The gamma function $\\Gamma(z)$").decode()
    answer = client.post("/document/review", json={"name": "a.tex", "data": data, **change})
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
