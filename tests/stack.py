"""``docker-compose.yml`` and the files in ``docs/stack``, read as what they are."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from bot import config
from bot.config import Settings

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "stack"
COMPOSE: Final = ROOT / "docker-compose.yml"
FILES: Final = ("fundstelle.toml", "homeserver.yaml", "secrets.sh", "Dockerfile", "synapse.Dockerfile")
SECRET_FOLDER: Final = "/run/secrets/"


class _Strict(yaml.SafeLoader):
    """YAML in which nothing is said twice; the usual loader keeps the last one silently."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        names = [key.value for key, _ in node.value]
        if twice := {name for name in names if names.count(name) > 1}:
            raise yaml.YAMLError(f"said twice: {twice}")
        super().flatten_mapping(node)


def read_yaml(text: str) -> Any:
    return yaml.load(text, _Strict)  # noqa: S506 - it is a safe loader


@dataclass
class Stack:
    """The file as it is read, and the texts of the files beside it."""

    compose: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_the_repository(cls) -> "Stack":
        files = {name: (FOLDER / name).read_text("utf-8") for name in FILES}
        # Through JSON, so that what several services share is written out in each.
        return cls(json.loads(json.dumps(read_yaml(COMPOSE.read_text("utf-8")))), files)

    @property
    def services(self) -> dict[str, dict[str, Any]]:
        return self.compose["services"]

    @property
    def synapse(self) -> dict[str, Any]:
        return read_yaml(self.files["homeserver.yaml"])

    def settings(self, folder: Path) -> Settings:
        """The mounted configuration, as the program itself reads it."""
        file = folder / "config.toml"
        file.write_text(self.files["fundstelle.toml"], "utf-8")
        return config.load(folder, file, "de")

    def command(self, name: str) -> str:
        service = self.services[name]
        return " ".join([*service.get("entrypoint", []), *service.get("command", [])])

    def secrets(self, name: str) -> dict[str, str]:
        """The paths of the secrets in the container, each with the name of its secret."""
        used = [one if isinstance(one, dict) else {"source": one} for one in self.services[name].get("secrets", [])]
        return {one.get("target") or SECRET_FOLDER + one["source"]: one["source"] for one in used}

    def reached_by(self, host: str, network: str) -> Iterator[str]:
        """The services that answer to a host name in a network."""
        for name, service in self.services.items():
            networks = service.get("networks", [])
            if network in networks:
                more = networks[network] or {} if isinstance(networks, dict) else {}
                if host in {name, *more.get("aliases", [])}:
                    yield name

    def is_one_shot(self, name: str) -> bool:
        conditions = [one["depends_on"][name] for one in self.services.values() if name in one.get("depends_on", {})]
        ends = all(one["condition"] == "service_completed_successfully" for one in conditions)
        return bool(conditions) and ends and self.services[name].get("restart") == "no"
