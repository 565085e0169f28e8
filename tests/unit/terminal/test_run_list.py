"""The list of runs on terminals of all widths."""

import pytest

from bot.cli.runs import RunList
from tests.unit.terminal.test_drawing import drawn

RUN = "7f3a2c9e-1b2c-4d5e-8f90-abcdef012345"
LIST = RunList(
    ["Lauf", "gefragt", "Person", "Ergebnis", "Frage"],
    [[RUN, "30.11.2026, 02:51 Uhr", "anna", "nicht beantwortet (nichts gefunden)", "Wie lang ist die Frist?"]],
)


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_id_of_a_run_is_never_wrapped(width: int) -> None:
    """It is there to be copied."""
    shown = drawn([LIST], width=width)

    assert RUN in shown
    assert "Wie lang ist die Frist?" in shown
