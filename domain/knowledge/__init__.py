"""Documents, versions, sentences, anchors and validity.

A file becomes a stored text (``stored_text.py``), the text blocks (``blocks.py``), sentences (``sentences.py``, by
the tables of ``sentence_rules.py``) and passages (``passages.py``), and the version takes its place on the two time
axes (``versions.py``). What a text means for its document is decided in ``documents.py``, places are named in
``anchors.py`` and shown by ``surroundings.py``. ``handler.py`` holds the commands.
"""
