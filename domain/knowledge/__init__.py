"""Documents, versions, sentences, anchors and validity.

A file becomes a stored text (``stored_text.py``), the text blocks (``blocks.py``), sentences (``sentences.py``, by
the tables of ``sentence_rules.py``) and passages (``passages.py``), and the version takes its place on the two time
axes (``versions.py``). ``handler.py`` holds the commands.
"""
