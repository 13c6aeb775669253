"""Random kernels (`fuzz.py`), and whether the fuzzer would find a mistake and make its kernel small."""

from __future__ import annotations

import itertools
import time

import pytest

from tests.triton_cpu import fuzz
from tests.triton_cpu.fuzz_generator import Generator
from tests.triton_cpu.fuzz_program import Statement
from tritonflow.settings import settings
from tritonflow.triton_cpu.lower import elementwise

SECONDS = 60


@pytest.mark.parametrize("start", range(0, 32, 8))
@pytest.mark.sampled(most=1)
def test_some_random_kernels(start: int) -> None:
    found = [fuzz.check(number) for number in range(start, start + 8)]
    assert not any(found), "\n".join(found)


@pytest.mark.long
@pytest.mark.timeout(4 * SECONDS)
@pytest.mark.parametrize("cpu", [None, *(pytest.param(x, marks=pytest.mark.hours) for x in ("avx2", "baseline"))])
def test_a_minute_of_random_kernels(cpu: str | None, seed: int) -> None:
    deadline = time.monotonic() + SECONDS
    for number in itertools.count(seed):
        found = fuzz.check(number, cpu)
        assert not found, found
        if time.monotonic() > deadline:
            break


def test_the_same_seed_makes_the_same_kernel() -> None:
    assert Generator(17).program().source() == Generator(17).program().source()
    assert len({Generator(number).program().source() for number in range(20)}) == 20


@pytest.mark.long
def test_a_mistake_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(lb, op, args, elem, width):  # type: ignore[no-untyped-def]
        return lb.op("or", args, elem, width)

    monkeypatch.setitem(elementwise.RULES, "arith.xori", wrong)
    found = next(filter(None, map(fuzz.check, range(60))))
    assert "differ)" in found and " ^ " in found
    body = found.partition("def kernel(")[2]
    assert body.count("\n") < 12, body


def test_a_crash_is_found() -> None:
    program = Generator(3).program()
    program.statements.append(Statement((), ["tl.store(x_i8 - (1 << 45), 1)"]))
    found = fuzz.isolated(program)
    assert found == "dies of signal 11" or (settings.cpu_check and found.startswith("OutOfBoundsError"))
