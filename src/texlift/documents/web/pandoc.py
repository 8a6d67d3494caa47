"""LaTeX text to HTML by pandoc, which must be installed; formulae are stand-ins by then.

pandoc runs in its sandbox: it reads no files and fetches nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from texlift.errors import TexliftError

__all__ = ["html_by_pandoc", "require_pandoc"]

_SECONDS = 120
_TEMPLATE = (
    "$if(title)$<h1>$title$</h1>\n$endif$$for(author)$<p>$author$</p>\n$endfor$$if(date)$<p>$date$</p>\n$endif$"
    "$if(abstract)$<section>\n<h2>Abstract</h2>\n$abstract$\n</section>\n$endif$$body$\n"
)


def require_pandoc() -> str:
    """The program; raises TexliftError if it is not installed."""
    found = shutil.which("pandoc")
    if found is None:
        raise TexliftError(
            "a page of a LaTeX document needs pandoc (2.15 or newer), which is not installed: see https://pandoc.org/"
            "installing.html, or `apt install pandoc`; Markdown and notebooks need nothing. LaTeXML, where it "
            "is installed, can take its place for documents that you trust: --with latexml"
        )
    return found


def html_by_pandoc(text: str) -> str:
    """The body of the page. Raises TexliftError if pandoc cannot read the text."""
    program = require_pandoc()
    with tempfile.TemporaryDirectory(prefix="texlift-") as folder:
        template = Path(folder) / "page.html"
        template.write_text(_TEMPLATE, "utf-8")
        command = [program, "--from=latex", "--to=html5", "--sandbox", "--wrap=none", "--standalone", "--mathml"]
        command += [f"--template={template}", "--shift-heading-level-by=1", "--metadata=lang:en"]
        try:
            done = subprocess.run(
                command,
                input=text.encode("utf-8", "replace"),
                capture_output=True,
                cwd=folder,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TexliftError(f"pandoc did not finish: {error}") from None
    if done.returncode:
        message = done.stderr.decode("utf-8", "replace").strip()[:500]
        raise TexliftError(f"pandoc cannot read the document: {message}")
    return done.stdout.decode("utf-8", "replace")
