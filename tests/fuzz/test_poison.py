"""Poison is seen where memory is read that nobody wrote, and nowhere else."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

import tritonflow as flow
from fuzz.poison import PATTERNS, poisoned
from tritonflow.graph.executable import Executable

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

    def look(self: Executable, live: list[Any]) -> None:
        seen.append(ctypes.c_int64.from_address(self._arena.block.ptr).value)
        execute(self, live)

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
