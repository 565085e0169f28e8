"""``fundstelle serve``: the life of an instance that answers on chat platforms.

Start with ``life.py``: it waits for the lease, connects, and hands what comes in to the conversation; ``leased.py``
stands between the conversation and the platform and asks for the lease before anything is said. ``health.py``,
``metrics.py`` and ``endpoints.py`` tell how it is, ``logs.py`` what happens, and none of them a word or a name. What a
platform is and what the conversation does with it stands in ``bot/chat`` and ``bot/matrix``; ``bot/wiring/chatting.py``
puts them together.
"""
