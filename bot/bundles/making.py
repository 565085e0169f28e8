"""A bundle turned into its file, and the file put in its place whole or not at all."""

from importlib.resources import files
from pathlib import Path

from adapters.durable import put_new
from adapters.journal.bundle_file import bundle_file
from bot.bundles.report import report
from bot.text import Texts
from domain.errors import InputError
from domain.journal.bundles import Bundle
from domain.journal.handler import Journal


def content(bundle: Bundle, journal: Journal, texts: Texts) -> bytes:
    """Return the bytes of the file.

    Raises:
        InputError: ``bundle_large``.
    """
    readme = files("bot.bundles").joinpath(f"readme.{texts.language}.txt").read_text(encoding="utf-8")
    return bundle_file(bundle, readme, report(bundle, texts), journal.sealed)


def put(file: Path, made: bytes) -> None:
    """Write a new file that only its owner can read; it is there whole or not at all.

    Raises:
        InputError: ``file_exists``, or ``system`` when it cannot be written.
    """
    try:
        put_new(file, made)
    except FileExistsError as error:
        raise InputError("file_exists", file=file) from error
    except OSError as error:
        raise InputError("system", reason=error.strerror or "", file=file) from error
