"""Sparse tensors: beside torch's, in float64."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow

warnings.filterwarnings("ignore", message="Sparse")

CASES = {
    "duplicates": ([[0, 2, 0, 1, 2, 0], [3, 1, 3, 0, 1, 2]], (3, 4)),
    "empty": ([[], []], (3, 4)),
    "no rows": ([[], []], (0, 4)),
    "one": ([[2], [3]], (3, 4)),
    "empty rows": ([[4, 1, 4], [0, 3, 3]], (6, 4)),
}


def numbers(*shape: int, step: float = 0.7) -> Any:
    return np.sin(np.arange(1, 1 + int(np.prod(shape)), dtype="f8") * step).reshape(shape) + 0.1


def both(name: str, **options: Any) -> tuple[Any, Any]:
    index, shape = CASES[name]
    index = np.array(index, dtype="i8").reshape(2, -1)
    values = numbers(index.shape[1])
    ours = flow.sparse_coo_tensor(flow.from_numpy(index), flow.from_numpy(values), shape, **options)
    theirs = torch.sparse_coo_tensor(torch.from_numpy(index), torch.from_numpy(values), shape, **options)
    return ours, theirs


def dense_of(x: Any) -> Any:
    return x.detach().to_dense().numpy()


def assert_alike(ours: Any, theirs: Any) -> None:
    """Equal layouts, shapes and numbers, and equal entries where both are coalesced."""
    assert str(ours.layout) == str(theirs.layout)
    assert tuple(ours.shape) == tuple(theirs.shape) and str(ours.dtype)[11:] == str(theirs.dtype)[6:]
    np.testing.assert_allclose(dense_of(ours), dense_of(theirs), rtol=1e-12, atol=1e-14)
    if theirs.layout is torch.sparse_coo and theirs.is_coalesced():
        assert ours.coalesce().indices().tolist() == theirs.indices().tolist()
    if theirs.layout is torch.sparse_csr:
        assert ours.crow_indices().tolist() == theirs.crow_indices().tolist()
        assert ours.col_indices().tolist() == theirs.col_indices().tolist()


# Expressions of a sparse matrix x, a module m (torch or tritonflow) and a function d that makes a dense matrix.
EXPRESSIONS = """
    x  x.coalesce()  x.t()  x.transpose(0,1)  x.T.coalesce()  x.to_sparse_csr()  x.to_sparse_csc()  x.to_sparse_csr().t()
    x.to_sparse_csr().to_sparse()  x.to_sparse_csc().to_sparse_csr()  x.to_sparse_csc().to_sparse()  x.to_dense()
    m.sparse.mm(x,d(4,2))  x@d(4,2)  x.mm(d(4,2))  x.mv(d(4))  x@d(4)  d(2,n)@x  m.sparse.mm(x.to_sparse_csr(),d(4,2))
    m.sparse.mm(x.to_sparse_csc(),d(4,2))  x.to_sparse_csr().mv(d(4))  x.t()@d(n,2)  m.mm(x,d(4,0))
    m.addmm(d(n,2),x,d(4,2),beta=2,alpha=3)  m.sparse.addmm(d(n,2),x,d(4,2))  m.sparse.mm(x,x.t())
    m.sparse.mm(x.to_sparse_csr(),d(4,2),'mean')  m.sparse.mm(x.to_sparse_csr(),d(4,2),'amax')
    m.sparse.mm(x.to_sparse_csr(),d(4,2),'amin')  x+x  x-x  x+x.coalesce()*2  m.add(x,x,alpha=3)  d(n,4)+x  x*2  2*x  x/4  -x
    x*d(n,4)  x*x  x*x.t().t()  x.to_sparse_csr()*3  x.to_sparse_csr()+x.to_sparse_csr()  m.sparse.sum(x)  m.sparse.sum(x,0)
    m.sparse.sum(x,1)  m.sparse.sum(x,[0,1])  x.sum()  m.sparse.softmax(x,0)  m.sparse.softmax(x,1)  m.sparse.log_softmax(x,1)
    x.norm()  x.abs()  x.pow(2)  x.relu()  m.tanh(x)  x.abs().sqrt()  x.unsqueeze(0)  m.cat([x,x])  m.cat([x,x],1)
    x.index_select(1,m.tensor([3,0,3]))  d(n,4).sparse_mask(x.coalesce())  m.zeros_like(x)  x.clone()  x.detach()  x.float()
    x.to(m.float32)  x.to_dense().to_sparse()  x.to_dense().to_sparse_csr()  x.to_dense().to_sparse(1)
