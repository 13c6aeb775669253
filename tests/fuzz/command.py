"""The command of a fuzzer: seeds one after another in a process of its own, so that one that crashes or hangs is a finding as any other."""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import queue
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import tritonflow
from tests import where
from tests.fuzz.reduction import reduced

_BYTES = 8 << 30  # of memory, beyond which a program is wrong and others should not suffer
_SECONDS = 600  # that a seed may take by the clock, on a machine that is busy with other work


def report(seed: int, program: Callable[[int], Any], check: Callable[[Any], Any]) -> tuple[str, str]:
    """The kind of what is wrong with a seed's program, and a text with the smallest program that shows it; empty if nothing is."""
    whole = program(seed)
    first = check(whole)
    if first is None:
        return "", ""
    small = reduced(whole, check)
    found = check(small) or first  # what is seen once only is a finding, too
    return f"{found.kind}: {small.outline()}", f"seed {seed}: {found.text}\n\n{small.source(found.name)}"


def no_remarks() -> list[str]:
    """Of a fuzzer that has none."""
    return []


def main(
    path: str,
    doc: str | None,
    program: Callable[[int], Any],
    check: Callable[[Any], Any],
    remarks: Callable[[], list[str]] = no_remarks,
) -> int:
    """Run seeds until the time is over.

    Args:
        path: of the script, for the process that does the work.
        program: the program of a seed, with `source`, `statements` and `without`.
        check: what is wrong with it: a finding with `kind`, `text` and `name`, or None.
        remarks: what `check` noticed besides. How many seeds have each is printed at the end.
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--avoid", default="", help="a pattern: programs that have it are passed over")
    parser.add_argument("--count", type=int, default=1 << 62, help="so many seeds")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where our tensors are made (tests/where.py)")
    parser.add_argument("--failures", type=int, default=50, help="where to stop")
    parser.add_argument("--print", action="store_true", help="print the program of --seed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.print:
        print(program(options.seed).source())
        return 0
    if options.worker:
        _work(options, program, check, remarks)
        return 0
    count, failures, kinds = 0, 0, set()
    noticed: collections.Counter[str] = collections.Counter()
    for seed, kind, text, *noted in _results(path, options):
        count += 1
        noticed.update(*noted)
        if kind:
            failures += 1
            print(f"seed {seed}: {kind}, again" if kind in kinds else f"{text}\n{'-' * 100}", flush=True)
            kinds.add(kind)
        if failures == options.failures or count == options.count:
            break
    for remark, times in noticed.most_common():
        print(f"{times:6} ({times / count:.1%}) {remark}")
    print(f"{count} seeds, {failures} failures of {len(kinds)} kinds")
    return int(failures > 0)


def _work(options: Any, program: Callable[[int], Any], check: Callable[[Any], Any], remarks: Callable[[], list[str]]) -> None:
    """In the other process: a line for each seed before and after it."""
    noted: list[list[str]] = []

    def watched(program: Any) -> Any:
        found = check(program)
        noted.append(remarks())
        return found

    resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    if options.device != "cpu":
        where.begin(options.device)
        tritonflow.set_default_device(options.device)
    for seed in [options.seed] if options.seed is not None else itertools.count(options.start):
        print(json.dumps(["begin", seed]), flush=True)
        avoided = options.avoid and re.search(options.avoid, program(seed).source())
        noted[:] = []
        found = ("", "") if avoided else report(seed, program, watched)
        print(json.dumps(["end", seed, *found, noted[0] if noted else []]), flush=True)  # of the whole program


def _results(path: str, options: Any) -> Iterator[tuple[Any, ...]]:
    """What became of each seed: (seed, kind, text, remarks). A process that dies is followed by another one."""
    deadline, start = time.monotonic() + 60 * options.minutes, options.start
    while time.monotonic() < deadline:
        command = [sys.executable, "-X", "faulthandler", path, "--worker", "--start", str(start), "--avoid", options.avoid, "--device", options.device]
        command += [] if options.seed is None else ["--seed", str(options.seed)]
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        seed, over = None, False
        lines: queue.Queue[str | None] = queue.Queue()
        errors: list[str] = []
        threading.Thread(target=_read, args=(worker.stdout, lines.put), daemon=True).start()
        threading.Thread(target=_read, args=(worker.stderr, errors.append), daemon=True).start()
        try:
            while True:
                line = lines.get(timeout=_SECONDS)
                if line is None:
                    break
                what, seed, *rest = json.loads(line)
                if what == "end":
                    yield seed, *rest
                    start, seed = seed + 1, None
                    if time.monotonic() > deadline or options.seed is not None:
                        over = True
                        break
        except queue.Empty:
            yield seed or start, "hangs", f"seed {seed} hangs"
            start, seed = (seed or start) + 1, None
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
            code = worker.wait()
        if over:
            return
        if seed is not None:
            tail = "".join(e for e in errors if e)[-1500:]
            yield seed, f"dies {code}", f"seed {seed} ends the process ({code}); --print --seed {seed} shows it\n{tail}"
            start = seed + 1
            if options.seed is not None:
                return


def _read(stream: Any, put: Callable[[str | None], Any]) -> None:
    for line in stream:
        put(line)
    put(None)
