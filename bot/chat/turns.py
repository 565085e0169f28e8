"""One message that asks something, with all that is needed to reply to it."""

from dataclasses import dataclass

from bot.chat.commands import Admit, GiveRole, Incomplete, OfPerson, Question, Remove, Wanted
from bot.chat.courtesies import courtesy
from bot.chat.desk import Desk
from bot.chat.grammar import parse
from bot.chat.incoming import Said
from bot.chat.outgoing import Content
from bot.chat.places import Place, place_of
from bot.chat.ports import Answered, Noted, Room
from bot.text import Texts
from bot.text import texts as texts_of


@dataclass(frozen=True, slots=True)
class Turn:
    """A message, as its sender has left it.

    Attributes:
        noted: what was noted: the message, or an edit of it.
        thread: where the reply stands; begun by the message where it stands in none.
        wanted: what it asks.
        texts: the language of the reply.
        before: how it was answered before it was edited, if it was.
    """

    desk: Desk
    noted: Noted
    said: Said
    place: Place
    thread: str
    wanted: Wanted
    texts: Texts
    before: Answered | None = None

    async def reply(
        self, content: Content, what: str = "reply", *, only_trusted: bool = False, seen: Room | None = None
    ) -> str:
        """Reply in the thread, or in the place of the reply that was there, and return the event's id.

        Raises:
            AccessError, ConflictError, PartError: as ``Desk.say``.
        """
        desk = self.desk
        if self.before is None:
            return await desk.say(self.noted, content, what, thread=self.thread, only_trusted=only_trusted, seen=seen)
        target, transaction = self.before.answer, desk.transaction(self.noted.event, what)
        await desk.platform.edit(
            self.noted.room, target, content, transaction=transaction, only_trusted=only_trusted, seen=seen
        )
        return target


async def turn_of(desk: Desk, noted: Noted, event: str, *, before: Answered | None = None) -> Turn | None:
    """Return what a message asks now, ``None`` when it is gone or we are not in its room.

    Raises:
        PartError: the platform does not answer.
    """
    said = await desk.platform.message(noted.room, event)
    room = await desk.platform.room(noted.room)
    if said is None or room is None or said.sender != noted.sender:
        return None
    place = await place_of(desk, room, said.sender)
    wanted = _wanted(said)
    return Turn(desk, noted, said, place, said.thread or event, wanted, _texts(desk, wanted, said.text), before)


def _wanted(said: Said) -> Wanted:
    wanted = parse(said.text) or courtesy(said.text) or Wanted(Question(said.text))
    by_id = parse(said.by_id) if _is_about_somebody(wanted) else None
    # A name is nobody's; who is chosen from a list is meant by the identity behind it.
    return by_id if by_id is not None and isinstance(by_id.command, OfPerson) else wanted


def _is_about_somebody(wanted: Wanted) -> bool:
    match wanted.command:
        case Incomplete("member" | "role"):
            return True
        case Admit(person) | Remove(person) | GiveRole(person):
            return not person.startswith("@")
        case _:
            return False


def _texts(desk: Desk, wanted: Wanted, text: str) -> Texts:
    match wanted:
        case Wanted(Question(question)):
            return desk.texts.answering(question)
        case Wanted(language=str(language)) if not desk.texts.is_chosen:
            return texts_of(language)
        case _:
            return desk.texts.answering(text)
