"""Files become stored texts: one module a format, behind the port ``Readers``.

Start at ``readers.py``: it checks size, content and ending, picks the reader, and turns whatever a library raises into
one of a few errors for people. ``decoding.py`` tells encodings apart, ``archives.py`` guards against zip and XML bombs,
``markdown.py`` writes what formats other than .md and .txt become. May import ``domain`` and third-party libraries.
"""
