"""Numeric checks: is a formula true?

from texlift.verify import check
check(r"\\EulerGamma@{z+1}=z\\EulerGamma@{z}")   # Verdict("verified", points=200, ...)
"""

from texlift.verify.verdict import SHOWN, TRUE, Verdict
from texlift.verify.worker import Task, check, check_all

__all__ = ["SHOWN", "TRUE", "Task", "Verdict", "check", "check_all"]
