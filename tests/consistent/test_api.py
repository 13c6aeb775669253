"""What users see of consistent tensors, on two simulated ranks: casts, creation, reads, printing, modules, modes, files."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import AutogradError, FileFormatError, LocalityError, PlacementError
from tritonflow.testing import simulate
from tritonflow.utils import global_view
from tritonflow.wire.world import this_rank

S, B, P = flow.sbp.split, flow.sbp.broadcast, flow.sbp.partial_sum
NUMBERS = numpy.arange(10, dtype=numpy.float32).reshape(5, 2)


def everyone() -> flow.placement:
    return flow.placement.all("cpu")


def on_two_ranks(function: Callable[[int], Any]) -> list[Any]:
    """What a function of the rank's number returns on each of two simulated ranks."""
    return simulate(2)(lambda: function(this_rank().index))()


# ------------------------------------------------------------------------------------------------ names


def test_a_placement_is_interned_and_says_what_is_wrong() -> None:
    @on_two_ranks
    def placements(rank: int) -> None:
        both = flow.placement("cpu", [0, 1])
        assert both is flow.placement("cpu", range(2)) is flow.placement("cpu", {0: [0, 1]}) is everyone()
        assert flow.placement("cpu", {0: [0, 1]}, (2, 1)) is flow.placement("cpu", [[0], [1]])
        assert flow.placement("cpu", {0: 1}) is flow.placement("cpu", [1]) is pickle.loads(pickle.dumps(flow.placement("cpu", [1])))
        for ranks, text in (([0, 2], "rank 2 is not among the 2 ranks"), ([0, 0], "occurs twice"), ([[0], [0, 1]], "form no grid")):
            with pytest.raises(RuntimeError, match=text):
                flow.placement("cpu", ranks)
        with pytest.raises(RuntimeError, match="2 ranks form no grid of the sizes"):
            flow.placement("cpu", [0, 1], (3,))


def test_what_sbp_refuses() -> None:
    assert S(1) is S(1) and B is B() and isinstance(P, flow.sbp.sbp) and P != flow.sbp.partial_max
    with pytest.raises(RuntimeError, match="Split axis must not be negative, but got -1!"):
        S(-1)
    with pytest.raises(RuntimeError, match=r"less than the supported maximum axis \(6\), but got 7!"):
        S(7)
    with pytest.raises(RuntimeError, match=r"Split axis out of range \(expected to be in range of \[0, 1\), but got 1!"):
        flow.ones(4).to_global(everyone(), S(1))
    with pytest.raises(RuntimeError, match="expected 1 sbp, one for each dimension of the placement, got 2"):
        flow.ones(4).to_global(everyone(), [B, B])
    with pytest.raises(TypeError, match="to_global.*argument 'sbp' must be sbp or list of sbp, not str"):
        flow.ones(4).to_global(everyone(), "broadcast")


def test_what_a_tensor_says_of_itself() -> None:
    @on_two_ranks
    def says(rank: int) -> None:
        x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0))
        assert x.is_global and x.is_consistent and not x.is_local and x.placement is everyone() and x.sbp == (S(0),)
        assert x.shape == (5, 2) and x.numel() == 10 and x.nbytes == 40 and x.dim() == 2 and len(x) == 5
        with pytest.raises(RuntimeError, match="Only local tensors have 'device'. Please use '.placement' for global tensors."):
            _ = x.device
        for name in ("placement", "sbp"):
            with pytest.raises(RuntimeError, match=f"{name}"):
                getattr(flow.ones(1), name)


# ------------------------------------------------------------------------------------------------ casts


def test_split_tensors_of_ranks_are_joined() -> None:
    @on_two_ranks
    def joins(rank: int) -> None:
        own = flow.tensor(NUMBERS[:3] if rank == 0 else NUMBERS[3:])
        x = own.to_global(everyone(), S(0))
        assert x.shape == (5, 2) and x.numpy().tolist() == NUMBERS.tolist()
        shard = x.to_local()
        assert shard.is_local and shard.data_ptr() == own.data_ptr()
        assert x.to_local(copy=True).data_ptr() != own.data_ptr()
        assert own.to_global(everyone(), S(0), copy=True).to_local().data_ptr() != own.data_ptr()


def test_a_broadcast_tensor_is_that_of_the_first_rank() -> None:  # libai #212
    @on_two_ranks
    def broadcasts(rank: int) -> None:
        own = flow.full((2, 2), float(rank))
        assert own.to_global(everyone(), B).tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert own.to_global(flow.placement("cpu", [1, 0]), B).tolist() == [[1.0, 1.0], [1.0, 1.0]]
        with pytest.raises(PlacementError, match=r"same shape on each rank, but found .*\[1\]\(rank 0\) and \[2\]\(rank 1\)"):
            flow.ones(rank + 1).to_global(everyone(), B)


