"""Audit bundles for people: the report that opens from disk, the note that explains the files, and the file itself.

Start with ``making.py``. The report is plain HTML without scripts and without anything from elsewhere; ``markup.py``
escapes whatever goes into it.
"""
