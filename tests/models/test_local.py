"""Models in this process: what is refused, what is cut, what is told."""

import asyncio
import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from adapters.encoders.sentence_transformers import SentenceTransformersEncoder, SpladeEncoder
from adapters.models.local import LocalModel
from adapters.rerank.sentence_transformers import CrossEncoderReranker
from bot.models import SAMPLE
from domain.errors import PartError
from tests.models import tiny

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bi_encoder(tmp_path_factory.mktemp("dense"))


@pytest.fixture(scope="module")
def cross(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.cross_encoder(tmp_path_factory.mktemp("cross"))


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to))


async def kind(work: Any) -> tuple[str, str]:
    with pytest.raises(PartError) as caught:
        await work
    return caught.value.key, caught.value.values["kind"]


async def test_the_fingerprint_follows_every_file_that_counts(dense: Path, tmp_path: Path) -> None:
    """A copy has the same one; other weights, another prompt or another pooling have another; a note does not."""
    before = SentenceTransformersEncoder(str(dense)).fingerprint
    copy = copied(dense, tmp_path / dense.name)
    (copy / "README.md").write_text("note")
    assert SentenceTransformersEncoder(str(copy)).fingerprint == before
    for name in ("model.safetensors", "config_sentence_transformers.json", "1_Pooling/config.json", "tokenizer.json"):
        kept = (copy / name).read_bytes()
        (copy / name).write_bytes(kept[:-1] + b" ")
        assert SentenceTransformersEncoder(str(copy)).fingerprint != before
        (copy / name).write_bytes(kept)


async def test_a_question_is_read_under_its_own_prompt(dense: Path) -> None:
    """The prompts that the model was saved with are used, one for questions and one for passages."""
    encoder = SentenceTransformersEncoder(str(dense))
    question, (passage,) = await encoder.question("drei Monate"), await encoder.encode(["drei Monate"])
    bare = copied(dense, dense.parent / "bare")
    settings = json.loads((bare / "config_sentence_transformers.json").read_text())
    (bare / "config_sentence_transformers.json").write_text(json.dumps({**settings, "prompts": {}}))
    without = SentenceTransformersEncoder(str(bare))

    assert question != passage
    assert await without.encode([tiny.PROMPTS["query"] + "drei Monate"]) == [question]
    assert await without.encode([tiny.PROMPTS["document"] + "drei Monate"]) == [passage]


async def test_a_model_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    """By path or by name; nothing is fetched."""
    assert await kind(SentenceTransformersEncoder(str(tmp_path / "no")).encode(["a"])) == (
        "encoder_model",
        "FileNotFoundError",
    )
    named = SpladeEncoder("acme/splade-that-nobody-has")
    assert await kind(named.encode(["a"])) == ("sparse_encoder_model", "LocalEntryNotFoundError")


async def test_weights_that_could_hold_code_are_refused(dense: Path, tmp_path: Path) -> None:
    """Only safetensors are read."""
    copy = copied(dense, tmp_path / "m")
    (copy / "2_Dense").mkdir()
    (copy / "2_Dense" / "pytorch_model.bin").write_bytes(b"")
    assert await kind(SentenceTransformersEncoder(str(copy)).encode(["a"])) == ("encoder_model", "safetensors")

    shutil.rmtree(copy / "2_Dense")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    assert await kind(SentenceTransformersEncoder(str(copy)).encode(["a"])) == ("encoder_model", "safetensors")


