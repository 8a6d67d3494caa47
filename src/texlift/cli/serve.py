"""`texlift serve`: the HTTP API and the page."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import typer

from texlift.extras import require

app = typer.Typer()

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_MOST_BY_DEFAULT = 4


@app.command()
def serve(
    host: str = typer.Option("127.0.0.1", help="Address to listen on; other machines reach it only if you say so."),
    port: int = typer.Option(8017, min=0, max=65535, help="Port; 0 takes any that is free."),
    workers: int = typer.Option(
        0, "--workers", "-w", min=0, max=64, help="Worker processes; 0: one for each core, at most 4."
    ),
    rate: float = typer.Option(
        -1.0, help="Requests a second from one address; 0: no limit. Default: none on loopback, else 20."
    ),
    client_connections: int = typer.Option(
        -1, help="Open connections from one address; 0: no limit. Default: none on loopback, else 50."
    ),
    allow_host: list[str] = typer.Option(
        [], help="A name others call the service by; requests for other names are refused. May be repeated."
    ),
    queue: int = typer.Option(256, min=1, help="Formulae that may wait in a worker; more are answered with 503."),
    max_formula: int = typer.Option(4_000, min=10, help="Longest formula in characters."),
    max_document: int = typer.Option(10_000_000, min=1000, help="Largest document in bytes."),
    timeout: float = typer.Option(10.0, min=0.1, help="Seconds a client may take to send a request."),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
) -> None:
    """Serve the HTTP API and a page to try it on; Ctrl-C stops, running requests are finished."""
    # Workers share the cores; threads inside the linear algebra would only get in each other's way.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    require("uvicorn", "fastapi", "httptools", "math_core", "mpmath", "sympy")
    from texlift.server.settings import Settings
    from texlift.server.workers import bind
    from texlift.server.workers import serve as run

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s", force=True)
    local = host in _LOOPBACK
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    settings = Settings(
        host="127.0.0.1" if host == "localhost" else host,
        port=port,
        workers=workers or min(cores, _MOST_BY_DEFAULT),
        model=model,
        max_formula=max_formula,
        max_document=max_document,
        queue=queue,
        read_seconds=timeout,
        rate=(0.0 if local else 20.0) if rate < 0 else rate,
        client_connections=(0 if local else 50) if client_connections < 0 else client_connections,
        origins=tuple(name.lower() for name in allow_host),
        hosts=tuple(name.lower() for name in allow_host) or (tuple(sorted({*_LOOPBACK, host})) if local else ()),
    )
    bound = bind(settings)
    address = bound.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    typer.echo(f"texlift is at http://{shown}:{address[1]}/  ({settings.workers} worker(s), Ctrl-C to stop)")
    if not local:
        typer.echo("other machines can reach it: put a proxy with TLS in front of it", err=True)
    run(settings, bound)
