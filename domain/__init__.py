"""What is true: events, decisions, policies and the question pipeline.

Nothing here reads a clock, draws randomness or does I/O; time, ids and text come in as arguments, and effects
go out through the ports (``typing.Protocol``) in each package's ``ports.py``. Imports: the standard library only.

Start with ``recording.py`` (what an event is once stored), then ``knowledge`` (documents, versions, sentences)
and ``asking/pipeline.py`` (one question from message to answer).
"""
