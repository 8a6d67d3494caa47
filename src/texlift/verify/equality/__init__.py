r"""Do two answers mean the same?

>>> from texlift.verify.equality import equal
>>> equal(r"\frac{x^2-1}{x-1}", "x+1").verdict
'equal'
"""

from texlift.verify.equality.judgement import Pair, equal, equal_all
from texlift.verify.equality.result import Equality, Options

__all__ = ["Equality", "Options", "Pair", "equal", "equal_all"]
