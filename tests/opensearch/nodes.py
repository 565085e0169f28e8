"""Real OpenSearch nodes on loopback, started from the server's own artifacts (``pom.xml`` beside this file)."""

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from tests.servers import free_port, reachable_folder

if TYPE_CHECKING:
    from adapters.search.opensearch_server import Server

BUILT = Path(__file__).parent / "target"
OPTIONS = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
PATIENCE = 15


def is_built() -> bool:
    """Whether Java, the built launcher and the library are there."""
    has_library = importlib.util.find_spec("opensearchpy") is not None
    return (
        has_library and shutil.which("java") is not None and (BUILT / "node.jar").is_file() and (BUILT / "lib").is_dir()
    )


class Node:
    """One node; it ends with this process, whatever happens to it."""

    def __init__(self, folder: Path, name: str, **settings: str) -> None:
        self.name, self.port, self.transport = name, free_port(), free_port()
        self._log = folder / f"{name}.log"
        self.folder = folder / name
        given = {
            "node.name": name,
            "cluster.name": folder.name,
            "path.home": str(self.folder),
            "http.port": str(self.port),
            "transport.port": str(self.transport),
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            **{key.replace("__", "."): value for key, value in settings.items()},
        }
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    str(shutil.which("java")),
                    *OPTIONS,
                    f"-Djava.io.tmpdir={folder}",
                    "-cp",
                    f"{BUILT / 'node.jar'}{os.pathsep}{BUILT / 'lib'}/*",
                    "TestNode",
                    *(f"{key}={value}" for key, value in given.items()),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def await_ready(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n", self._log.read_text(encoding="utf-8")

    def kill(self) -> None:
        """End it as by the power switch."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """End it in its own way, and by force if that takes too long."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@contextmanager
def single_node() -> Iterator[Node]:
    """A cluster of one."""
    with reachable_folder() as folder:
        node = Node(folder, "only", discovery__type="single-node")
        try:
            node.await_ready()
            yield node
        finally:
            node.stop()


@contextmanager
def two_nodes() -> Iterator[tuple[Node, Node]]:
    """A cluster of two; the first one manages it and the second one could not."""
    with reachable_folder() as folder:
        first = Node(folder, "first", **{"cluster.initial_cluster_manager_nodes": "first", "discovery.seed_hosts": ""})
        nodes = [first]
        try:
            first.await_ready()
            seed = f"127.0.0.1:{first.transport}"
            second = Node(folder, "second", **{"node.roles": "data", "discovery.seed_hosts": seed})
            nodes.append(second)
            second.await_ready()
            yield first, second
        finally:
            for node in reversed(nodes):
                node.stop()


def fresh(*nodes: Node) -> "Server":
    """A server with indexes of its own on ``nodes``."""
    from adapters.search.opensearch_server import Server  # noqa: PLC0415 - the library may be missing

    return Server([node.url for node in nodes], prefix=f"test-{uuid4().hex[:12]}")
