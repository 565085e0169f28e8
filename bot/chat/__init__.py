"""A conversation in rooms, the same for every chat platform: what comes in, what to do about it, what goes out.

Start with ``incoming.py`` and ``outgoing.py``: the values on either side. ``ports.py`` says what a platform and its
memory must be able to do. Nothing here knows Matrix or Teams; a platform's own package knows nothing of mandates.
"""