def test_the_shares_of_a_partial_tensor_add_up() -> None:
    @on_two_ranks
    def adds(rank: int) -> None:
        own = flow.full((2,), float(rank + 1))
        assert own.to_global(everyone(), P).tolist() == [3.0, 3.0]
        assert own.to_global(everyone(), flow.sbp.partial_max).tolist() == [2.0, 2.0]


def test_ranks_outside_of_a_placement_take_part() -> None:
    @on_two_ranks
    def outside(rank: int) -> None:
        x = flow.full((2,), float(rank + 1)).to_global(flow.placement("cpu", [1]), B)
        assert x.shape == (2,) and x.to_local().shape == ((0,) if rank == 0 else (2,))
        assert x.tolist() == [2.0, 2.0] and (x + x).numpy().tolist() == [4.0, 4.0]
        assert x.to_global(everyone(), S(0)).full().tolist() == [2.0, 2.0]


def test_shares_that_one_rank_writes_are_combined_anew() -> None:
    """What an op made of them may serve other ops, but not where a rank can write alone."""

    @on_two_ranks
    def writes(rank: int) -> None:
        made = flow.ones(4, placement=everyone(), sbp=P) * 1.0
        assert made.sbp == (P,) and made.abs().tolist() == [1.0] * 4
        shard = made.to_local()
        if rank == 0:
            shard.add_(3.0)
        assert made.abs().tolist() == [4.0] * 4
        own = flow.ones(4)
        shares = own.to_global(everyone(), P)
        assert shares.abs().tolist() == [2.0] * 4
        if rank == 0:
            own.add_(3.0)
        assert shares.abs().tolist() == [5.0] * 4


REFUSED = [
    (lambda rank: flow.ones(4 - rank).to_global(everyone(), S(0)).shape == (7,) and None, None),
    (lambda rank: flow.ones(2 + 2 * rank, 4).to_global(everyone(), S(0)), "Sizes of tensors in dimension 0 must be same or match"),
    (
        lambda rank: flow.ones(2 + 2 * rank, 4).to_global(everyone(), S(1)),
        "Sizes of tensors must match except in dimension 1. Expected size 2 but got size 4 for tensor on rank 1!",
    ),
    (lambda rank: flow.ones(*(2,) * (rank + 1)).to_global(everyone(), S(0)), "same number of dimensions on each rank"),
    (
        lambda rank: flow.ones(2, dtype=flow.float64 if rank else flow.float32).to_global(everyone(), S(0)),
        r"to be the same dtype, but found at least two dtypes, float32\(rank 0\) and float64\(rank 1\)!",
    ),
    (lambda rank: flow.ones(2).to_global(everyone(), S(0) if rank else B), "Each rank must have the same input sbp"),
    (lambda rank: flow.ones(2).to_global(flow.placement("cpu", [0, 1] if rank else [1, 0]), B), "the same input placement"),
    (lambda rank: flow.tensor([1.0, rank], placement=everyone(), sbp=B), "Each rank must have same input sequence or numpy array"),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_local_tensors_that_do_not_fit(call: Callable[[int], Any], text: str | None) -> None:
    @on_two_ranks
    def refuses(rank: int) -> None:
        if text is None:
            call(rank)
            return
        with pytest.raises(PlacementError, match=text):
            call(rank)


def test_to_global_of_a_global_tensor() -> None:  # oneflow #8091
    @on_two_ranks
    def again(rank: int) -> None:
        x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0))
        assert x.to_global(everyone(), S(0)) is x and x.to_global() is x
        assert x.to_global(sbp=S(0), copy=True).to_local().data_ptr() != x.to_local().data_ptr()
        for sbp in (S(1), B, P, flow.sbp.partial_min):
            y = x.to_global(sbp=sbp, check_meta=True)
            assert y.sbp == (sbp,) and y.numpy().tolist() == NUMBERS.tolist()
        with pytest.raises(PlacementError, match="Each rank must have the same input sbp"):
            x.to_global(sbp=S(rank), check_meta=True)
        grid = x.to_global(flow.placement("cpu", [[0], [1]]), [S(1), B])
        assert grid.sbp == (S(1), B) and grid.full().tolist() == NUMBERS.tolist()
        with pytest.raises(ValueError, match="1 dimensions goes to one with 2: give the argument 'sbp'"):
            x.to_global(flow.placement("cpu", [[0], [1]]))


