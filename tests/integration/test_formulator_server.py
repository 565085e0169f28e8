"""A formulator's server that misbehaves: what becomes of the draft, what is sent, and what is kept out of sight."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.formulate.openai import LONGEST_ANSWER, OpenAIFormulator
from adapters.formulate.prompt import prompt_version
from adapters.models import server
from adapters.models.server import TRIES, ServedModel
from domain.asking.drafts import UNANSWERED, Draft, Drafted, DraftRequest
from domain.asking.parsing import MOST_SENTENCES
from domain.errors import PartError
from tests.chat_server import ChatServer, Reply, chat_server, raw, says, structured
from tests.unit.asking.test_formulation import labelled, passage

PRIVATE = "Wem gehört das geheime Grundstück?"
SECRET = "Das Grundstück gehört dem Verein."
SENTENCE = "Die Frist der Kündigung beträgt drei Monate."
ANSWER = (Drafted(SENTENCE, ("S1",)),)
JSON_SCHEMA, JSON_OBJECT = "json_schema", "json_object"


@pytest.fixture
async def here() -> AsyncIterator[tuple[ChatServer, str]]:
    async with chat_server() as running:
        yield running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits between two tries, except where a test says so."""
    monkeypatch.setattr(server, "_FIRST_PAUSE", 0.0)


def formulator(url: str, **more: Any) -> OpenAIFormulator:
    return OpenAIFormulator(ServedModel(url, "tiny", "7", **{"base": "acme/tiny", "timeout": 5, **more}))


def request(question: str = PRIVATE, **more: Any) -> DraftRequest:
    return DraftRequest(question, "de", labelled(passage(SECRET), passage("Katzen schlafen.", start=90)), **more)


async def failure(work: Awaitable[object]) -> PartError:
    with pytest.raises(PartError) as caught:
        await work
    assert caught.value.key in UNANSWERED
    told = f"{caught.value!r} {caught.value}"
    assert not any(word in told for word in (PRIVATE, SECRET, "geheime"))
    return caught.value


def forms(here: ChatServer) -> list[str | None]:
    """Return the forms of reply that were asked for."""
    return [body.get("response_format", {}).get("type") for body in here.bodies]


async def test_a_draft_is_asked_for_in_a_fixed_form(here: tuple[ChatServer, str]) -> None:
    """With the labels that exist, the likeliest words, a seed and an end; the form itself has one as well."""
    chat, url = here
    draft = await formulator(url).draft(request())

    (body,) = chat.bodies
    schema = body["response_format"]["json_schema"]
    assert draft.sentences == ANSWER
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("tiny", 0, 1, LONGEST_ANSWER)
    assert schema["strict"]
    assert schema["schema"]["properties"]["sentences"]["items"]["properties"]["labels"]["items"]["enum"] == ["S1", "S2"]
    assert schema["schema"]["properties"]["sentences"]["maxItems"] == MOST_SENTENCES
    assert schema["schema"]["properties"]["sentences"]["items"]["properties"]["labels"]["maxItems"] == 2
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert "truncate_prompt_tokens" not in body


async def test_a_second_attempt_is_another_request(here: tuple[ChatServer, str]) -> None:
    """With another seed and a word about why, or it would be the same draft again."""
    chat, url = here
    await formulator(url).draft(request())
    await formulator(url).draft(request(attempt=2))

    one, other = chat.bodies
    assert (one["seed"], other["seed"]) == (1, 2)
    assert one["messages"][1] != other["messages"][1]


async def test_the_same_request_is_the_same_bytes(here: tuple[ChatServer, str]) -> None:
    """Nothing of ours is left to chance."""
    chat, url = here
    for _ in range(3):
        await formulator(url).draft(request())

    assert len({json.dumps(body) for body in chat.bodies}) == 1


async def test_without_passages_no_model_is_asked(here: tuple[ChatServer, str]) -> None:
    """There is nothing that it could write from."""
    chat, url = here

    assert await formulator(url).draft(DraftRequest(PRIVATE, "de", ())) == Draft()
    assert chat.asked == []


