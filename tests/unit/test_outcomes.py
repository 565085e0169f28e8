"""What a person reads of a file that could not be ingested."""

import pytest

from bot.ingesting import Outcome
from bot.outcomes import show_outcome
from bot.output import Output
from bot.text import texts
from domain.errors import InputError


@pytest.mark.parametrize(
    ("path", "name", "begins"),
    [
        ("handbuch/a.xyz", "a.xyz", "✖ handbuch/a.xyz: Die Datei enthält keinen Text."),
        ("a.xyz", "a.xyz", "✖ a.xyz: Die Datei enthält keinen Text."),
        ("handbuch/a.xyz", "/x/b.txt", "✖ handbuch/a.xyz: /x/b.txt: Die Datei enthält keinen Text."),
    ],
)
def test_a_file_is_named_once_and_by_its_place(
    path: str, name: str, begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readers know its name alone; several folders may have one of that name."""
    outcome = Outcome(path, None, error=InputError("file_empty", file=name))

    show_outcome(outcome, Output(as_json=False, texts=texts("de")))

    assert capsys.readouterr().err.startswith(begins)
