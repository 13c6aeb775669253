"""tl.device_assert and tl.device_print."""

from __future__ import annotations

import inspect

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import compiled, run
from tritonflow import triton_cpu


@triton.jit(debug=True)
def checked_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.device_assert(v < 3, 'at most "3", 100 %', mask=i < n)
    for k in range(n):
        tl.device_assert(k < 1000)
    tl.store(o + i, v, mask=i < n)


@triton.jit
def unchecked_kernel(x, o, n, B: tl.constexpr):
    tl.device_assert(n < 0, "never asked")
    tl.store(o, tl.load(x))


def line_of(text: str) -> int:
    lines, first = inspect.getsourcelines(checked_kernel.fn)
    return first + next(k for k, line in enumerate(lines) if text in line)


def message(text: str, line: int, program: int) -> str:
    return f"checked_kernel, test_debug.py:{line}: device assertion failed{text} (program {program}, 0, 0)"


def test_a_failed_assertion_is_an_error_of_the_launch() -> None:
    x, o = torch.zeros(100), torch.full((100,), -1.0)
    run(checked_kernel, (4,), x, o, 100, B=32)
    assert torch.equal(o, x)
    x[70] = 3
    with pytest.raises(AssertionError) as error:
        run(checked_kernel, (4,), x, o.fill_(-1), 100, B=32)
    assert str(error.value) == message(': at most "3", 100 %', line_of("at most"), 2)
    assert (o[64:96] == -1).all() and (o[:64] == 0).all()
    x[70] = 0
    run(checked_kernel, (4,), x, o, 100, B=32)  # the next launch starts afresh
    assert torch.equal(o, x)


@pytest.mark.parametrize("threads", [1, 2])
def test_assertions_in_bound_and_threaded_launches(threads: int) -> None:
    n = 2000
    x, o = torch.zeros(n), torch.zeros(n)
    kernel = compiled(checked_kernel, [x, o, n], {}, None, {"B": 32})
    before = triton_cpu.get_num_threads()
    try:
        triton_cpu.set_num_threads(threads)
        with pytest.raises(
            AssertionError, match=rf"test_debug\.py:{line_of('k < 1000')}: device assertion failed \(pro"
        ):
            kernel.bind(64, 1, 1, (n,), inline=False)(x.data_ptr(), o.data_ptr())
        with pytest.raises(AssertionError):
            kernel.bind(64, 1, 1, (n,), inline=True)(x.data_ptr(), o.data_ptr())
    finally:
        triton_cpu.set_num_threads(before)


def test_assertions_are_dropped_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    x, o = torch.ones(1), torch.zeros(1)
    run(unchecked_kernel, (1,), x, o, 5, B=1)
    assert o[0] == 1
    monkeypatch.setattr(triton.knobs.runtime, "debug", True)
    with pytest.raises(AssertionError, match="never asked"):
        run(unchecked_kernel, (1,), x, o, 5, B=1)


@triton.jit
def print_kernel(x, flags, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if tl.program_id(1) == 1:
        tl.device_print("100 %d", v)
        tl.device_print("two", i, n)
        tl.device_print("hex", i - 1, hex=True)
        tl.device_print("half", v.to(tl.float16), hex=True)
        tl.device_print("flag", tl.load(flags + i))
        tl.device_print("matrix", tl.reshape(v, (1, B)).to(tl.bfloat16))
        tl.device_print("plain")


def test_print(capfd: pytest.CaptureFixture[str]) -> None:
    x, flags = torch.linspace(-1, 2, 16), torch.tensor([True, False] * 8)
    run(print_kernel, (1, 2), x, flags, -7, B=16)
    head = "pid (0, 1, 0)"
    want = [f"{head} idx ({k:2}) 100 %d: {float(v):f}" for k, v in enumerate(x)]
    want += [f"{head} idx ({k:2}) two: (operand 0) {k}" for k in range(16)]
    want += [f"{head} idx () two: (operand 1) -7"]
    want += [f"{head} idx ({k:2}) hex: 0x{(k - 1) & 0xFFFFFFFF:08x}" for k in range(16)]
    want += [f"{head} idx ({k:2}) half: 0x{v & 0xFFFF:04x}" for k, v in enumerate(x.half().view(torch.int16).tolist())]
    want += [f"{head} idx ({k:2}) flag: {(k + 1) % 2}" for k in range(16)]
    want += [f"{head} idx (0, {k:2}) matrix: {float(v):f}" for k, v in enumerate(x.bfloat16())]
    want += [f"{head} plain"]
    assert capfd.readouterr().out.splitlines() == want
