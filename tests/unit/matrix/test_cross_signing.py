"""Our device is signed at each start; nothing is taken over that is not ours."""

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.cross_signing import Started, reset, start
from bot.matrix.cross_signing_keys import CrossSigningKeys, KeyFile
from bot.matrix.signatures import is_signed, key_id
from domain.errors import FundstelleError, InputError, PartError
from tests.unit.matrix.own_server import PASSWORD, USER, Device, LyingServer, OwnServer


@pytest.fixture
def files(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path, USER)


async def test_the_first_start_makes_keys_and_signs_the_device(files: KeyFile) -> None:
    """The account gets three keys, the master key vouches for two of them, and one of those for the device."""
    device = Device("EINS")
    server = OwnServer(device)
    assert await start(server.call, files, device, PASSWORD) == Started(new_identity=True)
    keys = files.read()
    assert keys is not None
    master, ours = keys.public("master"), keys.public("self_signing")
    assert is_signed(server.published["self_signing_key"], USER, master, master)
    assert is_signed(server.published["user_signing_key"], USER, master, master)
    assert is_signed(server.devices["EINS"], USER, ours, ours)
    assert is_signed(server.devices["EINS"], USER, "EINS", device.ed25519)
    assert is_signed(server.published["master_key"], USER, "EINS", device.ed25519)


async def test_a_second_start_writes_nothing(files: KeyFile) -> None:
    """A start that finds all in order changes nothing on the server."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    server.writes.clear()
    assert await start(server.call, files, device, PASSWORD) == Started()
    assert server.writes == []


@pytest.mark.parametrize("lost", ["self_signing_key", "user_signing_key"])
async def test_a_key_that_is_missing_on_the_server_is_put_back(files: KeyFile, lost: str) -> None:
    """Where the master key is ours, the others are repaired with the same keys as before."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    before = server.published.pop(lost)
    await start(server.call, files, device, PASSWORD)
    assert server.published[lost] == before


async def test_a_signature_that_is_missing_is_put_back_alone(files: KeyFile) -> None:
    """A device that has lost its signature is signed again without touching the keys of the account."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    server.devices["EINS"] = device.keys()
    server.writes.clear()
    await start(server.call, files, device, PASSWORD)
    assert server.writes == ["keys/signatures/upload"]


async def test_a_lost_store_makes_a_new_device_of_the_same_account_and_says_so(files: KeyFile) -> None:
    """The same keys sign the new device, the former one is logged out, and the start tells both."""
    old, new = Device("ALT"), Device("NEU")
    server = OwnServer(old)
    await start(server.call, files, old, PASSWORD)
    server.devices["NEU"] = new.keys()
    assert await start(server.call, files, new, PASSWORD) == Started(new_device=True, logged_out=("ALT",))
    assert list(server.devices) == ["NEU"]


async def test_without_a_password_the_former_device_is_left_and_named(files: KeyFile) -> None:
    """A server that wants a password we do not have is no reason not to start."""
    old, new = Device("ALT"), Device("NEU")
    server = OwnServer(old)
    await start(server.call, files, old, None)
    server.devices["NEU"] = new.keys()
    assert await start(server.call, files, new, None) == Started(new_device=True, left=("ALT",))


async def test_a_device_that_we_have_not_signed_is_left_alone(files: KeyFile) -> None:
    """Somebody else's session on the account is not ours to end."""
    other, new = Device("FREMD"), Device("NEU")
    server = OwnServer(other, new)
    await start(server.call, files, new, PASSWORD)
    assert set(server.devices) == {"FREMD", "NEU"}


async def test_keys_of_somebody_else_are_not_replaced(files: KeyFile, tmp_path: Path) -> None:
    """An account whose master key is not ours stops the start, and nothing is written."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    (tmp_path / "fremd").mkdir()
    foreign = KeyFile(tmp_path / "fremd", USER)
    foreign.make()
    server.writes.clear()
    with pytest.raises(InputError, match="matrix_keys_foreign"):
        await start(server.call, foreign, device, PASSWORD)
    assert server.writes == []


async def test_lost_keys_are_not_made_anew_without_being_asked(files: KeyFile) -> None:
    """An account that has keys, whose file is gone, stops the start; no new file is made."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    files.path.unlink()
    with pytest.raises(InputError, match="matrix_keys_lost"):
        await start(server.call, files, device, PASSWORD)
    assert not files.path.exists()


