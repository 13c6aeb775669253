"""Measuring cases one after the other: what a row of the results holds."""

from __future__ import annotations

import contextlib
import gc
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch

import tritonflow as flow
from tritonflow import triton_cpu
from tritonflow.bench import machine
from tritonflow.bench.case import OURS, Case, Context, Timed
from tritonflow.bench.check import Correctness, check, compared
from tritonflow.bench.commit import CommitProcess
from tritonflow.bench.cost import launches_of
from tritonflow.bench.discover import Request
from tritonflow.bench.libraries import timed_once
from tritonflow.bench.rivals import COMMIT, RivalCall, burst_for, rival_of
from tritonflow.bench.roof import MeasuredRoof
from tritonflow.bench.timing import Effort, alternate, cold_times
from tritonflow.bench.verdict import SLOWED, Quantiles, verdict_of_rounds
from tritonflow.device.lost_context import is_lost
from tritonflow.settings import settings

Row = dict[str, Any]
CONTROL = "control"
CACHES = ("warm", "cold")


@dataclass(frozen=True)
class BenchOptions:
    """How to measure.

    Attributes:
        vs: rivals, as `rivals.py` names them.
        effort: the time for a case.
        cache: "warm", or "cold" for times of single calls whose data are in no cache.
        clock: of a CPU, "wall" or "cpu".
        check: whether results are compared with a reference.
    """

    context: Context = Context()
    vs: Sequence[str] = ()
    effort: Effort = Effort()
    cache: str = "warm"
    clock: str = "wall"
    check: bool = True
    request: Request = field(default_factory=Request)


class Measures(Protocol):
    """Who measures cases: this process (`Session`), or one that is watched (`watched.WatchedSession`)."""

    options: BenchOptions
    survives: bool  # a lost context, by another process

    def head(self) -> dict[str, Any]: ...

    def roof_now(self) -> dict[str, Any]: ...

    def measure(self, case: Case) -> Row | None: ...


