"""Wrong and damaged models, wrong inputs, names, and what is known on the host."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def tensor_input(name: str, shape: Any, dtype: int = FLOAT) -> Any:
    return helper.make_tensor_value_info(name, dtype, shape)


def model_of(nodes: Any, inputs: Any, outputs: Any, constants: Any = (), version: int = 17, **more: Any) -> Any:
    initializers = [numpy_helper.from_array(array, name) for name, array in constants]
    graph = helper.make_graph(list(nodes), "test", list(inputs), list(outputs), initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8, **more)


def linear(version: int = 17) -> Any:
    weight = numpy.arange(6, dtype=numpy.float32).reshape(3, 2)
    return model_of(
        [helper.make_node("MatMul", ["x", "layer.weight"], ["h"], name="product"), helper.make_node("Relu", ["h"], ["y"])],
        [tensor_input("x", ["n", 3])], [tensor_input("y", ["n", 2])], [("layer.weight", weight)], version,
    )  # fmt: skip


def test_bytes_paths_and_messages_give_the_same(tmp_path: Path) -> None:
    model = linear()
    onnx.save(model, str(tmp_path / "model.onnx"))
    x = flow.ones(1, 3)
    for given in (model, model.SerializeToString(), tmp_path / "model.onnx", str(tmp_path / "model.onnx")):
        assert flow.onnx.load(given)(x).tolist() == [[6.0, 9.0]]


def test_names_and_repr() -> None:
    module = flow.onnx.load(linear())
    assert list(module.state_dict()) == ["layer.weight"] and [name for name, _ in module.named_parameters()] == ["layer.weight"]
    assert module.input_names == ("x",) and module.output_names == ("y",)
    assert repr(module) == "OnnxModule(test: (x) -> (y); MatMul x 1, Relu x 1)"
    other = copy.deepcopy(module)
    with flow.no_grad():
        other.layer.weight.zero_()
    assert other(flow.ones(1, 3)).tolist() == [[0.0, 0.0]] and module(flow.ones(1, 3)).tolist() == [[6.0, 9.0]]


def test_external_data(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(linear(), str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    assert flow.onnx.load(path)(flow.ones(1, 3)).tolist() == [[6.0, 9.0]]
    with pytest.raises(ValueError, match="load the model by its path"):
        flow.onnx.load(path.read_bytes())
    (tmp_path / "weights.bin").unlink()
    with pytest.raises((FileNotFoundError, ValueError), match="weights.bin"):
        flow.onnx.load(path)


@pytest.mark.parametrize("data", [b"", b"no model", b"\x08\x08"])
def test_what_is_no_model(data: bytes) -> None:
    with pytest.raises(ValueError, match="no (valid )?ONNX model"):
        flow.onnx.load(data)


def test_damaged_bytes_are_an_error_or_the_same_numbers(seed: int) -> None:
    data, chance = linear().SerializeToString(), numpy.random.default_rng(seed)
    for cut in chance.integers(0, len(data), 20):
        with pytest.raises((ValueError, NotImplementedError, TypeError)):
            flow.onnx.load(data[:cut])


def test_weights_that_do_not_fit_their_shape() -> None:
    model = linear()
    model.graph.initializer[0].dims[0] = 30
    with pytest.raises(ValueError, match="no valid ONNX model"):
        flow.onnx.load(model)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="a path, bytes or an onnx.ModelProto, but got int"):
        flow.onnx.load(3)
    with pytest.raises(FileNotFoundError):
        flow.onnx.load("/nowhere/model.onnx")


@pytest.mark.parametrize("version", [6, 99])
def test_operator_sets_that_are_not_read(version: int) -> None:
    with pytest.raises(ValueError, match=f"operator set {version}|no valid ONNX model"):
        flow.onnx.load(linear(version))


def test_unknown_ops_are_all_named() -> None:
    nodes = [
        helper.make_node("MelWeightMatrix", ["x"] * 5, ["a"]), helper.make_node("FusedGelu", ["a"], ["b"], domain="com.microsoft"),
        helper.make_node("Relu", ["b"], ["y"]),
    ]  # fmt: skip
    model = model_of(nodes, [tensor_input("x", [], INT64)], [tensor_input("y", [1])])
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    with pytest.raises(NotImplementedError, match=r"these ops of the model: MelWeightMatrix, com.microsoft.FusedGelu"):
        flow.onnx.load(model)


def test_attributes_that_are_not_supported() -> None:
    node = helper.make_node("Attention", ["q", "q", "q"], ["y"], left_window_size=2)
    model = model_of([node], [tensor_input("q", [1, 1, 4, 8])], [tensor_input("y", [1, 1, 4, 8])], version=25)
    with pytest.raises(NotImplementedError, match="left_window_size=2 of Attention"):
        flow.onnx.load(model)


@pytest.mark.parametrize(
    "inputs, named, error, text",
    [
        ((), {}, TypeError, "inputs of the model are missing: 'x'"),
        ((1, 2), {}, TypeError, "1 inputs .*, but got 2"),
        ((), {"z": 1}, TypeError, "no input 'z'; it has 'x'"),
        (("x",), {}, TypeError, "must be a tensor, but got str"),
        ((flow.ones(1, 3),), {"x": flow.ones(1, 3)}, TypeError, "given twice"),
        ((flow.ones(1, 3, dtype=flow.float64),), {}, TypeError, "must be of .*float32, but got .*float64"),
        ((flow.ones(3),), {}, ValueError, r"must have the shape \(any, 3\), but got \(3,\)"),
        ((flow.ones(1, 4),), {}, ValueError, r"must have the shape \(any, 3\), but got \(1, 4\)"),
    ],
)  # fmt: skip
def test_wrong_inputs(inputs: Any, named: Any, error: type[Exception], text: str) -> None:
    module = flow.onnx.load(linear())
    with pytest.raises(error, match=text):
        module(*inputs, **named)
    assert module(flow.ones(1, 3)).tolist() == [[6.0, 9.0]]


def test_an_initializer_is_the_default_of_an_input() -> None:
    model = linear()
    model.graph.input.append(tensor_input("layer.weight", [3, 2]))
    module = flow.onnx.load(model)
    assert module.input_names == ("x", "layer.weight")
    assert module(flow.ones(1, 3)).tolist() == [[6.0, 9.0]]
    assert module(flow.ones(1, 3), flow.ones(3, 2)).tolist() == [[3.0, 3.0]]


def test_own_functions_are_inlined() -> None:
    function = helper.make_function(
        "own", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 17)]
    )
    node = helper.make_node("Twice", ["x"], ["y"], domain="own")
    model = model_of([node], [tensor_input("x", [2])], [tensor_input("y", [2])], functions=[function])
    model.opset_import.append(helper.make_opsetid("own", 1))
    assert flow.onnx.load(model)(flow.ones(2)).tolist() == [2.0, 2.0]


def test_a_branch_reads_values_around_it() -> None:
    def branch(name: str, op: str) -> Any:
        return helper.make_graph([helper.make_node(op, ["h", "h"], [name])], name, [], [tensor_input(name, [2])])

    nodes = [
        helper.make_node("Relu", ["x"], ["h"]),
        helper.make_node("If", ["c"], ["y"], then_branch=branch("a", "Add"), else_branch=branch("b", "Sub")),
    ]
    module = flow.onnx.load(model_of(nodes, [tensor_input("x", [2]), tensor_input("c", [], TensorProto.BOOL)], [tensor_input("y", [2])]))
    assert module(flow.ones(2), flow.tensor(True)).tolist() == [2.0, 2.0]
    assert module(flow.ones(2), flow.tensor(False)).tolist() == [0.0, 0.0]


def index_model() -> Any:
    """y = x as rows of a half of its size, whose number is computed of its shape."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Gather", ["shape", "zero"], ["n"]),
        helper.make_node("Div", ["n", "two"], ["half"]), helper.make_node("Unsqueeze", ["half", "axes"], ["rows"]),
        helper.make_node("Concat", ["rows", "rest"], ["sizes"], axis=0), helper.make_node("Reshape", ["x", "sizes"], ["y"]),
    ]  # fmt: skip
    numbers = {"zero": 0, "two": 2, "axes": [0], "rest": [-1]}
    constants = [(name, numpy.array(number, dtype=numpy.int64)) for name, number in numbers.items()]
    return model_of(nodes, [tensor_input("x", ["n"])], [tensor_input("y", [None, None])], constants)


