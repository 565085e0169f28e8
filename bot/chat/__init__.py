"""A conversation in rooms, the same for every chat platform: what comes in, what to do about it, what goes out.

Start with ``incoming.py`` and ``outgoing.py``: the values on either side. ``ports.py`` says what a platform and its
memory must be able to do. Nothing here knows Matrix or Teams; a platform's own package knows nothing of mandates.

``conversation.py`` decides what an event asks, ``pace.py`` how much of it is dealt with, and ``grammar.py`` reads
commands, on a terminal as well; all are pure. ``service.py`` takes in what comes and works through it in ``lanes.py``:
``messages.py``, from there ``questions.py``, ``looking.py`` and ``administering.py``; ``delivering.py`` looks at the
room once more before anything is shown. ``afterwards.py``, ``news.py`` and ``membership.py`` see to the rest. What a
person reads is made by ``rendering.py``, ``showing.py`` and ``notices.py``.
"""
