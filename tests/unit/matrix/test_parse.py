"""Raw events as values, from what a real homeserver has said."""

from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.conversation import Guests
from bot.chat.incoming import Edited, Incoming, Invited, Reacted, Redacted, Removed, Said, Unreadable, Upgraded
from bot.matrix.parse import RUN, begins_stay, incoming, invitation, said_to_us
from tests.examples import examples
from tests.matrix.recording import RUN as RECORDED_RUN
from tests.unit.matrix.replay import ANNA, BEN, BOT, sync, timeline, told

Kind = TypeVar("Kind", bound=Incoming)


def _of(kind: type[Kind], name: str = "talk") -> list[Kind]:
    return [event for event in told(name) if isinstance(event, kind)]


def _said(start: str) -> Said:
    (found,) = [said for said in _of(Said) if said.text.startswith(start)]
    return found


def test_a_mention_is_what_the_event_says() -> None:
    """A message that names us for the server means us; our name in a text means nobody."""
    assert _said("Wie lang ist").mentions_us
    assert not _said("Fundstelle, bot").mentions_us


def test_the_words_of_a_mention_are_no_part_of_the_question() -> None:
    """What links to us, and the colon after it, is taken away."""
    assert _said("Wie lang?").text == "Wie lang?"


def test_the_quote_of_a_replied_to_message_is_taken_away() -> None:
    """Older programs put the answered message in front."""
    said = _said("Stimmt das?")
    assert said.text == "Stimmt das?"
    assert said.replies_to == _said("Wie lang ist").event


def test_a_message_stands_in_its_thread() -> None:
    """The reply that is there for programs without threads is none; another one in the thread is."""
    question, answer = _said("Wie lang ist"), _said("Drei Monate.")
    first, second = _said("Und im Winter?"), _said("Genauer?")
    assert {one.thread for one in (answer, first, second)} == {question.event}
    assert (first.replies_to, second.replies_to) == (None, answer.event)


def test_the_run_is_read_whoever_shows_it() -> None:
    """So programs of our kind do not answer each other; whether an answer is ours is told by its sender."""
    assert _said("Drei Monate.").run == UUID(RECORDED_RUN)
    assert _said("forged").run == UUID(RECORDED_RUN)
    assert _said("forged").sender != _said("Drei Monate.").sender


def test_a_notice_is_known_as_one() -> None:
    """Programs do not answer each other."""
    assert _said("Ein anderes Programm").is_notice
    assert not _said("Wie lang ist").is_notice


def test_an_edit_brings_the_new_text() -> None:
    """Not the one with the star for older programs."""
    (edit,) = _of(Edited)
    assert (edit.text, edit.sender, edit.mentions_us) == ("Wie lang ist die Frist genau?", ANNA, True)
    assert edit.target == _said("Wie lang ist").event


def test_a_redaction_that_names_two_messages_takes_nothing_back() -> None:
    """Whoever takes back a message of their own must not take away the answer to somebody else's."""
    both = {**_event("m.room.redaction", {"redacts": "$other"}), "redacts": "$own"}
    assert incoming(both, "!r", BOT) is None
    found = incoming({**both, "content": {"redacts": "$own"}}, "!r", BOT)
    assert isinstance(found, Redacted)
    assert found.target == "$own"


def test_a_reaction_and_a_redaction_name_their_target() -> None:
    """What was taken back says nothing any more."""
    (reaction,), (redaction,) = _of(Reacted), _of(Redacted)
    assert (reaction.sender, reaction.key, reaction.target) == (ANNA, "👍", _said("Drei Monate.").event)
    assert redaction.sender == BEN
    assert redaction.target not in {said.event for said in _of(Said)}


def test_instants_are_those_of_the_server() -> None:
    """In UTC, in the order of the talk."""
    instants = [said.sent_at for said in _of(Said)]
    assert instants == sorted(instants)
    assert instants[0] > datetime(2026, 1, 1, tzinfo=UTC)


def test_an_invitation_says_who_asks() -> None:
    """From the few events that come with it."""
    ((room, section),) = sync("invited")["rooms"]["invite"].items()
    assert invitation(section["invite_state"]["events"], room, BOT) == Invited(room, ANNA)
    assert invitation(section["invite_state"]["events"], room, BEN) is None


