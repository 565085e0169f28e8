"""A document that no search can take in is closed, and nothing else is."""

import asyncio
from pathlib import Path

from adapters.postgres import roles
from adapters.postgres.database import open_database
from tests.e2e.program import Program

SPOIL = """
CREATE FUNCTION fundstelle.spoil() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN NEW.content := NEW.content || '\\x00'; RETURN NEW; END $$;
CREATE TRIGGER spoil BEFORE INSERT ON fundstelle.blobs FOR EACH ROW EXECUTE FUNCTION fundstelle.spoil();
"""
STOP = "DROP TRIGGER spoil ON fundstelle.blobs"
MEND = (
    "UPDATE fundstelle.blobs SET content = substring(content FOR length(content) - 1) WHERE sha256(content) <> address"
)


def change(program: Program, statement: str) -> None:
    """Change the database as its administrator, whom no row-level security holds back."""

    async def run() -> None:
        async with open_database(program.data, None) as database:
            with roles.connect(database.admin) as connection:
                connection.execute(statement)

    asyncio.run(run())


def ask(program: Program, question: str) -> str:
    return str(program.must("ask", question, "--mandate", "M", "--json").json["outcome"])


def test_a_text_that_cannot_be_read_closes_its_own_document(program: Program, tmp_path: Path) -> None:
    """Ingest and doctor say so; others come in and answer; once the text is back, a rebuild opens the document."""
    frist, kosten = tmp_path / "frist.txt", tmp_path / "kosten.txt"
    frist.write_text("Die Kündigungsfrist beträgt einen Monat.", encoding="utf-8")
    kosten.write_text("Die Reisekosten werden innerhalb von zwei Wochen erstattet.", encoding="utf-8")
    line = ("--mandate", "M", "--level", "internal")
    program.must("mandate", "open", "M")
    program.must("ingest", frist, *line)
    frist.write_text("Die Kündigungsfrist beträgt drei Monate.", encoding="utf-8")

    change(program, SPOIL)
    spoilt = program("ingest", frist, *line, "--json")
    change(program, STOP)
    program.must("ingest", kosten, *line)

    assert (spoilt.code, spoilt.lines[-1]["status"]) == (2, "failed")
    assert "frist" in spoilt.lines[-1]["error"]
    assert ask(program, "Wann werden die Reisekosten erstattet?") == "answered"
    # The version before must not answer in its place.
    assert ask(program, "Wie lang ist die Kündigungsfrist?") == "refused"
    checks = {check["name"]: check for check in program("doctor", "--json").json["checks"]}
    assert "blob_damaged" in checks["set_aside"]["error"]["message"]

    change(program, MEND)
    for view in ("passages", "lexical", "subwords"):
        program.must("rebuild", view)
    assert ask(program, "Wie lang ist die Kündigungsfrist?") == "answered"
    assert program("doctor", "--json").json["ok"]
