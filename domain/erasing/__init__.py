"""Erasing, and what stands in its way: proposals to erase, legal holds, retention.

Erasing takes two people. A proposal (``ErasureProposed``) waits in the mandate's stream like any other; when the
second person agrees, ``Erasing.execute`` hands it to the port ``Eraser``, which deletes keys and what views hold. A
crash in between loses nothing: the approved erasure stays in ``Mandate.erasing`` until ``ErasureDone``, and approving
again goes on with it. While a legal hold concerns it, an erasure is neither proposed nor approved nor executed.

``events.py`` what happened · ``holds.py`` what a hold concerns · ``holding.py`` the commands of holds ·
``proposing.py`` those that propose · ``retention.py`` what is due, ``reviewing.py`` the command that finds it ·
``handler.py`` carrying out · ``ports.py`` who erases, ``eraser.py`` by order of the store.
"""
