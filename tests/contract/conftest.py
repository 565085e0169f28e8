"""Tiny models and the servers that serve them, made once and only when a test asks for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.models.server import ServedModel
from tests.models import tiny
from tests.models.vllm import serve

ANSWER = (  # noqa: SIM905 - read as a reply
    '{"sentences":|[{"text":|"Die| Frist| der| Kündigung| beträgt| drei| Monate."|,"labels":|["S1"]|}]|'
    ',"nothing_found":|false}'
).split("|")
"""What the model writes that vLLM serves, piece by piece."""


@pytest.fixture(scope="session")
def tiny_bi_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bi_encoder(tmp_path_factory.mktemp("dense"))


@pytest.fixture(scope="session")
def tiny_splade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.splade(tmp_path_factory.mktemp("sparse"))


@pytest.fixture(scope="session")
def tiny_cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.cross_encoder(tmp_path_factory.mktemp("cross"))


@pytest.fixture(scope="session")
def served_embeddings(tiny_bi_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedModel]:
    with serve(tiny_bi_encoder, tmp_path_factory.mktemp("vllm"), tiny.LONGEST) as served:
        yield served


@pytest.fixture(scope="session")
def served_reranker(tiny_cross_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedModel]:
    with serve(tiny_cross_encoder, tmp_path_factory.mktemp("vllm"), tiny.LONGEST) as served:
        yield served


@pytest.fixture(scope="session")
def served_writer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedModel]:
    model = tiny.writer(tmp_path_factory.mktemp("writer"), ANSWER)
    with serve(model, tmp_path_factory.mktemp("vllm"), tiny.LONGEST_PROMPT, "generate") as served:
        yield served
