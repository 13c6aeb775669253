"""Poison is seen where memory is read that nobody wrote, and nowhere else."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

import tritonflow as flow
from tests.poison import PATTERNS, poisoned
from tritonflow.execution.op_expr import all_op_exprs
from tritonflow.graph.plan.executable import Executable
from tritonflow.ops.plan import Plan

POISON = {int.from_bytes(bytes([pattern] * 8), "little", signed=True) for pattern in PATTERNS}


def test_unwritten_memory_is_poison() -> None:
    before = flow.zeros(8, dtype=flow.int64)
    del before  # its block is what `empty` would give next
    with poisoned():
        seen = {value for _ in range(20) for value in flow.empty(8, dtype=flow.int64).tolist()}
    assert seen == POISON


def test_a_released_block_is_poison(poison: None) -> None:
    x = flow.zeros(8, dtype=flow.int64)
    address = x.ptr
    del x
    assert ctypes.c_int64.from_address(address).value in POISON


def test_an_arena_is_poison_before_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    execute = Executable.execute

    def look(self: Executable, live: list[Any], versions: list[int] | None = None) -> None:
        seen.append(ctypes.c_int64.from_address(self._arena.block.ptr).value)
        execute(self, live, versions)

    monkeypatch.setattr(Executable, "execute", look)
    program, x = flow.compile(lambda x: flow.softmax(x @ x, 0) @ x), flow.ones(4, 4)
    with poisoned():
        assert program(x).tolist() == program(x).tolist()
    assert len(seen) == 2 and POISON.issuperset(seen)


def test_results_are_as_without(poison: None) -> None:
    x = flow.ones(5, requires_grad=True)
    (x * 2).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2] * 5


def test_the_end() -> None:
    with poisoned(), poisoned():
        pass
    x = flow.ones(8)
    address = x.ptr
    del x
    assert ctypes.c_float.from_address(address).value == 1


def test_what_a_kernel_writes_is_poison_before(monkeypatch: pytest.MonkeyPatch, poison: None) -> None:
    seen: list[tuple[int, set[int]]] = []  # of each launch: how many workspaces, and what outputs and workspaces hold before it
    prepare = Plan.prepare

    def prepare_watched(self: Plan, device: Any) -> Plan:
        run = prepare(self, device).run
        inputs, written = len(self.inputs), len(self.inputs) + len(self.outputs) + len(self.workspaces)

        def run_watched(*env: Any) -> None:
            values = {ctypes.c_int64.from_address(address).value for address in env[inputs:written]}
            seen.append((len(self.workspaces), values))
            run(*env)

        self.run = run_watched
        return self

    x = flow.ones(1, 7919)
    monkeypatch.setattr(Plan, "prepare", prepare_watched)
    for op in all_op_exprs():
        op.clear_plans()
    assert x.cumsum(1)[0, -1].item() == 7919  # has temporary memory, too
    for op in all_op_exprs():
        op.clear_plans()
    assert any(workspaces for workspaces, _ in seen)
    assert all(POISON.issuperset(values) for _, values in seen)
