"""What adapters of learned models share: a model in a folder (``local.py``), one behind a server (``server.py``)."""
