"""Which tables hold nothing but what can be built again from the events.

Keys, titles, headings and vectors of documents lie in them in the clear, since searches read them. So a backup takes
the tables without their rows, and a restore builds them anew.
"""

from typing import Final

VIEWS: Final = (
    "projection_positions",
    "projection_failures",
    "known_documents",
    "known_versions",
    "known_slices",
    "passage_versions",
    "passages",
    "passage_sections",
    "passage_vectors",
    "passage_encodings",
    "passage_weights",
    "weight_encodings",
    "runs",
    "looks",
    "run_citations",
    "run_changes",
    "runs_told",
)
"""Without ``projection_positions`` no projection counts as built, so none can be taken for whole while it is empty."""

COUNTED: Final = {
    "knowledge": ("known_documents", "known_versions", "known_slices"),
    "passages": ("passage_versions", "passages"),
    "sections": ("passage_sections",),
    "runs": ("runs", "run_citations", "run_changes"),
    "looks": ("looks",),
}
"""Which tables PostgreSQL has to count when a projection was built anew. Vectors and weights are read whole anyway."""

OF_A_MANDATE: Final = (
    "projection_failures",
    "known_documents",
    "known_versions",
    "known_slices",
    "passage_versions",
    "passages",
    "passage_sections",
    "passage_encodings",
    "weight_encodings",
    "runs",
    "looks",
    "run_citations",
    "run_changes",
)
"""Views with a row for each thing of a mandate. What encoders make lies in a partition for each mandate besides."""

OF_A_VERSION: Final = (
    "known_versions",
    "known_slices",
    "passage_versions",
    "passages",
    "passage_sections",
    "passage_vectors",
    "passage_weights",
    "passage_encodings",
    "weight_encodings",
)
"""Views with rows for each version, by its ordinal."""
