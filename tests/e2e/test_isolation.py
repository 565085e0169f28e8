"""What is not open to somebody looks exactly like what does not exist, whichever way they ask for it.

Mandates A and B are ours; Ben is a member of B with the clearance internal and knows nothing of A. A holds a marker
text, B a secret one. Whatever Ben tries is compared with the same attempt at something that has never existed.
"""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

MARKER = "Das Kennwort der Tresorkammer Zitronenfalter lautet Siebenschläfer."
SECRET = "Die Sondervergütung Wolkenkuckuck beträgt neunzehn Prozent."
OPEN = "Die Kündigungsfrist beträgt drei Monate zum Monatsende."
LIBRARY = "Die Aufbewahrungspflicht für Belege beträgt zehn Jahre."

QUESTIONS = {
    "marker": "Wie lautet das Kennwort der Tresorkammer Zitronenfalter?",
    "secret": "Wie hoch ist die Sondervergütung Wolkenkuckuck?",
    "open": "Wie lang ist die Kündigungsfrist?",
}
VARYING = ("run", "position", "timings_ms", "id")


class Place(NamedTuple):
    """The installation, what Ben was told before there was anything to hide, and a run of ours in A."""

    program: Program
    before: dict[str, Any]
    foreign_run: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("texts")
    with installed() as program:
        for mandate in ("A", "B", "L"):
            program.must("mandate", "open", mandate, *(["--library"] if mandate == "L" else []))
        program.must("mandate", "admit", "B", "ben", "--clearance", "internal")
        program.must("mandate", "subscribe", "B", "L")
        program.must("mandate", "bind", "A", "#a", "--ceiling", "internal")
        ingest(program, folder, "B", "offen", OPEN)
        ingest(program, folder, "L", "pflichten", LIBRARY, level="public")
        before = {name: reply(program, question) for name, question in QUESTIONS.items()}
        ingest(program, folder, "A", "tresor", MARKER)
        ingest(program, folder, "B", "geheim", SECRET, level="secret")
        run = program.must("ask", QUESTIONS["marker"], "--mandate", "A", "--json").json["run"]
        yield Place(program, before, run)


def ingest(program: Program, folder: Path, mandate: str, key: str, text: str, *, level: str = "internal") -> None:
    file = folder / f"{key}.txt"
    file.write_text(text, encoding="utf-8")
    program.must("ingest", file, "--mandate", mandate, "--level", level, "--document", key)


def reply(program: Program, question: str, *options: str, person: str = "ben") -> dict[str, Any]:
    outcome = program("ask", question, "--mandate", "B", "--as", person, "--json", *options)
    return steady(outcome.json)


