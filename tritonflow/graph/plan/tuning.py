"""Tuning: the fastest of a few configurations for every node whose planner has a choice, by measuring on the device.

What is found is stored, in memory and on disk, under a key of what the rule's plan launches (sources of the kernels,
shapes, strides, dtypes, grid, what is fused), the candidates, the device, the number of threads, and the versions. Nobody measures
again what is there, so that a configuration stays what it is; an entry that is damaged or does not fit is made anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from tritonflow import _C, disk_cache
from tritonflow.device.device import Device
from tritonflow.device.provider import Provider, facts_of, get_provider
from tritonflow.dtypes import DType, bool_
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.graph.ir import Graph, KernelNode
from tritonflow.graph.plan.progress import Progress
from tritonflow.graph.plan.timing import seconds_of
from tritonflow.ops.plan import Plan, compile_all
from tritonflow.ops.tuning import Choice, Config, ask
from tritonflow.vm.machine import machine

_KIND = "tuning"
CLEARLY = 0.97  # another configuration is taken if it is below this part of the rule's time
LEAST = {"cpu": 20e-6, "gpu": 5e-6}  # plans that take fewer seconds are not tuned
SECONDS, LONGER = 0.2, 0.6  # seconds for the candidates of a plan; for those whose times are not steady
ROUNDS, ENOUGH = 5, 30  # rounds, at least and at most
STEADY = 1.25  # times are steady if their median is at most so many times the least
FAR = (1.5, 1.2)  # a candidate leaves if it takes so many times the fastest one's time: in the first round, in later ones

Run = Callable[[], float]  # runs once, and returns the seconds


class _Question(NamedTuple):
    """A node, the plan that the rule gives, the candidates, and the key under which the answer is stored."""

    node: KernelNode
    plan: Plan
    candidates: list[Config]
    key: str

    @property
    def device(self) -> Device:
        return self.plan.outputs[0].device

    def plan_with(self, number: int) -> Plan:
        """The plan with the candidate of that number."""
        return ask(self.node.plan, number)[0]


_known: dict[str, Choice] = {}


def tune(graph: Graph) -> Graph:
    """The graph with a choice for every node that has one; measures what was not measured before, on memory of its own."""
    questions = [question for node in graph.nodes if isinstance(node, KernelNode) for question in _questions(node)]
    missing = {question.key: question for question in questions if not _found(question)}
    if missing:
        _answer(list(missing.values()))
    return replace(graph, choices={question.node: _known[question.key] for question in questions})


def is_settled(graph: Graph) -> bool:
    """Whether all choices of a graph are those of every process."""
    return all(choice.settled for choice in graph.choices.values())


def _questions(node: KernelNode) -> Iterator[_Question]:
    plan, candidates = ask(node.plan)
    if len(candidates) > 1 and any(0 not in launch.grid for launch in plan.launches):
        yield _Question(node, plan, candidates, _key(plan, candidates))


# ---------------------------------------------------------------------------------------------------------- what is stored


def _key(plan: Plan, candidates: list[Config]) -> str:
    metas = [None if meta is None else meta.__reduce__()[1] for meta in (*plan.inputs, *plan.outputs)]
    launches = [
        (_text(launch.fn), launch.grid, launch.operands, launch.sizes, _text(launch.constexprs), launch.options)
        for launch in plan.launches
    ]
    provider = get_provider(plan.outputs[0].device)
    return provider.measurement_key(_KIND, provider.timing_key(), repr(metas), repr(launches), repr(candidates))


def _text(value: Any) -> str:
    """Equal for equal arguments: functions by their sources."""
    from tritonflow import triton_compat  # loads Triton, which a process that measures nothing does without

    if isinstance(value, dict):
        return repr({name: _text(each) for name, each in value.items()})
    return triton_compat.function_key(value) if triton_compat.is_jit_function(value) else repr(value)


def _found(question: _Question) -> bool:
    """Whether an answer is known, or was stored and fits."""
    if question.key not in _known:
        data = disk_cache.read(_KIND, question.key)
        choice = None if data is None else _choice(question, json.loads(data))
        if choice is None:
            return False
        _known[question.key] = choice
    return True


def _choice(question: _Question, answer: Any) -> Choice | None:
    """What a file says; None if it is no answer to the question."""
    times, number = answer.get("seconds"), answer.get("number")
    if not isinstance(times, list) or len(times) != len(question.candidates):
        return None
    seconds = {k: time for k, time in enumerate(times) if isinstance(time, float)}
    return Choice(question.candidates, seconds, number) if 0 in seconds and number in seconds else None


def _store(question: _Question, seconds: dict[int, float], number: int | None) -> None:
    """Store an answer; if there is none, the rule's, and not on disk."""
    _known[question.key] = Choice(question.candidates, seconds, number or 0, number is not None)
    if number is not None:
        times = [seconds.get(k) for k in range(len(question.candidates))]
        disk_cache.write(_KIND, question.key, json.dumps({"seconds": times, "number": number}).encode())


