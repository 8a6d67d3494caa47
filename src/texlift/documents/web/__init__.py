"""A document as one HTML page whose formulae are MathML with intents and words."""
