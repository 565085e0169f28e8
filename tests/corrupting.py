"""Bundles made wrong in every way that came to mind."""

import copy
import json
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable, Iterator
from typing import Any

from adapters.journal.verifier import FILES, SEAL, packed, sealed_text, unpacked
from tests.sealed_journal import Chronicle

Path = tuple[str | int, ...]
Change = Callable[[dict[str, Any]], object]


def document_of(raw: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(unpacked(raw)["bundle.json"])
    return document


def resealed(raw: bytes, chronicle: Chronicle, change: Change) -> bytes:
    """Change the content as somebody can who has the journal's signing key."""
    document = document_of(raw)
    change(document)
    files = {name: content for name, content in unpacked(raw).items() if name in FILES}
    files["bundle.json"] = json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return packed(files | {SEAL: str(chronicle.journal.sealed(sealed_text(files))).encode()})


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path to every value that holds no other."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def flip(path: Path) -> Change:
    """Return a change of the value at ``path``: one bit where it is bytes or a number, one character of a text."""

    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = _other(place[path[-1]], path)

    return change


_CODED = frozenset({"hash", "state", "key", "root", "content"})


def _other(value: Any, path: Path) -> Any:  # noqa: PLR0911 - one arm a type
    match value:
        case bool():
            return not value
        case int():
            return value ^ 1
        case float():
            return value + 2**-20
        case None:
            return "x"
        case []:
            return ["x"]
        case {}:
            return {"x": 1}
        case str() if path[-1] in _CODED or "proof" in path:
            return _flipped(value)
        case _:
            return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"


def _flipped(value: str) -> str:
    try:
        content = bytearray(b64decode(value, validate=True))
    except Error:
        return value[:-1] + chr(ord(value[-1]) ^ 1)
    content[len(content) // 2] ^= 1
    return b64encode(content).decode()


def full(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows that are there whole."""
    return [row for row in document["rows"] if "state" in row]


def pair(document: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two open rows that have no column in common."""
    rows = {row["topic"]: row for row in full(document) if "plain" in row}
    return rows["RelevanceDecided:1"], rows["DocumentRegistered:1"]


def swap(name: str) -> Change:
    """Return a change that swaps a column of two rows, and the keys and contents with it if it is the state."""

    def change(document: dict[str, Any]) -> None:
        one, other = pair(document)
        for each in (name, *(("key", "plain") if name == "state+" else ())):
            column = "state" if each == "state+" else each
            one[column], other[column] = copy.deepcopy(other[column]), copy.deepcopy(one[column])

    return change


def reorder(document: dict[str, Any]) -> None:
    rows = document["rows"]
    rows[3], rows[4] = rows[4], rows[3]


def trade_places(document: dict[str, Any]) -> None:
    """Let two rows trade position and number, as if one had been recorded before the other."""
    one, other = document["rows"][3], document["rows"][4]
    for name in ("position", "number"):
        one[name], other[name] = other[name], one[name]
    reorder(document)


def delete(number: int) -> Change:
    return lambda document: document["rows"].pop(number)


def delete_and_close_up(document: dict[str, Any]) -> None:
    """Delete a row and count the rest anew, as if there had been none."""
    del document["rows"][4]
    for row in document["rows"][4:]:
        row["number"] -= 1
    document["selection"]["last"] -= 1


def hide(document: dict[str, Any]) -> None:
    """Leave out the last rows and say that there were none: the mandate's numbers stay without a gap."""
    gone = document["rows"].pop()
    document["selection"]["last"] = gone["number"] - 1


def double(document: dict[str, Any]) -> None:
    document["rows"].insert(4, copy.deepcopy(document["rows"][4]))


def wrong_key(document: dict[str, Any]) -> None:
    one, other = pair(document)
    one["key"] = other["key"]


def without_proof(document: dict[str, Any]) -> None:
    document["proof"] = document["proof"][:-1]


def more_proof(document: dict[str, Any]) -> None:
    document["proof"].append(document["rows"][0]["hash"])


def without_quotes(document: dict[str, Any]) -> None:
    document["quotes"].pop()


def other_quote(document: dict[str, Any]) -> None:
    document["quotes"][0]["text"] = document["quotes"][0]["text"].replace("e", "a", 1)


def longer_quote(document: dict[str, Any]) -> None:
    document["quotes"][0]["end"] += 1


def other_text(document: dict[str, Any]) -> None:
    """Put in the text and key of another document."""
    one, other = document["texts"][0], document["texts"][1]
    one["content"], one["key"] = other["content"], other["key"]


def text_of_nobody(document: dict[str, Any]) -> None:
    document["texts"].append({**document["texts"][0], "mandate": "00000000-0000-0000-0000-000000000000"})


def other_answer(document: dict[str, Any]) -> None:
    row = next(row for row in full(document) if row["topic"] == "AnswerDelivered:1")
    row["plain"]["event"]["sentences"][0]["text"] = "Das Kilometergeld beträgt 0,38 Euro."


def truth_as_number(document: dict[str, Any]) -> None:
    """Python takes 1 for true; who reads the bundle with another language does not."""
    row = next(row for row in full(document) if row["topic"] == "RelevanceDecided:1")
    row["plain"]["event"]["passed"] = 1


def longer_range(document: dict[str, Any]) -> None:
    document["selection"]["last"] += 1


def endless_range(document: dict[str, Any]) -> None:
    document["selection"]["last"] = (1 << 63) - 1


def shown_as_hash(document: dict[str, Any]) -> None:
    """Show of a row only a hash, and of another event than the one that was there."""
    row = document["rows"][4]
    document["rows"][4] = {"position": row["position"], "number": row["number"], "hash": document["rows"][7]["hash"]}


def smaller_tree(document: dict[str, Any]) -> None:
    """Sign nothing new: an earlier checkpoint's text under the rows of a later one."""
    document["checkpoint"] = document["checkpoint"].replace("\n", "\n1", 1)


CHANGES: dict[str, Change] = {
    "two states swapped": swap("state"),
    "two ciphertexts swapped with their keys and contents": swap("state+"),
    "two keys swapped": swap("key"),
    "two contents swapped": swap("plain"),
    "two hashes swapped": swap("hash"),
    "two streams swapped": swap("stream"),
    "two topics swapped": swap("topic"),
    "rows reordered": reorder,
    "two rows trade places": trade_places,
    "first row deleted": delete(0),
    "row deleted": delete(4),
    "last row deleted": delete(-1),
    "row deleted and closed up": delete_and_close_up,
    "last row denied": hide,
    "row doubled": double,
    "wrong data key": wrong_key,
    "proof cut": without_proof,
    "proof grown": more_proof,
    "quote left out": without_quotes,
    "quote of other words": other_quote,
    "quote longer than the passage": longer_quote,
    "text of another document": other_text,
    "text of nobody": text_of_nobody,
    "answer of other words": other_answer,
    "number for a truth": truth_as_number,
    "range longer than the rows": longer_range,
    "range longer than there is memory for": endless_range,
    "another hash for a hidden row": shown_as_hash,
    "size of the checkpoint": smaller_tree,
}
