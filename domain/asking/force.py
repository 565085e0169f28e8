"""Step 11: whether what is cited is still in force, and since when it no longer is."""

from dataclasses import dataclass
from datetime import date

from domain.asking.visibility import Visible, VisibleVersion


@dataclass(frozen=True, slots=True)
class Term:
    """From when to when a version is in force, seen from a day.

    Attributes:
        start: first day, ``None`` for open; ``end``: first day that is out, ``None`` for open.
        is_coming: the version has not begun yet.
    """

    start: date | None
    end: date | None
    is_coming: bool = False


def term(
    valid_from: date | None, valid_to: date | None, *, in_force: bool, ended_on: date | None, today: date
) -> Term | None:
    """Return the term of a version, ``None`` for one that is out of force with no day known to say since when."""
    if in_force:
        return Term(valid_from, valid_to)
    if valid_from is not None and valid_from > today:
        return Term(valid_from, valid_to, is_coming=True)
    return None if ended_on is None else Term(valid_from, ended_on)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is in force as known today, as far as the asker may see it.

    Attributes:
        today: the versions in force today.
        then: those in force on a day on which the versions in question were taken to be.
    """

    today: Visible
    then: Visible

    def in_force(self, version: VisibleVersion) -> bool:
        """Say whether ``version`` is in force today."""
        return version.ordinal in self.today.versions

    def ended_on(self, version: VisibleVersion) -> date | None:
        """Return since when a version is no longer in force, ``None`` if no day says so (it was withdrawn)."""
        if self.in_force(version):
            return None
        end = self.then.versions.get(version.ordinal, version).valid_to
        if end is not None and end <= self.today.horizon.valid_on:
            return end
        return None if version.ordinal in self.then.versions else self._successor(version)

    def _successor(self, version: VisibleVersion) -> date | None:
        """Return the beginning of today's version of the document, if it came after ``version``."""
        found = (one.valid_from for one in self.today.versions.values() if one.document == version.document)
        start = next(found, None)
        return start if start and (version.valid_from is None or start > version.valid_from) else None
