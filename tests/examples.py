"""How many examples a property is tried with: ``FUNDSTELLE_EXAMPLES`` multiplies them (``make nightly``)."""

import os


def examples(count: int) -> int:
    """Return ``count``, times what the environment says."""
    return count * int(os.environ.get("FUNDSTELLE_EXAMPLES", "1"))
