"""Cells, encoder, decoder, attention and loss of the paper's networks."""
