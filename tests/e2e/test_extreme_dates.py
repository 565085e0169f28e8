"""Days and instants at the ends of the calendar, in mandates on either side of Greenwich."""

import json
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.e2e.program import Program

ZONES = {"WEST": "America/New_York", "OST": "Asia/Tokyo", "MITTE": "Europe/Berlin"}
DAYS = ("0001-01-01", "0001-01-02", "1582-10-10", "1600-02-29", "2026-03-29", "9999-12-30", "9999-12-31")
NO_DAYS = ("0000-01-01", "2026-02-30", "2025-02-29", "10000-01-01", "-001-01-01", "2026-1-1", "")
INSTANTS = (
    "0001-01-01",
    "0001-01-01T00:00Z",
    "0001-01-01T23:59-12:00",
    "0001-01-02T00:00+14:00",
    "2011-12-30",
    "2026-03-29T02:30+01:00",
    "2026-01-31T12:00:00.123456789+23:59",
)
NO_INSTANTS = (
    "0001-01-01T00:00+23:59",
    "2026-01-31T24:01Z",
    "2016-12-31T23:59:60Z",
    "2026-02-30T00:00Z",
    "2999-01-01",
    "9999-12-31",
    "9999-12-31T23:59-23:59",
    "10000-01-01T00:00Z",
    *NO_DAYS,
)


@pytest.fixture(scope="module")
def program(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "frist.txt").write_text("Die Kündigungsfrist beträgt drei Monate.", encoding="utf-8")
    stated = {"path": "frist.txt", "level": "internal"}
    claims = (
        {"valid_from": "0001-01-01", "valid_to": "9999-12-31"},
        {"valid_from": "9999-12-31"},
        {"valid_to": "0001-01-02"},
    )
    lines = [json.dumps({**stated, "document": f"frist{number}", **claim}) for number, claim in enumerate(claims)]
    (folder / "manifest.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for mandate, zone in ZONES.items():
        shared_program.must("mandate", "open", mandate, "--time-zone", zone)
        shared_program.must("ingest", "--manifest", folder / "manifest.jsonl", "--mandate", mandate)
    return shared_program


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_question_takes_them_or_says_what_is_wrong(program: Program, tmp_path: Path, command: str) -> None:
    """Every line of a batch has a reply; what is no day or no past instant is an error of the input."""
    good = [*product(["valid_on"], DAYS), *product(["at"], INSTANTS)]
    bad = [*product(["valid_on"], NO_DAYS), *product(["at"], NO_INSTANTS)]
    lines = [
        {"id": [mandate, name, text], "mandate": mandate, "question": "Wie lang ist die Frist?", name: text}
        for mandate, (name, text) in product(ZONES, [*good, *bad])
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    outcome = program(command, "--batch", batch, "--mandate", "MITTE", "--json")

    keys = {tuple(one["id"]): one.get("error", {}).get("key") for one in outcome.lines}
    west = {("WEST", "at", "0001-01-01T00:00Z")}  # still the year before, by the clock of New York
    assert {one for one, key in keys.items() if key is None} == {
        (mandate, *one) for mandate, one in product(ZONES, good)
    } - west
    assert {key for key in keys.values() if key} == {"day", "instant", "instant_future"}
    assert outcome.code == 1
    told = program(command, "--batch", batch, "--mandate", "MITTE")
    assert told.code == 1, "what can be given as JSON can be shown"
    assert "nicht vorgesehen" not in told.out + told.err


@pytest.mark.parametrize(
    "options",
    [
        ("known", "--valid-on", "0001-01-01"),
        ("known", "--valid-on", "9999-12-31", "--at", "0001-01-01"),
        ("diff", "--from", "0001-01-01", "--to", "0001-01-02T23:59-12:00", "--valid-on", "9999-12-31"),
        ("run", "list", "--from", "0001-01-01", "--to", "0001-01-01"),
        ("show", "frist0@1:0-3"),
        ("show", "frist1@1:0-3"),
        ("show", "frist2@1:0-3"),
        ("run", "list", "--from", "0001-01-02T00:00Z", "--at", "0001-01-01"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("mandate", ZONES)
def test_looking_back_takes_them(program: Program, options: tuple[str, ...], mandate: str) -> None:
    """Neither end of the calendar is a fault, as JSON or for people."""
    program.must(*options, "--mandate", mandate)


@pytest.mark.parametrize(
    ("command", "before"),
    [
        (("known", "--mandate", "MITTE"), None),
        (("search", "Frist", "--mandate", "MITTE"), None),
        (("ask", "Frist?", "--mandate", "MITTE"), None),
        (("run", "list", "--mandate", "MITTE"), None),
        (("policy", "show", "MITTE"), "mandate_not_yet"),
        (("mandate", "show", "MITTE"), "mandate_not_yet"),
    ],
    ids=lambda one: " ".join(one[:2]) if isinstance(one, tuple) else str(one),
)
def test_every_look_back_means_the_same_by_a_day(
    program: Program, command: tuple[str, ...], before: str | None
) -> None:
    """Today is now and tomorrow is refused; before the mandate there was nothing, or no mandate to show."""
    today = datetime.now(ZoneInfo(ZONES["MITTE"])).date()

    assert program(*command, "--at", today.isoformat(), "--json").code == 0
    refused = program(*command, "--at", (today + timedelta(days=1)).isoformat(), "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "instant_future")
    earlier = program(*command, "--at", "2020-01-01", "--json")
    assert (earlier.code, earlier.json.get("error", {}).get("key")) == ((2, before) if before else (0, None))
