"""The stack in containers: a valid file that says what our configuration says, and each rule for it can fail."""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.stack import Stack, read_yaml
from tests.stack_rules import TELEMETRY, closed, faults, powerless, published

GONE = object()
STACK = Stack.of_the_repository()


def changed(path: Sequence[str], value: object) -> Stack:
    """The stack with another value at ``path``, or without one."""
    stack = copy.deepcopy(STACK)
    place: Any = stack.compose
    for name in path[:-1]:
        place = place[name]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return stack


def rewritten(file: str, old: str, new: str) -> Stack:
    """The stack with other words in one of its files."""
    text = STACK.files[file]
    assert old in text
    return Stack(STACK.compose, {**STACK.files, file: text.replace(old, new)})


def test_nothing_is_broken(tmp_path: Path) -> None:
    """The file in the repository keeps every rule."""
    assert faults(STACK, tmp_path) == []


@pytest.mark.parametrize("service", list(STACK.services))
@pytest.mark.parametrize(
    ("entry", "value", "found"),
    [
        ("image", "postgres", "tag"),
        ("image", "postgres:latest", "tag"),
        ("image", "postgres:18", "tag"),
        ("image", GONE, "tag"),
        ("user", GONE, "user"),
        ("user", "0:0", "user"),
        ("user", "root", "user"),
        ("healthcheck", GONE, "healthcheck"),
        ("privileged", True, "privileged"),
        ("cap_add", ["SYS_ADMIN"], "privileged"),
        ("devices", ["/dev/sda:/dev/sda"], "privileged"),
        ("cap_drop", GONE, "rights"),
        ("security_opt", GONE, "rights"),
        ("security_opt", ["seccomp:unconfined"], "rights"),
        ("network_mode", "host", "namespace"),
        ("pid", "host", "namespace"),
        ("ipc", "host", "namespace"),
        ("volumes", ["/var/run/docker.sock:/var/run/docker.sock"], "engine"),
        ("environment", {"POSTGRES_PASSWORD": "x"}, "secret in the environment"),
        ("environment", {"VLLM_API_KEY": "x"}, "secret in the environment"),
        ("ports", ["8080:8080"], "published beyond this machine"),
        ("ports", ["0.0.0.0:8080:8080"], "published beyond this machine"),
        ("networks", GONE, "way out"),
    ],
)
def test_a_service_that_is_open_is_found(service: str, entry: str, value: object, found: str, tmp_path: Path) -> None:
    """Whichever service it is, and whatever is taken out or let in."""
    stack = changed(["services", service, entry], value)
    assert f"{service}: {found}" in [one for rule in (closed, powerless, published) for one in rule(stack, tmp_path)]


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("services.bot.healthchek", {}, "schema"),
        ("services.bot.depends_on.postgres.condition", "healthy", "schema"),
        ("services.postgres.healthcheck.interval", "5 seconds", "schema"),
        ("services.postgres.healthcheck.test", ["RUN", "true"], "schema"),
        ("services.synapse.ports", ["127.0.0.1:99999:8008"], "schema"),
        ("services.vllm.deploy.resources.reservations.devices", [{"driver": "nvidia", "count": 1}], "schema"),
        ("secrets.vllm_key", GONE, "schema"),
        ("configs.fundstelle", GONE, "schema"),
        ("volumes.fundstelle", GONE, "schema"),
        ("networks.search", GONE, "schema"),
        ("secretz", {}, "schema"),
        ("services.postgres.read_only", GONE, "postgres: read_only"),
        ("services.bot.read_only", False, "bot: read_only"),
        ("services.postgres.ports", ["127.0.0.1:5432:5432"], "postgres: published"),
        ("services.bot.networks", ["database", "models", "search", "chat", "published"], "bot: way out"),
        ("networks.database", {}, "postgres: way out"),
        ("services.init.restart", "always", "init: healthcheck"),
        ("volumes.other", {}, "volumes: other is not used"),
        ("secrets.other", {"file": "secrets/other"}, "secrets: other is not used"),
        ("secrets.vllm_key", {"file": "docs/vllm.key"}, "secrets: vllm_key is not made"),
        ("secrets.vllm_key", {"environment": "VLLM_KEY"}, "secrets: vllm_key is not made"),
        ("configs.synapse.file", "docs/stack/other.yaml", "configs: synapse is not there"),
        *[(f"services.vllm.environment.{name}", GONE, f"vllm: {name}") for name in TELEMETRY],
        *[(f"services.vllm-cpu.environment.{name}", "0", f"vllm-cpu: {name}") for name in TELEMETRY],
        ("services.vllm.volumes", ["./models:/models"], "vllm: models can be written"),
        ("services.vllm.profiles", GONE, "vllm: profile"),
        ("services.vllm-cpu.entrypoint", ["vllm", "serve", "/models/writer"], "vllm-cpu: no key"),
        ("services.vllm-cpu.entrypoint", ["vllm", "serve", "/models/writer"], "vllm-cpu: another command"),
        ("services.vllm.deploy", GONE, "vllm: device"),
        ("services.vllm-cpu.networks.models", None, "config: one variant of vllm under another name"),
        ("services.vllm-cpu.networks.models", {"aliases": ["opensearch"]}, "config: vllm-cpu does not listen at 9200"),
        ("services.opensearch.networks", ["published"], "config: nobody answers to opensearch"),
        ("services.postgres.environment.POSTGRES_USER", "fundstelle", "config: database"),
        ("services.postgres.environment.POSTGRES_DB", "other", "config: database"),
        ("services.postgres.environment.POSTGRES_PASSWORD_FILE", "/run/secrets/x", "config: another password"),
        ("services.opensearch.secrets", ["opensearch_certificate"], "config: another secret than that of opensearch"),
        ("services.vllm.secrets", ["authority"], "config: another secret than that of vllm"),
        (
            "services.bot.secrets",
            ["authority", "postgres_password", "vllm_key"],
            "bot: /run/secrets/opensearch_password",
        ),
        ("services.bot.depends_on.opensearch", GONE, "bot: does not wait for opensearch"),
        ("services.bot.depends_on.postgres.condition", "service_started", "bot: does not wait for postgres"),
        ("services.bot.depends_on.vllm", GONE, "bot: does not wait for vllm"),
        ("services.bot.depends_on.init", GONE, "bot: does not wait for init"),
        ("services.bot.configs", GONE, "bot: config"),
        ("services.bot.volumes", GONE, "bot: nowhere to write"),
        ("services.init.tmpfs", GONE, "init: nowhere to write"),
        ("services.init.image", "fundstelle:0.0.9", "init: another image"),
        ("services.bot.profiles", GONE, "bot: serves without an account"),
        ("services.bot.depends_on.synapse", GONE, "bot: does not wait for synapse"),
        ("services.synapse.secrets", ["synapse_registration"], "synapse: certificate"),
        ("services.synapse.ports", ["127.0.0.1:8448:8448"], "synapse: port"),
        ("services.synapse.secrets", [], "synapse: secret"),
        ("services.synapse.volumes", ["synapse:/var/data"], "synapse: not kept"),
    ],
)
def test_a_broken_file_is_found(path: str, value: object, found: str, tmp_path: Path) -> None:
    """Each property taken out, or turned into another, is named."""
    assert found in str(faults(changed(path.split("."), value), tmp_path))


