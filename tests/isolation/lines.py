"""Random command lines: for every command of the parser one that names own, foreign and made-up things."""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from bot.cli.main import build_parser
from bot.text import texts
from domain.mandates.models import MODEL_ROLES
from tests.isolation.worlds import CHANNELS, HIDDEN, KEYS, MANDATES, NAMES, PEOPLE

OPERATING: Final = frozenset(
    {
        "init",
        "demo",
        "serve",
        "doctor",
        "backup",
        "restore",
        "rebuild",
        "migrate",
        "keys rotate",
        "journal checkpoint",
        "journal rotate-key",
        "journal accept",
        "journal verify",
        "matrix reset",
        "matrix forget",
        "matrix trust",
        "matrix devices",
    }
)
"""Commands of whoever runs the installation, on the installation as a whole: they take no mandate and name none."""

MADE_UP: Final = "0d4e7a4e-5c52-4b8e-9d63-7f4f1d6a1c11"
QUESTIONS: Final = (
    "Wie lang ist die Kündigungsfrist?",
    "Wie lautet das Kennwort der Kammer?",
    "Wie hoch ist die Sondervergütung?",
    "Wie lange gilt die Aufbewahrungspflicht für Belege?",
    "Wann werden Anträge geprüft?",
    "Frist",
    "§ 5 VVG",
)
Words = st.SearchStrategy[tuple[object, ...]]


@dataclass(frozen=True)
class Name:
    """Something that each world has an id or an instant of its own for."""

    of: str


@dataclass(frozen=True)
class Foreign:
    """The id that something has in the one world (0) or the other (1); to the other it is made up."""

    of: str
    world: int


@dataclass(frozen=True)
class Target:
    """A file that is to be written."""

    suffix: str


def commands() -> frozenset[str]:
    """Return every command that the program's own parser knows, ``run show`` for one of a group."""
    return frozenset(_leaves(build_parser(texts("de")), ""))


def _leaves(parser: argparse.ArgumentParser, path: str) -> Iterator[str]:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield path
    for group in groups:
        for name, inner in group.choices.items():
            yield from _leaves(inner, f"{path} {name}".strip())


def prepared(folder: Path) -> Path:
    """Write the files that lines name; they are the same for both worlds."""
    mandates = [key for pair in MANDATES.values() for key in pair]
    keys = [key for ring in KEYS.values() for key in ring]
    lines: list[dict[str, object]] = [{"mandate": mandate} for mandate in (*mandates, "nirgends")]
    lines += [{"document": key} for key in (*keys, "nirgends")]
    lines += [{"scope": f"B,{mandate}"} for mandate in mandates]
    lines += [{"channel": channel} for pair in CHANNELS.values() for channel in pair]
    batch = [{"id": number, "question": QUESTIONS[number % 3], **one} for number, one in enumerate(lines)]
    _lines(folder / "batch.jsonl", batch)
    answers = [{"id": key, "question": "Frist?", "answers": [f"{key}@1:0-20"]} for key in keys]
    _lines(folder / "labels.jsonl", [*answers, {"id": "none", "question": "Kennwort?", "answers": []}])
    _lines(folder / "pairs.jsonl", [{"id": "1", "sentence": "Es regnet.", "passage": "Es regnet nicht."}])
    watched = folder / "watched"
    watched.mkdir()
    (watched / "neu.txt").write_text("Die Widerrufsfrist beträgt vierzehn Tage.", encoding="utf-8")
    (folder / "neu.txt").write_text("Die Widerrufsfrist beträgt dreißig Tage.", encoding="utf-8")
    return folder


def _lines(file: Path, entries: list[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries), encoding="utf-8")


