"""The verifier: does the evidence say what a sentence of the answer says?

May import the standard library and the domain. Start at ``judge.py``; the rule that makes a verdict of many
judgements stands in ``verdict.py``.
"""
