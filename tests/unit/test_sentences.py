"""Hard cases of sentence splitting."""

from domain.knowledge.sentences import split


def sentences(text: str, markup: str = "plain") -> list[str]:
    return [span.of(text) for span in split(text, markup)]


def test_abbreviations_of_a_citation_do_not_end_a_sentence() -> None:
    """A legal citation stays inside its sentence, and the date inside the last."""
    text = (
        "Nach § 13 Abs. 1 Nr. 3 KSchG i. V. m. § 626 BGB ist die Kündigung z. B. unwirksam. "
        "Siehe S. 12 f. und Rn. 5 ff. der Kommentierung. Die Frist endet am 3. Oktober 2025."
    )
    assert sentences(text) == [
        "Nach § 13 Abs. 1 Nr. 3 KSchG i. V. m. § 626 BGB ist die Kündigung z. B. unwirksam.",
        "Siehe S. 12 f. und Rn. 5 ff. der Kommentierung.",
        "Die Frist endet am 3. Oktober 2025.",
    ]
