"""Our session with the homeserver: a device that stays the same as long as its keys are there."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.matrix.api import Api, RefusedError, path
from bot.matrix.files import read_json, store_file, write_json
from bot.matrix.shapes import table, text
from domain.errors import AccessError, InputError, PartError

_log = logging.getLogger(__name__)

SESSION_FILE: Final = "session.json"
_KIND: Final = "m.login.password"


@dataclass(frozen=True, slots=True)
class Login:
    """Who logs in.

    Attributes:
        user: name of the account, with or without the server.
        password: as it was read from its file.
        device_name: shown to people beside our device.
    """

    user: str
    password: str
    device_name: str

    def __repr__(self) -> str:
        """Return a form without the password."""
        return f"Login({self.user!r})"


@dataclass(frozen=True, slots=True)
class Session:
    """A device that is logged in.

    Attributes:
        account: our identity, ``@name:server``.
        device: its id.
        is_new: it was made just now: the first of all, or the keys of the one before are lost.
        was_renewed: the server had ended the session, and with it may have forgotten the device's keys.
    """

    account: str
    device: str
    is_new: bool
    was_renewed: bool = False


async def log_in(api: Api, login: Login, folder: Path) -> Session:
    """Take up the session of before, or log in; ``api`` has its token then.

    A device whose keys are lost is not taken up: others would encrypt to keys that nobody has.

    Raises:
        InputError: ``matrix_login``: at the first login, the user or the password is wrong.
        PartError: ``matrix_login`` and what ``Api.call`` raises.
    """
    kept = read_json(folder / SESSION_FILE)
    account, device, token = (text(kept.get(name)) for name in ("account", "device", "token"))
    # Another name in the configuration is another account, whose device this is not.
    is_ours = bool(device) and _is_of(account, login.user)
    if not (is_ours and store_file(folder, account, device).exists()):
        account, device = await _with_password(api, login, folder, device=None)
        return Session(account, device, is_new=True)
    api.token = token
    if await _is_alive(api, account, device):
        return Session(account, device, is_new=False)
    await renew(api, login, folder, Session(account, device, is_new=False))
    return Session(account, device, is_new=False, was_renewed=True)


async def renew(api: Api, login: Login, folder: Path, session: Session) -> None:
    """Log in again with the same device, after the server has ended the session.

    Raises:
        PartError: ``matrix_login``, also when the name leads to another account now.
    """
    account, device = await _with_password(api, login, folder, device=session.device)
    if (account, device) != (session.account, session.device):
        raise PartError("matrix_login", reason="M_USER_CHANGED")


def _is_of(account: str, user: str) -> bool:
    """Say whether an account is that of a user, who may be named without the server."""
    own = account.casefold()
    return user.casefold() in {own, own.partition(":")[0].removeprefix("@")}


async def _is_alive(api: Api, account: str, device: str) -> bool:
    try:
        said = await api.call("GET", path("account", "whoami"))
    except PartError as error:
        if error.key == "matrix_login":
            return False
        raise
    if text(said.get("user_id")) != account:
        raise PartError("matrix_login", reason="M_USER_CHANGED")
    return text(said.get("device_id")) == device


async def _with_password(api: Api, login: Login, folder: Path, *, device: str | None) -> tuple[str, str]:
    body = {
        "type": _KIND,
        "identifier": {"type": "m.id.user", "user": login.user},
        "password": login.password,
        "initial_device_display_name": login.device_name,
    } | ({"device_id": device} if device else {})
    try:
        said = table(await api.call("POST", path("login"), body, is_open=True))
    except AccessError as error:
        # At the first login it is the configuration that is wrong; later somebody is changing the password.
        kind = InputError if device is None else PartError
        raise kind("matrix_login", reason="M_FORBIDDEN") from error
    except RefusedError as error:
        raise PartError("matrix_login", reason=error.code) from error
    account, made, token = (text(said.get(name)) for name in ("user_id", "device_id", "access_token"))
    if not (account and made and token):
        raise PartError("matrix_login", reason="M_BAD_JSON")
    if not _is_of(account, login.user):
        raise PartError("matrix_login", reason="M_USER_CHANGED")
    write_json(folder / SESSION_FILE, {"account": account, "device": made, "token": token})
    api.token = token
    _log.info("logged in to Matrix, device %s", made)
    return account, made
