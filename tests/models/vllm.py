"""A real vLLM server on the processor, as ``tests/models/install-vllm.sh`` installs it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.models.server import ServedModel
from tests.models.processes import free_port, stop, wait_for

VLLM = Path(os.environ.get("FUNDSTELLE_VLLM", Path(__file__).parents[2] / ".parts" / "vllm")) / "bin" / "vllm"
PATIENCE = 300
"""Seconds: it is ready after 45 to 60 on two idle processors."""

KEY = "nur-fuer-diesen-test"
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
    port = free_port()
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
        wait_for(process, f"http://127.0.0.1:{port}/health", log, PATIENCE)
        yield ServedModel(f"http://127.0.0.1:{port}", "tiny", "1", base=str(model), key_file=key_file, timeout=60)
    finally:
        stop(process)
