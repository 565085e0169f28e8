r"""The stored form of a text; every anchor counts code points of it.

NFC, line ends ``\n``, otherwise exactly what the reader gave. Only ``\r\n`` and a lone ``\r`` are line ends: U+0085,
U+2028, vertical tab and form feed are characters of the text and stay, as do soft hyphens, no-break spaces, bidi
marks and zero-width joiners.

NUL and lone surrogates are the two kinds of code points that neither a PostgreSQL text nor UTF-8 can hold. Each is
replaced by U+FFFD, one for one, so that it stays visible that something stood there. Readers refuse files in
which they are a sign of binary content before it comes to that.
"""

import re
import unicodedata
from typing import Final

_LINE_END: Final = re.compile(r"\r\n?")
_NOT_STORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def stored(text: str) -> str:
    """Return the stored form of ``text``; that of a stored form is itself."""
    text = _LINE_END.sub("\n", text) if "\r" in text else text
    # Replaced before composing: U+FFFD takes no part in composition, a surrogate neither.
    return unicodedata.normalize("NFC", _NOT_STORABLE.sub("\ufffd", text))
