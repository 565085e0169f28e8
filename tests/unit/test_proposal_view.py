"""How changes that wait for a second person are shown."""

import shlex

import pytest
from rich.text import Text

from bot.proposal_view import show_erasing, show_proposals
from bot.text import texts

CHANGE = "6f1c5a52-0000-4000-8000-000000000001"


def _shown(**facts: str | None) -> list[str]:
    document = {
        "change": CHANGE,
        "kind": "threshold",
        "subject": "relevance",
        "value": "0.2",
        "because": None,
        "proposed_by": "anna",
        "operator": None,
        "proposed_at": "2026-11-30T12:00:00+00:00",
        **facts,
    }
    shown = show_proposals(texts("de"), [document], "Europe/Berlin")
    return [str(one).strip() for one in shown if isinstance(one, Text)]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, ["threshold", "relevance", "0.2"]),
        ({"kind": "link_domain", "subject": "wiki.example", "value": None}, ["link_domain", "wiki.example"]),
        ({"kind": "erase_mandate", "subject": None, "value": None}, ["erase_mandate", ""]),
        (
            {"kind": "rule", "subject": "fusion_weights", "value": "dense=0.3 bm25=1"},
            ["rule", "fusion_weights", "dense=0.3 bm25=1"],
        ),
    ],
)
def test_the_command_of_the_second_person_is_ready_to_be_copied(facts: dict[str, str | None], words: list[str]) -> None:
    """Kind, subject and value as the program names them, quoted where a shell needs it."""
    (command,) = _shown(**facts)
    assert shlex.split(command) == ["fundstelle", "policy", "consent", CHANGE, *words, "--out", "6f1c5a52.consent"]


@pytest.mark.parametrize(
    ("kind", "subject", "told"),
    [
        ("erase_person", "anna", "Löschen einer Person (anna)"),
        ("erase_person", None, "Löschen einer Person (gelöscht)"),
        ("erase_mandate", None, "Löschen des Mandats"),
    ],
)
def test_whom_it_was_about_stands_in_brackets_once(kind: str, subject: str | None, told: str) -> None:
    """Also where nobody knows any more who it was."""
    shown = str(*show_erasing(texts("de"), [{"kind": kind, "subject": subject, "value": None, "change": CHANGE}]))
    assert f"{told}. " in shown
