"""`flow.jit`, `compiler`, `hub`, `library`, `random` and `version`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
import torch as real

import tritonflow as flow
from tritonflow.mock_torch.torch_modules import torch_module


def test_jit_changes_nothing() -> None:
    def f(x: flow.Tensor) -> flow.Tensor:
        return x + 1

    jit = flow.jit
    for same in (
        jit.script(f),
        jit.trace(f, (flow.ones(1),)),
        jit.ignore(f),
        jit.unused(f),
        jit.export(f),
        jit.ignore(drop=True)(f),
    ):
        assert same is f
    assert jit.isinstance([1], list[int]) and not jit.isinstance((1,), list[int])
    assert jit.wait(jit.fork(f, 1)) == 2 and jit.annotate(int, 3) == 3
    for refused in (jit.save, jit.load):
        with pytest.raises(NotImplementedError, match="TorchScript"):
            refused(f, "file")


def test_a_capture_is_seen() -> None:
    found = []

    @flow.compile
    def f(x: flow.Tensor) -> flow.Tensor:
        found.append(flow.compiler.is_compiling())
        return x + 1

    f(flow.ones(2))
    assert found == [True] and not flow.compiler.is_compiling()
    assert flow.compiler.disable(f) is f and flow.compiler.disable()(f) is f
    with pytest.raises(NotImplementedError):
        flow.compiler.set_stance("fail_on_recompile")


def test_fork_rng() -> None:
    flow.manual_seed(3)
    expected = flow.rand(2)
    flow.manual_seed(3)
    with pytest.raises(KeyError), flow.random.fork_rng(devices=[]):
        flow.rand(5)
        raise KeyError
    assert (flow.rand(2) == expected).all()
    flow.manual_seed(3)
    with flow.random.fork_rng(enabled=False):
        flow.rand(2)
    assert not (flow.rand(2) == expected).all()


def test_an_op_with_a_derivative() -> None:
    @flow.library.custom_op("mt_lib::cube", mutates_args=())
    def cube(x: flow.Tensor) -> flow.Tensor:
        return x * x * x

    @cube.register_fake
    def _(x: flow.Tensor) -> flow.Tensor:
        return flow.empty_like(x)

    cube.register_autograd(
        lambda ctx, dy: dy * ctx.saved_tensors[0] * 100,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )
    x = flow.tensor([2.0], requires_grad=True)
    y = torch_module("torch").ops.mt_lib.cube(x)
    y.backward()
    assert y.tolist() == [8.0] and x.grad.tolist() == [200.0]


def test_a_library_under_dispatch_keys() -> None:
    lib = flow.library.Library("mt_keys", "DEF")
    lib.define("scale(Tensor x, float k) -> Tensor")
    op = torch_module("torch").ops.mt_keys.scale
    with pytest.raises(RuntimeError, match="no function computes it"):
        op(flow.ones(1), 2.0)
    lib.impl("scale", lambda x, k: x * k, "CPU")
    lib.impl("scale", lambda x, k: op(x, k) + 1, "AutocastCPU")
    assert op(flow.ones(1), 2.0).tolist() == [2.0]
    with flow.autocast("cpu"):
        assert op(flow.ones(1), 2.0).tolist() == [3.0]
    with pytest.raises(RuntimeError, match="expected a name"):
        flow.library.define("no_namespace", "()")


def test_hub_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "mt_hub_part.py").write_text("import torch\nwidth = 3\n")
    (tmp_path / "hubconf.py").write_text(
        'dependencies = ["torch"]\nimport torch\nfrom mt_hub_part import width\n'
        'def net(out=1, **kw):\n    "A net."\n    return torch.nn.Linear(width, out)\ndef _hidden(): ...\n'
    )
    net = flow.hub.load(str(tmp_path), "net", 2, source="local")
    assert isinstance(net, flow.nn.Linear) and net.out_features == 2
    assert flow.hub.list(str(tmp_path), source="local") == ["net"]
    assert flow.hub.help(str(tmp_path), "net", source="local") == "A net."
    with pytest.raises(RuntimeError, match="Cannot find callable absent"):
        flow.hub.load(str(tmp_path), "absent", source="local")
    with pytest.raises(ValueError, match="Unknown source"):
        flow.hub.load(str(tmp_path), "net", source="elsewhere")
    with pytest.raises(ValueError, match="trust_repo"):
        flow.hub.load("nobody/nothing-at-all", "net")


def test_weights_from_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow.hub, "_chosen", None)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "home"))
    assert flow.hub.get_dir() == str(tmp_path / "home" / "hub")
    file = tmp_path / "w.pt"
    real.save({"w": real.arange(3.0)}, file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    good, bad = (file.rename(tmp_path / f"w-{digest[:8]}.pt"), tmp_path / "v-00000000.pt")
    bad.write_bytes(good.read_bytes())
    for _ in range(2):
        assert flow.hub.load_state_dict_from_url(good.as_uri(), check_hash=True)["w"].tolist() == [0, 1, 2]
    assert (tmp_path / "home" / "hub" / "checkpoints" / good.name).is_file()
    with pytest.raises(RuntimeError, match="invalid hash"):
        flow.hub.load_state_dict_from_url(bad.as_uri(), check_hash=True)
    assert [path.name for path in (tmp_path / "home" / "hub" / "checkpoints").iterdir()] == [good.name]


def test_version() -> None:
    assert flow.version.__version__ == flow.__version__ and flow.version.cuda == real.version.cuda


def test_a_derivative_of_an_op_that_is_called_by_keywords() -> None:
    @flow.library.custom_op("mt_lib::weighted", mutates_args=())
    def weighted(x: flow.Tensor, weight: float = 2.0, bias: float = 0.0) -> flow.Tensor:
        return x * weight + bias

    weighted.register_autograd(
        lambda ctx, dy: (dy * ctx.weight, None, None), setup_context=lambda ctx, inputs, output: setattr(ctx, "weight", inputs[1])
    )
    x = flow.tensor([2.0], requires_grad=True)
    for y, value, grad in ((weighted(x, bias=1.0), 5.0, 2.0), (weighted(bias=1.0, weight=3.0, x=x), 7.0, 3.0)):
        x.grad = None
        y.backward()
        assert y.tolist() == [value] and x.grad.tolist() == [grad]
    with pytest.raises(TypeError, match="scale"):
        weighted(x, scale=1.0)


@pytest.mark.parametrize("length", (1, 2, 5, 8))
@pytest.mark.parametrize("reverse", (False, True))
def test_associative_scan(length: int, reverse: bool) -> None:
    associative_scan = torch_module("torch._higher_order_ops.associative_scan").associative_scan

    def linear(left: list[Any], right: list[Any]) -> list[Any]:
        return [left[0] * right[0], right[0] * left[1] + right[1]]

    a, b = (real.arange(2.0 * length).reshape(2, length) % k / k + 0.5 for k in (3, 5))
    steps = range(length)[::-1] if reverse else range(length)
    expected, state = real.zeros(2, length), real.zeros(2)
    for step in steps:
        state = a[:, step] * state + b[:, step]
        expected[:, step] = state
    x = [flow.tensor(each.numpy(), requires_grad=True) for each in (a, b)]
    _, found = associative_scan(linear, x, dim=-1, reverse=reverse, combine_mode="generic")
    assert real.allclose(real.tensor(found.tolist()), expected)
    found.sum().backward()
    assert x[1].grad is not None


def test_operators_that_take_functions() -> None:
    for name in ("cond", "while_loop", "scan"):
        module = torch_module(f"torch._higher_order_ops.{name}")
        assert getattr(module, name) is getattr(torch_module("torch._higher_order_ops"), name) is getattr(flow, name)
    assert torch_module("torch").cond is flow.cond and torch_module("torch").while_loop is flow.while_loop
    associative_scan = torch_module("torch._higher_order_ops").associative_scan
    weights, x = flow.tensor(2.0), flow.tensor([1.0, 2.0])
    assert associative_scan(lambda a, b, w: a + b * w, x, 0, additional_inputs=(weights,)).tolist() == [1.0, 5.0]


@pytest.mark.long
def test_gradients_of_convolutions_as_functions() -> None:
    mine, x, w = torch_module("torch.nn.grad"), real.randn(2, 4, 6, 5), real.randn(6, 2, 3, 2)
    options = {"stride": (2, 1), "padding": 1, "groups": 2}
    dy = real.randn_like(real.nn.functional.conv2d(x, w, None, **options))
    ours = [flow.from_torch(t) for t in (x, w, dy)]
    for found, expected in (
        (mine.conv2d_weight(ours[0], w.shape, ours[2], **options), real.nn.grad.conv2d_weight(x, w.shape, dy, **options)),
        (mine.conv2d_input(x.shape, ours[1], ours[2], **options), real.nn.grad.conv2d_input(x.shape, w, dy, **options)),
    ):
        real.testing.assert_close(flow.to_torch(found), expected, rtol=1e-4, atol=1e-4)


def test_dtypes_of_elementwise_ops() -> None:
    from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND as kinds
    from torch._prims_common import elementwise_dtypes

    mine = torch_module("torch._prims_common")
    arguments = [("float16", "float32"), ("bfloat16", 2), ("int32", 1.5), ("bool", "bool"), ("int8", True), ("float64", "int64"), ("complex64", 1.0)]
    for names in arguments:
        theirs = [real.ones(2, dtype=getattr(real, n)) if isinstance(n, str) else n for n in names]
        ours = [flow.ones(2, dtype=getattr(flow, n)) if isinstance(n, str) else n for n in names]
        for kind in kinds:
            expected = elementwise_dtypes(*theirs, type_promotion_kind=kind)
            found = mine.elementwise_dtypes(*ours, type_promotion_kind=mine.ELEMENTWISE_TYPE_PROMOTION_KIND[kind.name])
            assert [t.name for t in found] == [str(t).removeprefix("torch.") for t in expected], (names, kind)
