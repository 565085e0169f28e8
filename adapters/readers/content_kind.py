"""What a file is by its first bytes, whatever it is called."""

import zipfile
from io import BytesIO
from typing import Final

from adapters.readers.errors import encrypted

_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_OTHERS: Final = (
    (b"{\\rtf", ".rtf"),
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"II*\x00", ".tif"),
    (b"\x1f\x8b", ".gz"),
    (b"7z\xbc\xaf", ".7z"),
    (b"Rar!", ".rar"),
    (b"MZ", ".exe"),
    (b"\x7fELF", ".bin"),
)
_MAIN_PARTS: Final = (
    ("word/document.xml", ".docx"),
    ("xl/workbook.xml", ".xlsx"),
    ("ppt/presentation.xml", ".pptx"),
)


def content_kind(name: str, content: bytes) -> str | None:
    """Return the usual ending of a recognised format, ``None`` for text and for anything not known.

    Raises:
        InputError: ``file_encrypted`` for an Office file under a password, which is a container of its own kind.
    """
    if b"%PDF-" in content[:1024]:
        return ".pdf"
    if content.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in content:
            raise encrypted(name)
        return ".doc/.xls"
    if content.startswith(_ZIP):
        return _container(content)
    return next((ending for magic, ending in _OTHERS if content.startswith(magic) and _is_binary(content)), None)


def _is_binary(content: bytes) -> bool:
    return content.startswith(b"{\\rtf") or any(byte < 9 for byte in content[:64])


def _container(content: bytes) -> str | None:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = set(archive.namelist())
            kind = (
                archive.read("mimetype")[:100]
                if "mimetype" in parts and archive.getinfo("mimetype").file_size < 200
                else b""
            )
    except Exception:  # noqa: BLE001 - a damaged container: the reader of the ending says so
        return None
    if kind.startswith(b"application/vnd.oasis.opendocument."):
        return ".odt" if kind.startswith(b"application/vnd.oasis.opendocument.text") else ".ods/.odp"
    return next((ending for part, ending in _MAIN_PARTS if part in parts), ".zip")
