"""`__torch_function__`: the same programs on torch's tensors and ours, after torch's test/test_overrides.py."""

from __future__ import annotations

import copy
import operator
import pickle
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.framework.function_overrides import adopted, disabled

LIBRARIES = (torch, flow)


def logged(library: Any) -> tuple[Any, list[Any]]:
    """A subclass that notes the functions that it is asked for, and the classes of their arguments."""
    log: list[Any] = []

    class Logged(library.Tensor):
        @classmethod
        def __torch_function__(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.append((func, [{"DType": "dtype"}.get(type(a).__name__, type(a).__name__) for a in args]))
            return super().__torch_function__(func, types, args, kwargs or {})

    return Logged, log


def members(library: Any) -> list[tuple[str, Any]]:
    """The methods of Tensor, and the functions that read and write its properties, by name."""
    found: list[tuple[str, Any]] = []
    for name in dir(library.Tensor):
        member = getattr(library.Tensor, name, None)
        accesses = [] if callable(member) or member is None else ["__get__", "__set__"]
        found += [(name, member), *((f"{name}.{access}", getattr(member, access, None)) for access in accesses)]
    return found


OPERATORS: dict[str, Callable[..., Any]] = {
    "x + p": lambda t, x, p, i: x + p,
    "p + x": lambda t, x, p, i: p + x,
    "1 + x": lambda t, x, p, i: 1 + x,
    "x - p": lambda t, x, p, i: x - p,
    "p - x": lambda t, x, p, i: p - x,
    "1 - x": lambda t, x, p, i: 1 - x,
    "x * 2": lambda t, x, p, i: x * 2,
    "p * x": lambda t, x, p, i: p * x,
    "x / p": lambda t, x, p, i: x / p,
    "1 / x": lambda t, x, p, i: 1 / x,
    "p / x": lambda t, x, p, i: p / x,
    "x ** 2": lambda t, x, p, i: x**2,
    "2 ** x": lambda t, x, p, i: 2**x,
    "p ** x": lambda t, x, p, i: p**x,
    "x @ p": lambda t, x, p, i: x @ p,
    "p @ x": lambda t, x, p, i: p @ x,
    "x // 2": lambda t, x, p, i: x // 2,
    "2 // x": lambda t, x, p, i: 2 // x,
    "x % 2": lambda t, x, p, i: x % 2,
    "2 % x": lambda t, x, p, i: 2 % x,
    "x == p": lambda t, x, p, i: x == p,
    "p == x": lambda t, x, p, i: p == x,
    "1 < x": lambda t, x, p, i: 1 < x,
    "p < x": lambda t, x, p, i: p < x,
    "-x": lambda t, x, p, i: -x,
    "abs(x)": lambda t, x, p, i: abs(x),
    "~i": lambda t, x, p, i: ~i,
    "i & i": lambda t, x, p, i: i & i,
    "1 & i": lambda t, x, p, i: 1 & i,
    "1 ^ i": lambda t, x, p, i: 1 ^ i,
    "1 << i": lambda t, x, p, i: 1 << i,
    "x += 1": lambda t, x, p, i: operator.iadd(x, 1),
    "x **= 2": lambda t, x, p, i: operator.ipow(x, 2),
    "x /= p": lambda t, x, p, i: operator.itruediv(x, p),
    "x[0]": lambda t, x, p, i: x[0],
    "p[i]": lambda t, x, p, i: p[i],
    "p[i, i]": lambda t, x, p, i: p[i, i],
    "x[0] = 1": lambda t, x, p, i: operator.setitem(x, 0, 1),
    "p[:] = x": lambda t, x, p, i: operator.setitem(p, slice(0, 2), x),
    "len": lambda t, x, p, i: len(x),
    "bool": lambda t, x, p, i: bool(x.sum()),
    "float": lambda t, x, p, i: float(x.sum()),
    "in": lambda t, x, p, i: 1 in x,
    "shape": lambda t, x, p, i: x.shape,
    "T": lambda t, x, p, i: x.T,
    "grad": lambda t, x, p, i: x.grad,
    "set requires_grad": lambda t, x, p, i: setattr(x, "requires_grad", False),
    "sum": lambda t, x, p, i: x.sum(0),
    "max": lambda t, x, p, i: x.max(0),
    "to": lambda t, x, p, i: x.to(t.float64),
    "numpy": lambda t, x, p, i: x.numpy().tolist(),
    "tolist": lambda t, x, p, i: x.tolist(),
    "size": lambda t, x, p, i: x.size(),
    "dim": lambda t, x, p, i: x.dim(),
    "stride": lambda t, x, p, i: x.stride(),
    "detach": lambda t, x, p, i: x.detach(),
    "new_zeros": lambda t, x, p, i: x.new_zeros(2),
    "as_subclass": lambda t, x, p, i: x.as_subclass(t.Tensor),
}


def described(value: Any) -> Any:
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        kind = torch.Tensor if isinstance(value, torch.Tensor) else flow.Tensor
        return type(value).__name__, value.as_subclass(kind).tolist()
    if isinstance(value, tuple) and value and not isinstance(value[0], int):
        return type(value).__name__, [described(each) for each in value]
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", OPERATORS)
def test_methods_and_operators_are_asked_for_as_in_torch(name: str) -> None:
    found = []
    for library in LIBRARIES:
        kind, log = logged(library)
        x = library.tensor([[1.0, 2.0], [3.0, 5.0]]).as_subclass(kind)
        p, i = library.tensor([[2.0, 1.0], [4.0, 3.0]]), library.tensor([0, 1]).as_subclass(kind)
        result = OPERATORS[name](library, x, p, i)
        found.append((list(log), described(result)))
    (theirs, expected), (ours, value) = found
    assert value == expected
    assert [arguments for _, arguments in ours] == [arguments for _, arguments in theirs]
    for (func, _), (own, _) in zip(theirs, ours):
        names = {member for member, each in members(torch) if each == func}
        assert names and names & {member for member, each in members(flow) if each == own}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "relu": lambda t, x, p: t.relu(x),
    "add": lambda t, x, p: t.add(p, x),
    "cat": lambda t, x, p: t.cat([p, x]),
    "stack": lambda t, x, p: t.stack((x, p)),
    "where": lambda t, x, p: t.where(p > 1, x, p),
    "matmul": lambda t, x, p: t.matmul(p, x),
    "zeros_like": lambda t, x, p: t.zeros_like(x),
    "functional.linear": lambda t, x, p: t.nn.functional.linear(p, x),
    "functional.gelu": lambda t, x, p: t.nn.functional.gelu(x),
    "functional.mse_loss": lambda t, x, p: t.nn.functional.mse_loss(x, p),
    "linalg.det": lambda t, x, p: t.linalg.det(x),
    "einsum": lambda t, x, p: t.einsum("ij,jk->ik", x, p),
    "out": lambda t, x, p: t.add(p, p, out=x),
    "max": lambda t, x, p: t.max(x, 0),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_asked_for(name: str) -> None:
    found = []
    for library in LIBRARIES:
        kind, log = logged(library)
        x, p = library.tensor([[1.0, 2.0], [3.0, 5.0]]).as_subclass(kind), library.tensor([[2.0, 1.0], [4.0, 3.0]])
        result = FUNCTIONS[name](library, x, p)
        asked = [(func.__name__.removeprefix("linalg_"), arguments) for func, arguments in log]
        kinds, *values = described(result)
        found.append((asked[:1], kinds if name == "max" else kinds, name in ("functional.gelu", "linalg.det") or values))
    assert found[1] == found[0]


def test_the_function_itself_is_given() -> None:
    seen: list[Any] = []

    class Seen(flow.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append((func, types))
            return 7

    x = flow.ones(2).as_subclass(Seen)
    assert flow.relu(x) == flow.nn.functional.linear(x, x) == flow.cat([x]) == x.add(1) == x + 1 == x.shape == len(x) * 7 // x[0] == 7
    functions = [func for func, _ in seen]
    assert functions[:5] == [flow.relu, flow.nn.functional.linear, flow.cat, flow.Tensor.add, flow.Tensor.add]
    assert functions[5] == flow.Tensor.shape.__get__
    assert all(types == (Seen,) for _, types in seen)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_order_among_classes(library: Any) -> None:
    order: list[str] = []

    def make(name: str, *bases: Any) -> Any:
        def take(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            order.append(cls.__name__)
            assert sorted(kind.__name__ for kind in types) == sorted({type(a).__name__ for a in args} - {"Tensor"})
            return NotImplemented

        return type(name, bases, {"__torch_function__": classmethod(take)})

    a, b = make("A", library.Tensor), make("B", library.Tensor)
    sub = make("Sub", a)
    duck = make("Duck")
    plain = library.ones(1)
    values = {kind.__name__: plain.as_subclass(kind) for kind in (a, b, sub)} | {"Duck": duck(), "plain": plain}
    for names, expected in (
        (("A", "B", "Sub"), ["Sub", "A", "B"]),
        (("B", "A", "Sub"), ["B", "Sub", "A"]),
        (("plain", "Duck", "A"), ["Duck", "A"]),
        (("Sub", "Sub", "A"), ["Sub", "A"]),
    ):
        order.clear()
        with pytest.raises(TypeError):
            library.where(*(values[name] for name in names))
        assert order == expected


@pytest.mark.parametrize("library", LIBRARIES)
def test_arguments_that_are_no_tensors(library: Any) -> None:
    class Diagonal:
        def __init__(self, n: int, value: float) -> None:
            self.n, self.value = n, value

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is library.mean:
                return args[0].value / args[0].n
            if func is library.mm and len(args) == 2:
                return "mm", [type(a).__name__ for a in args], kwargs or {}
            if func is library.cat:
                return "cat", len(args[0])
            if func is library.nn.functional.linear:
                return "linear", [type(a).__name__ for a in args]
            return NotImplemented

        def __radd__(self, other: Any) -> Any:
            return "radd"

    d, x = Diagonal(5, 2.0), library.ones(5, 5)
    assert library.mean(d) == 0.4
    assert library.mm(x, d) == ("mm", ["Tensor", "Diagonal"], {})
    assert library.cat([x, d]) == ("cat", 2)
    assert library.nn.functional.linear(x, d) == ("linear", ["Tensor", "Diagonal"])
    with pytest.raises(TypeError, match="Diagonal"):
        library.add(d, 1)
    with pytest.raises(TypeError):
        library.mm(x, object())


@pytest.mark.parametrize("library", LIBRARIES)
def test_results_are_of_the_subclass(library: Any) -> None:
    class Named(library.Tensor):
        name = "none"

    class Deeper(Named):
        pass

    x, p = library.ones(2, 2).as_subclass(Named), library.ones(2, 2)
    assert type(x + 1) is type(p * x) is type(library.relu(x)) is type(x[0]) is type(x.T) is type(x.clone()) is Named
    assert type(x.as_subclass(Deeper) + x) is Deeper and type(x + x.as_subclass(Deeper)) is Deeper
    values, indices = x.max(0)
    assert type(values) is type(indices) is Named and type(x.max(0)).__name__ == "max" and x.max(0).values.shape == (2,)
    assert [type(part) for part in x.split(1)] == [Named, Named]
    assert type(x.add_(1)) is Named and x.tolist() == [[2.0, 2.0]] * 2 and (x.add_(0) is x)
    assert type(p.as_subclass(library.Tensor)) is type(x.as_subclass(library.Tensor)) is library.Tensor
    assert type(library.nn.Linear(2, 2)(x)) is Named
    assert type(library.nn.Parameter(p) + 1) is library.Tensor

    class Other(library.Tensor):
        pass

    with pytest.raises(TypeError):
        x + p.as_subclass(Other)


@pytest.mark.parametrize("library", LIBRARIES)
def test_gradients_go_through_a_subclass(library: Any) -> None:
    kind, _ = logged(library)
    leaf = library.ones(3, requires_grad=True)
    x = leaf.as_subclass(kind)
    weight = library.nn.Parameter(library.full((3,), 2.0))
    ((x * weight).exp().sum() * 2).backward()
    assert leaf.grad is leaf.grad and type(leaf.grad) is library.Tensor
    expected = 4 * torch.exp(torch.tensor(2.0))
    assert library.allclose(leaf.grad, library.full((3,), float(expected)))
    own = library.ones(2).as_subclass(kind).requires_grad_()
    (own * 3).sum().backward()
    assert own.grad.tolist() == [3.0, 3.0] and own.grad is own.grad


@pytest.mark.parametrize("library", LIBRARIES)
def test_switched_off(library: Any) -> None:
    kind, log = logged(library)
    x = library.ones(2).as_subclass(kind)
    with library._C.DisableTorchFunctionSubclass() if library is torch else flow.overrides.DisableTorchFunctionSubclass():
        assert type(x + 1) is library.Tensor and type(library.relu(x)) is library.Tensor and x.shape == (2,)
        assert not library.overrides.has_torch_function((x,))
    assert not log and type(x + 1) is kind and len(log) == 1


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_class_that_takes_over_nothing(library: Any) -> None:
    class Silent(library.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl if library is torch else staticmethod(disabled)

    x = library.ones(2).as_subclass(Silent)
    assert type(x + 1) is library.Tensor and type(library.relu(x)) is library.Tensor
    assert not library.overrides.has_torch_function((x,))


def test_a_subclass_of_parameter() -> None:
    log: list[str] = []

    class Quantized(flow.nn.Parameter):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.append(func.__name__)
            with flow.overrides.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))

    layer = flow.nn.Linear(2, 2, bias=False)
    layer.weight = Quantized(flow.ones(2, 2))
    assert isinstance(layer.weight, flow.nn.Parameter) and "weight" in dict(layer.named_parameters())
    log.clear()
    result = layer(flow.ones(1, 2))
    assert result.tolist() == [[2.0, 2.0]] and log == ["linear"]
    result.sum().backward()
    assert layer.weight.grad.tolist() == [[1.0, 1.0]] * 2


def test_methods_of_ones_own_stay() -> None:
    class Mine(flow.Tensor):
        def relu(self) -> Any:
            return "mine"

        @property
        def T(self) -> Any:
            return "turned"

        def exp(self) -> Any:
            return super().exp() + 1

    class Mixed:
        def sum(self) -> str:
            return "mixed"

    class Both(Mixed, Mine):
        pass

    x = flow.zeros(2).as_subclass(Both)
    assert (x.relu(), x.T, x.sum()) == ("mine", "turned", "mixed")
    assert type(x.exp()) is Both and x.exp().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_libraries_ask(library: Any) -> None:
    kind, _ = logged(library)
    o, x, p = library.overrides, library.ones(1).as_subclass(logged(library)[0]), library.ones(1)

    class Duck:
        @classmethod
        def __torch_function__(cls, *_: Any) -> Any:
            return "duck"

    assert [o.has_torch_function((v,)) for v in (p, x, Duck(), 1, library.nn.Parameter(p))] == [False, True, True, False, False]
    assert o.has_torch_function_unary(x) and o.has_torch_function_variadic(1, x)
    assert [o.is_tensor_like(v) for v in (p, x, Duck(), 1)] == [True, True, True, False]

    def mine(a: Any, b: Any = 1) -> Any:
        if o.has_torch_function((a, b)):
            return o.handle_torch_function(mine, (a, b), a, b=b)
        return "plain"

    assert (mine(p), mine(Duck()), mine(p, Duck())) == ("plain", "duck", "duck")
    assert o.wrap_torch_function(lambda a: (a,))(lambda a: a)(Duck()) == "duck"
    assert library.Tensor.grad.__get__ in o.get_default_nowrap_functions()
    overridable = o.get_overridable_functions()
    assert library.add in overridable[library] and library.Tensor.add in overridable[library.Tensor]
    assert library.nn.functional.linear in overridable[library.nn.functional]
    assert library is torch or flow.Tensor.T.__get__ in overridable[flow.Tensor]
    assert library.Tensor.as_subclass in o.get_ignored_functions() and library.Tensor.as_subclass not in overridable[library.Tensor]
    assert o.is_tensor_method_or_property(library.Tensor.add) and not o.is_tensor_method_or_property(library.add)
    assert o.resolve_name(library.Tensor.add).endswith("Tensor.add")


def test_every_overridable_function_asks() -> None:
    """A class takes over each function of the list, as its only argument or among others."""
    from inspect import Parameter, signature

    class Duck:
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func

    checked = 0
    for where, functions in flow.overrides.get_overridable_functions().items():
        if where is flow.Tensor:
            continue
        for function in functions:
            needed = [p for p in signature(function).parameters.values() if p.default is Parameter.empty and p.kind < 2]
            if needed:
                assert function(*[Duck() for _ in needed]) is function
                checked += 1
    assert checked > 300


def test_torchs_own_tensors_take_over_nothing() -> None:
    with pytest.raises(TypeError, match="must be tensor, not torch.Tensor"):
        flow.relu(torch.ones(2))
    kind, _ = logged(flow)
    for x in (flow.ones(2), flow.ones(2).as_subclass(kind)):
        for call in (lambda x=x: torch.add(torch.ones(2), x), lambda x=x: torch.relu(x), lambda x=x: torch.ones(2) + x):
            with pytest.raises(TypeError):
                call()


def test_pickles_and_copies() -> None:
    global Stored  # where pickle finds it

    class Stored(flow.Tensor):
        pass

    Stored.__qualname__ = "Stored"
    x = flow.ones(2).as_subclass(Stored).requires_grad_()
    x.scale = [3]
    for found in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.copy(x)):
        assert type(found) is Stored and found.tolist() == [1.0, 1.0] and found.scale == [3] and found.requires_grad
        (found * 2).sum().backward()
        assert found.grad.tolist() == [2.0, 2.0] and x.grad is None


def test_named_results_of_ones_own() -> None:
    Pair = namedtuple("Pair", "a b")

    class Mine(flow.Tensor):
        pass

    x = flow.ones(2).as_subclass(Mine)
    result = flow.Tensor.__torch_function__.__func__(Mine, lambda v: Pair(v.as_subclass(flow.Tensor), [v, 1]), (Mine,), (x,))
    assert type(result) is Pair and type(result.a) is Mine and result.b == [x, 1] or type(result.b[0]) is Mine


def test_no_subclass_no_question() -> None:
    """A process without subclasses asks nobody: what `flow` itself defines takes over nothing."""
    import subprocess
    import sys

    code = (
        "import tritonflow as f; from tritonflow.framework.function_overrides import adopted;"
        "f.nn.Linear(2, 2)(f.ones(1, 2)); print(adopted.any)"
    )
    assert adopted.any
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
