"""Models that read question and passage together.

``embedded.py`` is the one of an installation without models, ``sentence_transformers.py`` runs cross-encoders in this
process, ``vllm.py`` asks a server.
"""
