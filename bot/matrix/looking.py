"""Looks at our account on a homeserver without taking part: nothing is sent, no key is made, no store is written.

So it may be done while another process answers from the same device.
"""

import sqlite3
import ssl
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.matrix.api import Api, path
from bot.matrix.cross_signing_keys import KeyFile
from bot.matrix.crypto import Device
from bot.matrix.files import read_json, store_file
from bot.matrix.login import SESSION_FILE
from bot.matrix.shapes import table, text
from bot.matrix.signatures import is_signed, key_id
from bot.matrix.trust import Owner, listed, owners
from domain.errors import InputError, PartError

PATIENCE: Final = 10.0
"""Seconds for each question to the server."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is of our account.

    Attributes:
        device: our device, ``None`` before the first start of ``serve``.
        is_signed: whether others see that it is ours.
    """

    device: str | None
    is_signed: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """What the server says of somebody's devices, as far as it holds up.

    Attributes:
        person: Matrix id.
        master: their master key, ``None`` for none.
        devices: in the order of their ids.
        confirmed: those of them that ``master`` vouches for.
    """

    person: str
    master: str | None
    devices: tuple[Device, ...]
    confirmed: frozenset[Device]


async def look_at(homeserver: str, folder: Path, person: str, context: ssl.SSLContext | None = None) -> Listed:
    """Ask the server which devices somebody has.

    Raises:
        InputError: ``matrix_no_session`` before the first start of ``serve``.
        PartError: ``matrix_unreachable``, ``matrix_login`` when the server does not know our session any more,
            ``matrix_disk``.
    """
    token = text(read_json(folder / SESSION_FILE).get("token"))
    if not token:
        raise InputError("matrix_no_session")
    async with aiohttp.ClientSession() as connections:
        api = Api(homeserver, connections, context)
        api.token = token
        answer = await api.call("POST", path("keys", "query"), {"device_keys": {person: []}}, patience=PATIENCE)
    owner = next((one for one in owners(answer) if one.person == person), Owner(person, None, frozenset()))
    whole = tuple(sorted(listed(answer, person), key=lambda device: device.id))
    return Listed(person, owner.master, whole, owner.confirmed)


async def look(homeserver: str, folder: Path, keys: KeyFile, context: ssl.SSLContext | None = None) -> Seen:
    """Ask the server for our session and our device, and try whether the store of its keys can be read.

    Raises:
        InputError: as ``KeyFile.read``.
        PartError: ``matrix_unreachable``, ``matrix_login`` when the server does not know our session any more,
            ``matrix_disk``, ``matrix_store``, ``matrix_unsigned`` when others do not see that our device is ours.
    """
    kept = read_json(folder / SESSION_FILE)
    account, device, token = (text(kept.get(name)) for name in ("account", "device", "token"))
    async with aiohttp.ClientSession() as connections:
        api = Api(homeserver, connections, context)
        await api.call("GET", "/_matrix/client/versions", is_open=True, patience=PATIENCE)
        if not (account and device and token):
            return Seen(None, is_signed=False)
        api.token = token
        said = await api.call("GET", path("account", "whoami"), patience=PATIENCE)
        if (text(said.get("user_id")), text(said.get("device_id"))) != (account, device):
            raise PartError("matrix_login", reason="M_USER_CHANGED")
        _must_be_readable(folder, account, device)
        answer = await api.call("POST", path("keys", "query"), {"device_keys": {account: []}}, patience=PATIENCE)
    if not _is_ours(answer, account, device, keys):
        raise PartError("matrix_unsigned", device=device)
    return Seen(device, is_signed=True)


def _must_be_readable(folder: Path, account: str, device: str) -> None:
    file = store_file(folder, account, device)
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as store:
            rows = store.execute("PRAGMA quick_check").fetchall()
    except (sqlite3.Error, ValueError) as error:
        raise PartError("matrix_store", folder=folder, reason=type(error).__name__) from error
    if rows != [("ok",)]:
        raise PartError("matrix_store", folder=folder, reason="quick_check")


def _is_ours(answer: Mapping[str, Any], account: str, device: str, keys: KeyFile) -> bool:
    own = keys.read()
    told = table(table(table(answer.get("device_keys")).get(account)).get(device))
    master = table(table(answer.get("master_keys")).get(account))
    if own is None or own.public("master") not in table(master.get("keys")).values():
        return False
    name = own.public("self_signing")
    return key_id(device) in table(told.get("keys")) and is_signed(told, account, name, name)
