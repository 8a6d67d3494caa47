from pathlib import Path

import pytest

from texlift.documents.document import read_document
from texlift.documents.source import read_source, write_atomically
from texlift.errors import TexliftError


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_come_back(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes("Größe $x$\r\n".encode(encoding))
    source = read_source(path)
    assert source.text == "Größe $x$\r\n"
    assert source.encoded(source.text) == path.read_bytes()


def test_declared_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes("\\usepackage[latin1]{inputenc} Größe".encode("latin-1"))
    source = read_source(path)
    assert "Größe" in source.text
    assert source.encoded(source.text) == path.read_bytes()


def test_unknown_encoding_says_where_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes(b"one\ntwo \xff")
    with pytest.raises(TexliftError, match=r"line 2: byte 0xff .*--encoding"):
        read_source(path)
    assert read_source(path, "latin-1").text == "one\ntwo ÿ"


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "sub/../../secret", "~/x", "|ls", "link", "C:x", "a\0b"])
def test_input_stays_inside_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.tex").write_text("$secret$")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    (folder / "main.tex").write_text(f"\\input{{{name}}} $x$")
    document = read_document(folder / "main.tex")
    assert [formula.latex for formula in document.formulae] == ["x"]
    assert "not followed" in document.problems[0].message


def test_files_that_include_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("$a$ \\input{b}")
    (tmp_path / "b.tex").write_text("$b$ \\input{a} \\input b")
    document = read_document(tmp_path / "a.tex")
    assert [formula.latex for formula in document.formulae] == ["a", "b"]
    assert len(document.problems) == 2
    assert "include each other" in document.problems[0].message


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.tex"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert [file.name for file in path.parent.iterdir()] == ["out.tex"]
