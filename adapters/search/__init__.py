"""Search: ``pgvector.py`` by meaning, ``tantivy.py`` by words, ``analyzer.py`` what counts as a word.

``passages.py`` gives the words behind hits.
"""
