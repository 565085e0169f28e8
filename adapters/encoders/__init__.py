"""Models that map texts to vectors. ``use.py`` is the embedded one."""
