"""The names under which events are stored, and how older shapes become the current one.

A topic is ``NAME:VERSION``; it is ours, not a module path, so classes may move. When the shape of an event changes in
a way that a default value does not cover, its version rises, and an upcaster turns the JSON of the version before into
the new one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from adapters.eventstore.codec import UnknownShapeError
from domain.asking import events as asking
from domain.asking import outcome
from domain.asking.naming import SectionsNamed
from domain.asking.replaying import RunReplayed
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.substitutes import ModelsSubstituted
from domain.asking.verdicts import ClaimsChecked, VerdictReached
from domain.erasing import events as erasing
from domain.journal import events as journal
from domain.journal.viewing import RecordViewed
from domain.knowledge import events as knowledge
from domain.mandates import events as mandates
from domain.recording import Event

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


class Topics:
    """Event classes by stored name.

    Args:
        current: name, current version and class of each event.
        upcasters: by name and version; turns the JSON of that version into the JSON of the next.
    """

    def __init__(
        self,
        current: Iterable[tuple[str, int, type[Event]]],
        upcasters: Mapping[tuple[str, int], Upcaster],
    ) -> None:
        rows = list(current)
        self._classes = {name: (version, cls) for name, version, cls in rows}
        self._topics = {cls: f"{name}:{version}" for name, version, cls in rows}
        if not len(rows) == len(self._classes) == len(self._topics):
            raise ValueError("an event or a name is listed twice")
        self._upcasters = dict(upcasters)

    def topic(self, cls: type[Event]) -> str:
        """Return the topic that events of ``cls`` are stored under now.

        Raises:
            KeyError: the class is not listed.
        """
        return self._topics[cls]

    def names(self, classes: Iterable[type[Event]]) -> list[str]:
        """Return the names under which events of ``classes`` are stored, in whatever version.

        Raises:
            KeyError: a class is not listed.
        """
        return [self._topics[cls].rpartition(":")[0] for cls in classes]

    def current(self, topic: str, document: dict[str, Any]) -> tuple[type[Event], dict[str, Any]]:
        """Return the class of a stored topic, and ``document`` in its current shape.

        Raises:
            UnknownShapeError: the topic is unknown, or of a later version than this program knows.
        """
        name, _, stored = topic.rpartition(":")
        version, cls = self._classes.get(name, (0, Event))
        if not stored.isdecimal() or not 1 <= int(stored) <= version:
            raise UnknownShapeError(topic)
        for step in range(int(stored), version):
            document = self._upcasters[name, step](document)
        return cls, document

    def classes(self) -> tuple[type[Event], ...]:
        """Return all event classes."""
        return tuple(self._topics)


TOPICS: Final = Topics(
    current=(
        ("MandateOpened", 1, mandates.MandateOpened),
        ("LibrarySubscribed", 1, mandates.LibrarySubscribed),
        ("LevelDefined", 1, mandates.LevelDefined),
        ("MemberAdmitted", 1, mandates.MemberAdmitted),
        ("RoleGiven", 1, mandates.RoleGiven),
        ("ClearanceChanged", 1, mandates.ClearanceChanged),
        ("MemberRemoved", 1, mandates.MemberRemoved),
        ("ChannelBound", 1, mandates.ChannelBound),
        ("ChannelUnbound", 1, mandates.ChannelUnbound),
        ("LinkDomainReleased", 1, mandates.LinkDomainReleased),
        ("ChangeProposed", 1, mandates.ChangeProposed),
        ("ChangeApproved", 1, mandates.ChangeApproved),
        ("ChangeRejected", 1, mandates.ChangeRejected),
        ("ThresholdProposed", 1, mandates.ThresholdProposed),
        ("ThresholdSet", 1, mandates.ThresholdSet),
        ("RuleProposed", 1, mandates.RuleProposed),
        ("RuleSet", 1, mandates.RuleSet),
        ("ModelBound", 1, mandates.ModelBound),
        ("ModelRetired", 1, mandates.ModelRetired),
        ("ErasureProposed", 1, erasing.ErasureProposed),
        ("DueListed", 1, erasing.DueListed),
        ("ErasureBegun", 1, erasing.ErasureBegun),
        ("ErasureDone", 1, erasing.ErasureDone),
        ("HoldPlaced", 1, erasing.HoldPlaced),
        ("HoldLifted", 1, erasing.HoldLifted),
        ("DocumentRegistered", 1, knowledge.DocumentRegistered),
        ("VersionIngested", 1, knowledge.VersionIngested),
        ("VersionSuperseded", 1, knowledge.VersionSuperseded),
        ("VersionCorrected", 1, knowledge.VersionCorrected),
        ("LevelAssigned", 1, knowledge.LevelAssigned),
        ("DocumentWithdrawn", 1, knowledge.DocumentWithdrawn),
        ("IngestFailed", 1, knowledge.IngestFailed),
        ("QuestionAsked", 1, asking.QuestionAsked),
        ("ModelsSubstituted", 1, ModelsSubstituted),
        ("SectionsNamed", 1, SectionsNamed),
        ("QuestionEncoded", 1, asking.QuestionEncoded),
        ("CandidatesRetrieved", 1, asking.CandidatesRetrieved),
        ("CandidatesFused", 1, asking.CandidatesFused),
        ("CandidatesReranked", 1, asking.CandidatesReranked),
        ("PassagesSelected", 1, asking.PassagesSelected),
        ("RelevanceDecided", 1, asking.RelevanceDecided),
        ("AnswerDrafted", 1, outcome.AnswerDrafted),
        ("AnchorsResolved", 1, outcome.AnchorsResolved),
        ("CoverageDecided", 1, outcome.CoverageDecided),
        ("ClaimsChecked", 1, ClaimsChecked),
        ("VerdictReached", 1, VerdictReached),
        ("AnswerDiscarded", 1, outcome.AnswerDiscarded),
        ("AnswerDelivered", 1, outcome.AnswerDelivered),
        ("AnswerRefused", 1, outcome.AnswerRefused),
        ("RunFailed", 1, outcome.RunFailed),
        ("AnswerErased", 1, outcome.AnswerErased),
        ("RunResumed", 1, outcome.RunResumed),
        ("RunReplayed", 1, RunReplayed),
        ("FeedbackGiven", 1, outcome.FeedbackGiven),
        ("SourceChangeNotified", 1, SourceChangeNotified),
        ("AsOfResolved", 1, journal.AsOfResolved),
        ("RecordViewed", 1, RecordViewed),
        ("ErasureOrdered", 1, journal.ErasureOrdered),
        ("PersonKeyShredded", 1, journal.PersonKeyShredded),
        ("MandateKeyShredded", 1, journal.MandateKeyShredded),
        ("JournalKeyTaken", 1, journal.JournalKeyTaken),
        ("CheckpointSigned", 1, journal.CheckpointSigned),
        ("CheckpointCosigned", 1, journal.CheckpointCosigned),
    ),
    upcasters={},
)
