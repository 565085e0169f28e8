"""What is not open to somebody is looked for in the same way as what does not exist: the same statements, in order.

So neither takes longer by a step; how long both take is measured by ``bench/absent.py`` and never here.
"""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from adapters.postgres.database import Database
from tests.isolation.lines import MADE_UP, Name
from tests.isolation.stage import Stage
from tests.isolation.twins import Twins, models

PAIRS = {
    "known": ("eve", ("known", "--mandate", "B"), ("known", "--mandate", "X")),
    "diff": ("eve", *(("diff", "--mandate", key, "--from", "2026-01-01", "--to", "2026-01-02") for key in "BX")),
    "ask": ("eve", ("ask", "Frist?", "--mandate", "B"), ("ask", "Frist?", "--mandate", "X")),
    "ask as JSON": (
        "eve",
        ("ask", "Frist?", "--mandate", "B", "--json"),
        ("ask", "Frist?", "--mandate", "X", "--json"),
    ),
    "ask for a document": ("ben", *(("ask", "Frist?", "--mandate", "B", "--document", key) for key in ("geheim", "x"))),
    "ask in a scope": ("ben", *(("ask", "Frist?", "--mandate", "B", "--scope", key) for key in ("Ahorn", "X"))),
    "ask in a channel": ("ben", *(("ask", "Frist?", "--mandate", "B", "--channel", key) for key in ("#ahorn", "#x"))),
    "search": ("eve", ("search", "Frist", "--mandate", "B"), ("search", "Frist", "--mandate", "X")),
    "show": ("ben", ("show", "geheim@1:0-20", "--mandate", "B"), ("show", "nichts@1:0-20", "--mandate", "B")),
    "show in a mandate": ("eve", *(("show", "offen@1:0-20", "--mandate", key) for key in "BX")),
    "run list": ("eve", ("run", "list", "--mandate", "B"), ("run", "list", "--mandate", "X")),
    "run show": ("eve", ("run", "show", Name("run:ben")), ("run", "show", MADE_UP)),
    "run show in the own mandate": ("ben", ("run", "show", Name("run:chief")), ("run", "show", MADE_UP)),
    "run replay": ("eve", ("run", "replay", Name("run:ben")), ("run", "replay", MADE_UP)),
    "run diff": ("eve", *(("run", "diff", run, "--at", "2026-01-01") for run in (Name("run:ben"), MADE_UP))),
    "journal prove": ("eve", *(("journal", "prove", run, "--out", "x.zip") for run in (Name("run:ben"), MADE_UP))),
    "journal export": ("eve", *(("journal", "export", "--mandate", key, "--out", "x.zip") for key in "BX")),
    "mandate show": ("eve", ("mandate", "show", "B"), ("mandate", "show", "X")),
    "model list": ("eve", ("model", "list", "B"), ("model", "list", "X")),
    "mandate holds": ("eve", ("mandate", "holds", "B"), ("mandate", "holds", "X")),
    "policy pending": ("eve", ("policy", "pending", "B"), ("policy", "pending", "X")),
    "policy reject": ("eve", ("policy", "reject", Name("change:domain")), ("policy", "reject", MADE_UP)),
}
"""Who asks, for what is not open to them, and for what has never been."""


OF_CONNECTIONS = ("idle_in_transaction", "-- What a role has that it must not have")
"""Statements with which pools begin or keep a connection, whenever they find that they need one."""


@pytest.fixture(scope="module")
def twins(session_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    folder = tmp_path_factory.mktemp("absent")
    with Stage(session_database, folder).set_up() as stage, models(stage, folder) as (made, _), made.alone() as one:
        yield one


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been sent to the database, but for how pools look after their connections."""
    sent: list[str] = []

    def noted(real: Callable[..., Any]) -> Callable[..., Any]:
        def execute(cursor: object, query: object, *rest: object, **more: object) -> object:
            text = str(query)
            if text.strip() and not any(one in text for one in OF_CONNECTIONS):
                sent.append(text)
            return real(cursor, query, *rest, **more)

        return execute

    for cursor in (psycopg.Cursor, psycopg.AsyncCursor):
        monkeypatch.setattr(cursor, "execute", noted(cursor.execute))
    return sent


@pytest.mark.parametrize("name", PAIRS)
def test_both_take_the_same_way(twins: Twins, statements: list[str], name: str) -> None:
    """Statement by statement, and the same is seen; some of them are sent at once, so their order is left out."""
    person, foreign, absent = PAIRS[name]
    sent, seen = [], []
    # The first time connections are made and views catch up.
    twins.seen(person, foreign)

    for line in (foreign, absent):
        statements.clear()
        seen.append(twins.seen(person, line))
        sent.append(sorted(statements))

    assert seen[0] == seen[1]
    assert seen[0].code == 2
    assert sent[0] == sent[1]
    assert sent[0]
