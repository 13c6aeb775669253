"""Sequences of several lengths, padded and packed, and recurrent layers on them, against torch's."""

from __future__ import annotations

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
    ):
        with pytest.raises(error, match=text):
            rnn.pack_padded_sequence(flow.ones(4, 3, 2), lengths)
