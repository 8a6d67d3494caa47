from pathlib import Path

import pytest

from texlift.corpus.jsonl import MAX_LINE, PairFileError, iterate_pairs, read_pairs, write_pairs
from texlift.corpus.pair import Pair
from texlift.errors import TexliftError

PAIRS = [Pair("1", r"\Gamma(z)", r"\EulerGamma@{z}", {"chapter": "Γ"}), Pair("2", "x", "x", fold=1)]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    assert write_pairs(path, PAIRS) == 2
    assert read_pairs(path) == PAIRS
    assert [p.name for p in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    write_pairs(path, PAIRS)

    def broken() -> list[Pair]:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        write_pairs(path, (pair for _ in range(2) for pair in broken()))
    assert read_pairs(path) == PAIRS
    assert [p.name for p in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TexliftError, match="cannot write"):
        write_pairs(tmp_path / "no" / "pairs.jsonl", PAIRS)
    with pytest.raises(TexliftError, match="cannot read"):
        read_pairs(tmp_path / "no.jsonl")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"generic": "x"', "not JSON"),
        (b"[1]", "not an object"),
        (b'{"generic": "x"}', "'semantic' is missing"),
        (b'{"generic": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deep|not JSON"),
        (b" " * (MAX_LINE + 5), "longer than"),
    ],
)
def test_errors_name_file_and_line_and_reading_goes_on(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    good = b'{"generic": "x", "semantic": "x"}\n'
    path.write_bytes(good + b"\n" + line + b"\n" + good)
    with pytest.raises(PairFileError, match=rf"bad\.jsonl:3: .*({message})"):
        read_pairs(path)
    errors: list[PairFileError] = []
    pairs = list(iterate_pairs(path, errors.append))
    assert [pair.id for pair in pairs] == ["1", "4"]
    assert [error.line for error in errors] == [3]
