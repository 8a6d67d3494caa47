"""A service in a process of its own, for measurements and tests: started, waited for, stopped."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError

__all__ = ["Service", "content_type", "running"]

_COMMAND = [sys.executable, "-c", "from texlift.cli.app import main; main()", "serve", "--port", "0"]
_ADDRESS = re.compile(r"http://([\d.]+):(\d+)/")


@dataclass(frozen=True, slots=True)
class Service:
    """A running service."""

    process: subprocess.Popen[str]
    host: str
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    def request(self, method: str, path: str, body: Any = None, seconds: float = 60.0) -> tuple[int, Any]:
        """One request: status and answer, JSON read."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds)
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, data, {"content-type": content_type(path)})
            response = connection.getresponse()
            text = response.read().decode()
            is_json = response.getheader("content-type", "").startswith("application/json")
            return response.status, json.loads(text) if is_json else text
        finally:
            connection.close()

    def memory(self) -> float:
        """Resident megabytes of the process and its workers (Linux)."""
        total = 0.0
        for process in self.processes():
            try:
                status = Path(f"/proc/{process}/smaps_rollup").read_text()
            except OSError:
                continue
            match = re.search(r"^Pss:\s+(\d+)", status, re.MULTILINE)
            total += int(match[1]) / 1024 if match else 0.0
        return total

    def processes(self) -> list[int]:
        """The process and its workers (Linux)."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [self.process.pid, *map(int, children.read_text().split())] if children.exists() else [self.process.pid]


def content_type(path: str) -> str:
    """The content type that the service wants for a request to a path."""
    if path.partition("?")[0] == "/document":
        return "application/octet-stream"
    return "application/x-ndjson" if path.endswith("/stream") else "application/json"


@contextmanager
def running(*arguments: str) -> Iterator[Service]:
    """A service on a free port, with more arguments for `texlift serve`; stopped at the end."""
    process = subprocess.Popen([*_COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        match = _ADDRESS.search(process.stdout.readline())
        if match is None:
            raise TexliftError("the service did not start")
        service = Service(process, match[1], int(match[2]))
        _wait(service)
        yield service
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _wait(service: Service) -> None:
    """Until the workers answer: they load the model first."""
    import time

    for _ in range(300):
        try:
            if service.request("GET", "/health")[0] == 200:
                return
        except OSError:
            if service.process.poll() is not None:
                break
            time.sleep(0.1)
    raise TexliftError("the service did not start")
