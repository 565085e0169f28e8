"""What cannot be read is one of a few errors with the name of the file, soon, and never a library's traceback."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import PurePath
from time import process_time

import pytest

from adapters.readers import excel_file
from adapters.readers.errors import LARGEST_FILE
from adapters.readers.readers import FileReaders
from bot.text import LANGUAGES, texts
from domain.errors import InputError
from domain.knowledge.ports import Readers
from tests.contract.reader_files import SAMPLE, excel, lines, mail, odt, paragraph, part, pdf, repacked, word, zipped

READERS: Readers = FileReaders()

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENTITIES = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
EXTERNAL = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def bomb() -> bytes:
    """A container that declares, truthfully, far more than it is packed."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as part_:
            for _ in range(70):
                part_.write(b" " * 1_000_000)
    return target.getvalue()


def marked_encrypted(content: bytes) -> bytes:
    """The same container with the flag of an encrypted first part, in both of its headers."""
    changed = bytearray(content)
    changed[6] |= 1
    changed[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def many_parts() -> bytes:
    return zipped(word__document_xml="<a/>", **{f"a{number}_txt": "" for number in range(10_001)})


def nested(tag: str, depth: int) -> bytes:
    return (f"<{tag}>" * depth + "tief" + f"</{tag}>" * depth).encode()


def nested_mail() -> bytes:
    parts = (
        f"--a{'a' * depth}\nContent-Type: multipart/mixed; boundary=a{'a' * (depth + 1)}\n\n" for depth in range(1000)
    )
    return b"From: a@b.de\nContent-Type: multipart/mixed; boundary=a\n\n" + "".join(parts).encode()


CASES: list[tuple[str, str, Callable[[], bytes]]] = [
    ("a.doc", "file_format", lambda: b"x"),
    ("a", "file_format", lambda: b"x"),
    (".pdf", "file_format", lambda: b"x"),
    *((f"a{ending}", "file_empty", lambda: b"") for ending in sorted(READERS.suffixes())),
    ("a.txt", "file_empty", lambda: b" \r\n\t\n"),
    ("a.txt", "file_empty", "\ufeff\u200b\u00ad".encode),
    ("a.md", "file_empty", lambda: b"# \n\n---\n\n<!-- leer -->"),
    ("a.html", "file_empty", lambda: b"<html><head><title>T</title></head><body><script>x</script></body></html>"),
    ("a.docx", "file_empty", word),
    ("a.odt", "file_empty", lambda: odt("<text:p/>")),
    ("a.xlsx", "file_empty", lambda: excel(("Blatt", []))),
    ("a.csv", "file_empty", lambda: b";;;\n;;;\n"),
    ("a.pdf", "file_no_text", lambda: pdf([[]])),
    ("a.pdf", "file_encrypted", lambda: pdf([lines("Geheim")], password="geheim")),
    ("a.docx", "file_encrypted", lambda: OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le")),
    ("a.xlsx", "file_encrypted", lambda: OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le")),
    (
        "a.odt",
        "file_encrypted",
        lambda: odt("<text:p>x</text:p>", **{"META-INF__manifest_xml": "<a><encryption-data/></a>"}),
    ),
    ("a.docx", "file_encrypted", lambda: marked_encrypted(word(paragraph("x")))),
    ("a.eml", "file_encrypted", lambda: b"From: a@b.de\nContent-Type: application/pkcs7-mime\n\nMIAG"),
    ("a.docx", "file_differs", lambda: pdf([lines("Ein Satz.")])),
    ("a.pdf", "file_differs", lambda: word(paragraph("x"))),
    ("a.txt", "file_differs", lambda: excel(("Blatt", [["x"]]))),
    ("a.xlsx", "file_differs", lambda: odt("<text:p>x</text:p>")),
    ("a.docx", "file_differs", lambda: OLE + bytes(600)),
    ("a.docx", "file_differs", lambda: zipped(a_txt="x")),
    ("a.docx", "file_differs", lambda: b"{\\rtf1 Text}"),
    ("a.csv", "file_differs", lambda: b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"),
    ("a.txt", "file_broken", lambda: b"Text\x00mit\x01Bytes\x02" * 20),
    ("a.md", "file_broken", lambda: bytes(range(256)) * 10),
    ("a.txt", "file_broken", lambda: b"\xff\xfea"),
    ("a.csv", "file_broken", lambda: b'a;b\n"offen;1\n'),
    ("a.csv", "file_broken", lambda: b"a;b\n" + b"x" * 200_000 + b";1\n"),
    ("a.html", "file_broken", lambda: nested("div", 3000)),
    ("a.pdf", "file_broken", lambda: b"kein PDF"),
    ("a.pdf", "file_broken", lambda: b"%PDF-1.7\n" + b"\x00\xff" * 500),
    ("a.pdf", "file_broken", lambda: pdf([lines("Ein Satz.")])[:300]),
    ("a.docx", "file_broken", lambda: word(paragraph("x"))[:2000]),
    ("a.docx", "file_broken", lambda: b"PK\x03\x04" + bytes(100)),
    ("a.docx", "file_broken", lambda: b"nur Text"),
    ("a.docx", "file_broken", lambda: repacked(word(), word__document_xml="<kaputt")),
    ("a.docx", "file_broken", lambda: repacked(word(), word__document_xml=f"{ENTITIES}<a>&b;</a>")),
    ("a.docx", "file_broken", lambda: repacked(word(), word__document_xml=f"{EXTERNAL}<a>&a;</a>".encode("utf-16"))),
    ("a.docx", "file_broken", lambda: word("<w:p>" + "<w:ins>" * 400 + "</w:ins>" * 400 + "</w:p>")),
    ("a.docx", "file_broken", lambda: zipped(word__document_xml="<a/>")),
    ("a.odt", "file_broken", lambda: odt("<text:p>x</text:p>")[:400]),
    ("a.odt", "file_broken", lambda: repacked(odt(""), content_xml="<office/>")),
    ("a.odt", "file_broken", lambda: odt(nested("text:span", 3000).decode())),
    ("a.odt", "file_broken", lambda: repacked(odt(""), content_xml=f"{EXTERNAL}<a>&a;</a>")),
    ("a.xlsx", "file_broken", lambda: excel(("Blatt", [["x"]]))[:1500]),
    ("a.xlsx", "file_broken", lambda: repacked(excel(("B", [["x"]])), xl__workbook_xml="<workbook")),
    ("a.xlsx", "file_broken", lambda: repacked(excel(("B", [["x"]])), xl__worksheets__sheet1_xml=f"{ENTITIES}<a/>")),
    ("a.eml", "file_broken", lambda: b"kein Kopf, nur Text"),
    ("a.eml", "file_broken", lambda: b"\x00\x01\x02\x03" * 100),
    ("a.txt", "file_encoding", lambda: "Żółta łąka, gdzie będą szkody".encode("iso8859-2")),
    ("a.csv", "file_encoding", lambda: "łąkę;ćma".encode("cp1250")),
    ("a.docx", "file_too_large", bomb),
    ("a.docx", "file_too_large", many_parts),
    ("a.html", "file_too_large", lambda: b"<p>x <b>y</b>" * 120_000),
    ("a.eml", "file_broken", nested_mail),
    ("a.txt", "file_too_large", lambda: b"x" * LARGEST_FILE),
]


@pytest.mark.parametrize(
    ("name", "key", "make"), CASES, ids=[f"{name}-{key}-{n}" for n, (name, key, _) in enumerate(CASES)]
)
def test_what_cannot_be_read_is_said(name: str, key: str, make: Callable[[], bytes]) -> None:
    """Each kind of bad file is its own error, with a sentence in every language, within seconds."""
    content = make()
    begun = process_time()

    with pytest.raises(InputError) as raised:
        READERS.read(PurePath("Ordner") / name, content)

    assert (raised.value.key, raised.value.values["file"]) == (key, name)
    assert all(name in texts(language)(f"errors.{key}", **raised.value.values) for language in LANGUAGES)
    assert process_time() - begun < 20


def test_a_sheet_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """More cells than are read is an error before they are all unpacked into objects."""
    monkeypatch.setattr(excel_file, "MOST_CELLS", 50)

    with pytest.raises(InputError, match="file_too_large"):
        READERS.read(PurePath("a.xlsx"), excel(("Blatt", [[number] for number in range(51)])))


GOOD: dict[str, Callable[[], bytes]] = {
    "a.md": f"# Titel\n\n{SAMPLE} **fett**\n".encode,
    "a.txt": lambda: SAMPLE.encode("cp1252", "ignore"),
    "a.html": f"<title>T</title><h1>Ü</h1><table><tr><td>{SAMPLE}</td></tr></table>".encode,
    "a.docx": lambda: word(paragraph(SAMPLE, "Heading1") + paragraph("Satz.")),
    "a.odt": lambda: odt(f"<text:h>{SAMPLE}</text:h><text:p>Satz.</text:p>"),
    "a.eml": lambda: mail(SAMPLE, "<p>x</p>").as_bytes(),
    "a.xlsx": lambda: excel(("Blatt", [["Name", "Wert"], [SAMPLE, 1]])),
    "a.csv": f"Name;Wert\n{SAMPLE};1\n".encode,
    "a.pdf": lambda: pdf([lines("Ein Satz."), lines("Noch einer.")]),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_damaged_file_never_shows_a_library_s_error(name: str) -> None:
    """Cut off or with a flipped byte anywhere, a file is read or refused, nothing else."""
    content = GOOD[name]()
    steps = range(1, len(content), max(1, len(content) // 40))
    damaged = [content[:at] for at in steps] + [
        content[:at] + bytes((content[at] ^ 0x5A,)) + content[at + 1 :] for at in steps
    ]

    for bad in damaged:
        try:
            text = READERS.read(PurePath(name), bad).text
        except InputError:
            continue
        assert text.strip()


def test_nothing_outside_of_a_file_is_fetched() -> None:
    """An external relationship and an external picture are left alone."""
    content = word(paragraph("Satz."))
    rels = part(content, "word/_rels/document.xml.rels").replace(
        "</Relationships>",
        '<Relationship Id="rId98" Type="http://x/footnotes" Target="http://127.0.0.1:9/a" TargetMode="External"/>'
        "</Relationships>",
    )

    text = READERS.read(PurePath("a.docx"), repacked(content, **{"word___rels__document.xml_rels": rels})).text

    assert text == "Satz.\n"


def test_a_table_of_spanning_cells_stays_bounded() -> None:
    """Cells that span a thousand rows and columns do not multiply without end."""
    page = b"<table>" + b"<tr><td rowspan=999 colspan=999>x</td></tr>" * 1000 + b"</table>"

    assert len(READERS.read(PurePath("a.html"), page).text) < 1_000_000
