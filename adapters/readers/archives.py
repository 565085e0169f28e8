"""Opening zip containers (docx, odt, xlsx) without unpacking a bomb."""

import zipfile
from io import BytesIO
from typing import Final

from adapters.readers.errors import broken, encrypted, too_large

MOST_PARTS: Final = 10_000
MOST_UNPACKED: Final = 500_000_000
# A parsed tree takes about ten times the size of its XML; sheets are not parsed as one tree of everything.
MOST_XML: Final = 64_000_000
_ENCRYPTED_FLAG: Final = 1
_ENTITY_MARKS: Final = tuple("<!ENTITY".encode(codec) for codec in ("ascii", "utf-16-le", "utf-16-be"))


def open_archive(name: str, content: bytes) -> zipfile.ZipFile:
    """Open a container after checking what it declares; ``zipfile`` never reads more than declared.

    Raises:
        InputError: ``file_broken`` (no zip, XML entities), ``file_encrypted``, ``file_too_large``.
    """
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        parts = archive.infolist()
        if any(part.flag_bits & _ENCRYPTED_FLAG for part in parts):
            raise encrypted(name)
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise too_large(name)
        for part in parts:
            if part.filename.lower().endswith((".xml", ".rels")):
                _check_xml(name, archive, part)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
        raise broken(name) from error
    return archive


def _check_xml(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    if part.file_size > MOST_XML:
        raise too_large(name)
    xml = archive.read(part)
    if any(mark in xml for mark in _ENTITY_MARKS):
        raise broken(name)
