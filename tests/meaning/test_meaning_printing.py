"""Meaning trees as text, JSON and pictures."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from texlift.errors import TexliftError
from texlift.meaning.reader.reading import read

EVERYTHING = (
    r"\sum_{k=1}^{n}a_k=\int_0^1f(x)\diff{x}+\lim_{x\to0^+}g'(x)+\deriv[2]{y}{x}",
    r"\begin{cases}1&x>0\\0&x\le0\end{cases}",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
    r"x\in[0,1)",
    r"\{1,2,3\}",
    r"\BesselJ{\nu}@{z}=\iunit\cpi",
    r"n=1,2,\dots",
    r"\left.x^2\right|_{x=1}",
)


def test_text_shows_operators_parts_and_letters() -> None:
    assert read(r"\sum_{k=0}^{n}\alpha^k=1").pretty() == "\n".join(
        [
            "=",
            "├─ Σ sum",
            "│  ├─ of: power",
            "│  │  ├─ α",
            "│  │  └─ k",
            "│  ├─ over: k",
            "│  ├─ from: 0",
            "│  └─ to: n",
            "└─ 1",
        ]
    )


@pytest.mark.parametrize("source", EVERYTHING)
def test_every_kind_of_node_is_shown(source: str) -> None:
    reading = read(source)
    assert reading.pretty()
    ET.fromstring(reading.svg())
    again = json.loads(json.dumps(reading.as_dict()))
    assert again["source"] == source
    assert all({"node", "start", "end"} <= set(statement) for statement in again["statements"])


def test_json_has_type_parts_and_place() -> None:
    (statement,) = read("2x").as_dict()["statements"]  # type: ignore[misc]
    assert statement == {
        "node": "apply",
        "concept": "times",
        "head": "times",
        "arguments": [
            {"node": "number", "value": "2", "start": 0, "end": 1},
            {"node": "symbol", "name": "x", "start": 1, "end": 2},
        ],
        "start": 0,
        "end": 2,
    }


def test_labels_in_pictures_are_escaped() -> None:
    ET.fromstring(read(r"a<b\text{ and }c>d").svg())


def test_boxes_of_a_picture_do_not_overlap() -> None:
    root = ET.fromstring(read(EVERYTHING[0]).svg())
    boxes: dict[str, list[tuple[float, float]]] = {}
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        if rect.get("height") == "30":
            left = float(rect.get("x", "0"))
            boxes.setdefault(rect.get("y", ""), []).append((left, left + float(rect.get("width", "0"))))
    assert len(boxes) > 2
    for row in boxes.values():
        row.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(row))


def test_deep_trees_are_refused() -> None:
    deep = read("a" + "/a" * 400)
    for show in (deep.pretty, deep.svg, deep.as_dict):
        with pytest.raises(TexliftError, match="levels"):
            show()
