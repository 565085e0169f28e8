"""The command line tells what it does not know, with the usage of the command at hand."""

import pytest

from bot.cli.grammar import UsageError
from bot.cli.main import build_parser
from bot.text import texts


def told(line: str, language: str = "de") -> dict[str, str]:
    """What the error of a wrong command line says."""
    with pytest.raises(UsageError) as caught:
        build_parser(texts(language)).parse_args(line.split())
    return caught.value.values


@pytest.mark.parametrize(
    ("line", "problem", "program"),
    [
        ("known reisekosten --mandate team", "Unbekannt: reisekosten.", "fundstelle known"),
        ("mandate show M N", "Unbekannt: N.", "fundstelle mandate show"),
        ("known --mandat team", "Unbekannt: --mandat. Meinten Sie --mandate?", "fundstelle known"),
        ("mandate list --lan=en", "Unbekannt: --lan. Meinten Sie --lang?", "fundstelle mandate list"),
        ("ask Welche Frist gilt --mandate team", "Anführungszeichen", "fundstelle ask"),
        ("policy set M coverage 0,3 --because zu streng", "Anführungszeichen", "fundstelle policy set"),
        ("mandat", "Meinten Sie mandate?", "fundstelle"),
        ("mandate shwo M", "Meinten Sie show?", "fundstelle mandate"),
        ("known --mandate M --lang deu", "Meinten Sie de?", "fundstelle known"),
    ],
)
def test_the_usage_is_that_of_the_command(line: str, problem: str, program: str) -> None:
    """Whoever mistypes reads what was meant, and how this very command is written."""
    found = told(line)

    assert problem in found["problem"]
    assert found["program"] == program
    assert found["usage"].startswith(program)


def test_possible_values_are_written_as_they_are_typed() -> None:
    """Nobody types the marks that Python puts around a text."""
    problem = told("known --mandate M --lang fr")["problem"]
    assert "„fr“ gibt es nicht. Möglich: de, en." in problem


def test_a_number_that_is_none_is_told_without_words_of_python() -> None:
    """Nobody has to know what an int is."""
    assert "„zwei“ ist hier keine gültige Zahl" in told("show a@1:0-1 --mandate M --context zwei")["problem"]
    assert "is not a valid number" in told("watch F --mandate M --level L --interval x", "en")["problem"]


def test_hints_are_in_the_language() -> None:
    """English beside German."""
    assert "Did you mean show?" in told("mandate shwo M", "en")["problem"]
    assert "quotation marks" in told("ask What is due --mandate team", "en")["problem"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("level list --mandate team", {"mandate": "team"}),
        ("level list --lang en --mandate team", {"mandate": "team", "lang": "en"}),
        ("policy set coverage 0,3 --because x --mandate team", {"mandate": "team", "name": "coverage", "value": "0,3"}),
        ("mandate admit --mandate team anna --clearance public", {"mandate": "team", "user": "anna"}),
    ],
)
def test_a_mandate_may_be_named_by_its_option_everywhere(line: str, expected: dict[str, str]) -> None:
    """Half of the commands take it as an option, so nobody has to remember which."""
    found = vars(build_parser(texts("de")).parse_args(line.split()))

    assert {name: found[name] for name in expected} == expected


def test_behind_two_dashes_nothing_is_an_option() -> None:
    """A text may begin like an option."""
    assert build_parser(texts("de")).parse_args(["ask", "--mandate", "M", "--", "--frist"]).text == "--frist"
