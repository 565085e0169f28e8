"""What the engine's failures are called."""

from pathlib import Path
from uuid import UUID

import pytest

from adapters.search.tantivy import TantivyIndex
from domain.errors import PartError
from tests.twins import ANALYZER

PanicException = type("PanicException", (BaseException,), {})
"""Stands outside of Exception, as the engine's own does, whose class cannot be imported."""


@pytest.mark.parametrize("failure", [PanicException("index out of bounds"), ValueError("corrupt"), OSError("gone")])
async def test_whatever_the_engine_throws_names_the_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    """Counting, which doctor does, bears a panic over a damaged file as a search does."""

    def fail(_: UUID) -> None:
        raise failure

    index = TantivyIndex(tmp_path, ANALYZER)
    (tmp_path / str(UUID(int=1))).mkdir()
    monkeypatch.setattr(index._partitions._folders, "_searcher", fail)
    with pytest.raises(PartError) as caught:
        await index.count()
    assert caught.value.key == "lexical"
