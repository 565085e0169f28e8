"""What is shown of documents, and to whom."""

import asyncio
from pathlib import Path

from adapters.postgres import roles
from adapters.postgres.database import open_database
from tests.e2e.corner import NEW, OLD, Corner, numbers
from tests.e2e.program import Program


def test_an_anchor_is_shown_inside_its_surroundings(corner: Corner):
    """Before, text and after are cut out of the stored text around the span."""
    text = "# Fristen\n\nEins gilt. Zwei gilt. Drei gilt. Vier gilt. Fünf gilt.\n"
    corner.ingest(corner.file("frist.md", text), "--title", "Handbuch")
    start = text.index("Drei")
    anchor = f"frist@1:{start}-{start + len('Drei gilt.')}"

    place = corner.run("show", anchor, "--context", "1").json

    assert (place["before"], place["text"], place["after"]) == ("Zwei gilt. ", "Drei gilt.", " Vier gilt.")
    assert (place["anchor"], place["title"], place["section"]) == (anchor, "Handbuch", "Fristen")
    shown = corner.program.must("show", anchor, "--mandate", corner.mandate).out
    assert "▶ Drei gilt. ◀" in shown
    assert "Eins gilt. Zwei gilt." in shown


def test_an_item_is_shown_in_its_own_place(corner: Corner):
    """Short items share a passage; an anchor names the one it points at, and each of those that it spans."""
    text = "# Löschung\n\nGelöscht werden:\n\n1. Anträge,\n\n2. Policen,\n\n3. Schäden.\n"
    corner.ingest(corner.file("fristen.md", text))
    second, third = text.index("2. Policen"), text.index("3. Schäden")

    assert corner.run("show", f"fristen@1:{third}-{third + 10}").json["place"] == "Nr. 3"
    assert corner.run("show", f"fristen@1:{second}-{third + 10}").json["place"] == "Nr. 2, Nr. 3"


def test_what_is_known_is_complete_while_another_view_is_still_built(corner: Corner):
    """The instant told is that of the list: asked for by it later on, the same is known, by the same position."""
    database = open_database(corner.program.data, None)
    corner.ingest(corner.file("frist.md", OLD))
    with roles.connect(database.admin) as connection:
        place = connection.execute("SELECT position FROM fundstelle.projection_positions WHERE name = 'passages'")
        (position,) = place.fetchall()[0]
        move = "UPDATE fundstelle.projection_positions SET position = %s WHERE name = 'passages'"
        connection.execute(move, [0])
        connection.commit()
        # As another process at work: it holds the row, and has not come further.
        connection.execute("SELECT FROM fundstelle.projection_positions WHERE name = 'passages' FOR UPDATE")
        try:
            present = corner.run("known").json
            then = corner.run("known", "--at", present["at"]).json
            since = corner.run("diff", "--from", "2020-01-01", "--to", present["at"]).json
        finally:
            connection.execute(move, [position])
            connection.commit()
            asyncio.run(database.close())

    assert [one["document"] for one in present["documents"]] == ["frist"]
    assert present == then
    assert (since["to"], since["to_position"]) == (present["at"], present["position"])


def test_an_older_version_can_still_be_shown(corner: Corner):
    """An anchor into a version that answers no longer stays an anchor."""
    corner.ingest(corner.file("frist.md", OLD))
    corner.ingest(corner.file("frist.md", NEW))
    assert corner.run("show", "frist@1:0-9").json["text"] == OLD[:9]


def test_what_is_shown_says_from_when_to_when_it_is_in_force(corner: Corner):
    """Coming, current, taken over and withdrawn are four things, and none is taken for another."""

    def shown(version: int) -> str:
        return corner.program.must("show", f"frist@{version}:0-9", "--mandate", corner.mandate).out

    corner.ingest(corner.file("frist.md", OLD), "--valid-from", "2020-01-01")
    corner.ingest(corner.file("frist.md", NEW), "--valid-from", "2022-01-01")
    corner.ingest(corner.file("frist.md", f"{NEW} Immer."), "--valid-from", "2024-01-01")
    corner.ingest(corner.file("frist.md", f"{OLD} Immer."), "--valid-from", "2100-01-01")

    assert "in Kraft vom 01.01.2020 bis 31.12.2021" in shown(1)
    assert "in Kraft vom 01.01.2022 bis 31.12.2023" in shown(2)
    assert "in Kraft vom 01.01.2024 bis 31.12.2099" in shown(3)
    assert "in Kraft ab 01.01.2100" in shown(4)
    corner.run("withdraw", "frist", "--because", "überholt")
    assert "heute nicht in Kraft" in shown(3)
    assert "seit" not in shown(3)