def test_casts_that_lack_something() -> None:
    with pytest.raises(ValueError, match="must have placement and sbp parameters"):
        flow.ones(1).to_global(everyone())
    with pytest.raises(RuntimeError, match="Expected global tensor for to_local but got local tensor!"):
        flow.ones(1).to_local()
    with pytest.raises(RuntimeError, match="Expected global tensor for global_to_global but got local tensor!"):
        flow.ones(1).global_to_global(sbp=B)
    x = flow.ones(1).to_consistent(everyone(), B)
    assert x.global_to_global() is x and flow.ones(1).local_to_global(everyone(), B).sbp == (B,)
    with pytest.raises(RuntimeError, match="Expected local tensor for local_to_global but got global tensor!"):
        x.local_to_global(everyone(), B)
    with pytest.raises(PlacementError, match=r"expected the shard of size \[3\] of a tensor of size \[3\] as S0, but got .*\[2\]"):
        flow.ones(2).local_to_global(everyone(), S(0), (3,))
    with pytest.raises(LocalityError, match=r"attributes of inputs is: global, local; make the local one global with to_global"):
        x + flow.ones(1)
    assert flow.compile(lambda x: x.to_global(everyone(), B) * 2, fullgraph=True)(flow.ones(1)).sbp == (B,)


# ------------------------------------------------------------------------------------------------ gradients


def test_gradients_of_casts() -> None:
    @on_two_ranks
    def casts(rank: int) -> None:
        x = flow.ones(2, requires_grad=True)
        (x.to_global(everyone(), S(0)) * flow.tensor([1.0, 2.0, 3.0, 4.0], placement=everyone(), sbp=B)).sum().backward()
        assert x.grad.is_local and x.grad.tolist() == [[1.0, 2.0], [3.0, 4.0]][rank]
        x.grad = None
        (x.to_global(everyone(), B) * 3).sum().backward()  # only the first rank's numbers counted
        assert x.grad.tolist() == [[3.0, 3.0], [0.0, 0.0]][rank]
        x.grad = None
        (x.to_global(everyone(), B, grad_sbp=B) * 3).sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]


def test_gradients_of_to_local_add_up_over_ranks() -> None:
    @on_two_ranks
    def locals_(rank: int) -> None:
        x = flow.ones(2, placement=everyone(), sbp=B, requires_grad=True)
        (x.to_local() * (rank + 1)).sum().backward()
        assert x.grad.is_global and x.grad.sbp == (B,) and x.grad.tolist() == [3.0, 3.0]
        x.grad = None
        (x.to_local(grad_sbp=B) * 2).sum().backward()
        assert x.grad.tolist() == [2.0, 2.0]
        y = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0), requires_grad=True)
        (y.to_local() * (rank + 1)).sum().backward()
        assert y.grad.sbp == (S(0),) and y.grad.numpy()[:, 0].tolist() == [1.0, 1.0, 1.0, 2.0, 2.0]


def test_shards_of_a_maximum_have_no_gradient() -> None:
    x = flow.ones(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match=r"to_global\(\): the gradient of the shards .* sbp Pmax is not supported yet"):
        x.to_global(everyone(), flow.sbp.partial_max)
    y = x.detach().to_global(everyone(), flow.sbp.partial_max).requires_grad_()
    with pytest.raises(NotImplementedError, match=r"to_local\(\): .* sbp Pmax is not supported yet"):
        y.to_local()
    y.to_global(sbp=B).sum().backward()
    assert y.grad.tolist() == [1.0, 1.0]
    with flow.no_grad():
        assert y.to_local().tolist() == [1.0, 1.0]


def test_grad_sbp_that_splits_otherwise_is_refused() -> None:
    """At the call: no rank's gradient could have the shape of its shard."""
    @on_two_ranks
    def refused(rank: int) -> None:
        x, y = flow.ones(2), flow.ones(2, placement=everyone(), sbp=S(0))
        with pytest.raises(PlacementError, match=r"to_global\(\): .* so grad_sbp splits what sbp splits; got grad_sbp S0 for sbp B"):
            x.to_global(everyone(), B, grad_sbp=S(0))
        with pytest.raises(PlacementError, match=r"to_local\(\): .* got grad_sbp P for sbp S0"):
            y.to_local(grad_sbp=P)
        assert y.to_local(grad_sbp=S(0)).shape == (1,)


