"""Who acts, who asks and who looks: the operating-system user, or on whose behalf the data folder's owner does."""

from uuid import UUID

from bot import identity
from bot.config import Settings
from domain.errors import AccessError
from domain.recording import Actor, People


class Acting:
    """Tells who it is.

    Args:
        settings: ``--actor`` of this call, and the data folder.
        people: the directory of people.
    """

    def __init__(self, settings: Settings, people: People) -> None:
        self._settings = settings
        self._people = people

    async def actor(self, named: str | None = None) -> Actor:
        """Return who causes a change.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            InputError: ``identity``, or ``not_owner`` when somebody else speaks for another person.
        """
        ours, theirs = identity.system_user(), self._spoken_for(named)
        if theirs is None or theirs == ours:
            return Actor(await self._people.register(ours))
        return Actor(await self._people.register(theirs), await self._people.register(ours))

    async def asker(self, named: str | None = None) -> UUID | None:
        """Return the pseudonym of who asks or looks, ``None`` for somebody who has none.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            InputError: as ``actor``.
        """
        return await self._people.find(self._spoken_for(named) or identity.system_user())

    async def looker(self, named: str | None = None) -> Actor:
        """Return who looks at what may not be their own, and on whose behalf.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            AccessError: nobody of this name has ever been seen.
            InputError: as ``actor``.
        """
        if await self.asker(named) is None:
            raise AccessError
        return await self.actor(named)

    def _spoken_for(self, named: str | None) -> str | None:
        option, text = ("--as", named) if named is not None else ("--actor", self._settings.on_behalf_of)
        if text is None:
            return None
        person = identity.parse(text)
        if person != identity.system_user():
            identity.must_own(self._settings.data, option)
        return person
