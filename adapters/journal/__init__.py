"""The journal's signing keys, the check of every stored row, and audit bundles as files.

``keys.py`` signs, ``audit.py`` reads every row, ``bundle_file.py`` writes a bundle. ``verifier.py`` checks one
without any of this, and imports nothing of ours. The others may import ``domain`` and the store's stored form.
"""
