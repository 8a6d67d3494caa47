"""Millions of formulae: partitions of an input, translated by many processes or a Ray cluster, resumable."""
