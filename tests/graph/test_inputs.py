"""What may be among the inputs of a graph, and what its program may do with the numbers of them."""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy
import pytest

import tritonflow as flow

F = flow.nn.functional


@dataclass(frozen=True)
class Batch:
    x: Any
    scale: float
    more: list[Any] = field(default_factory=list)


def captures(compiled: Any) -> int:
    return len(compiled.captures())


def test_dataclasses_and_defaultdicts() -> None:
    @flow.compile
    def f(batch: Any, extra: Any) -> Any:
        extra["seen"].append(batch.x)
        return Batch(batch.x * batch.scale, batch.scale, [extra["seen"][-1]]), extra

    for scale in (2.0, 3.0):
        result, extra = f(Batch(flow.ones(2), scale), defaultdict(list))
        assert isinstance(result, Batch) and result.scale == scale
        assert result.x.tolist() == [scale, scale] and result.more[0].tolist() == [1.0, 1.0]
        assert extra["seen"][0].tolist() == [1.0, 1.0] and extra["unknown"] == []
    assert captures(f) == 1


class Holder:
    def __init__(self, x: Any) -> None:
        self.x = x


@pytest.mark.parametrize("thing", (memoryview(b"1"), iter([1]), bytearray(b"1")))
def test_objects_that_may_change_run_in_eager_mode(thing: Any) -> None:
    function = lambda x, things: x * 2 if things[0] is thing or things[0] is None else x
    f, why = flow.compile(function), rf"inputs must be tensors, .* dataclasses, not {type(thing).__name__}"
    with pytest.warns(UserWarning, match=f"runs in eager mode: .*{why}"):
        assert f(flow.ones(1), [thing]).tolist() == [2.0]
    with pytest.raises(TypeError, match=why):
        flow.compile(function, fullgraph=True)(flow.ones(1), [thing])
    assert f(flow.ones(1), [None, flow.float32, len, flow.nn.Identity()]).tolist() == [2.0]


@pytest.mark.parametrize("kind", (Holder, argparse.Namespace))
def test_objects_are_taken_apart(kind: Any) -> None:
    def step(thing: Any, scale: float) -> Any:
        thing.x = thing.x * scale
        return thing.x + 1

    f, thing = flow.compile(step, fullgraph=True), kind(x=flow.ones(1))
    assert [f(thing, 2.0).item() for _ in range(3)] == [3.0, 5.0, 9.0] and thing.x.item() == 8.0
    other = kind(x=flow.ones(1))
    assert [f(other, 3.0).item(), f(other, 3.0).item(), f(thing, 2.0).item(), f(other, 3.0).item()] == [4.0, 10.0, 17.0, 28.0]
    assert [f(kind(x=flow.ones(1)), float(k)).item() for k in range(4)] == [1.0, 2.0, 3.0, 4.0]
    assert captures(f) == 1


@pytest.mark.parametrize("kind", (Holder, argparse.Namespace))
def test_objects_that_hold_modules_are_followed_when_they_come_again(kind: Any) -> None:
    def step(thing: Any, scale: float) -> Any:
        thing.x = thing.net(thing.x) * scale
        return thing.x + 1

    def make() -> Any:
        thing = kind(x=flow.ones(1))
        thing.net = flow.nn.Identity()
        return thing

    f, thing = flow.compile(step), make()
    assert [f(thing, 2.0).item() for _ in range(3)] == [3.0, 5.0, 9.0] and thing.x.item() == 8.0
    assert captures(f) == 1
    other = make()
    assert [f(other, 3.0).item(), f(other, 3.0).item(), f(thing, 2.0).item(), f(other, 3.0).item()] == [4.0, 10.0, 17.0, 28.0]
    assert captures(f) == 2

    f, whole = flow.compile(step), flow.compile(step, fullgraph=True)
    with pytest.warns(UserWarning, match=f"runs in eager mode: a {kind.__name__} among the arguments is another one in each call"):
        for k in range(4):
            assert f(make(), float(k)).item() == whole(make(), float(k)).item() == k + 1
    assert captures(f) == 0 and captures(whole) == 4


def test_numbers_of_numpy_are_numbers() -> None:
    f = flow.compile(lambda x, n: x * n)
    for number in (numpy.float64(2.0), numpy.float32(3.0), 4.0, numpy.float64(5.0), numpy.float32(6.0)):
        assert f(flow.ones(1), number).tolist() == [float(number)]
    assert captures(f) == 3  # one for each class, as a function may look at it
    assert f(flow.ones(1), numpy.int64(5)).tolist() == [5.0]


