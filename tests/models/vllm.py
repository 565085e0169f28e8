"""A real vLLM server on the processor, as ``tests/models/install-vllm.sh`` installs it."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from adapters.models.server import ServedModel

VLLM = Path(os.environ.get("FUNDSTELLE_VLLM", Path(__file__).parents[2] / ".parts" / "vllm")) / "bin" / "vllm"
PATIENCE = 300
"""Seconds: it is ready after 45 to 60 on two idle processors."""

KEY = "nur-fuer-diesen-test"
_HERE = build_opener(ProxyHandler({}))
_QUIET = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_API_KEY": KEY,
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_NO_USAGE_STATS": "1",
}


@contextmanager
def serve(model: Path, work: Path, longest: int, runner: str = "pooling") -> Iterator[ServedModel]:
    """Serve a model on loopback, as long as the block runs.

    Args:
        model: its folder.
        work: where key and log lie.
        longest: tokens of a text, or of a prompt with its reply.
        runner: ``pooling`` for a model that reads, ``generate`` for one that writes.
    """
    port = _free_port()
    key_file = work / "key"
    key_file.write_text(KEY + "\n")
    command = [str(VLLM), "serve", str(model), "--served-model-name", "tiny", "--runner", runner]
    command += ["--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--enforce-eager"]
    command += ["--max-model-len", str(longest)]
    log = work / "vllm.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=work, env={**os.environ, **_QUIET}, stdout=output, stderr=output, start_new_session=True
        )
    try:
        _wait(process, f"http://127.0.0.1:{port}/health", log)
        yield ServedModel(f"http://127.0.0.1:{port}", "tiny", "1", base=str(model), key_file=key_file, timeout=60)
    finally:
        _stop(process)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], health: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with _HERE.open(health, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"vLLM did not start:\n{log.read_text(errors='replace')[-5_000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and the processes that it started: they are a group of their own."""
    for end, patience in ((signal.SIGTERM, 20), (signal.SIGKILL, 20)):
        try:
            os.killpg(process.pid, end)
            process.wait(patience)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        if end == signal.SIGTERM:
            time.sleep(1)
