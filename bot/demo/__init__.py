"""The demo: a fictional insurer, its documents and a fixed list of questions."""
