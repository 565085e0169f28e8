"""The sections of ``serve``: our account, who may call us, where we tell how we are, and files with secrets."""

from pathlib import Path

import pytest

from bot import config
from bot.matrix_config import MatrixChoice
from bot.secret_files import read_secret
from bot.serve_config import ServeChoice
from domain.errors import InputError

NEEDED = (
    '[matrix]\nhomeserver = "https://matrix.example.org/"\nuser = "@bot:example.org"\npassword_file = "/p"\n'
    'inviters = ["@anna:example.org"]\n'
)


def loaded(folder: Path, content: str) -> config.Settings:
    (folder / "config.toml").write_text(content, encoding="utf-8")
    return config.load(folder, None, "de")


def refused(folder: Path, content: str) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        loaded(folder, content)
    return caught.value.key, caught.value.values["name"]


def test_without_a_section_there_is_no_platform(tmp_path: Path) -> None:
    """And health is told to this machine alone."""
    settings = loaded(tmp_path, "")
    assert settings.matrix is None
    assert settings.serve == ServeChoice("127.0.0.1", 9464)


def test_an_account_with_all_entries(tmp_path: Path) -> None:
    """What is needed, and what is not said has its default."""
    least = MatrixChoice("https://matrix.example.org", "@bot:example.org", Path("/p"), inviters=("@anna:example.org",))
    assert loaded(tmp_path, NEEDED).matrix == least
    more = (
        'servers = ["example.org", "b.example:8448"]\ntell = ["@ops:example.org"]\ndevice_name = "F"\nca_file = "/c"\n'
        "trust_homeserver = true\n"
    )
    assert loaded(tmp_path, NEEDED + more).matrix == MatrixChoice(
        "https://matrix.example.org",
        "@bot:example.org",
        Path("/p"),
        ("@anna:example.org",),
        ("example.org", "b.example:8448"),
        ("@ops:example.org",),
        "F",
        Path("/c"),
        trust_homeserver=True,
    )


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("homeserver", "server", ("config_unknown", "matrix.server")),
        ('user = "@bot:example.org"', "", ("config_needs", "matrix.user")),
        ('password_file = "/p"', "", ("config_needs", "matrix.password_file")),
        ('inviters = ["@anna:example.org"]', "", ("config_guests", "matrix.inviters")),
        ('inviters = ["@anna:example.org"]', 'inviters = "@anna:example.org"', ("config_type", "matrix.inviters")),
        ("@anna:example.org", "anna", ("config_value", "matrix.inviters")),
        ("@bot:example.org", "bot", ("config_value", "matrix.user")),
        ('user = "@bot:example.org"', "user = 1", ("config_type", "matrix.user")),
        ("https://matrix.example.org/", "matrix.example.org", ("config_value", "matrix.homeserver")),
        ("https://matrix.example.org/", "https://a:b@example.org", ("config_value", "matrix.homeserver")),
        ("https://", "http://", ("config_secret", "matrix.homeserver")),
        ("[matrix]", '[matrix]\nservers = ["https://example.org"]', ("config_value", "matrix.servers")),
        ("[matrix]", '[matrix]\ntrust_homeserver = "true"', ("config_type", "matrix.trust_homeserver")),
        ("[matrix]", '[matrix]\ntell = ["ops"]', ("config_value", "matrix.tell")),
        ("[matrix]", '[serve]\nlisten = "9464"\n[matrix]', ("config_value", "serve.listen")),
        ("[matrix]", '[serve]\nlisten = "http://x:1"\n[matrix]', ("config_value", "serve.listen")),
        ("[matrix]", "[serve]\nlisten = 9464\n[matrix]", ("config_type", "serve.listen")),
        ("[matrix]", '[journal]\nroom = "#alias:example.org"\n[matrix]', ("config_value", "journal.room")),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, old: str, new: str, found: tuple[str, str]) -> None:
    """A misspelt, missing or impossible entry is an error that names it."""
    assert refused(tmp_path, NEEDED.replace(old, new, 1)) == found


def test_a_section_that_is_none(tmp_path: Path) -> None:
    """A value in the place of a section is no section; a room needs a platform."""
    assert refused(tmp_path, 'matrix = "x"') == ("config_type", "matrix")
    assert refused(tmp_path, 'serve = "x"') == ("config_type", "serve")
    assert refused(tmp_path, '[journal]\nroom = "!r:example.org"') == ("config_value", "journal.room")


def test_a_homeserver_on_this_machine_needs_no_tls(tmp_path: Path) -> None:
    """Nobody is on the way."""
    settings = loaded(tmp_path, NEEDED.replace("https://matrix.example.org/", "http://127.0.0.1:8008"))
    assert settings.matrix is not None
    assert settings.matrix.homeserver == "http://127.0.0.1:8008"


def test_where_health_is_told(tmp_path: Path) -> None:
    """Any address of this machine, in both families; port 0 is one that is free."""
    assert loaded(tmp_path, '[serve]\nlisten = "[::1]:0"').serve == ServeChoice("::1", 0)
    assert loaded(tmp_path, '[serve]\nlisten = "0.0.0.0:80"').serve == ServeChoice("0.0.0.0", 80)  # noqa: S104


def test_a_secret_is_read_by_us_alone(tmp_path: Path) -> None:
    """Open to others, empty or missing: an error; a line break at the end is no part of it."""
    file = tmp_path / "password"
    file.write_text("geheim\n")
    file.chmod(0o600)
    assert read_secret(file) == "geheim"
    file.chmod(0o640)
    with pytest.raises(InputError, match="secret_open"):
        read_secret(file)
    file.write_text("\n")
    file.chmod(0o600)
    with pytest.raises(InputError, match="password_file"):
        read_secret(file)
    with pytest.raises(InputError, match="password_file"):
        read_secret(tmp_path / "missing")
