"""The page of functions per target says what the tables have, and somebody notices if it does not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "functions.py"


@pytest.fixture(scope="module")
def functions() -> ModuleType:
    spec = importlib.util.spec_from_file_location("functions", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["functions"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(functions: ModuleType) -> None:
    assert functions.main(["--check"]) == 0, "run python tools/functions.py"


def test_a_page_that_is_out_of_date_is_noticed(
    functions: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "functions.md"
    stale.write_text(functions.PAGE.read_text("utf-8").replace("besselj", "bessel_j"), "utf-8")
    monkeypatch.setattr(functions, "PAGE", stale)
    assert functions.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert functions.main([]) == 0
    assert functions.main(["--check"]) == 0


def test_every_row_is_written_for_some_system(functions: ModuleType) -> None:
    assert [row.call for row in functions.rows() if not any(row.code.values())] == []


def test_cells_are_code_or_say_that_the_function_is_defined(functions: ModuleType) -> None:
    by_call = {row.call: row.code for row in functions.rows()}
    assert by_call[r"\BesselJ{\nu}@{z}"]["maple"] == "BesselJ(nu, z)"
    assert by_call[r"\sec@{z}"]["mpmath"] == "sec(z)"
    assert by_call[r"\FerrersQ[\mu]{\nu}@{x}"]["sympy"] == functions.DEFINED
