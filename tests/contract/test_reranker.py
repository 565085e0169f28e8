"""What every reranker promises."""

from collections.abc import Iterator

import pytest

from adapters.encoders.use import UniversalSentenceEncoder
from adapters.rerank.coverage import CoverageReranker
from domain.asking.ports import PassageId, PassageText, Reranker
from domain.knowledge.text import Span
from tests.twins import ANALYZER

QUESTION = "Wie lang ist die Kündigungsfrist für Mitarbeiter?"
ANSWER = "Die Frist zur Kündigung beträgt für Mitarbeiter drei Monate."
NEAR = "Mitarbeiter haben einen Anspruch auf dreißig Tage Urlaub im Jahr."
FAR = "Der Hagel hat das Dach der Scheune beschädigt."


@pytest.fixture(scope="module")
def reranker() -> Iterator[CoverageReranker]:
    encoder = UniversalSentenceEncoder()
    yield CoverageReranker(encoder, ANALYZER)
    encoder.close()


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


async def test_the_answer_stands_above_the_threshold_and_the_rest_below(reranker: Reranker) -> None:
    """Scores order the passages, and the model's own threshold parts them."""
    answer, near, far = await reranker.scores(QUESTION, [passage(ANSWER), passage(NEAR), passage(FAR)])

    assert reranker.threshold is not None
    assert answer >= reranker.threshold > near > far


@pytest.mark.parametrize("question", [QUESTION, "", "?", "§ 5", "x" * 4000, "Ist das so?"])
async def test_scores_lie_between_zero_and_one(reranker: Reranker, question: str) -> None:
    """Whatever is asked, and of an empty passage too."""
    scores = await reranker.scores(question, [passage(ANSWER), passage(""), passage("x" * 5000)])

    assert len(scores) == 3
    assert all(0 <= score <= 1 for score in scores)


async def test_a_score_does_not_depend_on_the_other_candidates(reranker: Reranker) -> None:
    """Alone or among others, in any order: the same bits."""
    texts = [ANSWER, NEAR, FAR]
    together = await reranker.scores(QUESTION, [passage(text, number) for number, text in enumerate(texts)])
    alone = [(await reranker.scores(QUESTION, [passage(text)]))[0] for text in texts]

    assert together == alone
    assert await reranker.scores(QUESTION, [passage(text) for text in reversed(texts)]) == together[::-1]


async def test_no_passages_no_scores(reranker: Reranker) -> None:
    """Nothing to read, nothing to say."""
    assert await reranker.scores(QUESTION, []) == []


def test_the_fingerprint_names_encoder_and_weights(reranker: CoverageReranker) -> None:
    """A threshold is bound to all that a score depends on."""
    assert reranker.fingerprint.startswith("coverage/1/")
    assert UniversalSentenceEncoder().fingerprint in reranker.fingerprint
