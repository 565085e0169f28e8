"""The words of passages: what the searches see of each, and what a reader gets."""

from collections.abc import Sequence

from domain.knowledge.events import VersionIngested
from domain.knowledge.search_text import search_text
from domain.knowledge.text import Page, Span


def passage_search_text(title: str, section: Sequence[str], lead_in: str, words: str, markup: str) -> str:
    """Return the search text of a passage: title and headings, lead-in, words, each on a line of its own.

    A passage of a statute rarely names its act; with the title, questions that do name it find it.

    Args:
        title: title of the version when it was ingested.
        section: heading path, plain text.
        lead_in: stored form, empty where there is none.
        words: stored form.
        markup: of the stored text.
    """
    parts = (title, *section, search_text(lead_in, markup).text, search_text(words, markup).text)
    return "\n".join(part for part in parts if part)


def search_texts(version: VersionIngested, text: str) -> list[str]:
    """Return the search texts of a version's passages, in order, given its stored text."""
    return [
        passage_search_text(
            version.title,
            passage.section,
            passage.lead_in.of(text) if passage.lead_in else "",
            passage.span.of(text),
            version.markup,
        )
        for passage in version.passages
    ]


def page_of(pages: Sequence[Page], span: Span) -> Page | None:
    """Return the page on which ``span`` begins."""
    begun = [page for page in pages if page.start <= span.start]
    return begun[-1] if begun else None
