"""Styles and list numbers of a Word document, which stand outside of its text."""

import re
from dataclasses import dataclass
from typing import Any, Final

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING: Final = re.compile(r"(?:heading|überschrift|titre)\s*(\d)", re.IGNORECASE)
_MOST_LETTERS: Final = 26
_ROMAN: Final = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """Heading level (0 for none), and the list that the style numbers its paragraphs in."""

    level: int = 0
    is_title: bool = False
    numbered: tuple[str, int] | None = None


class WordLists:
    """Counts list items in the order of the text; every paragraph must be asked for its number once."""

    def __init__(self, opened: Any) -> None:
        elements = {style.get(f"{W}styleId"): style for style in opened.styles.element.iter(f"{W}style")}
        self._styles = {key: _style(elements, key) for key in elements if key}
        self._default = next((key for key, style in elements.items() if _is_default(style)), "")
        self._levels = _levels(opened)
        self._counts: dict[str, list[int]] = {}

    def style(self, paragraph: Any) -> Style:
        """Return the style of a paragraph."""
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        style = self._styles.get(named.get(f"{W}val") if named is not None else self._default, Style())
        outline = paragraph.find(f"{W}pPr/{W}outlineLvl")
        if outline is not None and not style.level and int(outline.get(f"{W}val", "9")) < 6:
            return Style(int(outline.get(f"{W}val")) + 1, numbered=style.numbered)
        return style

    def depth(self, paragraph: Any) -> int:
        """Return how deep in its list the item stands, from 0."""
        place = self._place(paragraph)
        return place[1] if place else 0

    def number(self, paragraph: Any) -> str:
        """Return the list mark as it is printed ("3.", "b)", "2.1", "-"), empty for a paragraph outside of lists."""
        place = self._place(paragraph)
        if place is None or place[0] not in self._levels:
            return ""
        abstract, levels = self._levels[place[0]]
        depth = place[1]
        if depth not in levels:
            return ""
        kind, pattern, _ = levels[depth]
        if kind in {"bullet", "none"}:
            return "-" if kind == "bullet" else ""
        counts = self._counts.setdefault(abstract, [])
        del counts[depth + 1 :]
        while len(counts) <= depth:
            counts.append(levels[len(counts)][2] - 1 if len(counts) in levels else 0)
        counts[depth] += 1
        for above in range(depth):
            counts[above] = max(counts[above], levels[above][2] if above in levels else 1)
        return re.sub(r"%(\d)", lambda found: _counted(counts, levels, int(found[1]) - 1), pattern)

    def _place(self, paragraph: Any) -> tuple[str, int] | None:
        own = _numbered(paragraph.find(f"{W}pPr/{W}numPr"))
        place = own or self.style(paragraph).numbered
        return None if place is None or place[0] == "0" else place


def _counted(counts: list[int], levels: dict[int, tuple[str, str, int]], depth: int) -> str:
    if depth >= len(counts):
        return ""
    value, kind = counts[depth], levels.get(depth, ("decimal", "", 1))[0]
    if kind in {"lowerLetter", "upperLetter"} and value > 0:
        letter = chr(ord("a") + (value - 1) % _MOST_LETTERS) * ((value - 1) // _MOST_LETTERS + 1)
        return letter if kind == "lowerLetter" else letter.upper()
    if kind in {"lowerRoman", "upperRoman"}:
        return _roman(value) if kind == "lowerRoman" else _roman(value).upper()
    return str(value)


def _roman(value: int) -> str:
    digits = ""
    for size, letters in _ROMAN:
        digits += letters * (value // size)
        value %= size
    return digits


def _is_default(style: Any) -> bool:
    return style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in {"1", "true"}


def _style(elements: dict[str | None, Any], key: str | None) -> Style:
    level, is_title, numbered = 0, False, None
    for _ in range(20):
        style = elements.get(key)
        if style is None:
            break
        label = style.find(f"{W}name")
        name = label.get(f"{W}val", "") if label is not None else ""
        found = _HEADING.match(name)
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        if not level and found:
            level = int(found[1])
        elif not level and outline is not None and int(outline.get(f"{W}val", "9")) < 6:
            level = int(outline.get(f"{W}val")) + 1
        elif not level and name.lower() in {"title", "titel"}:
            level, is_title = 1, True
        numbered = numbered or _numbered(style.find(f"{W}pPr/{W}numPr"))
        based = style.find(f"{W}basedOn")
        key = based.get(f"{W}val") if based is not None else None
    return Style(level, is_title, numbered)


def _numbered(properties: Any) -> tuple[str, int] | None:
    if properties is None:
        return None
    number, depth = properties.find(f"{W}numId"), properties.find(f"{W}ilvl")
    if number is None:
        return None
    return number.get(f"{W}val", "0"), int(depth.get(f"{W}val", "0")) if depth is not None else 0


def _levels(opened: Any) -> dict[str, tuple[str, dict[int, tuple[str, str, int]]]]:
    """Return for each list its counter, and for each depth number format, pattern ("%1.") and first number."""
    part = next((relation.target_part for relation in opened.part.rels.values() if _is_numbering(relation)), None)
    if part is None:
        return {}
    root = part.element
    abstract = {
        element.get(f"{W}abstractNumId"): {
            int(level.get(f"{W}ilvl", "0")): (
                _value(level, "numFmt", "decimal"),
                _value(level, "lvlText", "%1."),
                int(_value(level, "start", "1")),
            )
            for level in element.iter(f"{W}lvl")
        }
        for element in root.iter(f"{W}abstractNum")
    }
    lists: dict[str, tuple[str, dict[int, tuple[str, str, int]]]] = {}
    for number in root.iter(f"{W}num"):
        key, base = number.get(f"{W}numId"), _value(number, "abstractNumId", "")
        levels = dict(abstract.get(base, {}))
        starts = number.findall(f"{W}lvlOverride/{W}startOverride")
        for start in starts:
            depth = int(start.getparent().get(f"{W}ilvl", "0"))
            if depth in levels:
                levels[depth] = (*levels[depth][:2], int(start.get(f"{W}val", "1")))
        lists[key] = (f"own {key}" if starts else base, levels)
    return lists


def _is_numbering(relation: Any) -> bool:
    return not relation.is_external and relation.reltype.endswith("/numbering")


def _value(element: Any, name: str, default: str) -> str:
    found = element.find(f"{W}{name}")
    return str(found.get(f"{W}val", default)) if found is not None else default
