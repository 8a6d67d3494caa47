"""Every code block of the documentation runs, and prints what the page says."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from blocks import read_blocks, run_page

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if any(b.language in ("console", "python") for b in read_blocks(path))
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_code_blocks_of_a_page(page: Path, tmp_path: Path) -> None:
    ran, skipped = run_page(page, tmp_path)
    for reason in skipped:
        print(f"skipped {reason}")
    if not ran:
        pytest.skip("; ".join(skipped))


def test_blocks_are_compared_with_what_they_print(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text('```text title="a.txt"\nhello\n```\n\n```console\n$ cat a.txt; echo 1\nhel...\n1\n```\n')
    assert run_page(page, tmp_path) == (2, [])
    page.write_text("```python\nprint(1)\n```\n```text\n2\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:1: expected\n2\n\nbut it prints\n1"):
        run_page(page, tmp_path)
    page.write_text("<!-- needs: no_such_module -->\n```python\nimport no_such_module\n```\n")
    assert run_page(page, tmp_path) == (0, ["page.md:2: needs no_such_module"])
