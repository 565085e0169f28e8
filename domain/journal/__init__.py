"""The tamper-evident log over all events, and what it says about itself.

``tree.py`` the Merkle tree · ``notes.py`` signed notes and their keys · ``checkpoints.py`` signed heads of the tree ·
``events.py`` what is recorded about the journal · ``as_of.py`` which position an instant means.
"""
