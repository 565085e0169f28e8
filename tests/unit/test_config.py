"""Where the data lies, which file configures, and what it may hold."""

from pathlib import Path

import pytest

from bot import config
from bot.search_config import SearchChoice
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
        ("[teams]\nurl = 'x'", "config_unknown", "teams"),
        ("[postgres]\nurl = 1", "config_type", "postgres.url"),
        ("postgres = 'x'", "config_type", "postgres"),
        ("search = 'x'", "config_type", "search"),
        ("[search]\nhost = 'x'", "config_unknown", "search.host"),
        ("[search]\nlexical = 'lucene'", "config_value", "search.lexical"),
        ("[search]\nlexical = 1", "config_type", "search.lexical"),
        ("[search]\nlexical = 'opensearch'", "config_needs", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = []", "config_needs", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = [1]", "config_type", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = 'search.example:9200'", "config_value", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = 'https://a:b@search.example'", "config_value", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = 'https://a'\nuser = 'u'", "config_needs", "search.password_file"),
        ("[search]\nlexical = 'opensearch'\nurl = 'https://a'\nprefix = '*'", "config_value", "search.prefix"),
        ("[search]\nurl = 'https://a'", "config_needs", "search.lexical"),
        ("[search]\nlexical = 'opensearch'\nurl = 'http://localhost'\nca_file = '/c'", "config_value", "search.url"),
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


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("[postgres]\npassword_file = '/p\\u0000'", "postgres.password_file"),
        ("[postgres]\nurl = 'postgresql://db\\r\\nX: y'", "postgres.url"),
        ("[search]\nlexical = 'opensearch'\nurl = ['https://a', 'https://b\\u202e']", "search.url"),
        ("[search]\nlexical = 'opensearch'\nurl = 'https://a'\nuser = '\\u001b[31mu'", "search.user"),
        ("[models.dense]\nkind = 'sentence-transformers'\npath = '/m\\u200b'", "models.dense.path"),
        ("[models.judge]\nkind = 'openai'\nmodel = 'a\\u0007'", "models.judge.model"),
        ("[models.dense]\nquestion_prefix = 'a\\u0000'", "models.dense.question_prefix"),
    ],
)
def test_what_nobody_sees_is_no_part_of_a_value(tmp_path: Path, content: str, name: str) -> None:
    """A character that acts on a terminal, ends a path or hides is refused wherever it stands, and the entry named."""
    (tmp_path / "config.toml").write_text(content.replace("'", '"'), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        config.load(tmp_path, None, "de")
    assert (caught.value.key, caught.value.values["name"]) == ("config_characters", name)


def test_a_model_may_want_an_instruction_of_two_lines(tmp_path: Path) -> None:
    """What is read before a text may hold line breaks."""
    (tmp_path / "config.toml").write_text(
        '[models.dense]\nkind = "openai"\nurl = "http://localhost"\nmodel = "m"\nrevision = "1"\n'
        'question_prefix = "Instruct: find\\nQuery: "\n',
        encoding="utf-8",
    )
    assert config.load(tmp_path, None, "de").models.dense.question_prefix == "Instruct: find\nQuery: "


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[models.judge]\ntimeout = " + b"9" * 5_000, "ValueError"),
        (b"[search]\nurl = " + b"[" * 50_000, "RecursionError"),
        (b"[search]\nurl = '\xff'", "UTF-8"),
    ],
)
def test_what_the_parser_trips_over_is_no_toml(tmp_path: Path, content: bytes, reason: str) -> None:
    """Numbers without end, nesting without end and other encodings are errors of the file."""
    (tmp_path / "config.toml").write_bytes(content)
    with pytest.raises(InputError) as caught:
        config.load(tmp_path, None, "de")
    assert (caught.value.key, caught.value.values["reason"]) == ("config_broken", reason)


def test_a_mark_of_the_byte_order_is_no_part_of_the_file(tmp_path: Path) -> None:
    """Editors of Windows put it in front."""
    (tmp_path / "config.toml").write_bytes(b"\xef\xbb\xbf[postgres]\nurl = 'postgresql://own'\n")
    assert config.load(tmp_path, None, "de").postgres_url == "postgresql://own"


def test_a_cluster_of_several_nodes(tmp_path: Path) -> None:
    """One address or several; what is not said has its default."""
    file = tmp_path / "config.toml"
    assert config.load(tmp_path, None, "de").search.lexical == "tantivy"
    file.write_text("[search]\nlexical = 'opensearch'\nurl = 'http://127.0.0.1:9200'\n")
    assert config.load(tmp_path, None, "de").search == SearchChoice("opensearch", ("http://127.0.0.1:9200",))
    file.write_text(
        "[search]\nlexical = 'opensearch'\nurl = ['https://a:9200', 'https://b:9200']\n"
        "user = 'u'\npassword_file = '/p'\nca_file = '/c'\nprefix = 'acme'\n"
    )
    chosen = SearchChoice("opensearch", ("https://a:9200", "https://b:9200"), "u", Path("/p"), Path("/c"), "acme")
    assert config.load(tmp_path, None, "de").search == chosen


def test_a_password_never_travels_in_the_clear(tmp_path: Path) -> None:
    """Without TLS a password goes to this machine only."""
    start = "[search]\nlexical = 'opensearch'\nuser = 'u'\npassword_file = '/p'\n"
    file = tmp_path / "config.toml"
    file.write_text(f"{start}url = 'http://127.0.0.1:9200'\n")
    assert config.load(tmp_path, None, "de").search.user == "u"
    file.write_text(f"{start}url = ['https://a:9200', 'http://b:9200']\n")
    with pytest.raises(InputError) as caught:
        config.load(tmp_path, None, "de")
    assert (caught.value.key, caught.value.values["name"]) == ("config_secret", "search.url")
