"""A worker process that is spoken to in lines, with a limit of processor time and of memory.

A plain subprocess and not `multiprocessing`, whose processes import the caller's main module again.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from pathlib import Path

from texlift.errors import TexliftError
from texlift.extras import require

__all__ = ["LineProcess"]

_CLOCK = 20  # times the processor time, for a machine that has little of it to give
_GRACE = 1.5  # seconds on top of that before a worker is ended by force
_START = 60  # seconds to start


class LineProcess:
    """One process; `command` is Python code that writes the line `ready` and then answers each line with one."""

    def __init__(self, command: str, seconds: float, clock: float = _CLOCK, grace: float = _GRACE) -> None:
        self.command = command
        self.seconds = seconds
        self.clock = clock
        self.grace = grace
        self.started = 0.0
        self.used = 0.0  # processor time of the process before its task
        self.spawn()

    def spawn(self) -> None:
        """Start the process and wait until it is ready."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        if not self._is_ready():
            require("mpmath", "sympy")
            raise TexliftError("the worker process for numeric checks does not start")

    def _is_ready(self) -> bool:
        """Wait for a process that starts: as long as it is alive, by processor time where the machine is busy."""
        latest = time.monotonic() + _CLOCK * _START
        while True:
            line = self.line(1.0)
            if line is not None:
                return line == b"ready\n"
            used = _processor_time(self.process.pid)
            if time.monotonic() > (latest if used is not None and used < _START else latest - (_CLOCK - 1) * _START):
                return False

    def fileno(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def line(self, timeout: float) -> bytes | None:
        """The next line of the worker, b"" if it died, None if there is none in time."""
        ready, _, _ = select.select([self], [], [], timeout)
        if not ready:
            return None
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def send(self, line: bytes) -> None:
        """Give the process a task; its time starts."""
        self.started = time.monotonic()
        self.used = _processor_time(self.process.pid) or 0.0
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it has died: seen, and told, when it is asked for its answer
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()

    def overran(self) -> bool:
        """Too much processor time, or far too long on the clock of a machine that has little of it to give."""
        elapsed = time.monotonic() - self.started
        used = _processor_time(self.process.pid)
        if used is None:
            return elapsed > 3 * self.seconds + self.grace
        return used - self.used > self.seconds + self.grace or elapsed > self.clock * self.seconds + self.grace

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _processor_time(pid: int) -> float | None:
    """Seconds of processor time of a process, where the system tells (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None
