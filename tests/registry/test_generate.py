"""The generator: two edits make an op, the same registry gives the same text, and wrong registries are refused."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from math import prod
from pathlib import Path
from typing import Any

import pytest
import yaml

from tritonflow.binding.signature import SchemaError, snake
from tritonflow.registry.emit import binding, decompositions, derivatives, flops, functors, kernels, tables
from tritonflow.registry.expression import ExpressionError
from tritonflow.registry.generate import ROOT, generate, outputs, read_all, stale
from tritonflow.registry.project import Functor, Project
from tritonflow.registry.scalar_functions import ScalarFunction
from tritonflow.registry.schema import parse_entries

FUNCTIONS = {
    name: ScalarFunction(name, "arithmetic", tuple(parameters.split()))
    for name, parameters in {"exp": "x", "mul": "x y", "div": "x y", "negative": "x", "swish": "x beta"}.items()
}


FACTS = {"flops": "elements", "tolerance": "reduction", "sbp": {"broadcast": "a test"}}  # what an op with a planner says


def project(*entries: dict[str, Any], functors: tuple[str, ...] = ()) -> Project:
    """A project of these entries, which say nothing of what is the same in all."""
    return Project(parse_entries([*map(complete, entries)]), FUNCTIONS, dict.fromkeys(functors, Functor("family", "f")))


def complete(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with a text, why it has no derivative and the other facts of an op, where it does not say them."""
    op = entry.get("op", {})
    no_derivative = {} if not op or "derivative" in op else {"derivative": {"none": "this is a test"}}
    known = {"doc": "a test", "example": ">>> flow", **no_derivative, **(FACTS if "plan" in op else {})}
    return {**entry, **{key: value for key, value in known.items() if key not in entry}}


def unary(name: str = "myop", pointwise: str = "exp(x)", inplace: bool = True, **more: Any) -> dict[str, Any]:
    flag = ", Bool inplace=False" if inplace else ""
    op = {"inputs": ["x"], "outputs": ["y"], "pointwise": pointwise}
    return complete({"name": name, "signature": f"Tensor (Tensor x{flag}) => {name.title()}", "op": op, **more})


MUL = {
    "name": "mul",
    "signature": "Tensor (Tensor input, Tensor other) => Mul",
    "op": {"inputs": ["input", "other"], "pointwise": "input * other"},
}


# ---------------------------------------------------------------------------------------------- two edits


def test_a_pointwise_op_is_an_entry_and_a_scalar_function(tmp_path: Path) -> None:
    """As CONTRIBUTING.md promises: everything else follows."""
    folder = tmp_path / "kernels" / "functions"
    folder.mkdir(parents=True)
    (folder / "family.py").write_text("import triton\n\n@triton.jit\ndef cube(x):\n    return x * x * x\n")
    entry = unary("cube", "cube(x)", inplace=False, derivative={"x": "dy * 3 * x * x"}, methods=["cube"])
    (tmp_path / "op_registry.yaml").write_text(yaml.safe_dump({"unary": [entry]}))
    made = Project.read(tmp_path)
    texts = generate(made)
    assert set(texts) == set(outputs(made))
    for path, text in texts.items():
        if path.endswith(".py"):
            ast.parse(text)
    assert "'target': 'family.cube'" in texts["tritonflow/ops/registry.py"]
    assert "'saved': ('x',)" in texts["tritonflow/ops/registry.py"]
    assert "def cube_backward_x(dy, x):\n    return dy * 3 * x * x" in texts["kernels/functions/generated.py"]
    assert "def cube(x):\n    return dispatch1(_cube, x)" in texts["tritonflow/functions/generated.py"]
    assert "def cube_backward(node, dy):" in texts["tritonflow/_C/derivatives.py"]
    binding_text = texts["tritonflow/_C/functional/unary.py"]
    assert "from tritonflow.functions.generated import (cube as _cube)" in binding_text
    assert 'Binding("cube", "Tensor (Tensor x)", _cube, methods="cube")' in binding_text
    assert "def cube(x: Tensor, *, out: Tensor | None = None) -> Tensor: ..." in texts["tritonflow/_C/functional/unary.pyi"]
    assert "from tritonflow._C.functional.unary import *" in texts["tritonflow/_C/__init__.py"]
    assert "| `cube` |" in texts["docs/ops.md"]


