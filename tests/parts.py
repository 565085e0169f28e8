"""Parts that some tests need and not every machine has. What is missing is left out, said so, and fails in CI.

A test names its part as a marker, for example ``@pytest.mark.law``.
"""

import importlib.util
import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from tests.data import LAW
from tests.matrix import js_client, page, synapse
from tests.models.llama import is_installed
from tests.models.vllm import VLLM
from tests.opensearch.nodes import is_built
from tests.transparency import CHECKER


@dataclass(frozen=True)
class Part:
    """Something that tests may need; ``by_night``: only those of ``make nightly``, so CI does without."""

    marker: str
    what: str
    present: Callable[[], bool]
    by_night: bool = False


def _may_mount() -> bool:
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as folder:
        if subprocess.run(["/bin/mount", "-t", "tmpfs", "tmpfs", folder], check=False, capture_output=True).returncode:
            return False
        return subprocess.run(["/bin/umount", folder], check=False).returncode == 0


def _has_models() -> bool:
    return all(importlib.util.find_spec(name) for name in ("torch", "sentence_transformers"))


PARTS = (
    Part("law", "the folder of German acts (FUNDSTELLE_LAW_DATA)", (LAW / "manifest.jsonl").is_file),
    Part("models", "sentence-transformers and torch (the extra `models`)", _has_models),
    Part("vllm", "a vLLM that runs on the processor (FUNDSTELLE_VLLM)", VLLM.is_file),
    Part("mount", "the right to mount a small file system", _may_mount),
    Part("llama", "a small language model (tests/models/install-llama.sh)", is_installed, by_night=True),
    Part("opensearch", "Java 17 and the node in tests/opensearch (mvn -q -B package)", is_built),
    Part("transparency", "Go and the checker in tests/transparency (go build)", CHECKER.is_file),
    Part("synapse", "a Matrix homeserver (tests/matrix/install-synapse.sh, FUNDSTELLE_SYNAPSE)", synapse.is_installed),
    Part("browser", "Chromium, Node.js and the page in tests/matrix/browser (npm run build)", page.is_installed),
    Part("node", "Node.js and the client in tests/matrix/js (npm ci)", js_client.is_installed),
    Part("root", "root rights, to drop to another user", lambda: os.geteuid() == 0),
)
