"""Poisoned memory: what a kernel is to write holds NaN (integers a pattern) before it, so that an element left unwritten is seen."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.executable import Executable
from tritonflow.interpreter.op_expr import all_op_exprs
from tritonflow.ops.plan import Plan

NAN, PATTERN = 0xFF, 0xA5  # bytes; floating dtypes of all bits set are NaN


def poison(address: int, meta: TensorMeta) -> None:
    """Fill the memory of a tensor."""
    ctypes.memset(address, NAN if meta.dtype.is_floating_point else PATTERN, meta.span() * meta.dtype.itemsize)


@contextmanager
def poisoned() -> Iterator[None]:
    """A block in which eager ops and captured programs find their outputs and temporary memory poisoned. On CPUs only."""
    prepare, execute = Plan.prepare, Executable.execute

    def prepare_poisoned(plan: Plan, device: Any) -> Plan:
        prepare(plan, device)
        if plan.provider.target == "cpu":
            plan.run = _poisoning(plan, plan.run)
        return plan

    def execute_poisoned(executable: Executable, live: list[Any]) -> None:
        _poison_program(executable, live)
        execute(executable, live)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan, "prepare", prepare_poisoned)
        patch.setattr(Executable, "execute", execute_poisoned)
        _forget_plans()
        yield
    _forget_plans()


def _poisoning(plan: Plan, run: Any) -> Any:
    first = len(plan.inputs)
    last = first + len(plan.outputs)

    def poison_and_run(*env: Any) -> None:
        given: Sequence[Any] = env[:first]
        for address, meta in zip(env[first:last], plan.outputs):
            if address not in given:  # else the op is in place
                poison(address, meta)
        for address, (count, dtype) in zip(env[last:], plan.workspaces):
            ctypes.memset(address, NAN, count * dtype.itemsize)
        run(*env)

    return poison_and_run


def _poison_program(executable: Executable, live: list[Any]) -> None:
    if executable.provider.target != "cpu":
        return
    for address, meta in zip(live[executable._inputs :], executable._metas):
        poison(address, meta)
    ctypes.memset(executable._arena.block.ptr, NAN, executable.arena_bytes)


def _forget_plans() -> None:
    for op in all_op_exprs():
        op.clear_plans()
