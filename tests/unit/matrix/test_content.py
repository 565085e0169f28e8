"""Our messages as events: a thread, an edit, and the room that there is in one."""

import json
from uuid import UUID

from bot.chat.outgoing import Content
from bot.chat.splitting import LARGEST
from bot.matrix.content import edit, message

RUN = UUID(int=7)
LONG = Content(
    "✔ Geprüft\n\n" + "Wort " * 4_000, "<p>" + "Wort " * 4_000 + "</p>", mentions=("@anna:example.org",), run=RUN
)


def test_an_edit_of_a_long_answer_fits_into_an_event() -> None:
    """It holds the new text once, and for programs without edits its first line."""
    content = edit(LONG, "$answer")
    assert len(json.dumps(content)) * 4 // 3 < LARGEST
    assert content["m.new_content"]["body"] == LONG.plain
    assert content["body"] == "* ✔ Geprüft"
    assert "formatted_body" not in content


def test_an_edit_notifies_nobody_again_and_keeps_the_run() -> None:
    """Whoever is told once is told."""
    content = edit(LONG, "$answer")
    assert content["m.mentions"] == {}
    assert content["m.relates_to"] == {"rel_type": "m.replace", "event_id": "$answer"}
    assert content["net.fundstelle.run"] == str(RUN)


def test_every_message_says_whom_it_mentions() -> None:
    """Also that it mentions nobody: then no client looks for names in its words."""
    assert message(Content("@room", "@room"), None)["m.mentions"] == {}
    assert message(LONG, "$first")["m.mentions"] == {"user_ids": ["@anna:example.org"]}
