"""What encoders make of passages, several encoders side by side: shared by vectors and learned weights.

Rows bear the fingerprint of their encoder. Some encoders of a mandate are *live*: projections keep their rows up to
date. Rows of the others (made beside the live ones by ``backfill.py``, or left by a model that was replaced) stay as
they are until somebody retires them.

Versions of a document share most of their passages, so a search text that the mandate has had encoded before is not
encoded again; what an encoder makes of a text depends on the text alone, so this changes nothing.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar
from uuid import UUID

from psycopg.sql import SQL, Composed, Identifier

from adapters.postgres.database import AnyConnection
from adapters.postgres.sql import statements
from adapters.search.sparsevec import sparse_literal
from domain.errors import PartError

T = TypeVar("T")
Made_co = TypeVar("Made_co", covariant=True)

Marks = Callable[[UUID, str], bytes]
"""Marks a search text of a mandate: a plain hash would let whoever reads the table confirm a guess."""


class Encoder(Protocol[Made_co]):
    """What ``DenseEncoder`` and ``SparseEncoder`` have in common."""

    @property
    def fingerprint(self) -> str:
        """Name, version and weights."""
        ...

    async def encode(self, texts: Sequence[str]) -> Sequence[Made_co]:
        """Return what becomes of each text of a passage."""
        ...


Live = Callable[[AnyConnection, UUID], Awaitable[Sequence[Encoder[T]]]]
"""Names the live encoders of a mandate; it may read views through the connection of the projection's transaction."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """A sort of encoding: the statements over its tables, and how one of them is written down for the database."""

    sql: Mapping[str, Composed]
    literal: Callable[[T], str]


def _dense_literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{number:.8g}" for number in vector) + "]"


def _over(**names: str) -> Mapping[str, Composed]:
    """Return the statements over the tables, the type and the function of these names."""
    found = statements("projections", "encodings.sql")
    named = {placeholder: Identifier(name) for placeholder, name in names.items()}
    return {statement: SQL(found[statement]).format(**named) for statement in found}


DENSE: Final[Kind[tuple[float, ...]]] = Kind(
    _over(
        made="passage_vectors", encodings="passage_encodings", type="halfvec", open_partition="open_passage_partition"
    ),
    _dense_literal,
)
SPARSE: Final[Kind[dict[str, float]]] = Kind(
    _over(
        made="passage_weights", encodings="weight_encodings", type="sparsevec", open_partition="open_weight_partition"
    ),
    sparse_literal,
)


@dataclass(frozen=True, slots=True)
class Words:
    """The search texts of a version's passages, in order."""

    mandate: UUID
    ordinal: int
    texts: Sequence[str]


class Encodings(Generic[T]):
    """The rows of one kind. All methods run in the caller's transaction, under the role ``projector``."""

    def __init__(self, kind: Kind[T], marks: Marks) -> None:
        self._sql = kind.sql
        self._literal = kind.literal
        self._marks = marks

    async def known(self, connection: AnyConnection, mandate: UUID, encoder: str, words: Sequence[str]) -> set[str]:
        """Return which of the search texts ``words`` need not be encoded again."""
        marks = {self._marks(mandate, text): text for text in words}
        values = {"mandate": mandate, "encoder": encoder, "marks": list(marks)}
        rows = await (await connection.execute(self._sql["known"], values)).fetchall()
        return {marks[mark] for (mark,) in rows}

    async def encode(self, connection: AnyConnection, words: Words, encoder: Encoder[T]) -> None:
        """Encode the passages of a version and keep the rows."""
        known = await self.known(connection, words.mandate, encoder.fingerprint, words.texts)
        made = await encode_new(words.texts, known, encoder)
        await self.keep(connection, words, encoder.fingerprint, made)

    async def keep(self, connection: AnyConnection, words: Words, encoder: str, made: Mapping[str, T]) -> None:
        """Write the rows of a version, unless they are there; search texts missing in ``made`` are known ones.

        Raises:
            PartError: ``encodings`` when a search text is neither made nor known; nothing of the version is kept.
        """
        values: dict[str, Any] = {"mandate": words.mandate, "ordinal": words.ordinal, "encoder": encoder}
        await connection.execute(self._sql["take_turn"], values)
        if await (await connection.execute(self._sql["is_encoded"], values)).fetchone() is not None:
            return
        marks = [self._marks(words.mandate, text) for text in words.texts]
        new = [number for number, text in enumerate(words.texts) if text in made]
        old = [number for number, text in enumerate(words.texts) if text not in made]
        literals = [self._literal(made[words.texts[number]]) for number in new]
        rows = {"numbers": new, "marks": [marks[number] for number in new], "values": literals}
        put = await connection.execute(self._sql["put"], {**values, **rows})
        again = {"numbers": old, "marks": [marks[number] for number in old]}
        reused = await connection.execute(self._sql["reuse"], {**values, **again})
        if put.rowcount + reused.rowcount != len(marks):
            raise PartError("encodings", encoder=encoder)
        await connection.execute(self._sql["encoded"], {**values, "passages": len(marks)})

    async def forget_live(self, connection: AnyConnection, live: Live[T]) -> None:
        """Delete the rows of live encoders; those of others stay, since questions about the past need them."""
        for (mandate,) in await (await connection.execute(self._sql["mandates"])).fetchall():
            for encoder in await live(connection, mandate):
                await self.forget(connection, mandate, encoder.fingerprint)

    async def forget(self, connection: AnyConnection, mandate: UUID, encoder: str) -> None:
        """Delete the rows of an encoder in a mandate."""
        values = {"mandate": mandate, "encoder": encoder}
        await connection.execute(self._sql["take_turn"], values)
        await connection.execute(self._sql["forget"], values)


async def encode_new(texts: Sequence[str], known: AbstractSet[str], encoder: Encoder[T]) -> dict[str, T]:
    """Return what the encoder makes of each text that is not known yet."""
    new = [text for text in dict.fromkeys(texts) if text not in known]
    return dict(zip(new, await encoder.encode(new), strict=True)) if new else {}
