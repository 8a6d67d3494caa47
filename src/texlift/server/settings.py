"""What the service allows: sizes, times, rates. One object, given to everything that has to keep a limit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of one worker process; the defaults suit a small machine."""

    host: str = "127.0.0.1"
    port: int = 8017
    workers: int = 1
    model: Path | None = None

    max_formula: int = 4_000  # characters; twice the longest formula of the DLMF
    long_formula: int = 800  # longer ones are translated separately, so that others need not wait
    max_body: int = 1_000_000  # bytes of a request
    max_document: int = 10_000_000  # bytes of an uploaded document
    max_document_formulae: int = 5_000
    max_stream: int = 100_000_000  # bytes of a whole stream
    max_batch: int = 500  # formulae in one batch request
    max_checks: int = 20  # formulae in one batch request to /check

    queue: int = 256  # formulae that may wait; more are answered with 503
    batch: int = 64  # formulae translated together
    documents: int = 2  # documents that may wait or be worked on
    checks: int = 8  # checks that may wait or run
    requests: int = 1_000  # worked on at the same time; more are answered with 503
    streams: int = 100  # among them; so slow ones cannot take up all
    connections: int = 4_000  # open at the same time; of more, those that wait longest for a request are closed

    request_seconds: float = 15.0  # until an answer, else 503
    batch_seconds: float = 60.0  # until all answers of a batch
    stream_seconds: float = 3_600.0  # for a whole stream
    document_seconds: float = 120.0
    document_check_seconds: float = 40.0  # for all numeric checks of a document; the rest stay unchecked
    check_seconds: float = 10.0
    read_seconds: float = 10.0  # for the head of a request, and between two pieces of its body
    stop_seconds: float = 8.0  # for running requests when the service stops; then they are cut off

    rate: float = 0.0  # requests a second from one address; 0: no limit
    burst: int = 100
    client_connections: int = 0  # open from one address; 0: no limit
    hosts: tuple[str, ...] = ()  # names the service is called by; none: any. Others are refused
    origins: tuple[str, ...] = ()  # names of sites whose pages may ask, besides the service's own page
    cache_bytes: int = 64_000_000  # answers remembered
    max_answer: int = 2_000_000  # bytes of the answer to one formula

    def largest(self, path: str) -> int:
        """Bytes that a request to a path may have; a document to review comes in base64, with choices."""
        if path == "/document/review":
            return self.max_document * 4 // 3 + self.max_body
        return self.max_document if path == "/document" else self.max_body
