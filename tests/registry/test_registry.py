"""The registry itself: every name in it leads somewhere, and what was generated from it is up to date."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from tritonflow.binding.signature import SchemaError
from tritonflow.registry.expression import ExpressionError
from tritonflow.registry.generate import ROOT, generate, read_all, stale
from tritonflow.registry.op_schema import TOLERANCE_CLASSES
from tritonflow.registry.project import Project
from tritonflow.registry.schema import load
from tritonflow.testing import TOLERANCES


@pytest.fixture(scope="module")
def project() -> Project:
    made, errors = read_all(ROOT)
    assert not errors
    return made


def test_what_is_generated_is_up_to_date(project: Project) -> None:
    assert not stale(generate(project))


def test_the_package_has_what_the_registry_says(project: Project) -> None:
    import tritonflow as flow
    from tritonflow import _C
    from tritonflow.framework.tensor import Tensor

    for entry in project.entries:
        assert callable(getattr(_C, entry.name))
        assert all(callable(getattr(Tensor, method)) for method in entry.methods)
    for package, module in (("flow", flow), ("nn.functional", flow.nn.functional)):
        exported = {e.name for e in project.entries if e.bind_python and package in e.export}
        assert exported and all(getattr(module, name) is getattr(_C, name) for name in exported)
        others = {e.name for e in project.entries} - exported
        assert not {name for name in others if getattr(module, name, None) is getattr(_C, name)}


def test_a_functor_lies_in_a_file_of_its_family(project: Project) -> None:
    """`<family>.py` or `<family>_<subject>.py`: one name in every room."""
    found = {(e.family, project.functor(s.functor).module) for e in project.entries for s in e.signatures}
    elsewhere = {(family, module) for family, module in found if not f"{module}_".startswith(f"{family}_")}
    assert {family for family, module in elsewhere if module != "generated"} == set()


def test_imports_stand_at_the_top_of_files() -> None:
    """An import inside a function may hide a circle; one that is there for another reason says so in a comment."""
    found = []
    rooms = ("registry", "binding", "functions", "rules", "members")
    for path in sorted(path for room in rooms for path in (ROOT / "tritonflow" / room).rglob("*.py")):
        lines = path.read_text().splitlines()
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                inside = [n for n in ast.walk(function) if isinstance(n, (ast.Import, ast.ImportFrom))]
                found += [f"{path.name}:{n.lineno}" for n in inside if "#" not in lines[n.lineno - 1]]
    assert not found


CUBE = """
unary:

- name: cube
  signature: "Tensor (Tensor x) => Cube"
  op: {inputs: [x], plan: thirds.plan}
  derivative: {x: dout}
  flops: 3 * elements
  tolerance: reduction
  sbp: {broadcast: a test}
