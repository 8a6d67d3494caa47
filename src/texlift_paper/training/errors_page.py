"""A page of wrong answers to look through in a browser: one file, nothing loaded from elsewhere.

Formulae and answers are hostile text: everything is escaped, and the page's own policy allows no script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape

from texlift_paper.training.predictions import Prediction
from texlift_paper.training.text_metrics import split_tokens

__all__ = ["KINDS", "errors_page", "kind_of"]

KINDS = {
    "copied": "the input was copied, though it is not its own translation",
    "wrong macro": "as many semantic macros as the right answer, not the same ones",
    "macro missing": "fewer semantic macros than the right answer",
    "macro invented": "more semantic macros than the right answer",
    "cut off": "right as far as it goes, then it ends",
    "arguments": "the right macros, but something else about them differs",
}
"""What may be wrong with an answer; the first that fits."""

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c1c1c;background:#fff}
form{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;padding:.8rem 0;border-bottom:1px solid #ccc;
position:sticky;top:0;background:#fff}
input[type=number]{width:5rem}
article{border-bottom:1px solid #ddd;padding:.7rem 0}
dl{display:grid;grid-template-columns:5rem 1fr;margin:.2rem 0;gap:.1rem .6rem}
dt{color:#666}dd{margin:0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.kind{font-size:.85rem;color:#555}
del{background:#fdd;text-decoration:none}ins{background:#dfd;text-decoration:none}
[hidden]{display:none}
"""
_SCRIPT = """
const form = document.querySelector("form"), shown = document.querySelector("output");
const items = [...document.querySelectorAll("article")];
function filter() {
  const kinds = new Set([...form.querySelectorAll("input[type=checkbox]:checked")].map(box => box.value));
  const least = +form.least.value || 0, most = +form.most.value || Infinity, text = form.text.value;
  let count = 0;
  for (const item of items) {
    const length = +item.dataset.length, fits = length >= least && length <= most;
    item.hidden = !(fits && kinds.has(item.dataset.kind) && item.textContent.includes(text));
    count += !item.hidden;
  }
  shown.value = count + " of " + items.length + " shown";
}
form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
filter();
"""


def kind_of(prediction: Prediction) -> str:
    """What is wrong with an answer, a key of KINDS."""
    gold, answer = split_tokens(prediction.gold), split_tokens(prediction.answer)
    source = split_tokens(prediction.source)
    if answer == source:
        return "copied"
    # a macro is a command that the source does not have
    known = {token for token in source if token.startswith("\\")}
    right, given = (Counter(t for t in tokens if t.startswith("\\") and t not in known) for tokens in (gold, answer))
    if right != given:
        more = sum(given.values()) - sum(right.values())
        return "wrong macro" if more == 0 else "macro invented" if more > 0 else "macro missing"
    return "cut off" if gold[: len(answer)] == answer else "arguments"


def errors_page(predictions: Sequence[Prediction], title: str) -> str:
    """The page, as HTML; predictions that are right are only counted."""
    wrong = [prediction for prediction in predictions if not prediction.right]
    kinds = Counter(map(kind_of, wrong))
    boxes = "".join(
        f'<label title="{escape(about)}"><input type="checkbox" value="{escape(kind)}" checked> '
        f"{escape(kind)} ({kinds[kind]})</label>"
        for kind, about in KINDS.items()
    )
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>
<h1>{escape(title)}</h1>
<p>{len(wrong):,} of {len(predictions):,} answers are wrong. Red is what the right answer has and the answer
lacks, green what it has instead. Length is that of the source, in tokens.</p>
<form>{boxes}
<label>length from <input type="number" name="least" min="0"></label>
<label>to <input type="number" name="most" min="0"></label>
<label>with the text <input type="search" name="text"></label> <output></output></form>
<main>
{"".join(map(_item, wrong))}</main>
<script>{_SCRIPT}</script></body></html>
"""


def _item(prediction: Prediction) -> str:
    length = len(split_tokens(prediction.source))
    kind = kind_of(prediction)
    gold, answer = _compared(split_tokens(prediction.gold), split_tokens(prediction.answer))
    return (
        f'<article data-kind="{escape(kind)}" data-length="{length}"><span class="kind">{escape(kind)}, {length} tokens'
        f"</span><dl><dt>source</dt><dd>{escape(prediction.source)}</dd><dt>right</dt><dd>{gold}</dd>"
        f"<dt>answer</dt><dd>{answer}</dd></dl></article>\n"
    )


def _compared(gold: Sequence[str], answer: Sequence[str]) -> tuple[str, str]:
    """Both as HTML, with what differs marked."""
    right: list[str] = []
    given: list[str] = []
    for what, a, b, c, d in SequenceMatcher(None, gold, answer, autojunk=False).get_opcodes():
        ours, theirs = escape(" ".join(gold[a:b])), escape(" ".join(answer[c:d]))
        right.append(ours if what == "equal" else f"<del>{ours}</del>" if ours else "")
        given.append(theirs if what == "equal" else f"<ins>{theirs}</ins>" if theirs else "")
    return " ".join(filter(None, right)), " ".join(filter(None, given))
