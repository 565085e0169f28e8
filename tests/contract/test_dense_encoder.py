"""What every dense encoder promises."""

import asyncio
import math
from collections.abc import Iterator

import pytest

from adapters.encoders.use import LONGEST, UniversalSentenceEncoder
from domain.asking.fusion import similarity
from domain.asking.ports import DenseEncoder

TEXTS = ["Die Kündigungsfrist beträgt drei Monate.", "How long is the notice period?", "", "§ 5a", "ü" * 3000]


@pytest.fixture(scope="module")
def encoder() -> Iterator[UniversalSentenceEncoder]:
    encoder = UniversalSentenceEncoder()
    yield encoder
    encoder.close()


async def test_vectors_are_of_unit_length(encoder: DenseEncoder) -> None:
    """Each text, the empty one too, has a vector of the same size and of length 1."""
    vectors = await encoder.encode(TEXTS)

    assert len(vectors) == len(TEXTS)
    assert len({len(vector) for vector in vectors}) == 1
    assert all(math.isclose(math.hypot(*vector), 1, rel_tol=1e-5) for vector in vectors)


async def test_a_question_has_a_vector_of_the_same_size(encoder: DenseEncoder) -> None:
    """So that the two can be compared, whatever else the model does with a question."""
    (passage,) = await encoder.encode(TEXTS[:1])
    vector = await encoder.question(TEXTS[1])

    assert len(vector) == len(passage)
    assert math.isclose(math.hypot(*vector), 1, rel_tol=1e-5)


async def test_a_vector_depends_on_its_text_alone(encoder: DenseEncoder) -> None:
    """Neighbours, order and parallel calls leave every bit as it is."""
    alone = [(await encoder.encode([text]))[0] for text in TEXTS]
    together, again = await asyncio.gather(encoder.encode(TEXTS), encoder.encode(TEXTS[::-1] * 20))

    assert together == alone
    assert again[:5] == alone[::-1]


async def test_meaning_is_near(encoder: DenseEncoder) -> None:
    """A question is nearer to its answer, in another language too, than to something else."""
    answer, question, other = await encoder.encode([*TEXTS[:2], "Der Himmel über dem Meer ist heute blau."])

    assert similarity(question, answer) > similarity(question, other) + 0.2


async def test_a_text_without_end_takes_no_more_than_its_beginning(encoder: DenseEncoder) -> None:
    """Data that is no language is encoded up to a bound, so it cannot take all memory at every question."""
    beginning, whole = await encoder.encode(["ä" * LONGEST, "ä" * 2_000_000])

    assert whole == beginning


async def test_no_texts_no_vectors(encoder: DenseEncoder) -> None:
    """An empty request is fine."""
    assert await encoder.encode([]) == []


def test_the_fingerprint_names_model_version_and_weights(encoder: DenseEncoder) -> None:
    """Two installations with the same weights have the same fingerprint."""
    assert encoder.fingerprint == UniversalSentenceEncoder().fingerprint
    assert encoder.fingerprint.startswith(f"{encoder.name}/{encoder.version}/")
