"""Bundles of random histories: an intact one is never blamed, and one change anywhere is always found."""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from adapters.journal import verifier
from adapters.journal.verifier import Key, UnreadableError, verify
from domain.errors import AccessError, InputError
from domain.journal.bundles import Wanted
from tests.corrupting import CHANGES, document_of, flip, leaves, resealed
from tests.sealed_journal import LEVELS, Chronicle

READERS = ("anna", "cleo", "dora")
SAID_ONLY = {"made_at", "reader", "schemas", "keys"}
"""What a bundle says of itself is covered by the seal alone."""


@dataclass(frozen=True)
class Step:
    """One thing that happens; ``number`` chooses which document or run it is about."""

    kind: str
    number: int
    level: str
    by: str


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from(
            ("ingest", "library", "elsewhere", "ask", "ask", "refuse", "withhold", "level", "erase", "sign", "key")
        ),
        st.integers(0, 50),
        st.sampled_from(LEVELS),
        st.sampled_from(("anna", "bert", "dora")),
    ),
    max_size=14,
)


async def happened(steps: Sequence[Step]) -> tuple[Chronicle, list[str]]:
    """Return the history and the checkpoints that were kept elsewhere, with the keys of their time."""
    chronicle, kept = await Chronicle().open(), list[str]()
    for step in steps:
        await _happen(chronicle, step, kept)
    return chronicle, kept


async def _happen(chronicle: Chronicle, step: Step, kept: list[str]) -> None:
    versions = chronicle.versions
    match step.kind:
        case "ingest" | "library" | "elsewhere":
            await chronicle.ingest({"ingest": "a", "library": "lib", "elsewhere": "b"}[step.kind], step.level)
        case "ask" | "refuse" | "withhold" if versions:
            seen = LEVELS[: LEVELS.index(step.level) + 1]
            kinds = {"refused": step.kind == "refuse", "withheld": step.kind == "withhold"}
            await chronicle.ask(versions[step.number % len(versions)], by=step.by, levels=seen, **kinds)
        case "level" if versions:
            await chronicle.raise_level(versions[step.number % len(versions)], step.level)
        case "erase" if chronicle.runs:
            run = chronicle.runs[step.number % len(chronicle.runs)]
            for one in await chronicle.store.read(run):
                if one.event is not None and one.event.PERSONAL:
                    chronicle.store.erase(one.position)
        case "sign":
            kept.append(await chronicle.checkpoint())
        case "key":
            await chronicle.journal.change_key(chronicle.as_("anna"))
        case _:
            pass


async def keys_of(chronicle: Chronicle) -> list[Key]:
    return [Key.of(str(key)) for key in (await chronicle.journal.log()).keys]


@settings(max_examples=60, suppress_health_check=[HealthCheck.data_too_large])
@given(STEPS, st.sampled_from(READERS), st.data())
def test_intact_bundles_are_never_blamed(steps: Sequence[Step], reader: str, data: st.DataObject) -> None:
    """Whole, of a period, of a person or of a run, whoever reads it, against every checkpoint ever kept."""

    async def check() -> None:
        chronicle, kept = await happened(steps)
        wanted = Wanted()
        choice = data.draw(st.sampled_from(("whole", "period", "person", "run")))
        if choice == "period":
            times = [row.recorded.logged_at for row in chronicle.store.stored]
            since, until = sorted(data.draw(st.tuples(st.sampled_from(times), st.sampled_from(times))))
            wanted = Wanted(since, until)
        elif choice == "person":
            wanted = Wanted(person=chronicle.ids["bert"])
        elif choice == "run" and chronicle.runs:
            wanted = Wanted(run=data.draw(st.sampled_from(chronicle.runs)))
        try:
            raw = await chronicle.file(wanted, reader=reader)
        except (AccessError, InputError):
            return
        for held in [None, *kept]:
            assert verify(raw, await keys_of(chronicle), held).faults == []

    asyncio.run(check())


@settings(max_examples=120, suppress_health_check=[HealthCheck.data_too_large])
@given(STEPS, st.sampled_from(READERS), st.data())
def test_a_change_anywhere_is_found(steps: Sequence[Step], reader: str, data: st.DataObject) -> None:
    """One value of one field, sealed anew with the journal's own key."""

    async def check() -> None:
        chronicle, _ = await happened(steps)
        raw = await chronicle.file(reader=reader)
        paths = [
            path
            for path in leaves(document_of(raw))
            if path[0] not in SAID_ONLY
            and path[-1] != "erased"
            and (path[0] != "mandate" or path[1] == "id")
            and (path[0] != "selection" or path[1] in {"first", "last"})
        ]
        keys = await keys_of(chronicle)
        for path in data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=12)):
            changed = resealed(raw, chronicle, flip(path))
            try:
                assert verify(changed, keys).faults, path
            except (UnreadableError, ValueError, LookupError, TypeError, AttributeError):
                continue

    asyncio.run(check())


@settings(max_examples=60, suppress_health_check=[HealthCheck.data_too_large])
@given(STEPS, st.sampled_from(sorted(CHANGES)))
def test_a_change_of_whole_rows_is_found(steps: Sequence[Step], name: str) -> None:
    """Swapped, deleted, doubled, reordered, in whatever history."""

    async def check() -> None:
        chronicle, _ = await happened(steps)
        for level in ("internal", "secret"):
            await chronicle.ask(await chronicle.ingest(level=level))
        await chronicle.checkpoint()
        changed = resealed(await chronicle.file(), chronicle, CHANGES[name])
        assert verify(changed, await keys_of(chronicle)).faults

    asyncio.run(check())


@cache
def _some_bundle() -> bytes:
    async def happen() -> bytes:
        chronicle = await Chronicle().open()
        await chronicle.ask(await chronicle.ingest())
        return await chronicle.file()

    return asyncio.run(happen())


@settings(max_examples=300)
@given(st.data())
def test_other_bytes_are_never_a_bundle(data: st.DataObject) -> None:
    """Cut, put in, doubled or overwritten anywhere: exit 1 or 2, never 0 and never a traceback."""
    raw = _some_bundle()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 400)))
    put = data.draw(st.one_of(st.binary(max_size=20), st.just(raw[start:end] * 2), st.just(bytes(end - start))))
    changed = raw[:start] + put + raw[end:]
    assume(changed != raw)
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(TextIOWrapper(BytesIO())):
        file = Path(folder, "bundle.zip")
        file.write_bytes(changed)
        assert verifier.main([str(file)]) in {1, 2}
