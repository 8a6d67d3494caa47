"""Workers are stopped and replaced; the batch goes on."""

from __future__ import annotations

import time

from texlift.verify import TRUE, Task, check, check_all

HANG = r"\sum_{n=1}^{\infty}\sum_{m=1}^{\infty}\int_{0}^{\infty}\frac{\BesselJ{n}@{mt}}{n^{2}+m+t}\diff{t}=x"
GREEDY = r"\sum_{n=1}^{3}2^{10^{12}n}=\sin@@{x}"


def test_one_formula() -> None:
    assert check(r"\sin@{-x}=-\sin@@{x}", seconds=5).verdict in TRUE


def test_a_batch_survives_formulae_that_hang_or_eat_memory() -> None:
    true = Task(r"\cos@{-x}=\cos@@{x}")
    started = time.monotonic()
    verdicts = list(
        check_all([true, Task(HANG + r"\sin@@{x}"), true, Task(GREEDY), Task("}{"), true], seconds=1.0, jobs=2)
    )
    assert [v.verdict for v in verdicts] == ["proved", "undecided", "proved", "refuted", "undecided", "proved"]
    assert all(v.reason for v in verdicts if v.verdict == "undecided")
    assert time.monotonic() - started < 40
