"""Days and instants as people write them."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.errors import InputError

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_INSTANT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)


def parse_day(text: str) -> date:
    """Return the day written as ``2026-01-31``.

    Raises:
        InputError: ``day``.
    """
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError("day", text=text)


def parse_instant(text: str, time_zone: str, now: datetime) -> datetime:
    """Return the instant meant by ``text``, in UTC.

    ISO 8601 with offset is that instant. A bare date is the last microsecond of that day in ``time_zone``, daylight
    saving included; the day that is today there means ``now``.

    Raises:
        InputError: ``instant`` (unreadable, or no offset), ``instant_future``.
    """
    zone = ZoneInfo(time_zone)
    instant = _end_of_day(text, zone, now) if _DAY.fullmatch(text) else _exact(text, zone)
    if instant > now:
        raise InputError("instant_future", instant=text)
    return instant


def parse_beginning(text: str, time_zone: str, now: datetime) -> datetime:
    """Return the instant from which ``text`` counts, in UTC: as ``parse_instant``, but a bare date begins its day.

    Raises:
        InputError: as ``parse_instant``, or ``day``.
    """
    if not _DAY.fullmatch(text):
        return parse_instant(text, time_zone, now)
    zone, day = ZoneInfo(time_zone), parse_day(text)
    if day > now.astimezone(zone).date():
        raise InputError("instant_future", instant=text)
    try:
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:
        # East of Greenwich the first day of the calendar begins before UTC can tell.
        return datetime.min.replace(tzinfo=UTC)


def parse_period(
    since: str | None, until: str | None, time_zone: str, now: datetime
) -> tuple[datetime | None, datetime | None]:
    """Return from when to when is meant, in UTC; both count, and a bare date is that whole day.

    Raises:
        InputError: as ``parse_beginning`` and ``parse_instant``, or ``instants_backwards``.
    """
    first = None if since is None else parse_beginning(since, time_zone, now)
    last = None if until is None else parse_instant(until, time_zone, now)
    # A day that a place has left out, to change to the other side of the date line, is empty and no mistake.
    if first is not None and last is not None and first > last and since != until:
        raise InputError("instants_backwards", earlier=since, later=until)
    return first, last


def _exact(text: str, zone: ZoneInfo) -> datetime:
    try:
        if _INSTANT.fullmatch(text):
            instant = datetime.fromisoformat(text).astimezone(UTC)
            # What has no day by the mandate's clock could not be shown later.
            instant.astimezone(zone)
            return instant
    except (ValueError, OverflowError):
        pass
    raise InputError("instant", text=text)


def _end_of_day(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    today = now.astimezone(zone).date()
    day = parse_day(text)
    if day == today:
        return now
    if day > today:
        raise InputError("instant_future", instant=text)
    midnight = datetime.combine(day + timedelta(days=1), time(), zone)
    return midnight.astimezone(UTC) - timedelta(microseconds=1)
