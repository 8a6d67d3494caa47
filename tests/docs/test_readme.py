"""The README is true: its blocks print what it says, its commands run with the extras that it installs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from blocks import read_blocks, run_page
from extras import MODULES, environment, named

from texlift.extras import EXTRAS

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXT = README.read_text("utf-8")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and "`texlift" in line]
COMMANDS = [(row, command) for row in ROWS for command in re.findall(r"`(texlift [^`]+)`", row)]
INSTALLED = named(next(line for line in TEXT.splitlines() if "texlift translate" in line and "pip install" in line))

FILES = {
    "paper.tex": "\\documentclass{article}\\begin{document}The gamma function $\\Gamma(z)$.\\end{document}\n",
    "notes.md": "The gamma function $\\Gamma(z)$.\n",
    "formulae.jsonl": '{"latex": "J_\\\\nu(z)"}\n',
    "pairs.jsonl": '{"generic": "\\\\Gamma(z)", "semantic": "\\\\EulerGamma@{z}"}\n',
}


def run(command: str, folder: Path, extras: set[str]) -> subprocess.CompletedProcess[str]:
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    variables = environment(extras, folder / ".extras")
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False
    )


def test_the_blocks_print_what_they_show(tmp_path: Path) -> None:
    # probabilities change with the model; everything else must not
    page = tmp_path / "readme.md"
    page.write_text(re.sub(r"\d+\.\d%", "...", TEXT), "utf-8")
    assert run_page(page, tmp_path) == (2, [])
    (program,) = (block for block in read_blocks(README) if block.language == "python")
    for line in program.lines:
        if match := re.fullmatch(r"(r\.\S.*\S)  # (\S+)", line):  # an expression, and its value as a comment
            setup = "\n".join(one for one in program.lines if not one.startswith("r."))
            printed = run(f"python - <<'END'\n{setup}\nprint({match[1]})\nEND", tmp_path, set()).stdout
            assert printed.strip() == match[2] or match[2] in ("calibrated", "what"), line


def test_the_table_has_commands() -> None:
    assert len(COMMANDS) >= 10
    assert "serve" in INSTALLED


@pytest.mark.parametrize(("row", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_commands_run_with_what_the_first_line_installs(row: str, command: str, tmp_path: Path) -> None:
    if command == "texlift serve":
        pytest.skip("see below")
    shutil.copytree(ROOT / "experiments", tmp_path / "experiments")
    done = run(command, tmp_path, INSTALLED)
    needs = re.search(r"needs `\[(\w+)\]`", row)
    if needs is None:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"pip install 'texlift[{needs[1]}]'" in done.stderr


def test_the_service_is_where_the_readme_says(tmp_path: Path) -> None:
    address = re.search(r"`texlift serve`, then open (http://\S+)", TEXT)
    assert address is not None
    command = [sys.executable, "-m", "texlift", "serve", "--workers", "1"]
    process = subprocess.Popen(
        command,
        env=environment(INSTALLED, tmp_path / ".extras"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if "in use" in line:
            pytest.skip("something else has the port")
        assert address[1] in line
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address[1]}/docs", timeout=10) as answer:
                    assert answer.status == 200
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise AssertionError("no answer")
    finally:
        process.terminate()
        process.wait(30)


WITHOUT = [
    ("check 'x=x'", "compute"),
    ("check --semantic 'x=x' --plot x.png", "compute"),
    ("document paper.tex -o out.tex --report report.html", "serve"),
    ("document paper.tex -o out.tex --report report.json --check", "compute"),
    ("corpus stats demo --plot x.svg", "compute"),
    ("serve", "serve"),
    ("lsp", "editor"),
    ("train translator pairs.jsonl -o model", "train"),
    ("cluster pairs.jsonl", "train"),
    ("bench compute", "compute"),
]


@pytest.mark.parametrize(("command", "extra"), WITHOUT, ids=[command for command, _ in WITHOUT])
def test_a_missing_extra_is_named_in_one_line(command: str, extra: str, tmp_path: Path) -> None:
    done = run(f"texlift {command}", tmp_path, set())
    assert done.returncode == 1
    assert re.fullmatch(
        rf"error: this needs \w+, which is not installed: pip install 'texlift\[{extra}\]'\n", done.stderr
    )
    assert not (tmp_path / "out.tex").exists()


def test_every_module_of_an_extra_is_known() -> None:
    import tomllib

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    modules = {"python-flint": "flint", "scikit-learn": "sklearn", "math-core": "math_core"}
    for extra, names in EXTRAS.items():
        wanted = {re.split(r"[<>=; \[]", name)[0] for name in declared[extra]} - {"texlift"}
        assert {modules.get(name, name) for name in wanted} - {"matplotlib"} <= set(names) <= MODULES[extra], extra
