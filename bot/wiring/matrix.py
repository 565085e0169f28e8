"""Our account on a Matrix homeserver: taken part in, or looked at.

What speaks Matrix is an extra: importing this module raises ``InputError("matrix_extra")`` where it is not installed.
"""

import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from adapters.regular import regular
from bot import identity
from bot.chat import notices
from bot.config import Settings
from bot.installation import master_key
from bot.matrix_config import MatrixChoice
from bot.secret_files import read_secret
from bot.serving.forgetting import Forgetting
from bot.serving.logs import facts
from bot.serving.troubles import Troubles
from bot.text import texts
from domain.errors import InputError

try:
    from bot.matrix import client
    from bot.matrix.cross_signing_keys import KeyFile
    from bot.matrix.device_store import Devices
    from bot.matrix.forgetting import Kept
    from bot.matrix.login import Login
    from bot.matrix.looking import look, look_at
    from bot.matrix.pins import KeyChanged, Pins
except ModuleNotFoundError as error:
    raise InputError("matrix_extra") from error

if TYPE_CHECKING:
    from bot.matrix.api import Api
    from bot.matrix.client import MatrixPlatform
    from bot.matrix.cross_signing import Started
    from bot.matrix.looking import Listed, Seen
    from bot.matrix.machine import Machine

_LOG: Final = logging.getLogger(__name__)


@asynccontextmanager
async def connected(
    settings: Settings, choice: MatrixChoice, troubles: Troubles, forgetting: Forgetting
) -> AsyncIterator["MatrixPlatform"]:
    """Log in to the homeserver, from a device that others trust, as long as the block runs.

    Who is erased meanwhile, or was before, is taken out of the files of the device.

    Raises:
        InputError: as ``read_secret``, ``authority`` and ``cross_signing.start``.
        PartError: as ``client.connect``.
    """
    words, password, device = texts(settings.language), read_secret(choice.password_file), ""

    def tell(found: "Started | KeyChanged") -> None:
        if isinstance(found, KeyChanged):
            _LOG.warning("the homeserver names another master key of somebody than the one that counts")
            troubles.add(f"{found.person} {found.found}", notices.master_key_changed(words, found.person))
        elif found.new_device:
            _LOG.warning("the store of our former device is lost; this is a new one", extra=facts(left=len(found.left)))
            troubles.add(device, notices.device_new(words, device))

    async def published(api: "Api", machine: "Machine") -> None:
        nonlocal device
        device = machine.id
        await devices.sign(api, machine)
        _LOG.info("our device is signed", extra=facts(device=device))

    keys = master_key(settings.data).parent
    devices = Devices(keys, password, tell)
    login = Login(choice.user, password, choice.device_name)
    folder = settings.data / "matrix"
    async with client.connect(
        choice.homeserver, login, folder, devices.trust, context=authority(choice), published=published
    ) as platform:
        kept = Kept(folder, Pins(keys), platform.forget)
        async with forgetting.of(kept, platform.account):
            yield platform


async def reset(settings: Settings) -> str:
    """Give our account new cross-signing keys in the place of whatever it has, and return the name of the master key.

    Raises:
        InputError: ``no_platform``; as ``read_secret``, ``authority`` and ``cross_signing.reset``.
        PartError: as ``client.connect`` and ``cross_signing.reset``.
    """
    choice = settings.matrix
    if choice is None:
        raise InputError("no_platform", folder=settings.data)
    password, keys = read_secret(choice.password_file), master_key(settings.data).parent
    devices = Devices(keys, password, lambda _found: None)
    login, folder = Login(choice.user, password, choice.device_name), settings.data / "matrix"
    async with client.connect(
        choice.homeserver, login, folder, devices.trust, context=authority(choice), published=devices.reset
    ) as platform:
        return KeyFile(keys, platform.account).make().public("master")


async def seen(settings: Settings) -> "Seen":
    """Look at our account without taking part.

    Raises:
        InputError: ``no_platform``; as ``read_secret``, ``authority`` and ``looking.look``.
        PartError: as ``looking.look``.
    """
    choice = settings.matrix
    if choice is None:
        raise InputError("no_platform", folder=settings.data)
    read_secret(choice.password_file)
    keys = KeyFile(master_key(settings.data).parent, choice.user)
    return await look(choice.homeserver, settings.data / "matrix", keys, authority(choice))


async def keys_of(settings: Settings, person: str | None) -> "tuple[Listed, str | None]":
    """Return what the server says of the devices of somebody, ourselves for none, and the master key that counts.

    Raises:
        InputError: ``no_platform``, ``identity``; as ``looking.look_at`` and ``KeyFile.read``.
        PartError: as ``looking.look_at``; ``matrix_trust``.
    """
    choice = settings.matrix
    if choice is None:
        raise InputError("no_platform", folder=settings.data)
    keys, wanted = master_key(settings.data).parent, choice.user if person is None else identity.parse(person)
    found = await look_at(choice.homeserver, settings.data / "matrix", wanted, authority(choice))
    if wanted == choice.user:
        own = KeyFile(keys, choice.user).read()
        return found, None if own is None else own.public("master")
    pin = Pins(keys).all().get(wanted)
    return found, None if pin is None else pin.key


def authority(choice: MatrixChoice) -> ssl.SSLContext | None:
    """Return who may vouch for the homeserver; ``None`` leaves it to the system.

    Raises:
        InputError: ``ca_file`` when the certificate cannot be read.
    """
    if choice.ca_file is None:
        return None
    try:
        return ssl.create_default_context(cafile=regular(choice.ca_file))
    except (OSError, ssl.SSLError) as error:
        raise InputError("ca_file", file=choice.ca_file) from error
