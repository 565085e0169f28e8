"""Judge behind a server with ``/v1/chat/completions``: a language model reads claim and evidence.

It is asked about one claim at a time and answers in a fixed form; what does not have that form is no judgement, and
then every claim of the answer is dropped. A model that also writes the drafts shares its own blind spots; the note
above such an answer says so.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import isfinite
from string import Template
from typing import Any, Final

from adapters.formulate.prompt import as_data
from adapters.models.failing import UnusableModelError
from adapters.models.server import ModelServer, ServedModel
from domain.asking.cleaning import without_thoughts
from domain.verifying.ports import Claim
from domain.verifying.values import Judgement, Standing

KEY: Final = "judge"
LONGEST_ANSWER: Final = 400
"""Tokens of a judgement with its reason."""

LONGEST_REASON: Final = 300


class OpenAIJudge:
    """``Judge`` over HTTP."""

    def __init__(self, served: ServedModel) -> None:
        self._server = ModelServer(served, KEY)
        self._served = served
        self.name = self.model = served.original

    @property
    def fingerprint(self) -> str:
        """Name, revision and a hash over both, the prompt and the length of a reply."""
        return self._served.fingerprint("judge", _prompt(), LONGEST_ANSWER)

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement]:
        """Return a judgement for each claim, in order.

        Raises:
            PartError: ``judge`` or ``judge_context``: the model does not answer, or not in the form asked for.
        """
        return [await self._server.ask_either("/v1/chat/completions", _bodies(claim), _judgement) for claim in claims]


def _bodies(claim: Claim) -> list[dict[str, Any]]:
    schema = {
        "type": "object",
        "properties": {
            "supported": {"type": "boolean"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "reason": {"type": "string", "maxLength": LONGEST_REASON},
        },
        "required": ["supported", "confidence", "reason"],
        "additionalProperties": False,
    }
    strict = {"type": "json_schema", "json_schema": {"name": "judgement", "strict": True, "schema": schema}}
    body = {"messages": _messages(claim), "temperature": 0, "seed": 1, "max_tokens": LONGEST_ANSWER, "stream": False}
    return [{**body, "response_format": strict}, {**body, "response_format": {"type": "json_object"}}, body]


def _messages(claim: Claim) -> list[dict[str, str]]:
    system, _, user = _prompt().partition("\n--- user\n")
    texts = {"claim": as_data(claim.text), "evidence": _marked(claim)}
    nonce = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    return [
        {"role": "system", "content": Template(system).substitute(nonce=nonce)},
        {"role": "user", "content": Template(user).substitute(texts, nonce=nonce)},
    ]


def _marked(claim: Claim) -> str:
    """Return the evidence with what the claim cites in double brackets."""
    evidence = as_data(claim.evidence)
    for quote in map(as_data, claim.quotes):
        evidence = evidence.replace(quote, f"[[{quote}]]", 1) if quote else evidence
    return evidence


@cache
def _prompt() -> str:
    return files("adapters.judge").joinpath("prompts", "judge.txt").read_text(encoding="utf-8")


def _judgement(reply: Any) -> Judgement:
    try:
        choice = reply["choices"][0]
        found = json.loads(without_thoughts(choice["message"]["content"]).strip().removeprefix("```json").strip("`\n "))
        supported, confidence, reason = found["supported"], found["confidence"], found["reason"]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise UnusableModelError("judgement") from error
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool) and isfinite(confidence)
    if not isinstance(supported, bool) or not is_number or not 0 <= confidence <= 1 or not isinstance(reason, str):
        raise UnusableModelError("judgement")
    standing = Standing.SUPPORTED if supported else Standing.NOT_SUPPORTED
    return Judgement(standing, float(confidence), "model", (), "")