@pytest.mark.parametrize("status", [400, 422, 500, 501])
async def test_a_form_that_a_server_does_not_know_is_asked_for_otherwise(
    here: tuple[ChatServer, str], status: int
) -> None:
    """First in the other words for it, then not at all; plain prose is read as well."""
    chat, url = here
    refusals = [raw('{"error": "unknown parameter: response_format"}', status)] * (2 if status == 500 else 1)
    chat.replies = [*refusals, says(structured((SENTENCE, ["S1"])))]
    assert (await formulator(url).draft(request())).sentences == ANSWER
    assert dict.fromkeys(forms(chat)) == dict.fromkeys([JSON_SCHEMA, JSON_OBJECT])

    chat.asked.clear()
    chat.replies = [*refusals * 2, says("Die Frist der Kündigung beträgt drei Monate [S1].")]
    assert (await formulator(url).draft(request())).sentences == ANSWER
    assert dict.fromkeys(forms(chat)) == dict.fromkeys([JSON_SCHEMA, JSON_OBJECT, None])
    assert "JSON" not in chat.bodies[-1]["messages"][1]["content"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (says(""), "empty"),
        (says(None), "empty"),
        (says(7), "empty"),
        (says([]), "empty"),
        (says("{"), "json"),
        (says('{"answer": 1}'), "shape"),
        (says("Lang. " * 20_000), "long"),
        (says(f"{SENTENCE} [S1] Sie endet am", "length"), "cut_off"),
        (says('{"sentences": [{"text": "Die Frist', "length"), "cut_off"),
        (says(f"{SENTENCE} [S1]", "content_filter"), "filtered"),
        (says(None, refusal="I cannot help with that."), "refused"),
    ],
)
async def test_a_reply_that_cannot_be_read_is_no_draft(
    here: tuple[ChatServer, str], reply: Reply, problem: str
) -> None:
    """The server works, so this is no failure of a part: the run goes on and ends in an honest refusal."""
    chat, url = here
    chat.replies = [reply]
    draft = await formulator(url).draft(request())

    assert (draft.sentences, draft.nothing_found, draft.problem) == ((), False, problem)


async def test_blanks_behind_a_whole_structure_do_no_harm(here: tuple[ChatServer, str]) -> None:
    """Some models go on with blanks until they are stopped."""
    chat, url = here
    chat.replies = [says(structured((SENTENCE, ["S1"])) + "\n" * 500, "length")]

    assert (await formulator(url).draft(request())).sentences == ANSWER


async def test_content_may_come_in_parts(here: tuple[ChatServer, str]) -> None:
    """Some servers send a list of texts."""
    chat, url = here
    chat.replies = [
        says([{"type": "text", "text": "Die Frist der Kündigung "}, {"text": "beträgt drei Monate [S1]."}, 1])
    ]

    assert (await formulator(url).draft(request())).sentences == ANSWER


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"choices": []}', '{"choices": [1]}', '{"choices": [{}]}', '{"choices": {"0": 1}}', "null"],
)
async def test_a_reply_that_is_no_completion_is_a_failure(here: tuple[ChatServer, str], content: str) -> None:
    """Then something else than a model answers there."""
    chat, url = here
    chat.replies = [raw(content)]

    assert (await failure(formulator(url).draft(request()))).values["kind"] == "choices"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (raw("<html>" + PRIVATE), "JSONDecodeError"),
        (raw('{"choices": [{"mess'), "JSONDecodeError"),
        (raw("", 401), "HTTP 401"),
        (raw("", 404), "HTTP 404"),
        (raw("", 307, Location="http://192.0.2.1/v1/chat/completions"), "HTTP 307"),
    ],
)
async def test_an_error_is_told_at_once(here: tuple[ChatServer, str], reply: Reply, kind: str) -> None:
    """Another form of the request would not help."""
    chat, url = here
    chat.replies = [reply]

    error = await failure(formulator(url).draft(request()))

    assert (error.key, error.values["kind"]) == ("model", kind)
    assert len(chat.bodies) == 1


@pytest.mark.parametrize(
    "told",
    [
        "This model's maximum context length is 512 tokens. However, you requested 900 tokens.",
        "'max_tokens' is too large: 1024. This model's maximum context length is 512 tokens",
        '{"error": {"code": "context_length_exceeded", "message": "..."}}',
        "Requested tokens (900) exceed context window of 512",
        "the request exceeds the available context size. try increasing the context size",
    ],
)
@pytest.mark.parametrize("status", [400, 500])
async def test_more_than_the_model_can_read_is_said_so(here: tuple[ChatServer, str], told: str, status: int) -> None:
    """Nothing is cut: which passages carry an answer nobody knows before it is written."""
    chat, url = here
    chat.replies = [raw(f"{told} {PRIVATE}", status)]

    error = await failure(formulator(url).draft(request()))

    assert error.key == "model_context"
    assert len(chat.bodies) == 1


