"""Makes the files that the reader tests read, with the libraries of the formats or by hand."""

import zipfile
from collections.abc import Sequence
from email.message import EmailMessage
from io import BytesIO
from pathlib import PurePath

from docx import Document
from openpyxl import Workbook
from reportlab.lib import pdfencrypt
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from adapters.readers.readers import FileReaders
from domain.knowledge.ports import Readers
from domain.knowledge.text import Extract

SAMPLE = "Übergroße Maß­nahmen 🙂 prüfen"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def zipped(**parts: str | bytes) -> bytes:
    """A container of parts; ``__`` in a name is ``/``, and the last ``_`` a dot."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            path = name.replace("__", "/")
            archive.writestr(".".join(path.rsplit("_", 1)), data)
    return target.getvalue()


def repacked(content: bytes, **changes: str | bytes) -> bytes:
    """The same container with parts changed or added (names as in ``zipped``)."""
    wanted = {".".join(name.replace("__", "/").rsplit("_", 1)): data for name, data in changes.items()}
    target = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            if name not in wanted:
                archive.writestr(name, source.read(name))
        for name, data in wanted.items():
            archive.writestr(name, data)
    return target.getvalue()


def part(content: bytes, name: str) -> str:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return archive.read(name).decode()


def word(body: str = "", *, title: str = "") -> bytes:
    """A document of python-docx with ``body`` (WordprocessingML) before its end."""
    made = Document()
    made.core_properties.title = title
    target = BytesIO()
    made.save(target)
    xml = part(target.getvalue(), "word/document.xml")
    opened = xml.replace("<w:body>", f'<w:body xmlns:m="{M}">{body}') if "xmlns:m=" not in xml else xml
    return repacked(target.getvalue(), word__document_xml=opened.replace("<w:body>", f"<w:body>{body}"))


def paragraph(text: str, style: str = "", extra: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f'<w:p><w:pPr>{named}{extra}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def odt(body: str, *, styles: str = "", meta: str = "", **parts: str | bytes) -> bytes:
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (
            *(("office", "office"), ("text", "text"), ("table", "table")),
            *(("style", "style"), ("draw", "drawing")),
        )
    )
    spaces += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    about = f"<office:document-meta {spaces}><office:meta>{meta}</office:meta></office:document-meta>"
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("meta.xml", about)
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return target.getvalue()


def pdf(
    pages: Sequence[Sequence[tuple[float, float, float, str]]],
    *,
    labels: Sequence[tuple[int, str, int]] = (),
    password: str = "",
    title: str = "",
    bold: float = 13,
) -> bytes:
    """A PDF whose pages hold texts (x, y, size, words); sizes from ``bold`` on are set in bold.

    ``labels``: page from which a numbering holds, its style as reportlab names it, its first number.
    """
    target = BytesIO()
    encryption = pdfencrypt.StandardEncryption(password, ownerPassword="besitzer", strength=128) if password else None
    canvas = Canvas(target, pagesize=A4, encrypt=encryption)
    if title:
        canvas.setTitle(title)
    for page, style, start in labels:
        canvas.addPageLabel(page, style=style, start=start)
    for texts in pages:
        for x, y, size, words in texts:
            canvas.setFont("Helvetica-Bold" if size >= bold else "Helvetica", size)
            canvas.drawString(x, y, words)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def lines(*words: str, x: float = 72, y: float = 700, size: float = 10) -> list[tuple[float, float, float, str]]:
    return [(x, y - 13 * number, size, text) for number, text in enumerate(words)]


def excel(*sheets: tuple[str, Sequence[Sequence[object]]], title: str = "") -> bytes:
    book = Workbook()
    book.remove(book.active)
    book.properties.title = title
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    target = BytesIO()
    book.save(target)
    return target.getvalue()


def mail(text: str = "", html: str = "", *, subject: str = "Betreff", charset: str = "utf-8") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Jürgen Groß <groß@example.org>".replace("groß@", "gross@")
    message["To"] = "team@example.org"
    message["Subject"] = subject
    message["Date"] = "Mon, 05 Jan 2026 10:30:00 +0100"
    if text:
        message.set_content(text, charset=charset)
    if html and text:
        message.add_alternative(html, subtype="html")
    elif html:
        message.set_content(html, subtype="html", charset=charset)
    return message


READERS: Readers = FileReaders()


def read(name: str, content: bytes) -> Extract:
    return READERS.read(PurePath(name), content)
