"""LaTeX text to HTML by LaTeXML, which must be installed; formulae are stand-ins by then.

LaTeXML knows more of LaTeX than pandoc, and is a TeX system: a document can make it read files, and a package can bring
Perl code. So it is used only where a user asks for it, for documents that they trust, and away from the folder of the
document.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from texlift.errors import TexliftError

__all__ = ["html_by_latexml", "require_latexml"]

_SECONDS = 300
_COMMAND = (
    "--quiet", "--quiet", "--format=html5", "--nodefaultresources", "--whatsout=fragment", "--nocomments",
    "--nographicimages", "--nopictureimages", f"--timeout={_SECONDS - 10}",
)  # fmt: skip
_BULLET = re.compile(r'<span class="ltx_tag ltx_tag_item">[^<]{0,9}</span>')
_MARK = re.compile(r'<sup class="ltx_note_mark">[^<]{0,9}</sup>|<span class="ltx_tag ltx_tag_note">[^<]{0,9}</span>')
_NOTE = re.compile(r'(<span class="ltx_note_content">)(.*?)(</span></span></span>)', re.DOTALL)


def require_latexml() -> str:
    """The program; raises TexliftError if it is not installed."""
    found = shutil.which("latexmlc")
    if found is None:
        raise TexliftError(
            "latexmlc is not installed: see https://math.nist.gov/~BMiller/LaTeXML, `apt install latexml`"
        )
    return found


def html_by_latexml(text: str) -> str:
    """The body of the page. Raises TexliftError if LaTeXML cannot read the text."""
    program = require_latexml()
    with tempfile.TemporaryDirectory(prefix="texlift-") as folder:
        source, page = Path(folder) / "text.tex", Path(folder) / "text.html"
        source.write_text(text, "utf-8", "replace")
        command = [program, *_COMMAND, f"--dest={page}", source.name]
        try:
            done = subprocess.run(command, capture_output=True, cwd=folder, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TexliftError(f"LaTeXML did not finish: {error}") from None
        if done.returncode or not page.exists():
            message = done.stderr.decode("utf-8", "replace").strip()[-500:]
            raise TexliftError(f"LaTeXML cannot read the document: {message}")
        made = page.read_text("utf-8", "replace")
    return _NOTE.sub(r"\1 (\2)\3", _MARK.sub("", _BULLET.sub("", made)))
