"""Models that map texts to vectors or weights.

``use.py`` is the embedded one, ``sentence_transformers.py`` runs others in this process, ``openai.py`` asks a server.
"""
