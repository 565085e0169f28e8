"""What somebody has written, without what their program has put around it."""

import pytest

from bot.matrix.words import mentions, with_id, without_mention, without_quote
from tests.unit.matrix.replay import ANNA, BOT

URL = f"https://matrix.to/#/{BOT.replace('@', '%40').replace(':', '%3A')}"


def _pill(body: str, name: str = "Fundstelle", of: str = BOT) -> dict[str, object]:
    return {"body": body, "formatted_body": f'<p>vor <a href="https://matrix.to/#/{of}">{name}</a> nach</p>'}


JANA, MALLORY = "@jana:x.example", "@mallory:x.example"
NAMED = "!mitglied Jana Müller internal"


def _chosen(person: str = JANA, name: str = "Jana Müller") -> str:
    return f'<a href="https://matrix.to/#/{person}">{name}</a>'


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("Fundstelle: Was gilt?", "Was gilt?"),
        ("Fundstelle Was gilt?", "Was gilt?"),
        ("Was gilt, Fundstelle", "Was gilt,"),
        ("Was sagt Fundstelle dazu?", "Was sagt dazu?"),
        (f"{BOT}: Was gilt?", "Was gilt?"),
        ("Was gilt?", "Was gilt?"),
        ("Fundstelle", ""),
    ],
)
def test_the_words_that_link_to_us_are_taken_away(body: str, words: str) -> None:
    """Once, with the colon after them."""
    assert without_mention(body, _pill(body), BOT) == words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"[Fundstelle](https://matrix.to/#/{BOT}): Was gilt?", "Was gilt?"),
        (f"[{BOT}](https://matrix.to/#/{BOT}) !hilfe", "!hilfe"),
        (f"Was sagt [Fundstelle]({URL}) zu [1](https://x.example)?", "Was sagt zu [1](https://x.example)?"),
        (f'<a data-mention-type="user" href="{URL}" contenteditable="false">Fundstelle</a> Was gilt?', "Was gilt?"),
        ("@Fundstelle Was gilt?", "Was gilt?"),
        ("post@Fundstelle Was gilt?", "post@ Was gilt?"),
        (f"[Anna](https://matrix.to/#/{ANNA}) Was gilt?", f"[Anna](https://matrix.to/#/{ANNA}) Was gilt?"),
    ],
)
def test_a_link_that_a_program_leaves_in_the_plain_text_is_taken_away(body: str, words: str) -> None:
    """As Element X does and Element with formatted text; a command behind it is one, and other links stay."""
    assert without_mention(body, _pill(body), BOT) == words


def test_a_link_of_the_other_kind_means_us_as_well() -> None:
    """The specification has two: by a site, and by a scheme of its own."""
    html = f'<a href="matrix:u/{BOT.removeprefix("@")}">Fundstelle</a>: Was gilt?'
    assert without_mention("Fundstelle: Was gilt?", {"formatted_body": html}, BOT) == "Was gilt?"


@pytest.mark.parametrize("piece", ["[", "[](", "[a](b", "](", "<a href='x'>x", "@"])
def test_sixty_kilobytes_of_text_are_read_at_once(piece: str) -> None:
    """Anybody in a room may send them."""
    body = piece * (60_000 // len(piece))
    assert without_mention(body, {}, BOT) == body
    assert without_mention(f"{body} [Fundstelle]({URL})", {}, BOT) == body
    links = "".join(_chosen(BOT, f"n{number}") for number in range(900))
    assert without_mention(body, {"formatted_body": links}, BOT) == body
    assert with_id(body, links.replace(BOT, JANA), BOT) == ""


@pytest.mark.parametrize("piece", ["<a ", "<![", "<!--", "<a x=", "<a href='", "</", "&#", "<a href='x'>x"])
def test_sixty_kilobytes_of_html_are_read_at_once(piece: str) -> None:
    """Anybody in a room may send them: nothing raises, nothing takes longer the more there is, and our link counts."""
    link = f'<a href="https://matrix.to/#/{BOT}">Fundstelle</a>'
    html = link + piece * (60_000 // len(piece))
    assert without_mention("Fundstelle: Was gilt?", {"formatted_body": html}, BOT) == "Was gilt?"


def test_a_link_to_somebody_else_takes_nothing_away() -> None:
    """Whoever is called as we are stays in the question."""
    body = "Fundstelle: Was gilt?"
    assert without_mention(body, _pill(body, of=ANNA), BOT) == body
    assert (
        without_mention(body, {"formatted_body": f'<a href="https://böse.example/#/{BOT}">Fundstelle</a>'}, BOT) == body
    )


@pytest.mark.parametrize(
    ("words", "html", "told"),
    [
        (NAMED, f"!mitglied {_chosen()} internal", f"!mitglied {JANA} internal"),
        (f"!mitglied [Jana](https://matrix.to/#/{JANA}) weg", f"!mitglied {_chosen()} weg", f"!mitglied {JANA} weg"),
        ("!mitglied @Mi internal", f"!mitglied {_chosen(name='Mi')} internal", f"!mitglied {JANA} internal"),
        (NAMED, f"{_chosen(BOT, 'Fundstelle')}: !mitglied {_chosen()} internal", f"!mitglied {JANA} internal"),
        (NAMED, f"<mx-reply>{_chosen(MALLORY)}</mx-reply>!mitglied {_chosen()} internal", f"!mitglied {JANA} internal"),
        (NAMED, f"<mx-reply>{_chosen(MALLORY)}</mx-reply>!mitglied Jana Müller internal", ""),
        (NAMED, f"{_chosen(MALLORY)} {_chosen()}", ""),
        (NAMED, _chosen(name="Müll"), ""),
        (NAMED, "", ""),
    ],
)
def test_who_is_chosen_from_a_list_is_meant_by_the_identity_behind_the_name(words: str, html: str, told: str) -> None:
    """Only where one person is meant; what a quote says of somebody of that name does not count."""
    assert with_id(words, html, BOT) == told


@pytest.mark.parametrize("html", ["<a href=", '<a href="http://[">x</a>', "<" * 1000, "</a></a><a>", None, 5])
def test_broken_html_takes_nothing_away(html: object) -> None:
    """It names nobody."""
    assert without_mention("Was gilt?", {"formatted_body": html}, BOT) == "Was gilt?"


@pytest.mark.parametrize(
    ("named", "means_us"),
    [({"user_ids": [ANNA, BOT]}, True), ({"user_ids": [ANNA]}, False), ({"user_ids": BOT}, False), ([BOT], False)],
)
def test_a_mention_is_a_list_with_us_in_it(named: object, means_us: bool) -> None:  # noqa: FBT001 - a parameter
    """The room as a whole means nobody in particular."""
    assert mentions({"m.mentions": named}, BOT) is means_us
    assert not mentions({"m.mentions": {"room": True}}, BOT)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"> <{ANNA}> Sechs Monate\n> ab heute\n\nStimmt das?", "Stimmt das?"),
        (f"> * <{ANNA}> winkt\n\nStimmt das?", "Stimmt das?"),
        (f"> <{ANNA}> nur das Zitat", ""),
        ("> § 5 gilt nicht\n\nStimmt das?", "> § 5 gilt nicht\n\nStimmt das?"),
        ("Stimmt das?\n> nein", "Stimmt das?\n> nein"),
    ],
)
def test_only_the_quote_of_the_specification_is_taken_away(body: str, words: str) -> None:
    """What a person quotes themselves belongs to the question."""
    assert without_quote(body) == words
