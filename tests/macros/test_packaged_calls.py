"""The macros of the packaged vocabulary, found without reading all of it."""

from __future__ import annotations

import subprocess
import sys

from texlift.macros.concepts import packaged_calls, vocabulary


def test_the_lines_that_name_macros_say_what_the_entries_say() -> None:
    calls = packaged_calls()
    assert calls == vocabulary().call_signatures
    assert calls[r"\plusOf"].parameters == 2


def test_a_translation_reads_no_entries_of_the_vocabulary() -> None:
    program = "import sys, texlift; texlift.translate(r'\\Gamma(z)'); print('tomllib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
