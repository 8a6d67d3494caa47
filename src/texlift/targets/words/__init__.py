"""Formulae in plain English: phrases, how they nest, how signs and letters are called."""