def test_gradients_of_boxing_and_leaves() -> None:
    @on_two_ranks
    def boxing(rank: int) -> None:
        x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0), requires_grad=True)
        seen = []
        y = x.to_global(sbp=B, grad_sbp=P)
        z = x.to_global(sbp=S(1))
        z.register_hook(lambda g: seen.append(g.sbp))
        (y * y + z).sum().backward()
        assert x.grad.sbp == (S(0),) and x.grad.tolist() == (2 * NUMBERS + 1).tolist() and seen
        x.grad = None
        (dx,) = flow.autograd.grad((x.to_global(sbp=B) ** 3).sum(), x, create_graph=True)
        dx.sum().backward()
        assert x.grad.tolist() == (6 * NUMBERS).tolist()
        with pytest.raises(AutogradError, match="assigned grad lies over"):
            x.grad = flow.ones(5, 2, placement=flow.placement("cpu", [1]), sbp=B)
        with pytest.raises(LocalityError, match="assigned grad: expected a global"):
            x.grad = flow.ones(5, 2)


# ------------------------------------------------------------------------------------------------ creation


CREATED = {
    "zeros": lambda **k: flow.zeros(4, 3, **k),
    "full": lambda **k: flow.full((4, 3), 2.5, **k),
    "arange": lambda **k: flow.arange(1, 9, 2, **k),
    "linspace": lambda **k: flow.linspace(0, 1, 4, **k),
    "linspace of integers": lambda **k: flow.linspace(0, 9, 4, dtype=flow.int64, **k),
    "eye": lambda **k: flow.eye(4, 3, **k),
    "tensor": lambda **k: flow.tensor(NUMBERS, **k),
    "rand": lambda **k: flow.rand(4, 3, **k),
    "randn": lambda **k: flow.randn(4, 3, **k),
    "randint": lambda **k: flow.randint(0, 100, (4, 3), **k),
    "randperm": lambda **k: flow.randperm(4, **k),
    "normal": lambda **k: flow.normal(1.0, 2.0, (4, 3), **k),
}


@pytest.mark.parametrize("make", CREATED.values(), ids=CREATED)
def test_what_is_made_has_the_numbers_of_one_process(make: Callable[..., flow.Tensor]) -> None:
    flow.manual_seed(5)
    whole = make().tolist()

    @on_two_ranks
    def makes(rank: int) -> None:
        for sbp in (S(0), B, P):
            flow.manual_seed(5)
            x = make(placement=everyone(), sbp=sbp)
            assert x.sbp == (sbp,) and x.placement is everyone() and x.tolist() == whole
        flow.manual_seed(5)
        make(placement=flow.placement("cpu", [1]), sbp=B)
        after = flow.rand(2, placement=everyone(), sbp=S(0)).tolist()
        flow.manual_seed(5)
        make(placement=everyone(), sbp=B)
        assert flow.rand(2, placement=everyone(), sbp=B).tolist() == after


LIKE = {
    "zeros_like": flow.zeros_like,
    "ones_like": flow.ones_like,
    "full_like": lambda x, **k: flow.full_like(x, 3.0, **k),
    "empty_like": lambda x, **k: flow.empty_like(x, **k).fill_(1.0),
    "rand_like": flow.rand_like,
    "randint_like": lambda x, **k: flow.randint_like(x, 9, **k),
    "new_zeros": lambda x, **k: x.new_zeros((5, 2), **k),
    "new_ones": lambda x, **k: x.new_ones((5, 2), **k),
    "new_tensor": lambda x, **k: x.new_tensor(NUMBERS.tolist(), **k),
    "bernoulli": lambda x, **k: flow.bernoulli(x, 0.5),
    "uniform_": lambda x, **k: x.clone().uniform_(),
    "normal_": lambda x, **k: x.clone().normal_(),
    "random_": lambda x, **k: x.clone().random_(0, 9),
    "dropout": lambda x, **k: flow.nn.functional.dropout(x, 0.5),
}


@pytest.mark.parametrize("name", LIKE)
def test_what_is_made_like_a_tensor_lies_as_that(name: str) -> None:
    make = LIKE[name]
    flow.manual_seed(5)
    whole = make(flow.tensor(NUMBERS)).tolist()

    @on_two_ranks
    def makes(rank: int) -> None:
        for sbp in (S(0), S(1), B, P):
            flow.manual_seed(5)
            x = make(flow.tensor(NUMBERS, placement=everyone(), sbp=sbp))
            assert x.tolist() == whole
            if name.endswith("_like") or name.startswith("new"):
                assert x.sbp == (B if sbp is P else sbp,)
                assert make(x, placement=flow.placement("cpu", [1]), sbp=S(1)).placement.ranks.tolist() == [1]
        assert flow.tensor(NUMBERS, placement=everyone(), sbp=S(1)).new_zeros((3,)).sbp == (B,)
        assert flow.tensor(NUMBERS, placement=everyone(), sbp=S(1)).new_tensor([1, 2]).sbp == (B,)


