"""What steps would gain of more cores than this machine has: a simulation of the schedule of launches over threads.

    python bench/many_cores.py [NAME ...] [--line NANOSECONDS] [--feeds CORES] [--json FILE]

The launches of a compiled training step are recorded, and each is timed on one thread: 15 rounds, the median. Then the schedule
of `triton_cpu/runtime_ir.py` is simulated for 2 to 64 threads: parts, chunks, programs taken from others. What is assumed:

- programs of a launch take equal times, and as long beside others as alone;
- a line of the cache goes from core to core in `--line` ns, 100 unless given, and is nobody else's meanwhile;
- threads wait awake, and none has to share its core;
- memory feeds so many cores as `--feeds` says with launches that read and write 64 MiB or more.

Configurations are chosen for `--planned-for` threads. Printed are speed-ups by the threads, where they are told of a launch and of
its end by one counter, as they are, and by groups of 8. For 64 threads there is what the step's time is made of: launches that one
thread runs alone, launches of too few programs, and entering and leaving.
"""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "2")

import torch

import graph as graphs
import tritonflow as flow
from tritonflow.bench import machine
from tritonflow.bench.script import script_parser, write_results
from tritonflow.triton_cpu import launch, threads
from tritonflow.triton_cpu.program import NativeProgram

THREADS = (2, 4, 8, 16, 32, 64)
RECORD = 72  # bytes of a launch in a program's table
LARGE = 64 << 20
ROUNDS = 15


class Launch(NamedTuple):
    """A launch of a step.

    Attributes:
        name: of its kernel.
        programs: of its grid.
        alone: whether one thread runs it.
        seconds: on one thread.
        nbytes: read and written; 0 if not known.
    """

    name: str
    programs: int
    alone: bool
    seconds: float
    nbytes: int = 0


class Costs(NamedTuple):
    """What threads cost one another.

    Attributes:
        line: seconds for a line of the cache to come from another core.
        members: how many threads share the lines by which they are told of a launch, and of its end: one after the other within
            a group. All of them is one counter, as in libgomp.
        feeds: how many cores memory feeds.
    """

    line: float
    members: int = 64
    feeds: int = 12


# ------------------------------------------------------------------------------------------------------------- the simulation


