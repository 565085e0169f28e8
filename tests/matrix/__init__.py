"""Real parts of Matrix that tests use: a homeserver, people in its rooms, clients that encrypt, a browser."""
