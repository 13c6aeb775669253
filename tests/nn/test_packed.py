"""Sequences of several lengths, padded and packed, and recurrent layers on them, against torch's."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.nn.reference import assert_same
from tests.nn.test_rnn import flat, pair, random
from tritonflow.errors import CaptureError
from tritonflow.testing import assert_close, in_float64

LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def sequences(lengths: list[int], sizes: tuple[int, ...], seed: int) -> tuple[list[Any], list[Any]]:
    rng = numpy.random.default_rng(seed)
    made = [random(rng, length, *sizes) for length in lengths]
    return [a for a, _ in made], [b for _, b in made]


def plain(packed: Any) -> list[Any]:
    parts = (packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
    return [None if part is None else part.tolist() for part in parts]


def gradients_agree(mine: Any, theirs: Any, inputs: list[tuple[Any, Any]], rng: numpy.random.Generator) -> None:
    assert_close(mine, in_float64(theirs), op_class="matmul")
    a, b = random(rng, *theirs.shape)
    (mine * a).sum().backward()
    (theirs * b).sum().backward()
    for x, y in inputs:
        assert_close(x.grad, in_float64(y.grad), op_class="matmul")


@settings(max_examples=40, deadline=None)
@given(LENGTHS, st.sampled_from([(), (2,), (2, 3)]), st.booleans(), st.sampled_from(["left", "right"]), st.integers(0, 99))
def test_pad_and_unpad(lengths: list[int], sizes: tuple[int, ...], batch_first: bool, side: str, seed: int):
    mine, theirs = sequences(lengths, sizes, seed)
    padded = flow.nn.utils.rnn.pad_sequence(mine, batch_first, 0.5, side)
    expected = torch.nn.utils.rnn.pad_sequence(theirs, batch_first, 0.5, side)
    gradients_agree(padded, expected, list(zip(mine, theirs)), numpy.random.default_rng(seed))
    if side == "right":
        for part, sequence in zip(flow.nn.utils.rnn.unpad_sequence(padded, lengths, batch_first), mine):
            assert part.tolist() == sequence.tolist()


@settings(max_examples=40, deadline=None)
@given(LENGTHS, st.sampled_from([(), (2,)]), st.booleans(), st.none() | st.integers(6, 8), st.integers(0, 99))
def test_pack_and_unpack(lengths: list[int], sizes: tuple[int, ...], batch_first: bool, total: int | None, seed: int):
    rng = numpy.random.default_rng(seed)
    lengths = sorted(lengths, reverse=True)
    shape = (len(lengths), lengths[0] + 1) if batch_first else (lengths[0] + 1, len(lengths))
    x, y = random(rng, *shape, *sizes)
    mine = flow.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first)
    theirs = torch.nn.utils.rnn.pack_padded_sequence(y, torch.tensor(lengths), batch_first)
    assert plain(mine) == plain(theirs)
    padded, found = flow.nn.utils.rnn.pad_packed_sequence(mine, batch_first, -1.0, total)
    expected, wanted = torch.nn.utils.rnn.pad_packed_sequence(theirs, batch_first, -1.0, total)
    assert found.tolist() == wanted.tolist() and found.dtype == flow.int64
    gradients_agree(padded, expected, [(x, y)], rng)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True), st.integers(0, 99))
def test_sorting(lengths: list[int], seed: int):
    mine, theirs = sequences(lengths, (2,), seed)
    packed = flow.nn.utils.rnn.pack_sequence(mine, enforce_sorted=False)
    assert plain(packed) == plain(torch.nn.utils.rnn.pack_sequence(theirs, enforce_sorted=False))
    again = flow.nn.utils.rnn.PackedSequence(packed.data, packed.batch_sizes, packed.sorted_indices)
    assert plain(again) == plain(packed)
    for part, sequence in zip(flow.nn.utils.rnn.unpack_sequence(packed), mine):
        assert part.tolist() == sequence.tolist()


def shown(value: Any) -> Any:
    if isinstance(value, (flow.Tensor, torch.Tensor)):
        return str(value.dtype).split(".")[-1], tuple(value.shape), value.tolist()
    return [shown(part) for part in value] if isinstance(value, (list, tuple)) else value


def steps(lib: Any, *shape: int) -> Any:
    return lib.arange(float(numpy.prod(shape))).reshape(*shape)


LIKE_TORCH = {
    "lengths of floats": lambda lib, rnn: rnn.pack_padded_sequence(steps(lib, 4, 3), [4.0, 2.0, 1.0]),
    "lengths of int32": lambda lib, rnn: rnn.pack_padded_sequence(steps(lib, 4, 3), lib.tensor([3, 2, 1], dtype=lib.int32)),
    "equal lengths": lambda lib, rnn: rnn.pack_padded_sequence(steps(lib, 4, 5), [2, 4, 2, 4, 2], enforce_sorted=False),
    "and back": lambda lib, rnn: rnn.pad_packed_sequence(rnn.pack_padded_sequence(steps(lib, 4, 5), [2, 4, 2, 4, 2], enforce_sorted=False)),
    "bools": lambda lib, rnn: rnn.pad_packed_sequence(rnn.pack_sequence([lib.arange(4) > 2, lib.arange(2) > 0]), padding_value=1),
    "no steps": lambda lib, rnn: rnn.pad_sequence([lib.zeros(0, 3), lib.zeros(0, 3)]),
    "no steps, batch first": lambda lib, rnn: rnn.pad_sequence([lib.zeros(0), lib.zeros(0)], True),
    "some without steps": lambda lib, rnn: rnn.pad_sequence([lib.zeros(0, 3), lib.ones(2, 3)], padding_side="left"),
    "an iterator": lambda lib, rnn: rnn.pad_sequence(lib.ones(n) for n in (1, 3)),
    "a tensor": lambda lib, rnn: rnn.pad_sequence(steps(lib, 3, 2)),
    "the dtype of the first": lambda lib, rnn: rnn.pad_sequence([lib.arange(2), lib.ones(3)]),
    "elements of size 1": lambda lib, rnn: rnn.pad_sequence([lib.ones(2, 3), lib.ones(2, 1)]),
    "unpad": lambda lib, rnn: rnn.unpad_sequence(steps(lib, 2, 3), lib.tensor([-1, 7]), batch_first=True),
    "as a tuple": lambda lib, rnn: tuple(rnn.pack_sequence([lib.ones(3), lib.ones(1)], False)),
    "a pair": lambda lib, rnn: rnn.PackedSequence((lib.ones(3), lib.tensor([2, 1], device="cpu"))),
    "of an order": lambda lib, rnn: rnn.PackedSequence(lib.ones(3), lib.tensor([2, 1], device="cpu"), lib.tensor([1, 0])),
    "names": lambda lib, rnn: rnn.pack_sequence([lib.ones(3), lib.ones(1)])._fields,
    "other data": lambda lib, rnn: rnn.pad_packed_sequence(rnn.pack_sequence([lib.ones(3), lib.ones(1)])._replace(data=lib.zeros(4))),
    "double": lambda lib, rnn: rnn.pack_sequence([lib.ones(3), lib.ones(1)]).double(),
    "long": lambda lib, rnn: rnn.pack_sequence([lib.ones(1), lib.ones(2)], False).long(),
}


@pytest.mark.parametrize("name", LIKE_TORCH)
def test_results_are_torchs(name: str):
    mine, theirs = (shown(LIKE_TORCH[name](lib, lib.nn.utils.rnn)) for lib in (flow, torch))
    assert mine == theirs


@pytest.mark.parametrize("layer", ["LSTM", "GRU"])
def test_packed_sequences_are_arguments_and_results_of_graphs(layer: str):
    ours, _ = pair(layer, 3, 4)
    compiled = flow.compile(ours, fullgraph=True)
    for lengths in ([2, 5, 3], [5, 3, 2], [1, 1]):
        packed = flow.nn.utils.rnn.pack_sequence([flow.rand(n, 3) for n in lengths], enforce_sorted=False)
        (out, _), (expected, _) = compiled(packed), ours(packed)
        assert type(out) is type(expected) and out.sizes == expected.sizes
        assert_close(out.data, expected.data, op_class="matmul")
        found, counts = flow.nn.utils.rnn.pad_packed_sequence(out)
        assert_close(found, flow.nn.utils.rnn.pad_packed_sequence(expected)[0], op_class="matmul")
        assert counts.tolist() == lengths


def test_padding_is_compiled():
    """Lengths are numbers of the host. An order that lies on a GPU alone is looked at, which a whole graph does not do."""
    rnn = flow.nn.utils.rnn
    x, lengths = flow.rand(5, 3, 2), [2, 5, 3]
    packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    wanted, pad = rnn.pad_packed_sequence(packed)[0].tolist(), lambda packed: rnn.pad_packed_sequence(packed)
    whole = flow.compile(lambda x: pad(rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)), fullgraph=True)
    alone = flow.compile(pad, fullgraph=where.device != "cuda")
    for found, counts in (whole(x), alone(packed)):
        assert found.tolist() == wanted and counts.tolist() == lengths and counts.device.type == "cpu"
    assert len(alone.captures()) == 1
    if where.device == "cuda":
        with pytest.raises(CaptureError, match=r"pad_packed_sequence\(\) needs the value of a tensor"):
            flow.compile(pad, fullgraph=True)(packed)


@pytest.mark.cpu_only  # workers are forked
def test_packed_sequences_come_from_workers():
    data = [flow.ones(2), flow.ones(3)]
    pack = lambda batch: flow.nn.utils.rnn.pack_sequence(batch, enforce_sorted=False)
    (packed,) = flow.utils.data.DataLoader(data, batch_size=2, num_workers=1, collate_fn=pack)
    assert plain(packed) == plain(pack(data)) and pickle.loads(pickle.dumps(packed)).sizes == [2, 2, 1]


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(["RNN", "LSTM", "GRU"]), st.lists(st.integers(1, 6), min_size=1, max_size=4, unique=True),
    st.booleans(), st.integers(1, 2), st.booleans(), st.integers(0, 99),
)  # fmt: skip
def test_layers(layer: str, lengths: list[int], both_ways: bool, depth: int, given_state: bool, seed: int):
    rng = numpy.random.default_rng(seed)
    ours, reference = pair(layer, 3, 4, num_layers=depth, bidirectional=both_ways)
    reference.double()
    mine, theirs = sequences(lengths, (3,), seed)
    states = [random(rng, depth * (1 + both_ways), len(lengths), 4) for _ in range(1 + (layer == "LSTM"))]
    group = lambda tensors: None if not given_state else tensors[0] if len(tensors) == 1 else tuple(tensors)
    packed = flow.nn.utils.rnn.pack_sequence(mine, enforce_sorted=False)
    y, state = ours(packed, group([a for a, _ in states]))
    expected, wanted = reference(torch.nn.utils.rnn.pack_sequence(theirs, enforce_sorted=False), group([b for _, b in states]))
    assert plain(y)[1:] == plain(expected)[1:]
    total = wanted_total = 0
    for a, b in zip([y.data, *flat(state)], [expected.data, *flat(wanted)]):
        assert_close(a, in_float64(b), op_class="matmul")
        weight, same = random(rng, *b.shape)
        total, wanted_total = total + (a * weight).sum(), wanted_total + (b * same).sum()
    total.backward()
    wanted_total.backward()
    for a, b in [*zip(mine, theirs), *zip(ours.parameters(), reference.parameters()), *(states if given_state else [])]:
        assert_close(a.grad, in_float64(b.grad), op_class="matmul")


def test_in_a_graph(rng: numpy.random.Generator):
    ours, reference = pair("LSTM", 3, 4, bidirectional=True)
    reference.double()
    x, y = random(rng, 5, 3, 3)
    lengths = [2, 5, 3]

    def run(library: Any, layer: Any, input: Any) -> Any:
        rnn = library.nn.utils.rnn
        packed, (h, _) = layer(rnn.pack_padded_sequence(input, lengths, enforce_sorted=False))
        return rnn.pad_packed_sequence(packed)[0], h

    for a, b in zip(flow.compile(lambda x: run(flow, ours, x))(x), run(torch, reference, y)):
        assert_close(a, in_float64(b), op_class="matmul")


def test_lengths_that_a_graph_computes_are_not_known():
    pack = flow.compile(lambda x, lengths: flow.nn.utils.rnn.pack_padded_sequence(x, lengths).data, fullgraph=True)
    with pytest.raises(RuntimeError, match="not known"):
        pack(flow.ones(3, 2), flow.tensor([3, 1]))


def test_conversion():
    packed = flow.nn.utils.rnn.pack_sequence([flow.ones(2), flow.zeros(3)], enforce_sorted=False)
    assert packed.to(flow.float32) is packed and packed.to(where.device) is packed
    assert packed.is_cuda == (where.device == "cuda") and not packed.cpu().is_cuda
    double = packed.to(flow.float64)
    assert double.data.dtype == flow.float64 and plain(double) == plain(packed)
    assert plain(flow.nn.utils.rnn.pack_padded_sequence(flow.ones(3, 2), numpy.array([3, 1])))[1] == [2, 1, 1]


def test_repr():
    tensor = lambda lib, values: lib.tensor(values, device="cpu")
    assert_same(lambda lib: repr(lib.nn.utils.rnn.pack_sequence([tensor(lib, [1, 4]), tensor(lib, [2])])))


WRONG = {
    "count": lambda lib, rnn: rnn.pack_padded_sequence(lib.ones(4, 3, 2), [4, 2]),
    "length of 0": lambda lib, rnn: rnn.pack_padded_sequence(lib.ones(4, 3, 2), [4, 2, 0]),
    "no sequences": lambda lib, rnn: rnn.pad_sequence([]),
    "one number": lambda lib, rnn: rnn.pad_sequence(3),
    "no input": lambda lib, rnn: rnn.pack_padded_sequence(lib.zeros(4, 0, 2), []),
    "no features": lambda lib, rnn: rnn.pack_padded_sequence(lib.zeros(4, 1, 0), [4]),
    "too few lengths to unpad": lambda lib, rnn: rnn.unpad_sequence(lib.ones(3, 2), lib.tensor([2])),
    "side": lambda lib, rnn: rnn.pad_sequence([lib.ones(2)], padding_side="x"),
    "total": lambda lib, rnn: rnn.pad_packed_sequence(rnn.pack_sequence([lib.ones(4)]), total_length=2),
    "state": lambda lib, rnn: lib.nn.GRU(2, 3)(rnn.pack_sequence([lib.ones(4, 2)] * 3), lib.ones(1, 2, 3)),
    "input size": lambda lib, rnn: lib.nn.GRU(3, 3)(rnn.pack_sequence([lib.ones(4, 2)])),
    "rank": lambda lib, rnn: lib.nn.GRU(3, 3)(rnn.pack_sequence([lib.ones(4, 2, 3)])),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_are_torchs(wrong: str):
    assert_same(lambda lib: WRONG[wrong](lib, lib.nn.utils.rnn))


def test_errors_of_our_own():
    rnn = flow.nn.utils.rnn
    for lengths, error, text in (
        ([2, 4, 3], RuntimeError, "must be sorted in decreasing order"),
        ([5, 2, 1], RuntimeError, "at most 4, that of the padded sequences, but got 5"),
        ([2.5, 2, 1], TypeError, "to be ints"),
        ([[3], [2], [1]], TypeError, "to be ints"),
        (flow.tensor([[3], [2], [1]]), RuntimeError, "should be a 1D CPU int64 tensor"),
        (3, RuntimeError, "should be a 1D CPU int64 tensor"),
    ):
        with pytest.raises(error, match=text):
            rnn.pack_padded_sequence(flow.ones(4, 3, 2), lengths)
    with pytest.raises(IndexError, match="at least 2 dimensions"):
        rnn.pack_padded_sequence(flow.ones(4), [4])
    with pytest.raises(TypeError, match="must be Tensor, not list"):
        rnn.pack_padded_sequence([[1]], [1])
    for parts in ([flow.ones(2, 3), flow.ones(2, 4)], [flow.ones(2, 3), flow.ones(2)], [flow.zeros(0), flow.ones(2, 3)], [flow.tensor(1.0)]):
        with pytest.raises(RuntimeError, match="pad_sequence"):
            rnn.pad_sequence(parts)
    with pytest.raises(RuntimeError, match="overflow"):
        rnn.pad_sequence([flow.ones(2, dtype=flow.uint8), flow.ones(1, dtype=flow.uint8)], padding_value=-1)
