"""What a vector must be before anything is compared with it."""

from collections.abc import Sequence
from math import hypot, isfinite

from adapters.models.failing import UnusableModelError


def unit(numbers: Sequence[float]) -> tuple[float, ...]:
    """Return the vector with length 1.

    Raises:
        UnusableModelError: a number is none, or the vector has no direction.
    """
    length = hypot(*numbers)
    if not isfinite(length) or length == 0:
        raise UnusableModelError("vector")
    return tuple(number / length for number in numbers)
