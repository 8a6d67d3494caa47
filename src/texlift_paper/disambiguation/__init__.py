"""Which macro a symbol stands for, by the paper's classifiers."""
