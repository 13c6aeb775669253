"""cond, while_loop, scan and associative_scan: values and gradients as torch's, what is refused, and compiled functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._higher_order_ops.associative_scan import associative_scan as torch_associative_scan
from torch._higher_order_ops.scan import scan as torch_scan

import tritonflow as flow
from tritonflow.errors import CaptureError

T = flow.tensor


def both(values: Any, grad: bool = True) -> tuple[Any, Any]:
    """The same numbers here and in torch, in float64."""
    theirs = torch.as_tensor(values, dtype=torch.float64)
    ours = flow.tensor(theirs.tolist(), dtype=flow.float64)
    return ours.requires_grad_(grad), theirs.clone().requires_grad_(grad)


def assert_same(ours: Any, theirs: Any) -> None:
    """Equal numbers in equal structures; a gradient that is none here may be zeros in torch."""
    if isinstance(theirs, torch.Tensor):
        if ours is None:
            assert not theirs.any()
        else:
            torch.testing.assert_close(torch.tensor(ours.tolist(), dtype=theirs.dtype), theirs.detach(), rtol=1e-12, atol=1e-12)
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            assert_same(ours[key], theirs[key])
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs) and len(ours) == len(theirs)
        for own, other in zip(ours, theirs):
            assert_same(own, other)
    else:
        assert ours == theirs


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def compare(ours: Callable[..., Any], theirs: Callable[..., Any], *inputs: Any) -> None:
    """Results and gradients of a function of ours and one of torch's; twice, with other numbers."""
    torch._dynamo.reset()
    for factor in (1.0, -0.5):
        pairs = [both((torch.as_tensor(values, dtype=torch.float64) * factor).tolist()) for values in inputs]
        own, other = ours(*[a for a, _ in pairs]), theirs(*[b for _, b in pairs])
        assert_same(own, other)
        for found in (own, other):
            sum(leaf.sin().sum() for leaf in leaves(found) if hasattr(leaf, "sin") and leaf.is_floating_point()).backward()
        for a, b in pairs:
            assert_same(a.grad, b.grad)


def captured_once(function: Callable[..., Any], *inputs: Any) -> list[Any]:
    """Results in eager mode and of one program, called twice."""
    compiled = flow.compile(function, fullgraph=True)
    found = [function(*inputs), compiled(*inputs), compiled(*inputs)]
    assert len(compiled.captures()) == 1
    return found


# ---------------------------------------------------------------------------------------------------------------- cond


def test_cond_as_torch() -> None:
    def program(m: Any) -> Callable[..., Any]:
        def f(x: Any, y: Any) -> Any:
            return m.cond(x.sum() > 0, lambda x, y: {"a": x.sin() * y}, lambda x, y: {"a": x.cos() + 1}, (x, y))

        return f

    compare(program(flow), program(torch), [1.0, 2.0, -0.5], [0.5, 1.0, 2.0])


@pytest.mark.parametrize("pred", [True, False, 1, 0, 0.5, T(True), T(False), T([True]), T([[0]]), T(2.0)], ids=str)
def test_cond_calls_one_branch(pred: Any) -> None:
    called: list[str] = []
    found = flow.cond(pred, lambda x: called.append("true") or x + 1, lambda x: called.append("false") or x - 1, (T([1.0]),))
    assert called == ["true" if bool(pred) else "false"] and found.item() == (2.0 if bool(pred) else 0.0)


