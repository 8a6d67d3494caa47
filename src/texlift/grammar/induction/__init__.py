"""From pairs to rules: alignment, gaps, proposals, votes."""
