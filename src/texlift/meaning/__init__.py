"""What a formula means: the meaning tree, and how it is read from semantic LaTeX."""