def test_cond_without_operands_and_with_any() -> None:
    x = T([1.0])
    assert flow.cond(T(True), lambda: x + 1, lambda: x).item() == 2.0
    assert flow.cond(T(False), lambda d, e: d["a"], lambda d, e: d["a"] + e[0], [{"a": x}, (x, [x])]).item() == 2.0
    assert flow.cond(True, lambda name: name, lambda name: None, ("text",)) == "text"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (("a", abs, abs), "Expected pred to be bool or tensor, but got a."),
        ((None, abs, abs), "Expected pred to be bool or tensor, but got None."),
        ((T([True, False]), abs, abs), "Expected pred to be bool or single-element tensor, but got tensor"),
        ((T(True), 3, abs), "Expect both branches to be callable."),
        ((True, abs, 4), "Expect both branches to be callable."),
        ((T(True), abs, None), "Expect both branches to be callable."),
        ((T(True), abs, abs, T(1.0)), "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor"),
        ((T(True), abs, abs, (T(1.0), 3)), r"only consists of tensor leaves, but got \(tensor\(\(\), .*float32\), 3\)."),
    ],
)
def test_cond_refuses(given: Any, text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        flow.cond(*given)


def test_cond_under_vmap() -> None:
    def program(m: Any) -> Callable[..., Any]:
        def f(x: Any) -> Any:
            return m.vmap(lambda r: m.cond(r.sum() > 1, lambda r: r.sin() * 2, lambda r: r.cos(), (r,)))(x)

        return f

    def plain(x: Any) -> Any:
        return torch.where((x.sum(1) > 1)[:, None], x.sin() * 2, x.cos())

    rows = [[0.5, 1.0, 2.0], [-1.0, 0.0, 0.5], [3.0, -3.0, 1.5]]
    compare(program(flow), plain, rows)
    assert_same(program(flow)(both(rows)[0]), program(torch)(both(rows)[1]))
    nested = flow.vmap(flow.vmap(lambda x: flow.cond(x > 0, lambda x: (x, [x * 2]), lambda x: (-x, [x * 0]), (x,))))
    assert_same(nested(both(rows)[0]), (torch.tensor(rows).double().abs(), [torch.tensor(rows).double().relu() * 2]))
    shared = flow.vmap(lambda x: flow.cond(T(False), lambda x: x + 1, lambda x: x.double(), (x,)))(flow.ones(2))
    assert shared.dtype is flow.float64
    one = flow.vmap(lambda p: flow.cond(p, lambda: T([1.0, 2.0]), lambda: T([3.0, 4.0])))(T([[[True]], [[False]]]))
    assert one.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_cond_under_vmap_compiles() -> None:
    def f(x: flow.Tensor) -> flow.Tensor:
        return flow.vmap(lambda r: flow.cond(r.sum() > 1, lambda r: r.sin() * 2, lambda r: r.cos(), (r,)))(x)

    compiled = flow.compile(f, fullgraph=True)
    for factor in (2.0, -2.0, 0.5):
        x, y = (flow.ones(2, 3).mul(factor).requires_grad_() for _ in range(2))
        ours, eager = compiled(x), f(y)
        ours.sum().backward(), eager.sum().backward()
        assert flow.allclose(ours, eager) and flow.allclose(x.grad, y.grad)  # type: ignore[arg-type]
    slopes = flow.vmap(flow.func.grad(lambda x: flow.cond(x > 0, lambda x: x * x, lambda x: -x, (x,))))
    assert slopes(T([3.0, -2.0])).tolist() == [6.0, -1.0]


def test_cond_under_vmap_refuses() -> None:
    x = flow.ones(2, 3)

    def chosen(true_fn: Any, false_fn: Any) -> Any:
        return flow.vmap(lambda r: flow.cond(r.sum() > 1, true_fn, false_fn, (r,)))(x)

    with pytest.raises(RuntimeError, match=r"expected same shape but got \(3,\) and \(\)"):
        chosen(lambda r: r, lambda r: r.sum())
    with pytest.raises(RuntimeError, match=r"branches to return the same structure but got \(tensor.*,\) and tensor"):
        chosen(lambda r: (r,), lambda r: r)
    with pytest.raises(RuntimeError, match="chooses between tensors, but the branches return 3 and 4"):
        chosen(lambda r: 3, lambda r: 4)
    with pytest.raises(RuntimeError, match="its operands must not be written in place"):
        chosen(lambda r: r.add_(1), lambda r: r * 2)


def test_cond_compiles_where_the_condition_is_a_number() -> None:
    def f(x: flow.Tensor, k: Any, flag: bool) -> flow.Tensor:
        y = flow.cond(k > 2, lambda x: x * k, lambda x: x - k, (x,))
        return flow.cond(flag, lambda y: y + 1, lambda y: y, (y,)) if x.dim() == 1 else y

    compiled, x = flow.compile(f, fullgraph=True), flow.ones(2)
    for k, flag in ((1, True), (5, True), (2, True), (7, False), (3, False), (0, True)):
        assert compiled(x, k, flag).tolist() == f(x, k, flag).tolist()
    assert len(compiled.captures()) == 3  # by the outcome of each: not one for each number
    by_size = flow.compile(lambda x: flow.cond(x.shape[0] > 2, lambda x: x + 1, lambda x: x - 1, (x,)), fullgraph=True)
    assert by_size(flow.ones(2)).tolist() == [0.0, 0.0] and by_size(flow.ones(3)).tolist() == [2.0] * 3
    truth = flow.compile(lambda x, k: flow.cond(k, lambda x: x + 1, lambda x: x - 1, (x,)), fullgraph=True)
    assert [truth(x, k).tolist()[0] for k in (0, 1, 0.0, 2.5)] == [0.0, 2.0, 0.0, 2.0]


def test_cond_and_while_loop_on_a_tensors_number_end_up_where_if_does() -> None:
    def branch(x: flow.Tensor) -> flow.Tensor:
        return flow.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    def loop(x: flow.Tensor) -> flow.Tensor:
        return flow.while_loop(lambda x: x.sum() < 10, lambda x: (x * 2,), (x,))[0]

    for f in (branch, loop):
        with pytest.raises(CaptureError, match="needs the value of a tensor.*test_control_flow.py"):
            flow.compile(f, fullgraph=True)(flow.ones(2))
        compiled = flow.compile(f)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert compiled(flow.ones(2)).tolist() == f(flow.ones(2)).tolist()
            assert compiled(-flow.ones(2) + 3).tolist() == f(-flow.ones(2) + 3).tolist()


# ---------------------------------------------------------------------------------------------------------- while_loop


def test_while_loop_as_torch() -> None:
    def program(loop: Any) -> Callable[..., Any]:
        return lambda x, y: loop(lambda x, y: x.sum().abs() > 0.1, lambda x, y: (x.sin() * y, y * 0.9), (x, y))

    compare(program(flow.while_loop), program(torch.while_loop), [1.0, 2.0], [0.5, -1.0])


def test_while_loop() -> None:
    x = flow.ones(2)
    found = flow.while_loop(lambda i, x, k: i < k, lambda i, x, k: [i + 1, x * k], [T(0), x], (T(4),))
    assert isinstance(found, list) and found[0].item() == 4 and found[1].tolist() == [256.0, 256.0]
    nested = flow.while_loop(lambda d: d["i"] < 2, lambda d: ({"i": d["i"] + 1, "x": [d["x"][0] * 3]},), ({"i": 0, "x": [x]},))
    assert nested[0]["i"] == 2 and nested[0]["x"][0].tolist() == [9.0, 9.0]
    (never,) = flow.while_loop(lambda x: False, lambda x: (x,), (x,))
    assert never is not x and never.tolist() == x.tolist() and never.add_(1) is not x and x.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((3, abs, (T(0),)), "Expect cond_fn and body_fn to be callable."),
        ((abs, abs, T(0)), "carried_inputs must be a tuple or list but got"),
        ((abs, abs, (T(0),), T(0)), "additional_inputs must be a tuple or list but got"),
        ((abs, abs, (T(0), 2.0)), r"tensor or int leaves, but got \(tensor\(\(\), .*int64\), 2.0\)"),
        ((lambda x: 1, lambda x: (x,), (T(0),)), "cond_fn must return a boolean scalar tensor or a boolean but got 1"),
        ((lambda x: T([True]), lambda x: (x,), (T(0),)), r"boolean scalar tensor or a boolean but got tensor\(\(1,\)"),
        ((lambda x: x, lambda x: (x,), (T(1),)), "boolean scalar tensor or a boolean but got tensor"),
        ((lambda x: True, lambda x: x, (T(1),)), "body_fn should return a tuple but got"),
        ((lambda x: True, lambda x: (x, x), (T(1),)), "same number of elements as carried_inputs, got 2 vs 1"),
        ((lambda x: True, lambda x: (x.double(),), (T(1),)), r"pair.0. differ in 'dtype: .*float64 vs .*int64'"),
        ((lambda i, x: True, lambda i, x: (i, flow.cat([x, x])), (0, T([1]))), r"pair.1. differ in 'shape: .*2.* vs .*1"),
        ((lambda x: True, lambda x: ((x,),), (T(1),)), "to have the same structure but got"),
        ((lambda x: True, lambda x: (3,), (T(1),)), "pair.0. differ in type: int vs Tensor"),
        ((lambda x: True, lambda x: (x.add_(1),), (T(1),)), "carried_inputs must not be written in place"),
        ((lambda x: x.add_(1) < 3, lambda x: (x + 1,), (T(1),)), "carried_inputs must not be written in place"),
    ],
)
def test_while_loop_refuses(given: Any, text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        flow.while_loop(*given)


def test_while_loop_is_unrolled() -> None:
    def f(x: flow.Tensor, k: int) -> flow.Tensor:
        return flow.while_loop(lambda i, x: i < k, lambda i, x: (i + 1, x * 2 + i), (0, x))[1]

    compiled, x = flow.compile(f, fullgraph=True), flow.ones(2)
    assert [compiled(x, k).tolist() for k in (3, 3, 1, 0, 3)] == [f(x, k).tolist() for k in (3, 3, 1, 0, 3)]


def test_while_loop_under_vmap() -> None:
    doubled = flow.vmap(lambda x: flow.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (0, x))[1])
    assert doubled(flow.ones(2)).tolist() == [8.0, 8.0]
    with pytest.raises(RuntimeError, match="vmap: It looks like .*data-dependent control flow"):
        flow.vmap(lambda x: flow.while_loop(lambda x: x < 3, lambda x: (x * 2,), (x,)))(flow.ones(2))


