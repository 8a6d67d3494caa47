"""The language server: what editors show about the formulae of a text while it is written."""
