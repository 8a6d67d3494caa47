"""What a network answered, formula by formula: `predictions.jsonl` in the folder of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from texlift.errors import TexliftError
from texlift.train.checkpoint import write_bytes
from texlift_paper.training.evaluation import Scores

__all__ = ["Prediction", "predictions_of", "read_predictions", "save_predictions"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One formula: what was asked, what is right, what was answered."""

    source: str
    gold: str
    answer: str
    right: bool


def predictions_of(scores: Scores) -> list[Prediction]:
    """The answers behind free-running scores."""
    return [
        Prediction(pair.generic, pair.semantic, score.texts[1], score.exact)
        for pair, score in scores.items()
        if score.texts is not None
    ]


def save_predictions(predictions: Iterable[Prediction], path: Path) -> None:
    """One JSON object a line."""
    lines = (json.dumps(asdict(prediction), ensure_ascii=False) + "\n" for prediction in predictions)
    write_bytes(path, "".join(lines).encode())


def read_predictions(path: Path) -> list[Prediction]:
    """What `save_predictions` wrote. Raises TexliftError with the line for anything else."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TexliftError(f"{path} cannot be read: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            source, gold, answer, right = (record[name] for name in ("source", "gold", "answer", "right"))
        except (ValueError, TypeError, KeyError) as error:
            raise TexliftError(f"{path}:{number}: not a prediction: {error}") from error
        if not isinstance(right, bool) or not all(isinstance(text, str) for text in (source, gold, answer)):
            raise TexliftError(f"{path}:{number}: not a prediction: texts and true or false are expected")
        found.append(Prediction(source, gold, answer, right))
    return found
