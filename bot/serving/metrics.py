"""What an instance counts, for Prometheus. Labels are words of ours: no room, no person, no mandate, no text."""

from collections.abc import Callable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
UNFORESEEN: Final = "unforeseen"


class Metrics:
    """The numbers of one instance."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._questions = Counter(
            "fundstelle_questions", "Questions that have ended, by outcome.", ["outcome"], registry=self._registry
        )
        self._steps = Histogram(
            "fundstelle_step_seconds",
            "How long the steps of questions took, the whole question among them.",
            ["step"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._errors = Counter(
            "fundstelle_errors", "Errors, by the part that caused them.", ["part"], registry=self._registry
        )

    def ended(self, outcome: str, timings_ms: Mapping[str, float]) -> None:
        """Count a question that has ended, and what its steps took."""
        self._questions.labels(outcome).inc()
        for step, milliseconds in timings_ms.items():
            self._steps.labels(step).observe(milliseconds / 1000)
        if timings_ms:
            self._steps.labels("whole").observe(sum(timings_ms.values()) / 1000)

    def failed(self, part: str) -> None:
        """Count an error; ``part``: key of the error, or ``UNFORESEEN``."""
        self._errors.labels(part).inc()

    def gauge(self, name: str, what: str, read: Callable[[], float]) -> None:
        """Tell a number that is read when it is asked for."""
        Gauge(f"fundstelle_{name}", what, registry=self._registry).set_function(read)

    def text(self) -> bytes:
        """Return all numbers in the text format of Prometheus."""
        return generate_latest(self._registry)
