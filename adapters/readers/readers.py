"""The port ``Readers`` for files: checks before, the reader of the format, and one error for whatever goes wrong."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Final
from warnings import catch_warnings, simplefilter

from adapters.readers.content_kind import content_kind
from adapters.readers.csv_file import read_csv
from adapters.readers.errors import LARGEST_FILE, broken, empty, too_large
from adapters.readers.excel_file import read_excel
from adapters.readers.html_file import read_html
from adapters.readers.mail_file import read_mail
from adapters.readers.odt_file import read_odt
from adapters.readers.pdf_file import read_pdf
from adapters.readers.plain_file import read_markdown, read_text
from adapters.readers.word_file import read_word
from domain.errors import InputError
from domain.knowledge.search_text import shown
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Extract

_LOG: Final = logging.getLogger(__name__)
_READERS: Final[dict[str, Callable[[str, bytes], Extract]]] = {
    ".md": read_markdown,
    ".txt": read_text,
    ".html": read_html,
    ".pdf": read_pdf,
    ".docx": read_word,
    ".odt": read_odt,
    ".eml": read_mail,
    ".xlsx": read_excel,
    ".csv": read_csv,
}


class FileReaders:
    """Reads each format of the command line's contract by the file's ending."""

    def suffixes(self) -> frozenset[str]:
        """Return the file endings that can be read, lower case with dot."""
        return frozenset(_READERS)

    def read(self, name: PurePath, content: bytes) -> Extract:
        """Read a file.

        Raises:
            InputError: ``file_format``, ``file_differs`` (the content is of another format than the ending),
                ``file_empty``, ``file_encrypted``, ``file_broken``, ``file_encoding``, ``file_too_large``,
                ``file_no_text`` (pages without text); each with ``file``.
        """
        reader = _READERS.get(name.suffix.lower())
        if reader is None:
            raise InputError("file_format", file=name.name, endings=" ".join(sorted(_READERS)))
        if len(content) >= LARGEST_FILE:
            raise too_large(name.name)
        if not content.strip(b" \t\r\n\0"):
            raise empty(name.name)
        kind = content_kind(name.name, content)
        if kind is not None and kind != name.suffix.lower():
            raise InputError("file_differs", file=name.name, found=kind)
        return self._checked(name.name, _read(reader, name.name, content))

    @staticmethod
    def _checked(name: str, extract: Extract) -> Extract:
        if not shown(extract.text, extract.markup):
            raise empty(name)
        title = " ".join(shown(stored(extract.title), "plain").split()) if extract.title else None
        return replace(extract, text=stored(extract.text), title=title or None)


def _read(reader: Callable[[str, bytes], Extract], name: str, content: bytes) -> Extract:
    try:
        # What libraries warn of (unknown extensions of a workbook, XHTML) is nothing that a person can act on.
        with catch_warnings():
            simplefilter("ignore")
            return reader(name, content)
    except InputError:
        raise
    except Exception as error:
        # Libraries raise whatever comes to them on damaged input; for a person that is one and the same thing.
        _LOG.info("reader failed: %s", type(error).__name__)
        raise broken(name) from error
