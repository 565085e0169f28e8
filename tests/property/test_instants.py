"""Days and instants as people write them."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.errors import InputError
from domain.instants import parse_beginning, parse_day, parse_instant, parse_period

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ZONES = st.sampled_from(
    ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo", "UTC", "America/New_York"]
)
PAST_DAYS = st.dates(date(1900, 1, 1), date(2026, 11, 28))
MICROSECOND = timedelta(microseconds=1)


@given(PAST_DAYS, ZONES)
def test_a_bare_day_is_its_last_moment(day: date, zone: str) -> None:
    """The instant of a day belongs to it, and one microsecond later the next day has begun, daylight saving or not."""
    instant = parse_instant(day.isoformat(), zone, NOW)
    local = instant.astimezone(ZoneInfo(zone)).date()
    following = (instant + MICROSECOND).astimezone(ZoneInfo(zone)).date()
    assert local <= day < following


@given(PAST_DAYS, ZONES)
def test_later_days_are_later_instants(day: date, zone: str) -> None:
    """Days keep their order."""
    assert parse_instant(day.isoformat(), zone, NOW) <= parse_instant((day + timedelta(days=1)).isoformat(), zone, NOW)


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2026, 11, 28)),  # noqa: DTZ001 - the offset is drawn beside it
    st.integers(-23 * 60, 23 * 60),
    ZONES,
)
def test_an_instant_with_offset_is_itself(moment: datetime, minutes: int, zone: str) -> None:
    """An offset settles the instant, whatever the mandate's zone."""
    meant = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert parse_instant(meant.isoformat(), zone, NOW) == meant


@given(st.text(max_size=40))
def test_anything_else_is_an_input_error(text: str) -> None:
    """No text whatever ends in another exception."""
    with suppress(InputError):
        assert parse_instant(text, "Europe/Berlin", NOW) <= NOW


@example(date(2011, 12, 30), date(2011, 12, 30), "Pacific/Apia")
@given(PAST_DAYS, PAST_DAYS, ZONES)
def test_a_period_goes_from_its_first_day_to_the_end_of_its_last(one: date, other: date, zone: str) -> None:
    """A day alone is a period; the wrong way round is told, and either end may be open."""
    first, last = sorted((one, other))
    since, until = parse_period(first.isoformat(), last.isoformat(), zone, NOW)
    assert (since, until) == (parse_beginning(first.isoformat(), zone, NOW), parse_instant(last.isoformat(), zone, NOW))
    assert parse_period(None, last.isoformat(), zone, NOW) == (None, until)
    if first < last:
        with pytest.raises(InputError, match="instants_backwards"):
            parse_period(last.isoformat(), first.isoformat(), zone, NOW)


@given(PAST_DAYS, ZONES)
def test_a_day_begins_where_the_one_before_ends(day: date, zone: str) -> None:
    """Between the last moment of a day and the beginning of the next lies one microsecond."""
    end = parse_instant((day - timedelta(days=1)).isoformat(), zone, NOW)
    assert parse_beginning(day.isoformat(), zone, NOW) == end + MICROSECOND


@given(st.text(max_size=40) | st.dates().map(date.isoformat), ZONES)
def test_a_beginning_is_past_or_an_input_error(text: str, zone: str) -> None:
    """No text and no day of the calendar ends in another exception."""
    with suppress(InputError):
        assert parse_beginning(text, zone, NOW) <= NOW


@given(st.datetimes(), st.integers(-1439, 1439), ZONES)
def test_an_instant_can_be_shown_by_the_clock_of_its_mandate(moment: datetime, minutes: int, zone: str) -> None:
    """What is taken has a day in the mandate's zone, at either end of the calendar as well."""
    text = moment.replace(tzinfo=timezone(timedelta(minutes=minutes))).isoformat()
    with suppress(InputError):
        assert parse_instant(text, zone, NOW).astimezone(ZoneInfo(zone)) <= NOW


