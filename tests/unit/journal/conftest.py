"""A bundle to look at, and the command that checks it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.journal.verifier import main
from tests.sealed_journal import Chronicle


@pytest.fixture(scope="module")
def chronicle() -> Chronicle:
    return Chronicle()


@pytest.fixture(scope="module")
def held(chronicle: Chronicle) -> str:
    """A checkpoint that somebody kept, over the first half of the history."""

    async def happen() -> str:
        await chronicle.open()
        await chronicle.ask(await chronicle.ingest())
        return await chronicle.checkpoint()

    return asyncio.run(happen())


@pytest.fixture(scope="module")
def raw(chronicle: Chronicle, held: str) -> bytes:
    """A bundle of open and sealed rows, a library and another mandate in the tree."""

    async def happen() -> bytes:
        library = await chronicle.ingest("lib", "public")
        await chronicle.ingest("b")
        await chronicle.ask(library, by="bert", levels=("public", "internal"))
        await chronicle.ask(chronicle.versions[0], refused=True)
        await chronicle.ask(await chronicle.ingest(level="secret"))
        chronicle.store.erase(len(chronicle.store.stored) - 1)
        return await chronicle.file()

    assert held
    return asyncio.run(happen())


@pytest.fixture
def ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run the command on files with these contents; return exit code and output."""

    def run(raw: bytes, *arguments: str, **files: str | bytes) -> tuple[int, str]:
        bundle = tmp_path / "bundle.zip"
        bundle.write_bytes(raw)
        options: list[str] = []
        for name, content in files.items():
            file = tmp_path / name
            file.write_bytes(content.encode() if isinstance(content, str) else content)
            options += [f"--{name}", str(file)]
        code = main([str(bundle), *options, *arguments])
        return code, capsys.readouterr().out

    return run