def test_sizes_stay_symbolic(monkeypatch: pytest.MonkeyPatch) -> None:
    module, runs = flow.onnx.load(index_model()), []
    bind = type(module)._bind
    monkeypatch.setattr(type(module), "_bind", lambda self, *given: runs.append(1) or bind(self, *given))
    compiled = flow.compile(module, fullgraph=True, dynamic=True)
    for size in (4, 6, 10, 16, 18):
        assert compiled(flow.arange(size, dtype=flow.float32) + 0).tolist() == numpy.arange(size).reshape(size // 2, 2).tolist()
    assert len(runs) == 1, "captured once"


@pytest.mark.parametrize("a, b, quotient, remainder", [(7, 2, 3, 1), (-7, 2, -3, 1), (7, -2, -3, -1), (-7, -2, 3, -1)])
def test_integers_divide_as_onnx_says(a: int, b: int, quotient: int, remainder: int) -> None:
    """On the host and by kernels."""
    nodes = [helper.make_node("Div", ["a", "b"], ["q"]), helper.make_node("Mod", ["a", "b"], ["r"])]
    outputs = [tensor_input("q", [1], INT64), tensor_input("r", [1], INT64)]
    constants = [("a", numpy.array([a])), ("b", numpy.array([b]))]
    on_host = flow.onnx.load(model_of(nodes, [], outputs, constants))()
    inputs = [tensor_input("a", [1], INT64), tensor_input("b", [1], INT64)]
    by_kernels = flow.onnx.load(model_of(nodes, inputs, outputs))(flow.tensor([a]), flow.tensor([b]))
    for q, r in (on_host, by_kernels):
        assert (q.tolist(), r.tolist()) == ([quotient], [remainder])


def test_indices_out_of_range_raise() -> None:
    node = helper.make_node("GatherND", ["x", "i"], ["y"])
    module = flow.onnx.load(model_of([node], [tensor_input("x", [2, 3]), tensor_input("i", [1, 2], INT64)], [tensor_input("y", [1])]))
    x = flow.arange(6, dtype=flow.float32).reshape(2, 3)
    assert module(x, flow.tensor([[1, -1]])).tolist() == [5.0]
    with pytest.raises(IndexError, match="out of range"):
        module(x, flow.tensor([[0, 3]]))
