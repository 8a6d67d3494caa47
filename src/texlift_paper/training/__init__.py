"""Experiments: data, training loop, metrics, runs."""
