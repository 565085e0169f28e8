"""The terminal: answers as a person reads them, and the chat. ``answer.py`` draws, ``chat.py`` talks."""
