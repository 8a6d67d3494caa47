"""Expression trees to the code of a system, one module each."""
