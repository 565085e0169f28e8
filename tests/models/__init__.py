"""Tiny models that are made on the spot, and a real vLLM server that serves them.

Their weights are random: they show that an adapter talks to a model rightly, not that a model is good.
"""
