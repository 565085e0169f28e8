"""A model's words without what is not words: thoughts, links, tags, marks of emphasis, invisible characters.

Links in an answer come from stored metadata alone, so whatever a model writes as one goes; the words of a Markdown
link stay. Nothing that a chat client or a browser would act upon is left.
"""

import re
import unicodedata
from html import unescape
from typing import Final

from domain.asking.labels import marks

_ROUNDS: Final = 8
"""How often markup may hide inside other markup; what is left then loses the signs that make it work."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BREAKS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_THOUGHT: Final = "think|thinking|thought|reasoning|analysis"
_THOUGHTS: Final = re.compile(
    rf"\A.*</(?:{_THOUGHT})\s*>|<(?P<kind>{_THOUGHT})\b[^<>]*>.*\Z", re.DOTALL | re.IGNORECASE
)
_UNSEEN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<kind>script|style|template|svg)\b[^<>]*>.*?(?:</(?P=kind)\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,2000}>|<[!?|][^<>]{0,2000}>|\[/?INST\]")
_OPENS_A_TAG: Final = re.compile(r"(?<!<)<+(?=[A-Za-z/!?|])")
_LINK: Final = re.compile(
    r"(?P<image>!)?\[(?P<words>[^\[\]\n]{0,1000})\]"
    r"\((?:[^()\s]|\([^()\s]{0,200}\)){0,1000}(?:\s[^()\n]{0,200})?\)"
)
_REFERENCE: Final = re.compile(r"^[ ]{0,3}\[[^\[\]\n]{1,100}\]:[ \t]*<?(?:[a-z][a-z0-9+.-]*://|www\.).*$", re.MULTILINE)
_END: Final = r"[^\s<>\[\]„“”\"»«'’.,;:!?)]"
_ADDRESS: Final = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,20}://|\b(?:mailto|javascript|vbscript|data|matrix|mxc):(?=\S)|\bwww\.)"
    rf"(?:\[[0-9a-f:.]{{2,50}}\])?(?:[^\s<>\[\]„“”\"»«]{{0,2000}}{_END})?",
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    r"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}"
    r"(?-i:com|org|net|info|eu|de|ch|io|gov|edu|uk|biz|app|dev|ru|cn|xyz|at)\b"
    rf"(?::\d{{1,5}})?(?:/(?:[^\s<>\[\]„“”\"»«]{{0,2000}}{_END})?)?(?![\w@-])",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*$", re.MULTILINE)
_STRONG: Final = re.compile(r"\*\*|~~|`|(?<!\w)__|__(?!\w)")
_EMPHASIS: Final = re.compile(
    r"(?<![\w*])\*(?=[^\s*])(?P<stars>[^*\n]{1,500})(?<=\S)\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])(?P<lines>[^_\n]{1,500})(?<=\S)_(?!\w)"
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPTY: Final = re.compile(r"[(\[{]\s*[)\]}]")
_BLANKS: Final = re.compile(r"[ \t]{2,}")
_BEFORE: Final = re.compile(r"[ \t]+(?=[.,;:!?)\]](?:\s|\Z))")


def without_thoughts(reply: str) -> str:
    """Return what a model wrote after it had thought aloud; all of it where it did not."""
    return _THOUGHTS.sub("", reply)


def clean(text: str) -> str:
    """Return the words of ``text`` in NFC, line by line, with labels where they stood."""
    plain = visible(text)
    for _ in range(_ROUNDS):
        shorter = visible(_without_markup(unescape(plain)))
        if shorter == plain:
            break
        plain = shorter
    plain = _OPENS_A_TAG.sub("", plain).replace("://", " ")
    return "\n".join(_BEFORE.sub("", _BLANKS.sub(" ", _EMPTY.sub(" ", line))).strip() for line in plain.split("\n"))


def visible(text: str) -> str:
    """Return a text in NFC without characters that nobody sees; every kind of line break becomes the same one."""
    lines = _SELECTORS.sub("", _BREAKS.sub("\n", text))
    kept = (one for one in lines if one in "\n\t" or unicodedata.category(one) not in _HIDDEN)
    return unicodedata.normalize("NFC", "".join(kept))


def _without_markup(text: str) -> str:
    plain = _UNSEEN.sub("", _FENCE.sub("", text))
    plain = _LINK.sub(_words, _REFERENCE.sub("", plain))
    plain = _HOST.sub("", _ADDRESS.sub("", _TAG.sub("", plain)))
    plain = _EMPHASIS.sub(lambda found: found["stars"] or found["lines"], _STRONG.sub("", plain))
    return _ESCAPE.sub(r"\1", plain)


def _words(found: re.Match[str]) -> str:
    if found["image"]:
        return ""
    bracketed = f"[{found['words']}]"
    return bracketed if marks(bracketed) else found["words"]
