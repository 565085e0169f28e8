"""What we talk to, and in which form: PostgreSQL, search engines, models, files, audit bundles.

One package per part, each behind a port of the domain. May import ``domain`` only.
"""