def test_what_functions_read_and_set_outside() -> None:
    settings, seen = {"scale": 2.0}, []

    def f(x: flow.Tensor, k: int) -> Any:
        def body(carry: Any, x: Any) -> Any:
            seen.append(k)
            return carry * settings["scale"] + x, carry

        carry, _ = flow.scan(body, flow.zeros(2), x)
        y = flow.cond(k > 1, lambda y: y * settings["scale"], lambda y: y - 1, (carry,))
        return flow.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y + i * settings["scale"]), (k, y))

    compiled = flow.compile(f, fullgraph=True)
    for k in (0, 1, 2, 3, 0, 4):
        for settings["scale"] in (2.0, 3.0):
            found = []
            for function in (f, compiled):
                del seen[:]
                count, y = function(flow.ones(2, 2) * k, k)
                found.append((count, y.tolist(), list(seen)))
            assert found[0] == found[1] and type(count) is int


# ---------------------------------------------------------------------------------------------------------------- scan

ROWS = [[0.5, 1.0], [-1.0, 2.0], [3.0, 0.25]]


@pytest.mark.parametrize(("dim", "reverse"), [(0, False), (1, True), (-1, False)])
def test_scan_as_torch(dim: int, reverse: bool) -> None:
    def program(scan: Any) -> Callable[..., Any]:
        def combine(carry: Any, x: Any) -> Any:
            return carry * x + 1, {"y": carry.sin() * x, "z": [carry.sum()]}

        return lambda init, xs: scan(combine, init, xs, dim=dim, reverse=reverse)

    compare(program(flow.scan), program(torch_scan), [1.0] * (2 if dim == 0 else 3), ROWS)