def test_what_creation_refuses() -> None:
    where = {"placement": everyone(), "sbp": B}
    for call, text in (
        (lambda: flow.zeros(2, placement=everyone()), r"zeros\(\): missing required argument 'sbp'"),
        (lambda: flow.rand(2, sbp=B), r"rand\(\): missing required argument 'placement'"),
        (lambda: flow.eye(2, device="cpu", **where), r"eye\(\): takes a 'device', or a 'placement' and 'sbp'"),
        (lambda: flow.Tensor(2, dtype=1), r"Tensor\(\): got an unexpected keyword argument 'dtype'"),
    ):
        with pytest.raises(TypeError, match=text):
            call()
    assert flow.Tensor(2, 3, **where).shape == (2, 3) and flow.Tensor([1.0, 2.0], **where).tolist() == [1.0, 2.0]


def test_generators_draw_over_placements() -> None:
    whole = flow.rand(4, generator=flow.Generator().manual_seed(7)).tolist()

    @on_two_ranks
    def draws(rank: int) -> None:
        generator = flow.Generator()
        for placement in (everyone(), flow.placement("cpu", [1])):
            generator.manual_seed(7)
            x = flow.rand(4, placement=placement, sbp=S(0), generator=generator)
            assert x.tolist() == whole and generator.get_state() == (7, 1)
        assert flow.rand(4, generator=generator).is_local


def test_seeds_are_compared() -> None:
    @on_two_ranks
    def differ(rank: int) -> None:
        flow.manual_seed(rank)
        with pytest.raises(PlacementError, match=r"expected the same seed on all ranks, but got \[0, 1\]"):
            flow.rand(2, placement=everyone(), sbp=B)
        flow.manual_seed(0)
        flow.rand(2, placement=everyone(), sbp=B)


# ------------------------------------------------------------------------------------------------ reads


def test_reads_give_every_rank_everything() -> None:
    @on_two_ranks
    def reads(rank: int) -> None:
        for sbp in (S(0), S(1), B, P):
            x = flow.tensor(NUMBERS, placement=everyone(), sbp=sbp)
            assert x.numpy().tolist() == x.tolist() == x.full().tolist() == numpy.asarray(x).tolist() == NUMBERS.tolist()
            assert x.sum().item() == 45.0 and float(x[4, 1]) == 9.0 and int(x[2, 0]) == 4 and bool(x[0, 1] == 1)
            assert flow.full((), x.max()).item() == 9.0
        half = flow.tensor(NUMBERS, dtype=flow.bfloat16, placement=everyone(), sbp=S(0))
        assert half.tolist() == NUMBERS.tolist()


def test_reads_of_memory_are_refused() -> None:
    x = flow.ones(2, placement=everyone(), sbp=B)
    for call in (flow.to_torch, lambda x: x.data_ptr()):
        with pytest.raises(LocalityError, match="expected a local tensor, but got a global"):
            call(x)


def test_printing_does_not_communicate() -> None:
    @on_two_ranks
    def prints(rank: int) -> None:
        x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0))
        grid = x.to_global(flow.placement("cpu", [[0, 1]]), [B, S(1)])  # oneflow #6314
        share, off, scalar = x.to_global(sbp=P), x.to_global(flow.placement("cpu", [0]), B), x.sum().to_global(sbp=B)
        if rank == 1:  # one rank alone
            assert repr(x) == (
                "tensor([[6., 7.],\n        [8., 9.]], rank 1 of [0, 1], rows 3:5, size=(5, 2),\n      "
                ' placement=tritonflow.placement(type="cpu", ranks=[0, 1]),\n       sbp=(tritonflow.sbp.split(dim=0),))'
            )
            assert "rank 1 of [[0, 1]], columns 1:2, size=(5, 2)" in repr(grid) and "[9.]" in repr(grid)
            assert "share 1 of 2 (sum)" in repr(share)
            assert repr(off).startswith("tensor(..., rank 1 is not in [0], size=(5, 2),\n       placement=")
            assert repr(scalar).startswith("tensor(45., placement=")


def test_copies_and_pickles_lie_as_before() -> None:
    @on_two_ranks
    def copies(rank: int) -> None:
        x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0), requires_grad=True)
        for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(flow.nn.Parameter(x.detach())))):
            assert y.sbp == (S(0),) and y.placement is everyone() and y.requires_grad and y.is_leaf
            assert y.tolist() == NUMBERS.tolist()
        assert copy.deepcopy(x).to_local().data_ptr() != x.to_local().data_ptr()


