"""The lease on an account: one at a time, and gone with the session."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.chat.lease import PostgresLease
from adapters.postgres import roles
from adapters.postgres.database import Database
from domain.errors import PartError

ACCOUNT = "matrix @bot:example.org"


@pytest.fixture
async def lease(database: Database) -> AsyncIterator[PostgresLease]:
    held = PostgresLease(database, ACCOUNT)
    await held.acquire()
    yield held
    await held.release()


async def test_an_account_is_answered_by_one(database: Database, lease: PostgresLease) -> None:
    """Another account is free; the same one is to be had when it is given back."""
    other, same = PostgresLease(database, "matrix @other:example.org"), PostgresLease(database, ACCOUNT)
    await other.acquire()
    taking = asyncio.create_task(same.acquire())
    await asyncio.sleep(0.2)
    assert not taking.done()
    assert not same.is_held
    await lease.release()
    async with asyncio.timeout(5):
        await taking
    assert same.is_held
    for one in (other, same):
        await one.release()


async def test_a_lost_session_is_a_lost_lease(database: Database, lease: PostgresLease) -> None:
    """It is noticed before the next word is said, and stays so until it is taken anew."""
    await lease.check()
    with roles.connect(database.admin) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    for _ in range(2):
        with pytest.raises(PartError, match="lease_lost"):
            await lease.check()
    assert not lease.is_held
    await lease.acquire()
    await lease.check()


async def test_without_a_lease_nothing_may_be_said(database: Database) -> None:
    """Whoever never had it may not say anything either."""
    with pytest.raises(PartError, match="lease_lost"):
        await PostgresLease(database, ACCOUNT).check()


async def test_giving_up_to_wait_leaves_nothing_behind(database: Database, lease: PostgresLease) -> None:
    """An instance that is stopped while it waits has no session left that could take the lease later."""
    taking = asyncio.create_task(PostgresLease(database, ACCOUNT).acquire())
    await asyncio.sleep(0.2)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    await lease.release()
    again = PostgresLease(database, ACCOUNT)
    async with asyncio.timeout(5):
        await again.acquire()
    await again.release()
