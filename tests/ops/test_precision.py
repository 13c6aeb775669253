"""The precision policy: what it changes, who finds out, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tritonflow as flow
from tests.device.fake_cuda import A100, H100
from tests.kernels.compile_sweep import GPU, sweep
from tritonflow.device.provider import facts_of, get_provider
from tritonflow.execution import eager_local
from tritonflow.execution.op_expr import op_expr
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.plan import schedule_cache
from tritonflow.ops import precision as policies
from tritonflow.ops.precision import change, fixed, policy, precision
from tritonflow.settings import settings

pytestmark = pytest.mark.tf32
F = flow.nn.functional
matmul, cudnn = flow.backends.cuda.matmul, flow.backends.cudnn


@pytest.fixture(autouse=True)
def default() -> Iterator[None]:
    before = policy()
    yield
    change(**before._asdict())


def test_defaults_are_torchs() -> None:
    assert flow.get_float32_matmul_precision() == "highest"
    assert (matmul.allow_tf32, cudnn.allow_tf32) == (False, True)
    assert (matmul.fp32_precision, cudnn.conv.fp32_precision) == ("tf32x3", "tf32")


@pytest.mark.parametrize(("level", "allowed"), [("high", True), ("medium", True), ("highest", False)])
def test_levels_allow_tf32(level: str, allowed: bool) -> None:
    matmul.allow_tf32 = not allowed
    flow.set_float32_matmul_precision(level)
    assert flow.get_float32_matmul_precision() == level and matmul.allow_tf32 is allowed
    assert cudnn.allow_tf32, "of matrix products alone"


def test_what_takes_tf32_back_leaves_float32_as_it_is() -> None:
    matmul.fp32_precision = "ieee"
    matmul.allow_tf32 = False
    flow.set_float32_matmul_precision("highest")
    assert matmul.fp32_precision == "ieee"
    matmul.allow_tf32 = True
    assert flow.get_float32_matmul_precision() == "high"
    matmul.allow_tf32 = False
    assert matmul.fp32_precision == "tf32x3"


def _set(owner: Any, name: str, value: Any) -> Callable[[], None]:
    return lambda: setattr(owner, name, value)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: flow.set_float32_matmul_precision(1), RuntimeError, "set_float32_matmul_precision expects a str, but got int"),
        (lambda: flow.set_float32_matmul_precision("low"), ValueError, r"expected one of \('highest', .*but got 'low'"),
        (_set(matmul, "allow_tf32", 1), RuntimeError, "allow_tf32 of matmul expects a bool, but got int"),
        (_set(cudnn, "allow_tf32", "yes"), RuntimeError, "allow_tf32 of conv expects a bool, but got str"),
        (_set(matmul, "fp32_precision", "bf16"), RuntimeError, "fp32_precision of matmul: expected one of .* but got 'bf16'"),
        (_set(matmul, "allow_tf16", True), AttributeError, "allow_tf16"),
    ],
)
def test_what_is_refused_changes_nothing(call: Callable[[], None], error: type[Exception], words: str) -> None:
    before = policy()
    with pytest.raises(error, match=words):
        call()
    assert policy() is before


def test_precision_of_devices() -> None:
    cpu = facts_of(flow.device("cpu"))
    for facts, expected in ((H100, "tf32x3"), (A100, "tf32x3"), (H100._replace(capability=89), "ieee"), (cpu, "ieee")):
        assert precision(facts, flow.float32, "matmul") == expected
    for facts, expected in ((H100, "tf32"), (H100._replace(capability=86), "tf32"), (H100._replace(capability=75), "ieee")):
        assert precision(facts, flow.float32, "conv") == expected
    assert all(precision(H100, dtype, "conv") == "ieee" for dtype in (flow.float64, flow.bfloat16, flow.int32))


def test_the_next_call_follows() -> None:
    """Eager calls with the same shapes, and convolutions with their gradients."""

    def used() -> tuple[str, str]:
        found.launches.clear()
        x @ x
        F.linear(x, x)
        products = {launch.request.constexprs["PRECISION"] for launch in found.launches}
        found.launches.clear()
        F.conv2d(image, window).sum().backward()
        flow.sync()
        convs = {c["PRECISION"] for c in (launch.request.constexprs for launch in found.launches) if "PRECISION" in c}
        (product,), (conv,) = products, convs
        return product, conv

    with sweep() as found:
        x = flow.empty(64, 64, device=GPU)
        image = flow.empty(2, 16, 8, 8, device=GPU, requires_grad=True)
        window = flow.empty(16, 16, 3, 3, device=GPU, requires_grad=True)
        assert used() == ("tf32x3", "tf32")
        flow.set_float32_matmul_precision("high")
        cudnn.allow_tf32 = False
        assert used() == ("tf32", "tf32x3")
        matmul.fp32_precision = cudnn.conv.fp32_precision = "ieee"
        assert used() == ("ieee", "ieee")


def test_a_compiled_function_is_captured_for_each_policy() -> None:
    double = flow.compile(lambda x: x @ x)
    x = flow.eye(4)
    double(x)
    matmul.allow_tf32 = True
    double(x)
    matmul.allow_tf32 = False
    assert double(x).tolist() == x.tolist() and len(double.captures()) == 2


def test_schedules_on_disk_are_of_a_policy() -> None:
    with Capture() as capture:
        x = capture.input(flow.ones(4, 4).meta)
        graph = capture.finish([x @ x])
    provider, keys = get_provider(flow.device("cpu")), set()
    for value in ("tf32x3", "tf32", "ieee"):
        matmul.fp32_precision = value
        with settings.override(keep_plans=True):
            keys.add(schedule_cache._key(graph, provider, [], False, None))
    assert len(keys) == 3 and None not in keys


def test_a_plan_that_was_being_made_is_not_found_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread changes the policy while a planner works by the old one."""
    real = eager_local.prepared_plan

    def prepared(*args: Any) -> Any:
        plan = real(*args)
        matmul.allow_tf32 = True
        return plan

    x, y = flow.ones(3, 5), flow.ones(5, 3)
    op_expr("matmul").clear_plans()
    with monkeypatch.context() as patch:
        patch.setattr(eager_local, "prepared_plan", prepared)
        x @ y
    assert op_expr("matmul").plan_count == 0
    x @ y
    assert op_expr("matmul").plan_count == 1


def test_a_thread_plans_by_the_policy_of_its_capture() -> None:
    wanted = policies.Policy("tf32", "ieee")
    with fixed(wanted):
        matmul.fp32_precision = "ieee"
        assert policy() is wanted and precision(H100, flow.float32, "matmul") == "tf32"
    assert policy().matmul == "ieee"


def test_the_environment_sets_the_first_policy() -> None:
    program = "import tritonflow as flow; print(flow.backends.cuda.matmul.fp32_precision, flow.backends.cudnn.allow_tf32)"
    variables = {"TRITONFLOW_MATMUL_PRECISION": "ieee", "TRITONFLOW_CONV_PRECISION": "tf32x3"}
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ieee", "False"]
