"""The checklist of the paper's mechanisms names files, tests and entries of the queue that are there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from run_experiments import read_queue

ROOT = Path(__file__).parents[2]
CHECKLIST = (ROOT / "docs" / "paper.md").read_text("utf-8").partition("## Checklist")[2].partition("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in CHECKLIST.splitlines() if "|" in line]


def test_its_files_and_tests_exist() -> None:
    mechanisms = [row for row in ROWS if len(row) == 4 and row[1].startswith(("`", "the same"))]
    assert len(mechanisms) > 20
    for what, file, tests, _ in mechanisms:
        for name in re.findall(r"`(texlift[^`]+)`", file):
            assert (ROOT / "src" / name).exists(), (what, name)
        source = ""
        for name in re.findall(r"`([^`]+)`", tests):
            path, _, test = name.rpartition("::")
            source = (ROOT / "tests" / path).read_text("utf-8") if path else source
            assert f"def {test}(" in source, (what, name)


def test_its_entries_of_the_queue_exist() -> None:
    entries = {item.entry for item in read_queue(ROOT / "tools" / "experiment_queue.toml", [])}
    lists = [names for row in ROWS for names in re.findall(r"queue ((?:`[^`]+`(?:, )?)+)", row[-1])]
    named = {name for names in lists for name in re.findall(r"`([^`]+)`", names)}
    assert len(named) > 15
    assert named <= entries
