"""Curves as SVG or PNG, drawn by matplotlib without a screen."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.files import shown
from bot.text import Texts
from domain.calibration.ranking import Quality
from domain.calibration.separation import Errors
from domain.errors import InputError

ENDINGS: Final = (".svg", ".png")
_SIZE: Final = (7.0, 4.2)
_COLOURS: Final = ("#0b5fa5", "#c2571a")


def must_be_plot(path: Path) -> None:
    """Refuse a file that cannot become a picture, before anything has been measured.

    Raises:
        InputError: ``plot_ending``, ``plot_folder``.
    """
    if path.suffix.lower() not in ENDINGS:
        raise InputError("plot_ending", file=shown(path))
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise InputError("plot_folder", file=shown(path))


def draw_recall(path: Path, qualities: Mapping[str, Quality], texts: Texts) -> None:
    """Draw the recall of each list over the depth.

    Args:
        path: where the picture goes.
        qualities: by the name that the legend shows.
        texts: the words of the picture.

    Raises:
        InputError: ``plot_folder`` when it cannot be written.
    """
    names = list(qualities)
    depths = list(next(iter(qualities.values())).recall)
    lines = [(name, depths, list(qualities[name].recall.values())) for name in names]
    axes = (texts("eval.depth"), texts("eval.recall_axis"))
    _draw(path, lines, axes, marker="o", point=texts("format.decimal"))


def draw_errors(path: Path, errors: Sequence[Errors], threshold: float | None, texts: Texts) -> None:
    """Draw both kinds of errors over the threshold, and where the threshold in force lies.

    Raises:
        InputError: ``plot_folder`` when it cannot be written.
    """
    places = [one.threshold for one in errors]
    lines = [
        (texts("eval.refused_answerable"), places, [one.refused_answerable.value for one in errors]),
        (texts("eval.passed_unanswerable"), places, [one.passed_unanswerable.value for one in errors]),
    ]
    upright = None if threshold is None else (texts("eval.threshold_in_force"), threshold)
    _draw(path, lines, (texts("eval.threshold"), texts("eval.share")), upright=upright, point=texts("format.decimal"))


def _draw(
    path: Path,
    lines: Sequence[tuple[str, Sequence[float], Sequence[float]]],
    axes: tuple[str, str],
    *,
    marker: str = "",
    upright: tuple[str, float] | None = None,
    point: str,
) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - 0.5 s that every other command saves

    figure = Figure(figsize=_SIZE, layout="constrained")
    plot = figure.subplots()
    for number, (name, places, values) in enumerate(lines):
        plot.plot(places, values, label=name, marker=marker, color=_COLOURS[number] if len(lines) == 2 else None)
    if upright is not None:
        plot.axvline(upright[1], label=upright[0], color="#555555", linestyle="--", linewidth=1)
    plot.set_xlabel(axes[0])
    plot.set_ylabel(axes[1])
    plot.set_ylim(-0.02, 1.02)
    for axis in (plot.xaxis, plot.yaxis):
        axis.set_major_formatter(lambda place, _: f"{place:.3g}".replace(".", point))
    plot.grid(alpha=0.3)
    plot.legend(frameon=False)
    try:
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise InputError("plot_folder", file=shown(path)) from error
