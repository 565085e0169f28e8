"""What a chat platform's account remembers and shares: its inbox, and the lease that lets one instance answer.

Both lie in PostgreSQL. Nothing here knows a platform; may import ``domain`` and ``adapters.postgres``. Start with
``inbox.py``.
"""
