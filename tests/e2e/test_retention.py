"""Retention with the real program."""

import asyncio
from datetime import date
from uuid import UUID, uuid4

import pytest

from bot.config import Settings
from bot.wiring import open_app
from domain.erasing.events import VERSION, Due
from domain.erasing.handler import Erasing
from domain.erasing.ports import Order
from domain.errors import InputError, PartError
from domain.knowledge.events import VersionIngested
from domain.recording import Actor
from tests.e2e.corner import OLD, Corner


def test_a_version_whose_term_is_over_is_proposed(corner: Corner) -> None:
    """Kept without a rule; with one it is listed, proposed once, and still there until somebody agrees."""
    must, mandate = corner.program.must, corner.mandate
    term = ("--valid-from", "2000-01-01", "--valid-to", "2001-01-01")
    corner.ingest(corner.file("alt.md", OLD), "--document", "alt", *term)
    nothing = must("mandate", "retention", mandate, "--propose", "--json").json
    assert (nothing["status"], nothing["due"], nothing["change"]) == ("nothing_due", [], None)
    must("policy", "set", mandate, "retention_versions", "10y", "--because", "Vorgabe der Revision")

    due = must("mandate", "retention", mandate, "--json").json
    assert due["status"] == "due"
    assert due["rules"] == {"retention_runs": "keep", "retention_versions": "10y"}
    expected = {"kind": "version", "run": None, "document": "alt", "version": 1, "since": "2011-01-01", "change": None}
    assert due["due"] == [expected]
    told = must("mandate", "retention", mandate).out
    assert "alt, Fassung 1" in told
    assert "--propose" in told

    proposed = must("mandate", "retention", mandate, "--propose", "--json").json
    again = must("mandate", "retention", mandate, "--propose", "--json").json
    assert (proposed["status"], again["status"]) == ("pending", "due")
    assert [one["change"] for one in again["due"]] == [proposed["change"]]
    (waiting,) = must("policy", "pending", mandate, "--json").json["pending"]
    assert (waiting["change"], waiting["kind"], waiting["value"]) == (proposed["change"], "erase_records", "1")
    assert corner.known("--valid-on", "2000-06-01") == {"alt": 1}
    looks = corner.run("run", "views").json["views"]
    assert {one["what"] for one in looks} == {"retention"}

    must("mandate", "hold", mandate, "--because", "Verfahren")
    held = must("mandate", "retention", mandate, "--json").json
    assert (held["held"], held["due"], held["status"]) == (1, [], "nothing_due")


def test_an_answer_that_cites_an_erased_version_says_so(corner: Corner) -> None:
    """The run is listed, shown as erased, and refused with the reason where it would have to be read."""
    corner.ingest(corner.file("alt.md", "# Ferien\n\nDie Ferien dauern 25 Tage im Jahr."), "--document", "alt")
    asked = corner.run("ask", "Wie lange dauern die Ferien?").json
    run = asked["run"]
    assert asked["outcome"] == "answered"

    async def erase() -> None:
        async with open_app(Settings(corner.program.data, "de")) as app:
            mandate = await app.mandates.find(corner.mandate)
            recorded = [one for one in await app.store.after(0, 100_000) if one.mandate == mandate.id]
            (version,) = [one for one in recorded if isinstance(one.event, VersionIngested)]
            due = Due(VERSION, version.stream, version.position, None, date(2026, 1, 1))
            await app.eraser.records([due], Order(uuid4(), mandate.id, await app.actor()))

    asyncio.run(erase())
    shown = corner.program.must("run", "show", run, "--json").json
    assert (shown["run"], shown["outcome"], shown["erased"]) == (run, "answered", True)
    told = corner.program.must("run", "show", run)
    assert "(gelöscht)" in told.out
    assert "25 Tage" not in told.out
    today = date.today().isoformat()  # noqa: DTZ011 - any day that is not to come
    for command in (("replay", run), ("resume", run), ("diff", run, "--at", today)):
        refused = corner.program("run", *command, "--json")
        assert (refused.code, refused.json["error"]["key"]) == (2, "answer_erased"), command
    (listed,) = corner.run("run", "list").json["runs"]
    assert (UUID(listed["run"]), listed["outcome"]) == (UUID(run), "answered")


class Down:
    """What erases does not answer."""

    async def records(self, _records: object, _order: object) -> None:
        raise PartError("database")


def test_an_erasure_that_was_cut_off_goes_on_without_who_agreed(corner: Corner) -> None:
    """Agreed to, cut off, and the second person removed since: doctor counts it, and said again it comes to its end."""
    must, mandate = corner.program.must, corner.mandate
    term = ("--valid-from", "2000-01-01", "--valid-to", "2001-01-01")
    alt = corner.file("alt.md", OLD)
    corner.ingest(alt, "--document", "alt", *term)
    must("policy", "set", mandate, "retention_versions", "10y", "--because", "Vorgabe der Revision")
    change = must("mandate", "retention", mandate, "--propose", "--json").json["change"]
    must("mandate", "admit", mandate, "zweite", "--clearance", "internal")
    must("mandate", "role", mandate, "zweite", "compliance")

    async def agree() -> None:
        async with open_app(Settings(corner.program.data, "de")) as app:
            second = await app.people.find("zweite")
            assert second is not None
            # Put right meanwhile, and put right once more.
            corner.ingest(alt, "--document", "alt", *term[:-1], "2090-01-01")
            with pytest.raises(InputError, match="proposal_not_due"):
                await app.four_eyes.approve(UUID(change), Actor(second))
            corner.ingest(alt, "--document", "alt", *term)
            await app.four_eyes.approve(UUID(change), Actor(second))
            with pytest.raises(PartError):
                await Erasing(app.store, app.mandates, Down()).execute(UUID(change), Actor(second))

    asyncio.run(agree())
    must("mandate", "remove", mandate, "zweite")
    (broken,) = [one for one in corner.program("doctor", "--json").json["checks"] if not one["ok"]]
    assert (broken["name"], broken["error"]["key"]) == ("erasing", "erasing_begun")
    assert mandate not in broken["error"]["message"]
    assert [one["change"] for one in must("policy", "pending", mandate, "--json").json["erasing"]] == [change]
    must("policy", "approve", change)
    assert must("policy", "pending", mandate, "--json").json["erasing"] == []
    assert must("doctor", "--json").json["ok"]
    assert corner.known("--valid-on", "2000-06-01") == {}


def test_a_bad_term_is_named(corner: Corner) -> None:
    """With what would do instead."""
    refused = corner.program("policy", "set", corner.mandate, "retention_runs", "10 Jahre", "--because", "x", "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "rule_value")
    assert "10y" in refused.json["error"]["message"]
