import asyncio
import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from texlift.server.load import put_under_load
from texlift.server.process import Service, running


def test_overload_is_refused_and_passes() -> None:
    """Many more connections than the queue holds: answers or 503, then everything is as before."""
    bodies = [json.dumps({"latex": rf"\Gamma({n})+J_{{{n}}}(x)"}).encode() for n in range(3000)]
    with running("--workers", "1", "--queue", "8") as service:
        # in a thread of its own: a browser kept open by other tests may hold this thread's event loop
        with ThreadPoolExecutor(1) as pool:
            load = pool.submit(asyncio.run, put_under_load(service.host, service.port, bodies, 60, 2.0)).result()
        assert set(load.statuses) <= {200, 429, 503}
        assert load.statuses[503] > 0
        assert load.statuses[200] > 0
        assert service.request("POST", "/translate", {"latex": r"\Gamma(z)"})[0] == 200
        assert "texlift_waiting 0" in service.request("GET", "/metrics")[1]


def test_workers_share_their_metrics(service: Service) -> None:
    for n in range(8):  # each on a connection of its own, spread over the workers
        assert service.request("POST", "/translate", {"latex": f"x+{n}"})[0] == 200
    line = next(
        line for line in service.request("GET", "/metrics")[1].splitlines() if line.startswith("texlift_formulae")
    )
    assert float(line.split()[1]) >= 8


def test_a_dead_worker_is_replaced(service: Service) -> None:
    before = service.processes()
    os.kill(before[1], signal.SIGKILL)
    for _ in range(100):
        after = service.processes()
        if len(after) == len(before) and before[1] not in after:
            break
        time.sleep(0.05)
    else:
        raise AssertionError("no new worker")
    time.sleep(0.5)
    for _ in range(6):
        assert service.request("GET", "/health")[0] == 200


def test_slow_clients_are_cut_off(service: Service) -> None:
    """A head that never ends is closed after the time limit; others are served meanwhile."""
    with socket.create_connection((service.host, service.port)) as slow:
        slow.sendall(b"POST /translate HTTP/1.1\r\nhost: x\r\n")
        assert service.request("GET", "/health")[0] == 200
        slow.settimeout(15)
        assert slow.recv(100) == b""


def test_a_head_without_end_is_cut_off(service: Service) -> None:
    with socket.create_connection((service.host, service.port)) as client:
        client.settimeout(10)
        try:
            for _ in range(200):
                client.sendall(b"GET / HTTP/1.1\r\nx: " + b"a" * 2000)
            assert client.recv(100) == b""
        except (ConnectionError, TimeoutError) as error:
            assert isinstance(error, ConnectionError)


def test_who_does_not_read_is_cut_off(service: Service) -> None:
    """Answers that nobody takes in would wait for ever, each as a running request, until there is room for no other."""
    asked = 40
    name = "mathlive.min.mjs"
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((service.host, service.port))
        client.settimeout(10)
        client.sendall(f"GET /static/editor/{name} HTTP/1.1\r\nhost: {service.host}\r\n\r\n".encode() * asked)
        time.sleep(5)  # the service waits for 3
        received = 0
        try:
            while piece := client.recv(1 << 20):
                received += len(piece)
        except ConnectionError:
            pass
    size = len(service.request("GET", f"/static/editor/{name}")[1].encode())
    assert received < asked * size


def test_running_requests_are_finished_on_stop() -> None:
    with running("--workers", "1") as service:
        results: list[int] = []
        body = {"semantic": r"\EulerGamma@{z+1}=z\EulerGamma@{z}"}
        thread = threading.Thread(target=lambda: results.append(service.request("POST", "/check", body)[0]))
        thread.start()
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        thread.join(20)
        assert results == [200]
        assert service.process.wait(20) == 0
