"""Twin worlds side by side: what somebody sees of a command in the one is what they see in the other."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from zipfile import ZipFile

from tests.isolation.lines import Foreign, Name, Target, prepared
from tests.isolation.stage import Seen, Stage, World
from tests.isolation.worlds import SPOKEN, Telling


@dataclass
class Twins:
    """Two worlds for the people of a ring.

    Attributes:
        cases: how many lines have been compared.
    """

    stage: Stage
    ring: int
    worlds: tuple[World, World]
    cases: int = 0
    _numbers: Iterator[int] = field(default_factory=count)

    def compare(self, person: str, line: Sequence[object]) -> Seen:
        """Run a line in both worlds and return what is seen in the first.

        Raises:
            AssertionError: something else is seen in the other.
        """
        number = next(self._numbers)
        self.cases += 1
        seen = [self._seen(world, person, line, number) for world in self.worlds]
        assert seen[0] == seen[1], (person, self._said(self.worlds[0], person, line, number), *seen)
        return seen[0]

    def seen(self, person: str, line: Sequence[object]) -> Seen:
        """Return what somebody sees of a line in the first world."""
        return self._seen(self.worlds[0], person, line, next(self._numbers))

    def _seen(self, world: World, person: str, line: Sequence[object], number: int) -> Seen:
        stdin = "Wie lang ist die Kündigungsfrist?\n" if line[:1] == ("chat",) else ""
        seen = self.stage.run(world, person, self._said(world, person, line, number), stdin)
        if self.ring:
            reports = [ZipFile(file).read("report.html").decode() for file in world.data.glob(f"out-{number}.zip")]
            assert not [word for word in SPOKEN if word in "".join([seen.out, seen.err, *reports])], (person, line)
        return Seen(seen.code, world.steady(seen.out), world.steady(seen.err))

    def _said(self, world: World, person: str, line: Sequence[object], number: int) -> list[str]:
        said = []
        for word in line:
            match word:
                case Name("person"):
                    said.append(person)
                case Name(name):
                    said.append(world.names[name])
                case Foreign(name, which):
                    said.append(self.worlds[which].names[name])
                case Target(suffix):
                    said.append(str(world.data / f"out-{number}{suffix}"))
                case _:
                    said.append(str(word))
        return said


class Models:
    """The worlds from which twins are copied, each told when it is first asked for."""

    def __init__(self, stage: Stage, texts: Path, stack: ExitStack) -> None:
        self._stage = stage
        self._texts = texts
        self._stack = stack
        self._told: dict[int, World] = {}
        self._shared: dict[int, Twins] = {}

    @contextmanager
    def twins(self, ring: int) -> Iterator[Twins]:
        """Twins for the people of a ring, as they were told."""
        one, other = self._world(-1), self._world(ring)
        with self._stage.copied(one) as first, self._stage.copied(other) as second:
            yield Twins(self._stage, ring, (first, second))

    @contextmanager
    def alone(self) -> Iterator[Twins]:
        """One world, which stands for both."""
        with self._stage.copied(self._world(-1)) as one:
            yield Twins(self._stage, 0, (one, one))

    def shared(self, ring: int) -> Twins:
        """Twins that several tests use, one after the other."""
        if ring not in self._shared:
            self._shared[ring] = self._stack.enter_context(self.twins(ring))
        return self._shared[ring]

    def _world(self, differs: int) -> World:
        if differs not in self._told:
            world = self._stack.enter_context(self._stage.fresh())
            with self._stage.open(world):
                Telling(self._stage, world, self._texts, differs).tell()
            self._told[differs] = world
        return self._told[differs]


@contextmanager
def models(stage: Stage, folder: Path) -> Iterator[tuple[Models, Path]]:
    """The worlds, and the folder with the files that lines name."""
    texts, files = folder / "told", folder / "files"
    texts.mkdir()
    files.mkdir()
    with ExitStack() as stack:
        yield Models(stage, texts, stack), prepared(files)
