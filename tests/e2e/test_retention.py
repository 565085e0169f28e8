"""Retention with the real program."""

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


def test_a_bad_term_is_named(corner: Corner) -> None:
    """With what would do instead."""
    refused = corner.program("policy", "set", corner.mandate, "retention_runs", "10 Jahre", "--because", "x", "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "rule_value")
    assert "10y" in refused.json["error"]["message"]
