"""A real language model that hallucinates writes the drafts; no false sentence of it gets out.

``docs/nightly-model.md`` lists each sentence that got through beside the span that it is tied to, and what a person
who read both says about it. A sentence that is not listed there, or listed as one that does not follow, is a failure:
read it in the report that the test leaves (``FUNDSTELLE_REPORT``, else ``.parts/nightly-model.md``).
"""

import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import aiohttp
import pytest

from adapters.formulate.openai import OpenAIFormulator, _bodies, _draft
from adapters.models.server import ServedModel
from bot.config import load
from bot.wiring import open_app
from domain.asking.drafts import DraftRequest
from domain.asking.parsing import is_structured
from domain.errors import PartError
from tests.data import LAW
from tests.e2e.conftest import installed
from tests.e2e.program import CHECKOUT, Program
from tests.models import llama
from tests.nightly.fates import DELIVERED, Drafts, drafts, figures
from tests.nightly.listing import DOCUMENT, FOLLOWS, HEAD, UNREAD, figures_missing, row, through
from tests.unit.asking.test_formulation import labelled, passage

pytestmark = [pytest.mark.nightly, pytest.mark.law, pytest.mark.llama]

QUESTIONS = Path(__file__).with_name("questions.jsonl")
REPORT = Path(os.environ.get("FUNDSTELLE_REPORT", CHECKOUT / ".parts" / "nightly-model.md"))
HOURS = 3 * 3_600
QUESTION, SENTENCE = "Wie lang ist die Frist der Kündigung?", "Die Frist der Kündigung beträgt drei Monate."


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llama.serve(tmp_path_factory.mktemp("llama")) as running:
        yield running


@dataclass(frozen=True)
class Night:
    """What the program replied to each question, and what became of the model's drafts."""

    replies: Sequence[dict[str, Any]]
    drafts: Sequence[Drafts]


@pytest.fixture(scope="module")
def night(address: str) -> Iterator[Night]:
    """All questions over all acts, the model writing and the rules judging."""
    with installed() as one:
        program = replace(one, seconds=HOURS)
        served = f'kind = "openai"\nurl = "{address}"\nmodel = "{llama.NAME}"\nrevision = "{llama.MODEL_HASH}"\n'
        (program.data / "config.toml").write_text(f"[models.formulator]\n{served}timeout = 900\n")
        program.must("mandate", "open", "Recht")
        program.must("ingest", "--manifest", LAW / "manifest.jsonl", "--mandate", "Recht")
        replies = program.must("ask", "--batch", QUESTIONS, "--mandate", "Recht", "--json").lines
        found = Night(replies, asyncio.run(recorded(program, [UUID(one["run"]) for one in replies])))
        report(found)
        yield found


async def recorded(program: Program, runs: Sequence[UUID]) -> list[Drafts]:
    async with open_app(load(program.data, None, "de")) as app:
        return [drafts([one.event for one in await app.store.read(run)]) for run in runs]


def report(night: Night) -> None:
    """Write figures and listing; what has been judged before keeps its judgement."""
    judged = set(DOCUMENT.read_text(encoding="utf-8").splitlines())
    rows = [
        next((line for line in (row(*one, said) for said in (FOLLOWS, "no")) if line in judged), row(*one, UNREAD))
        for one in got_out(night)
    ]
    fates = [
        f"- {reply['id']} {one.fate} {one.reason}: {one.text} {list(one.labels)}"
        for reply, each in zip(night.replies, night.drafts, strict=True)
        for one in each.fates
    ]
    told = "\n".join([figures(night.drafts), "", HEAD, *rows, "", *fates, ""])
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(told, encoding="utf-8")


def got_out(night: Night) -> list[tuple[str, str, list[dict[str, Any]]]]:
    return [(reply["id"], *one) for reply in night.replies for one in through(reply)]


async def status_of(address: str, body: dict[str, Any]) -> int:
    async with aiohttp.ClientSession() as session:
        asked = {"model": llama.NAME, **body}
        async with session.post(f"{address}/v1/chat/completions", json=asked) as reply:
            return reply.status


async def test_the_form_is_asked_for_as_this_server_knows_it(address: str) -> None:
    """It answers 500 to ``json_schema``; the draft comes as ``json_object``, or as prose where that is not tried."""
    request = DraftRequest(QUESTION, "de", labelled(passage(SENTENCE), passage("Katzen schlafen.", start=90)))
    strict, loose, prose = _bodies(request)
    formulator = OpenAIFormulator(ServedModel(address, llama.NAME, "1", timeout=900))

    assert [await status_of(address, body) for body in (strict, loose, prose)] == [500, 200, 200]
    drafted = await formulator.draft(request)
    assert is_structured(drafted.reply)
    assert drafted == await formulator.draft(request), "the same request, the same draft"
    in_prose = await formulator._server.ask_either("/v1/chat/completions", [strict, prose], _draft)
    assert in_prose.reply
    assert in_prose.sentences or in_prose.problem


async def test_more_than_this_model_can_read_is_said_so(address: str) -> None:
    """In the words of this server; nothing is cut."""
    formulator = OpenAIFormulator(ServedModel(address, llama.NAME, "1", timeout=900))

    with pytest.raises(PartError) as caught:
        await formulator.draft(DraftRequest(QUESTION, "de", labelled(passage(SENTENCE * 2_000))))

    assert caught.value.key == "model_context"


def test_every_question_came_to_an_end(night: Night) -> None:
    """Answered or refused; the model was asked, and wrote something to check."""
    print(figures(night.drafts))

    assert len(night.replies) == len(QUESTIONS.read_text(encoding="utf-8").splitlines()) == 50
    assert {one["outcome"] for one in night.replies} <= {"answered", "refused"}
    assert sum(len(one.fates) for one in night.drafts) > 20


def test_what_the_corpus_does_not_answer_is_not_answered(night: Night) -> None:
    """Whatever the model had to say about it."""
    assert [one["id"] for one in night.replies if one["id"].startswith("no-") and one["outcome"] == "answered"] == []


def test_what_got_out_is_tied_to_the_stored_text(night: Night) -> None:
    """Each sentence has an anchor, each quote is that span of the file, and no figure of it stands elsewhere alone."""
    files: dict[str, list[Path]] = {}
    for line in (LAW / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        files.setdefault(entry["document"], []).append(LAW / entry["path"])
    for _, sentence, sources in got_out(night):
        assert sources, sentence
        assert figures_missing(sentence, sources) == set(), sentence
        for one in sources:
            text = files[one["document"]][one["version"] - 1].read_text(encoding="utf-8")
            assert text[one["start"] : one["end"]] == one["quote"]
    delivered = sum(one.fate == DELIVERED for each in night.drafts for one in each.fates)
    assert delivered == len(got_out(night))


def test_what_got_out_has_been_read_and_follows(night: Night) -> None:
    """Every sentence is listed with its span, by somebody who says that it follows; target: none that does not."""
    listed = set(DOCUMENT.read_text(encoding="utf-8").splitlines())
    unlisted = [line for one in got_out(night) if (line := row(*one, FOLLOWS)) not in listed]

    assert unlisted == [], f"read these, and list them in {DOCUMENT}; the report is {REPORT}"