"""
WRONG = {
    "sbp: elementwise": "cube: sbp 'elementwise': expected a rule of ops/sbp as file.function, a factor string such as",
    "sbp: {broadcast: }": "cube: sbp {'broadcast': None}: expected a rule of ops/sbp as file.function, a factor string such as",
    "sbp: reduce.sun": "cube: sbp 'reduce.sun': no function 'sun' in tritonflow/ops/sbp/reduce.py",
    "complex: same": "cube: complex 'same': expected a function of tritonflow/rules/complex as file.function",
    "complex: movement.sane": "cube: complex 'movement.sane': no 'sane' in tritonflow/rules/complex/movement.py",
    "batch: examples.loop": "cube: batch 'examples.loop': no 'loop' in tritonflow/rules/batch/examples.py",
    "split: rows.cube": "cube: split 'rows.cube': no 'cube' in tritonflow/rules/split/rows.py",
    "sbp: redoce.sum": "cube: sbp 'redoce.sum': no function 'sum' in tritonflow/ops/sbp/redoce.py",
    "tolerance: reductoin": "cube: tolerance 'reductoin': expected one of exact, pointwise, transcendental, reduction, norm, matmul;"
    " did you mean 'reduction'?",
    "flops: 3 * element": "cube: flops of cube: '3 * element': unknown name 'element'; the names are elements, out, x;"
    " did you mean 'elements'?",
    "derivative: {none: }": "cube: derivative {'none': None}: expected the reason why there is none, a text",
    "derivative: {y: dout}": "cube: derivative names 'y', expected one of x",
    "fusion: pointwize": "cube: fusion 'pointwize': expected one of any_layout, conv, conv_filter, matmul, none, padded_rows, pointwise, row_gradients, view, weight_gradient, "
    "rows.<function>, random.<function>; did you mean 'pointwise'?",
    "fusion: rows.row_sun": "cube: fusion 'rows.row_sun': no function 'row_sun' in kernels/functions/rows.py",
    "autocast: float23": "cube: autocast 'float23': expected one of lower, float32, float32_result, widest",
    "export: [flow, functional]": "cube: export 'functional': expected one of flow, nn.functional",
    "bind_python: flase": "cube: bind_python 'flase': expected true or false",
    "flavour: none": "cube: unknown key 'flavour'; the keys are ",
    "tolerence: norm": "cube: unknown key 'tolerence'; the keys are ",
    "name: cube": "line 4: the key 'name' occurs twice",
    "op: {}": "line 4: the key 'op' occurs twice",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of one op, whose planner is there."""
    files = {
        "kernels/functions/rows.py": "import triton\n\n@triton.jit\ndef row_sum(x):\n    return x\n",
        "tritonflow/ops/thirds.py": "def plan(): ...\n",
        "tritonflow/ops/sbp/thirds.py": "def rows(): ...\n",
        "op_registry.yaml": CUBE,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_the_checkout_is_right_without_a_mistake(checkout: Path) -> None:
    (checkout / "op_registry.yaml").write_text(CUBE + "  fusion: rows.row_sum\n")
    assert Project.read(checkout).ops["cube"].fusion == "rows.row_sum"


def test_a_rule_is_a_function_or_a_factor_string(checkout: Path) -> None:
    for rule in ("thirds.rows", "n -> n"):
        (checkout / "op_registry.yaml").write_text(CUBE.replace("{broadcast: a test}", f'"{rule}"'))
        assert Project.read(checkout).ops["cube"].sbp == rule


@pytest.mark.parametrize("line", WRONG)
def test_a_misspelt_word_stops_the_generator(checkout: Path, line: str) -> None:
    key = line.partition(":")[0]
    before = CUBE if key in ("name", "op") else re.sub(rf"  {key}: .*\n", "", CUBE)
    (checkout / "op_registry.yaml").write_text(f"{before}  {line}\n")
    with pytest.raises((SchemaError, ExpressionError)) as error:
        Project.read(checkout)
    assert str(error.value).startswith(WRONG[line])


OMITTED = {
    "flops": "cube: an op with 'plan' says its flops (an expression such as 5 * elements, or 0)",
    "tolerance": "cube: an op with 'plan' says its tolerance (exact, pointwise, transcendental, reduction, norm, matmul)",
    "sbp": "cube: an op with 'plan' says its sbp (a rule of ops/sbp as file.function, a factor string, or {broadcast: <why nothing else>})",
    "derivative": "cube: no derivative: give 'derivative' a formula for an input, or {none: <why there is none>}, or say"
    " 'nondifferentiable: [out]'",
}


@pytest.mark.parametrize("key", OMITTED)
def test_what_is_omitted_stops_the_generator(checkout: Path, key: str) -> None:
    (checkout / "op_registry.yaml").write_text(re.sub(rf"  {key}: .*\n", "", CUBE))
    with pytest.raises(SchemaError) as error:
        Project.read(checkout)
    assert str(error.value) == OMITTED[key]


def test_columns_are_those_of_a_variadic_input(checkout: Path) -> None:
    (checkout / "op_registry.yaml").write_text(CUBE.replace("inputs: [x]", "inputs: [x], attrs: [count], columns: [a, b]"))
    with pytest.raises(SchemaError, match="cube: columns are those of a variadic input"):
        Project.read(checkout)
    (checkout / "op_registry.yaml").write_text(CUBE.replace("[x]", '["x*"], attrs: [count], columns: [a, b], mut: [c]'))
    with pytest.raises(SchemaError, match="cube: mut names 'c', expected one of x, a, b"):
        Project.read(checkout)


def test_all_that_is_omitted_is_said_at_once(checkout: Path) -> None:
    (checkout / "op_registry.yaml").write_text(re.sub(r"  (flops|tolerance|sbp): .*\n", "", CUBE))
    with pytest.raises(SchemaError, match=r"says its flops \(.*\), its tolerance \(.*\), its sbp \(.*\)$"):
        Project.read(checkout)


def test_the_classes_of_tolerances_are_those_that_tests_compare_in() -> None:
    assert set(TOLERANCE_CLASSES) == set(TOLERANCES)


def test_the_registry_is_read_without_libyaml_as_well() -> None:
    text = (ROOT / "op_registry.yaml").read_text()
    assert yaml.load(text, yaml.SafeLoader) == yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def test_a_planner_that_is_not_there_stops_the_generator(checkout: Path) -> None:
    (checkout / "op_registry.yaml").write_text(CUBE.replace("thirds.plan", "thirds.plam"))
    with pytest.raises(SchemaError, match=r"cube: plan 'thirds\.plam': no function 'plam' in tritonflow/ops/thirds\.py"):
        Project.read(checkout)


@pytest.mark.parametrize("kind", ["plan", "sbp", "derivative", "inplace_derivative", "decomposition", "complex", "batch", "split"])
def test_every_rule_of_a_record_is_found(kind: str) -> None:
    from tritonflow.execution.op_expr import op_expr
    from tritonflow.ops.registry import OPS
    from tritonflow.ops.rule import find_rule

    names = {name: OPS[name].rule_name(kind) for name in OPS if kind != "plan" or OPS[name].kind in ("plan", "view")}
    named = {name: rule for name, rule in names.items() if "." in rule and "->" not in rule}
    assert named and all(op_expr(name).rule(kind) is find_rule(kind, rule) for name, rule in named.items())


def test_every_form_of_a_pointwise_op_is_some_ops_rule() -> None:
    from tritonflow.ops.registry import OPS
    from tritonflow.rules.complex import pointwise

    tree = ast.parse(Path(pointwise.__file__).read_text())
    forms = {f"pointwise.{node.targets[0].id}" for node in tree.body if isinstance(node, ast.Assign)}  # type: ignore[attr-defined]
    assert forms - {OPS[name].complex for name in OPS} == {"pointwise.sgn"}  # which a functor calls


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (CUBE.replace("unary:\n", ""), "expected families, each with a list of entries"),
        (CUBE.replace("unary:", "two words:"), "family 'two words': not a Python name"),
        (CUBE.replace("plan}", "plan"), "not YAML: "),
    ],
)
def test_what_is_no_registry_is_refused(checkout: Path, text: str, error: str) -> None:
    (checkout / "op_registry.yaml").write_text(text)
    with pytest.raises(SchemaError, match=error):
        load(checkout / "op_registry.yaml")


def test_the_registry_has_an_index_of_its_families_and_lines_that_can_be_read(project: Project) -> None:
    lines = (ROOT / "op_registry.yaml").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("# The families")) + 2
    index = [line.split()[1] for line in lines[start : start + len(project.families)]]
    assert index == project.families
    assert [i for i, line in enumerate(lines, 1) if len(line) > 150] == []