def test_copies_from_other_placements() -> None:
    @on_two_ranks
    def copies(rank: int) -> None:
        x = flow.zeros(5, 2, placement=everyone(), sbp=S(0))
        x.copy_(flow.tensor(NUMBERS, placement=flow.placement("cpu", [1]), sbp=B))
        assert x.sbp == (S(0),) and x.tolist() == NUMBERS.tolist()
        x.copy_(flow.ones(2, placement=flow.placement("cpu", [[0, 1]]), sbp=[B, S(0)]))
        assert x.tolist() == [[1.0, 1.0]] * 5
        with pytest.raises(LocalityError, match="Expected all tensors to be on the same placement, but found at least two"):
            x + flow.ones(5, 2, placement=flow.placement("cpu", [1]), sbp=B)
        assert flow.Tensor(x, device="cpu").shape == x.to_local().shape
        assert flow.Tensor(flow.ones(2), placement=everyone(), sbp=S(0)).shape == (4,)


def test_other_devices_and_dtypes() -> None:
    x = flow.tensor(NUMBERS, placement=everyone(), sbp=S(0))
    assert x.cpu() is x and x.to("cpu") is x and x.double().sbp == (S(0),)
    assert x.to(flow.int32).dtype is flow.int32 and x.type_as(x.long()).dtype is flow.int64
    with pytest.raises(LocalityError, match="local tensors"):
        x.to(flow.ones(1, dtype=flow.int32))


INDICES: list[tuple[Any, Any]] = [
    (0, 7.0),
    ((slice(1, 4), 1), 7.0),
    (slice(1, 3), [[5.0, 6.0], [7.0, 8.0]]),
    (Ellipsis, flow.full((2,), 3.0)),
    ([0, 3], 2.0),
    (NUMBERS > 5, 1.0),
    ((slice(None), 0), flow.arange(5.0)),
]


@pytest.mark.parametrize(("index", "value"), INDICES)
def test_what_is_written_at_an_index_is_there(index: Any, value: Any) -> None:
    expected = flow.tensor(NUMBERS)
    expected[index] = value

    @on_two_ranks
    def writes(rank: int) -> None:
        for sbp in (S(0), S(1), B, P):
            x = flow.tensor(NUMBERS, placement=everyone(), sbp=sbp)
            where = {"placement": everyone(), "sbp": B}
            there = flow.tensor(index, **where) if isinstance(index, (list, numpy.ndarray)) else index
            x[there] = flow.tensor(value, **where) if isinstance(value, flow.Tensor) else value
            assert x.sbp == (sbp,) and x.tolist() == expected.tolist(), sbp


# ------------------------------------------------------------------------------------------------ structures and modes


def test_structures() -> None:
    given = {"a": flow.ones(2), "b": [flow.zeros(2, 2), (3, None)]}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        there = global_view.to_global(given, everyone(), lambda _, t: S(1) if t.ndim == 2 else [B])
    assert len(said) == 2 and "Non-Tensor type: <class 'int'> encountered" in str(said[0].message)
    assert there["a"].sbp == (B,) and there["b"][0].sbp == (S(1),) and there["b"][1] == (3, None)
    back = global_view.to_local([there["a"]])
    assert back[0].is_local
    with pytest.warns(UserWarning, match="local tensor will remain the same"):
        assert global_view.to_local(back[0]) is back[0]


def test_global_mode() -> None:
    @on_two_ranks
    def modes(rank: int) -> None:
        with global_view.global_mode(True, placement=everyone(), sbp=[S(0)]):
            mode = global_view.current_global_mode()
            assert mode.is_enabled and mode.placement is everyone() and mode.sbp == (S(0),)
            made = [flow.ones(4), flow.rand(4, device="cpu"), flow.tensor([1.0, 2.0]), flow.nn.Linear(2, 2).weight]
            assert all(x.sbp == (S(0),) for x in made)
            assert made[0].device == flow.device("cpu") and made[0].to(made[0].device) is made[0]
            with global_view.global_mode(False):
                own = flow.ones(2)
                assert own.is_local and not global_view.current_global_mode().is_enabled
            assert own.to_global().shape == (4,) and flow.zeros_like(own).is_local
        assert flow.ones(2).is_local and global_view.current_global_mode().placement is None
    for options in ({}, {"placement": everyone()}, {"placement": everyone(), "sbp": [B, B]}, {"placement": 3, "sbp": B}):
        with pytest.raises(TypeError, match="global_mode"):
            global_view.global_mode(True, **options)
    assert flow.ones(2).is_local


