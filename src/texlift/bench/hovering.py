"""How long an editor waits for a hover: the language server over its pipes, warm, alone and beside a large file."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from typing import Any

from texlift.bench.figure import Figure

__all__ = ["measure_hover"]

_ASKED = 100
_LARGE = 3_000  # formulae of the file that is read meanwhile
_LINES = [
    f"The gamma function $\\Gamma(z+{n})$ and the Bessel function $J_\\nu(z)$ of the first kind." for n in range(200)
]


def measure_hover() -> list[Figure]:
    """Milliseconds from question to answer: the median and the slowest of a hundred; empty without pygls."""
    try:
        import pygls  # noqa: F401
    except ModuleNotFoundError:
        return []
    with subprocess.Popen(
        [sys.executable, "-m", "texlift", "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        server = _Server(process)
        server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        server.tell("initialized", {})
        server.open("file:///small.tex", "\n".join(_LINES))
        server.hover("file:///small.tex", 0, 25)  # waits until the file is read
        alone = _times(server)
        other = "\n".join(f"The gamma function $\\Gamma(x_{{{n}}})+P_{{{n}}}(x)$." for n in range(_LARGE))
        server.open("file:///large.tex", other)
        beside = _times(server)
        process.kill()
    note = f"median of {_ASKED} questions; slowest {alone[-1]:.0f} ms"
    busy = f"while a file of {_LARGE:,} formulae is read; slowest {beside[-1]:.0f} ms"
    return [
        Figure("hover_ms", alone[_ASKED // 2], "ms", "<= 50", note),
        Figure("hover_busy_ms", beside[_ASKED // 2], "ms", "<= 50", busy),
    ]


def _times(server: _Server) -> list[float]:
    chosen = random.Random(3)
    found = []
    for _ in range(_ASKED):
        started = time.perf_counter()
        answer = server.hover("file:///small.tex", chosen.randrange(len(_LINES)), 25)
        found.append(1000 * (time.perf_counter() - started))
        if not answer:
            raise RuntimeError("the language server has nothing to say of a gamma function")
        time.sleep(0.01)
    return sorted(found)


class _Server:
    """One question at a time; what the server tells unasked is skipped."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._count = 0

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        while (message := self._read()).get("id") != self._count:
            pass
        return message.get("result")

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def open(self, uri: str, text: str) -> None:
        item = {"uri": uri, "languageId": "latex", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def hover(self, uri: str, line: int, character: int) -> Any:
        place = {"line": line, "character": character}
        return self.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while (line := self._process.stdout.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the language server has ended")
        record: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return record