""".split()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text: str, name: str) -> None:
    ours, theirs = both(name)
    n = ours.shape[0]
    scope = {"x": theirs, "m": torch, "n": n, "d": lambda *shape: torch.from_numpy(numbers(*shape))}
    try:
        expected = eval(text, scope)
    except (RuntimeError, IndexError) as error:
        pytest.skip(f"torch: {error}")
    actual = eval(text, {"x": ours, "m": flow, "n": n, "d": lambda *shape: flow.from_numpy(numbers(*shape))})
    assert_alike(actual, expected)


@pytest.mark.parametrize("reduce", ["sum", "mean", "amax", "amin"])
def test_reductions_of_rows_have_torchs_gradients(reduce: str) -> None:
    """Those of ties, too, which go to the first entry of a row."""
    rows, columns, values = [0, 3, 3, 5], [0, 1, 2, 0, 2], [1.0, 2.0, 1.0, 1.0, 1.0]
    found = []
    for m in (torch, flow):
        v = m.tensor(values, dtype=m.float64, requires_grad=True)
        d = m.tensor([[1.0, -1.0], [0.5, 2.0], [1.0, 3.0]], dtype=m.float64, requires_grad=True)
        out = m.sparse.mm(m.sparse_csr_tensor(rows, columns, v, (3, 3)), d, reduce)
        (out * m.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=m.float64)).sum().backward()
        found.append([out.tolist(), d.grad.tolist(), v.grad.tolist()])
    np.testing.assert_allclose(found[1][0], found[0][0])
    np.testing.assert_allclose(found[1][1], found[0][1])
    np.testing.assert_allclose(found[1][2], found[0][2])


@pytest.mark.parametrize("text", ["m.sparse.mm(x,d)", "m.sparse.mm(x.to_sparse_csr(),d)", "(x*2)@d", "(x+x)@d",
                                  "m.sparse.softmax(x,1).to_dense()", "x.to_dense()", "m.sparse.sum(x,0).to_dense()@d",
                                  "m.sparse.log_softmax(x,0).to_dense()", "m.addmm(d[:3],x,d,beta=2)"])  # fmt: skip
def test_gradients(text: str) -> None:
    """Those of values that require one, and of the dense matrix: as of the dense matrix in torch."""
    index, shape = CASES["duplicates"]
    found = []
    for m in (torch, flow):
        v = m.tensor(numbers(6), requires_grad=True)
        d = m.tensor(numbers(4, 2), requires_grad=True)
        out = eval(text, {"m": m, "d": d, "x": m.sparse_coo_tensor(index, v, shape)})
        weights = m.tensor(numbers(*out.shape, step=0.3))
        (out * weights).sum().backward()
        found.append((dense_of(out), v.grad.numpy(), np.zeros((4, 2)) if d.grad is None else d.grad.numpy()))
    for theirs, ours in zip(*found):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def test_second_gradients() -> None:
    index, shape = CASES["duplicates"]
    arguments = (flow.tensor(numbers(6), requires_grad=True), flow.tensor(numbers(4, 2), requires_grad=True))
    functions = (
        lambda v, d: flow.sparse.mm(flow.sparse_coo_tensor(index, v, shape), d),
        lambda v, d: flow.sparse.mm(flow.sparse_coo_tensor(index, v, shape).to_sparse_csr(), d, "mean"),
        lambda v, d: flow.sparse.softmax(flow.sparse_coo_tensor(index, v, shape), 1) @ d,
    )
    for function in functions:
        assert flow.autograd.gradcheck(function, arguments) and flow.autograd.gradgradcheck(function, arguments)


def test_gradients_of_leaves_are_sparse() -> None:
    ours, theirs = both("duplicates", requires_grad=True)
    for _ in range(2):
        for x, m in ((ours, flow), (theirs, torch)):
            m.sparse.mm(x, m.tensor(numbers(4, 2))).sum().backward()
    assert ours.is_leaf and ours.requires_grad and ours.grad.is_coalesced()
    assert_alike(ours.grad, theirs.grad)
    ours.grad = None
    assert ours.grad is None and not ours.detach().requires_grad
    ours, theirs = both("one")
    for x, m in ((ours, flow), (theirs, torch)):
        x = x.to_sparse_csr().requires_grad_()
        m.sparse.mm(x, m.tensor(numbers(4, 2))).sum().backward()
        assert x.grad.to_dense().sum().item() == pytest.approx(numbers(4, 2)[3].sum())


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_of_both_dtypes(dtype: str) -> None:
    for m in (torch, flow):
        crow, col = (m.tensor(part, dtype=getattr(m, dtype)) for part in ([0, 2, 2, 3], [1, 3, 0]))
        x = m.sparse_csr_tensor(crow, col, m.tensor([1.0, 2.0, 3.0]), (3, 4))
        assert x.col_indices().dtype is getattr(m, dtype) and x.to_sparse().indices().dtype is m.int64
        assert (x @ m.ones(4, 1)).tolist() == [[3.0], [0.0], [3.0]]
        assert (x.t() @ m.ones(3, 1)).tolist() == [[3.0], [1.0], [0.0], [2.0]]
        assert m.sparse_coo_tensor(m.tensor([[0], [1]], dtype=getattr(m, dtype)), m.ones(1), (2, 2))._indices().dtype is m.int64


def test_representation_is_torchs() -> None:
    for name in ("duplicates", "empty"):
        ours, theirs = both(name)
        for x, y in ((ours, theirs), (ours.coalesce(), theirs.coalesce())):
            assert [line.strip() for line in repr(x).replace("tritonflow.", "torch.").splitlines()][:2] == [
                line.strip() for line in repr(y).splitlines()
            ][:2]
    assert "requires_grad=True" in repr(both("one", requires_grad=True)[0])


def test_facts() -> None:
    x = both("duplicates")[0]
    assert (x.is_sparse, x.is_sparse_csr, x.layout, x.sparse_dim(), x.dense_dim(), x._nnz()) == (
        True, False, flow.sparse_coo, 2, 0, 6,
    )  # fmt: skip
    assert isinstance(x, flow.Tensor) and x.shape == (3, 4) and x.numel() == 12 and x.dtype is flow.float64 and len(x) == 3
    assert not x.is_coalesced() and x.coalesce().is_coalesced() and x.coalesce().coalesce().indices().shape == (2, 4)
    assert x[0].to_dense().tolist() == x.to_dense()[0].tolist() and x[2, 1] == x.to_dense()[2, 1]
    with pytest.raises(RuntimeError, match="Cannot get values on an uncoalesced tensor"):
        x.values()
    with pytest.raises(RuntimeError, match="crow_indices expected sparse row compressed tensor layout but got SparseCoo"):
        x.crow_indices()
    assert flow.sparse_coo_tensor((2, 3)).to_dense().tolist() == [[0.0] * 3] * 2
    assert flow.sparse_coo_tensor([[0, 4], [1, 0]], [1.0, 2.0]).shape == (5, 2)
    assert flow.ones(2, 3).to_sparse(1).values().shape == (2, 3)


def test_diagonals() -> None:
    for shape in ((4, 4), (3, 4), (7, 4)):  # torch writes elements outside of narrower ones elsewhere
        theirs = torch.sparse.spdiags(torch.tensor(numbers(3, 4)), torch.tensor([0, 1, -2]), shape)
        ours = flow.sparse.spdiags(flow.tensor(numbers(3, 4)), flow.tensor([0, 1, -2]), shape)
        assert_alike(ours, theirs)
    with pytest.raises(RuntimeError, match="duplicate"):
        flow.sparse.spdiags(flow.ones(2, 2), flow.tensor([1, 1]), (2, 2))


def test_sampled_products() -> None:
    pattern = both("duplicates")[0].to_sparse_csr()
    a, b = flow.tensor(numbers(3, 2)), flow.tensor(numbers(2, 4))
    found = flow.sparse.sampled_addmm(pattern, a, b, beta=2.0, alpha=0.5)
    expected = 2 * pattern.to_dense() + 0.5 * (a @ b) * (pattern.to_dense() != 0)
    np.testing.assert_allclose(found.to_dense().numpy(), expected.numpy())


BAD = [
    (lambda: flow.sparse_coo_tensor([[5], [0]], [1.0], (2, 2)), "for dim 0, size is 2 but found index 5"),
    (lambda: flow.sparse_coo_tensor([[-1], [0]], [1.0], (2, 2)), "found negative index -1 for dim 0"),
    (lambda: flow.sparse_coo_tensor([[1], [0]], [1.0, 2.0], (2, 2)), "must have same nnz"),
    (lambda: flow.sparse_coo_tensor([[1], [0]], [1.0], (2, 2, 2)), "number of dimensions must be"),
    (lambda: flow.sparse_coo_tensor([[1], [0]], [[1.0]], (2, 2, 2)), "values has incorrect size"),
    (lambda: flow.sparse_coo_tensor([1, 0], [1.0, 2.0], (2,)), "indices must be sparse_dim x nnz"),
    (lambda: flow.sparse_coo_tensor([[0.5]], [1.0], (2,)), "expected indices of an integer dtype"),
    (lambda: flow.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True, check_invariants=True), "is_coalesced"),
    (lambda: flow.sparse_csr_tensor([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2)), "plain indices from 0 to 1, got 0 to 5"),
    (lambda: flow.sparse_csr_tensor([0, 1, 3], [0, 1], [1.0, 2.0], (2, 2)), "from 0 to the number of entries, 2"),
    (lambda: flow.sparse_csr_tensor([0, 2, 1, 2], [0, 1], [1.0, 2.0], (3, 2)), "do not decrease"),
    (lambda: flow.sparse_csr_tensor([0, 2], [0, 1], [1.0, 2.0], (2, 2)), "expected 3 compressed indices"),
    (lambda: flow.sparse_csr_tensor([0, 2], [1, 0], [1.0, 2.0], (1, 2), check_invariants=True), "ascend in each row"),
    (lambda: flow.sparse_csr_tensor([[0, 1], [0, 1]], [[0], [0]], [[1.0], [1.0]]), "batches"),
    (lambda: flow.eye(2).to_sparse() @ flow.ones(3, 2), "sizes that fit"),
    (lambda: flow.eye(2).to_sparse() @ flow.ones(2, 2, dtype=flow.float64), "one dtype"),
    (lambda: flow.eye(2).to_sparse() @ flow.ones(4, 2, 2), "batches"),
    (lambda: flow.ones(2, 2, 2).to_sparse() @ flow.ones(2, 2), "2 dimensions|a matrix"),
    (lambda: flow.ones(2, 2, 2).to_sparse_csr(), "batches"),
    (lambda: flow.eye(2).to_sparse() + 1, "not supported"),
    (lambda: flow.eye(2).to_sparse() + flow.ones(2, 2), "Use add\\(dense, sparse\\)"),
    (lambda: flow.eye(2).to_sparse() + flow.eye(3).to_sparse(), "do not broadcast"),
    (lambda: flow.eye(2).to_sparse() / flow.ones(2, 2), "Sparse division requires a scalar"),
    (lambda: flow.ones(2, 2).mul_(flow.eye(2).to_sparse()), "cannot become sparse in place"),
    (lambda: flow.eye(2).to_sparse_bsr((1, 1)), "no such layout"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input(number: int) -> None:
    call, text = BAD[number]
    with pytest.raises((RuntimeError, NotImplementedError), match=text):
        call()


def test_what_is_not_there_says_so() -> None:
    """No operation computes with the memory that a sparse tensor has not."""
    x = flow.eye(3).to_sparse()
    calls = (
        lambda: x.exp(), lambda: flow.exp(x), lambda: x == x, lambda: x.reshape(9), lambda: x.max(), lambda: x.numpy(),
        lambda: flow.nn.functional.linear(flow.ones(1, 3), x), lambda: flow.linalg.norm(x, 2), lambda: flow.softmax(x, 0),
        lambda: flow.where(x, 1.0, 2.0), lambda: flow.stack([x, x]), lambda: x[:2], lambda: x.data_ptr(), lambda: flow.fft.fft(x),
        lambda: flow.add(flow.ones(3, 3), x, out=flow.ones(3, 3)),
    )  # fmt: skip
    for call in calls:
        with pytest.raises((NotImplementedError, RuntimeError), match="to_dense|out"):
            call()


def test_invariants_as_a_setting() -> None:
    def make() -> Any:
        return flow.sparse_csr_tensor([0, 2], [1, 0], [1.0, 2.0], (1, 2))

    make()
    check = flow.sparse.check_sparse_tensor_invariants
    assert not check.is_enabled()
    with check():
        assert check.is_enabled()
        with pytest.raises(RuntimeError, match="ascend"):
            make()
        with check(False):
            make()
    with pytest.raises(RuntimeError, match="ascend"):
        check()(make)()
    assert not check.is_enabled()


def test_in_place() -> None:
    x, other = both("duplicates")[0], both("one")[0]
    kept = x.to_dense().numpy()
    x.mul_(2)
    np.testing.assert_allclose(x.to_dense().numpy(), 2 * kept)
    x.add_(other)
    np.testing.assert_allclose(x.to_dense().numpy(), 2 * kept + other.to_dense().numpy())
    assert x.zero_()._nnz() == 0
    leaf = both("one", requires_grad=True)[0]
    with pytest.raises(RuntimeError, match="leaf"):
        leaf.mul_(2)
    dense = flow.zeros(3, 4, dtype=flow.float64)
    assert dense.add_(other) is dense and dense[2, 3] == other.to_dense()[2, 3]
    with pytest.raises(RuntimeError, match="cannot make"):
        x.copy_(both("empty rows")[0])


@pytest.mark.parametrize("layout", ["sparse_coo", "sparse_csr", "sparse_csc"])
def test_copies_and_files(layout: str) -> None:
    x = both("duplicates")[0].to_sparse(layout=getattr(flow, layout)).requires_grad_()
    file = io.BytesIO()
    flow.save({"x": x}, file)
    file.seek(0)
    for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), flow.load(file)["x"]):
        assert other.layout is x.layout and other.requires_grad and other.is_leaf
        assert other.to_dense().tolist() == x.to_dense().tolist()
        with flow.no_grad():
            other.mul_(2)
        assert other.to_dense().tolist() != x.to_dense().tolist()


def test_buffers_of_modules() -> None:
    layer = flow.nn.Linear(4, 2).double()
    layer.register_buffer("adjacency", both("duplicates")[0])
    again = flow.nn.Linear(4, 2)
    again.register_buffer("adjacency", both("duplicates")[0].float() * 0)
    again.double()
    assert again.adjacency.dtype is flow.float64 and "adjacency" in layer.state_dict()
    again.load_state_dict({**layer.state_dict(), "adjacency": both("duplicates")[0]})
    assert again.adjacency.to_dense().tolist() == layer.adjacency.to_dense().tolist()


@pytest.mark.parametrize("method", ["to_sparse_csr", "to_sparse_csc"])
def test_elements_of_compressed_matrices_are_numbers(method: str) -> None:
    for lib in (torch, flow):
        for x in (lib.eye(2), lib.eye(2).to_sparse()):
            assert getattr(x, method)().shape == (2, 2)
            with pytest.raises(RuntimeError, match="dense_dim"):
                getattr(x, method)(dense_dim=1)
