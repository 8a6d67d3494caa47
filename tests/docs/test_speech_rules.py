"""The rules that judge speech tell right from wrong, whoever speaks."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from speech import Case, judged

NAME, PRODUCT, APPLIED, ORDER = (
    "the function's name is spoken", "a product with a sum is not “of”", "f(x) is “f of x”",
    "an order or degree is not “sub”",
)  # fmt: skip


@pytest.mark.parametrize(
    ("key", "rule", "wrong", "right"),
    [
        (r"\BesselJ{\nu}@{z}", NAME, "J sub nu of z", "the Bessel function of the first kind of order nu at z"),
        (r"\BesselJ{\nu}@{z}", ORDER, "J sub nu of z", "the Bessel function of the first kind of order nu at z"),
        (r"\EulerGamma@{z}", NAME, "cap gamma of z", "the gamma function of z"),
        (r"a(b+c)", PRODUCT, "a of open paren b plus c close paren", "a times the quantity b plus c"),
        (r"f(x)=1", APPLIED, "f times x equals 1", "f of x equals 1"),
    ],
)
def test_a_rule_tells_right_from_wrong(key: str, rule: str, wrong: str, right: str) -> None:
    assert judged(Case("", key, wrong, wrong, right, True))[rule] == (False, False, True)
    assert judged(Case("", key, right, wrong, wrong, True))[rule] == (True, False, False)
