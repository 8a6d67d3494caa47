"""`python -m texlift`: the same as the `texlift` command."""

from texlift.cli.app import main

main()
