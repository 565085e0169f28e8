"""Rerankers of others whose thresholds are known."""

from typing import Final

BGE: Final = "bge-reranker-v2-m3"
"""The default of an installation with models: Chen et al., BGE M3-Embedding, 2024, as ``BAAI/bge-reranker-v2-m3``."""

BGE_THRESHOLD: Final = 0.35
"""The requirement's number for that model, and for no other."""