class Lines:
    """Lines for the people of a ring.

    Args:
        ring: which.
        files: what ``prepared`` has written.
    """

    def __init__(self, ring: int, files: Path) -> None:
        self._files = files
        hidden = frozenset[str]().union(*(HIDDEN[one] for one in range(ring + 1)))
        every = frozenset[str]().union(*HIDDEN.values())
        foreign = [Foreign(name, world) for name in sorted(hidden) for world in (0, 1)]
        self._ids = [*foreign, *map(Name, sorted(every - hidden)), Name("run:eve"), MADE_UP]
        self._ring = ring
        self.people = st.sampled_from(PEOPLE[ring])
        self.mandates = st.sampled_from([*["B"] * 8, "E", "L", *_all(MANDATES), "nirgends"])
        self.keys = st.sampled_from([*_all(KEYS), "offen", "offen", "pflichten", "eigenes", "nirgends"])
        # Who administers a mandate keeps its documents in order whatever their own clearance: they know of them.
        written = [key for one, keys in KEYS.items() for key in keys if one != 1 or ring != 1]
        self.written = st.sampled_from([*written, "pflichten", "nirgends"])
        # Of two mandates only one can have a name or a channel, so a name that is taken is told to be.
        claimed = [name for one, names in CHANNELS.items() for name in names if one > ring]
        self.claimed = st.sampled_from([*claimed, "#neu", ""])
        self.channels = st.sampled_from([*_all(CHANNELS), "#nirgends"])
        self.users = st.sampled_from([*_all(PEOPLE), *_all(NAMES), "nirgends", "a b"])
        self.levels = st.sampled_from(["public", "internal", "secret", "streng"])
        self.instants = st.sampled_from(
            [Name("t0"), Name("t1"), Name("t2"), "2026-01-01", "2999-01-01", "gestern", "0001-01-01"]
        )
        self.days = st.sampled_from(["2019-06-01", "2026-01-01", "2999-01-01", "heute"])
        self.reasons = st.sampled_from(["Anlass", "Anlass", " "])

    def of(self, command: str) -> st.SearchStrategy[tuple[object, ...]]:
        """Return lines of a command."""
        shown = st.sampled_from([(), ("--json",), ("--json",), ("--lang", "en")])
        arguments = self._drivers[command]
        return st.builds(lambda words, more: (*command.split(), *words, *more), arguments, shown)

    def any(self) -> st.SearchStrategy[tuple[object, ...]]:
        """Return lines of any command."""
        return st.sampled_from(sorted(self._drivers)).flatmap(self.of)

    @property
    def driven(self) -> frozenset[str]:
        """Return the commands that lines are made of."""
        return frozenset(self._drivers)

    def ids(self, kind: str) -> st.SearchStrategy[object]:
        """Return ids, mostly those of a kind: ``run``, ``change`` or ``hold``."""
        fitting = [one for one in self._ids if isinstance(one, str) or one.of.startswith(f"{kind}:")]
        return st.sampled_from([*fitting, *fitting, *self._ids])

    @cached_property
    def _drivers(self) -> Mapping[str, Words]:
        return {**self._of_mandates(), **self._of_policies(), **self._of_knowledge(), **self._of_questions()}

    def _of_mandates(self) -> dict[str, Words]:
        mandate, user, because = self.mandates, self.users, _option("--because", self.reasons, must=True)
        return {
            "mandate open": _words(st.sampled_from(["Neu", "E", "nochmal neu", "L"]), _flag("--library")),
            "mandate list": _words(),
            "mandate show": _words(mandate, _option("--at", self.instants)),
            "mandate subscribe": _words(mandate, mandate),
            "mandate admit": _words(mandate, user, _option("--clearance", self.levels, must=True)),
            "mandate clear": _words(mandate, user, self.levels),
            "mandate role": _words(mandate, user, st.sampled_from(["member", "compliance", "administrator", "chef"])),
            "mandate remove": _words(mandate, st.sampled_from([*_all(NAMES), "nirgends"])),
            "mandate bind": _words(mandate, self.claimed, _option("--ceiling", self.levels, must=True)),
            "mandate unbind": _words(self.channels),
            "mandate release-domain": _words(mandate, st.sampled_from(["a.example", "x.example", "https://a"])),
            "mandate hold": _words(mandate, because, _option("--person", user)),
            "mandate holds": _words(mandate),
            "mandate release-hold": _words(mandate, self.ids("hold"), because),
            "mandate retention": _words(mandate, _flag("--propose")),
            "level list": _words(mandate),
            "level define": _words(mandate, st.just("public"), st.sampled_from(["secret", "public"])),
            "level assign": _words(self.written, self.levels, self._mandate),
            "erase person": _words(user, because),
            "erase mandate": _words(mandate, because),
        }

    def _of_policies(self) -> dict[str, Words]:
        mandate, because = self.mandates, _option("--because", self.reasons, must=True)
        names, values = ["relevance", "coverage", "failed_searches", "nichts"], ["0.1", "0.9", "allow_one", "viel"]
        models = st.sampled_from(["eins/1", "fundstelle"])
        return {
            "policy show": _words(mandate, _option("--at", self.instants)),
            "policy set": _words(mandate, st.sampled_from(names), st.sampled_from(values), because),
            "policy pending": _words(mandate, _flag("--decided")),
            "policy approve": _words(self.ids("change")),
            "policy reject": _words(self.ids("change"), _option("--because", self.reasons)),
            "policy consent": _words(
                self.ids("change"), st.just("link_domain"), st.just("a.example"), _target("--out", ".json")
            ),
            "model list": _words(mandate),
            "model swap": _words(st.sampled_from([*MODEL_ROLES, "keins"]), self._mandate, because),
            "model retire": _words(models, self._mandate, because),
        }

    def _of_knowledge(self) -> dict[str, Words]:
        because, file = _option("--because", self.reasons, must=True), st.just(str(self._files / "neu.txt"))
        level, as_user = _option("--level", self.levels, must=True), self._as_user
        anchors = st.builds(
            lambda key, version, end: f"{key}@{version}:0-{end}",
            self.keys,
            st.integers(1, 3),
            st.sampled_from([20, 54, 9999]),
        )
        return {
            "ingest": _words(file, self._mandate, level, _option("--document", self.written, must=True)),
            "withdraw": _words(self.written, self._mandate, because),
            "known": _words(self._mandate, _option("--at", self.instants), _option("--valid-on", self.days), as_user),
            "diff": _words(
                self._mandate,
                _option("--from", self.instants, must=True),
                _option("--to", self.instants, must=True),
                _option("--valid-on", self.days),
                as_user,
            ),
            "show": _words(anchors, self._mandate, _option("--context", st.sampled_from(["0", "2"])), as_user),
            "watch": _words(
                st.just(str(self._files / "watched")),
                self._mandate,
                level,
                st.just("--once"),
                st.just("--interval=0.1"),
            ),
            "verify": _words(st.just(str(self._files / "pairs.jsonl"))),
        }

    def _of_questions(self) -> dict[str, Words]:
        run, as_user, at = self.ids("run"), self._as_user, _option("--at", self.instants)
        scopes = st.builds(lambda one, other: f"{one},{other}", self.mandates, self.mandates)
        narrowed = (
            self._mandate,
            _option("--scope", self.mandates | scopes),
            _option("--document", self.keys),
            at,
            _option("--valid-on", self.days),
            as_user,
        )
        asked = st.sampled_from(QUESTIONS)
        batch = _words(_option("--batch", st.just(str(self._files / "batch.jsonl")), must=True), self._mandate)
        labels = st.just(str(self._files / "labels.jsonl"))
        period = (_option("--from", self.instants), _option("--to", self.instants), _option("--person", self.users))
        return {
            "ask": _words(asked, *narrowed, _option("--channel", self.channels)) | batch,
            "search": _words(asked, *narrowed) | batch,
            "chat": _words(self._mandate, as_user),
            "run list": _words(self._mandate, *period, at, as_user),
            "run show": _words(run, at, as_user),
            "run views": _words(self._mandate, as_user),
            "run replay": _words(run, as_user),
            "run resume": _words(run, as_user),
            "run diff": _words(run, _option("--at", self.instants, must=True), as_user),
            "journal prove": _words(run, _target("--out", ".zip"), as_user),
            "journal export": _words(self._mandate, *period, _option("--run", run), _target("--out", ".zip"), as_user),
            "eval retrieval": _words(labels, self._mandate, at, as_user),
            "eval gate": _words(labels, self._mandate, at, as_user),
        }

    @property
    def _mandate(self) -> Words:
        return _option("--mandate", self.mandates, must=True)

    @property
    def _as_user(self) -> Words:
        """Return nothing, or that who asks is named as well."""
        return _option("--as", st.just(Name("person")))


def _all(rings: Mapping[int, tuple[str, ...]]) -> list[str]:
    return [one for names in rings.values() for one in names]


def _words(*parts: st.SearchStrategy[object]) -> Words:
    joined: Callable[..., tuple[object, ...]] = lambda *found: tuple(  # noqa: E731 - named for its type
        word for one in found for word in (one if isinstance(one, tuple) else (one,))
    )
    return st.builds(joined, *parts)


def _option(name: str, values: st.SearchStrategy[object], *, must: bool = False) -> Words:
    given: Words = st.builds(lambda value: (name, value), values)
    return given if must else st.just(()) | given


def _flag(name: str) -> Words:
    return st.sampled_from([(), (name,)])


def _target(name: str, suffix: str) -> Words:
    return st.just((name, Target(suffix)))
