"""The event store: streams, people and texts, each encrypted from the first byte on, in PostgreSQL.

Start reading at ``store.py``, which follows an append from the port to the row; ``form.py`` is the stored form, byte
by byte, and never changes. The library ``eventsourcing`` gives the recorder and the notification log; it is
synchronous and stays behind ``threads.py``. May import ``domain`` and ``adapters.postgres``.
"""
