"""Lists with ids on terminals of all widths."""

import pytest

from bot.id_list import IdList
from tests.unit.terminal.test_drawing import drawn

CHANGE = "7f3a2c9e-1b2c-4d5e-8f90-abcdef012345"
LIST = IdList(
    ["Vorgang", "Art", "Betrifft", "Wert", "Von", "Begründung"],
    [
        [CHANGE, "Zulassung zur höchsten Stufe", "@ben:example.org", "secret", "anna", "zur Vertretung im Sommer"],
        ["", "Domain für Links", "intranet.example", "", "ben", ""],
    ],
    0,
    (1, 2, 3),
)


@pytest.mark.parametrize("width", [40, 80, 120, 160])
def test_an_id_is_never_wrapped(width: int) -> None:
    """It is there to be copied; everything else is there as well."""
    shown = drawn([LIST], width=width)

    assert CHANGE in shown
    flat = " ".join(shown.split())
    for words in ("Zulassung zur", "@ben:example.org", "secret", "anna", "zur Vertretung", "intranet.example"):
        assert words in flat


def test_what_is_empty_leaves_no_gap() -> None:
    """A missing id takes no line, an empty cell no separator."""
    lines = [line.strip() for line in drawn([LIST], width=60).splitlines()]
    place = lines.index("Domain für Links · intranet.example")
    assert lines[place + 1] == "ben"
