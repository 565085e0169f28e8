"""Mandates, libraries, members, roles, clearances, channels, levels and policies.

``events.py`` what happened · ``state.py`` a mandate rebuilt from it · ``decisions.py`` what may happen next ·
``access.py`` who may see what · ``handler.py`` the commands.
"""