def test_a_member_sees_up_to_the_own_clearance(corner: Corner):
    """Above it a document is not there: in the list, by anchor, and for the past as well."""
    corner.program.must("mandate", "admit", corner.mandate, "ben", "--clearance", "internal")
    corner.ingest(corner.file("offen.md", OLD))
    corner.ingest(corner.file("geheim.md", NEW))
    at = corner.run("known").json["at"]
    corner.run("level", "assign", "geheim", "secret")

    assert corner.known("--as", "ben") == {"offen": 1}
    assert corner.known("--as", "ben", "--at", at) == {"offen": 1}
    assert corner.known("--at", at) == {"offen": 1, "geheim": 1}
    hidden = corner.run("show", "geheim@1:0-5", "--as", "ben")
    absent = corner.run("show", "nirgends@1:0-5", "--as", "ben")
    assert (hidden.code, hidden.out) == (absent.code, absent.out)
    assert hidden.code == 2


def test_a_foreign_document_is_a_document_that_does_not_exist(corner: Corner, shared_program: Program):
    """Every command gives the same reply to what is elsewhere and to what is nowhere."""
    corner.ingest(corner.file("frist.md", OLD))
    other = Corner(shared_program, corner.folder)
    for command in (("show", "{}@1:0-5"), ("withdraw", "{}", "--because", "x"), ("level", "assign", "{}", "secret")):
        foreign, absent = (other.run(*(part.format(key) for part in command)) for key in ("frist", "nirgends"))
        assert (foreign.code, foreign.out) == (absent.code, absent.out) == (2, foreign.out)
    nowhere = shared_program("show", "frist@1:0-5", "--mandate", "nirgends", "--json")
    assert (nowhere.code, nowhere.out) == (2, other.run("show", "frist@1:0-5").out)


def test_a_subscribed_library_is_known_too(corner: Corner, shared_program: Program, tmp_path: Path):
    """Its documents are listed with its own key, behind the own ones."""
    library = Corner(shared_program, tmp_path / "bibliothek")
    library.mandate = f"bibliothek-{next(numbers)}"
    shared_program.must("mandate", "open", library.mandate, "--library")
    library.ingest(library.file("norm.md", OLD))
    corner.ingest(corner.file("zusatz.md", NEW))
    corner.program.must("mandate", "subscribe", corner.mandate, library.mandate)

    found = corner.run("known").json["documents"]

    assert [(entry["document"], entry["mandate"]) for entry in found] == [
        ("zusatz", corner.mandate),
        ("norm", library.mandate),
    ]


def test_a_person_reads_what_happened(corner: Corner):
    """Without --json there are sentences, and a table of what is known."""
    run = corner.program.must
    file = corner.file("frist.md", OLD)
    dated = ("--valid-from", "2020-01-01", "--valid-to", "2099-01-01")
    told = run("ingest", file, "--mandate", corner.mandate, "--level", "public", *dated).out
    assert "aufgenommen (1 Satz, 1 Passage)" in told
    listed = run("known", "--mandate", corner.mandate).out
    assert "gültig bis" in listed
    assert "01.01.2020  31.12.2098" in listed
    assert "secret" in run("level", "assign", "frist", "secret", "--mandate", corner.mandate).out
    assert "zurückgezogen" in run("withdraw", "frist", "--mandate", corner.mandate, "--because", "überholt").out
    assert "Es ist nichts bekannt" in run("known", "--mandate", corner.mandate).out


def test_a_correction_is_called_one(corner: Corner):
    """The same text with another title is no new version: JSON says that it was recorded, a person reads what."""
    run, file, other = corner.program.must, corner.file("frist.md", OLD), corner.file("rest.md", NEW)
    place = ("--mandate", corner.mandate, "--level", "internal")
    corner.ingest(file)

    line = corner.ingest(file, "--title", "Fristen").json
    told = run("ingest", file, *place, "--title", "Kündigungsfristen").out
    several = run("ingest", file, other, *place, "--valid-from", "2020-01-01").out

    assert (line["status"], line["version"]) == ("ingested", 1)
    assert "frist, Fassung 1: derselbe Text, Angaben berichtigt" in told
    assert "aufgenommen" not in told
    assert "1 aufgenommen, 1 berichtigt, 0 unverändert, 0 fehlgeschlagen" in several
