"""Guards: each looks at one kind of thing that a claim states and says how the evidence stands to it.

A guard is a function of an alignment and the passage that yields findings; what agrees is not mentioned. May import
the standard library and the domain.
"""

from collections.abc import Callable, Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.guards import (
    binding,
    comparisons,
    concessions,
    edits,
    hedges,
    modality,
    negation,
    numbers,
    offences,
    opposites,
    quantifiers,
    rates,
    reference,
    rivals,
    roles,
    stitching,
    times,
    titles,
)
from domain.verifying.passage import Passage
from domain.verifying.values import Finding

Guard = Callable[[Alignment, Passage], Iterator[Finding]]

GUARDS: Final[tuple[Guard, ...]] = (
    numbers.check,
    times.check,
    reference.check,
    rates.check,
    negation.check,
    opposites.check,
    modality.check,
    quantifiers.check,
    hedges.check,
    concessions.check,
    roles.check,
    rivals.check,
    binding.check,
    comparisons.check,
    stitching.check,
    edits.check,
    titles.check,
    offences.check,
)