@pytest.mark.long
def test_the_text_depends_on_the_registry_alone() -> None:
    first, second = generate(Project.read(ROOT)), generate(Project.read(ROOT))
    assert first == second


def test_stale_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("old")
    (tmp_path / "b.py").write_text("same")
    assert stale({"a.py": "new", "b.py": "same", "c.py": "missing"}, tmp_path) == ["a.py", "c.py"]


def test_files_of_families_that_are_no_more_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "tritonflow" / "_C" / "functional"
    folder.mkdir(parents=True)
    (folder / "gone.pyi").write_text("")
    assert stale({}, tmp_path) == ["tritonflow/_C/functional/gone.pyi"]


def test_every_wrong_entry_is_reported_and_the_rest_can_be_generated(tmp_path: Path) -> None:
    folder = tmp_path / "kernels" / "functions"
    folder.mkdir(parents=True)
    (folder / "family.py").write_text("import triton\n\n@triton.jit\ndef exp(x):\n    return x\n")
    good, bad, worse = unary("exp"), unary("bad", "expo(x)"), {"name": "worse", "signature": "?"}
    (tmp_path / "op_registry.yaml").write_text(yaml.safe_dump({"unary": [bad, good, worse]}, sort_keys=False))
    made, errors = read_all(tmp_path)
    assert [entry.name for entry in made.entries] == ["exp"]
    assert [error.split(":")[0] for error in sorted(errors)] == ["bad", "worse"]


def test_an_entry_that_calls_a_wrong_one_is_not_reported_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "kernels" / "functions"
    folder.mkdir(parents=True)
    (folder / "family.py").write_text("import triton\n\n@triton.jit\ndef exp(x):\n    return x\n")
    gradient = {"name": "myop_grad", "signature": "Tensor (Tensor dy) => MyopGrad", "bind_python": False}
    caller, good = unary("myop", "exp(x) + x", derivative={"x": "myop_grad(dy)"}), unary("exp")
    (tmp_path / "op_registry.yaml").write_text(yaml.safe_dump({"unary": [good, caller, gradient]}, sort_keys=False))
    made, errors = read_all(tmp_path)
    assert [entry.name for entry in made.entries] == ["exp"]
    assert errors == ["myop_grad: has no op: write it as a function, with @function, in tritonflow/functions"]


def test_the_tolerance_of_a_pointwise_op_is_that_of_its_scalar_function(tmp_path: Path) -> None:
    folder = tmp_path / "kernels" / "functions"
    folder.mkdir(parents=True)
    (folder / "near.py").write_text(
        "import triton\n\n@triton.jit\ndef _part(x):\n    return tl.exp(x)\n\n"
        "@triton.jit\ndef plain(x):\n    return tl.sqrt(x * x)\n"
    )
    (folder / "far.py").write_text("import triton\n\n@triton.jit\ndef series(x):\n    return inside(x) + 1\n")
    (folder / "middle.py").write_text(
        "import triton\n\n@triton.jit\ndef _part(x):\n    return x\n\n"
        "@triton.jit\ndef inside(x):\n    return tl.log(x)\n\n@triton.jit\ndef other(x):\n    return _part(x)\n"
    )
    expected = {
        "plain(x)": "pointwise",
        "x + x": "pointwise",
        "other(x)": "pointwise",
        "series(x)": "transcendental",
        "plain(x) + inside(x)": "transcendental",
    }
    entries = [unary(f"op{k}", pointwise) for k, pointwise in enumerate(expected)]
    said = [unary("said", "plain(x)", tolerance="norm")]
    (tmp_path / "op_registry.yaml").write_text(yaml.safe_dump({"unary": entries + said}))
    made = Project.read(tmp_path)
    assert [made.tolerance(op) for op in made.ops.values()] == [*expected.values(), "norm"]