def makespan(launch: Launch, threads: int, costs: Costs) -> float:
    """The seconds of a launch on so many threads, all of which enter it."""
    if launch.alone or threads < 2 or launch.programs < 2:
        return launch.seconds
    parts = min(threads, launch.programs, 64)
    each, total = launch.seconds / launch.programs, launch.programs
    chunk = max(1, total // (8 * threads))
    following = [number * total // parts for number in range(parts)]
    stops = [*following[1:], total]
    last = 0.0
    todo = [(_arrival(number, threads, costs), number, number % parts) for number in range(threads)]
    heapq.heapify(todo)
    while todo:  # who is next takes a chunk, of its own part first
        now, number, visited = heapq.heappop(todo)
        first = number % parts
        while visited < first + parts and following[visited % parts] >= stops[visited % parts]:
            visited += 1
        if visited == first + parts:
            last = max(last, now)
            continue
        at = visited % parts
        taken = min(chunk, stops[at] - following[at])
        following[at] += taken
        heapq.heappush(todo, (now + taken * each, number, visited))
    groups = -(-threads // costs.members)
    end = last + (groups + min(costs.members, threads)) * costs.line
    least = launch.seconds / min(threads, costs.feeds) if launch.nbytes >= LARGE else 0.0
    return max(end, least)


def _arrival(number: int, threads: int, costs: Costs) -> float:
    """When a thread has entered: groups are told one after the other, and the threads of a group, too."""
    if number == 0:
        return -(-threads // costs.members) * costs.line
    return (number // costs.members + 1 + number % costs.members + 1) * costs.line


def step_seconds(launches: Sequence[Launch], members: int, costs: Costs) -> float:
    """Of all launches."""
    return sum([makespan(each, members, costs) for each in launches])


def losses(launches: Sequence[Launch], members: int, costs: Costs) -> dict[str, float]:
    """What a step's time is made of, in parts of it."""
    whole = step_seconds(launches, members, costs)
    alone = sum([each.seconds for each in launches if each.alone or each.programs < 2])
    free = step_seconds(launches, members, costs._replace(line=0.0))
    work = sum([each.seconds for each in launches]) - alone
    ideal = work / members
    seconds = {"alone": alone, "few": free - alone - ideal, "entering": whole - free, "ideal": ideal}
    return {name: each / whole for name, each in seconds.items()}


# --------------------------------------------------------------------------------------------------------------- what is measured


def recorded(case: graphs.Case) -> list[Launch]:
    """The launches of a compiled training step, each timed on one thread."""
    model, optimizer, (x, target) = case.build(flow, case.model(torch).state_dict())

    @flow.compile
    def step() -> Any:
        optimizer.zero_grad()
        loss = case.loss(flow, model(x), target)
        loss.backward()
        optimizer.step()
        return loss

    programs: list[NativeProgram] = []
    run = NativeProgram.run

    def noted(self: NativeProgram, live: Sequence[Any]) -> None:
        programs.append(self)
        run(self, live)

    try:
        NativeProgram.run = noted  # type: ignore[method-assign]
        for _ in range(3):
            step()
    finally:
        NativeProgram.run = run  # type: ignore[method-assign]
    planned_for = flow.get_num_threads()
    flow.set_num_threads(1)
    found = list(_timed(programs[-1]))
    flow.set_num_threads(planned_for)
    return _with_bytes(found, step.explain().kernels)


def _with_bytes(launches: list[Launch], rows: Sequence[Any]) -> list[Launch]:
    """The launches with the bytes of the steps that they are of, where these are the same in number."""
    counts = [row.launches - row.folded for row in rows]
    if sum(counts) != len(launches):
        return launches
    of = [row for row, count in zip(rows, counts) for _ in range(count)]
    return [each._replace(nbytes=row.cost.bytes // max(1, row.launches)) for each, row in zip(launches, of)]


def _timed(program: NativeProgram) -> Iterator[Launch]:
    """Each launch of a program, run by itself. Those behind it run, too, in each round: all find the data of a step."""
    kernels = [kernel for rows in program._form._rows for kernel in rows._kernels]
    table, words = program._records.buffer_info()
    entry = launch.NativeEntry("launch", threads.start().code.address("tf_program"), "launch()")
    runs = [entry.builtin(b"".join(n.to_bytes(8, "little") for n in (table + RECORD * k, 1, 0))) for k in range(len(kernels))]
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(ROUNDS):
        for k, run in enumerate(runs):
            times[k].append(_seconds(run))
    assert words == 9 * len(runs)
    for k, kernel in enumerate(kernels):
        total, alone = program._records[9 * k + 1], program._records[9 * k + 5]
        yield Launch(kernel.name, total, bool(alone), sorted(times[k])[ROUNDS // 2])


def _seconds(run: Callable[[], Any]) -> float:
    begin = time.thread_time()  # which others on the machine change less
    run()
    return time.thread_time() - begin


def main() -> None:
    parser = script_parser(__doc__, names="cases of bench/graph.py; all unless told")
    parser.add_argument("--line", type=float, default=100.0, metavar="NANOSECONDS")
    parser.add_argument("--planned-for", type=int, default=2, metavar="THREADS")
    parser.add_argument("--feeds", type=int, default=12, metavar="CORES")
    options = parser.parse_args()
    costs = Costs(options.line * 1e-9, feeds=options.feeds)
    results: dict[str, Any] = {}
    print(f"{machine.processor()}; a line: {options.line:g} ns, memory for {options.feeds} cores")
    flow.set_num_threads(options.planned_for)  # before configurations are chosen
    for case in graphs.cases():
        if options.names and case.name not in options.names:
            continue
        launches = recorded(case)
        results[case.name] = report(case.name, launches, costs)
    write_results(options.json, results, line_nanoseconds=options.line, cores_fed=options.feeds)


def report(name: str, launches: Sequence[Launch], costs: Costs) -> dict[str, Any]:
    """Print what is found for a step."""
    one = sum([each.seconds for each in launches])
    shared = [each for each in launches if not each.alone and each.programs > 1]
    few = sum([each.seconds for each in shared if each.programs < 64]) / one
    head = f"{len(launches)} launches, {len(shared)} shared"
    print(f"\n{name}: {head}, {1e3 * one:.2f} ms on one thread, {few:.0%} in launches of few programs")
    found: dict[str, Any] = {"launches": len(launches), "seconds": one}
    for title, own in (("one counter", costs), ("groups of 8", costs._replace(members=8))):
        speedups = [one / step_seconds(launches, n, own) for n in THREADS]
        print(f"  {title:12}" + "  ".join([f"{n}: {s:.1f}" for n, s in zip(THREADS, speedups)]))
        found[title] = dict(zip(map(str, THREADS), speedups))
    found["losses"] = parts = losses(launches, 64, costs)
    print("  at 64: " + ", ".join([f"{key} {part:.0%}" for key, part in parts.items()]))
    worst = sorted(launches, key=lambda each: -makespan(each, 64, costs))[:6]
    for each in worst:
        then = 1e6 * makespan(each, 64, costs)
        row = f"    {each.name[:40]:40} {each.programs:6} programs {1e6 * each.seconds:8.0f} us -> {then:6.0f} us"
        print(row, "alone" if each.alone else "")
    return found


if __name__ == "__main__":
    main()
