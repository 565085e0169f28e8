"""Matrix as a chat platform: the thin end of ``bot/chat`` that talks to a homeserver.

Start with ``client.py``, which is the ``Platform``. Below it ``api.py`` (requests, errors, patience), ``login.py``
(our device), ``sync.py`` (what comes in), ``parse.py`` (raw events to values, pure), ``rooms.py`` (a room's state,
pure), ``content.py`` (what goes out, pure), ``directs.py`` (rooms for two), ``machine.py`` and ``keys.py`` (end-to-end
encryption by the state machine of matrix-nio, without its client); and who is trusted: ``cross_signing.py``,
``trust.py``, ``device_store.py``.
Knows nothing of mandates; ``domain.errors`` and ``bot.chat`` are all it imports.
"""
