"""Which models a configuration may name, and what is said of one that is wrong."""

from pathlib import Path

import pytest

from adapters.encoders.openai import OpenAIEncoder
from adapters.encoders.sentence_transformers import SentenceTransformersEncoder, SpladeEncoder
from adapters.formulate.openai import OpenAIFormulator
from adapters.rerank.sentence_transformers import CrossEncoderReranker
from adapters.rerank.vllm import VllmReranker
from bot import config, models
from bot.config import Settings
from bot.model_config import WRITING_TIMEOUT, ModelChoice
from domain.asking.formulation import Extractive
from domain.errors import InputError
from tests.asking_world import World

RERANKER = World().reranker
WRITER = "[models.formulator]\nkind = 'openai'\n"
READER = "[models.reranker]\nkind = 'vllm'\n"
SERVED = "url = 'https://models.example:8000/v1'\nmodel = 'm'\nrevision = '1'\n"
OPEN = SERVED.replace("https:", "http:")


def load(folder: Path, content: str) -> Settings:
    (folder / "config.toml").write_text(content)
    return config.load(folder, None, "de")


def test_without_a_section_no_model_is_named(tmp_path: Path) -> None:
    """Nothing needs to be configured: the program brings one along for each role."""
    settings = load(tmp_path, "")

    assert models.dense_encoder(settings) is None
    assert models.sparse_encoder(settings) is None
    assert models.reranker(settings) is None


def test_each_role_has_its_local_model(tmp_path: Path) -> None:
    """Nothing is loaded before it is used, so a path that does not exist is found by ``doctor`` or a question."""
    section = "[models.{}]\nkind = 'sentence-transformers'\npath = '/models/{}'\n"
    settings = load(tmp_path, "".join(section.format(role, role) for role in ("dense", "sparse", "reranker")))
    encoder = models.dense_encoder(settings)
    reranker = models.reranker(settings)

    assert isinstance(encoder, SentenceTransformersEncoder)
    assert isinstance(models.sparse_encoder(settings), SpladeEncoder)
    assert isinstance(reranker, CrossEncoderReranker)
    assert (encoder.name, reranker.name, reranker.threshold) == ("dense", "reranker", None)


def test_a_served_model_has_all_that_was_named(tmp_path: Path) -> None:
    """Every entry arrives."""
    more = "base = 'acme/b'\nkey_file = '/k'\ntimeout = 5\nca_file = '/c'\n"
    prefixes = "question_prefix = 'q: '\npassage_prefix = 'p: '\n"
    dense = f"[models.dense]\nkind = 'openai'\n{SERVED}{more}{prefixes}"
    settings = load(tmp_path, f"{dense}[models.reranker]\nkind = 'vllm'\n{SERVED}")
    encoder = models.dense_encoder(settings)

    assert settings.models.dense == ModelChoice(
        kind="openai",
        url="https://models.example:8000/v1",
        model="m",
        revision="1",
        base="acme/b",
        key_file=Path("/k"),
        timeout=5,
        ca_file=Path("/c"),
        question_prefix="q: ",
        passage_prefix="p: ",
    )
    assert isinstance(encoder, OpenAIEncoder)
    assert (encoder.name, encoder.version) == ("acme/b", "1")
    assert isinstance(models.reranker(settings), VllmReranker)


def test_the_formulator_quotes_unless_a_server_is_named(tmp_path: Path) -> None:
    """Nothing is written by a model that nobody chose."""
    formulator = models.formulator(load(tmp_path, ""), RERANKER)
    chosen = load(tmp_path, "[models.formulator]\nkind = 'extractive'")

    assert isinstance(formulator, Extractive)
    assert formulator.fingerprint == f"extractive/2/{RERANKER.fingerprint}"
    assert isinstance(models.formulator(chosen, RERANKER), Extractive)


def test_a_served_formulator_has_all_that_was_named(tmp_path: Path) -> None:
    """A model that writes is given more time than one that reads, unless the time is stated."""
    more = "base = 'acme/b'\nkey_file = '/k'\nca_file = '/c'\n"
    settings = load(tmp_path, f"{WRITER}{SERVED}{more}")
    formulator = models.formulator(settings, RERANKER)

    assert settings.models.formulator == ModelChoice(
        kind="openai",
        url="https://models.example:8000/v1",
        model="m",
        revision="1",
        base="acme/b",
        key_file=Path("/k"),
        ca_file=Path("/c"),
        timeout=WRITING_TIMEOUT,
    )
    assert isinstance(formulator, OpenAIFormulator)
    assert formulator.name == "acme/b"
    assert formulator.version.startswith("1, prompt ")
    hasty = load(tmp_path, f"{WRITER}{SERVED}timeout = 5")
    assert hasty.models.formulator.timeout == 5


