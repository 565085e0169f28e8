"""Checkpoints in a room: each once, in order, as they are verified."""

import asyncio

import pytest

from bot.chat.outgoing import Content
from bot.serving import checkpoints
from bot.serving.checkpoints import SIGNED, Posting, posting
from bot.text import texts
from domain.errors import PartError
from domain.journal.checkpoints import Checkpoint
from domain.journal.handler import Log, Signed
from domain.journal.notes import Note, Signature
from domain.recording import Batch
from tests.unit.serving.conftest import until

ROOM = "!r:example.org"


def signed(size: int) -> Signed:
    checkpoint = Checkpoint("example.org/fundstelle", size, bytes([size]) * 32)
    return Signed(checkpoint, Note(str(checkpoint), (Signature("example.org/fundstelle", b"1234", b"signature"),)))


class Posts:
    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    async def posted(self, room: str) -> int | None:
        return self.known.get(room)

    async def post(self, room: str, count: int) -> None:
        self.known[room] = count


class Platform:
    account = "@bot:example.org"

    def __init__(self) -> None:
        self.said: dict[str, Content] = {}
        self.fails_at: int | None = None

    async def send(self, room: str, content: Content, *, transaction: str) -> str:
        if self.fails_at == len(self.said):
            self.fails_at = None
            raise PartError("matrix_unreachable")
        self.said.setdefault(transaction, content)
        return f"{room} {transaction}"


class Journal:
    """Positions, and at which of them something was signed."""

    def __init__(self) -> None:
        self.is_signed: list[bool] = []

    async def head(self) -> int:
        return len(self.is_signed)

    async def batch(self, position: int, limit: int, kinds: object) -> Batch:
        assert kinds == SIGNED
        found = self.is_signed[position : position + limit]
        return Batch((None,) * sum(found), position + len(found))


class World:
    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.posts, self.platform = Posts(), Platform()
        self.store = Journal()
        self.posting = Posting(self._log, self.posts, ROOM, texts("de"), self.store)
        self.read = 0

    async def _log(self) -> Log:
        self.read += 1
        return Log(signed=tuple(map(signed, self.sizes)))

    async def post(self, *sizes: int) -> int:
        self.sizes += sizes
        return await self.posting.post(self.platform)

    @property
    def told(self) -> list[int]:
        return [
            int(one.plain.partition("example.org/fundstelle\n")[2].split()[0]) for one in self.platform.said.values()
        ]


async def test_a_new_room_gets_the_latest_one() -> None:
    """It speaks for all before it; what comes later is posted as it comes, in order."""
    world = World()
    assert await world.post() == 0
    assert await world.post(3, 5) == 1
    assert await world.post() == 0
    assert await world.post(8, 9) == 2
    assert world.told == [5, 8, 9]


async def test_what_could_not_be_posted_is_posted_later() -> None:
    """A platform that is away in between leaves nothing out and has nothing said twice."""
    world = World()
    await world.post(3)
    world.platform.fails_at = 2
    with pytest.raises(PartError):
        await world.post(5, 8)
    assert world.told == [3, 5]
    assert await world.post() == 1
    assert world.told == [3, 5, 8]


async def test_a_death_before_it_is_remembered_posts_nothing_twice() -> None:
    """The same checkpoint is the same transaction, also from another instance."""
    world = World()
    await world.post(3)
    world.posts.known.clear()
    assert await world.post() == 1
    assert world.told == [3]


async def test_the_log_is_read_only_when_something_was_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is asked meanwhile; and again after something went wrong."""
    monkeypatch.setattr(checkpoints, "LOOK_SECONDS", 0.001)
    world, faults = World(), list[Exception]()
    world.sizes, world.platform.fails_at = [3], 0
    posting = asyncio.create_task(world.posting.keep_posting(world.platform, faults.append))
    await until(lambda: world.told == [3])
    assert [str(one) for one in faults] == ["matrix_unreachable()"]
    world.store.is_signed += [False] * 1_200
    await asyncio.sleep(0.02)
    assert world.read == 2
    world.sizes.append(8)
    world.store.is_signed += [True, False]
    await until(lambda: world.told == [3, 8])
    posting.cancel()


def test_a_checkpoint_can_be_copied_line_for_line() -> None:
    """In both forms of the message, as a notice that notifies nobody."""
    one = signed(5)
    content = posting(one, texts("en"))
    assert str(one.note).strip() in content.plain
    assert f"<pre><code>{str(one.note).replace(chr(10), '<br>')}</code></pre>" in content.html
    assert content.is_notice
    assert not content.mentions