def steady(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs between any two runs."""
    return {name: value for name, value in document.items() if name not in VARYING}


def test_the_marker_is_there_for_those_who_may(place: Place) -> None:
    """The tests below compare something: in A the marker answers, in B its secret answers us."""
    ours = place.program.must("ask", QUESTIONS["marker"], "--mandate", "A", "--json").json
    secret = place.program.must("ask", QUESTIONS["secret"], "--mandate", "B", "--json").json

    assert (ours["outcome"], ours["sources"][0]["quote"]) == ("answered", MARKER)
    assert (secret["outcome"], secret["sources"][0]["quote"]) == ("answered", SECRET)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_foreign_or_secret_document_changes_nothing(place: Place, name: str) -> None:
    """Ben's reply, scores and nearest places are those from before the documents came in."""
    now = reply(place.program, QUESTIONS[name])

    assert now == place.before[name]
    assert "Zitronenfalter" not in json.dumps(now | {"question": ""}, ensure_ascii=False)


def test_a_subscribed_library_answers(place: Place) -> None:
    """B reads L, so Ben gets L's sentence with L's document as source."""
    found = reply(place.program, "Wie lange gilt die Aufbewahrungspflicht für Belege?")

    assert (found["outcome"], [source["document"] for source in found["sources"]]) == ("answered", ["pflichten"])


# What exists and is not open to Ben, and what has never existed.
PAIRS = {
    "document of another mandate": (("ask", "--json", "--document", "tresor"), "tresor", "nirgends"),
    "for people": (("ask", "--document", "tresor"), "tresor", "nirgends"),
    "secret document": (("ask", "--json", "--document", "geheim"), "geheim", "nirgends"),
    "another mandate in scope": (("ask", "--json", "--scope", "A"), "A", "NIRGENDS"),
    "another mandate beside the own": (("search", "--json", "--scope", "B,A"), "B,A", "B,NIRGENDS"),
    "secret document, searched": (("search", "--document", "geheim"), "geheim", "nirgends"),
}


@pytest.mark.parametrize(("options", "closed", "missing"), PAIRS.values(), ids=PAIRS)
def test_naming_it_is_naming_nothing(place: Place, options: tuple[str, ...], closed: str, missing: str) -> None:
    """Exit code and both outputs are the same, to the byte, as JSON and for people."""
    command, *rest = options
    line = (command, QUESTIONS["marker"], "--mandate", "B", "--as", "ben")

    found = place.program(*line, *rest)

    assert found == place.program(*line, *(missing if option == closed else option for option in rest))
    assert found.code == 2
    assert "Das gibt es hier nicht" in found.err


@pytest.mark.parametrize(
    "line",
    [
        ("ask", QUESTIONS["marker"], "--json", "--mandate"),
        ("search", QUESTIONS["marker"], "--mandate"),
        ("known", "--json", "--mandate"),
        ("run", "list", "--json", "--mandate"),
        ("chat", "--mandate"),
    ],
    ids=lambda line: line[0],
)
def test_a_foreign_mandate_is_one_that_does_not_exist(place: Place, line: tuple[str, ...]) -> None:
    """A member of B cannot tell A from a mandate that nobody has opened."""
    foreign, unknown = (place.program(*line, mandate, "--as", "ben") for mandate in ("A", "NIRGENDS"))

    assert foreign == unknown
    assert foreign.code == 2


# Whatever else is wrong with a line: {mandate} is A for one call and a mandate that nobody has opened for the other.
ALSO_WRONG = (
    "run list --mandate {mandate} --as ben --at 2999-01-01",
    "run list --mandate {mandate} --as ben --at gestern",
    "run list --mandate {mandate} --as ben --at 2026-02-30",
    "run list --mandate {mandate} --as ben --from 2999-01-01",
    "run list --mandate {mandate} --as ben --from 0001-01-01 --to 9999-12-31T23:59-12:00",
    "run list --mandate {mandate} --as ben --person ''",
    "run list --mandate {mandate} --as 'a b'",
    "known --mandate {mandate} --as ben --at 2999-01-01",
    "known --mandate {mandate} --as ben --at gestern --valid-on heute",
    "diff --mandate {mandate} --as ben --from 2999-01-01 --to gestern",
    "diff --mandate {mandate} --as ben --from 2020-01-02 --to 2020-01-01 --valid-on 2020-01-01",
    "ask Frist --mandate {mandate} --as ben --at 2999-01-01",
    "search Frist --mandate {mandate} --as ben --at gestern",
    "show tresor@1:9-9999 --mandate {mandate} --as ben",
    "mandate show {mandate} --at 2999-01-01 --actor ben",
    "mandate admit {mandate} anna --clearance streng --actor ben",
    "mandate bind {mandate} '' --ceiling streng --actor ben",
    "mandate release-domain {mandate} https://a.example --actor ben",
    "policy show {mandate} --at gestern --actor ben",
    "policy set {mandate} coverage 80 --because ' ' --actor ben",
    "policy pending {mandate} --actor 'a b'",
    "level list {mandate} --actor 'a b'",
    "level define {mandate} public public --actor ben",
    "level assign tresor streng --mandate {mandate} --actor ben",
    "withdraw tresor --because ' ' --mandate {mandate} --actor ben",
    "ingest nirgends.txt --level streng --mandate {mandate} --actor ben",
    "watch . --once --level streng --mandate {mandate} --actor ben",
)


@pytest.mark.parametrize("line", ALSO_WRONG)
def test_what_else_is_wrong_tells_nothing_of_a_mandate(place: Place, line: str) -> None:
    """No error stands before the one about access, unless it is the same for every mandate."""
    foreign, unknown = (place.program(*shlex.split(line.format(mandate=key))) for key in ("A", "NIRGENDS"))

    assert foreign == unknown
    assert foreign.code == 2


@pytest.mark.parametrize("closed", ["tresor@1:0-20", "geheim@1:0-20"])
def test_an_anchor_into_it_leads_nowhere(place: Place, closed: str) -> None:
    """Neither the text nor its length can be learnt by anchor."""
    shown, missing = (
        place.program("show", anchor, "--mandate", "B", "--as", "ben") for anchor in (closed, "nirgends@1:0-20")
    )
    beyond = place.program("show", closed.replace("20", "9999"), "--mandate", "B", "--as", "ben")

    assert shown == missing == beyond
    assert shown.code == 2


def test_a_run_of_another_mandate_does_not_exist(place: Place) -> None:
    """The id of a run of A is for Ben any id."""
    shown, missing = (
        place.program("run", "show", run, "--as", "ben", "--json") for run in (place.foreign_run, str(uuid4()))
    )

    assert (shown.code, shown.out, shown.err) == (missing.code, missing.out, missing.err)
    assert shown.code == 2


def test_the_list_of_what_is_known_leaves_it_out(place: Place) -> None:
    """Ben knows the open document of B and the library, and no more."""
    known = place.program.must("known", "--mandate", "B", "--as", "ben", "--json").json

    assert sorted(one["document"] for one in known["documents"]) == ["offen", "pflichten"]


def test_the_runs_of_others_are_not_listed(place: Place) -> None:
    """Ben lists the questions that were asked as Ben; ours in the same mandate are not among them."""
    place.program.must("ask", QUESTIONS["open"], "--mandate", "B")
    runs = place.program.must("run", "list", "--mandate", "B", "--as", "ben", "--json").json["runs"]

    assert runs
    assert {run["person"] for run in runs} == {"ben"}


def test_a_batch_tells_no_more(place: Place, tmp_path: Path) -> None:
    """Line by line the reply to what is closed is the reply to what does not exist, at any date that is one or none."""
    closed = {"document": "tresor"}, {"document": ["geheim"]}, {"scope": "A"}, {"mandate": "A"}, {"channel": "#a"}
    missing = (
        {"document": "nirgends"},
        {"document": ["nirgends"]},
        {"scope": "NIRGENDS"},
        {"mandate": "NIRGENDS"},
        {"channel": "#nirgends"},
    )
    times: tuple[dict[str, str], ...] = (
        {},
        {"valid_on": "2001-01-01"},
        {"at": "2001-01-01"},
        {"valid_on": "2099-01-01"},
        {"at": "2999-01-01"},
        {"at": "gestern"},
        {"valid_on": "heute"},
        {"as": "a b"},
    )
    lines = [
        {"id": f"{number}", "question": QUESTIONS["marker"], **one, **time}
        for kind in (closed, missing)
        for number, (one, time) in enumerate((one, time) for one in kind for time in times)
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")

    outcome = place.program("ask", "--batch", batch, "--mandate", "B", "--as", "ben", "--json")

    half = len(lines) // 2
    assert outcome.lines[:half] == outcome.lines[half:]
    told = [one["error"]["key"] for one in outcome.lines]
    assert told[: 4 * 8 : 8] == ["access"] * 4
    assert set(told[3 * 8 : 5 * 8]) == {"access", "day", "identity"}, "no date is read by the clock of a closed mandate"
    assert outcome.code == 1
