"""Keys and values written into pages, beside a rotation in float64 and writes by index."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import op_references
from tests.ops.sides import ours as our
from tritonflow.functions.attention_paged import paged_append
from tritonflow.testing import assert_close

PAGES, ROWS, HEADS, SIZE, LIMIT = 5, 4, 2, 16, 40


def ours(*xs: torch.Tensor) -> list[flow.Tensor]:
    return [our(x) for x in xs]


def caches(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(PAGES, ROWS, HEADS, SIZE).to(dtype), torch.randn(PAGES, ROWS, HEADS, SIZE).to(dtype)


def operands(tokens: int, dtype: torch.dtype, half: int = SIZE // 2) -> dict[str, torch.Tensor]:
    """Views of one product, as a model has them."""
    q, k, v = torch.randn(tokens, 8, SIZE).to(dtype).split([4, HEADS, HEADS], 1)
    slots = torch.randperm(PAGES * ROWS)[:tokens]
    angles = torch.randn(LIMIT, half)
    return {"q": q, "k": k, "v": v, "slots": slots, "cos": angles.cos(), "sin": angles.sin(), "positions": torch.randint(0, LIMIT, (tokens,))}


def written(cache: torch.Tensor, slots: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    return cache.flatten(0, 1).index_copy(0, slots, new.to(cache.dtype)).unflatten(0, (PAGES, ROWS))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64], ids=str)
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("half", [SIZE // 2, 3])
def test_turned_and_written(dtype: torch.dtype, interleaved: bool, half: int) -> None:
    """One token and several, whole heads and parts of them."""
    torch.manual_seed(0)
    for tokens in (1, 7):
        o = operands(tokens, dtype, half)
        keys, values = caches(dtype)
        mine = [x.clone() for x in (keys, values)]
        theirs = [flow.from_torch(x) for x in mine]
        q, k, v, slots, cos, sin, positions = ours(*o.values())
        with flow.no_grad():
            turned = paged_append(k, v, slots, *theirs, q, cos, sin, positions, interleaved)
        wide = [
            op_references.apply_rotary_emb(o[x].double()[None], o["cos"][o["positions"]].double(), o["sin"][o["positions"]].double(), interleaved)[0]
            for x in "qk"
        ]
        assert_close(turned, wide[0].to(dtype), check_device=False)
        assert_close(theirs[0], written(keys, o["slots"], wide[1]), check_device=False)
        assert torch.equal(flow.to_torch(theirs[1]), written(values, o["slots"], o["v"]))


def test_without_tables_and_in_graphs() -> None:
    """Rows of the cache have the bits of what was given; a graph writes the same."""
    torch.manual_seed(0)
    o = operands(6, torch.float32)
    keys, values = caches(torch.float32)
    for wrap in (lambda f: f, flow.compile):
        own = [flow.from_torch(x.clone()) for x in (keys, values)]
        step = wrap(lambda k, v, slots: paged_append(k, v, slots, *own))  # noqa: B023
        with flow.no_grad():
            for _ in range(2):
                assert step(*ours(o["k"], o["v"], o["slots"])).shape == (0,)
        for found, cache, new in zip(own, (keys, values), (o["k"], o["v"])):
            assert torch.equal(flow.to_torch(found), written(cache, o["slots"], new))
    with flow.no_grad():
        assert paged_append(*ours(o["k"][:0], o["v"][:0], o["slots"][:0]), *own).shape == (0,)


@pytest.mark.parametrize("change", [{"slots": -1}, {"slots": PAGES * ROWS}, {"positions": LIMIT}, {"positions": -1}])
def test_an_index_out_of_bounds_writes_nothing(change: dict[str, int]) -> None:
    """The last of twenty tokens is the bad one."""
    torch.manual_seed(0)
    o = operands(20, torch.float32)
    for name, index in change.items():
        o[name][-1] = index
    own = [flow.from_torch(x) for x in caches(torch.float32)]
    before = [flow.to_torch(x).clone() for x in own]
    with flow.no_grad(), pytest.raises(IndexError, match="20 rows, or a position"):
        paged_append(*ours(o["k"], o["v"], o["slots"]), *own, *ours(o["q"], o["cos"], o["sin"], o["positions"]))
        flow.sync()
    if own[0].device.type == "cpu":
        assert all(torch.equal(flow.to_torch(x), y) for x, y in zip(own, before))


def test_what_is_refused() -> None:
    o = {name: flow.from_torch(x) for name, x in operands(3, torch.float32).items()}
    keys, values = (flow.from_torch(x) for x in caches(torch.float32))

    def call(**changes: Any) -> None:
        given = {"key_cache": keys, "value_cache": values} | o | changes
        names = ("k", "v", "slots", "key_cache", "value_cache", "q", "cos", "sin", "positions")
        paged_append(*[given[name] for name in names])

    with flow.no_grad():
        for changes, error in (
            ({"k": o["k"].half()}, RuntimeError), ({"v": o["v"][:2]}, RuntimeError), ({"q": None}, ValueError),
            ({"slots": o["slots"].float()}, RuntimeError), ({"cos": o["cos"][:, :2]}, RuntimeError), ({"q": o["q"][:2]}, RuntimeError),
            ({"key_cache": keys[::2]}, RuntimeError), ({"value_cache": values[:3]}, RuntimeError), ({"sin": None}, ValueError),
            ({"q": o["q"].double()}, RuntimeError), ({"positions": o["positions"][:1]}, RuntimeError),
        ):  # fmt: skip
            with pytest.raises((error, TypeError) if error is RuntimeError else error):
                call(**changes)
    with pytest.raises(RuntimeError, match="no gradients"):
        call(k=o["k"].clone().requires_grad_())
