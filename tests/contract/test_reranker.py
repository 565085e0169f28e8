"""What every reranker promises."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.encoders.use import UniversalSentenceEncoder
from adapters.models.server import ServedModel
from adapters.rerank.embedded import EmbeddedReranker
from adapters.rerank.sentence_transformers import CrossEncoderReranker
from adapters.rerank.vllm import VllmReranker
from domain.asking.ports import PassageId, PassageText, Reranker
from domain.knowledge.text import Span
from tests.twins import ANALYZER

QUESTION = "Wie lang ist die Kündigungsfrist für Mitarbeiter?"
ANSWER = "Die Frist zur Kündigung beträgt für Mitarbeiter drei Monate."
NEAR = "Mitarbeiter haben einen Anspruch auf dreißig Tage Urlaub im Jahr."
FAR = "Der Hagel hat das Dach der Scheune beschädigt."


@pytest.fixture(scope="module")
def embedded() -> Iterator[EmbeddedReranker]:
    encoder = UniversalSentenceEncoder()
    yield EmbeddedReranker(encoder, ANALYZER)
    encoder.close()


@dataclass
class Case:
    """A reranker, and how far two scores of one pair may lie apart; 0 means equal bits."""

    reranker: Reranker
    blur: float = 0.0

    def must_equal(self, one: Sequence[float], other: Sequence[float]) -> None:
        assert len(one) == len(other)
        assert all(abs(a - b) <= self.blur for a, b in zip(one, other, strict=True))


@pytest.fixture(
    scope="module",
    params=[
        "embedded",
        pytest.param("sentence-transformers", marks=pytest.mark.models),
        pytest.param("vllm", marks=[pytest.mark.models, pytest.mark.vllm]),
    ],
)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    if request.param == "embedded":
        yield Case(request.getfixturevalue("embedded"))
    elif request.param == "vllm":
        yield Case(VllmReranker(request.getfixturevalue("served_reranker")), 1e-5)
    else:
        reranker = CrossEncoderReranker(str(request.getfixturevalue("tiny_cross_encoder")))
        yield Case(reranker)
        reranker.close()


def passage(text: str, number: int = 0) -> PassageText:
    return PassageText(
        id=PassageId(1, number),
        span=Span(10, 10 + len(text)),
        text=text,
        mark="",
        section=(),
        place="",
        lead_in="",
        lead_in_span=None,
        sentences=(Span(10, 10 + len(text)),) if text else (),
        page=None,
        page_label=None,
        markup="plain",
        search_text=text,
    )


@pytest.mark.parametrize("question", [QUESTION, "", "?", "§ 5", "x" * 4000, "Ist das so?"])
async def test_scores_lie_between_zero_and_one(case: Case, question: str) -> None:
    """Whatever is asked, and of an empty passage too."""
    scores = await case.reranker.scores(question, [passage(ANSWER), passage(""), passage("x" * 5000)])

    assert len(scores) == 3
    assert all(0 <= score <= 1 for score in scores)


async def test_a_score_does_not_depend_on_the_other_candidates(case: Case) -> None:
    """Alone or among others, in any order: the same bits, or as near as the adapter says."""
    texts = [ANSWER, NEAR, FAR]
    together = await case.reranker.scores(QUESTION, [passage(text, number) for number, text in enumerate(texts)])
    alone = [(await case.reranker.scores(QUESTION, [passage(text)]))[0] for text in texts]
    backwards = await case.reranker.scores(QUESTION, [passage(text) for text in reversed(texts)])

    case.must_equal(together, alone)
    case.must_equal(backwards, together[::-1])


async def test_a_score_depends_on_question_and_passage(case: Case) -> None:
    """Another question or another passage has another score."""
    (one, other), (third, _) = [
        await case.reranker.scores(question, [passage(ANSWER), passage(FAR)])
        for question in (QUESTION, "Welche Tage hat das Jahr?")
    ]

    assert len({one, other, third}) == 3


async def test_no_passages_no_scores(case: Case) -> None:
    """Nothing to read, nothing to say."""
    assert await case.reranker.scores(QUESTION, []) == []


def test_the_fingerprint_names_model_version_and_weights(case: Case) -> None:
    """A threshold is bound to all that a score depends on."""
    assert case.reranker.fingerprint.startswith(f"{case.reranker.name}/{case.reranker.version}/")


async def test_the_answer_stands_above_the_threshold_and_the_rest_below(embedded: EmbeddedReranker) -> None:
    """Scores order the passages, and the model's own threshold parts them.

    What a model has learned is no matter of its adapter, and the tiny ones have learned nothing.
    """
    answer, near, far = await embedded.scores(QUESTION, [passage(ANSWER), passage(NEAR), passage(FAR)])

    assert embedded.threshold is not None
    assert answer >= embedded.threshold > near > far


def test_the_embedded_fingerprint_names_the_encoder_too(embedded: EmbeddedReranker) -> None:
    """The cosine in its scores comes from there."""
    assert UniversalSentenceEncoder().fingerprint in embedded.fingerprint


@pytest.mark.models
@pytest.mark.vllm
async def test_both_ways_to_run_a_model_agree(served_reranker: ServedModel, tiny_cross_encoder: Path) -> None:
    """The server's scores are those of the library, so each applies the sigmoid once, and to the same pair of texts."""
    here = CrossEncoderReranker(str(tiny_cross_encoder))
    passages = [passage(text) for text in (ANSWER, NEAR, FAR)]
    one, other = await here.scores(QUESTION, passages), await VllmReranker(served_reranker).scores(QUESTION, passages)
    here.close()

    assert other == pytest.approx(one, abs=1e-3)
