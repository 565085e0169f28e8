"""Formulators: models that write a draft from selected passages.

Start reading at ``openai.py``; what a model is told stands in ``prompts/``, what it may see of a text in ``prompt.py``.
May import ``domain`` only.
"""
