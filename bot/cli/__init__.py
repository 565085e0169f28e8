"""The command line: one module a group of commands; ``main.py`` is where a command starts."""
