"""PostgreSQL: an embedded server of our own or an external one, its roles, pools and migrations.

Start reading at ``database.py``, which everybody uses; ``cluster.py`` explains how several processes share one
embedded server. May import ``domain`` and the standard library, psycopg, nothing else of ours.
"""