@pytest.mark.parametrize(
    ("text", "zone", "meant"),
    [
        ("2026-11-30", "Europe/Berlin", "2026-11-29T23:00:00+00:00"),
        ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00+00:00"),
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00+00:00"),
        ("0001-01-01", "Europe/Berlin", "0001-01-01T00:00:00+00:00"),
        ("0001-01-01", "America/New_York", "0001-01-01T04:56:02+00:00"),
        ("2026-01-31T12:00+01:00", "Asia/Tokyo", "2026-01-31T11:00:00+00:00"),
    ],
)
def test_known_beginnings(text: str, zone: str, meant: str) -> None:
    """A day begins by the clock of the mandate's zone, where midnight is skipped with the first moment there is."""
    assert parse_beginning(text, zone, NOW) == datetime.fromisoformat(meant)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2026-12-01", "instant_future"),
        ("9999-12-31", "instant_future"),
        ("2026-11-30T13:00:01+01:00", "instant_future"),
        ("2026-02-30", "day"),
        ("gestern", "instant"),
    ],
)
def test_what_is_no_past_beginning(text: str, key: str) -> None:
    """The future is no beginning either."""
    with pytest.raises(InputError) as caught:
        parse_beginning(text, "Europe/Berlin", NOW)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("text", "zone", "meant"),
    [
        ("2026-03-29", "Europe/Berlin", "2026-03-29T21:59:59.999999+00:00"),
        ("2026-03-28", "Europe/Berlin", "2026-03-28T22:59:59.999999+00:00"),
        ("2026-10-25", "Europe/Berlin", "2026-10-25T22:59:59.999999+00:00"),
        ("2026-10-24", "Europe/Berlin", "2026-10-24T21:59:59.999999+00:00"),
        ("2026-11-30", "Europe/Berlin", "2026-11-30T12:00:00+00:00"),
        ("2026-01-31T12:00+01:00", "Asia/Tokyo", "2026-01-31T11:00:00+00:00"),
        ("2026-01-31T12:00:00Z", "Asia/Tokyo", "2026-01-31T12:00:00+00:00"),
        ("0001-01-01", "Europe/Berlin", "0001-01-01T23:06:31.999999+00:00"),
    ],
)
def test_known_instants(text: str, zone: str, meant: str) -> None:
    """A day ends by the clock of the mandate's zone; today means now."""
    assert parse_instant(text, zone, NOW) == datetime.fromisoformat(meant)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2026-12-01", "instant_future"),
        ("9999-12-31", "instant_future"),
        ("2026-11-30T12:00:01Z", "instant_future"),
        ("2026-01-31T12:00", "instant"),
        ("2026-01-31 12:00+01:00", "instant"),
        ("2026-13-01T00:00Z", "instant"),
        ("2026-02-30", "day"),
        ("20260131", "instant"),
        ("2026-W05", "instant"),
        ("0001-01-01T00:00+14:00", "instant"),
        ("2026-01-31T24:01Z", "instant"),
        ("2016-12-31T23:59:60Z", "instant"),
        ("9999-12-31T23:59-12:00", "instant"),
        ("10000-01-01", "instant"),
        ("2026-01-31T12:00+24:00", "instant"),
        ("gestern", "instant"),
        ("", "instant"),
        ("２０２６-01-31", "instant"),
    ],
)
def test_what_is_no_past_instant(text: str, key: str) -> None:
    """The future, a missing offset and what is no date are refused, each in its own words."""
    with pytest.raises(InputError) as caught:
        parse_instant(text, "Europe/Berlin", NOW)
    assert caught.value.key == key


def test_days() -> None:
    """A day is written in one form only."""
    assert parse_day("2026-01-31") == date(2026, 1, 31)
    for text in ("31.01.2026", "2026-1-31", "2026-02-29", "2026-01-31T00:00Z", ""):
        with pytest.raises(InputError):
            parse_day(text)
