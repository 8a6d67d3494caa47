"""`python -m texlift.cli`: the same as `python -m texlift`."""

from texlift.cli.app import main

main()
