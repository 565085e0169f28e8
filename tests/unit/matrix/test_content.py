"""Our messages as events: a thread, an edit, and the room that there is in one."""

import json
from uuid import UUID

from bot.chat.incoming import Edited, Said
from bot.chat.outgoing import Content
from bot.chat.splitting import LARGEST
from bot.matrix.content import edit, link, message
from bot.matrix.parse import incoming
from tests.unit.matrix.replay import ANNA, BOT

RUN = UUID(int=7)
CONTENT = Content("Drei Monate. [S1]", "<b>Drei Monate.</b> [S1]", mentions=(ANNA,), run=RUN)
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


def test_a_message_has_an_address() -> None:
    """With our server as one that knows the room; what is no plain part of an id is quoted."""
    address = link("!a/b?c:kanzlei.example", "$x-Y_1", "@bot:kanzlei.example:8448")
    assert address == "https://matrix.to/#/!a%2Fb%3Fc:kanzlei.example/$x-Y_1?via=kanzlei.example%3A8448"


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


def _event(content: dict[str, object]) -> dict[str, object]:
    return {"event_id": "$e", "sender": BOT, "type": "m.room.message", "content": content}


def test_an_answer_stands_in_the_thread_and_mentions_the_asker_alone() -> None:
    """For programs without threads it replies to the question."""
    content = message(CONTENT, "$q")
    assert content["msgtype"] == "m.text"
    assert content["m.mentions"] == {"user_ids": [ANNA]}
    assert (content["body"], content["formatted_body"]) == (CONTENT.plain, CONTENT.html)
    relation = {"rel_type": "m.thread", "event_id": "$q", "is_falling_back": True, "m.in_reply_to": {"event_id": "$q"}}
    assert content["m.relates_to"] == relation


def test_our_own_messages_are_read_back_with_their_run() -> None:
    """So an answer is found again after a crash."""
    said = incoming(_event(message(CONTENT, "$q")), "!r", BOT)
    assert isinstance(said, Said)
    assert (said.run, said.thread, said.replies_to, said.is_notice) == (RUN, "$q", None, False)


def test_a_notice_mentions_nobody() -> None:
    """That nobody is meant is said too: else names in the text would notify people."""
    content = message(Content("Ich suche …", "Ich suche …", is_notice=True), None)
    assert (content["msgtype"], content["m.mentions"]) == ("m.notice", {})
    assert "m.relates_to" not in content


def test_an_edit_replaces_the_text_and_notifies_nobody_again() -> None:
    """The text with a star is for programs that know no edits."""
    content = edit(CONTENT, "$a")
    edited = incoming(_event(content), "!r", BOT)
    assert isinstance(edited, Edited)
    assert (edited.target, edited.text) == ("$a", CONTENT.plain)
    assert content["body"] == f"* {CONTENT.plain}"
    assert content["m.mentions"] == {}
    assert content["m.new_content"]["m.mentions"] == {"user_ids": [ANNA]}