# ------------------------------------------------------------------------------------------------ modules


def losses(where: dict[str, Any] | None, steps: int = 3) -> list[float]:
    """A few steps of SGD, of a net whose parameters lie so."""
    flow.manual_seed(1)
    net = flow.nn.Sequential(flow.nn.Linear(2, 4), flow.nn.ReLU(), flow.nn.Linear(4, 1))
    x, y = flow.tensor(NUMBERS), flow.tensor(NUMBERS[:, :1])
    if where is not None:
        assert net.to_global(where["placement"], B) is net
        net.to_global(**where)
        x, y = x.to_global(everyone(), B).to_global(sbp=S(0)), y.to_global(everyone(), B).to_global(sbp=S(0))
    optimizer = flow.optim.Adam(net.parameters(), lr=0.1)
    found = []
    for _ in range(steps):
        loss = ((net(x) - y) ** 2).sum() / len(NUMBERS)
        optimizer.zero_grad()
        loss.backward()
        flow.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize("sbp", [B, S(0)])
def test_training_over_ranks_is_training(sbp: flow.sbp.sbp) -> None:
    expected = losses(None)

    @on_two_ranks
    def trains(rank: int) -> None:
        assert numpy.allclose(losses({"placement": everyone(), "sbp": sbp}), expected, rtol=1e-5)


def test_modules_go_over_ranks_and_back() -> None:
    @on_two_ranks
    def modules(rank: int) -> None:
        net = flow.nn.Linear(2, 5)
        net.weight.data.fill_(float(rank))
        weight = net.weight
        net.to_global(everyone(), B)
        assert net.weight is weight and weight.sbp == (B,) and weight.tolist() == [[0.0] * 2] * 5 and weight.is_leaf
        net.to_consistent(sbp=S(0))
        assert weight.sbp == (S(0),) and "weight" in repr(list(net.state_dict()))
        net.load_state_dict({"weight": NUMBERS, "bias": flow.ones(5)})
        assert weight.tolist() == NUMBERS.tolist() and net.bias.sbp == (S(0),)
        net.to_local()
        assert weight.shape == ((3, 2) if rank == 0 else (2, 2)) and weight.tolist() == NUMBERS[3 * rank :][: 3 - rank].tolist()
        with pytest.raises(RuntimeError, match="size mismatch for weight"):
            net.to_global(everyone(), S(0)).load_state_dict({"weight": flow.ones(3, 2), "bias": flow.ones(5)})


def test_states_of_optimizers_lie_as_their_parameters() -> None:
    @on_two_ranks
    def states(rank: int) -> None:
        p = flow.nn.Parameter(flow.tensor(NUMBERS, placement=everyone(), sbp=S(0)))
        optimizer = flow.optim.Adam([p])
        p.sum().backward()
        optimizer.step()
        assert optimizer.state[p]["exp_avg"].sbp == (S(0),) and optimizer.state[p]["step"].sbp == (B,)
        state = global_view.to_local({"exp_avg": optimizer.state[p]["exp_avg"].to_global(sbp=B)})
        saved = optimizer.state_dict()
        saved["state"][0]["exp_avg"] = state["exp_avg"]  # every rank has all of it
        other = flow.optim.Adam([p])
        other.load_state_dict(saved)
        assert other.state[p]["exp_avg"].sbp == (S(0),)
        assert other.state[p]["exp_avg"].tolist() == optimizer.state[p]["exp_avg"].tolist()


def test_norms_are_those_of_one_process() -> None:
    rows = [flow.tensor(NUMBERS), flow.tensor(NUMBERS[:, 0])]
    expected = {order: flow.nn.utils.get_total_norm(rows, order).item() for order in (1.0, 2.0, float("inf"), 0.0)}

    @on_two_ranks
    def norms(rank: int) -> None:
        for sbps in ((S(0), S(0)), (S(1), B), (P, S(0))):
            there = [flow.tensor(r.numpy(), placement=everyone(), sbp=sbp) for r, sbp in zip(rows, sbps)]
            for order, norm in expected.items():
                assert numpy.isclose(flow.nn.utils.get_total_norm(there, order).item(), norm, rtol=1e-6), (sbps, order)


