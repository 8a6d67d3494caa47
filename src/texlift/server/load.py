"""A small HTTP client that puts a service under load and measures what comes back.

Part of the package, because `texlift bench people` measures with it: `texlift bench people`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle

__all__ = ["Load", "put_under_load"]


@dataclass(slots=True)
class Load:
    """What came back: statuses, seconds of each answer with status 200, duration of the whole."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    duration: float = 0.0
    broken: int = 0

    @property
    def per_second(self) -> float:
        """Answers with status 200 per second."""
        return self.statuses[200] / self.duration if self.duration else 0.0

    def percentile(self, share: float) -> float:
        """Seconds within which `share` of the good answers came."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


async def put_under_load(
    host: str, port: int, bodies: Sequence[bytes], connections: int, seconds: float, path: str = "/translate"
) -> Load:
    """POST `bodies` in turn over keep-alive connections for some seconds."""
    load = Load()
    head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: "
    heads = [f"{head}{len(body)}\r\n\r\n".encode() + body for body in bodies]
    queue = cycle(heads)
    started = time.perf_counter()
    deadline = started + seconds
    await asyncio.gather(*(_client(host, port, queue, deadline, load) for _ in range(connections)))
    load.duration = time.perf_counter() - started
    return load


async def _client(host: str, port: int, queue: Iterator[bytes], deadline: float, load: Load) -> None:
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    while time.perf_counter() < deadline:
        try:
            if reader is None or writer is None:
                reader, writer = await asyncio.open_connection(host, port)
            request = next(queue)
            begun = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head[9:12])
            at = head.lower().find(b"content-length:")
            length = int(head[at + 15 : head.index(b"\r", at)]) if at >= 0 else 0
            await reader.readexactly(length)
            load.statuses[status] += 1
            if status == 200:
                load.seconds.append(time.perf_counter() - begun)
            else:
                await asyncio.sleep(0.01)
            if b"connection: close" in head.lower() or at < 0:
                writer.close()
                reader = writer = None
        except (OSError, asyncio.IncompleteReadError):
            load.broken += 1
            reader = writer = None
            await asyncio.sleep(0.02)
    if writer is not None:
        writer.close()
