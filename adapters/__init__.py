"""What we talk to: PostgreSQL, search engines, models, file formats.

One package per part, each behind a port of the domain. May import ``domain`` only.
"""
