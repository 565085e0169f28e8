"""Whether a mark at the end of a word ends the sentence."""

import re

from domain.knowledge import sentence_rules as rules

_WINDOW = 72
_OPENING = "(„\"»«‚‘“”[{*_'›‹<>`~/"
_NUMBER = re.compile(r"(?:\d[\d.,:/\u00a0\u202f-]*[a-z]{0,2}|[IVXLCDM]+)\Z")
_ROMAN = re.compile(r"[IVXLC]+\Z")
_PARTS = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+\Z")
_ADDRESS = re.compile(r"www\.|.*\.(?:de|at|ch|li|eu|com|org|net|info|gov|io|[a-z]{3}\w?)\Z")
_VOWELS = re.compile(r"[aeiouyäöüAEIOUYÄÖÜ]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*+")
_LARGEST_ORDINAL = 31
_DIGITS_OF_A_YEAR = 4
_NUMBERED = re.compile(r"\s\d|-\s")
_NO_NUMBER = re.compile(r"[^\d]")


def ends_sentence(text: str, start: int, mark: int, marks: str, opening: int) -> bool:
    """Decide for one mark that white space follows.

    Args:
        text: the stored text.
        start: where the sentence begins.
        mark: position of the mark.
        marks: the mark with closing quotes and brackets behind it.
        opening: position of the first letter, digit or sign behind quotes and brackets.
    """
    after = text[opening : opening + 1]
    if not after or after in ",;:)]}%/=!?.…" or _is_lower(text, opening):
        return False
    if marks[0] in "!?":
        return True
    if marks[0] == "…" or marks.startswith(".."):
        return _ellipsis_ends(text, mark, marks, opening)
    if marks[0] != ".":
        return True
    return _dot_ends(text, start, mark, marks, opening)


def _is_lower(text: str, opening: int) -> bool:
    """Say whether the next word is one that goes on; brackets, "iPhone", "eBay" and addresses may open a sentence."""
    if not text[opening].islower() or text[opening - 1] == "(":
        return False
    return not (text[opening + 1 : opening + 2].isupper() or text.startswith(("http", "www."), opening))


def _ellipsis_ends(text: str, mark: int, marks: str, opening: int) -> bool:
    if marks.startswith(("…]", "...]", "…)", "...)")):
        return False
    follows_word = text[mark - 1 : mark].isalpha()
    return follows_word or _word(text, opening) in rules.OPENERS


def _dot_ends(text: str, start: int, mark: int, marks: str, opening: int) -> bool:
    window = text[max(start, mark - _WINDOW) : mark]
    before = window.split()
    if not before or window[-1].isspace():
        return True
    word = before[-1].lstrip(_OPENING)
    following = _word(text, opening)
    if _NUMBER.match(word):
        return _number_ends(word, before, following, text, opening, at_start=mark - start <= len(before[-1]))
    if len(marks) > 1 and marks[-1] in '“”"»«‘›‹':
        return not _is_abbreviation(_keys(word, before)) or following in rules.OPENERS
    return _word_ends(word, before, following, text, opening)


def _word(text: str, position: int) -> str:
    found = _WORD.match(text, position, position + 40)
    return found[0] if found else ""


def _keys(word: str, before: list[str]) -> list[str]:
    """Return the abbreviation that ends here, longest reading first: "i.V.m", "V.m", "m"."""
    keys = [word]
    for token in reversed(before[-4:-1]):
        part = token.lstrip(_OPENING)
        if len(part) > 5 or not part.endswith(".") or len(part) < 2:
            break
        keys.insert(0, part + keys[0])
    return keys


def _is_abbreviation(keys: list[str]) -> bool:
    return any(rules.class_of(key) not in {None, rules.ENDS} for key in keys)


def _word_ends(word: str, before: list[str], following: str, text: str, opening: int) -> bool:
    keys = _keys(word, before)
    group = next((found for key in keys if (found := rules.class_of(key))), None)
    if group is rules.ENDS:
        return True
    sign = text[opening + len(following) : opening + len(following) + 1]
    if rules.goes_on(keys, following, sign):
        return False
    numeral = text[opening].isdigit() or text[opening] in "§%" or _ROMAN.match(following) is not None
    if group is rules.NEEDS_MORE:
        return False
    if group is rules.CITES_OR_NOUN:
        return not numeral
    if group in (rules.CITES, rules.MAY_END):
        return following in rules.OPENERS and not (numeral and group is rules.CITES)
    return _plain_word_ends(word, before, following, sign)


def _plain_word_ends(word: str, before: list[str], following: str, sign: str) -> bool:
    """Decide for a word that no table knows."""
    if len(word) == 1 and word.isalpha():
        if len(following) == 1 and sign == ".":
            return False
        is_initial = len(before) > 1 and before[-2].endswith(".") and len(before[-2]) == 2
        named = not is_initial and _is_cited(before)
        return following in rules.OPENERS or named or (word.islower() and not following)
    if (_PARTS.match(word) and not _ADDRESS.match(word)) or (
        word.isalpha() and not _VOWELS.search(word) and not word[-1].isupper()
    ):
        return following in rules.OPENERS
    return True


def _number_ends(number: str, before: list[str], following: str, text: str, opening: int, *, at_start: bool) -> bool:
    """Tell the ordinal "2. Senat" and the mark "2. Der Antrag" from the cardinal "Abs. 2. Danach"."""
    if at_start or following in rules.MONTHS or _is_counted(text, opening, following):
        return False
    is_cited = _is_cited(before)
    if text[opening].isdigit():
        return not is_cited and len(_NO_NUMBER.sub("", number)) >= _DIGITS_OF_A_YEAR
    return is_cited or _bare_number_ends(number, before, following)


def _bare_number_ends(number: str, before: list[str], following: str) -> bool:
    """Decide for a number that is not part of a citation."""
    digits = _NO_NUMBER.sub("", number)
    is_large = bool(digits) and (int(digits[:6]) > _LARGEST_ORDINAL or not number.isdigit())
    previous = _before_numbers(before)
    if previous.endswith((".", ":", ";", "!", "?")) and not previous[:-1].isdigit() and not is_large:
        return rules.class_of(previous[:-1]) is not None and following in rules.OPENERS
    if following in rules.OPENERS or not following:
        return True
    if previous in rules.BEFORE_ORDINAL:
        return len(digits) >= _DIGITS_OF_A_YEAR
    return is_large or previous[:1].islower()


def _is_counted(text: str, opening: int, following: str) -> bool:
    """Tell "2. Satz" from "Abs. 2. Satz 1 gilt"."""
    return following in rules.COUNTED and not _NUMBERED.match(text, opening + len(following))


def _before_numbers(before: list[str]) -> str:
    """Return the token before the number, or before all numbers that it is listed with: "die 2., 3. und 4."."""
    listed = 1
    for token in reversed(before[:-1]):
        if token not in rules.JOINS and not (token[0].isdigit() and token.endswith((".", ".,"))):
            break
        listed += 1
    is_list = listed > 2 or (listed == 2 and before[-2] not in rules.JOINS)
    position = listed if is_list else 1
    return before[-1 - position].lstrip(_OPENING) if position < len(before) else ""


def _is_cited(before: list[str]) -> bool:
    """Say whether the last number belongs to a citation: "§§ 3, 5 bis 7", "Abs. 1 und 2"."""
    for token in reversed(before[:-1]):
        bare = token.strip('()[]„“",;.')
        if bare in rules.UNITS or bare.startswith("§"):
            return True
        if not (bare in rules.JOINS or bare[:1].isdigit()):
            return False
    return before[-1].startswith("§")