def test_operations_are_counted_from_sizes_and_attributes() -> None:
    op = {"inputs": ["x", "w?", "rest*"], "attrs": ["dim", "count"], "outputs": ["y", "z"], "plan": "a.b"}
    signature = "TensorTuple (Tensor x, Tensor w, TensorTuple rest, Int32 dim, Int32 count) => Op"
    formulas = {
        "3 * elements": 3 * 20,
        "2 * z.numel * prod(x.shape[1:])": 2 * 7 * 5,
        "x.shape[-1] if dim else 0": 5,
        "numel(rest[:count])": 20 + 6,
        "min(max(x.numel, 9), 19)": 19,
    }
    made = project(*({"name": f"op{k}", "signature": signature, "op": op, "flops": f} for k, f in enumerate(formulas)), functors=("Op",))
    text = flops.emit(made)
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    meta = lambda *shape: type("Meta", (), {"shape": shape, "numel": prod(shape)})
    inputs = [meta(4, 5), None, meta(20), meta(2, 3), meta(1)]
    assert [count(inputs, [meta(1), meta(7)], (1, 2)) for count in namespace["FLOPS"].values()] == [*formulas.values()]


def test_generation_needs_neither_torch_nor_triton() -> None:
    program = (
        "import runpy, sys; sys.argv = ['generate', '--check']\n"
        "try: runpy.run_path(sys.path[0], run_name='__main__')\n"
        "except SystemExit: pass\n"
        "assert not {'torch', 'triton', 'numpy', 'tritonflow.framework'} & sys.modules.keys()"
    )
    path = str(ROOT / "tritonflow" / "registry" / "generate.py")
    program = program.replace("sys.path[0]", repr(path), 1)
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, cwd=ROOT)


# ---------------------------------------------------------------------------------------------- derivatives


def test_a_formula_of_one_operation_is_called_and_of_several_is_one_kernel() -> None:
    made = project(
        unary("exp", derivative={"x": "dy * y"}), unary("silu", "exp(x) * x", derivative={"x": "dy * y / y"})
    )
    text = derivatives.emit(made)
    assert "def exp_backward(node, dy):\n    y = node.saved(0)\n    return (dy * y,)" in text
    assert "dispatch2(_silu_backward_x, dy, y)" in text
    assert "dx = dy * y / y" in text
    generated = kernels.emit(made)
    assert "return div(dy * y, y)" in generated
    assert "exp_backward" not in generated


def test_only_what_a_formula_reads_is_saved() -> None:
    op = {"inputs": ["x", "w"], "outputs": ["y"], "attrs": ["dim"], "plan": "a.b"}
    entry = {
        "name": "myop",
        "signature": "Tensor (Tensor x, Tensor w, Int32 dim=0) => MyOp",
        "op": op,
        "derivative": {"x": "mul(dy, w)", "w": "mul(dy, y.shape)"},
    }
    made = project(entry, MUL)
    derivative = made.derivatives["myop"]
    assert (derivative.saved, derivative.saved_for) == (("w",), ((0,),))
    text = derivatives.emit(made)
    assert "node.out_metas[0].shape" in text
    assert "w = node.saved(0)\n        dx = _C.mul(dy, w)" in text
    assert "node.attrs" not in text
    assert "'saved': ('w',), 'saved_for': ((0,),)" in tables.emit(made)


