"""How a model that fails is told."""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.errors import PartError


class UnusableModelError(Exception):
    """A model or its reply is not what its role needs; the text is a short word for whoever configured it."""


@contextmanager
def failing(key: str, model: str) -> Iterator[None]:
    """Turn whatever a model's libraries raise into ``PartError``; their own texts may quote what they read."""
    try:
        yield
    except PartError:
        raise
    except UnusableModelError as error:
        raise PartError(key, model=model, kind=str(error)) from error
    except Exception as error:
        raise PartError(key, model=model, kind=type(error).__name__) from error
