"""Results as a picture: the times of each side, and the rivals' times divided by ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tritonflow.bench.case import OURS
from tritonflow.bench.record import Results
from tritonflow.bench.table import setting_text
from tritonflow.errors import ArgumentValueError

SIDES = ("#1f5fa8", "#c2571a", "#6b6b6b", "#7a4fa3", "#4d8a3d")
VERDICTS = {"faster": "#2a7f62", "slower": "#b8433a", "same": "#8a8a8a", "too uneven to tell": "#d3b45c"}
MOST = 120  # rows of one picture


def draw(results: Results, path: Path) -> None:
    """Write a picture, in the format that the file's name says.

    Raises:
        ValueError: Matplotlib is not installed, or nothing was measured.
    """
    pyplot = _pyplot()
    rows = [row for row in results.rows if "sides" in row]
    if not rows:
        raise ArgumentValueError(f"{path}: there is nothing to draw")
    rows = rows[:MOST][::-1]
    rivals = list(dict.fromkeys(name for row in rows for name in row["vs"]))
    figure, axes = pyplot.subplots(
        1, 2 if rivals else 1, figsize=(11 if rivals else 8, 1.4 + 0.24 * len(rows) * max(1, len(rivals))), sharey=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    _draw_times(axes[0][0], rows, [OURS, *rivals])
    if rivals:
        _draw_ratios(axes[0][1], rows, rivals)
    about = results.about
    where = about.get("gpu") or f"{about.get('cpu')}, {about.get('threads')} threads"
    title = f"{where}; torch {about.get('torch')}, triton {about.get('triton')}; {about.get('date')}"
    figure.suptitle(title, fontsize=8, color="#555555")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=140)
    pyplot.close(figure)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise ArgumentValueError("--plot needs Matplotlib, which is not installed; help: pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def check_installed() -> None:
    """Say at once, not after an hour, that pictures cannot be drawn.

    Raises:
        ValueError: Matplotlib is not installed.
    """
    _pyplot()


def _label(row: Mapping[str, Any]) -> str:
    return f"{row['case']}  {setting_text(row)}".strip()


def _draw_times(axes: Any, rows: Sequence[Mapping[str, Any]], sides: Sequence[str]) -> None:
    """A dot a side at the median, a line from p20 to p80, on a logarithmic axis."""
    height = 0.5 / max(len(sides), 1)
    for number, side in enumerate(sides):
        found = [(at, row["sides"][side]) for at, row in enumerate(rows) if side in row["sides"]]
        ys = [at + 0.25 - height * (number + 0.5) for at, _ in found]
        middle = [times["p50"] * 1e6 for _, times in found]
        low, high = ([abs(times.get(p, times["p50"]) - times["p50"]) * 1e6 for _, times in found] for p in ("p20", "p80"))
        colour = SIDES[number % len(SIDES)]
        axes.errorbar(middle, ys, xerr=[low, high], fmt="o", markersize=4.5, color=colour, elinewidth=1.4, label=side)
        for at, times in found:
            if "cold" in times:
                axes.plot([times["cold"] * 1e6], [at + 0.25 - height * (number + 0.5)], "|", color=colour, markersize=7)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    cold = any("cold" in times for row in rows for times in row["sides"].values())
    axes.set_xlabel("microseconds of a call, p20 to p80" + ("; | with cold caches" if cold else ""), fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(sides), frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_ratios(axes: Any, rows: Sequence[Mapping[str, Any]], rivals: Sequence[str]) -> None:
    """A bar a rival from 1 to the median ratio, coloured by the verdict."""
    height = 0.72 / len(rivals)
    for number, rival in enumerate(rivals):
        for at, row in enumerate(rows):
            if (ratio := row["vs"].get(rival)) is None:
                continue
            y = at + 0.36 - height * (number + 0.5)
            axes.barh(y, ratio["p50"] - 1, left=1, height=height * 0.9, color=VERDICTS.get(ratio["verdict"], "#8a8a8a"))
            low, high = ratio.get("p20", ratio["p50"]), ratio.get("p80", ratio["p50"])
            axes.plot([low, high], [y, y], color="#333333", linewidth=0.9)
            text = f" {ratio['p50']:.2f}" + (f" {rival}" if len(rivals) > 1 else "")
            axes.text(max(high, ratio["p50"], 1.0), y, text, va="center", fontsize=7, color="#333333")
    axes.axvline(1, color="#222222", linewidth=0.9)
    axes.set_xscale("log", base=2)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.7), max(high * 1.35, 1.5))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(f"time of {' or '.join(rivals)} / ours: above 1 ours is faster", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    seen = list(dict.fromkeys(ratio["verdict"] for row in rows for ratio in row["vs"].values()))
    handles = [axes.barh([0], [0], color=VERDICTS[verdict], label=verdict) for verdict in VERDICTS if verdict in seen]
    axes.legend(handles=handles, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