# ------------------------------------------------------------------------------------------------------------ measuring


def _answer(questions: Sequence[_Question]) -> None:
    """Measure: the rules first, then the others where that is worth it. Kernels are compiled for all together."""
    from tritonflow import triton_compat  # loads Triton, as above

    provider, progress = get_provider(questions[0].device), Progress("kernels tuned")
    machine.sync()
    compile_all([question.plan for question in questions], provider, Progress())
    worth = []
    for question in questions:
        (run,) = _runs(question, [question.plan], provider).values()
        seconds = min(run() for _ in range(3))
        if seconds < LEAST[provider.facts.kind]:
            _store(question, {0: seconds}, 0)
        else:
            worth.append(question)
    plans = [[question.plan_with(number) for number in range(len(question.candidates))] for question in worth]
    compile_all([plan for each in plans for plan in each], provider, Progress(), triton_compat.OutOfResources)
    for number, (question, each) in enumerate(zip(worth, plans), 1):
        times = race(_runs(question, each, provider))
        _store(question, {k: min(row) for k, row in times.items()}, fastest(times))
        progress(number, len(worth))


def _runs(question: _Question, plans: Sequence[Plan], provider: Provider) -> dict[int, Run]:
    """Timed runs of plans, on the same memory, by their numbers; not of those whose kernels need more than the device has."""
    from tritonflow import triton_compat  # loads Triton, as above

    metas = [*question.plan.inputs, *question.plan.outputs]
    wanted = [None if meta is None else (max(meta.span(), 1), meta.dtype) for meta in metas]
    memory = [
        None if each is None else _scratch(*each, question.device) for each in (*wanted, *question.plan.workspaces)
    ]
    machine.sync()
    numbers = [value.value if isinstance(value, RuntimeScalar) else value for value in question.node.dynamic]
    arguments = [*[0 if each is None else each.ptr for each in memory], *numbers]

    def timed(run: Callable[..., None], held: Any = memory) -> float:
        return seconds_of(provider, run, arguments)

    found: dict[int, Run] = {}
    for number, plan in enumerate(plans):
        with suppress(triton_compat.OutOfResources):
            found[number] = partial(timed, plan.prepare(question.device).run)
            found[number]()  # a first run allocates and compiles what later ones have
    return found


def _scratch(count: int, dtype: DType, device: Device) -> Tensor:
    """Memory that kernels find something harmless in: masks that let everything through, and zeros.

    A GPU takes more power for random numbers, and more time: on an H200 a product of zeros was 13 % faster.
    """
    if dtype.is_floating_point and facts_of(device).kind == "gpu":
        return _C.randn((count,), dtype=dtype, device=device, generator=Generator(device))
    make = _C.ones if dtype is bool_ else _C.zeros
    return make((count,), dtype=dtype, device=device)


def race(runs: Mapping[int, Run], clock: Callable[[], float] = time.perf_counter) -> dict[int, list[float]]:
    """What each run says, round by round, in which all run in turn; those that are far behind leave, but never the first."""
    times: dict[int, list[float]] = {number: [] for number in runs}
    left, start = list(runs), clock()
    for count in range(1, ENOUGH + 1):
        for number in left:
            times[number].append(runs[number]())
        limit = FAR[count > 1] * min(min(times[number]) for number in left)
        left = [number for number in left if number == 0 or min(times[number]) <= limit]
        passed = clock() - start
        if len(left) == 1 or (count >= ROUNDS and passed >= (SECONDS if _is_steady(times[0]) else LONGER)):
            break
    return times


def fastest(times: Mapping[int, list[float]]) -> int | None:
    """The number of the run with the least time.

    It must be clearly faster than the first, in most rounds too; otherwise the answer is 0. The answer is None if the first run's
    times differ too much, as others use the machine.
    """
    rule = times[0]
    number = min((k for k, row in times.items() if len(row) == len(rule)), key=lambda k: min(times[k]))
    if number and not _is_steady(rule):
        return None
    pairs = median(own / seconds for own, seconds in zip(times[number], rule))
    return number if max(pairs, min(times[number]) / min(rule)) < CLEARLY else 0


def _is_steady(times: list[float]) -> bool:
    return median(times) <= STEADY * min(times)
