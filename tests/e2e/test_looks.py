"""Who looks at the questions of others is seen by the compliance officer, with the real program."""

import asyncio
from pathlib import Path

from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from tests.e2e.corner import NEW, Corner
from tests.e2e.program import Program

QUESTION = "Wie lang ist die Frist?"


def _asked(corner: Corner) -> str:
    corner.ingest(corner.file("frist.md", NEW))
    corner.program.must("mandate", "admit", corner.mandate, "anna", "--clearance", "internal")
    asked = corner.run("ask", QUESTION, "--as", "anna").json
    return str(asked["run"])


def _views(corner: Corner) -> list[dict]:
    return corner.run("run", "views").json["views"]


def test_looks_are_listed(corner: Corner) -> None:
    """Show, list and replay of somebody else's run leave a trace with name and filter; looking there does as well."""
    run, must = _asked(corner), corner.program.must
    assert _views(corner) == []
    must("run", "show", run)
    must("run", "list", "--mandate", corner.mandate, "--person", "anna", "--from", "2026-01-01")
    must("run", "replay", run)
    must("run", "show", run, "--as", "anna")

    views = _views(corner)
    me = views[0]["person"]
    assert [one["what"] for one in views] == ["run_views", "run_show", "run_list", "run_replay", "run_show"]
    assert [one["runs"] for one in views] == [[], [run], [], [run], [run]]
    assert (views[2]["of"], views[2]["from"] is None, views[2]["to"]) == ("anna", False, None)
    assert [(one["person"], one["operator"]) for one in views] == [(me, None)] * 4 + [("anna", me)]
    told = must("run", "views", "--mandate", corner.mandate).out
    assert run in told
    assert "Frist" not in told


def test_only_oversight_sees_the_looks(corner: Corner) -> None:
    """A member meets what somebody meets who asks for a mandate that is not there."""
    _asked(corner)
    refused = corner.run("run", "views", "--as", "anna")
    foreign = corner.program("run", "views", "--mandate", "nirgends", "--json", "--as", "anna")
    assert (refused.code, refused.out, refused.err) == (foreign.code, foreign.out, foreign.err)
    assert refused.code == 2


def test_a_rebuilt_view_tells_the_same(corner: Corner) -> None:
    """The looks are events; the view can be built again from them."""
    run = _asked(corner)
    corner.program.must("run", "show", run)
    before = _views(corner)
    corner.program.must("rebuild", "looks")
    assert _views(corner)[: len(before)] == before


def test_what_cannot_be_recorded_is_not_shown(program: Program, tmp_path: Path) -> None:
    """While nothing can be recorded, nobody reads a run of somebody else; afterwards they do."""
    corner = Corner(program, tmp_path)
    run = _asked(corner)
    writing = "{verb} INSERT ON journal_entries {word} fundstelle_writer"
    _as_owner(program, writing.format(verb="REVOKE", word="FROM"))
    refused = program("run", "show", run, "--json")
    own = program("run", "show", run, "--as", "anna", "--json")
    _as_owner(program, writing.format(verb="GRANT", word="TO"))

    assert (refused.code, own.code) == (3, 3)
    assert QUESTION not in refused.out + refused.err + own.out + own.err
    assert QUESTION in program.must("run", "show", run).out


def _as_owner(program: Program, statement: str) -> None:
    async def execute() -> None:
        async with open_database(program.data, None) as database, database.connection(Role.OWNER) as connection:
            await connection.execute(statement)

    asyncio.run(execute())