async def test_a_reset_makes_a_new_identity(files: KeyFile) -> None:
    """An administrator puts new keys in the place of lost ones, and the next start is in order."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    before = server.published["master_key"]
    files.path.unlink()
    await reset(server.call, files, device, PASSWORD)
    assert server.published["master_key"]["keys"] != before["keys"]
    assert await start(server.call, files, device, PASSWORD) == Started()


async def test_a_reset_needs_the_password(files: KeyFile) -> None:
    """With a wrong password nothing changes, on the server or in the file."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    before = files.path.read_bytes()
    with pytest.raises(InputError, match="matrix_password"):
        await reset(server.call, files, device, "falsch")
    assert files.path.read_bytes() == before
    assert await start(server.call, files, device, PASSWORD) == Started()


async def test_a_reset_that_was_broken_off_is_taken_up(files: KeyFile) -> None:
    """When the server has the new keys and the file has not, the next start puts them in place."""
    device = Device("EINS")
    server = OwnServer(device)
    await start(server.call, files, device, PASSWORD)
    coming = files.prepare()
    server.published = {f"{usage}_key": coming.published(usage) for usage in ("master", "self_signing", "user_signing")}
    await start(server.call, files, device, PASSWORD)
    assert files.path.read_bytes() == bytes(coming)
    assert files.read_next() is None


async def test_a_server_that_names_another_device_than_ours_stops_the_start(files: KeyFile) -> None:
    """Keys that the server has put in the place of ours are not signed."""
    device = Device("EINS")
    server = OwnServer(Device("EINS"))
    with pytest.raises(InputError, match="matrix_device_keys"):
        await start(server.call, files, device, PASSWORD)
    assert "keys/signatures/upload" not in server.writes


async def test_nothing_is_signed_that_the_device_has_not_signed_itself(files: KeyFile) -> None:
    """A server that adds something to what our device has said does not get our signature below it."""
    device = Device("EINS")
    server = OwnServer(device)
    server.devices["EINS"]["algorithms"].append("m.none")
    with pytest.raises(InputError, match="matrix_device_keys"):
        await start(server.call, files, device, PASSWORD)
    assert "keys/signatures/upload" not in server.writes


_KEYS, _DEVICE = CrossSigningKeys.make(USER), Device("EINS")


@given(st.data())
async def test_whatever_a_server_says_of_our_account_is_no_accident(data: st.DataObject) -> None:
    """A start ends well or with an error of ours; what it signs is our device as it is, with our keys as they are."""
    server = OwnServer(_DEVICE)
    with tempfile.TemporaryDirectory() as folder:
        files = KeyFile(Path(folder), USER)
        files.path.write_bytes(bytes(_KEYS))
        files.path.chmod(0o600)
        await start(server.call, files, _DEVICE, PASSWORD)
        lying = LyingServer(server, data)
        with suppress(FundstelleError):
            await start(lying.call, files, _DEVICE, PASSWORD)
        assert files.path.read_bytes() == bytes(_KEYS)
    for signed in lying.signed:
        assert signed in (_KEYS.vouched(_DEVICE.keys()), _signed_by(_DEVICE, _KEYS.published("master")))


def _signed_by(device: Device, value: dict[str, object]) -> dict[str, object]:
    return {**value, "signatures": {USER: {key_id(device.id): device.sign(value)}}}


def test_keys_that_others_can_read_are_refused(files: KeyFile) -> None:
    """A key file that is open to others is not used."""
    files.make()
    files.path.chmod(0o640)
    with pytest.raises(InputError, match="matrix_keys_open"):
        files.read()


def test_keys_of_another_account_are_refused(files: KeyFile, tmp_path: Path) -> None:
    """A file that was copied from elsewhere is not used."""
    files.make()
    with pytest.raises(InputError, match="matrix_keys_account"):
        KeyFile(tmp_path, "@andere:kanzlei.example").read()


@pytest.mark.parametrize(
    "written", [b"", b"[]", b"{}", b'{"user": "@fundstelle:kanzlei.example"}', b"\xff", b"[" * 9999]
)
def test_a_damaged_file_is_an_error_that_names_it(files: KeyFile, written: bytes) -> None:
    """Whatever stands in the file, it is keys or an error that says where."""
    files.make()
    files.path.write_bytes(written)
    with pytest.raises(PartError, match="matrix_keys_damaged"):
        files.read()


def test_keys_are_made_once_and_for_their_owner_alone(files: KeyFile) -> None:
    """Making keys where there are some returns those; nobody else can read them, and no copy is shown."""
    keys = files.make()
    assert bytes(files.make()) == bytes(keys)
    assert files.path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in files.path.parent.iterdir()] == [files.path.name]
    assert "Ed25519" not in repr(keys)
    assert bytes(CrossSigningKeys.of(bytes(keys))) == bytes(keys)
