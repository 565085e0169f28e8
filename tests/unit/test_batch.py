"""A batch of questions: what nobody foresaw in one line."""

from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.cli.asking import Reply, _line
from bot.cli.wishes import Line, Wish
from bot.text import texts


async def test_an_unforeseen_error_is_the_reply_to_its_line(tmp_path: Path) -> None:
    """It is written down without its values, and the batch goes on."""

    async def fail(*_: Any) -> Reply:
        raise ValueError("ein Geheimnis")

    app: Any = SimpleNamespace(settings=SimpleNamespace(data=tmp_path))
    reply = await _line(app, Namespace(out=SimpleNamespace(texts=texts("de"))), Line("1", Wish("x", "M")), fail)

    assert (reply.document["error"]["key"], reply.exit_code) == ("unexpected", 3)
    log = (tmp_path / "log" / "faults.log").read_text(encoding="utf-8")
    assert "ValueError" in log
    assert "Geheimnis" not in log