@pytest.mark.parametrize("order", [1, -1])
def test_nobody_asks_us_in_by_the_name_of_another(order: int) -> None:
    """The server of a stranger may claim that somebody else has asked us; the invitation itself says who it was."""
    room, section = next(iter(sync("invited")["rooms"]["invite"].items()))
    claimed = {**_event("m.room.member", {"membership": "invite"}, state_key=BOT), "sender": BEN}
    found = invitation([claimed, *section["invite_state"]["events"]][::order], room, BOT)
    assert found is not None
    assert not Guests(frozenset({ANNA, BEN}), frozenset({"kanzlei.example"})).may_invite(found.sender)


def test_our_stay_begins_with_the_invitation() -> None:
    """Coming in after it begins nothing anew, and neither does a change of somebody else."""
    _, events = timeline("joined")
    (begin,) = [index for index, event in enumerate(events) if begins_stay(event, BOT)]
    assert events[begin]["content"]["membership"] == "invite"


def test_a_closed_room_and_our_removal_are_told() -> None:
    """In the order in which they happened."""
    room, _ = timeline("kicked", "leave")
    upgraded, removed = told("kicked", "leave")
    assert isinstance(upgraded, Upgraded)
    assert upgraded.successor != room
    assert removed == Removed(room, ANNA)


def test_leaving_ourselves_is_no_removal() -> None:
    """Only others remove."""
    event = _event("m.room.member", {"membership": "leave"}, sender=BOT, state_key=BOT)
    assert incoming(event, "!r", BOT) is None


def _member(membership: str, before: str) -> dict[str, Any]:
    event = _event("m.room.member", {"membership": membership}, state_key=BOT)
    return {**event, "unsigned": {"prev_content": {"membership": before}}}


def test_what_is_said_while_we_are_banned_is_not_said_to_us() -> None:
    """Though a server hands it out once the ban is taken back; nor is that anything that puts us out of a room."""
    here, away, back = (_event("m.room.message", {"msgtype": "m.text", "body": word}) for word in ("a", "b", "c"))
    ban, pardon, invited, came = (
        _member(*way) for way in (("ban", "join"), ("leave", "ban"), ("invite", "leave"), ("join", "invite"))
    )
    assert said_to_us([here, ban, away], BOT) == [here, ban]
    assert said_to_us([away, pardon, away], BOT) == [pardon]
    assert said_to_us([here, ban, away, pardon, away, invited, came, back], BOT) == [invited, came, back]
    assert isinstance(incoming(ban, "!r:x", BOT), Removed)
    assert incoming(pardon, "!r:x", BOT) is None


def test_a_message_that_cannot_be_read_is_told_without_its_words() -> None:
    """Ours too could not be read after a loss of keys, and nobody needs to hear of that."""
    event = _event("m.room.encrypted", {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "x"})
    assert isinstance(incoming(event, "!r", BOT), Unreadable)
    assert incoming(event | {"sender": BOT}, "!r", BOT) is None


@pytest.mark.parametrize("target", ["$" + "x" * 255, "$" + "ä" * 200, "$x\n", "$x\u202e", "$x\0"])
def test_what_can_be_no_id_is_none(target: str) -> None:
    """In an encrypted message only we see what it relates to: what is no id reaches neither database nor server."""
    content = {"msgtype": "m.text", "body": "x", "m.new_content": {"msgtype": "m.text", "body": "x"}}
    edit = {**content, "m.relates_to": {"rel_type": "m.replace", "event_id": target}}
    reply = {"rel_type": "m.thread", "event_id": target, "m.in_reply_to": {"event_id": target}}
    said = incoming(_event("m.room.message", {**content, "m.relates_to": reply}), "!r", BOT)

    assert incoming(_event("m.room.message", edit), "!r", BOT) is None
    assert incoming(_event("m.room.redaction", {"redacts": target}), "!r", BOT) is None
    assert isinstance(said, Said)
    assert (said.thread, said.replies_to) == (None, None)
    assert incoming(_event("m.room.message", content, event_id=target), "!r", BOT) is None
    assert incoming(_event("m.room.message", content, sender=target), "!r", BOT) is None