def test_scan() -> None:
    found = flow.scan(lambda c, x: ({"a": c["a"] + x[0]}, [c["a"] * x[1], None]), {"a": flow.zeros(2)}, (T(ROWS), T(ROWS) * 2))
    assert found[0]["a"].tolist() == [2.5, 3.25] and found[1][1] is None and found[1][0].shape == (3, 2)
    init = flow.zeros(2)
    assert flow.scan(abs, init, ()) == (init, [])
    carry, ys = flow.scan(lambda c, x: (c + x, (c + x).clone()), flow.zeros(()), flow.arange(5.0), 0, True)
    assert carry.item() == 10 and ys.tolist() == [10.0, 10.0, 9.0, 7.0, 4.0]
    same = flow.scan(lambda c, x: (c, c), flow.ones(1), flow.ones(3))
    assert same[1].tolist() == [[1.0]] * 3


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((3, T([0.0]), T(ROWS)), "Combine_fn must be a callable, but got 3"),
        ((abs, T([0.0]), T(ROWS), "a"), "Dim must be an int, but got <class 'str'>"),
        ((abs, T([0.0]), T(ROWS), 0, 1), "Reverse must be a bool, but got <class 'int'>"),
        ((abs, (), T(ROWS)), r"scan\(\) operator requires init leaves"),
        ((abs, 3.0, T(ROWS)), "All init leaves must be a Tensor but got 3.0"),
        ((abs, T([0.0]), (T(ROWS), 3)), "All xs leaves must be a Tensor but got 3"),
        ((abs, T([0.0]), flow.zeros(0, 2)), "scan dimension > 0"),
        ((abs, T([0.0]), (T(ROWS), flow.ones(3)), 1), "at least have 'dim' number of dimensions"),
        ((abs, T([0.0]), (T(ROWS), flow.ones(4))), r"equally long in dimension 0, but their lengths are \[3, 4\]"),
        ((lambda c, x: c, flow.zeros(2), T(ROWS)), r"a tuple \(next_carry, y\) but got tensor"),
        ((lambda c, x: (c, c, c), flow.zeros(2), T(ROWS)), r"a tuple \(next_carry, y\) but got"),
        ((lambda c, x: (c.sum(), c), flow.zeros(2), T(ROWS)), "init and carry to have same metadata .*\npair.0. differ in 'shape"),
        ((lambda c, x: ((c,), c), flow.zeros(2), T(ROWS)), "init and carry to have the same structure"),
        ((lambda c, x: (c.double(), c), flow.zeros(2), T(ROWS)), "differ in 'dtype: .*float32 vs .*float64"),
        ((lambda c, x: (c + x, 3), flow.zeros(2), T(ROWS)), "return tensors in y but got 3"),
        ((lambda c, x: (c + x, flow.ones(int(c[0] + 2))), flow.zeros(2), T(ROWS)), "the first y and a later one to have same"),
        ((lambda c, x: (c.add_(x), c), flow.zeros(2), T(ROWS)), "what combine_fn is given must not be written in place"),
        ((lambda c, x: (c + x, x.add_(1)), flow.zeros(2), T(ROWS)), "what combine_fn is given must not be written in place"),
    ],
)
def test_scan_refuses(given: Any, text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        flow.scan(*given)
    with pytest.raises(IndexError, match="Dimension out of range"):
        flow.scan(lambda c, x: (c, x), flow.zeros(2), T(ROWS), dim=2)


@pytest.mark.parametrize("reverse", [False, True])
def test_scan_compiles(reverse: bool) -> None:
    def f(init: flow.Tensor, xs: flow.Tensor) -> Any:
        return flow.scan(lambda c, x: (c * 0.5 + x, {"y": c * x}), init, xs, reverse=reverse)

    eager, *programs = captured_once(f, flow.ones(2), T(ROWS))
    for found in programs:
        assert found[0].tolist() == eager[0].tolist() and found[1]["y"].tolist() == eager[1]["y"].tolist()

    def step(xs: flow.Tensor) -> flow.Tensor:
        return f(flow.ones(2), xs)[1]["y"].sum()

    grads = []
    for function in (step, flow.compile(step, fullgraph=True)):
        xs = T(ROWS, requires_grad=True)
        function(xs).backward()
        assert xs.grad is not None
        grads.append(xs.grad)
    assert flow.allclose(*grads)


def test_scan_under_vmap_and_grad() -> None:
    summed = flow.vmap(lambda row: flow.scan(lambda c, x: (c + x, c + x), flow.zeros(()), row)[1])
    assert flow.allclose(summed(T(ROWS)), flow.cumsum(T(ROWS), 1))
    slope = flow.func.grad(lambda x: flow.scan(lambda c, r: (c * r, c), flow.ones(2), x)[0].sum())(T(ROWS))
    assert flow.allclose(slope, T(ROWS).prod(0) / T(ROWS))


# ---------------------------------------------------------------------------------------------------- associative_scan


@pytest.mark.parametrize("length", [1, 2, 3, 8, 13])
@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan_as_torch(length: int, reverse: bool) -> None:
    def combine(left: Any, right: Any) -> Any:
        return {"p": left["p"] * right["p"], "s": left["s"] * right["p"] + right["s"]}

    for dim, shape in ((0, (length, 2)), (1, (2, length)), (-1, (2, length))):
        values = torch.linspace(0.2, 1.1, 2 * length, dtype=torch.float64).view(shape).tolist()
        compare(
            lambda p, s: flow.associative_scan(combine, {"p": p, "s": s}, dim, reverse),  # noqa: B023
            lambda p, s: torch_associative_scan(combine, {"p": p, "s": s}, dim, reverse, combine_mode="generic"),  # noqa: B023
            values,
            values,
        )


def test_associative_scan_of_matrices() -> None:
    matrices = both(torch.linspace(-1, 1, 5 * 4).view(5, 2, 2).tolist(), grad=False)
    found = flow.associative_scan(lambda a, b: a @ b, matrices[0], 0)
    assert_same(found, torch_associative_scan(lambda a, b: a @ b, matrices[1], 0, combine_mode="generic"))
    rows = flow.associative_scan(lambda a, b: flow.where(b.sum() > a.sum(), b, a), T(ROWS), 0)  # elements, not their rows
    assert rows.tolist() == [ROWS[0], ROWS[0], ROWS[2]]


@pytest.mark.parametrize(
    ("error", "given", "text"),
    [
        (ValueError, (3, T(ROWS), 0), "Combine_fn must be a callable, but got 3"),
        (ValueError, (abs, T(ROWS), "a"), "Dim must be an int, but got <class 'str'>"),
        (RuntimeError, (abs, T(ROWS), 0, 3), "Reverse must be a bool, but got <class 'int'>"),
        (ValueError, (abs, T(ROWS), 0, False, "zz"), "Combine_mode must either 'pointwise' or 'generic', but got zz"),
        (ValueError, (abs, (), 0), "Expected at least 1 xs leaf"),
        (ValueError, (abs, (T(ROWS), 3), 0), "xs leaves must be a Tensor"),
        (IndexError, (abs, T(ROWS), 4), "Dimension out of range"),
        (ValueError, (abs, flow.zeros(0, 2), 0), "scan dimension > 0"),
        (ValueError, (abs, (T(ROWS), flow.ones(4, 2)), 0), r"equally long in dimension 0, but their lengths are \[3, 4\]"),
        (RuntimeError, (lambda a, b: (a, b), T(ROWS), 0), "to return the structure of xs but got"),
        (RuntimeError, (lambda a, b: (a * b).sum(), T(ROWS), 0), r"elements of shape \(2,\) but got \(\)"),
    ],
)
def test_associative_scan_refuses(error: type[Exception], given: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        flow.associative_scan(*given)


def test_associative_scan_compiles() -> None:
    eager, *programs = captured_once(lambda x: flow.associative_scan(lambda a, b: a * b + a, x, 0), T(ROWS))
    assert all(flow.allclose(found, eager) for found in programs)
