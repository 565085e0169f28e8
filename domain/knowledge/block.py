"""A block of a stored text: what one sentence cannot leave."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a block is; only the first four are content that may answer."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    HEADING = "heading"
    METADATA = "metadata"


CONTENT = frozenset({Kind.PROSE, Kind.ITEM, Kind.ROW, Kind.CODE})


@dataclass(frozen=True, slots=True)
class Block:
    """A block and its range in the text.

    Attributes:
        kind: what it is.
        start: first code point of its text, behind the markup.
        end: behind its last visible code point.
        marks: marks of the item, outermost first ("3.", "a)", "-"), else empty.
        paragraph: number of the paragraph when the block opens one ("1a" of "(1a)"), else empty.
        level: depth of a heading from 1, else 0.
        opens_table: the row is the first of its table.
    """

    kind: Kind
    start: int
    end: int
    marks: tuple[str, ...] = ()
    paragraph: str = ""
    level: int = 0
    opens_table: bool = False
