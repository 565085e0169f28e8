"""The journal's signing keys, and the check of every stored row.

May import ``domain`` and the store's stored form. Start with ``keys.py``, then ``audit.py``.
"""