async def test_code_that_comes_with_a_model_is_not_run(dense: Path, tmp_path: Path) -> None:
    """A module of its own is refused, not imported."""
    copy = copied(dense, tmp_path / "m")
    (copy / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Evil: pass\n")
    modules = json.loads((copy / "modules.json").read_text())
    modules.append({"idx": 2, "name": "2", "path": "", "type": "evil.Evil"})
    (copy / "modules.json").write_text(json.dumps(modules))

    key, _ = await kind(SentenceTransformersEncoder(str(copy)).encode(["a"]))

    assert key == "encoder_model"
    assert not (tmp_path / "ran").exists()


async def test_a_model_of_another_kind_is_refused(dense: Path, tmp_path: Path) -> None:
    """The libraries would make up the missing weights at random, and nobody would notice."""
    assert await kind(CrossEncoderReranker(str(dense)).scores("a", [SAMPLE])) == ("reranker_model", "architecture")
    assert await kind(SpladeEncoder(str(dense)).encode(["a"])) == ("sparse_encoder_model", "architecture")
    many = tiny.cross_encoder(tmp_path, labels=3)
    assert await kind(CrossEncoderReranker(str(many)).scores("a", [SAMPLE])) == ("reranker_model", "labels")


async def test_damaged_weights_are_said_so(cross: Path, tmp_path: Path) -> None:
    """And no score is given."""
    copy = copied(cross, tmp_path / "m")
    (copy / "model.safetensors").write_bytes((copy / "model.safetensors").read_bytes()[:1000])

    key, _ = await kind(CrossEncoderReranker(str(copy)).scores("a", [SAMPLE]))

    assert key == "reranker_model"


@pytest.mark.parametrize("saved", [None, "torch.nn.modules.linear.Identity", "torch.nn.modules.activation.Sigmoid"])
async def test_the_sigmoid_is_applied_once(saved: str | None, tmp_path: Path) -> None:
    """Whichever activation a model was saved with."""
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 - the part "models"
    from torch.nn import Identity  # noqa: PLC0415

    more = {"sentence_transformers": {"activation_fn": saved}} if saved else {}
    folder = str(tiny.cross_encoder(tmp_path, **more))
    (score,) = await CrossEncoderReranker(folder).scores("Wie lang ist die Frist?", [SAMPLE])
    plain = CrossEncoder(folder, device="cpu", activation_fn=Identity())
    (logit,) = plain.predict([("Wie lang ist die Frist?", SAMPLE.search_text)], convert_to_tensor=True)

    assert score == pytest.approx(float(logit.sigmoid()), abs=1e-6)


def test_only_the_documented_reranker_has_a_threshold(tmp_path: Path) -> None:
    """0.35 belongs to bge-reranker-v2-m3; another model in a folder of that name has none."""
    folder = tiny.cross_encoder(tmp_path).rename(tmp_path / "bge-reranker-v2-m3")
    assert CrossEncoderReranker(str(folder)).threshold is None

    shape = {"architectures": ["XLMRobertaForSequenceClassification"], "hidden_size": 1024}
    shape |= {"num_hidden_layers": 24, "vocab_size": 250002}
    (folder / "config.json").write_text(json.dumps(shape))
    assert CrossEncoderReranker(str(folder)).threshold == 0.35
    renamed = folder.rename(tmp_path / "my-reranker")
    assert CrossEncoderReranker(str(renamed)).threshold is None


async def test_others_go_on_while_a_model_works() -> None:
    """It works in a thread of its own: the event loop is free meanwhile."""
    loop = asyncio.get_running_loop()
    free = asyncio.Event()

    def work(_: object) -> bool:
        return asyncio.run_coroutine_threadsafe(wait(), loop).result(10)

    async def wait() -> bool:
        return await asyncio.wait_for(free.wait(), 10)

    model = LocalModel("m", "encoder", lambda folder: folder)
    model._model = "loaded"
    working = asyncio.create_task(model.run(work))
    await asyncio.sleep(0)
    free.set()

    assert await working
    model.close()


async def test_no_host_is_called(dense: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to look for a newer version nor to report anything; the libraries are told so."""

    def refuse(*_: object) -> None:
        raise AssertionError("a model was about to call a host")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
        monkeypatch.delenv(name, raising=False)
    encoder = SentenceTransformersEncoder(str(dense))
    await encoder.encode(["a"])
    encoder.close()

    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
        assert os.environ[name] == "1"


async def test_models_that_are_loaded_at_once_are_whole(dense: Path, cross: Path, tmp_path: Path) -> None:
    """A question loads several, each in a thread of its own; they give what they give when loaded alone."""
    sparse = str(tiny.splade(tmp_path))
    text, passages = "Die Frist beträgt drei Monate.", [SAMPLE]
    alone = (
        await SentenceTransformersEncoder(str(dense)).question(text),
        await SpladeEncoder(sparse).question(text),
        await CrossEncoderReranker(str(cross)).scores(text, passages),
    )
    for _ in range(5):
        together = await asyncio.gather(
            SentenceTransformersEncoder(str(dense)).question(text),
            SpladeEncoder(sparse).question(text),
            CrossEncoderReranker(str(cross)).scores(text, passages),
        )
        assert tuple(together) == alone
