"""What speaks Matrix is an extra; who lacks it is told so."""

import sys
from importlib import import_module

import pytest

from domain.errors import InputError

WIRING = "bot.wiring.matrix"


@pytest.mark.parametrize("lacks", ["bot.matrix.cross_signing_keys", "bot.matrix.looking"])
def test_without_the_extra_there_is_one_error_for_all_that_needs_it(
    monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    """Before anything is read or sent."""
    import_module(WIRING)
    monkeypatch.delitem(sys.modules, WIRING)
    monkeypatch.setitem(sys.modules, lacks, None)
    with pytest.raises(InputError) as refused:
        import_module(WIRING)
    assert refused.value.key == "matrix_extra"
