"""Headings of texts without markup: "3.2 Kündigung", "§ 3 Kündigung", "Artikel 5", "Teil A", and their title."""

import re

_LONGEST = 100
_LONGEST_BEFORE_TEXT = 60

# Outer divisions stand above inner ones, whatever order the text brings them in.
_DIVISIONS = {
    "buch": 1,
    "book": 1,
    "teil": 2,
    "part": 2,
    "kapitel": 3,
    "chapter": 3,
    "hauptstück": 3,
    "abschnitt": 4,
    "unterabschnitt": 5,
    "titel": 6,
    "title": 6,
    "untertitel": 7,
    "artikel": 8,
    "article": 8,
    "art.": 8,
    "section": 8,
    "§": 8,
    "anlage": 1,
    "anhang": 1,
    "annex": 1,
    "appendix": 1,
    "schedule": 1,
}
_NUMBERED_BELOW = 8

_DIVISION = re.compile(
    r"(?:(?:[A-ZÄÖÜ][a-zäöü]{2,9}|\d{1,3}\.)[ \u00a0])?"
    r"(Buch|Teil|Kapitel|Hauptstück|Abschnitt|Unterabschnitt|Titel|Untertitel|Artikel|Art\.|Anlage|Anhang|"
    r"Book|Part|Chapter|Section|Title|Article|Annex|Appendix|Schedule|§)"
    r"(?:[ \u00a0]*+(?:\d{1,4}[a-z]?|[IVXLC]{1,6}|[A-Z]))?[.:]?(?:[ \u00a0]++([-–—(]?[ \u00a0]?[A-ZÄÖÜ\d].*+))?\Z"
)
_RANKED = re.compile(
    r"(?:(?:[A-ZÄÖÜ][a-zäöü]{2,9}|\d{1,3}\.)[ \u00a0])?"
    r"(Buch|Teil|Kapitel|Hauptstück|Abschnitt|Unterabschnitt|Titel|Untertitel|Artikel|Art\.|Anlage|Anhang|"
    r"Book|Part|Chapter|Section|Title|Article|Annex|Appendix|Schedule|§)(?=[§ \u00a0]|\Z)"
)
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})\.?[ \t\u00a0]++[A-ZÄÖÜ„\"(].*+\Z")
_SAME_DEPTH = re.compile(r"\d{1,3}[.)]?\s")
_LOOKS_LIKE_SENTENCE = re.compile(
    r"[.;,:!?…–]\Z|\b(?:ist|sind|war|wird|werden|wurde|gilt|gelten|kann|können|muss|müssen|darf|dürfen|soll|sollen|hat|"
    r"haben|findet|finden|bleibt|bleiben|regelt|bestimmt|is|are|was|shall|must|may|has|have|will|applies)\b"
)


def numbered_heading(line: str, following: str, *, gap: bool, in_list: bool) -> int:
    """Return the level of a numbered heading, 0 when the line is none.

    Args:
        line: a line of plain text that does not continue a paragraph.
        following: the next line that is not blank.
        gap: a blank line lies between the two.
        in_list: the line follows a list item.
    """
    title = line.strip()
    if not title or len(title) > _LONGEST or _LOOKS_LIKE_SENTENCE.search(title):
        return 0
    if not gap and (len(title) > _LONGEST_BEFORE_TEXT or following[:1].islower()):
        return 0
    if division := _DIVISION.match(title):
        return _DIVISIONS[division[1].lower()]
    if numbered := _NUMBERED.match(title):
        depth = numbered[1].count(".") + 1
        is_list_item = depth == 1 and (in_list or _SAME_DEPTH.match(following) is not None)
        return 0 if is_list_item else _NUMBERED_BELOW + depth
    return 0


def is_title(line: str) -> bool:
    """Say whether a line by itself at the top of a text is its title: short, and no sentence nor part of one."""
    title = line.strip()
    return len(title) <= _LONGEST and title[:1].isupper() and not _LOOKS_LIKE_SENTENCE.search(title)


def division_rank(title: str) -> int:
    """Return how deep a division of an act lies, from 1, whatever its markup says; 0 for any other title."""
    found = _RANKED.match(title)
    return _DIVISIONS[found[1].lower()] if found else 0
