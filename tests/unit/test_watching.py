"""What a look at a watched folder asks for."""

import pytest

from bot.watching import Kept, Look, Stamp, Steps, steps

OLD, NEW = Stamp(10, 1), Stamp(12, 2)


def kept(**stamps: Stamp | None) -> dict[str, Kept]:
    return {f"{name}.md": Kept(name, stamp, "hash", ours=True) for name, stamp in stamps.items()}


def seen(*unclear: str, **stamps: Stamp) -> Look:
    return Look({f"{name}.md": stamp for name, stamp in stamps.items()}, frozenset(unclear))


def test_a_new_file_is_taken_when_two_looks_find_it_the_same():
    """One look is not enough: the file may still be written."""
    assert steps({}, {}, None, seen(a=NEW)) == Steps()
    assert steps({}, {}, seen(), seen(a=NEW)) == Steps()
    assert steps({}, {}, seen(a=OLD), seen(a=NEW)) == Steps()
    assert steps({}, {}, seen(a=NEW), seen(a=NEW)) == Steps(ingest=("a.md",))


def test_a_file_is_taken_again_only_when_it_has_changed():
    """Size and time of change tell."""
    assert steps(kept(a=NEW), {}, seen(a=NEW), seen(a=NEW)) == Steps()
    assert steps(kept(a=OLD), {}, seen(a=NEW), seen(a=NEW)) == Steps(ingest=("a.md",))


def test_a_file_whose_taking_was_cut_short_is_taken_again():
    """A crash between the intention and its end leaves no stamp."""
    assert steps(kept(a=None), {}, seen(a=NEW), seen(a=NEW)) == Steps(ingest=("a.md",))


def test_a_file_that_failed_waits_for_a_change():
    """A broken file is not tried again at every look."""
    assert steps({}, {"a.md": NEW}, seen(a=NEW), seen(a=NEW)) == Steps()
    assert steps({}, {"a.md": OLD}, seen(a=NEW), seen(a=NEW)) == Steps(ingest=("a.md",))


def test_a_file_has_vanished_when_two_looks_miss_it():
    """An editor that writes by renaming makes a file vanish for a moment."""
    both = kept(a=OLD, b=OLD)
    assert steps(both, {}, seen(a=OLD, b=OLD), seen(b=OLD)) == Steps()
    assert steps(both, {}, seen(b=OLD), seen(b=OLD)) == Steps(vanished=("a.md",))


@pytest.mark.parametrize(("now", "warning"), [(None, "missing"), (seen(), "empty")])
def test_a_folder_that_went_away_withdraws_nothing(now: Look | None, warning: str):
    """A mount that is gone looks missing or empty; what is known stays known, however long it lasts."""
    for before in (seen(a=OLD), seen(), None):
        assert steps(kept(a=OLD), {}, before, now) == Steps(warning=warning)


def test_after_the_folder_is_back_nothing_vanishes_at_the_first_look():
    """A mount that comes back file by file gets a second look."""
    both = kept(a=OLD, b=OLD)
    assert steps(both, {}, None, seen(b=OLD)) == Steps()
    assert steps(both, {}, seen(), seen(b=OLD)) == Steps()


def test_what_cannot_be_looked_at_has_not_vanished():
    """An unreadable part of the folder says nothing about the files in it."""
    files = {"x/a.md": Kept("x/a", OLD, "hash", ours=True), "b.md": Kept("b", OLD, "hash", ours=True)}
    look = seen("x", c=OLD)
    assert steps(files, {}, look, look) == Steps(ingest=("c.md",), vanished=("b.md",))
