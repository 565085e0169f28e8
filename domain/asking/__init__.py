"""One question from message to answer.

``pipeline.py`` admits a question and hands it to ``course.py``, which takes step after step and records what each
leaves. ``steps/`` holds their order; what a step decides is a pure function in a file of its own (``rules.py``,
``fusion.py``, ``gates.py``, ``formulation.py``, ``anchors.py``, ``verification.py``, ``delivery.py``).
``visibility.py`` is the one filter that every search gets. Afterwards: ``again.py`` takes a run up once more,
``replaying.py`` compares, ``rehearsal.py`` asks as of another position, ``notifying.py`` tells of changed sources,
``runs.py`` looks back.
"""
