"""Live encoders that are the same for every mandate."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from adapters.postgres.database import AnyConnection
from projections.encodings import Encoder, Live

T = TypeVar("T")


def always(*encoders: Encoder[T]) -> Live[T]:
    """Return the choice of these encoders, whoever asks."""

    async def chosen(_connection: AnyConnection, _mandate: UUID) -> Sequence[Encoder[T]]:
        return encoders

    return chosen
