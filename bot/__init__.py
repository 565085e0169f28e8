"""What a person touches: chat platforms, terminal, command grammar, rendering and the wiring of all parts.

``wiring`` is the one place where ports meet adapters. ``cli/main.py`` is where a command starts, ``serving/life.py``
what ``fundstelle serve`` runs: ``chat`` is the conversation in rooms, ``matrix`` carries it. May import everything.
"""
