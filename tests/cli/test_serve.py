import socket
import subprocess
import sys

import pytest

pytest.importorskip("fastapi", reason="the service needs texlift[serve]")

COMMAND = [sys.executable, "-c", "from texlift.cli.app import main; main()", "serve"]


def test_port_in_use_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "cannot listen" in done.stderr
    assert "Traceback" not in done.stderr


def test_loopback_is_the_default() -> None:
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert "127.0.0.1" in done.stdout
