"""The demo's mandates, documents and questions, read from ``corpus/``, and how they come into an installation."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from bot.ingesting import items_of_manifest, take
from bot.manifest import read_manifest
from domain.errors import AccessError
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App

CORPUS: Final = Path(__file__).parent / "corpus"
_MARK: Final = "demo"
_TIME_ZONE: Final = "Europe/Berlin"


@dataclass(frozen=True, slots=True)
class Question:
    """A scripted question.

    Attributes:
        why: what it shows, by language.
        expect: the outcome that must come out; ``holds``: words that an answer must hold.
    """

    mandate: str
    question: str
    why: Mapping[str, str]
    expect: str
    holds: str = ""
    as_: str | None = None
    at: str | None = None
    valid_on: str | None = None


def questions(corpus: Path = CORPUS) -> list[Question]:
    """Return the scripted questions in their order."""
    entries = tomllib.loads((corpus / "questions.toml").read_text(encoding="utf-8"))["question"]
    return [Question(**{"as_" if name == "as" else name: value for name, value in one.items()}) for one in entries]


def is_installed(data: Path, corpus: Path = CORPUS) -> bool:
    """Say whether exactly this corpus has been ingested whole into the installation."""
    mark = data / _MARK
    return mark.is_file() and mark.read_text(encoding="ascii") == _fingerprint(corpus)


async def install(app: "App", step: Callable[[int], None], corpus: Path = CORPUS) -> None:
    """Open the demo's mandates and ingest their documents; what is there already stays as it is.

    Raises:
        InputError: a file of the corpus cannot be read, which means that the installation is damaged.
    """
    actor = await app.actor()
    done = 0
    for mandate in _mandates(corpus):
        opened = await _open(app, mandate, actor)
        for item in items_of_manifest(read_manifest(corpus / mandate["key"] / "manifest.jsonl", None)):
            outcome = await take(app.knowledge, opened, item, actor)
            if outcome.error is not None:
                raise outcome.error
            done += 1
            step(done)
    await app.views.reach()
    (app.settings.data / _MARK).write_text(_fingerprint(corpus), encoding="ascii")


def count_documents(corpus: Path = CORPUS) -> int:
    """Return how many files the manifests list."""
    manifests = (corpus / mandate["key"] / "manifest.jsonl" for mandate in _mandates(corpus))
    return sum(len(read_manifest(manifest, None)) for manifest in manifests)


async def _open(app: "App", mandate: Mapping[str, Any], actor: Actor) -> UUID:
    key = mandate["key"]
    try:
        opened = await app.mandates.find(key)
    except AccessError:
        library = bool(mandate.get("library"))
        opened = await app.mandates.open(key, mandate["name"], _TIME_ZONE, actor, library=library)
    for library_key in mandate.get("libraries", ()):
        await app.mandates.subscribe(key, library_key, actor)
    for member in mandate.get("members", ()):
        person = await app.people.find(member["person"])
        if person is None or person not in opened.members:
            await app.mandates.admit(key, member["person"], member["clearance"], actor)
    return opened.id


def _mandates(corpus: Path) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = tomllib.loads((corpus / "demo.toml").read_text(encoding="utf-8"))["mandate"]
    return found


def _fingerprint(corpus: Path) -> str:
    digest = sha256()
    for file in sorted(path for path in corpus.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(corpus).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()
