"""Judges of claims behind models: any server with the interface of OpenAI, or a cross-encoder trained on inference.

May import the domain, ``adapters/models`` and what ``adapters/formulate`` knows of prompts. The judge by rules alone is
``domain/verifying/judge.py``; its guards come before every other judge.
"""