@pytest.mark.parametrize(
    ("file", "old", "new", "found"),
    [
        ("fundstelle.toml", "[search]", "[serach]", "config: config_unknown serach"),
        ("fundstelle.toml", "key_file", "password_file", "config: config_unknown models.formulator.password_file"),
        ("fundstelle.toml", "https://vllm", "http://vllm", "config: config_value models.formulator.url"),
        ("fundstelle.toml", "https://opensearch", "http://opensearch", "config: config_secret search.url"),
        ("fundstelle.toml", "@postgres:5432", "@database:5432", "config: nobody answers to database"),
        ("fundstelle.toml", "@postgres:5432", "@postgres:5433", "config: postgres does not listen at 5433"),
        ("fundstelle.toml", "vllm:8000", "vllm:8001", "config: vllm does not listen at 8001"),
        ("fundstelle.toml", "vllm:8000", "vllm-cpu:8000", "config: no certificate for vllm-cpu"),
        ("fundstelle.toml", "opensearch:9200", "opensearch:9300", "config: opensearch does not listen at 9300"),
        ("fundstelle.toml", "https://synapse:8448", "https://synapse:8008", "config: synapse does not listen at 8008"),
        ("fundstelle.toml", "https://synapse:8448", "http://synapse:8008", "config: config_value matrix.homeserver"),
        ("fundstelle.toml", "[matrix]", "[journal]", "config: config_unknown journal.homeserver"),
        ("fundstelle.toml", "matrix_password", "matrix", "bot: /run/secrets/matrix is no secret of it"),
        ("secrets.sh", "certificate synapse", "", "config: no certificate for synapse"),
        ("homeserver.yaml", "synapse_certificate_key", "other", "synapse: certificate"),
        ("fundstelle.toml", '"writer"', '"editor"', "config: model"),
        ("fundstelle.toml", "/models/writer", "/models/other", "config: base"),
        ("fundstelle.toml", "fundstelle_owner@", "postgres@", "config: database"),
        ("fundstelle.toml", "/run/secrets/vllm_key", "/run/secrets/vllm", "bot: /run/secrets/vllm is no secret of it"),
        ("fundstelle.toml", "secrets/postgres_password", "secrets/opensearch_password", "config: another password"),
        ("secrets.sh", "certificate vllm", "", "config: no certificate for vllm"),
        ("secrets.sh", "random vllm.key", "random vllm.token", "secrets: vllm_key is not made"),
        ("Dockerfile", "python:3.11.14-slim-bookworm", "python:latest", "Dockerfile: tag"),
        ("Dockerfile", "USER 1000:1000", "USER root", "Dockerfile: user"),
        ("Dockerfile", "--require-hashes", "--quiet", "Dockerfile: hashes"),
        ("Dockerfile", "HEALTHCHECK", "# HEALTHCHECK", "Dockerfile: healthcheck"),
        ("Dockerfile", "COPY bot", "COPY tests", "Dockerfile: files"),
        ("Dockerfile", "--no-cache-dir", "--index-url https://example.org", "Dockerfile: a host"),
        ("synapse.Dockerfile", ":v1.163.2", "", "synapse.Dockerfile: tag"),
        ("synapse.Dockerfile", "USER 1000:1000", "", "synapse.Dockerfile: user"),
        ("homeserver.yaml", "names: [client]", "names: [client, federation]", "synapse: federation"),
        ("homeserver.yaml", "federation_domain_whitelist: []", "", "synapse: federation"),
        ("homeserver.yaml", "report_stats: false", "report_stats: true", "synapse: stats"),
        ("homeserver.yaml", "enable_registration: false", "enable_registration: true", "synapse: registration"),
        ("homeserver.yaml", "synapse_registration", "other", "synapse: secret"),
        ("homeserver.yaml", "port: 8008", "port: 8009", "synapse: port"),
        ("homeserver.yaml", "/data/media", "/media", "synapse: not kept"),
    ],
)
def test_a_broken_file_beside_it_is_found(file: str, old: str, new: str, found: str, tmp_path: Path) -> None:
    """What is mounted or built cannot drift away from the services either."""
    assert found in str(faults(rewritten(file, old, new), tmp_path))


def test_nothing_is_said_twice() -> None:
    """A second entry of the same name, of which YAML keeps one without a word, is refused."""
    with pytest.raises(yaml.YAMLError, match="said twice"):
        read_yaml("services:\n  bot: {image: 'a:1.0.0', image: 'b:1.0.0'}\n")


def test_every_library_in_the_image_has_its_hash() -> None:
    """The file that the image installs names a version and a hash for each entry, and no host."""
    text = (Path(__file__).parents[2] / "requirements" / "stack.txt").read_text("utf-8")
    entries = [
        entry for entry in text.replace("\\\n", " ").splitlines() if entry and not entry.lstrip().startswith("#")
    ]
    assert len(entries) > 30
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