def test_gradients_are_scaled_and_unscaled() -> None:
    @on_two_ranks
    def scales(rank: int) -> None:
        p = flow.nn.Parameter(flow.ones(5, 2, placement=everyone(), sbp=S(0)))
        optimizer, scaler = flow.optim.SGD([p], lr=1.0), flow.amp.GradScaler(init_scale=8.0)
        for factor, expected in ((1.0, 0.0), (float("inf"), 0.0)):
            optimizer.zero_grad()
            scaler.scale((p * factor).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
            assert p.tolist() == [[expected] * 2] * 5
        assert scaler.get_scale() == 4.0


# ------------------------------------------------------------------------------------------------ files


def test_files_of_whole_tensors(tmp_path: Path) -> None:
    @on_two_ranks
    def files(rank: int) -> None:
        path = tmp_path / "state.flow"
        net = flow.nn.Linear(2, 5).to_global(everyone(), B).to_global(sbp=S(0))
        with pytest.raises(LocalityError, match="global .* as 'weight'. help: give global_dst_rank"):
            flow.save(net.state_dict(), path)
        with pytest.raises(ValueError, match=r"global_dst_rank out of range \(expected to be in range of \[0, 2\), but got 2\)"):
            flow.save(net.state_dict(), path, global_dst_rank=2)
        flow.save({"net": net.state_dict(), "steps": (1, 2)}, path, global_dst_rank=1)
        loaded = flow.load(path, global_src_rank=1)
        assert loaded["steps"] == (1, 2)
        weight = loaded["net"]["weight"]
        assert weight.placement.ranks.tolist() == [1] and weight.sbp == (B,) and weight.tolist() == net.weight.tolist()
        other = flow.nn.Linear(2, 5).to_global(everyone(), B)
        other.load_state_dict(loaded["net"])
        assert other.weight.tolist() == net.weight.tolist() and other.weight.placement is everyone()
        with pytest.raises((FileNotFoundError, FileFormatError), match="No such file"):
            flow.load(tmp_path / "nothing", global_src_rank=1)


# ------------------------------------------------------------------------------------------------ grids, and real ranks


def test_grids_of_ranks() -> None:
    shapes = {(0, 0): (2, 2), (0, 1): (2, 1), (1, 0): (1, 2), (1, 1): (1, 1)}  # of 3 x 3 as (S0, S1)

    @simulate(4)
    def grids() -> None:
        grid = flow.placement("cpu", [[0, 1], [2, 3]])
        whole = flow.arange(9.0).reshape(3, 3)
        x = flow.tensor(whole.tolist(), placement=grid, sbp=[S(0), S(1)], requires_grad=True)
        coordinate = grid.coordinate(this_rank().index)
        assert x.to_local().shape == shapes[coordinate]
        again = x.to_local().detach().to_global(grid, [S(0), S(1)])
        assert again.shape == (3, 3) and again.tolist() == whole.tolist()
        nested = x.to_global(sbp=[S(0), S(0)])
        assert nested.to_local().shape == ((1, 3) if this_rank().index < 3 else (0, 3))
        assert nested.detach().to_local().to_global(grid, [S(0), S(0)]).tolist() == whole.tolist()
        assert flow.full((2,), float(this_rank().index)).to_global(grid, [S(0), B]).tolist() == [0.0, 0.0, 2.0, 2.0]
        line = x.to_global(flow.placement("cpu", [3, 1]), S(1))
        (line * line).sum().backward()
        assert x.grad.sbp == (S(0), S(1)) and x.grad.tolist() == (whole * 2).tolist()
        flow.manual_seed(2)
        drawn = flow.rand(3, 3, placement=grid, sbp=[S(1), S(0)]).tolist()
        flow.manual_seed(2)
        assert drawn == flow.rand(3, 3, placement=grid, sbp=[B, P]).tolist()

    grids()


def on_this_rank() -> list[Any]:
    """What every process of a real world does; run by name."""
    rank = this_rank().index
    x = flow.full((2 + (rank == 0), 2), float(rank), requires_grad=True).to_global(everyone(), S(0))
    y = (x.to_global(sbp=B) * flow.rand(5, 2, placement=everyone(), sbp=S(1))).sum()
    y.backward()
    net = flow.nn.Linear(2, 2).to_global(everyone(), B)
    text = repr(x) if rank else ""
    return [x.numpy().tolist(), y.item(), net.weight.tolist(), text, flow.env.get_world_size()]


def test_processes_see_one_tensor(ranks2: Any) -> None:
    first, second = ranks2.run("tests.consistent.test_api:on_this_rank")
    assert first[:3] == second[:3] and first[0] == [[0.0, 0.0]] * 3 + [[1.0, 1.0]] * 2
    assert "rank 1 of [0, 1], rows 3:5" in second[3] and first[4] == 2
