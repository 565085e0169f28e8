"""What every sparse encoder promises."""

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.encoders.sentence_transformers import MOST_WEIGHTS, SpladeEncoder
from adapters.models.local import LONGEST
from adapters.search.subwords import SubwordEncoder
from domain.asking.ports import SparseEncoder
from tests.twins import ANALYZER

TEXTS = ["Die Kündigungsfrist beträgt drei Monate.", "How long is the notice period?", "", "§ 5a", "ü" * 3000]


@pytest.fixture(
    scope="module",
    params=["subwords", pytest.param("splade", marks=pytest.mark.models)],
)
def encoder(request: pytest.FixtureRequest) -> Iterator[SparseEncoder]:
    if request.param == "subwords":
        yield SubwordEncoder(ANALYZER)
        return
    splade = SpladeEncoder(str(request.getfixturevalue("tiny_splade")))
    yield splade
    splade.close()


async def test_weights_are_positive_numbers(encoder: SparseEncoder) -> None:
    """Of each text, also of one without words; of a question too."""
    found = await encoder.encode(TEXTS)
    asked = await encoder.question(TEXTS[1])

    assert len(found) == len(TEXTS)
    assert all(math.isfinite(weight) and weight > 0 for weights in [*found, asked] for weight in weights.values())
    assert found[0]
    assert asked


async def test_weights_depend_on_the_text_alone(encoder: SparseEncoder) -> None:
    """Neighbours, order and parallel calls leave every bit as it is, and the order of the features."""
    alone = [(await encoder.encode([text]))[0] for text in TEXTS]
    together, again = await asyncio.gather(encoder.encode(TEXTS), encoder.encode(TEXTS[::-1] * 5))

    assert [list(one.items()) for one in together] == [list(one.items()) for one in alone]
    assert again[:5] == alone[::-1]


async def test_different_texts_have_different_weights(encoder: SparseEncoder) -> None:
    """What a text says is in its weights."""
    one, other = await encoder.encode(["Die Frist beträgt drei Monate.", "Der Hagel hat das Dach beschädigt."])

    assert one != other


async def test_no_texts_no_weights(encoder: SparseEncoder) -> None:
    """An empty request is fine."""
    assert await encoder.encode([]) == []


def test_the_fingerprint_names_model_version_and_weights(encoder: SparseEncoder) -> None:
    """Weights of two models never meet in one search."""
    assert encoder.fingerprint.startswith(f"{encoder.name}/{encoder.version}/")


@pytest.mark.models
async def test_splade_features_are_tokens_and_bounded(tiny_splade: Path) -> None:
    """The index stores them by token id, and no more than it was made for, however long a text is."""
    encoder = SpladeEncoder(str(tiny_splade))
    beginning, whole = await encoder.encode(["ä x " * (LONGEST // 4), "ä x " * 500_000])

    assert whole == beginning
    assert len(whole) <= MOST_WEIGHTS
    assert all(feature.isdecimal() and str(int(feature)) == feature for feature in whole)
