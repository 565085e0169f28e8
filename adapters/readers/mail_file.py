"""E-mail: a small head, the text, and the names of what is attached; attachments themselves are not read."""

import re
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

from adapters.readers.decoding import decode
from adapters.readers.errors import broken, encrypted
from adapters.readers.html_file import page_text
from adapters.readers.markdown import document, escape, heading, one_line
from domain.knowledge.text import Extract

# The parser compares each line with every boundary that is open.
_MOST_BOUNDARIES: Final = 200
_QUOTED: Final = re.compile(r"^(\\?> ?)+", re.MULTILINE)
_ENCRYPTED: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})


def read_mail(name: str, content: bytes) -> Extract:
    """Read a message; its text part is preferred over its HTML part."""
    if content.lower().count(b"boundary=") > _MOST_BOUNDARIES:
        raise broken(name)
    message = message_from_bytes(content, policy=policy.default)
    if not any(message.get(header) for header in ("From", "Subject", "Date", "Received", "Message-ID")):
        raise broken(name)
    if any(part.get_content_type() in _ENCRYPTED for part in message.walk()):
        raise encrypted(name)
    subject = one_line(str(message.get("Subject") or ""))
    blocks = [heading(1, escape(subject)) if subject else "", _head(message), _body(name, message)]
    attached = [escape(one_line(part.get_filename() or part.get_content_type())) for part in message.iter_attachments()]
    if attached:
        blocks.append("\n".join(["Attachments:", "", *(f"- {title}" for title in attached)]))
    return Extract(document(blocks), "markdown", subject or None, (), "eml/1")


def _head(message: EmailMessage) -> str:
    lines = [
        f"- {header}: {escape(one_line(str(message[header])))}"
        for header in ("From", "To", "Cc")
        if message.get(header)
    ]
    date = getattr(message.get("Date"), "datetime", None)
    if isinstance(date, datetime):
        lines.append(f"- Date: {date:%Y-%m-%d %H:%M %z}".rstrip())
    return "\n".join(lines)


def _body(name: str, message: EmailMessage) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    payload = part.get_payload(decode=True)
    text = decode(name, payload, part.get_content_charset()) if isinstance(payload, bytes) and payload else ""
    if part.get_content_type() == "text/html":
        return page_text(name, text)[1]
    text = escape(text.replace("\r\n", "\n").replace("\r", "\n"))
    return _QUOTED.sub(lambda mark: mark[0].replace("\\", ""), text)
