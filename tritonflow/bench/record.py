"""Results as files: JSON with every time, and CSV with a line for each side of a row."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tritonflow.errors import FileFormatError

FORMAT = 1
COLUMNS = (
    "case", "group", "params", "side", "p20_us", "p50_us", "p80_us", "cold_us", "GB_per_s", "GFLOP_per_s", "roof", "launches",
    "first_ms", "compiled", "check", "error", "ratio_p20", "ratio_p50", "ratio_p80", "verdict", "date", "device", "problem",
)  # fmt: skip


@dataclass
class Results:
    """Rows, and what they are of.

    Attributes:
        about: machine, versions, and how was measured.
        rows: one a case.
    """

    about: dict[str, Any] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """As JSON, a row a line, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        rows = ",\n".join(json.dumps(_rounded(row), default=str) for row in self.rows)
        about = json.dumps(self.about, indent=1, default=str)
        partial.write_text(f'{{"format": {FORMAT}, "about": {about}, "rows": [\n{rows}\n]}}\n')
        partial.replace(path)

    @classmethod
    def read(cls, path: Path) -> Results:
        """From JSON.

        Raises:
            RuntimeError: the file is not there, or of another form.
        """
        try:
            found = json.loads(path.read_text())
        except FileNotFoundError:
            raise FileFormatError(str(path), "there is no such file") from None
        except OSError as error:
            raise FileFormatError(str(path), f"it cannot be read: {error.strerror}") from None
        except (ValueError, UnicodeDecodeError) as error:
            raise FileFormatError(str(path), f"no JSON: {error}") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise FileFormatError(str(path), f"no results of tritonflow.bench in format {FORMAT}")
        return cls(found["about"], found["rows"])

    def write_csv(self, path: Path) -> None:
        """As CSV."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", newline="") as file:
            self._write_lines(file)

    def _write_lines(self, file: TextIO) -> None:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for row in self.rows:
            writer.writerows(_lines(row, self.about))


def _rounded(value: Any) -> Any:
    """Numbers with five digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return {key: _rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


def key_of(row: Mapping[str, Any]) -> str:
    """What makes two rows of the same case."""
    return " ".join([row["case"], *(f"{name}={value}" for name, value in row["params"].items())])


def _lines(row: Mapping[str, Any], about: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    common = {
        "case": row["case"], "group": row["group"], "params": " ".join(f"{k}={v}" for k, v in row["params"].items()),
        "date": about.get("date", ""), "device": about.get("gpu") or about.get("cpu", ""), "problem": row.get("problem", ""),
    }  # fmt: skip
    if "sides" not in row:
        yield common
    for number, (side, times) in enumerate(row.get("sides", {}).items()):
        line = {**common, "side": side, **{f"{name}_us": _scaled(times.get(name), 1e6) for name in ("p20", "p50", "p80", "cold")}}
        if number == 0:
            line |= _of_ours(row)
        elif (ratio := row.get("vs", {}).get(side)) is not None:
            line |= {f"ratio_{name}": _scaled(ratio.get(name), 1) for name in ("p20", "p50", "p80")}
            line["verdict"] = ratio["verdict"]
        yield line


def _of_ours(row: Mapping[str, Any]) -> dict[str, Any]:
    check = row.get("check", {})
    return {
        "GB_per_s": _scaled(row.get("bytes_per_s"), 1e-9), "GFLOP_per_s": _scaled(row.get("flops_per_s"), 1e-9),
        "roof": _scaled(row.get("roof"), 1), "launches": row.get("launches"), "first_ms": _scaled(row.get("first_s"), 1e3),
        "compiled": row.get("compiled"), "check": check.get("status"), "error": check.get("error"),
    }  # fmt: skip


def _scaled(value: float | None, factor: float) -> float | str:
    return "" if value is None else float(f"{value * factor:.5g}")
