"""Judge by natural language inference: a cross-encoder that says entailment, neutral or contradiction.

Bowman et al., A large annotated corpus for learning natural language inference, 2015. Which output means what is read
from the model's own ``id2label``, and at its first use the model is tried on pairs whose answers nobody doubts: one
that has its labels crossed would pass falsehoods as proved.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any, Final

from adapters.models.failing import UnusableModelError
from adapters.models.local import LONGEST, LocalModel, architecture, options
from domain.verifying.ports import Claim
from domain.verifying.values import Judgement, Standing

ENTAILMENT, CONTRADICTION, NEUTRAL = "entailment", "contradiction", "neutral"

SELF_TEST: Final = (
    ("Die Frist beträgt drei Monate.", "Die Frist beträgt drei Monate.", ENTAILMENT),
    ("Die Frist beträgt drei Monate.", "Die Frist beträgt nicht drei Monate.", CONTRADICTION),
    ("Die Frist beträgt drei Monate.", "Der Beitrag ist im Januar fällig.", NEUTRAL),
)
"""Premise, hypothesis, and what every such model must say of them."""

SPECIAL: Final = 4
"""Tokens of its own that a model may put around and between premise and hypothesis."""

LENGTH: Final = "length"

Labels = Mapping[str, int]


class NliJudge(LocalModel):
    """``Judge``: a claim stands when its evidence entails it, more surely than it contradicts it.

    Args:
        place, revision: as for ``LocalModel``.
    """

    model: Final = ""

    def __init__(self, place: str, revision: str | None = None) -> None:
        super().__init__(place, "judge", _tested, revision)

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement]:
        """Return a judgement for each claim, in order.

        Raises:
            PartError: ``judge_model`` when the model cannot be loaded, fails its test, or gives no numbers.
        """
        return [await self.run(partial(_judged, one)) for one in claims]


def _judged(claim: Claim, model: Any) -> Judgement:
    if not _is_read_whole(model, claim.text):
        return Judgement(Standing.NOT_SUPPORTED, 0.0, LENGTH, (), "")
    shares = _shares(model, claim.evidence, claim.text)
    # Contradiction is looked at first: what may contradict is not supported, however much of it is entailed.
    if shares[CONTRADICTION] >= shares[ENTAILMENT]:
        return Judgement(Standing.CONTRADICTED, 1.0 - shares[CONTRADICTION], CONTRADICTION, (), "")
    if shares[ENTAILMENT] > shares[NEUTRAL]:
        return Judgement(Standing.SUPPORTED, shares[ENTAILMENT], ENTAILMENT, (), "")
    return Judgement(Standing.NOT_SUPPORTED, shares[ENTAILMENT], NEUTRAL, (), "")


def _is_read_whole(model: Any, hypothesis: str) -> bool:
    """Say whether a claim reaches the model uncut, since the end of it may say the opposite.

    Of a pair that is too long the libraries cut the longer text until both are alike, so half the room is safe.
    """
    if len(hypothesis) > LONGEST:
        return False
    tokens = model.tokenizer(hypothesis, add_special_tokens=False)["input_ids"]
    room = model.max_seq_length
    return room is None or 2 * len(tokens) + SPECIAL <= room


def _shares(model: Any, premise: str, hypothesis: str) -> dict[str, float]:
    pair = (premise[:LONGEST], hypothesis[:LONGEST])
    (row,) = model.predict([pair], apply_softmax=True, show_progress_bar=False).tolist()
    if not all(map(isfinite, row)):
        raise UnusableModelError("score")
    return {name: float(row[at]) for name, at in _labels(model).items()}


def _labels(model: Any) -> Labels:
    """Return which output is which; a model without these three says nothing about inference."""
    found = {str(name).lower(): int(at) for at, name in model.model.config.id2label.items()}
    named = {
        wanted: next((at for name, at in found.items() if name.startswith(wanted[:6])), None)
        for wanted in (ENTAILMENT, CONTRADICTION, NEUTRAL)
    }
    if len(found) != len(named) or None in named.values():
        raise UnusableModelError("labels")
    return {name: at for name, at in named.items() if at is not None}


def _tested(folder: str) -> Any:
    """Open a model and try it."""
    if not architecture(folder).endswith("ForSequenceClassification"):
        raise UnusableModelError("architecture")
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 - seconds that other commands save

    model = CrossEncoder(folder, **options())
    for premise, hypothesis, wanted in SELF_TEST:
        shares = _shares(model, premise, hypothesis)
        if max(shares, key=shares.__getitem__) != wanted:
            raise UnusableModelError("self_test")
    return model
