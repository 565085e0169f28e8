"""Formulator behind a server with ``/v1/chat/completions``; vLLM is the documented one.

The reply is asked for in a fixed form. Servers name the parameter for that in two ways, and some have none, so each
is tried in turn, and the last request asks for plain prose: what comes back is read all the same
(``domain/asking/parsing.py``).

The most likely words are taken, from a fixed seed. That makes replies of one server alike, not equal: it works on the
requests of many callers together, and the last digits of a sum may depend on the neighbours.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from adapters.formulate.prompt import Form, messages, prompt_version
from adapters.models.failing import UnusableModelError
from adapters.models.server import ModelServer, ServedModel
from domain.asking.drafts import Draft, DraftRequest
from domain.asking.parsing import MOST_SENTENCES, is_structured, parse

KEY: Final = "model"
"""Of the ``PartError`` of all that goes wrong; ``model_context`` where the model cannot read as much."""

LONGEST_ANSWER: Final = 1_024
"""Tokens of a reply; three long sentences of law have some 300, with the signs of the structure around them."""

CUT_OFF: Final = "cut_off"
REFUSED: Final = "refused"
FILTERED: Final = "filtered"


class OpenAIFormulator:
    """``Formulator`` over HTTP."""

    attempts: Final = 2
    """The second draft is asked for with another seed and told to be more careful."""

    def __init__(self, served: ServedModel) -> None:
        self._served = served
        self._server = ModelServer(served, KEY)
        self.name = self.model = served.original

    @property
    def version(self) -> str:
        """The revision that the configuration states, and version and hash of the prompt."""
        return f"{self._served.revision}, prompt {prompt_version()}"

    @property
    def fingerprint(self) -> str:
        """Name, revision and a hash over both, the prompt and the length of a reply."""
        return self._served.fingerprint("chat", prompt_version(), LONGEST_ANSWER)

    async def draft(self, request: DraftRequest) -> Draft:
        """Return what the model writes; without passages it is not asked.

        Raises:
            PartError: ``model`` or ``model_context``.
        """
        if not request.passages:
            return Draft()
        return await self._server.ask_either("/v1/chat/completions", _bodies(request), _draft)


def _bodies(request: DraftRequest) -> list[dict[str, Any]]:
    """Return the same request in the forms that servers know, the one with the strictest form first."""
    schema = _schema([one.label for one in request.passages])
    strict = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
    return [
        {**_body(request, "structured"), "response_format": strict},
        {**_body(request, "structured"), "response_format": {"type": "json_object", "schema": schema}},
        _body(request, "prose"),
    ]


def _body(request: DraftRequest, form: Form) -> dict[str, Any]:
    return {
        "messages": messages(request, form),
        "temperature": 0,
        "seed": request.attempt,
        "max_tokens": LONGEST_ANSWER,
        "stream": False,
    }


def _schema(labels: Sequence[str]) -> dict[str, Any]:
    """Return the form of a reply. Its lists have an end: a weak model goes on repeating a label for ever."""
    sentence = _object(
        {"text": {"type": "string"}, "labels": _list({"type": "string", "enum": [*labels]}, len(labels))}
    )
    return _object({"sentences": _list(sentence, MOST_SENTENCES), "nothing_found": {"type": "boolean"}})


def _list(items: dict[str, Any], longest: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": longest}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _draft(reply: Any) -> Draft:
    """Read a completion. One that ends too early is no draft, unless its structure is complete."""
    choices = reply.get("choices") if isinstance(reply, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise UnusableModelError("choices")
    draft = parse(_content(message))
    ended = choice.get("finish_reason")
    if ended == "length" and not (is_structured(draft.reply) and not draft.problem):
        return _none(draft, CUT_OFF)
    if ended == "content_filter":
        return _none(draft, FILTERED)
    return _none(draft, REFUSED) if message.get("refusal") else draft


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    texts = [one["text"] for one in parts if isinstance(one, dict) and isinstance(one.get("text"), str)]
    return content if isinstance(content, str) else "".join(texts)


def _none(draft: Draft, problem: str) -> Draft:
    return replace(draft, sentences=(), nothing_found=False, problem=problem)
