"""Models of two layers and some ten kilobytes, saved as a download would lie on the disk."""

# ruff: noqa: PLC0415 - without the part "models" this module can still be imported

import string
from pathlib import Path
from typing import Any

WORDS = (  # noqa: SIM905 - read as a sentence
    "die der das frist zur kündigung beträgt für mitarbeiter drei monate haben einen anspruch auf tage urlaub im jahr "
    "hagel hat dach scheune wie lang ist text frage satz § abs art"
).split()
LONGEST = 64
"""Positions of each tiny model, in tokens."""

PROMPTS = {"query": "frage : ", "document": "text : "}


def bi_encoder(folder: Path, seed: int = 1) -> Path:
    """Save a model that maps a text to 64 dimensions, with other words before a question than before a passage."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from transformers import BertModel

    base = _base(folder / "base", BertModel(_config(seed)))
    words = _transformer(base)
    SentenceTransformer(modules=[words, Pooling(64, "mean")], prompts=PROMPTS, device="cpu").save(str(folder / "bi"))
    return folder / "bi"


def splade(folder: Path, seed: int = 2) -> Path:
    """Save a model that weighs the words of its vocabulary."""
    from sentence_transformers import SparseEncoder
    from sentence_transformers.sparse_encoder.modules import SpladePooling
    from transformers import BertForMaskedLM

    base = _base(folder / "base", BertForMaskedLM(_config(seed)))
    modules = [_transformer(base, "fill-mask"), SpladePooling("max")]
    SparseEncoder(modules=modules, device="cpu").save(str(folder / "splade"))
    return folder / "splade"


def cross_encoder(folder: Path, seed: int = 3, labels: int = 1, **config: Any) -> Path:
    """Save a model that reads two texts together; ``config`` goes into its ``config.json``."""
    from transformers import BertForSequenceClassification

    settings = _config(seed, num_labels=labels)
    for name, value in config.items():
        setattr(settings, name, value)
    return _base(folder / "cross", BertForSequenceClassification(settings))


def _config(seed: int, **more: Any) -> Any:
    import torch
    from transformers import BertConfig

    torch.manual_seed(seed)
    return BertConfig(
        vocab_size=len(_vocabulary()),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=128,
        max_position_embeddings=LONGEST,
        initializer_range=0.3,
        **more,
    )


def _vocabulary() -> dict[str, int]:
    letters = [*string.ascii_lowercase, *string.digits, *"äöüß§.,:?"]
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *letters, *(f"##{one}" for one in letters)]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _base(folder: Path, model: Any) -> Path:
    from transformers import BertTokenizerFast

    model.eval().save_pretrained(str(folder))
    words = BertTokenizerFast(vocab=_vocabulary(), do_lower_case=True, strip_accents=False, model_max_length=LONGEST)
    words.save_pretrained(str(folder))
    return folder


def _transformer(base: Path, task: str = "feature-extraction") -> Any:
    from sentence_transformers.base.modules import Transformer

    return Transformer(str(base), transformer_task=task)
