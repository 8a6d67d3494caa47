"""The paper's laboratory: recursive encoder-decoders, clustering by topology, disambiguation.

Nothing in texlift imports it; its commands join the command line through entry points.
"""