def test_an_edit_without_a_text_is_none() -> None:
    """A picture in the place of a question asks nothing."""
    relation = {"rel_type": "m.replace", "event_id": "$a"}
    new = {"msgtype": "m.image", "body": "bild.png"}
    event = _event(
        "m.room.message", {"msgtype": "m.text", "body": "* x", "m.new_content": new, "m.relates_to": relation}
    )
    assert incoming(event, "!r", BOT) is None


def _event(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"event_id": "$e", "sender": ANNA, "origin_server_ts": 1, "type": kind, "content": content} | more


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_WORDS = st.sampled_from(
    ["m.text", "m.replace", "m.thread", "m.annotation", "leave", "join", BOT, "\ud800", "> <@a:b>"]
)
_VALUES = _SCALARS | _WORDS | st.lists(_SCALARS | _WORDS, max_size=2) | st.dictionaries(st.text(max_size=3), _SCALARS)
_RELATION = st.fixed_dictionaries(
    {},
    optional={
        "rel_type": st.sampled_from(["m.replace", "m.thread", "m.annotation"]) | _VALUES,
        "event_id": st.just("$t") | _VALUES,
        "key": _VALUES,
        "is_falling_back": _VALUES,
        "m.in_reply_to": st.just({"event_id": "$t"}) | _VALUES,
    },
)
_NEW = {
    "msgtype": st.just("m.text") | _VALUES,
    "body": _VALUES,
    "formatted_body": _VALUES,
    "m.mentions": st.just({"user_ids": [BOT]}) | st.fixed_dictionaries({"user_ids": _VALUES}) | _VALUES,
}
_CONTENT = st.fixed_dictionaries(
    _NEW,
    optional={
        "m.relates_to": _RELATION | _VALUES,
        "m.new_content": st.fixed_dictionaries(_NEW) | _VALUES,
        "membership": _VALUES,
        "replacement_room": _VALUES,
        "redacts": _VALUES,
        RUN: _VALUES,
    },
)
_TYPES = st.sampled_from(
    ["m.room.message", "m.reaction", "m.room.redaction", "m.room.encrypted", "m.room.member", "m.room.tombstone"]
)
_MESSAGE = st.fixed_dictionaries(
    {"type": st.just("m.room.message"), "content": _CONTENT, "event_id": st.just("$e"), "sender": st.just(ANNA)}
)
_STRANGE = st.fixed_dictionaries(
    {"type": _TYPES | _VALUES},
    optional={"content": _CONTENT | _VALUES, "event_id": _VALUES, "sender": _VALUES, "origin_server_ts": _VALUES},
)
_PLAUSIBLE = st.fixed_dictionaries(
    {"type": _TYPES, "content": _CONTENT, "event_id": st.just("$e"), "sender": st.sampled_from([ANNA, BOT])},
    optional={"origin_server_ts": st.integers(), "redacts": _VALUES},
)
_STATE = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["m.room.member", "m.room.tombstone"]),
        "content": _CONTENT,
        "event_id": st.just("$e"),
        "sender": st.sampled_from([ANNA, BOT]),
        "state_key": st.sampled_from([BOT, ""]) | _VALUES,
        "unsigned": st.fixed_dictionaries({"prev_content": st.fixed_dictionaries({"membership": _VALUES})}) | _VALUES,
    }
)
_EVENTS = _MESSAGE | _STRANGE | _PLAUSIBLE | _STATE


@settings(max_examples=examples(300))
@given(_EVENTS)
def test_an_event_of_any_shape_is_told_or_left_out(event: dict[str, Any]) -> None:
    """Whatever strangers send, nothing raises, and what is told can be stored as text."""
    found = incoming(event, "!r", BOT)
    begins_stay(event, BOT)
    invitation([event], "!r", BOT)
    if found is not None:
        assert found.room == "!r"
        assert "\0" not in repr(found.sender)
        found.sender.encode()
        getattr(found, "event", "").encode()
