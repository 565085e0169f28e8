"""What every dense encoder promises."""

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.encoders import openai, use
from adapters.encoders.openai import OpenAIEncoder
from adapters.encoders.sentence_transformers import SentenceTransformersEncoder
from adapters.encoders.use import UniversalSentenceEncoder
from adapters.models import local
from adapters.models.server import ServedModel
from domain.asking.fusion import similarity
from domain.asking.ports import DenseEncoder
from tests.models import tiny

TEXTS = ["Die Kündigungsfrist beträgt drei Monate.", "How long is the notice period?", "", "§ 5a", "ü" * 3000]


@dataclass
class Case:
    """An encoder, another one of the same model, and what differs between the adapters.

    Attributes:
        longest: code points of a text that count at most.
        blur: how far two encodings of one text may lie apart in each number; 0 means equal bits.
    """

    encoder: DenseEncoder
    twin: DenseEncoder
    longest: int
    blur: float = 0.0

    def must_equal(self, one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> None:
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert max(abs(x - y) for x, y in zip(a, b, strict=True)) <= self.blur


@pytest.fixture(
    scope="module",
    params=[
        "use",
        pytest.param("sentence-transformers", marks=pytest.mark.models),
        pytest.param("vllm", marks=[pytest.mark.models, pytest.mark.vllm]),
    ],
)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    if request.param == "vllm":
        served = request.getfixturevalue("served_embeddings")
        prefixes = tiny.PROMPTS["query"], tiny.PROMPTS["document"]
        yield Case(OpenAIEncoder(served, *prefixes), OpenAIEncoder(served, *prefixes), openai.LONGEST, 1e-5)
        return
    if request.param == "use":
        case = Case(UniversalSentenceEncoder(), UniversalSentenceEncoder(), use.LONGEST)
    else:
        folder = str(request.getfixturevalue("tiny_bi_encoder"))
        case = Case(SentenceTransformersEncoder(folder), SentenceTransformersEncoder(folder), local.LONGEST)
    yield case
    for encoder in (case.encoder, case.twin):
        assert isinstance(encoder, UniversalSentenceEncoder | SentenceTransformersEncoder)
        encoder.close()


async def test_vectors_are_of_unit_length(case: Case) -> None:
    """Each text, the empty one too, has a vector of the same size and of length 1."""
    vectors = await case.encoder.encode(TEXTS)

    assert len(vectors) == len(TEXTS)
    assert len({len(vector) for vector in vectors}) == 1
    assert all(math.isclose(math.hypot(*vector), 1, rel_tol=1e-5) for vector in vectors)


async def test_a_question_has_a_vector_of_the_same_size(case: Case) -> None:
    """So that the two can be compared, whatever else the model does with a question."""
    (passage,) = await case.encoder.encode(TEXTS[:1])
    vector = await case.encoder.question(TEXTS[1])

    assert len(vector) == len(passage)
    assert math.isclose(math.hypot(*vector), 1, rel_tol=1e-5)


async def test_a_vector_depends_on_its_text_alone(case: Case) -> None:
    """Neighbours, order and parallel calls leave every bit as it is, or every number as near as the adapter says."""
    alone = [(await case.encoder.encode([text]))[0] for text in TEXTS]
    together, again = await asyncio.gather(case.encoder.encode(TEXTS), case.encoder.encode(TEXTS[::-1] * 20))

    case.must_equal(together, alone)
    case.must_equal(again[:5], alone[::-1])


async def test_different_texts_have_different_vectors(case: Case) -> None:
    """What a text says is in its vector."""
    one, other = await case.encoder.encode(["Die Frist beträgt drei Monate.", "Der Hagel hat das Dach beschädigt."])

    assert similarity(one, other) < 0.999


async def test_a_text_without_end_takes_no_more_than_its_beginning(case: Case) -> None:
    """Data that is no language is encoded up to a bound, so it cannot take all memory at every question."""
    beginning, whole = await case.encoder.encode(["ä" * case.longest, "ä" * 2_000_000])

    case.must_equal([whole], [beginning])


async def test_no_texts_no_vectors(case: Case) -> None:
    """An empty request is fine."""
    assert await case.encoder.encode([]) == []


def test_the_fingerprint_names_model_version_and_weights(case: Case) -> None:
    """Two encoders of the same weights have the same fingerprint."""
    assert case.encoder.fingerprint == case.twin.fingerprint
    assert case.encoder.fingerprint.startswith(f"{case.encoder.name}/{case.encoder.version}/")


async def test_meaning_is_near() -> None:
    """A question is nearer to its answer, in another language too, than to something else; so does the embedded model.

    What a model has learned is no matter of its adapter, and the tiny ones have learned nothing.
    """
    encoder = UniversalSentenceEncoder()
    answer, question, other = await encoder.encode([*TEXTS[:2], "Der Himmel über dem Meer ist heute blau."])
    encoder.close()

    assert similarity(question, answer) > similarity(question, other) + 0.2


@pytest.mark.models
@pytest.mark.vllm
async def test_both_ways_to_run_a_model_agree(served_embeddings: ServedModel, tiny_bi_encoder: Path) -> None:
    """The server's vectors of a question and of a passage are those of the library, each under its own prompt."""
    here = SentenceTransformersEncoder(str(tiny_bi_encoder))
    there = OpenAIEncoder(served_embeddings, tiny.PROMPTS["query"], tiny.PROMPTS["document"])
    pairs = [
        (await here.question(TEXTS[0]), await there.question(TEXTS[0])),
        *zip(await here.encode(TEXTS[:2]), await there.encode(TEXTS[:2]), strict=True),
    ]
    here.close()

    assert all(similarity(one, other) > 0.9999 for one, other in pairs)
    assert similarity(pairs[0][0], pairs[1][1]) < 0.9999