def test_several_outputs_variadic_inputs_and_joint_formulas() -> None:
    topk = {
        "name": "topk",
        "signature": "TensorTuple[values, indices] (Tensor x, Int32 k) => TopK",
        "op": {
            "inputs": ["x"],
            "attrs": ["k"],
            "outputs": ["values", "indices"],
            "nondifferentiable": ["indices"],
            "plan": "sort.topk",
        },
        "derivative": {"x": "mul(dvalues, indices)"},
    }
    conv = {
        "name": "conv",
        "signature": "Tensor (Tensor x, Tensor w, Tensor b=None) => Conv",
        "op": {"inputs": ["x", "w", "b?"], "outputs": ["y"], "plan": "conv.forward"},
        "derivative": {"x, w": "mul(dy, needs(w))", "b": "dy"},
    }
    cat = {
        "name": "cat",
        "signature": "Tensor (TensorTuple xs, Int32 dim=0) => Cat",
        "op": {"inputs": ["xs*"], "attrs": ["dim"], "plan": "copy.cat"},
        "derivative": {"xs": "mul(dout, dim)"},
    }
    made = project(topk, conv, cat, MUL)
    text = derivatives.emit(made)
    assert (
        "if dvalues is None:\n        return (None,)\n    if dvalues is None:\n        dvalues = node.zeros(0)" in text
    )
    assert "if needs[0] or needs[1]:\n        dx, dw = _C.mul(dy, node.needs[1])" in text
    assert "return (*dxs,)" in text
    namespace: dict[str, Any] = {}
    body = text[text.index("def cat_backward") :]
    exec(body, {"_C": type("C", (), {"mul": staticmethod(lambda a, b: [a, b])})}, namespace)
    node = type("Node", (), {"attrs": (3,), "metas": (0, 0), "needs": (True, True)})
    assert namespace["cat_backward"](node, "g") == ("g", 3)
    default = functors.emit(made)
    assert "return dispatch(_cat, (*xs,), (dim,))" in default
    assert "return dispatch(_conv, (x, w, b))" in default


def test_the_data_of_a_variadic_input_is_a_list() -> None:
    get = {
        "name": "get",
        "signature": "Tensor (Tensor x, TensorTuple indices) => Get",
        "op": {"inputs": ["x", "indices*"], "plan": "index.get", "derivative": {"x": "get(dout, indices)"}},
    }
    assert "indices = node.saved_list(0)\n        dx = _C.get(dout, indices)" in derivatives.emit(project(get))


def test_an_inplace_form_gets_its_own_derivative_where_one_is_given() -> None:
    entry = unary(derivative={"x": "dy * exp(x)"}, inplace_derivative={"x": "dy * y"})
    text = derivatives.emit(project(entry, unary("exp")))
    assert "def myop_inplace_backward(node, dy):" in text
    assert "'inplace_saved': ('y',)" in tables.emit(project(entry, unary("exp")))


def parts(**formulas: str) -> dict[str, Any]:
    op = {"inputs": ["x", "w?"], "attrs": ["dim"], "outputs": ["y", "z"], "plan": "a.b", "decomposition": formulas}
    return {"name": "myop", "signature": "TensorTuple (Tensor x, Tensor w=None, Int32 dim=0) => MyOp", "op": op}


def test_a_decomposition_is_a_function_of_inputs_and_attributes() -> None:
    entry = parts(when="dim > 0", n="x.shape[dim]", **{"a, z": "mul(x, n)", "y": "a if w is None else mul(a, w)"})
    text = decompositions.emit(project(entry, MUL))
    assert "    x = inputs[0]\n    w = inputs[1]\n    dim = attrs[0]\n    if not (dim > 0):\n        return None\n" in text
    assert "    n = x.meta.shape[dim]\n    a, z = _C.mul(x, n)\n    y = a if w is None else _C.mul(a, w)\n    return (y, z)" in text
    assert "'composite': True" in tables.emit(project(entry, MUL))


