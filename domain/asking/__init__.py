"""One question from message to answer.

``pipeline.py`` runs the steps in the order of the design; each step is a pure function in a file of its own
(``fusion.py``, ``gates.py``, ``formulation.py``, ``anchors.py``). ``visibility.py`` is the one filter that every
search gets.
"""
