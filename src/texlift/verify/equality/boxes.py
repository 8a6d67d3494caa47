"""Boxes around an answer, and what language models leave around it: chatter, doubled backslashes, lost spaces."""

from __future__ import annotations

import re

from texlift.verify.equality.units import unit_of

__all__ = ["tidied", "unboxed"]

_TURN = re.compile(r"<\|[a-z_]+\|>")  # what follows is another speaker's
_HOPE = re.compile(r"I hope it is correct", re.IGNORECASE)
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_DOUBLED = re.compile(r"\\\\[A-Za-z]{2,}")
_SINGLE = re.compile(r"(?<!\\)\\(?!\\)[A-Za-z]")
_GAP = re.compile(r"\\(q?quad)(?=[A-Za-z])")
_BOX = re.compile(r"\\f?box(?:ed)?\s*\{")
_NOTHING = re.compile(r"(?:[\s$,;~]|\\[,;: !)(\]\[]|\\q?quad)*")
_JOINT = re.compile(
    r"(?:[\s$,;~]|\\[,;: !)(\]\[]|\\q?quad)*(?:\\text\s*\{\s*)?(and|or)\s*\}?(?:[\s$,;~]|\\[,;: !)(\]\[]|\\q?quad)*"
)
_WORD = re.compile(r"(?:[\s$~]|\\[,;: !)\]])*(?:(\\?%)|(pct|[A-Za-z]{4,}))")
_TEXT = re.compile(r"(?:[\s~]|\\[,;: !])*\\(?:text|textrm|textbf|textnormal|mathrm|mbox)\s*\{([^{}]*)\}")


def tidied(text: str) -> str:
    r"""An answer without chatter behind it; `\\frac` with two backslashes and `\quadx` as they were meant."""
    text = _THOUGHT.sub("", text) if "</think>" in text else text
    ends = [match.start() for match in _TURN.finditer(text)][:1]
    text = text[: ends[0]] if ends and text[: ends[0]].strip() else text
    hopes = [match.start() for match in _HOPE.finditer(text)]  # an answer may be taken back: the last one counts
    text = text[: hopes[-1]].rstrip() if hopes and text[: hopes[-1]].strip() else text
    if _DOUBLED.search(text) and (r"\begin" not in text or not _SINGLE.search(text)):
        text = text.replace("\\\\", "\\") if not _SINGLE.search(text) else re.sub(r"\\\\(?=[A-Za-z]{2})", r"\\", text)
    return _GAP.sub(r"\\\1 ", text)


def unboxed(text: str) -> str:
    """What stands in the last box, with a unit behind it; of several boxes beside each other all."""
    boxes = _boxes(text)
    if not boxes:
        return text
    contents = [text[start:end].strip() for _, start, end in boxes]
    if len(dict.fromkeys(contents)) > 1:
        return _several(text, boxes, contents)
    end = boxes[-1][2]
    return contents[-1] + _unit_behind(text[end + 1 :])


def _boxes(text: str) -> list[tuple[int, int, int]]:
    """Where each outermost box starts, and where its content starts and ends."""
    found: list[tuple[int, int, int]] = []
    at = 0
    while (match := _BOX.search(text, at)) is not None:
        depth, index = 1, match.end()
        while index < len(text) and depth:
            escaped = text[index - 1] == "\\" and text[index - 2 : index] != "\\\\"
            depth += 0 if escaped else (text[index] == "{") - (text[index] == "}")
            index += 1
        if depth:
            break
        found.append((match.start(), match.end(), index - 1))
        at = index
    return found


def _several(text: str, boxes: list[tuple[int, int, int]], contents: list[str]) -> str:
    """Boxes with nothing but a comma or a joint between them as a list; else all of the text without the boxes."""
    joined = contents[0]
    for before, box, content in zip(boxes, boxes[1:], contents[1:], strict=False):
        between = text[before[2] + 1 : box[0]]
        joint = _JOINT.fullmatch(between)
        if joint is None and _NOTHING.fullmatch(between) is None:
            break
        joined += f" \\text{{ {joint[1]} }} {content}" if joint is not None else f", {content}"
    else:
        return joined
    plain, at = "", 0
    for start, inside, end in boxes:
        plain += text[at:start] + text[inside:end]
        at = end + 1
    return plain + text[at:]


def _unit_behind(rest: str) -> str:
    """A unit or a sign of percent behind a box."""
    worded = _TEXT.match(rest.lstrip(" $"))
    if worded is not None:
        return f" {worded[0]}" if unit_of(worded[1]) is not None else ""
    match = _WORD.match(rest)
    if match is None:
        return ""
    if match[1]:
        return r"\%"
    unit = unit_of(match[2])
    return rf" \text{{ {match[2]} }}" if unit is not None and unit.known else ""