@pytest.mark.parametrize(
    ("formulas", "text"),
    [
        ({"y": "x"}, "decomposition of myop: no formula for 'z'"),
        ({"y": "z", "z": "x"}, "unknown name 'z'"),
        ({"y": "x", "z": "sin(x)"}, "calls 'sin', which is no functional name"),
        ({"y": "x", "x": "y", "z": "x"}, "'x' has a meaning already"),
        ({"y": "x", "z": "needs(x)"}, "'needs' has a meaning already"),
    ],
)
def test_wrong_decompositions_are_refused(formulas: dict[str, str], text: str) -> None:
    with pytest.raises((SchemaError, ExpressionError), match=re.escape(text)):
        project(parts(**formulas))


def test_functions_with_an_autocast_rule_have_casting_functors() -> None:
    entry = {**unary(methods=["myop", "myop_"]), "autocast": "float32"}
    text = binding.emit(project(entry))
    assert text.count('autocast="float32"') == 2 and text.count("inplace=True)") == 2
    assert "return _myop(x, inplace)" in text
    assert "autocast" not in binding.emit(project(unary()))


def test_a_functor_has_one_autocast_rule() -> None:
    other = {"name": "other", "signature": "Tensor (Tensor x, Bool inplace=False) => Myop", "autocast": "lower"}
    with pytest.raises(SchemaError, match="functor Myop has another autocast rule elsewhere"):
        binding.emit(project(unary(), other))


# ---------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (unary(pointwise="expo(x)"), "myop: no scalar function 'expo' in kernels/functions"),
        (unary(pointwise="mul(x, exp(x, 1))"), "myop: exp(x) is called with 2 arguments"),
        (unary(pointwise="x.shape"), "myop: 'x.shape' is not pointwise"),
        (unary("exp", pointwise="exp(x) + 1"), "exp: a function 'exp' exists in kernels/functions/arithmetic.py"),
        (
            unary(derivative={"x": "dy * sin(x)"}),
            "derivative of myop: 'dy * sin(x)' calls 'sin', which is no functional name",
        ),
        (
            {**unary(methods=["myop_"]), "signature": "Bool (Tensor x) => Myop"},
            "myop: method myop_ needs a signature that begins with a Tensor and returns one",
        ),
        ({**unary(), "op": {"inputs": ["x"], "dynamic": ["a"], "plan": "a.b"}}, "the signature lacks a"),
        ({**unary(), "op": {"inputs": [], "plan": "a.b"}}, "the op does not know x"),
        ({"name": "myop", "signature": "Tensor (Tensor x) => MyOp"}, "myop: functor MyOp is in no file"),
        (unary(flops="x.nuiml"), "attribute 'nuiml' of 'x': only shape"),
        (unary(flops="2 * elemnts"), "unknown name 'elemnts'; the names are elements, x, y; did you mean 'elements'?"),
        (unary(flops="product(x.shape)"), "flops of myop: calls 'product', expected one of max, min, numel, prod; did you mean 'prod'?"),
        (unary(flops="2 * x"), "flops of myop: reads 'x', expected a size of it, such as x.numel or x.shape[-1]"),
        ({**unary(), "op": {"inputs": ["x?"], "plan": "a.b"}, "flops": "x.numel"}, "flops of myop: reads 'x', which may be absent"),
        (
            {
                **unary(),
                "op": {"inputs": ["x"], "plan": "a.b", "nondifferentiable": ["out"]},
                "derivative": {"x": "dout"},
            },
            "reads dout, but 'out' is not differentiable",
        ),
    ],
)
def test_wrong_registries_are_refused(entry: dict[str, Any], text: str) -> None:
    with pytest.raises((SchemaError, ExpressionError), match=re.escape(text)):
        made = project(entry)
        for emit in outputs(made).values():
            emit(made)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Relu", "relu"),
        ("ScalarAdd", "scalar_add"),
        ("MatMul", "mat_mul"),
        ("BCELoss", "bce_loss"),
        ("Conv2d", "conv2d"),
    ],
)
def test_functors_name_their_ops_in_snake_case(name: str, expected: str) -> None:
    assert snake(name) == expected
