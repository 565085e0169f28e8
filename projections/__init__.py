"""What can be rebuilt from events: search index feeds, as-of views, audit views, the roots of the journal's tree.

``runner.py`` moves each projection forward in batches; a projection's position is stored in the transaction of its
view. May import ``domain`` and ``adapters``.
"""
