"""What is known around a formula: passage, style, memory, sections."""
