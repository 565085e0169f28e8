"""Logging in to a server that says whatever it likes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from bot.matrix.api import Api
from bot.matrix.files import read_json, store_file, write_json
from bot.matrix.login import SESSION_FILE, Login, log_in
from domain.errors import AccessError, FundstelleError, InputError, PartError
from tests.unit.matrix.replay import ANNA, BOT


class Door:
    """Lets everybody in as ``account``. Serves as the interface of the server."""

    def __init__(self, account: Any = BOT) -> None:
        self.account = account
        self.asked: list[str] = []
        self.token: str | None = None

    async def call(self, _: str, path: str, __: Mapping[str, Any] | None = None, **___: Any) -> dict[str, Any]:
        self.asked.append(path.rpartition("/")[2])
        return {"user_id": self.account, "device_id": "NEW", "access_token": "t-new"}


def _kept(folder: Path, account: str) -> None:
    write_json(folder / SESSION_FILE, {"account": account, "device": "OLD", "token": "t-old"})
    store_file(folder, account, "OLD").touch()


async def _log_in(door: Door, folder: Path, user: str = BOT) -> str:
    return (await log_in(cast("Api", door), Login(user, "geheim", "Fundstelle"), folder)).account


@pytest.mark.parametrize("account", [ANNA, "", 7, "@bot:elsewhere.example", "bot:kanzlei.example"])
async def test_a_server_that_takes_us_for_somebody_else_is_not_believed(account: Any, tmp_path: Path) -> None:
    """Its token is not kept, nor used."""
    door = Door(account)
    with pytest.raises(PartError):
        await _log_in(door, tmp_path)
    assert door.token is None
    assert read_json(tmp_path / SESSION_FILE) == {}


@pytest.mark.parametrize("user", [BOT, "bot", "@BOT:kanzlei.example"])
async def test_the_server_may_be_left_out_of_the_name(user: str, tmp_path: Path) -> None:
    """And capitals are small letters, as in a login."""
    assert await _log_in(Door(), tmp_path, user) == BOT


async def test_the_session_of_another_account_is_not_taken_up(tmp_path: Path) -> None:
    """Whoever writes another name into the configuration is not answered as the former account."""
    _kept(tmp_path, ANNA)
    door = Door()
    assert await _log_in(door, tmp_path) == BOT
    assert door.asked == ["login"]


class ShutDoor(Door):
    """Knows no session and takes no password."""

    async def call(self, _: str, path: str, __: Mapping[str, Any] | None = None, **___: Any) -> dict[str, Any]:
        if path.endswith("/login"):
            raise AccessError
        raise PartError("matrix_login", reason="M_UNKNOWN_TOKEN")


@pytest.mark.parametrize(("has_been_let_in", "kind"), [(False, InputError), (True, PartError)])
async def test_a_wrong_password_is_a_wrong_configuration_only_at_first(
    *, has_been_let_in: bool, kind: type[FundstelleError], tmp_path: Path
) -> None:
    """Later somebody may be changing the password: then it is tried again, with what the file says by then."""
    if has_been_let_in:
        _kept(tmp_path, BOT)
    with pytest.raises(kind, match="matrix_login"):
        await _log_in(ShutDoor(), tmp_path)
