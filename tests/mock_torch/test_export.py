"""`torch.export`, with the same modules and calls as torch's own."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch as real

from tritonflow import mock_torch

MODULES = """
nn = torch.nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(4, 3), nn.BatchNorm1d(3)
        self.scale = torch.tensor([1.0, 2.0, 3.0])
        self.register_buffer("shift", torch.ones(3), persistent=False)
    def forward(self, x, y=None, *, z):
        return {"a": self.norm(self.linear(x)) * self.scale + self.shift, "b": z * 2, "n": 3}

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.unused = nn.Linear(4, 4), nn.Linear(4, 4), nn.Parameter(torch.ones(2))
        self.b.weight = self.a.weight
    def forward(self, x, *args, **kw):
        return self.b(self.a(x)) + args[0] + kw["k"]

class Add(nn.Module):
    def forward(self, x, y):
        return x + y

class Containers(nn.Module):
    def forward(self, pairs, named):
        return pairs[0][0] * 2, named["w"][0] + pairs[0][1]

class Writes(nn.Module):
    def forward(self, x, y):
        x.add_(1)
        return x * y

class Large(nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] > 4 else x - 1

class Rows(nn.Module):
    def forward(self, x):
        return x.reshape(4, 2)

class Decides(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x

class Sums(nn.Module):
    def forward(self, x):
        return torch.softmax(x, -1).sum(0), x.mean()
"""


class Library:
    """torch, or tritonflow under its names, with the modules above."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.names: dict[str, Any] = {"torch": torch}
        exec(MODULES, self.names)
        self.Dim = torch.export.Dim

    def ones(self, *shape: int, dtype: str = "float32") -> Any:
        return self.torch.arange(int(numpy.prod(shape)), dtype=getattr(self.torch, dtype)).reshape(shape) / 7

    def export(self, name: str, *args: Any, kwargs: Any = None, **options: Any) -> Any:
        self.torch.manual_seed(0)
        return self.torch.export.export(self.names[name](), args, kwargs, **options)


@pytest.fixture(scope="module")
def ours() -> Library:
    with mock_torch.enable():
        import torch
        import torch.export
    return Library(torch)


@pytest.fixture(scope="module")
def theirs() -> Library:
    return Library(real)


def numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: numbers(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [numbers(part) for part in value]
    return value.detach().numpy() if hasattr(value, "detach") else value


def compare(own: Any, wanted: Any) -> None:
    if isinstance(wanted, dict):
        assert list(own) == list(wanted)
        own, wanted = list(own.values()), list(wanted.values())
    if isinstance(wanted, list):
        assert len(own) == len(wanted)
        for a, b in zip(own, wanted):
            compare(a, b)
    else:
        numpy.testing.assert_allclose(own, wanted, rtol=1e-5, atol=1e-6)


def program(lib: Library, name: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """A program, and a call with other sizes."""
    dim, ones = lib.Dim, lib.ones
    if name == "Net":
        shapes = {"x": {0: dim("batch", min=2, max=64)}, "z": None}
        net = lib.export("Net", ones(5, 4), kwargs={"z": ones(2)}, dynamic_shapes=shapes)
        return net, (ones(9, 4),), {"z": ones(2)}
    if name == "Tied":
        return lib.export("Tied", ones(3, 4), ones(4), ones(4), kwargs={"k": ones(4)}), (ones(3, 4), ones(4), ones(4)), {"k": ones(4)}
    if name == "Containers":
        batch = dim("batch")
        given = [(ones(3, 2), ones(3, 2))], {"w": [ones(3, 2), 7]}
        shapes = ([({0: batch}, {0: batch})], {"w": [(batch, None), None]})
        return lib.export("Containers", *given, dynamic_shapes=shapes), ([(ones(5, 2), ones(5, 2))], {"w": [ones(5, 2), 7]}), {}
    if name == "Writes":
        return lib.export("Writes", ones(3), ones(3)), (ones(3), ones(3)), {}
    if name == "Number":
        return lib.export("Add", ones(3, 2), 2), (ones(3, 2), 2), {}
    shapes = {"x": (lib.Dim.AUTO, lib.Dim.DYNAMIC)}
    return lib.export("Sums", ones(3, 5), dynamic_shapes=shapes), (ones(8, 4),), {}


PROGRAMS = ["Net", "Tied", "Containers", "Writes", "Number", "Sums"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_and_signature(ours: Library, theirs: Library, name: str) -> None:
    found = []
    for lib in (ours, theirs):
        exported, args, kwargs = program(lib, name)
        if lib is ours and exported.state_dict:  # of one seed the libraries draw other numbers
            state = program(theirs, name)[0].state_dict
            for key, tensor in exported.state_dict.items():
                with ours.torch.no_grad():
                    tensor.copy_(ours.torch.tensor(state[key].detach().numpy()))
        module = exported.module()
        result = module(*args, **kwargs)
        found.append((exported, module, numbers(result), numbers(args)))
    (own, own_module, own_result, own_args), (wanted, module, result, args) = found
    compare(own_result, result)
    compare(own_args, args)  # and what it has written
    assert list(own.state_dict) == list(wanted.state_dict)
    for names in ("named_parameters", "named_buffers"):
        assert [n for n, _ in getattr(own, names)()] == [n for n, _ in getattr(wanted, names)()]
        assert sorted(n for n, _ in getattr(own_module, names)()) == sorted(n for n, _ in getattr(module, names)())
    assert len(list(own.parameters())) == len(list(wanted.parameters()))
    assert len(list(own.buffers())) == len(list(wanted.buffers()))
    assert sorted(own.constants) == sorted(wanted.constants)
    compare(numbers(dict(own.state_dict)), numbers(dict(wanted.state_dict)))
    mine, signature = own.graph_signature, wanted.graph_signature
    assert str(mine).partition("# outputs")[0].strip() == str(signature).partition("# outputs")[0].strip()
    for names in ("user_inputs", "parameters", "buffers", "inputs_to_parameters", "inputs_to_buffers", "non_persistent_buffers"):
        assert getattr(mine, names) == getattr(signature, names), names
    assert mine.inputs_to_lifted_tensor_constants == signature.inputs_to_lifted_tensor_constants
    assert len(mine.user_outputs) == len(signature.user_outputs)
    functional = wanted.run_decompositions().graph_signature
    assert set(mine.buffers_to_mutate.values()) == set(functional.buffers_to_mutate.values())
    assert set(mine.user_inputs_to_mutate.values()) == set(functional.user_inputs_to_mutate.values())
    assert [len(part) for part in own.example_inputs] == [len(part) for part in wanted.example_inputs]


def test_parameters_are_the_modules(ours: Library, theirs: Library) -> None:
    for lib in (ours, theirs):
        net = lib.names["Tied"]()
        exported = lib.torch.export.export(net, (lib.ones(3, 4), lib.ones(4)), {"k": lib.ones(4)})
        module = exported.module()
        assert dict(module.named_parameters())["a.weight"] is net.a.weight is exported.state_dict["a.weight"]
        module(lib.ones(3, 4), lib.ones(4), k=lib.ones(4)).sum().backward()
        assert float(net.a.weight.grad.abs().sum()) > 0 and net.unused.grad is None
        with lib.torch.no_grad():
            net.b.bias.add_(10.0)
            compare(numbers(module(lib.ones(3, 4), lib.ones(4), k=lib.ones(4))), numbers(net(lib.ones(3, 4), lib.ones(4), k=lib.ones(4))))


def test_the_mode_is_that_of_the_export(ours: Library, theirs: Library) -> None:
    for lib in (ours, theirs):
        net = lib.names["Net"]().eval()
        module = lib.torch.export.export(net, (lib.ones(5, 4),), {"z": lib.ones(2)}).module()
        first = numbers(module(lib.ones(5, 4), z=lib.ones(2)))
        net.train()
        compare(numbers(module(lib.ones(5, 4), z=lib.ones(2))), first)
        assert float(net.norm.running_mean.abs().sum()) == 0
        for mode in (module.train, module.eval):
            with pytest.raises(NotImplementedError, match="is not supported yet"):
                mode()


WRONG_CALLS = {
    "another size": (lambda lib: ((lib.ones(5, 5),), {"z": lib.ones(2)}), AssertionError, r"Guard failed: x.size\(\)\[1\] == 4"),
    "too large": (lambda lib: ((lib.ones(65, 4),), {"z": lib.ones(2)}), AssertionError, r"Guard failed: x.size\(\)\[0\] <= 64"),
    "no keyword": (lambda lib: ((lib.ones(5, 4),), {}), ValueError, "z"),
    "another keyword": (lambda lib: ((lib.ones(5, 4),), {"z": lib.ones(2), "w": 1}), ValueError, "w"),
    "one more": (lambda lib: ((lib.ones(5, 4), None), {"z": lib.ones(2)}), ValueError, "same number and type of args and kwargs"),
    "a number": (lambda lib: ((lib.ones(5, 4),), {"z": 3.0}), (TypeError, AttributeError), "float"),
    "another dtype": (lambda lib: ((lib.ones(5, 4, dtype="float64"),), {"z": lib.ones(2)}), (AssertionError, RuntimeError), "dtype"),
    "more dimensions": (lambda lib: ((lib.ones(5, 4, 1),), {"z": lib.ones(2)}), (AssertionError, RuntimeError), ""),
}


@pytest.mark.parametrize("name", list(WRONG_CALLS))
def test_wrong_calls(ours: Library, theirs: Library, name: str) -> None:
    wrong, kind, text = WRONG_CALLS[name]
    for lib in (theirs, ours):
        exported, *_ = program(lib, "Net")
        before = numbers(dict(exported.state_dict))
        args, kwargs = wrong(lib)
        with pytest.raises(kind, match=text):
            exported.module()(*args, **kwargs)
        if lib is ours:
            compare(numbers(dict(exported.state_dict)), before)


def test_a_number_is_part_of_the_program(ours: Library, theirs: Library) -> None:
    for lib in (theirs, ours):
        exported, *_ = program(lib, "Number")
        with pytest.raises(AssertionError, match="Guard failed: y == 2"):
            exported.module()(lib.ones(3, 2), 3)


def two(lib: Library) -> tuple[Any, Any]:
    return lib.ones(4, 2), lib.ones(4, 2)


WRONG_EXPORTS = {
    "a comparison": (lambda lib: lib.export("Large", lib.ones(5, 4), dynamic_shapes={"x": {0: lib.Dim("batch")}}), "Constraints violated .batch.!"),
    "a fixed size": (lambda lib: lib.export("Rows", lib.ones(4, 2), dynamic_shapes={"x": {0: lib.Dim("batch")}}), "batch.* specialized it to be a constant .4"),
    "a hint": (lambda lib: lib.export("Rows", lib.ones(4, 2), dynamic_shapes={"x": {0: lib.Dim.DYNAMIC}}), r"Constraints violated .L\['x'\].size\(\)\[0\]"),
    "equal sizes": (lambda lib: lib.export("Add", *two(lib), dynamic_shapes=({0: lib.Dim("a")}, {0: lib.Dim("b")})), "must always be equal"),
    "one fixed": (lambda lib: lib.export("Add", *two(lib), dynamic_shapes=({0: lib.Dim("a")}, None)), "specialized it to be a constant .4"),
    "one": (lambda lib: lib.export("Rows", lib.ones(1, 8), dynamic_shapes={"x": {0: lib.Dim("n")}}), "specialized it to be a constant .1"),
    "few entries": (lambda lib: lib.export("Add", *two(lib), dynamic_shapes=({0: lib.Dim("a")},)), "2 elements, but .* 1 elements"),
    "another name": (lambda lib: lib.export("Add", *two(lib), dynamic_shapes={"q": None, "y": None}), "must be the arg names .'x', 'y'."),
    "out of range": (lambda lib: lib.export("Large", lib.ones(5, 4), dynamic_shapes={"x": {0: lib.Dim("n", min=6)}}), r"5 not in range \[6, int_oo\]"),
    "a decision": (lambda lib: lib.export("Decides", lib.ones(4, 2)), "decide|data-dependent|value"),
    "a tensor for args": (lambda lib: lib.torch.export.export(lib.names["Sums"](), lib.ones(2, 2)), "to be a tuple of example positional inputs"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(WRONG_EXPORTS))
def test_wrong_exports(ours: Library, theirs: Library, name: str) -> None:
    call, text = WRONG_EXPORTS[name]
    for lib in (theirs, ours):
        with pytest.raises(RuntimeError, match=text):
            call(lib)


def test_no_module(ours: Library, theirs: Library) -> None:
    for lib in (theirs, ours):
        with pytest.raises(ValueError, match="to be an instance of `torch.nn.Module`"):
            lib.torch.export.export(lambda x: x, (lib.ones(2),))
        exported, args, kwargs = program(lib, "Net")
        with pytest.raises(RuntimeError, match="Unable to call ExportedProgram directly"):
            exported(*args, **kwargs)


def test_dims(ours: Library, theirs: Library) -> None:
    for text in ("Dim('a')", "Dim('a', min=1, max=9)", "Dim('a').min", "Dim('a', max=3).__name__", "Dim.AUTO", "Dim.DYNAMIC(min=2)",
                 "Dim.STATIC", "dims('a', 'b', min=1)"):  # fmt: skip
        own, wanted = (eval(text, {"Dim": lib.Dim, "dims": lib.torch.export.dims}) for lib in (ours, theirs))
        assert repr(own) == repr(wanted), text
    for text in ("Dim('1a')", "Dim('a', min=3, max=2)"):
        for lib in (theirs, ours):
            with pytest.raises(AssertionError):
                eval(text, {"Dim": lib.Dim})
    with pytest.raises(NotImplementedError, match="computed of the Dim 'a'"):
        2 * ours.Dim("a")


def test_a_size_that_may_be_fixed(ours: Library, theirs: Library) -> None:
    for lib in (theirs, ours):
        exported = lib.export("Rows", lib.ones(4, 2), dynamic_shapes={"x": {0: lib.Dim.AUTO}})
        assert not exported.range_constraints
        with pytest.raises(AssertionError, match=r"Guard failed: .*x.size\(\)\[0\] == [48]"):
            exported.module()(lib.ones(2, 2))


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


def test_dataclasses(ours: Library, theirs: Library) -> None:
    for lib in (theirs, ours):

        class Swap(lib.torch.nn.Module):  # type: ignore[misc, name-defined]
            def forward(self, pair: Any) -> Any:
                return Pair(pair.b * 2, pair.a)

        given = (Pair(lib.ones(2), lib.ones(3)),)
        if lib is ours:
            with pytest.raises(ValueError, match="register_dataclass"):
                lib.torch.export.export(Swap(), given)
        lib.torch.export.register_dataclass(Pair)
        exported = lib.torch.export.export(Swap(), given)
        assert exported.graph_signature.user_inputs == ("pair_a", "pair_b")
        found = exported.module()(Pair(lib.ones(2), lib.ones(3)))
        assert type(found) is Pair
        compare([*map(numbers, (found.a, found.b))], [numbers(lib.ones(3) * 2), numbers(lib.ones(2))])


@pytest.mark.parametrize("is_file", [True, False])
def test_a_file(ours: Library, theirs: Library, tmp_path: Path, is_file: bool) -> None:
    results = []
    for lib in (theirs, ours):
        lib.torch.manual_seed(0)
        net = lib.names["Net"]().eval()
        with lib.torch.no_grad():
            net.linear.weight.copy_(lib.ones(3, 4))
            net.linear.bias.copy_(lib.ones(3))
        shapes = {"x": {0: lib.Dim("batch", max=3)}, "z": None}
        exported = lib.torch.export.export(net, (lib.ones(2, 4),), {"z": lib.ones(2)}, dynamic_shapes=shapes)
        f: Any = tmp_path / "net.pt2" if not is_file else io.BytesIO()
        lib.torch.export.save(exported, f)
        read = lib.torch.export.load(f if not is_file else io.BytesIO(f.getvalue()))
        assert str(read.graph_signature) == str(exported.graph_signature)
        assert list(read.state_dict) == list(exported.state_dict)
        compare(numbers(dict(read.state_dict)), numbers(dict(exported.state_dict)))
        for rows in (1, 2, 3):
            results.append(numbers(read.module()(lib.ones(rows, 4), z=lib.ones(2))))
            compare(results[-1], numbers(exported.module()(lib.ones(rows, 4), z=lib.ones(2))))
        for args, text in (((lib.ones(4, 4),), "<= 3"), ((lib.ones(2, 5),), "== 4")):
            with pytest.raises(AssertionError, match=text):
                read.module()(*args, z=lib.ones(2))
    compare(results[3:], results[:3])


def test_an_onnx_model(ours: Library) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    exported, args, kwargs = program(ours, "Sums")
    model = ours.torch.onnx.export(exported)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    assert [each.name for each in session.get_inputs()] == ["x"]
    compare(session.run(None, {"x": args[0].numpy()}), numbers(exported.module()(*args)))


def test_what_is_not_built(ours: Library) -> None:
    exported, *_ = program(ours, "Sums")
    with pytest.raises(RuntimeError, match=r"unflatten\(\) is not built"):
        ours.torch.export.unflatten(exported)
    with pytest.raises(AttributeError, match=r"ExportedProgram\.graph_module is of torch\.fx, which is not built"):
        exported.graph_module
    with pytest.raises(RuntimeError, match="table of decompositions is not built"):
        exported.run_decompositions({"op": None})
    assert exported.run_decompositions() is exported
    with pytest.raises(RuntimeError, match="has no largest one"):
        ours.torch.export.save(exported, io.BytesIO())
    assert ours.torch.export.draft_export(ours.names["Sums"](), (ours.ones(2, 2),)).graph_signature.user_inputs == ("x",)


def test_names(ours: Library) -> None:
    import tritonflow as flow

    assert callable(flow.export) and ours.torch.export is not flow.export
    with mock_torch.enable():
        from torch.export import Dim, export
        from torch.export.dynamic_shapes import ShapesCollection
        from torch.export.exported_program import ExportedProgram
        from torch.export.graph_signature import InputKind
    x, shapes = ours.ones(4, 2), ShapesCollection()
    shapes[x] = {0: Dim.DYNAMIC}
    exported = export(ours.names["Sums"](), (x,), dynamic_shapes=shapes)
    assert isinstance(exported, ExportedProgram) and exported.graph_signature.input_specs[0].kind is InputKind.USER_INPUT
    assert exported.module()(ours.ones(7, 2))[0].shape == (2,)
