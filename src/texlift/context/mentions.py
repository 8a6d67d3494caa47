"""What the text around a formula says about letters that an answer leaves as plain letters.

It is not used yet, so the answer says so: "where $C$ is Euler's constant" gives C a meaning. An answer that treats C
as a variable is not what the text says, unless that only says what kind of number it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["mentions"]

_LETTER = re.compile(
    r"(?<![A-Za-z\\])([A-Za-z])(?![A-Za-z])|\\(alpha|beta|gamma|delta|theta|phi|psi|chi|mu|sigma|Phi|Psi)\b"
)
_SAYS = (
    r"\s*\$?\s*(?:\([^()]{1,12}\)\s*)?\$?\s*"
    r"(?:is|are|denotes?|stands for|=|—|–|ist|bezeichnet|est|désigne|è|es|обозначает)\s+(.{3,60})"
)
_KIND = re.compile(
    r"\W*(?:an?|the|any|some|eine?|une?)?\W*(?:fixed |given |arbitrary |known )*"
    r"(?:real|complex|positive|negative|integer|natural|prime|odd|even|constant|parameter|variable|number|matrix|vector|function"
    r"|point|set|events?|random|square|angle|length|mass|time)",
    re.IGNORECASE,
)
_BOOLEAN = re.compile(
    r"\bboolean|\bkarnaugh|\bswitching (?:algebra|function)|\blogic (?:circuit|gate|function)", re.IGNORECASE
)


@lru_cache(maxsize=256)
def _pattern(letter: str) -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z\\])\$?\\?" + re.escape(letter) + r"(?![A-Za-z])" + _SAYS)


def mentions(semantic: str, context: object) -> list[str]:
    """A warning for each letter of an answer that the text around gives a meaning of its own."""
    if not isinstance(context, str) or not context:
        return []
    found = ["the text speaks of Boolean algebra, which is not read"] if _BOOLEAN.search(context) else []
    for letter in dict.fromkeys(match[1] or match[2] for match in _LETTER.finditer(semantic)):
        said = _pattern(letter).search(context)
        if said and not _KIND.match(said[1]):
            found.append(f"the text says what {letter} is, which is not used: it was left as a letter")
    return found
