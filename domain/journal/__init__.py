"""The tamper-evident log over all events, and what it says about itself.

``tree.py`` the Merkle tree · ``notes.py`` signed notes and their keys · ``checkpoints.py`` signed heads of the tree ·
``events.py`` what is recorded about the journal · ``handler.py`` the commands · ``as_of.py`` which position an
instant means · ``viewing.py`` who looked at what · ``bundles.py``, ``disclosing.py`` and ``exporting.py`` audit
bundles: what one holds, what of it its reader may open, and how it is made · ``erasures.py`` erasing carried out,
step by step.
"""
