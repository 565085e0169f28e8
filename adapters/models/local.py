"""A learned model that lies on this machine and runs in this process, by sentence-transformers on the processor.

Nothing is fetched: the libraries are told to stay offline before they are imported, no code that comes with a model is
run, and weights are read as safetensors only, a format that cannot hold code.

Each text runs through the model alone, by one thread of ours. Batches would be faster, but the last bits of a vector
then depend on its neighbours (the shape of a matrix chooses how its products are summed), and a rebuilt index would
change scores. Equal are the bits of one machine: another processor or another number of them may sum differently, by
about 1e-6. Where that is too slow a model server with graphics cards is the next step (``server.py``).
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from adapters.models.failing import UnusableModelError, failing

PACKAGE: Final = "sentence-transformers"

LONGEST: Final = 20_000
"""Code points of a text that reach the tokenizer; the model then cuts at its own number of tokens."""

_OFFLINE: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
_READ: Final = (".json", ".txt", ".model", ".safetensors", ".jinja")
"""Ends of the names of files that a model is read from."""

_CODE: Final = (".bin", ".pt", ".pth", ".pkl", ".ckpt")
"""Ends of the names of weights that could hold code."""

_BLOCK: Final = 1 << 20

_LOADING: Final = Lock()
"""Held while a model is loaded: the libraries set up the whole process for it, and of two at once one lacks weights."""

Result = TypeVar("Result")


class LocalModel:
    """What every model in a folder has in common; it is loaded at its first use.

    Args:
        place: its absolute folder, or the name under which the local cache of the libraries holds it.
        part: ``encoder``, ``sparse_encoder`` or ``reranker``: what fails when it fails.
        load: makes the model from its folder, with ``options``.
        revision: of a model in the cache; ``None`` for the one that the cache holds as ``main``.
        ending: of the fingerprint; what counts beside the model.

    Attributes:
        name: the last part of its place, such as ``bge-m3``.
    """

    def __init__(
        self, place: str, part: str, load: Callable[[str], Any], revision: str | None = None, ending: str = ""
    ) -> None:
        self.place = place
        self.name = Path(place).name
        self._part = part
        self._load = load
        self._revision = revision
        self._ending = ending
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=part)
        self._reading = Lock()
        self._model: Any = None

    @cached_property
    def version(self) -> str:
        """Version of the library.

        Raises:
            PartError: the library is not installed.
        """
        with self._failing():
            return version(PACKAGE)

    @cached_property
    def folder(self) -> Path:
        """Where its files lie.

        Raises:
            PartError: there is no such model on this machine, or its weights could hold code.
        """
        with self._failing():
            folder = self._found()
            _must_be_safe(folder)
            return folder

    @cached_property
    def fingerprint(self) -> str:
        """Name, version of the library and a hash over the files, which are read once (1 GB takes about a second).

        Raises:
            PartError: as ``version`` and ``folder``.
        """
        with self._reading, self._failing():
            digest = hashlib.sha256(str(LONGEST).encode())
            for file in _files(self.folder):
                digest.update(f"{file.relative_to(self.folder).as_posix()}\0{file.stat().st_size}\0".encode())
                with file.open("rb") as stream:
                    while block := stream.read(_BLOCK):
                        digest.update(block)
        return f"{self.name}/{self.version}/{digest.hexdigest()[:16]}{self._ending}"

    async def run(self, work: Callable[[Any], Result]) -> Result:
        """Return what ``work`` makes of the model, in its thread.

        Raises:
            PartError: the model cannot be loaded, or fails.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, work)

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, work: Callable[[Any], Result]) -> Result:
        with self._failing():
            if self._model is None:
                with _LOADING:
                    self._model = self._opened()
            return work(self._model)

    def _opened(self) -> Any:
        stay_offline()
        import torch  # noqa: PLC0415 - seconds that a command without this model saves

        torch.set_num_threads(os.cpu_count() or 1)
        torch.use_deterministic_algorithms(True)  # noqa: FBT003 - the library's own signature
        return self._load(str(self.folder))

    def _found(self) -> Path:
        folder = Path(self.place).expanduser()
        if folder.is_absolute():
            if not folder.is_dir():
                raise FileNotFoundError(self.place)
            return folder
        stay_offline()
        from huggingface_hub import snapshot_download  # noqa: PLC0415 - only for a model named instead of placed

        return Path(snapshot_download(self.place, revision=self._revision, local_files_only=True))

    def _failing(self) -> AbstractContextManager[None]:
        return failing(f"{self._part}_model", self.name)


def architecture(folder: str) -> str:
    """Return what class of model a folder says it holds; the libraries make up the weights that another one needs."""
    named = json.loads((Path(folder) / "config.json").read_bytes()).get("architectures") or [""]
    return str(named[0])


def stay_offline() -> None:
    """Tell the model libraries to fetch nothing and to report nothing; to be called before they are imported."""
    os.environ.update(_OFFLINE)


def options() -> dict[str, Any]:
    """Return how every model is opened: on the processor, from local files, in single precision, without its code."""
    import torch  # noqa: PLC0415 - as above

    return {
        "device": "cpu",
        "local_files_only": True,
        "trust_remote_code": False,
        "model_kwargs": {"dtype": torch.float32, "use_safetensors": True},
    }


def _must_be_safe(folder: Path) -> None:
    weights = [file for file in folder.rglob("*") if file.suffix in {".safetensors", *_CODE}]
    safe = {file.parent for file in weights if file.suffix == ".safetensors"}
    if not safe or any(file.parent not in safe for file in weights):
        raise UnusableModelError("safetensors")


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(file for file in folder.rglob("*") if file.suffix in _READ and file.is_file())
