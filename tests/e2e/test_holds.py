"""Legal holds with the real program."""

from tests.e2e.corner import Corner


def test_a_hold_is_placed_and_lifted_by_two(corner: Corner) -> None:
    """Placed at once, listed with its reason, and still standing when its lifting is proposed."""
    must, mandate = corner.program.must, corner.mandate
    must("mandate", "admit", mandate, "anna", "--clearance", "internal")
    placed = must("mandate", "hold", mandate, "--because", "Verfahren 3 O 12/26", "--json").json
    person = must("mandate", "hold", mandate, "--person", "anna", "--because", "Anfrage", "--json").json
    assert [(one["status"], one["person"]) for one in (placed, person)] == [("done", None), ("done", "anna")]
    again = must("mandate", "hold", mandate, "--because", "noch einmal", "--json").json
    assert again["status"] == "unchanged"

    holds = must("mandate", "holds", mandate, "--json").json["holds"]
    assert [(one["of"], one["person"]) for one in holds] == [("mandate", None), ("person", "anna")]
    assert holds[0]["because"] == "Verfahren 3 O 12/26"
    assert "Verfahren 3 O 12/26" in must("mandate", "holds", mandate).out
    assert [one["hold"] for one in (placed, person, again)] == [holds[0]["hold"], holds[1]["hold"], holds[0]["hold"]]
    hold = holds[0]["hold"]
    lifting = must("mandate", "release-hold", mandate, hold, "--because", "beendet", "--json").json
    assert lifting["status"] == "pending"
    (waiting,) = must("policy", "pending", mandate, "--json").json["pending"]
    assert (waiting["kind"], waiting["subject"], waiting["because"]) == ("lift_hold", hold, "beendet")
    refused = corner.program("policy", "approve", lifting["change"], "--json")
    assert refused.json["error"]["key"] == "second_is_first"
    assert len(must("mandate", "holds", mandate, "--json").json["holds"]) == 2


def test_what_changed_tells_of_holds(corner: Corner) -> None:
    """To who oversees the mandate, each with its reason and whom it keeps; to a member nothing of it."""
    must, mandate = corner.program.must, corner.mandate
    must("mandate", "admit", mandate, "anna", "--clearance", "internal")
    before = corner.run("known").json["at"]
    for person in ((), ("--person", "anna")):
        must("mandate", "hold", mandate, *person, "--because", "Verfahren 3 O 12/26")
    after = corner.run("known").json["at"]
    between = ("diff", "--mandate", mandate, "--from", before, "--to", after)

    found = must(*between, "--json").json["mandate"]

    shared = {"kind": "hold", "before": None, "after": "Verfahren 3 O 12/26"}
    assert found == [{**shared, "subject": None, "of": "mandate"}, {**shared, "subject": "anna", "of": "person"}]
    told = must(*between).out
    assert "das ganze Mandat" in told
    assert "Aufbewahrungspflicht" in told
    assert must(*between, "--as", "anna", "--json").json["mandate"] == []


def test_who_may_not(corner: Corner) -> None:
    """A member cannot hold, see or lift anything; what is no hold is said so."""
    corner.program.must("mandate", "admit", corner.mandate, "anna", "--clearance", "internal")
    for words in (["holds", corner.mandate], ["hold", corner.mandate, "--because", "x"]):
        assert corner.program("mandate", *words, "--actor", "anna", "--json").json["error"]["key"] == "access"
    for hold, key in (("17", "hold_id"), ("00000000-0000-4000-8000-000000000000", "hold_unknown")):
        refused = corner.program("mandate", "release-hold", corner.mandate, hold, "--because", "x", "--json")
        assert (refused.code, refused.json["error"]["key"]) == (2, key)
