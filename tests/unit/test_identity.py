"""Who sits at the command line, and how people are named."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot import identity
from domain.errors import InputError


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("anna", "anna"),
        (" anna ", "anna"),
        ("anna.schmidt-2_x", "anna.schmidt-2_x"),
        ("#1234", "#1234"),
        ("@anna:example.org", "@anna:example.org"),
        ("@anna:[2001:db8::1]:8448", "@anna:[2001:db8::1]:8448"),
        ("6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
        ("{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ],
)
def test_identities_have_one_form(text: str, meant: str) -> None:
    """The three kinds of identity are told apart by their form alone."""
    assert identity.parse(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "a b", "@anna", "anna:example.org", "#", "#x", "ann\x00a", "\u200banna", "x" * 33),
        *("@\ud800:x", "@a\x1b[31m:x", "@a:x\u202e", "@a\u2066b:x", "@a\u200bb:x", "@a:x\x9b"),
    ],
)
def test_what_is_no_identity(text: str) -> None:
    """A display name or anything else is refused."""
    with pytest.raises(InputError) as caught:
        identity.parse(text)
    assert caught.value.key == "identity"


def test_the_environment_cannot_name_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user id decides, not what a variable says."""
    ours = identity.system_user()
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "mallory")
    assert identity.system_user() == ours


def test_a_user_id_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container a user may have no entry; the number itself is the identity then."""
    monkeypatch.setattr(identity.os, "getuid", lambda: 3_999_999)
    assert identity.parse(identity.system_user()) == "#3999999"


def test_only_the_owner_speaks_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not own the data folder acts in their own name only."""
    identity.must_own(tmp_path, "--actor")
    monkeypatch.setattr(identity, "os", SimpleNamespace(getuid=lambda: os.getuid() + 1))
    with pytest.raises(InputError) as caught:
        identity.must_own(tmp_path, "--as")
    assert (caught.value.key, caught.value.values["option"]) == ("not_owner", "--as")
