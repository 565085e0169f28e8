"""Units of measure, what they measure, and how often something happens.

Units of one kind are converted where law and daily life count them alike: a week is seven days, a year twelve
months, an hour sixty minutes. A month is no number of weeks and a day no number of hours.
"""

from typing import Final, NamedTuple

from domain.verifying.tokens import base


class Unit(NamedTuple):
    """What is measured, and how many of the smallest measure one unit is."""

    kind: str
    factor: float


_FORMS: Final[dict[Unit, str]] = {
    Unit("second", 1): "sekunde sekunden second seconds",
    Unit("hour", 1 / 60): "minute minuten minutes min",
    Unit("hour", 1): "stunde stunden zeitstunde zeitstunden hour hours std",
    Unit("day", 1): "tag tage tagen tages kalendertag kalendertage kalendertagen day days",
    Unit("workday", 1): "werktag werktage werktagen werktages",
    Unit("workingday", 1): "arbeitstag arbeitstage arbeitstagen arbeitstages bankarbeitstag bankarbeitstage",
    Unit("day", 7): "woche wochen kalenderwoche kalenderwochen week weeks",
    Unit("doubleweek", 1): "doppelwoche doppelwochen",
    Unit("month", 1): "monat monate monaten monats monates kalendermonat kalendermonate kalendermonaten month months",
    Unit("quarter", 1): "quartal quartale quartalen kalendervierteljahr kalendervierteljahres quarter quarters",
    Unit("month", 12): (
        "jahr jahre jahren jahres kalenderjahr kalenderjahre kalenderjahren"
        " lebensjahr lebensjahre lebensjahres year years"
    ),
    Unit("month", 6): "halbjahr halbjahre halbjahren",
    Unit("month", 3): "vierteljahr vierteljahre vierteljahren",
    Unit("month", 120): "jahrzehnt jahrzehnte jahrzehnten decade decades",
    Unit("day", 14): "fortnight fortnights",
    Unit("eur", 1): "euro euros eur €",
    Unit("eur", 1000): "teur",
    Unit("eur", 0.01): "cent cents",
    Unit("dem", 1): "mark dm",
    Unit("usd", 1): "dollar dollars usd $",
    Unit("gbp", 1): "pfund pound pounds gbp £",
    Unit("chf", 1): "franken chf francs",
    Unit("percent", 1): "prozent % percent hundert prozentpunkt prozentpunkte prozentpunkten",
    Unit("permille", 1): "promille ‰",
    Unit("length", 1000): "kilometer kilometern kilometers kilometre kilometres km",
    Unit("length", 1): "meter metern meters metre metres m",
    Unit("length", 0.01): "zentimeter zentimetern centimetre centimetres centimeter centimeters cm",
    Unit("length", 0.001): "millimeter millimetern millimetre millimetres mm",
    Unit("feet", 1): "feet foot fuß",
    Unit("mile", 1): "mile miles meile meilen",
    Unit("mass", 1): "kilogramm kilogramms kilogram kilograms kg kilo",
    Unit("mass", 0.001): "gramm gram grams g",
    Unit("mass", 1000): "tonne tonnen tonnes t",
    Unit("area", 1): "quadratmeter quadratmetern qm m²",
    Unit("area", 10_000): "hektar hectare hectares ha",
    Unit("litre", 1): "liter litern litre litres liters",
    Unit("degree", 1): "grad degrees degree °",
    Unit("clock", 1): "uhr",
    Unit("times", 1): "mal male times",
}
UNITS: Final = {base(form): unit for unit, text in _FORMS.items() for form in text.split()}

ADJECTIVES: Final = {
    "sekundig": Unit("second", 1),
    "minutig": Unit("hour", 1 / 60),
    "stundig": Unit("hour", 1),
    "tagig": Unit("day", 1),
    "werktagig": Unit("workday", 1),
    "wochig": Unit("day", 7),
    "monatig": Unit("month", 1),
    "jahrig": Unit("month", 12),
    "malig": Unit("times", 1),
    "fach": Unit("times", 1),
    "prozentig": Unit("percent", 1),
}
"""Endings of adjectives such as "vierwöchig" and "300-jährig"."""

SCALES: Final = {
    "de": {
        "tausend": 1e3, "tsd": 1e3, "dutzend": 12, "million": 1e6, "millionen": 1e6, "mio": 1e6,
        "milliarde": 1e9, "milliarden": 1e9, "mrd": 1e9,
        "billion": 1e12, "billionen": 1e12,
    },
    "en": {
        "thousand": 1e3, "dozen": 12, "million": 1e6, "millions": 1e6, "bn": 1e9, "billion": 1e9, "billions": 1e9,
        "trillion": 1e12, "hundred": 1e2,
    },
}  # fmt: skip

FRACTIONS: Final = {
    "dreiviertel": 3 / 4,
    "halfte": 1 / 2, "half": 1 / 2, "drittel": 1 / 3, "drittels": 1 / 3, "dritteln": 1 / 3, "third": 1 / 3,
    "thirds": 1 / 3, "viertel": 1 / 4, "viertels": 1 / 4, "vierteln": 1 / 4, "quarter": 1 / 4,
    "quarters": 1 / 4, "funftel": 1 / 5,
    "funfteln": 1 / 5, "fifth": 1 / 5, "fifths": 1 / 5, "sechstel": 1 / 6, "achtel": 1 / 8, "zehntel": 1 / 10,
    "zehnteln": 1 / 10, "tenth": 1 / 10, "tenths": 1 / 10, "zwolftel": 1 / 12, "hundertstel": 1 / 100,
}  # fmt: skip

_RATES: Final = {
    "hour": "stündlich stundenweise hourly",
    "day": "täglich tageweise tagtäglich daily",
    "workday": "werktäglich arbeitstäglich",
    "week": "wöchentlich allwöchentlich weekly",
    "month": "monatlich monatsweise allmonatlich monthly",
    "quarter": "vierteljährlich quartalsweise quarterly",
    "halfyear": "halbjährlich",
    "year": "jährlich alljährlich yearly annual annually",
}
RATES: Final = {base(form): rate for rate, text in _RATES.items() for form in text.split()}
"""How often, by adverb or adjective without its ending."""

RATE_NOUNS: Final = {
    "stunde": "hour", "zeitstunde": "hour", "hour": "hour", "tag": "day", "day": "day", "woche": "week",
    "week": "week", "monat": "month", "month": "month", "jahr": "year", "kalenderjahr": "year", "year": "year",
    "werktag": "workday", "nacht": "night", "night": "night", "quartal": "quarter", "quarter": "quarter",
    "kalendermonat": "month",
}  # fmt: skip
