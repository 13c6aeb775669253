"""Whom our calls are timed beside: torch, torch.compile, JAX, another commit, or what a case itself brings."""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from tritonflow.bench.case import Case, Context, Timed
from tritonflow.bench.commit import CommitProcess
from tritonflow.bench.timing import Burst, burst_of, device_burst_of, host_burst_of
from tritonflow.errors import ArgumentValueError

LIBRARIES = ("torch", "torch.compile", "jax")
COMMIT = "commit:"


@dataclass
class RivalCall:
    """A rival's call of a case.

    Attributes:
        burst: takes its times.
        result: gives what the call computes, to be compared with ours; None where that is known, or in another process.
    """

    burst: Burst
    result: Callable[[], Any] | None = None


def checked_names(names: Iterable[str], cases: Iterable[Case]) -> list[str]:
    """The names of rivals, each once.

    Raises:
        ValueError: a rival that there is not, or whose package is not installed.
    """
    found = list(dict.fromkeys(names))
    for name in found:
        if name == "jax" and importlib.util.find_spec("jax") is None:
            raise ArgumentValueError("--vs jax: jax is not installed; help: pip install jax")
        if name in LIBRARIES or name.startswith(COMMIT) or any(case.group.partition(":")[0].endswith(".py") for case in cases):
            continue  # a file's cases may bring rivals of their own
        near = difflib.get_close_matches(name, (*LIBRARIES, COMMIT), n=1, cutoff=0.4)
        hint = f"; do you mean {near[0]}?" if near else ""
        raise ArgumentValueError(f"--vs {name}: there are {', '.join(LIBRARIES)}, and commit:NAME of the checkout{hint}")
    return found


def burst_for(call: Callable[[], Any], context: Context, host: bool, finish: Callable[[], Any] | None, clock: str) -> Burst:
    """How a call's times are taken on a device."""
    if host and context.device != "cpu":
        return host_burst_of(call)
    return burst_of(call, finish, clock) if context.device == "cpu" else device_burst_of(call)


def rival_of(
    name: str, case: Case, ours: Timed, context: Context, clock: str, processes: dict[str, CommitProcess]
) -> RivalCall | None:
    """A rival's call of a case; None where it has none."""
    if name.startswith(COMMIT):
        return None if processes[name].build(case.label) is False else RivalCall(processes[name].burst)
    if name in ours.vs:
        return RivalCall(burst_for(ours.vs[name], context, ours.host, None, clock), ours.vs[name])
    if name not in LIBRARIES:
        return None
    timed = case.build("jax" if name == "jax" else "torch", context)
    call = timed.call if timed is not None else ours.vs.get("torch") if name == "torch.compile" else None
    if call is None:
        return None
    if name == "torch.compile":
        call = torch.compile(call)
        call()
    return RivalCall(burst_for(call, context, ours.host, None, clock), partial(_of_jax, call) if name == "jax" else None)


def _of_jax(call: Callable[[], Any]) -> Any:
    from tritonflow.bench.jax_functions import as_torch

    return as_torch(call())
