"""The one place where ports meet adapters: ``app.py`` says what a running program consists of.

How a part is made that takes more than a line stands beside it, one module for each capability: ``searching.py``,
``asking.py``, ``auditing.py``, ``erasing.py``, ``matrix.py``, ``chatting.py``. ``acting.py`` knows who acts,
``opening.py`` opens and closes it all.

Heavy parts (models, search engines) are imported and opened when somebody first asks for them, so that a simple command
stays fast.
"""

from bot.wiring.app import App
from bot.wiring.opening import open_app, open_parts

__all__ = ["App", "open_app", "open_parts"]
