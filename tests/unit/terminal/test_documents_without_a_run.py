"""The JSON document of a question that no run stands behind has the keys of one that has."""

import pytest

from bot.answer_documents import answer_document, no_access_document, no_part_document
from bot.text import texts
from domain.errors import PartError
from tests.unit.terminal.answers import answered, refused


@pytest.mark.parametrize("language", ["de", "en"])
def test_whoever_reads_the_keys_of_an_answer_finds_them(language: str) -> None:
    """Scripts need no second form: what could not be asked, and what no part could take to an end."""
    words = texts(language)
    closed = no_access_document("Frage?", words)
    down = no_part_document("Frage?", PartError("database"), words)

    for document in (closed, down):
        assert document.keys() - {"error"} == answer_document(answered(), words).keys()
        assert document["refusal"].keys() == (answer_document(refused(), words)["refusal"] or {}).keys()
        assert document["run"] is None
    assert (closed["outcome"], closed["refusal"]["step"]) == ("refused", "access")
    assert (down["outcome"], down["refusal"]["step"], down["error"]["key"]) == ("failed", "degraded", "database")
    assert down["text"] == words("errors.database")
