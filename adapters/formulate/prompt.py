"""What a model is told: our rules, and the passages as data between marks that no text can forge.

The marks carry a number made of everything that stands between them. Whoever writes a document cannot know it, and
writing it down would change it. It is no secret and no chance: the same question over the same passages is the same
prompt for ever.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final, Literal

from domain.asking.cleaning import visible
from domain.asking.drafts import DraftRequest, Language
from domain.asking.labels import ROUND
from domain.asking.ports import PassageText
from domain.knowledge.search_text import shown

Form = Literal["structured", "prose"]

LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")

_VERSION: Final = re.compile(r"\Aversion: (\d+)\n")
_PART: Final = re.compile(r"^--- (\w+)\n", re.MULTILINE)
_TAG_LIKE: Final = re.compile(r"[<＜﹤](?![\s\d=])")
_FEWER_BREAKS: Final = re.compile(r"\n{3,}")


def prompt_version() -> str:
    """Return version and hash of the prompts in both languages, as ``1/5f0c…``."""
    told = [_file(language) for language in LANGUAGES]
    versions = {found[1] if (found := _VERSION.match(one)) else "" for one in told}
    return f"{'+'.join(sorted(versions))}/{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]}"


def messages(request: DraftRequest, form: Form) -> list[dict[str, str]]:
    """Return what a model is told, in the language of the question; ``form`` is that of the reply asked for."""
    parts = _parts(request.language)
    question = as_data(request.question)
    texts = {one.label: as_data(_words(one.passage)) for one in request.passages}
    nonce = _nonce(question, texts)
    passages = [
        parts["passage"].substitute(label=label, nonce=nonce, text=text).strip() for label, text in texts.items()
    ]
    system = parts["system"].substitute(labels=", ".join(f"[{label}]" for label in texts), nonce=nonce)
    user = parts["user"].substitute(
        nonce=nonce,
        question=question,
        passages="\n\n".join(passages),
        again=parts["again"].template if request.attempt > 1 else "",
        format=parts[form].template,
    )
    return [{"role": "system", "content": system.strip()}, {"role": "user", "content": user.strip()}]


def as_data(text: str) -> str:
    """Return a text as a model may see it.

    Square brackets become round ones, so that a label in a reply is the model's own. A ``<`` that could open a mark
    of ours, a tag or one of a model's special tokens becomes another sign; one before a blank or a number stays.
    """
    plain = _TAG_LIKE.sub("‹", visible(text).translate(ROUND))
    return _FEWER_BREAKS.sub("\n\n", plain).strip()


def _words(passage: PassageText) -> str:
    """Return a passage as a person reads it, below its headings and what introduces it."""
    place = " › ".join(filter(None, [*passage.section, passage.place]))
    introduction = shown(passage.lead_in, passage.markup)
    return "\n".join(filter(None, [place, introduction, shown(passage.mark + passage.text, passage.markup)]))


def _nonce(question: str, texts: Mapping[str, str]) -> str:
    told = json.dumps([question, texts])
    number = 0
    while (nonce := hashlib.sha256(f"{number} {told}".encode()).hexdigest()[:16]) in told:
        number += 1
    return nonce


@cache
def _file(language: Language) -> str:
    return files("adapters.formulate").joinpath("prompts", f"{language}.txt").read_text(encoding="utf-8")


@cache
def _parts(language: Language) -> Mapping[str, Template]:
    pieces: Sequence[str] = _PART.split(_file(language))
    return {name: Template(text.strip()) for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}
