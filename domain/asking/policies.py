"""The numbers of a question, each with its reason."""

from typing import Final

CANDIDATES: Final = 20
"""Passages that each search may name; more only adds passages that no other search supports."""

SEARCH_SECONDS: Final = 30.0
"""A search that has not answered by then counts as failed; nobody waits longer for an answer."""

RERANKED: Final = 10
"""Best fused candidates that the slower model reads together with the question."""

SENTENCES: Final = 3
"""Sentences of an answer at most; a person wants the answer, not the chapter."""

CLOSE: Final = 0.8
"""A further sentence must score at least this share of the best one, or it only dilutes the answer."""

BESIDE_THE_POINT: Final = 0.7
"""What is left of a sentence's worth when a time, an amount or a meaning is asked for and it holds none."""

NAMED: Final = 0.25
"""What a row of a table gains when the question names one of its values: then its headings fit as well."""

LIST_ITEMS: Final = 10
"""Items of an enumeration that an answer quotes at most; a longer one is opened at its source."""

LIST_CHARACTERS: Final = 1_000
"""Code points of an enumeration that an answer quotes at most, for the same reason."""

NEAREST: Final = 3
"""Passages that a refusal names, so that the asker can look for themselves."""

QUESTION_LENGTH: Final = 4_000
"""Code points of a question at most; what is longer is a document."""
