"""Mandates, members, channels, levels and policies, as scripts and people use them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.e2e.program import Program

LEVELS = ["public", "internal", "confidential", "secret"]


def test_the_founder_administers(shared_program: Program) -> None:
    """Whoever opens a mandate is its administrator with the highest clearance, and finds it in the list."""
    run = shared_program.must
    opened = run("mandate", "open", "Gründung", "--name", "Zur Probe", "--time-zone", "Europe/Vienna", "--json").json
    assert opened["own"] == {"role": "administrator", "clearance": "secret"}
    assert (opened["name"], opened["time_zone"], opened["levels"]) == ("Zur Probe", "Europe/Vienna", LEVELS)
    listed = {one["mandate"]: one for one in run("mandate", "list", "--json").json["mandates"]}
    assert listed["Gründung"]["role"] == "administrator"
    assert "Zur Probe" in run("mandate", "list").out


def test_members_come_and_go(shared_program: Program) -> None:
    """Admission, clearance, role and removal each do what they say."""
    run = shared_program.must
    run("mandate", "open", "Leute")

    def members() -> dict[str, tuple[str, str]]:
        shown = run("mandate", "show", "Leute", "--json").json["members"]
        return {one["user"]: (one["role"], one["clearance"]) for one in shown}

    admitted = run("mandate", "admit", "Leute", "anna", "--clearance", "internal", "--json").json
    assert admitted == {
        "mandate": "Leute",
        "user": "anna",
        "clearance": "internal",
        "status": "done",
        "change": None,
    }
    run("mandate", "admit", "Leute", "@ben:example.org", "--clearance", "public")
    run("mandate", "clear", "Leute", "anna", "confidential")
    run("mandate", "role", "Leute", "anna", "compliance")
    assert members()["anna"] == ("compliance", "confidential")
    assert members()["@ben:example.org"] == ("member", "public")
    assert run("mandate", "role", "Leute", "anna", "compliance", "--json").json["status"] == "unchanged"
    run("mandate", "remove", "Leute", "anna")
    assert "anna" not in members()


def test_a_member_sees_less_than_an_administrator(shared_program: Program) -> None:
    """Members see the mandate and themselves; administrators and compliance see who and where."""
    run = shared_program.must
    run("mandate", "open", "Sicht")
    run("mandate", "bind", "Sicht", "#sicht", "--ceiling", "internal")
    run("mandate", "admit", "Sicht", "anna", "--clearance", "internal")
    seen = run("mandate", "show", "Sicht", "--actor", "anna", "--json").json
    assert seen["own"] == {"role": "member", "clearance": "internal"}
    assert (seen["members"], seen["channels"], seen["pending"]) == (None, None, None)
    run("mandate", "role", "Sicht", "anna", "compliance")
    assert run("mandate", "show", "Sicht", "--actor", "anna", "--json").json["channels"] == [
        {"channel": "#sicht", "ceiling": "internal"}
    ]


def test_the_highest_clearance_waits(shared_program: Program) -> None:
    """Four eyes: it stays pending, names who proposed it on whose behalf, and is not in force."""
    run = shared_program.must
    run("mandate", "open", "Augen")
    run("mandate", "admit", "Augen", "anna", "--clearance", "internal")
    run("mandate", "role", "Augen", "anna", "administrator")
    raised = run("mandate", "clear", "Augen", "anna", "secret", "--actor", "anna", "--json").json
    admitted = run("mandate", "admit", "Augen", "ben", "--clearance", "secret", "--json").json
    domain = run("mandate", "release-domain", "Augen", "intranet.example.org", "--json").json
    lowered = run("policy", "set", "Augen", "coverage", "0,7", "--because", "zu streng", "--json").json
    assert {one["status"] for one in (raised, admitted, domain, lowered)} == {"pending"}
    assert lowered["value"] == 0.8

    pending = run("policy", "pending", "Augen", "--json").json["pending"]
    assert [one["change"] for one in pending] == [one["change"] for one in (raised, admitted, domain, lowered)]
    assert [one["kind"] for one in pending] == ["clearance", "admission", "link_domain", "threshold"]
    assert [one["subject"] for one in pending] == ["anna", "ben", "intranet.example.org", "coverage"]
    assert (pending[0]["proposed_by"], pending[0]["operator"]) == ("anna", pending[1]["proposed_by"])
    assert (pending[1]["operator"], pending[3]["because"]) == (None, "zu streng")
    shown = run("mandate", "show", "Augen", "--json").json
    assert {one["user"]: one["clearance"] for one in shown["members"]}["anna"] == "internal"
    assert "ben" not in {one["user"] for one in shown["members"]}
    assert (shown["domains"], shown["pending"]) == ([], 4)
    again = run("mandate", "admit", "Augen", "ben", "--clearance", "secret", "--json").json
    assert again["change"] == admitted["change"]


def test_raising_a_threshold_counts_at_once(shared_program: Program) -> None:
    """A stricter threshold is in force immediately, bound to its model where it belongs to one."""
    run = shared_program.must
    run("mandate", "open", "Schwellen")
    raised = run("policy", "set", "Schwellen", "coverage", "0.9", "--because", "Kalibrierung", "--json").json
    assert (raised["status"], raised["value"], raised["origin"]) == ("done", 0.9, "mandate")
    bound = run("policy", "set", "Schwellen", "relevance", "0.99", "--because", "Kalibrierung", "--json").json
    assert bound["status"] == "done"
    thresholds = {one["name"]: one for one in run("policy", "show", "Schwellen", "--json").json["thresholds"]}
    assert thresholds["relevance"]["value"] == 0.99
    assert thresholds["relevance"]["fingerprint"] == bound["fingerprint"]
    assert bound["fingerprint"]
    assert "0,99" in run("policy", "show", "Schwellen").out


def test_levels_grow(shared_program: Program) -> None:
    """New levels may stand between the present ones."""
    run = shared_program.must
    run("mandate", "open", "Stufen")
    longer = ["public", "internal", "vertraulich", "confidential", "secret"]
    run("level", "define", "Stufen", *longer)
    assert run("level", "list", "Stufen", "--json").json["levels"] == longer


def test_a_channel_belongs_to_one_mandate(shared_program: Program) -> None:
    """Bound elsewhere it is refused without a word about where; unbound it is free for another."""
    run = shared_program.must
    for key in ("Kanal1", "Kanal2"):
        run("mandate", "open", key)
    run("mandate", "bind", "Kanal1", "!raum:example.org", "--ceiling", "internal")
    refused = shared_program("mandate", "bind", "Kanal2", "!raum:example.org", "--ceiling", "public")
    assert refused.code == 2
    assert "Kanal1" not in refused.err
    run("mandate", "unbind", "!raum:example.org")
    run("mandate", "bind", "Kanal2", "!raum:example.org", "--ceiling", "public")


def test_a_library_is_open_to_subscription(shared_program: Program) -> None:
    """A library can be subscribed to by any mandate; what is no library looks as if it did not exist."""
    run = shared_program.must
    run("mandate", "open", "Normen", "--library", "--actor", "bibliothekar")
    run("mandate", "open", "Verborgen", "--actor", "bibliothekar")
    run("mandate", "open", "Leser")
    run("mandate", "subscribe", "Leser", "normen")
    assert run("mandate", "show", "Leser", "--json").json["libraries"] == ["Normen"]
    hidden, missing = (shared_program("mandate", "subscribe", "Leser", key) for key in ("Verborgen", "Nirgends"))
    assert hidden == missing


@pytest.mark.parametrize("language", ["de", "en"])
def test_foreign_looks_like_nothing(shared_program: Program, language: str) -> None:
    """Unknown, foreign and forbidden: the same exit code, the same words, the same JSON, for reading and changing."""
    run = shared_program.must
    if language == "de":
        run("mandate", "open", "Eigenes")
        run("mandate", "admit", "Eigenes", "gast", "--clearance", "public")
        run("mandate", "open", "Fremdes", "--actor", "jemand")
    program = Program(shared_program.data, language)
    reading = [program("mandate", "show", key, "--json") for key in ("Fremdes", "Nirgends", "!?")]
    past = [program("mandate", "show", key, "--at", "2020-01-01", "--json") for key in ("Fremdes", "Nirgends")]
    changing = [
        program("mandate", "remove", key, "gast", "--json", "--actor", "gast")
        for key in ("Eigenes", "Fremdes", "Nirgends")
    ]
    others = [program(*words, "--json") for words in (["policy", "show", "Fremdes"], ["level", "list", "Fremdes"])]
    assert len({(one.code, one.out, one.err) for one in (*reading, *past, *changing, *others)}) == 1
    assert reading[0].code == 2


def test_looking_back(shared_program: Program) -> None:
    """``--at`` shows the mandate as it was; what came later is not there."""
    run = shared_program.must
    run("mandate", "open", "Damals")
    before = run("mandate", "show", "Damals", "--json").json
    run("mandate", "admit", "Damals", "anna", "--clearance", "internal")
    back = run("mandate", "show", "Damals", "--at", before["opened_at"], "--json").json
    assert [one["user"] for one in back["members"]] == [one["user"] for one in before["members"]]
    assert back["position"] <= before["position"]
    day = datetime.fromisoformat(before["opened_at"]).astimezone(ZoneInfo("Europe/Berlin")).date()
    today = run("mandate", "show", "Damals", "--at", day, "--json").json
    assert len(today["members"]) == 2