async def test_a_busy_server_is_asked_again_and_not_for_ever(
    here: tuple[ChatServer, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the pauses that it wishes for, up to a bound, and in the same form."""
    chat, url = here
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    one = formulator(url)
    monkeypatch.setattr(one._server, "_pause", pause)
    chat.replies = [raw("", 429, **{"Retry-After": "2"}), raw("", 503, **{"Retry-After": "86400"})]
    assert (await one.draft(request())).sentences == ANSWER
    assert pauses == [2, server.LONGEST_PAUSE]
    assert set(forms(chat)) == {JSON_SCHEMA}

    chat.asked.clear()
    chat.replies = [raw("", 429)] * TRIES
    assert (await failure(one.draft(request()))).values["kind"] == "HTTP 429"
    assert len(chat.bodies) == TRIES


async def test_a_fault_of_the_server_may_pass(here: tuple[ChatServer, str]) -> None:
    """It is asked once more; one that stays is told after every form has been tried, twice each."""
    chat, url = here
    chat.replies = [raw(PRIVATE, 500)]
    assert (await formulator(url).draft(request())).sentences == ANSWER
    assert forms(chat) == [JSON_SCHEMA] * 2

    chat.asked.clear()
    chat.usual = raw(PRIVATE, 500)
    assert (await failure(formulator(url).draft(request()))).values["kind"] == "HTTP 500"
    assert forms(chat) == [JSON_SCHEMA] * 2 + [JSON_OBJECT] * 2 + [None] * 2


async def test_a_connection_that_is_cut_or_silent_is_a_failure(here: tuple[ChatServer, str]) -> None:
    """In the middle of a reply, before it, or never one at all; nobody waits for ever."""
    chat, url = here

    async def cut(asked: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Length": "1000"})
        await reply.prepare(asked)
        await reply.write(b'{"choices": [{"message": {"content": "Die Frist')
        assert asked.transport is not None
        asked.transport.close()
        return reply

    async def gone(asked: web.Request) -> web.StreamResponse:
        assert asked.transport is not None
        asked.transport.abort()
        return web.Response()

    async def silent(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        return web.Response()

    kinds = []
    for reply in (cut, gone, silent):
        chat.replies = [reply]
        kinds.append((await failure(formulator(url, timeout=0.3).draft(request()))).values["kind"])
    kinds.append((await failure(formulator("http://127.0.0.1:1").draft(request()))).values["kind"])

    assert kinds == ["ClientPayloadError", "ServerDisconnectedError", "TimeoutError", "ClientConnectorError"]


async def test_another_model_than_configured_is_not_asked(here: tuple[ChatServer, str]) -> None:
    """Which model wrote an answer is recorded, so it must be the one."""
    chat, url = here
    chat.models = {"data": [{"id": "tiny", "root": "acme/other"}]}

    assert (await failure(formulator(url).draft(request()))).values["kind"] == "base"
    assert chat.bodies == []


async def test_no_other_host_is_called(here: tuple[ChatServer, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a proxy of the environment, nor where a reply or a text points to, nor anything for cookies."""
    chat, url = here
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    called: list[str] = []
    loop = asyncio.get_running_loop()
    connect = loop.sock_connect

    async def recorded(sock: Any, address: Any) -> None:
        called.append("http://{}:{}".format(*address[:2]))
        await connect(sock, address)

    monkeypatch.setattr(loop, "sock_connect", recorded)
    chat.replies = [raw("", 302, Location="http://127.0.0.2:9/", **{"Set-Cookie": "a=b"})]
    await failure(formulator(url).draft(request()))
    chat.replies = [says(structured(("Siehe http://127.0.0.3:9/x und ![p](http://127.0.0.4:9/p.png).", ["S1"])))]
    await formulator(url).draft(request("Was steht unter http://127.0.0.5:9/?"))

    assert set(called) == {url}
    assert not any("Cookie" in headers for _, _, headers in chat.asked)


async def test_neither_key_nor_question_nor_draft_is_logged(
    here: tuple[ChatServer, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At any level, from any library, whether it goes well or not."""
    chat, url = here
    key = tmp_path / "key"
    key.write_text("geheimer-schluessel\n")
    caplog.set_level(logging.DEBUG)
    chat.replies = [says(structured((SECRET, ["S1"]))), raw(PRIVATE, 401), raw(SECRET, 400), raw("{", 200)]
    one = formulator(url, key_file=key)
    await one.draft(request())
    for _ in range(2):
        await failure(one.draft(request()))

    assert {headers["Authorization"] for _, _, headers in chat.asked} == {"Bearer geheimer-schluessel"}
    assert not any(word in caplog.text for word in ("geheim", "Grundstück", "Verein"))


def test_a_formulator_is_told_apart_by_model_and_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version and fingerprint change with the revision and with any word of the prompt, not with the address."""
    one = formulator("http://a")
    same = OpenAIFormulator(ServedModel("http://b", "alias", "7", base="acme/tiny"))
    other = OpenAIFormulator(ServedModel("http://a", "tiny", "8", base="acme/tiny"))
    assert (one.name, one.version) == ("acme/tiny", f"7, prompt {prompt_version()}")
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert one.fingerprint.startswith("acme/tiny/7/")

    before = one.fingerprint
    monkeypatch.setattr("adapters.formulate.openai.prompt_version", lambda: "2/0")
    assert one.fingerprint != before
