"""What the service promises when somebody means it no good: who is answered, how long, and what is left afterwards."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from client import Client

from texlift.server.app import create_app
from texlift.server.metrics import Metrics
from texlift.server.process import Service, running
from texlift.server.settings import Settings
from texlift.translate.translator import load

JSON = (b"content-type", b"application/json")
HOST = (b"host", b"127.0.0.1:8017")


class Visit:
    """One request to an application in this process, whose client may leave."""

    def __init__(
        self, method: str, path: str, body: bytes = b"", headers: tuple[tuple[bytes, bytes], ...] = (HOST, JSON)
    ):
        self.scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
                      "headers": list(headers), "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 8017),
                      "scheme": "http", "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0"}}  # fmt: skip
        self.pieces: list[bytes] = [body]
        self.gone = asyncio.Event()
        self.status = 0
        self.body = b""

    async def receive(self) -> dict[str, Any]:
        if self.pieces:
            return {"type": "http.request", "body": self.pieces.pop(0), "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")

    async def run(self, app: Any) -> "Visit":
        await app(self.scope, self.receive, self.send)
        return self

    @property
    def code(self) -> str:
        return str(json.loads(self.body)["error"]["code"])


def asked(latex: str) -> bytes:
    return json.dumps({"latex": latex}).encode()


def in_loop(scenario: Callable[[], Any]) -> None:
    """Run a scenario in a thread's own event loop: a browser kept open by other tests may hold this thread's."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, scenario()).result()


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        (((b"host", b"evil.example"), JSON), 421, "host"),
        (((b"host", b""), JSON), 421, "host"),
        ((HOST, JSON, (b"origin", b"https://evil.example")), 403, "origin"),
        ((HOST, JSON, (b"origin", b"null")), 403, "origin"),
        ((HOST, (b"content-type", b"text/plain")), 415, "content-type"),
        ((HOST,), 415, "content-type"),
    ],
)
def test_other_sites_cannot_use_the_service(headers: tuple[Any, ...], status: int, code: str) -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings(hosts=("127.0.0.1", "localhost")))
        visit = await Visit("POST", "/translate", asked("x"), headers).run(app)
        assert (visit.status, visit.code) == (status, code)

    in_loop(scenario)


def test_the_own_page_may_use_it() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings(hosts=("127.0.0.1", "localhost")))
        headers = (HOST, (b"content-type", b"application/json; charset=utf-8"), (b"origin", b"http://127.0.0.1:8017"))
        assert (await Visit("POST", "/translate", asked("x"), headers).run(app)).status == 200
        proxied = create_app(load(), Settings(hosts=("127.0.0.1", "math.example"), origins=("math.example",)))
        headers = (HOST, JSON, (b"origin", b"https://math.example"))
        assert (await Visit("POST", "/translate", asked("x"), headers).run(proxied)).status == 200

    in_loop(scenario)


def test_health_is_answered_when_nothing_else_is() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings(requests=0, rate=0.001, burst=1))
        assert (await Visit("POST", "/translate", asked("x")).run(app)).status == 503
        for _ in range(5):
            assert (await Visit("GET", "/health").run(app)).status == 200

    in_loop(scenario)


def test_streams_leave_room_for_others() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings(streams=1))
        slow = Visit("POST", "/translate/stream")
        slow.pieces = []
        waiting = asyncio.ensure_future(slow.run(app))
        await asyncio.sleep(0.05)
        second = await Visit("POST", "/translate/stream", asked("x") + b"\n").run(app)
        assert (second.status, second.code) == (503, "busy")
        assert (await Visit("POST", "/translate", asked("x")).run(app)).status == 200
        slow.gone.set()
        await waiting

    in_loop(scenario)


def test_a_stream_that_is_cut_off_says_so() -> None:
    async def scenario() -> None:
        for settings in (Settings(read_seconds=0.05), Settings(stream_seconds=0.05), Settings(max_stream=10)):
            slow = Visit("POST", "/translate/stream")
            slow.pieces = [asked("x") + b"\n"] if settings.max_stream == 10 else []
            await slow.run(create_app(load(), settings))
            assert slow.code == "cut-off"

    in_loop(scenario)


def test_work_ends_when_the_client_leaves() -> None:
    """A batch of which one formula is translated at a time; its client leaves at once."""

    async def scenario() -> None:
        metrics = Metrics()
        app = create_app(load(), Settings(batch=1), metrics)
        formulae = [{"latex": rf"J_{{{n}}}(x)"} for n in range(400)]
        visit = Visit("POST", "/translate/batch", json.dumps({"formulae": formulae}).encode())
        answering = asyncio.ensure_future(visit.run(app))
        while not metrics.value("formulae"):
            await asyncio.sleep(0.001)
        visit.gone.set()
        await answering
        assert visit.status == 0
        assert (await Visit("POST", "/translate", asked(r"\zeta(s)")).run(app)).status == 200
        assert metrics.value("formulae") < 100
        assert metrics.value("waiting") == 0

    in_loop(scenario)