class Session:
    """Measures cases on one device. Used as a context, it ends the processes of other commits."""

    survives = False

    def __init__(self, options: BenchOptions) -> None:
        self.options = options
        self._exit = contextlib.ExitStack()
        self.roof = MeasuredRoof(options.context.device)
        context = options.context
        request = {
            "device": context.device, "tiny": context.tiny, "threads": flow.get_num_threads(), "clock": options.clock,
            "find": asdict(options.request),
        }  # fmt: skip
        self._commits = {
            name: self._exit.enter_context(CommitProcess(name.removeprefix(COMMIT), request))
            for name in options.vs
            if name.startswith(COMMIT)
        }

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: Any) -> None:
        self._exit.close()

    def head(self) -> dict[str, Any]:
        """What stands at the head of results."""
        options = self.options
        how = {"vs": list(options.vs), "cache": options.cache, "clock": options.clock, "tiny": options.context.tiny}
        return {**machine.about(options.context.device), **how, "effort": asdict(options.effort), "roof": self.roof_now()}

    def roof_now(self) -> dict[str, Any]:
        """The roof as it is known by now."""
        return self.roof.as_dict()

    def measure(self, case: Case) -> Row | None:
        """A row; None where the case has no call of ours, such as the gradient of an op without one.

        A case that fails is a row with a `problem` and a `trace`. Where `lost` is true, the device's context is: this process can
        measure nothing more.
        """
        row = row_of(case)
        try:
            found = self._measured(case, row)
        except Exception as error:  # one case must not end the run
            return _failed(row, error)
        try:
            gc.collect()
            flow.empty_cache()
        except Exception as error:  # of a kernel that nothing has waited for yet
            return _failed(row, error)
        return found

    def _measured(self, case: Case, row: Row) -> Row | None:
        compiled = triton_cpu.compile_count()
        timed = case.build(OURS, self.options.context)
        if timed is None:
            return None
        result, first = timed_once(timed.call)
        row["first_s"] = first if timed.first is None else timed.first
        row["compiled"] = triton_cpu.compile_count() - compiled
        precision = self.roof.precision(timed.products) if timed.products else ""
        found = check(timed, result, precision) if self.options.check else Correctness("unchecked", why="by --no-check")
        row["check"] = asdict(found)
        row["launches"] = launches_of(timed.call)
        rivals, row["absent"] = self._rivals(case, timed, result)
        del result
        row.update(self._times(timed, rivals))
        self._add_rates(row, timed)
        return row

    def _rivals(self, case: Case, timed: Timed, result: Any) -> tuple[dict[str, RivalCall], dict[str, str]]:
        """The rivals that compute the same, and why the others are absent."""
        context = self.options.context
        found: dict[str, RivalCall] = {}
        absent: dict[str, str] = {}
        for name in self.options.vs:
            try:
                rival = rival_of(name, case, timed, context, self.options.clock, self._commits)
            except Exception as error:  # torch.compile, or another commit
                absent[name] = f"{type(error).__name__}: {error}"[:200]
                continue
            if rival is None:
                absent[name] = "it has no such call"
                continue
            found[name] = rival
            if rival.result is not None and timed.checked:
                same = compared(rival.result(), result, timed.op_class)
                if same.status == "wrong":
                    absent[name] = f"it computes something else: {same.why}"
                    del found[name]
        return found, absent

    def _times(self, timed: Timed, rivals: dict[str, RivalCall]) -> Row:
        options, context = self.options, self.options.context
        finish = flow.sync if settings.vm_mode == "threaded" else None
        bursts = {OURS: burst_for(timed.call, context, timed.host, finish, options.clock)}
        bursts |= {name: rival.burst for name, rival in rivals.items()}
        cold: dict[str, list[float]] | None = {} if timed.host or options.cache == "warm" and not options.effort.cold else None
        if options.cache == "cold" and not timed.host:
            effort = options.effort
            times = cold_times(bursts, context.device, max(effort.rounds, effort.least))
            control = [self.roof.control_burst(options.clock)(1) for _ in range(effort.least)]
        else:
            times = alternate({**bursts, CONTROL: self.roof.control_burst(options.clock)}, options.effort)
            control = times.pop(CONTROL)
            if cold is None:
                cold = cold_times(bursts, context.device, options.effort.cold)
        self.roof.learn(control)
        speed = self.roof.speed(control)
        row: Row = {"load": machine.load(), "mhz": machine.megahertz(), "times": times}
        row |= {"control": Quantiles.of(control).p50, "speed": speed}
        row["sides"] = {name: Quantiles.of(values).as_dict() for name, values in times.items()}
        for name, values in (cold or {}).items():
            if values:
                row["sides"][name]["cold"] = Quantiles.of(values).p50
        row["vs"] = {}
        for name in rivals:
            quantiles, verdict = verdict_of_rounds(times[OURS], times[name], alone=speed >= SLOWED)
            row["vs"][name] = {**quantiles.as_dict(), "verdict": verdict.value}
        return row

    def _add_rates(self, row: Row, timed: Timed) -> None:
        """Bytes and operations a second, and the share of the roof, of what launches something."""
        seconds = row["sides"][OURS]["p50"]
        if not row["launches"] or timed.host:
            return
        row["bytes"], row["flops"], row["bar"] = timed.bytes, timed.flops, timed.bar
        row["bytes_per_s"] = timed.bytes / seconds if timed.bytes else None
        row["flops_per_s"] = timed.flops / seconds if timed.flops else None
        row["roof"] = self.roof.share(timed, seconds)
        row["doubt"] = self.roof.doubt(row["roof"], row["speed"])


def row_of(case: Case) -> Row:
    """A row that has no result yet."""
    return {"case": case.name, "group": case.group, "params": dict(case.params)}


def _failed(row: Row, error: Exception) -> Row:
    trace = "".join(traceback.format_exception(error)[-12:])
    lost = {"lost": True} if is_lost(trace) else {}
    with contextlib.suppress(Exception):  # the context may be lost
        gc.collect()
        flow.empty_cache()
    return {**row, "problem": f"{type(error).__name__}: {error}"[:300], "trace": trace[-4000:], **lost}


@contextlib.contextmanager
def empty_kernel_cache() -> Iterator[None]:
    """Kernels are compiled anew, and are not stored where others find them."""
    with tempfile.TemporaryDirectory(prefix="tritonflow-bench-") as folder, settings.override(cache_dir=Path(folder)):
        yield


def use_threads(count: int | None) -> None:
    """Both libraries compute with so many threads, or torch with as many as we do."""
    if count is not None:
        flow.set_num_threads(count)
    torch.set_num_threads(flow.get_num_threads())


def measured(
    cases: Sequence[Case], session: Measures, until: float | None = None, seen: Callable[[int, Case], None] | None = None
) -> Iterator[Row]:
    """The rows of the cases that have a call, one by one.

    Args:
        until: a time of `time.monotonic`, after which no case begins.
        seen: called with each case's number and the case before it is measured.

    Behind a lost context no row follows, unless the session survives it.
    """
    for at, case in enumerate(cases):
        if until is not None and time.monotonic() > until:
            return
        if seen is not None:
            seen(at, case)
        row = session.measure(case)
        if row is not None:
            yield row
            if row.get("lost") and not session.survives:
                return
