"""What can be rebuilt from events: search index feeds and as-of views.

``runner.py`` moves each projection forward in batches; a projection's position is stored in the transaction of its
view. May import ``domain`` and ``adapters``.
"""
