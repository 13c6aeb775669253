"""The command line of roads, and the process of a single one."""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpu.processes import Processes
from gpu.roads.registry import Road, roads
from gpu.roads.runs import FirstClosed, run_roads


def run_one(road: Road, seconds: float, stand_in: bool) -> bool:
    """Run a road in this process, which ends itself if the road has no end; print its row."""
    from gpu.roads import stage

    faulthandler.dump_traceback_later(seconds, exit=True)
    stage.stand_in = stand_in
    try:
        row: dict[str, Any] = {"ok": True, "text": road.function()()}
    except BaseException as error:
        frames = "".join(traceback.format_exception(error)[-8:])
        row = {"ok": False, "text": f"{type(error).__name__}: {error}"[:1200], "trace": frames[-3000:]}
        row |= _lost(frames)
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps({"road": road.name, **row}, default=str), flush=True)
    return bool(row["ok"])


def _lost(text: str) -> dict[str, bool]:
    try:
        from tritonflow.device.lost_context import is_lost
    except Exception:  # what cannot be imported is told by the road
        return {}
    return {"lost": True} if is_lost(text) else {}


def _parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m gpu.roads", description="Each way to a GPU once.")
    found.add_argument("names", nargs="*", metavar="NAME")
    found.add_argument("--list", action="store_true", help="print the roads, and run none")
    found.add_argument("--stand-in", action="store_true", help="on the stand-in for a GPU")
    found.add_argument("--file", type=Path, action="append", default=[], help="roads of this file, instead of the project's")
    found.add_argument("--jobs", type=int, default=8, help="side by side (8)")
    found.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="of one road (60)")
    found.add_argument("--one", action="store_true", help="run one road in this process")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. The status is 0, 1 where a road is closed, 3 where one of the first is."""
    given = _parser().parse_args(arguments)
    known = roads(given.stand_in, given.file)
    chosen = [known[name] for name in given.names] or list(known.values())
    if given.list:
        print("\n".join(f"{road.name:32} {road.shows}" for road in chosen))
        return 0
    if given.one:
        ok = run_one(chosen[0], given.limit, given.stand_in)
        sys.stdout.flush()
        if given.stand_in and ok:
            os._exit(0)  # what the stand-in leaves at the end does not matter
        return int(not ok)
    with tempfile.TemporaryDirectory() as folder, Processes(Path(folder)) as processes:
        rows: list[dict[str, Any]] = []
        try:
            run_roads(chosen, processes, given.jobs, given.limit, time.monotonic() + 1e6, given.stand_in, rows.append)
        except FirstClosed as error:
            print(error)
            return 3
    closed = [row["road"] for row in rows if not row["ok"]]
    print(f"{len(rows) - len(closed)} of {len(rows)} roads are open" + (f"; closed: {', '.join(closed)}" if closed else ""))
    return int(bool(closed))


if __name__ == "__main__":
    sys.exit(main())
