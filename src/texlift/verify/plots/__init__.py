"""Pictures of formulae: what is drawn, where, and how it looks."""
