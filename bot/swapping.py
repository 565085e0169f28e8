"""Swaps the models of a mandate: everything is encoded beside the live index, then one event makes the switch.

Whoever is stopped in between has changed nothing that a question could see, and goes on where they stopped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from bot import models
from domain.errors import ConflictError, InputError
from domain.mandates import naming
from domain.mandates.access import must_administer
from domain.mandates.attempts import Change
from domain.mandates.decisions import Decision
from domain.mandates.events import ModelBound
from domain.mandates.handler import MANDATE
from domain.mandates.models import DENSE_ENCODER, MODEL_ROLES, RERANKER, SPARSE_ENCODER, bind_model, retire_model
from domain.mandates.state import Mandate
from domain.recording import Actor
from projections.backfill import Backfill, Encoded
from projections.encodings import DENSE, SPARSE, Encoder, Kind
from projections.live import keep_up

if TYPE_CHECKING:
    from bot.wiring import App

_KINDS: Final[dict[str, Kind[Any]]] = {DENSE_ENCODER: DENSE, SPARSE_ENCODER: SPARSE}
"""What encoders make of passages, by role."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What is bound to a role, since when, whether it can be had, and what the configuration names."""

    role: str
    fingerprint: str
    since: datetime
    is_available: bool
    configured: str


async def bindings(app: "App", mandate: Mandate) -> tuple[Binding, ...]:
    """Return what is bound to each role."""
    since = {
        one.event.role: one.logged_at for one in await app.store.read(mandate.id) if isinstance(one.event, ModelBound)
    }
    found = []
    for role in MODEL_ROLES:
        used, choice = app.bound.in_use(mandate, role), app.bound.choice(role)
        is_there = choice.of(used) is not None
        found.append(Binding(role, used, since.get(role, mandate.opened_at), is_there, choice.configured.fingerprint))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a mandate keeps of an encoder of some role."""

    role: str
    encoded: Encoded


async def kept(app: "App", mandate: UUID) -> tuple[Kept, ...]:
    """Return whose vectors and weights a mandate keeps."""
    return tuple([Kept(role, one) for role in _KINDS for one in await _backfill(app, role).encoders(mandate)])


@dataclass(frozen=True, slots=True)
class Swap:
    """A swap that may go ahead; ``versions``: how many it has to encode."""

    mandate: Mandate
    role: str
    because: str
    versions: int


async def prepare(app: "App", key: str, role: str, because: str, actor: Actor) -> Swap:
    """See whether the configured model may be bound to a role, and what has to be encoded before.

    From here on projections encode what comes in with the configured encoder as well.

    Raises:
        AccessError: no such mandate, or not its administrator.
        InputError: ``model_role`` or ``reason``.
        PartError: the database or the model does not answer.
    """
    mandate = await app.mandates.find(key)
    must_administer(mandate, actor.person)
    naming.reason(because)
    if role not in MODEL_ROLES:
        raise InputError("model_role", role=role, known=", ".join(MODEL_ROLES))
    encoder = _encoder(app, role)
    if encoder is None:
        if role == RERANKER:
            await app.bound.reranker.configured.scores("Fundstelle", [models.SAMPLE])
        return Swap(mandate, role, because, 0)
    await encoder.encode(["Fundstelle"])
    if app.bound.choice(role).others():
        await keep_up(app.database, encoder.fingerprint)
    # What is recorded behind this position is encoded by the projection itself.
    await app.views.reach(await app.store.head())
    waiting = [await _backfill(app, role).waiting(one, encoder.fingerprint) for one in _searched(mandate)]
    return Swap(mandate, role, because, sum(map(len, waiting)))


async def swap(app: "App", wanted: Swap, actor: Actor, done: Callable[[int], None]) -> Change:
    """Encode what is to be encoded, then bind the model.

    Args:
        app: the parts.
        wanted: as ``prepare`` found it.
        actor: an administrator.
        done: is told how many versions are encoded.

    Raises:
        ConflictError: the mandate has meanwhile subscribed to a library, which would have to be encoded first.
        PartError: the database or the model does not answer; what was encoded stays.
    """
    choice, encoder = app.bound.choice(wanted.role), _encoder(app, wanted.role)
    before = 0
    if encoder is not None:
        for one in _searched(wanted.mandate):
            result = await _backfill(app, wanted.role).run(one, encoder, partial(_told, done, before))
            before += result.versions + len(result.unreadable)

    def binding(now: Mandate) -> Decision:
        if encoder is not None and not now.libraries.keys() <= wanted.mandate.libraries.keys():
            raise ConflictError
        return bind_model(now, wanted.role, choice.configured, wanted.because, choice.embedded.fingerprint)

    return await app.mandates.change(wanted.mandate.key, actor, binding)


async def retire(app: "App", key: str, fingerprint: str, because: str, actor: Actor) -> Change:
    """Delete the vectors of an encoder that nobody's questions of today use.

    Raises:
        AccessError: no such mandate, or not its administrator.
        InputError: ``reason``, ``model_unknown`` or ``model_is_bound``.
        PartError: the database does not answer; run it again.
    """
    mandate = await app.mandates.find(key)
    must_administer(mandate, actor.person)
    roles = {one.encoded.encoder: one.role for one in await kept(app, mandate.id)}
    known = roles.keys() | mandate.retired
    if fingerprint not in known:
        raise InputError("model_unknown", model=fingerprint, known=", ".join(sorted(known)) or "–")
    role = roles.get(fingerprint, DENSE_ENCODER)
    for stream in await app.store.named(MANDATE):
        other = await app.mandates.by_id(stream)
        if other is not None and mandate.id in other.libraries and app.bound.in_use(other, role) == fingerprint:
            raise InputError("model_is_bound", model=fingerprint, mandate=mandate.key)
    default = app.bound.choice(role).embedded.fingerprint
    change = await app.mandates.change(key, actor, lambda now: retire_model(now, role, fingerprint, because, default))
    await _backfill(app, role).retire(mandate.id, fingerprint)
    return change


async def bind_configured(app: "App", mandate: Mandate, actor: Actor, because: str) -> Mandate:
    """Bind to a mandate that has just been opened what the configuration names beside the embedded models."""
    for role in MODEL_ROLES:
        choice = app.bound.choice(role)
        default = choice.embedded.fingerprint
        for model in choice.others():
            if role in _KINDS:
                await keep_up(app.database, model.fingerprint)
            binding = partial(bind_model, role=role, model=model, because=because, default=default)
            mandate = (await app.mandates.change(mandate.key, actor, binding)).mandate
    return mandate


async def subscribe(app: "App", key: str, library_key: str, actor: Actor, done: Callable[[int], None]) -> Change:
    """Let a mandate read a library once its encoders have been through it, so that no question meets a gap.

    Args:
        app: the parts.
        key: of the mandate.
        library_key: of the library.
        actor: an administrator of the mandate.
        done: is told how many versions are encoded.

    Raises:
        AccessError: no such mandate or library, or not its administrator.
        PartError: the database or a model does not answer; nothing is subscribed, and what was encoded stays.
    """
    mandate = await app.mandates.find(key)
    must_administer(mandate, actor.person)
    library = await app.mandates.find(library_key)
    if library.library:
        await app.views.reach(await app.store.head())
        for role in _KINDS:
            encoder = _encoder(app, role)
            if encoder is not None and encoder.fingerprint == app.bound.in_use(mandate, role):
                await _backfill(app, role).run(library.id, encoder, partial(_told, done, 0))
    return await app.mandates.subscribe(key, library_key, actor)


def _encoder(app: "App", role: str) -> Encoder[Any] | None:
    """Return the configured encoder of a role, ``None`` where it has none or what it makes lies in no table."""
    if role == DENSE_ENCODER:
        return app.bound.dense.configured
    return next(iter(app.bound.sparse.others()), None) if role == SPARSE_ENCODER else None


def _told(done: Callable[[int], None], before: int, steps: int, _all: int) -> None:
    done(before + steps)


def _searched(mandate: Mandate) -> tuple[UUID, ...]:
    """Return the mandates whose passages a question may search."""
    return (mandate.id, *mandate.libraries)


def _backfill(app: "App", role: str) -> Backfill[Any]:
    return Backfill(app.database, app.store, app.blobs, app.text_mac, _KINDS[role])
