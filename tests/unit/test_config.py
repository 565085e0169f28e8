"""Where the data lies, which file configures, and what it may hold."""

from pathlib import Path

import pytest

from bot import config
from domain.errors import InputError


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FUNDSTELLE_DATA", raising=False)


def test_the_option_goes_before_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--data``, then ``$FUNDSTELLE_DATA``, then the platform's folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert config.load(None, None, "de").data == tmp_path / "home" / "fundstelle"
    monkeypatch.setenv("FUNDSTELLE_DATA", str(tmp_path / "variable"))
    assert config.load(None, None, "de").data == tmp_path / "variable"
    assert config.load(tmp_path / "option", None, "de").data == tmp_path / "option"


def test_a_relative_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder does not move when somebody changes the working folder."""
    monkeypatch.chdir(tmp_path)
    assert config.load(Path("data"), None, "de").data == tmp_path / "data"


def test_the_file_in_the_data_folder_counts(tmp_path: Path) -> None:
    """Without ``--config`` the data folder's own file is read, and another one goes before it."""
    (tmp_path / "config.toml").write_text("[postgres]\nurl = 'postgresql://own'\n")
    assert config.load(tmp_path, None, "de").postgres_url == "postgresql://own"
    other = tmp_path / "other.toml"
    other.write_text("[postgres]\nurl = 'postgresql://other'\npassword_file = '/p'\n")
    settings = config.load(tmp_path, other, "de")
    assert (settings.postgres_url, settings.password_file) == ("postgresql://other", Path("/p"))


def test_nothing_configured_is_the_embedded_server(tmp_path: Path) -> None:
    """An empty folder needs no file."""
    settings = config.load(tmp_path, None, "en", "anna")
    assert (settings.postgres_url, settings.language, settings.on_behalf_of) == (None, "en", "anna")


@pytest.mark.parametrize(
    ("content", "key", "name"),
    [
        ("[postgres]\nuri = 'x'", "config_unknown", "postgres.uri"),
        ("[matrix]\nurl = 'x'", "config_unknown", "matrix"),
        ("[postgres]\nurl = 1", "config_type", "postgres.url"),
        ("postgres = 'x'", "config_type", "postgres"),
    ],
)
def test_what_is_unknown_is_named(tmp_path: Path, content: str, key: str, name: str) -> None:
    """A misspelt entry is an error that names it, never silently ignored."""
    file = tmp_path / "config.toml"
    file.write_text(content)
    with pytest.raises(InputError) as caught:
        config.load(tmp_path, None, "de")
    assert caught.value.key == key
    assert caught.value.values["name"] == name
