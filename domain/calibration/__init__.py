"""How good the system is, measured on questions whose answers are known.

``labels.py`` what such a question looks like, ``ranking.py`` how high the searches place what answers it,
``separation.py`` how well one score tells questions with an answer from those without. Pure; imports the domain alone.
"""
