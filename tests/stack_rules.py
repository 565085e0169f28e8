"""What must hold of the stack in containers; each rule tells what it found broken."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

import compose_spec

from bot.config import Settings
from domain.errors import InputError
from tests.stack import FOLDER, ROOT, Stack

OURS: Final = ("bot", "init")
TELEMETRY: Final = {
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
PINNED: Final = re.compile(r"[a-z0-9./-]+:v?\d+\.\d+\.\d+[a-z0-9.-]*")
_NORMAL: Final = re.compile(r"[1-9]\d*:[1-9]\d*")
_SECRET_NAME: Final = re.compile(r"(PASSWORD|SECRET|TOKEN|KEY)$")
_ANSWERS_AT: Final = {"postgres": 5432, "opensearch": 9200}
"""Ports that images listen on by themselves; those of the others stand in our files."""

Rule = Callable[[Stack, Path], Iterator[str]]


def schema(stack: Stack, _folder: Path) -> Iterator[str]:
    """The file is one of the Compose specification, and what it refers to is declared."""
    try:
        found = compose_spec.PyCompose.from_json(json.dumps(stack.compose))
        found.validate()
        found.to_spec()
    except ValueError as error:
        yield f"schema: {error}"


def closed(stack: Stack, _folder: Path) -> Iterator[str]:
    """Pinned, watched, a normal user, a root that is read-only, and no secret in the environment."""
    for name, service in stack.services.items():
        if not PINNED.fullmatch(service.get("image", "")):
            yield f"{name}: tag"
        if not _NORMAL.fullmatch(str(service.get("user", ""))):
            yield f"{name}: user"
        check = service.get("healthcheck", {})
        if "test" not in check and not (check.get("disable") and stack.is_one_shot(name)):
            yield f"{name}: healthcheck"
        if name != "opensearch" and service.get("read_only") is not True:  # its image writes its own configuration
            yield f"{name}: read_only"
        if any(map(_SECRET_NAME.search, service.get("environment", {}))):
            yield f"{name}: secret in the environment"


def powerless(stack: Stack, _folder: Path) -> Iterator[str]:
    """No rights beyond those of any process, and nothing of the machine inside."""
    for name, service in stack.services.items():
        if service.get("privileged") or service.get("cap_add") or service.get("devices"):
            yield f"{name}: privileged"
        if service.get("cap_drop") != ["ALL"] or service.get("security_opt") != ["no-new-privileges:true"]:
            yield f"{name}: rights"
        if any(service.get(of) for of in ("network_mode", "pid", "ipc", "userns_mode", "uts")):
            yield f"{name}: namespace"
        if "docker.sock" in str(service.get("volumes", "")):
            yield f"{name}: engine"


def published(stack: Stack, _folder: Path) -> Iterator[str]:
    """Only Synapse is published, to this machine alone, and nothing else has a way out."""
    outside = {name for name, network in stack.compose["networks"].items() if not (network or {}).get("internal")}
    for name, service in stack.services.items():
        ports = service.get("ports", [])
        if ports and name != "synapse":
            yield f"{name}: published"
        if not all(str(port).startswith("127.0.0.1:") for port in ports):
            yield f"{name}: published beyond this machine"
        if "networks" not in service or (outside & set(service["networks"]) and not ports):
            yield f"{name}: way out"


def kept(stack: Stack, _folder: Path) -> Iterator[str]:
    """Everything declared is used, and secrets lie where nothing is committed and where the script puts them."""
    compose = stack.compose
    told = {kind: str([service.get(kind) for service in stack.services.values()]) for kind in ("secrets", "configs")}
    for kind, text in told.items():
        for name in compose[kind]:
            if f"'{name}'" not in text:
                yield f"{kind}: {name} is not used"
    mounted = {part.partition(":")[0] for one in stack.services.values() for part in map(str, one.get("volumes", []))}
    for name in compose["volumes"]:
        if name not in mounted:
            yield f"volumes: {name} is not used"
    script = stack.files["secrets.sh"]
    made = {f"{host}{end}" for host in _certified(script) for end in (".pem", ".key.pem")} | {"authority.pem"}
    made |= set(re.findall(r"^random (\S+)", script, re.MULTILINE))
    for name, secret in compose["secrets"].items():
        folder, _, file = secret.get("file", "").partition("/")
        if folder != "secrets" or file not in made:
            yield f"secrets: {name} is not made"
    for name, one in compose["configs"].items():
        if not (ROOT / one["file"]).is_file():
            yield f"configs: {name} is not there"


def _certified(script: str) -> set[str]:
    return set(re.findall(r"^certificate (\S+)", script, re.MULTILINE))


def writer(stack: Stack, _folder: Path) -> Iterator[str]:
    """Both variants of vLLM run the same model from a read-only folder, tell nobody, and only one wants a card."""
    for name in ("vllm", "vllm-cpu"):
        service = stack.services[name]
        environment = service.get("environment", {})
        for variable, value in TELEMETRY.items():
            if environment.get(variable) != value:
                yield f"{name}: {variable}"
        volumes = [one for one in service["volumes"] if isinstance(one, dict) and one.get("target") == "/models"]
        if not volumes or not all(one.get("read_only") is True for one in volumes):
            yield f"{name}: models can be written"
        if not service.get("profiles"):
            yield f"{name}: profile"
        if "VLLM_API_KEY" not in stack.command(name):
            yield f"{name}: no key"
    if stack.command("vllm") != stack.command("vllm-cpu"):
        yield "vllm-cpu: another command"
    if "deploy" in stack.services["vllm-cpu"] or "'gpu'" not in str(stack.services["vllm"].get("deploy")):
        yield "vllm: device"


def configured(stack: Stack, folder: Path) -> Iterator[str]:
    """The mounted configuration is one that the program takes, and it names what the services are."""
    try:
        settings = stack.settings(folder)
    except InputError as error:
        yield f"config: {error.key} {error.values.get('name')}"
        return
    yield from _addresses(stack, settings)
    formulator, command = settings.models.formulator, stack.command("vllm")
    if sorted(stack.reached_by(urlsplit(formulator.url).hostname or "", "models")) != ["vllm", "vllm-cpu"]:
        yield "config: one variant of vllm under another name"
    if f"--served-model-name {formulator.model} " not in command:
        yield "config: model"
    if f"vllm serve {formulator.base} " not in command:
        yield "config: base"
    owner = stack.services["postgres"]["environment"]
    parts = urlsplit(settings.postgres_url or "")
    if (parts.username, parts.path) != (owner["POSTGRES_USER"], f"/{owner['POSTGRES_DB']}"):
        yield "config: database"
    if str(settings.password_file) != owner.get("POSTGRES_PASSWORD_FILE"):
        yield "config: another password than that of the database"
    for file, server in ((settings.search.password_file, "opensearch"), (formulator.key_file, "vllm")):
        if str(file) not in stack.secrets(server) or f"cat {file}" not in stack.command(server):
            yield f"config: another secret than that of {server}"


def _addresses(stack: Stack, settings: Settings) -> Iterator[str]:
    formulator, search, matrix = settings.models.formulator, settings.search, settings.matrix
    if matrix is None:
        yield "config: no platform"
        return
    urls = [settings.postgres_url or "", *search.urls, formulator.url, matrix.homeserver]
    for name in OURS:
        secrets = stack.secrets(name)
        for file in (
            settings.password_file,
            search.password_file,
            search.ca_file,
            formulator.key_file,
            formulator.ca_file,
            matrix.password_file,
            matrix.ca_file,
        ):
            if str(file) not in secrets:
                yield f"{name}: {file} is no secret of it"
    for url in map(urlsplit, urls):
        found = {
            service
            for network in stack.services["bot"]["networks"]
            for service in stack.reached_by(url.hostname or "", network)
        }
        if not found:
            yield f"config: nobody answers to {url.hostname}"
        for service in found:
            yield from _answering(stack, url, service)


def _answering(stack: Stack, url: SplitResult, service: str) -> Iterator[str]:
    told = re.search(r"--port (\d+)", stack.command(service))
    ports = [int(told.group(1))] if told else [_ANSWERS_AT.get(service)]
    if service == "synapse":
        ports = [one["port"] for one in stack.synapse["listeners"] if one["tls"] is (url.scheme == "https")]
    if url.port not in ports:
        yield f"config: {service} does not listen at {url.port}"
    if url.scheme == "https" and url.hostname not in _certified(stack.files["secrets.sh"]):
        yield f"config: no certificate for {url.hostname}"
    waiting = stack.services["bot"].get("depends_on", {}).get(service, {})
    if waiting.get("condition") != "service_healthy":
        yield f"bot: does not wait for {service}"


def mounted(stack: Stack, _folder: Path) -> Iterator[str]:
    """Our two services are one image with one configuration; the bot waits for the set-up and serves when asked."""
    bot, init = (stack.services[name] for name in OURS)
    for name in OURS:
        service = stack.services[name]
        if {"source": "fundstelle", "target": "/etc/fundstelle/config.toml"} not in service.get("configs", []):
            yield f"{name}: config"
        if "fundstelle:/var/lib/fundstelle" not in service.get("volumes", []) or service.get("tmpfs") != ["/tmp"]:  # noqa: S108
            yield f"{name}: nowhere to write"
    if bot["image"] != init["image"] or bot["build"] != init["build"]:
        yield "init: another image"
    if bot["depends_on"].get("init", {}).get("condition") != "service_completed_successfully":
        yield "bot: does not wait for init"
    if not bot.get("profiles"):
        yield "bot: serves without an account"


def images(stack: Stack, _folder: Path) -> Iterator[str]:
    """Our own images begin with a pinned one, end with a normal user, and take locked libraries with their hashes."""
    for name in ("Dockerfile", "synapse.Dockerfile"):
        text = stack.files[name]
        for base in re.findall(r"^FROM (\S+)", text, re.MULTILINE):
            if not PINNED.fullmatch(base):
                yield f"{name}: tag"
        if re.findall(r"^USER (\S+)", text, re.MULTILINE)[-1:] != ["1000:1000"]:
            yield f"{name}: user"
        if "://" in text:
            yield f"{name}: a host"
    text = stack.files["Dockerfile"]
    if "--require-hashes" not in text or "--only-binary :all:" not in text:
        yield "Dockerfile: hashes"
    if not re.search(r"^HEALTHCHECK .*CMD \[", text, re.MULTILINE):
        yield "Dockerfile: healthcheck"
    told = re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE)
    allowed = {
        line[1:] for line in (FOLDER / "Dockerfile.dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"
    }
    if set(told) != allowed or not all((ROOT / one).exists() for one in told):
        yield "Dockerfile: files"


def alone(stack: Stack, _folder: Path) -> Iterator[str]:
    """Synapse tells nobody, federates with nobody and lets nobody in who does not know the secret."""
    synapse = stack.synapse
    names = {name for listener in synapse["listeners"] for one in listener["resources"] for name in one["names"]}
    if (
        names != {"client"}
        or synapse.get("federation_domain_whitelist") != []
        or synapse.get("trusted_key_servers") != []
    ):
        yield "synapse: federation"
    if synapse.get("report_stats") is not False:
        yield "synapse: stats"
    if synapse.get("enable_registration") is not False:
        yield "synapse: registration"
    if synapse.get("registration_shared_secret_path") not in stack.secrets("synapse"):
        yield "synapse: secret"
    ports = [one["port"] for one in synapse["listeners"] if not one["tls"]]
    if [f"127.0.0.1:{port}:{port}" for port in ports] != stack.services["synapse"]["ports"]:
        yield "synapse: port"
    for entry in ("tls_certificate_path", "tls_private_key_path"):
        if synapse.get(entry) not in stack.secrets("synapse"):
            yield "synapse: certificate"
    kept_in = [part.partition(":")[2] for part in stack.services["synapse"]["volumes"]]
    for file in (synapse["database"]["args"]["database"], synapse["media_store_path"], synapse["signing_key_path"]):
        if not any(file.startswith(f"{folder}/") for folder in kept_in):
            yield "synapse: not kept"


RULES: Final[tuple[Rule, ...]] = (
    schema,
    closed,
    powerless,
    published,
    kept,
    writer,
    configured,
    mounted,
    images,
    alone,
)


def faults(stack: Stack, folder: Path) -> list[str]:
    """All that is broken; ``folder`` is empty and may be written."""
    return [found for rule in RULES for found in rule(stack, folder)]
