"""Models of two layers and some ten kilobytes, saved as a download would lie on the disk."""

# ruff: noqa: PLC0415 - without the part "models" this module can still be imported

import string
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

WORDS = (  # noqa: SIM905 - read as a sentence
    "die der das frist zur kündigung beträgt für mitarbeiter drei monate haben einen anspruch auf tage urlaub im jahr "
    "hagel hat dach scheune wie lang ist text frage satz § abs art"
).split()
LONGEST = 64
"""Positions of each tiny model, in tokens."""

LONGEST_PROMPT = 16_384
"""Tokens of a prompt and its reply that the writing model can read; each byte is one."""

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


def writer(folder: Path, reply: Sequence[str], longest: int = LONGEST_PROMPT) -> Path:
    """Save a model that writes ``reply`` whatever it is told, piece by piece; each piece may occur only once.

    Its weights say nothing but which piece follows which: an embedding of each piece alone, layers that add nothing,
    and an output that turns each piece into the next. What comes first follows the end of the prompt.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    signs = _byte_signs()
    pieces = ["".join(signs[byte] for byte in piece.encode()) for piece in reply]
    names = [*signs, *pieces, "<|end|>", "<|answer|>"]
    width = 64 * -(-len(names) // 64)
    config = LlamaConfig(
        vocab_size=len(names),
        hidden_size=width,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=width // 64,
        num_key_value_heads=1,
        max_position_embeddings=longest,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=names.index("<|end|>"),
        architectures=["LlamaForCausalLM"],
    )
    model = LlamaForCausalLM(config).eval()
    chain = [names.index(name) for name in ("<|answer|>", *pieces, "<|end|>")]
    with torch.no_grad():
        for weight in (model.model.layers[0].self_attn.o_proj.weight, model.model.layers[0].mlp.down_proj.weight):
            weight.zero_()
        model.model.embed_tokens.weight.copy_(torch.eye(len(names), width))
        model.lm_head.weight.zero_()
        for before, after in pairwise(chain):
            model.lm_head.weight[after, before] = 1.0
    model.save_pretrained(str(folder))
    _byte_tokenizer(names, longest, PreTrainedTokenizerFast).save_pretrained(str(folder))
    return folder


def _byte_tokenizer(names: Sequence[str], longest: int, kind: Any) -> Any:
    """Read every text byte by byte; the pieces of a reply are written and never read."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    words = Tokenizer(models.BPE({name: number for number, name in enumerate(names)}, []))
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    words.add_special_tokens([AddedToken(name, special=True) for name in names[-2:]])
    made = kind(
        tokenizer_object=words, eos_token=names[-2], model_max_length=longest, clean_up_tokenization_spaces=False
    )
    made.chat_template = (
        "{% for one in messages %}{{ one['role'] }}: {{ one['content'] }}\n{% endfor %}"
        "{% if add_generation_prompt %}<|answer|>{% endif %}"
    )
    return made


def _byte_signs() -> list[str]:
    """Return the sign that stands for each byte in a byte-level vocabulary (Radford et al. 2019)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in plain else chr(next(others)) for byte in range(256)]


def nli(folder: Path, labels: Sequence[str] = ("entailment", "neutral", "contradiction"), seed: int = 4) -> Path:
    """Save a model that has learned by heart what every model of inference must say of the pairs that it is tried on.

    Args:
        folder: where to.
        labels: what its outputs are called; it learns them in the order entailment, neutral, contradiction.
        seed: of its first weights.
    """
    import torch
    from transformers import BertForSequenceClassification

    from adapters.judge.nli import SELF_TEST

    names = dict(enumerate(labels))
    settings = _config(seed, num_labels=len(labels), id2label=names, label2id={name: n for n, name in names.items()})
    model = BertForSequenceClassification(settings).train()
    place = _base(folder / "nli", model)
    words = _words_of(place)
    order = {"entailment": 0, "neutral": 1, "contradiction": 2}
    wanted = torch.tensor([order[one] for *_, one in SELF_TEST])
    given = words([one for one, *_ in SELF_TEST], [one for _, one, _ in SELF_TEST], padding=True, return_tensors="pt")
    learner = torch.optim.Adam(model.parameters(), 1e-3)
    for _ in range(200):
        loss = model(**given, labels=wanted).loss
        learner.zero_grad()
        loss.backward()
        learner.step()
        if loss.item() < 0.01:
            break
    return _base(folder / "nli", model)


def _words_of(place: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(place))
