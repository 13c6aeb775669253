"""gather, scatter, embedding, advanced indexing, nonzero, masked_select."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

import tritonflow as flow
from tests.kernels.compile_sweep import GPU, sweep
from tests.kernels.gpu_code import code_of, launches_of
from tests.kernels.harness import BACKENDS, compile_for, kernels, run, stride, strides
from tritonflow.testing import assert_close, in_float64

index = kernels("index")
by_target = kernels("index_sorted")
where = kernels("select_where")
arithmetic = kernels("functions.arithmetic")
S0, S1 = stride(0), stride(1)


def error_word():
    return torch.zeros(1, dtype=torch.int32)


def gather_args(x, at, dim, out, err):
    """x.gather(dim, at): x moves by the index along `dim`."""
    x_strides = tuple(stride(0 if d == dim else s) for d, s in enumerate(x.stride()))
    rows = at.numel() // at.shape[-1]
    return (
        x,
        (at,),
        out,
        err,
        rows,
        tuple(at.shape),
        x_strides,
        (strides(at),),
        strides(out),
        (x.shape[dim],),
        (x.stride(dim),),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32], ids=str)
def test_gather(backend, dim, dtype):
    x = torch.randn(4, 5, 6).transpose(0, 1)
    at = torch.randint(0, x.shape[dim], (3, 2, 6)).to(dtype)
    out, err = torch.empty(3, 2, 6), error_word()
    run(
        backend,
        index.get,
        (6,),
        gather_args(x, at, dim, out, err),
        {"WRAP": False, "PER_ROW": False, "ROWS": 2, "COLS": 4},
    )
    torch.testing.assert_close(out, x.gather(dim, at.long()))
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_gather_out_of_range(backend):
    x, at = torch.randn(4, 5), torch.tensor([[0, 4, 5]])
    out, err = torch.empty(1, 3), error_word()
    run(
        backend,
        index.get,
        (1,),
        gather_args(x, at, 1, out, err),
        {"WRAP": False, "PER_ROW": False, "ROWS": 1, "COLS": 4},
    )
    assert err.item() == 1 and out[0, :2].tolist() == [x[0, 0], x[0, 4]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_embedding(backend):
    weight, at = torch.randn(10, 33), torch.randint(-10, 10, (7,))
    out, err = torch.empty(7, 33), error_word()
    run(
        backend,
        index.get,
        (4,),
        (weight, (at,), out, err, 7, (7, 33), (S0, S1), ((S1, S0),), (33, S1), (10,), (33,)),
        {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 64},
    )
    torch.testing.assert_close(out, weight[at])
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_embedding_of_a_shard(backend):
    """Rows 4 to 6 of 10; the other rows read as 0, and a row that none of the ranks has is an error."""
    weight, at = torch.randn(10, 33), torch.tensor([4, 0, -4, 9, 6, 3, -10])
    out, err = torch.empty(7, 33), error_word()
    strides = ((S0, S1), ((S1, S0),), (33, S1), ((10, 4, 3),), (33,))
    flags = {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 64}
    run(backend, index.get, (4,), (weight[4:7].contiguous(), (at,), out, err, 7, (7, 33), *strides), flags)
    own = torch.zeros(10, 33)
    own[4:7] = weight[4:7]
    torch.testing.assert_close(out, own[at])
    assert err.item() == 0
    at[0] = 10
    run(backend, index.get, (4,), (weight[4:7].contiguous(), (at,), out, err, 7, (7, 33), *strides), flags)
    assert err.item() == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_indices(backend):
    x, i, j = torch.randn(4, 5, 6), torch.tensor([0, -1, 2]), torch.tensor([4, 0, 1])
    out, err = torch.empty(3, 6), error_word()
    run(
        backend,
        index.get,
        (2,),
        (x, (i, j), out, err, 3, (3, 6), (S0, S1), ((S1, S0), (S1, S0)), (6, S1), (4, 5), (30, 6)),
        {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 8},
    )
    torch.testing.assert_close(out, x[i, j])


def put_args(value, at, dim, out, err):
    """out.scatter(dim, at, value): positions run along `dim`, columns along the rest."""
    others = [d for d in range(at.dim()) if d != dim]
    pick = lambda t: tuple(stride(t.stride(d)) for d in others)
    cols = at.numel() // at.shape[dim]
    return (
        value,
        (at,),
        out,
        err,
        at.shape[dim],
        cols,
        (at.shape[dim],),
        tuple(at.shape[d] for d in others),
        (stride(value.stride(dim)),),
        ((stride(at.stride(dim)),),),
        (out.shape[dim],),
        (out.stride(dim),),
        pick(value),
        (pick(at),),
        pick(out),
        (S0,),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("name", ["add", "replace"])
def test_scatter(backend, dim, name):
    out, value = torch.randn(4, 5), torch.randn(4, 5)
    at = torch.randint(0, 3, (4, 5)) if name == "add" else torch.rand(4, 5).argsort(dim)
    before = out.double()
    expected = (before.scatter_add if name == "add" else before.scatter)(dim, at, value.double())
    err = error_word()
    fn = arithmetic.add if name == "add" else index.replace
    run(
        backend,
        index.put,
        (2,),
        put_args(value, at, dim, out, err),
        {"FN": fn, "COMPUTE": tl.float32, "WRAP": False, "PER_ROW": False, "COLS": 4},
    )
    assert_close(out, in_float64(expected))
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_embedding_backward(backend, dtype):
    at, dy = torch.tensor([1, 3, 1, 1, 0]), torch.randn(5, 20).to(dtype)
    out, err = torch.zeros(4, 20), error_word()
    args = (dy, (at,), out, err, 5, 20, (5,), (20,), (20,), ((S1,),), (4,), (20,), (S1,), ((S0,),), (S1,), (S0,))
    names = {"FN": arithmetic.add, "COMPUTE": tl.float32, "WRAP": True, "PER_ROW": True, "COLS": 16}
    run(backend, index.put, (2,), args, names)
    assert_close(out, in_float64(torch.zeros(4, 20).double().index_add(0, at, dy.double())))


def sorted_keys(backend, at, rows, lists, unit_strides):
    """Keys of `lists` lists of positions, sorted in tiles of 8 and merged by 2 tiles; list k writes to column k."""
    n = at.numel() // lists
    bits, err = at.numel().bit_length(), error_word()
    keys, merged = (torch.empty(at.numel(), dtype=torch.int64) for _ in range(2))
    args = ((at,), keys, err, n, bits, (lists, n), ((n, S1),), (S1, S0), (rows,), (unit_strides,))
    run(backend, by_target.sort_tiles, (lists * -(-n // 8),), args, {"WRAP": False, "TILE": 8})
    length = 8
    while length < n:
        run(
            backend,
            by_target.merge_tiles,
            (lists * -(-n // 16),),
            (keys, merged, n, length, length.bit_length()),
            {"WAYS": 2, "BLOCK": 16},
        )
        keys, merged, length = merged, keys, 2 * length
    return keys, bits, err.item()


@pytest.mark.parametrize("backend", BACKENDS)
def test_sorted_keys(backend):
    """Lists of 21 positions, some of which have bad indices: these come last."""
    at = torch.randint(0, 5, (2, 21))
    at[0, 3] = 5
    at[1, 7] = -1
    keys, bits, reported = sorted_keys(backend, at, 5, 2, 2)
    position = keys % (1 << bits)
    assert reported == 1
    for k in (0, 1):
        own = position.view(2, 21)[k] - 21 * k
        wanted = torch.where((at[k] < 0) | (at[k] > 4), 99, at[k])
        torch.testing.assert_close(own, wanted.argsort(stable=True))
        torch.testing.assert_close(keys.view(2, 21)[k, :20] >> bits, 2 * wanted.sort().values[:20] + k)
        assert keys.view(2, 21)[k, 20] == by_target.NOWHERE.value + position.view(2, 21)[k, 20]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_sums_of_runs(backend, zeros, dtype):
    """Runs within a lane, over lanes, and of whole chunks of 8 keys; sums in the order of positions, rounded once."""
    at = torch.tensor([3] * 5 + [1] * 2 + [0] + [4] * 9 + [6] * 25 + [2] * 3)[torch.randperm(45)]
    value = torch.randn(45, 20).to(dtype)
    out = torch.zeros(7, 20, dtype=dtype) if zeros else torch.randn(7, 20).to(dtype)
    expected = out.float()
    for target, row in zip(at.tolist(), value):
        expected[target] += row
    expected = expected.to(dtype)
    keys, bits, _ = sorted_keys(backend, at.view(1, 45), 7, 1, 1)
    args = (value, keys, out, 45, 20, bits, 20, (45,), (20,), (20,), (S1,), (S1,))
    constants = {"FN": arithmetic.add, "COMPUTE": tl.float32, "LONG": 8, "COLS": 16}
    run(backend, by_target.add_runs, (2 * 6,), args, constants | {"ZEROS": zeros, "STEPS": 4, "ROWS": 2})
    run(backend, by_target.add_long_runs, (2 * 5,), (*args, 6), constants | {"STEPS": (4, 1), "ZEROS": False})
    torch.testing.assert_close(out, expected, rtol=0, atol=0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_sums_to_all_targets(backend, parts, dtype):
    """Targets without positions, the first and the last among them, short runs, and long ones, over what memory holds by chance."""
    at = torch.tensor([3] * 5 + [1] * 2 + [4] * 9 + [6] * 25 + [2] * 3 + [9])[torch.randperm(45)]
    value = torch.randn(45, 20).to(dtype)
    expected = torch.zeros(11, 20)
    for target, row in zip(at.tolist(), value):
        expected[target] += row
    out = torch.full((11, 20), float("nan"), dtype=dtype)
    keys, bits, _ = sorted_keys(backend, at.view(1, 45), 11, 1, 1)
    layout = ((45,), (20,), (20,), (S1,), (S1,))
    constants = {"FN": arithmetic.add, "COMPUTE": tl.float32, "LONG": 8}
    args = (value, keys, out, 45, 11, 20, bits, 20, 6, parts, *layout)
    run(backend, by_target.add_to_all, (3 * parts,), args, constants | {"STEPS": 2, "ROWS": 4, "COLS": 8})
    long = constants | {"STEPS": (4, 1), "ZEROS": True, "COLS": 16}
    run(backend, by_target.add_long_runs, (2 * 5,), (value, keys, out, 45, 20, bits, 20, *layout, 6), long)
    torch.testing.assert_close(out, expected.to(dtype), rtol=0, atol=0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_last_of_runs(backend):
    at, value, out = torch.randint(0, 5, (21,)), torch.randn(21, 20), torch.randn(7, 20)
    expected = out.clone()
    for target, row in zip(at.tolist(), value):
        expected[target] = row
    keys, bits, _ = sorted_keys(backend, at.view(1, 21), 7, 1, 1)
    args = (value, keys, out, 21, 20, bits, 20, (21,), (20,), (20,), (S1,), (S1,))
    run(backend, by_target.put_last, (2 * 6,), args, {"ROWS": 4, "COLS": 16})
    torch.testing.assert_close(out, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(
    ("indices", "bad"), [((1, 3, 0, 2, 3), False), ((1, 3, 0, 4, 0), True), ((-4, 0, 1, 1, -1), "unless wrapped")]
)
def test_check(backend, wrap, indices, bad):
    err = error_word()
    args = ((torch.tensor(indices), torch.zeros(5, dtype=torch.int64)), err, 5, (5,), ((S1,), (S1,)), (4, 1))
    run(backend, index.check, (2,), args, {"WRAP": wrap, "BLOCK": 4})
    assert err.item() == (bad is True or (bad == "unless wrapped" and not wrap))


def starts_of(backend, mask, block):
    n = mask.numel()
    blocks = -(-n // block)
    counts, total = torch.empty(blocks, dtype=torch.int64), torch.empty(1, dtype=torch.int64)
    run(backend, where.count, (blocks,), (mask, counts, n, tuple(mask.shape), strides(mask)), {"BLOCK": block})
    run(backend, where.offsets, (1,), (counts, total, blocks), {"BLOCK": 4})
    return counts, int(total)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.bool, torch.float32, torch.int64], ids=str)
def test_nonzero(backend, dtype):
    x = (torch.rand(9, 5, 4) < 0.3).to(dtype).transpose(0, 1)
    starts, total = starts_of(backend, x, 16)
    out = torch.empty(total, 3, dtype=torch.int64)
    run(
        backend,
        where.write_coordinates,
        (starts.numel(),),
        (x, starts, out, x.numel(), tuple(x.shape), strides(x)),
        {"BLOCK": 16},
    )
    torch.testing.assert_close(out, x.nonzero())


def test_expanded_indices_are_checked_once():
    with sweep() as found:
        at = flow.empty(4, 1, dtype=flow.int64, device=GPU).expand(4, 100_000)
        flow.empty(9, 100_000, device=GPU).scatter_add_(0, at, flow.empty(4, 100_000, device=GPU))
    grids = {launched.request.fn.__name__: launched.grid for launched in found.launches}
    assert grids["check"] == (1, 1, 1)


def test_sums_of_runs_load_much_at_once():
    """Values come 16 bytes at a time, and those of a long run before the first of them is added."""
    codes = {
        launched.request.fn.__name__: code_of(launched.request.compile(90), 90)
        for name in ("index_add 65536 of 100000x1024", "embedding backward 32768 of 50257x4096")
        for launched in launches_of(name)
        if launched.request.fn.__name__ in ("add_runs", "add_to_all", "add_long_runs")
    }
    assert codes["add_runs"].count(r"LDG.*\.128") >= 8 <= codes["add_runs"].count(r"STG.*\.128")
    assert codes["add_to_all"].count(r"LDG.*\.128") >= 16 and codes["add_to_all"].count(r"STG.*\.128") >= 4
    most = loads = 0
    for line in codes["add_long_runs"].text:
        loads = 0 if "FADD" in line else loads + ("LDG" in line)
        most = max(most, loads)
    assert most >= 80, "64 keys, and values"
    assert [code.stack for code in codes.values()] == [0, 0, 0]


def test_backward_of_an_embedding_writes_each_row_once():
    """GPT-2's: positions are sorted by a launch and merged by one; rows are written by one, those that come often by another."""
    with sweep() as found:
        table = flow.empty(50257, 768, device=GPU, requires_grad=True)
        y = flow.nn.functional.embedding(flow.empty(16, 1024, dtype=flow.int64, device=GPU), table)
        found.launches.clear()
        flow.autograd.grad([y], [table], [flow.empty_like(y)])
    names = [launched.request.fn.__name__ for launched in found.launches]
    assert names == ["sort_tiles", "merge_tiles", "add_to_all", "add_long_runs"]


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x, at, err = torch.randn(4, 5), torch.zeros(4, 5, dtype=torch.int64), error_word()
    compile_for(arch, index.get, gather_args(x, at, 0, x, err), {"WRAP": True, "PER_ROW": False, "ROWS": 4, "COLS": 16})
    *before, _, step = gather_args(x, at, 0, x, err)
    flags = {"WRAP": True, "PER_ROW": False, "ROWS": 4, "COLS": 16}
    compile_for(arch, index.get, (*before, ((9, 3, 4),), step), flags)
    compile_for(
        arch,
        index.put,
        put_args(x, at, 0, x, err),
        {"FN": arithmetic.add, "COMPUTE": tl.float32, "WRAP": True, "PER_ROW": False, "COLS": 64},
    )
    compile_for(arch, index.check, ((at,), err, 6, (6,), ((S1,),), (4,)), {"WRAP": True, "BLOCK": 1024})
    compile_for(arch, where.count, (x, at, 20, (20,), (S1,)), {"BLOCK": 1024})
    compile_for(arch, where.offsets, (at, at, 20), {"BLOCK": 1024})
    compile_for(arch, where.write_coordinates, (x, at, at, 20, (4, 5), (5, S1)), {"BLOCK": 1024})