USES: dict[str, tuple[Callable[[Any, Any], Any], int]] = {  # and how many captures numbers 2.5, 3.5, 4.5 are worth
    "text": (lambda x, n: x * float(str(n)), 3),
    "format": (lambda x, n: x * float(f"{n:.1f}"), 3),
    "round": (lambda x, n: x * round(n), 1),
    "trunc": (lambda x, n: x * math.trunc(n), 1),
    "divmod": (lambda x, n: x * divmod(n, 2)[1] + divmod(9, n)[0], 1),
    "tensor": (lambda x, n: x * flow.tensor([n, 1.0]), 1),
    "comparison": (lambda x, n: x if n > 3 else x * 2, 2),
    "truth": (lambda x, n: x if n else x * 2, 1),
    "maximum": (lambda x, n: x * max(n, 3), 2),
    "alpha": (lambda x, n: flow.add(x, x, alpha=n), 1),
    "pad": (lambda x, n: F.pad(x, (1, 1), value=n) * 2, 1),
    "full": (lambda x, n: x * flow.full((2,), n), 1),
    "shift": (lambda x, n: x * (int(n) << 1), 1),
}


@pytest.mark.parametrize("name", USES)
def test_uses_of_a_number(name: str) -> None:
    program, expected = USES[name]
    f, x = flow.compile(program), flow.randn(2)
    for n in (2.5, 3.5, 4.5):
        numpy.testing.assert_allclose(f(x, n).numpy(), program(x, n).numpy(), rtol=1e-6)
    assert captures(f) == expected


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "float16", "complex64"])
@pytest.mark.parametrize("dynamic", [None, True])
def test_numbers_as_values_of_a_dtype(dtype: str, dynamic: bool | None) -> None:
    """A number is converted in each run as eager mode converts it, or refused."""

    def program(x: Any, n: Any) -> Any:
        return flow.full((2,), n, dtype=getattr(flow, dtype)) + x

    f, x = flow.compile(program, fullgraph=True, dynamic=dynamic), flow.randn(2)
    for n in (1, 2, 0, -3, 300, 5, -128, 2.5):
        try:
            expected = program(x, n)
        except RuntimeError as error:
            with pytest.raises(type(error), match=str(error)[:30]):
                f(x, n)
        else:
            numpy.testing.assert_array_equal(f(x, n).numpy(), expected.numpy())


def test_bits_of_an_int() -> None:
    f, x = flow.compile(lambda x, n: x * ((n << 1) + (n & 3) - ~n)), flow.ones(1)
    for n in (1, 6):
        assert f(x, n).tolist() == [float((n << 1) + (n & 3) - ~n)]
    assert captures(f) == 1


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_strides_of_a_storage() -> None:
    def program(x: Any) -> Any:
        y = x * 2
        flow.as_strided(y, (2,), (2,), 1).mul_(3.0)
        return y, flow.as_strided(x, (2, 2), (1, 1)), F.pad(y, (1, 0), value=2.0)

    x = flow.randn(2, 3)
    for a, b in zip(flow.compile(program)(x), program(x)):
        numpy.testing.assert_array_equal(a.numpy(), b.numpy())
    with pytest.raises(RuntimeError, match="out of bounds"):
        flow.compile(lambda x: flow.as_strided(x, (20,), (1,)))(x)


def test_strides_of_an_argument() -> None:
    """A program gets the memory of an argument between its elements, too. `as_strided` counts from the first of them."""
    f = flow.compile(lambda x: flow.as_strided(x, (3,), (2,)), fullgraph=True)
    whole = flow.arange(12.0).reshape(3, 4)
    assert f(whole).tolist() == [0.0, 2.0, 4.0]
    assert f(whole[1:]).tolist() == [4.0, 6.0, 8.0]
    same_kind = flow.arange(12.0).reshape(4, 3)
    assert f(same_kind.t()).tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(RuntimeError, match="out of bounds"):
        f(flow.ones(1, 4).expand(3, 4))
    assert f(same_kind.t().clone(memory_format=flow.contiguous_format)).tolist() == [0.0, 6.0, 1.0]

    absolute = flow.compile(lambda x: flow.as_strided_copy(x + 0, (2,), (1,), 0) + flow.as_strided(x, (2,), (1,), 0), fullgraph=True)
    assert absolute(whole).tolist() == [0.0, 2.0]
    with pytest.raises(RuntimeError, match="as_strided.*clone"):
        absolute(flow.arange(16.0)[4:].reshape(3, 4))

    computed = flow.compile(lambda x: flow.as_strided(flow.relu(x), (3,), (1,)), fullgraph=True)
    x = flow.arange(12.0).reshape(1, 2, 2, 3)
    assert computed(x).tolist() == [0.0, 1.0, 2.0]
    assert computed(x.to(memory_format=flow.channels_last)).tolist() == [0.0, 6.0, 1.0]