@pytest.mark.parametrize(
    ("content", "key", "name"),
    [
        ("models = 'x'", "config_type", "models"),
        ("[models]\ndense = 'x'", "config_type", "models.dense"),
        ("[models.dens]\nkind = 'embedded'", "config_unknown", "models.dens"),
        ("[models.dense]\npath = '/m'", "config_value", "models.dense.kind"),
        ("[models.dense]\nkind = ['embedded']", "config_value", "models.dense.kind"),
        ("[models.dense]\nkind = 'vllm'", "config_value", "models.dense.kind"),
        ("[models.sparse]\nkind = 'openai'", "config_value", "models.sparse.kind"),
        ("[models.reranker]\nkind = 'openai'", "config_value", "models.reranker.kind"),
        ("[models.formulator]\nkind = 'embedded'", "config_value", "models.formulator.kind"),
        (f"{WRITER}url = 'http://a'", "config_needs", "models.formulator.model"),
        (f"{WRITER}{SERVED}question_prefix = 'q'", "config_unknown", "models.formulator.question_prefix"),
        (f"{WRITER}{SERVED}ca_file = 1", "config_type", "models.formulator.ca_file"),
        (f"{READER}{SERVED}passage_prefix = 'p'", "config_unknown", "models.reranker.passage_prefix"),
        ("[models.dense]\nkind = 'embedded'\npath = '/m'", "config_unknown", "models.dense.path"),
        ("[models.dense]\nkind = 'sentence-transformers'", "config_needs", "models.dense.path"),
        ("[models.dense]\nkind = 'sentence-transformers'\npath = ''", "config_needs", "models.dense.path"),
        ("[models.dense]\nkind = 'sentence-transformers'\npath = 1", "config_type", "models.dense.path"),
        ("[models.dense]\nkind = 'openai'\nurl = 'http://a'\nmodel = 'm'", "config_needs", "models.dense.revision"),
        (f"[models.reranker]\nkind = 'vllm'\n{SERVED}timeouts = 1", "config_unknown", "models.reranker.timeouts"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = '5'", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = nan", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = inf", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = {'9' * 400}", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = 0", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}timeout = true", "config_value", "models.dense.timeout"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}key_file = 1", "config_type", "models.dense.key_file"),
        (f"[models.dense]\nkind = 'openai'\n{OPEN}key_file = '/k'", "config_secret", "models.dense.url"),
        (f"[models.dense]\nkind = 'openai'\n{SERVED}ca_file = 1", "config_type", "models.dense.ca_file"),
        (f"[models.dense]\nkind = 'openai'\n{OPEN}ca_file = '/c'", "config_value", "models.dense.url"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, content: str, key: str, name: str) -> None:
    """A misspelt or missing entry is an error that names it."""
    with pytest.raises(InputError) as caught:
        load(tmp_path, content)

    assert (caught.value.key, caught.value.values["name"]) == (key, name)


def test_a_key_may_go_in_the_clear_to_this_machine(tmp_path: Path) -> None:
    """A server beside the program needs no certificate."""
    served = "url = 'http://127.0.0.1:8000'\nmodel = 'm'\nrevision = '1'\nkey_file = '/k'"
    assert load(tmp_path, f"[models.dense]\nkind = 'openai'\n{served}").models.dense.key_file == Path("/k")


@pytest.mark.parametrize(
    "url",
    ["models:8000", "ftp://a", "http://", "https://name:secret@a", "http://a?key=1", "http://a#b", "http://a:x", "http://["],
)  # fmt: skip
def test_an_address_is_a_server_and_nothing_more(tmp_path: Path, url: str) -> None:
    """Above all no secret, which would stand in the open; and the error does not repeat it."""
    with pytest.raises(InputError) as caught:
        load(tmp_path, f"[models.dense]\nkind = 'openai'\nurl = '{url}'\nmodel = 'm'\nrevision = '1'")

    assert (caught.value.key, caught.value.values["name"]) == ("config_value", "models.dense.url")
    assert "secret" not in str(caught.value)