def test_two_clients_with_one_question_do_not_lose_their_answer() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings())
        first, second = (Visit("POST", "/translate", asked(r"\Gamma(z)+77")) for _ in range(2))
        runs = [asyncio.ensure_future(visit.run(app)) for visit in (first, second)]
        await asyncio.sleep(0)
        first.gone.set()
        await asyncio.gather(*runs)
        assert second.status == 200

    in_loop(scenario)


def test_a_batch_has_a_deadline() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings(batch_seconds=0.0))
        formulae = [{"latex": f"x+{n}"} for n in range(20)]
        visit = await Visit("POST", "/translate/batch", json.dumps({"formulae": formulae}).encode()).run(app)
        assert (visit.status, visit.code) == (503, "busy")

    in_loop(scenario)


def test_a_document_has_a_deadline_and_a_number_of_formulae() -> None:
    async def scenario() -> None:
        for settings, said in (
            (Settings(document_seconds=0.0), "takes too long"),
            (Settings(max_document_formulae=10), "limit of 10"),
        ):
            visit = Visit("POST", "/document", b"$x$ " * 50)
            visit.scope["query_string"] = b"name=a.tex"
            await visit.run(create_app(load(), settings))
            assert visit.status == 422
            assert said in json.loads(visit.body)["error"]["message"]

    in_loop(scenario)


def test_answers_are_bounded() -> None:
    async def scenario() -> None:
        app = create_app(load(), Settings())
        for latex in ("x" * 4000, "{" * 110 + "x" * 3000 + "}" * 110, r"\frac12" * 500):
            for binary in (False, True):
                body = json.dumps({"latex": latex, "binary": binary}).encode()
                visit = await Visit("POST", "/parse", body).run(app)
                assert visit.status in (200, 422)
                assert len(visit.body) < Settings().max_answer
        small = create_app(load(), Settings(max_answer=50))
        visit = await Visit("POST", "/parse", asked("x+y+z")).run(small)
        assert (visit.status, visit.code) == (422, "too-long")

    in_loop(scenario)


def test_every_error_has_the_same_shape(client: Client) -> None:
    answers = [
        client.get("/nothing"),
        client.get("/translate"),
        client.get("/macros", params={"limit": "many"}),
        client.post("/document", content=b"x"),
        client.post("/translate", content=b"{"),
        client.post("/translate", json={"latex": "{"}),
        client.post("/translate/batch", json={"formulae": 1}),
        client.post("/plot", json={"semantic": "x"}),
    ]
    for answer in answers:
        assert answer.status_code >= 400
        error = answer.json()["error"]
        assert isinstance(error["code"], str) and isinstance(error["message"], str), answer.text


def test_gauges_do_not_count_what_died_with_a_worker() -> None:
    metrics = Metrics(2)
    metrics.row = 1
    metrics.add("in_flight", 5)
    metrics.add("formulae", 7)
    metrics.forget_gauges(1)
    assert (metrics.value("in_flight"), metrics.value("formulae")) == (0, 7)


def test_connections_of_one_client() -> None:
    with running("--workers", "1", "--client-connections", "3") as service:
        held = [socket.create_connection((service.host, service.port)) for _ in range(3)]
        time.sleep(0.2)
        with socket.create_connection((service.host, service.port)) as one_more:
            one_more.settimeout(5)
            with contextlib.suppress(ConnectionError):
                assert one_more.recv(10) == b""
        for connection in held:
            connection.close()
        time.sleep(0.2)
        assert service.request("GET", "/health")[0] == 200


def test_a_second_server_on_the_port_is_an_error(service: Service) -> None:
    """Workers share a port with each other, not with another server."""
    command = [sys.executable, "-m", "texlift", "serve", "--port", str(service.port), "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "cannot listen" in done.stderr


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_leave_with_their_master() -> None:
    with running("--workers", "2") as service:
        workers = service.processes()[1:]
        assert len(workers) == 2
        os.kill(service.process.pid, signal.SIGKILL)
        service.process.wait(10)
        for _ in range(120):
            if not any(alive(worker) for worker in workers):
                break
            time.sleep(0.1)
        assert not any(alive(worker) for worker in workers)


def test_open_streams_do_not_keep_the_service_from_stopping() -> None:
    with running("--workers", "2") as service:
        head = b"POST /translate/stream HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n"
        streams = [socket.create_connection((service.host, service.port)) for _ in range(4)]
        for stream in streams:
            stream.sendall(head + b'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n')
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(10) == 0
        for stream in streams:
            stream.close()
