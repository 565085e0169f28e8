"""Who asks something of us, and who does not."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from bot.chat.conversation import Around, Guests, concerns
from bot.chat.incoming import (
    Edited,
    Incoming,
    Invited,
    Reacted,
    Redacted,
    Removed,
    Said,
    Unreadable,
    Upgraded,
)
from bot.chat.ports import Noted

US, ANNA, BERT, ROOM = "@bot:x", "@anna:x", "@bert:x", "!r:x"
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
RUN = UUID(int=7)
GROUP = Around(US)
DIRECT = Around(US, is_direct=True)
ASKED = Noted("$frage", ROOM, ANNA, AT, "Said")
LIKED = Noted("$daumen", ROOM, ANNA, AT, "Reacted", "$antwort", "👍")


def said(text: str, sender: str = ANNA, **more: object) -> Said:
    return Said("$e", ROOM, sender, AT, text, **more)  # type: ignore[arg-type]


def edited(text: str = "Und jetzt?", sender: str = ANNA, *, mentions_us: bool = False) -> Edited:
    return Edited("$e", ROOM, sender, AT, "$frage", text, mentions_us)


def reacted(key: str, sender: str = ANNA) -> Reacted:
    return Reacted("$e", ROOM, sender, AT, "$antwort", key)


NOTHING: list[tuple[Incoming, Around]] = [
    (said("Wie lang ist die Frist?"), GROUP),
    (said("Fundstelle: Wie lang ist die Frist?"), GROUP),
    (said("@bot:x Wie lang ist die Frist?"), GROUP),
    (said("Ja!", thread="$frage", replies_to="$antwort"), GROUP),
    (said("> !frage Was gilt?"), GROUP),
    (said("!würfel 2d6"), GROUP),
    (said("!ping"), GROUP),
    (said("!frage Was gilt?", sender=US), GROUP),
    (said("Was gilt?", sender=US, mentions_us=True), DIRECT),
    (said("Was gilt?", is_notice=True, mentions_us=True), DIRECT),
    (said("✔ Geprüft", run=RUN, mentions_us=True), DIRECT),
    (edited(), GROUP),
    (edited(sender=BERT), Around(US, target=ASKED)),
    (edited(sender=US), Around(US, target=ASKED)),
    (edited(), Around(US, target=LIKED)),
    (Redacted("$e", ROOM, ANNA, AT, "$x"), GROUP),
    (Redacted("$e", ROOM, US, AT, "$frage"), Around(US, target=ASKED)),
    (reacted("👍"), GROUP),
    (reacted("🎉"), Around(US, is_answer=True)),
    (reacted("👍", sender=US), Around(US, is_answer=True)),
    (Unreadable("$e", ROOM, US, AT), GROUP),
    (Invited(ROOM, ANNA), GROUP),
    (Removed(ROOM, ANNA), GROUP),
    (Upgraded(ROOM, ANNA, "!neu:x"), GROUP),
]


@pytest.mark.parametrize(("event", "around"), NOTHING)
def test_nothing_is_asked(event: Incoming, around: Around) -> None:
    """Other people's talk, our own echo, programs, and names in a text are left alone."""
    assert concerns(event, around) is None


@pytest.mark.parametrize(
    ("event", "around"),
    [
        (said("Wie lang ist die Frist?", mentions_us=True), GROUP),
        (said("", mentions_us=True), GROUP),
        (said("Wie lang ist die Frist?"), DIRECT),
        (said("!frage Was gilt?"), GROUP),
        (said("\u200b!quelle S1", thread="$frage"), GROUP),
        (said("!qelle S1"), GROUP),
        (said("!ping"), DIRECT),
    ],
)
def test_a_mention_a_direct_room_and_a_command_ask(event: Said, around: Around) -> None:
    """A slip in a command as well, so that it can be told."""
    assert concerns(event, around) == Noted("$e", ROOM, ANNA, AT, "Said")


def test_an_edit_asks_anew_or_for_the_first_time() -> None:
    """Of a question that was asked, or when only the new text asks; then as if it had been written so."""
    again = Noted("$e", ROOM, ANNA, AT, "Edited", "$frage")
    first = Noted("$frage", ROOM, ANNA, AT, "Said")

    assert concerns(edited(), Around(US, target=ASKED)) == again
    assert concerns(edited(mentions_us=True), GROUP) == first
    assert concerns(edited("!frage Was gilt?"), GROUP) == first
    assert concerns(edited(), DIRECT) == first


def test_what_is_taken_back_concerns_us_where_it_did_before() -> None:
    """A question, also by a moderator, and a sign under an answer."""
    for target in (ASKED, LIKED):
        event = Redacted("$e", ROOM, BERT, AT, target.event)
        assert concerns(event, Around(US, target=target)) == Noted("$e", ROOM, BERT, AT, "Redacted", target.event)


@pytest.mark.parametrize(("key", "sign"), [("👍", "👍"), ("👍\ufe0f", "👍"), ("👍🏽", "👍"), ("👎🏿", "👎")])
def test_a_thumb_of_any_colour_under_an_answer_is_feedback(key: str, sign: str) -> None:
    """What chooses its form makes no other sign of it."""
    noted = concerns(reacted(key, BERT), Around(US, is_answer=True))
    assert noted == Noted("$e", ROOM, BERT, AT, "Reacted", "$antwort", sign)


def test_a_message_that_cannot_be_read_yet_leaves_its_name_to_the_one_that_can() -> None:
    """When the key arrives it comes once more, and asks under its own name."""
    noted = concerns(Unreadable("$e", ROOM, ANNA, AT), GROUP)
    assert noted == Noted("unreadable $e", ROOM, ANNA, AT, "Unreadable", "$e")


def test_only_guests_may_invite_us() -> None:
    """By identity or by server, and nobody where nobody is named."""
    guests = Guests(frozenset({"@anna:y"}), frozenset({"x"}))
    assert guests.may_invite("@anna:y")
    assert guests.may_invite("@wer:x")
    assert not guests.may_invite("@bert:y")
    assert not guests.may_invite("@bert:x:8448")
    assert not Guests(servers=frozenset({""})).may_invite("@bert")
