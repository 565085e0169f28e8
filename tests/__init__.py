"""Tests, parted by what they touch; each says in its docstring what it claims.

``unit`` no I/O · ``contract`` one suite for each port, which the adapters and their twins in memory pass ·
``integration`` PostgreSQL, servers, files · ``property`` claims over whatever hypothesis thinks of · ``simulation``
whole histories beside a naive model · ``isolation`` two worlds that differ in what nobody may see · ``fault`` deaths,
full disks, lost servers · ``e2e`` the command line · ``models``, ``opensearch``, ``matrix``, ``transparency`` real
parts · ``nightly`` what takes hours.

Start with ``conftest.py`` (a database for each test), ``memory.py`` and ``twins.py`` (the ports in memory), and
``e2e/program.py`` (the program as a process). ``parts.py`` names the parts that a machine may lack.
"""
