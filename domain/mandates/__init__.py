"""Mandates, libraries, members, roles, clearances, channels, levels and policies.

``events.py`` what happened · ``state.py`` a mandate rebuilt from it · ``decisions.py`` what may happen next ·
``access.py`` who may see what · ``policies.py`` thresholds, ``rules.py`` rules, ``models.py`` who does what ·
``handler.py`` the commands. What takes two people: ``proposals.py`` what waits · ``approving.py`` what the second one
decides · ``four_eyes.py`` the commands.
"""
