"""The master key: where it comes from, and how it is made."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from adapters.eventstore.keys import MasterKey, OwnerKind, WrappedOwnerKey
from adapters.eventstore.master_files import load_master_key, make_master_key
from domain.errors import PartError

NO_ENVIRONMENT: dict[str, str] = {}


def mark(key: MasterKey) -> bytes:
    """Something that tells keys apart."""
    return key.first_marking().identity_mac("x")


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    """The file is 0600, nothing else is left in the folder, and the next call returns the same key."""
    file = tmp_path / "master.key"

    made = make_master_key(file, NO_ENVIRONMENT)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["master.key"]
    assert mark(make_master_key(file, NO_ENVIRONMENT)) == mark(made) == mark(load_master_key(file, NO_ENVIRONMENT))


def test_two_folders_have_two_keys(tmp_path: Path) -> None:
    """The key is random."""
    keys = [make_master_key(tmp_path / name, NO_ENVIRONMENT) for name in ("a", "b")]
    assert mark(keys[0]) != mark(keys[1])


def test_making_it_at_once_gives_one_key(tmp_path: Path) -> None:
    """Racing first starts agree."""
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: make_master_key(tmp_path / "master.key", NO_ENVIRONMENT), range(16)))

    assert len({mark(key) for key in keys}) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_the_environment_comes_first(tmp_path: Path) -> None:
    """A key from the environment is used as it is, and no file is made."""
    environment = {"FUNDSTELLE_MASTER_KEY": base64.b64encode(bytes(32)).decode()}

    assert mark(make_master_key(tmp_path / "master.key", environment)) == mark(MasterKey(bytes(32)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, "", "not base64!", base64.b64encode(bytes(31)).decode(), "ü"])
def test_a_missing_or_malformed_key_is_an_error_that_names_the_place(tmp_path: Path, content: str | None) -> None:
    """Never is another key made in place of one that cannot be read."""
    file = tmp_path / "master.key"
    if content is not None:
        file.write_text(content, encoding="utf-8")
        with pytest.raises(PartError, match=r"master_key\(place=.*master\.key\)"):
            make_master_key(file, NO_ENVIRONMENT)
    with pytest.raises(PartError, match=r"master_key\(place=.*master\.key\)"):
        load_master_key(file, NO_ENVIRONMENT)


def test_a_wrapped_key_opens_only_where_it_belongs() -> None:
    """Another master key, owner, kind or id does not open it."""
    master, owner, key_id = MasterKey(bytes(32)), uuid4(), uuid4()
    row = master.new_owner_key(OwnerKind.MANDATE, owner, key_id)
    assert master.opened(row).key_id == key_id

    elsewhere = [
        (MasterKey(bytes(31) + b"\x01"), row),
        (master, WrappedOwnerKey(key_id, OwnerKind.PERSON, owner, row.wrapped)),
        (master, WrappedOwnerKey(key_id, OwnerKind.MANDATE, uuid4(), row.wrapped)),
        (master, WrappedOwnerKey(uuid4(), OwnerKind.MANDATE, owner, row.wrapped)),
        (master, WrappedOwnerKey(key_id, OwnerKind.MANDATE, owner, row.wrapped[:-1] + bytes([row.wrapped[-1] ^ 1]))),
    ]
    for key, moved in elsewhere:
        with pytest.raises(PartError, match="master_key"):
            key.opened(moved)


def test_secrets_do_not_show() -> None:
    """A key in a log or a traceback would be a leak."""
    master = MasterKey(b"s" * 32)
    owner_key = master.opened(master.new_owner_key(OwnerKind.PERSON, uuid4(), uuid4()))
    assert "secret" not in repr(owner_key)
    assert "ssss" not in repr(master)
