"""Models that read question and passage together. ``coverage.py`` is the one of an installation without models."""
