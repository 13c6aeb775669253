"""FlopCounterMode and ModuleTracker, beside torch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.utils.module_tracker
from torch.utils import flop_counter as torch_flop_counter

import tritonflow as flow
from tritonflow.errors import CaptureError, MissingNameError
from tritonflow.testing import simulate

FlopCounterMode = flow.utils.flop_counter.FlopCounterMode


def counted(library: Any, make: Callable[[Any], Any], shapes: tuple[tuple[int, ...], ...], requires_grad: bool) -> Any:
    """What the library's counter gives for a forward and a backward of a function of tensors, by module and torch's name."""
    mode = torch_flop_counter.FlopCounterMode if library is torch else FlopCounterMode
    function = make(library)
    inputs = [library.randn(*shape).requires_grad_(requires_grad) for shape in shapes]
    with mode(display=False) as counter:
        result = function(*inputs)
        (result[0] if isinstance(result, tuple) else result).sum().backward()
    return {module: {str(op): n for op, n in counts.items()} for module, counts in counter.get_flop_counts().items()}


def nested(library: Any) -> Any:
    nn = library.nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Linear(8, 8)
            self.b = nn.Sequential(nn.ReLU(), nn.Linear(8, 8, bias=False))

        def forward(self, x: Any) -> Any:
            return self.b(self.a(x)) + x

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(3, 8, 3)
            self.blocks = nn.ModuleList([Block(), Block()])
            self.blocks.append(self.blocks[0])
            self.head = nn.Linear(8, 2)

        def forward(self, x: Any) -> Any:
            x = self.conv(x).mean((2, 3))
            for block in self.blocks:
                x = block(x)
            return self.head(x) @ library.ones(2, 3)

    return Net()


CASES: dict[str, tuple[Callable[[Any], Any], tuple[tuple[int, ...], ...]]] = {
    "linear": (lambda t: t.nn.Linear(8, 4), ((2, 8),)),
    "linear of sequences": (lambda t: t.nn.Linear(8, 4), ((2, 3, 8),)),
    "linear without bias": (lambda t: t.nn.Linear(8, 4, bias=False), ((2, 3, 8),)),
    "conv1d": (lambda t: t.nn.Conv1d(4, 6, 3), ((2, 4, 9),)),
    "conv2d": (lambda t: t.nn.Conv2d(4, 6, 3, stride=2, padding=1), ((2, 4, 9, 9),)),
    "conv2d of groups": (lambda t: t.nn.Conv2d(4, 6, 3, groups=2), ((2, 4, 9, 9),)),
    "depthwise": (lambda t: t.nn.Conv2d(4, 8, 3, groups=4), ((2, 4, 9, 9),)),
    "conv3d": (lambda t: t.nn.Conv3d(2, 3, 3), ((2, 2, 5, 5, 5),)),
    "transposed": (lambda t: t.nn.ConvTranspose2d(4, 6, 3, stride=2), ((2, 4, 9, 9),)),
    "transposed of groups": (lambda t: t.nn.ConvTranspose2d(4, 6, 3, groups=2), ((2, 4, 9, 9),)),
    "products of matrices": (lambda t: t.matmul, ((2, 3, 4), (4, 5))),
    "broadcast products": (lambda t: t.matmul, ((2, 1, 3, 4), (3, 4, 5))),
    "einsum": (lambda t: lambda x, y: t.einsum("bij,bkj->bik", x, y), ((2, 3, 4), (2, 5, 4))),
    "nested modules": (nested, ((2, 3, 6, 6),)),
}


@pytest.mark.parametrize("requires_grad", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_counts_are_torchs(name: str, requires_grad: bool) -> None:
    make, shapes = CASES[name]
    if name in ("products of matrices", "broadcast products", "einsum") and not requires_grad:
        with FlopCounterMode(display=False) as ours:
            make(flow)(*map(flow.ones, shapes))
        with torch_flop_counter.FlopCounterMode(display=False) as theirs:
            make(torch)(*map(torch.ones, shapes))
        assert ours.get_total_flops() == theirs.get_total_flops() > 0
    else:
        expected = counted(torch, make, shapes, requires_grad)
        assert expected["Global"] and counted(flow, make, shapes, requires_grad) == expected


def test_totals_of_sums_with_products() -> None:
    for make, shapes in (
        (lambda t: t.addmm, ((5,), (3, 4), (4, 5))),
        (lambda t: t.baddbmm, ((2, 3, 5), (2, 3, 4), (2, 4, 5))),
        (lambda t: t.nn.MultiheadAttention(8, 2, batch_first=True), ((2, 3, 8),) * 3),
    ):
        ours, theirs = (sum(counted(library, make, shapes, True)["Global"].values()) for library in (flow, torch))
        assert ours == theirs > 0


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("shapes", [((2, 4, 8, 16),) * 3, ((2, 4, 5, 16), (2, 4, 8, 16), (2, 4, 8, 24)), ((1, 2, 1, 8),) * 3])
def test_attention_counts_by_torchs_formula(shapes: Any, causal: bool) -> None:
    q, k, v = (flow.randn(*shape, requires_grad=True) for shape in shapes)
    with FlopCounterMode(display=False) as counter:
        out = flow.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal and shapes[0] == shapes[1])
        out.sum().backward()
    forward = torch_flop_counter.sdpa_flop_count(*shapes)
    backward = torch_flop_counter.sdpa_backward_flop_count(tuple(out.shape), *shapes)
    found = {op.removeprefix("aten._scaled_dot_product_"): n for op, n in counter.get_flop_counts()["Global"].items()}
    assert found == {"flash_attention": forward, "flash_attention_backward": backward}


def net() -> Any:
    return flow.nn.Sequential(flow.nn.Conv2d(3, 8, 3), flow.nn.ReLU(), flow.nn.Flatten(), flow.nn.Linear(128, 2))


def total_of(function: Callable[[], Any]) -> int:
    with FlopCounterMode(display=False) as counter:
        function()
    return counter.get_total_flops()


def test_compiled_functions_count_as_eager_ones() -> None:
    model = net()
    expected = {n: total_of(lambda n=n: model(flow.ones(n, 3, 6, 6)).sum().backward()) for n in (2, 3, 5)}
    assert expected[2] == 13824 * 2 + 1024 * 3

    def step(x: Any) -> None:
        model(x).sum().backward()

    for compiled in (flow.compile(step), flow.compile(step, dynamic=True)):
        for n in (2, 2, 3, 5, 2):
            assert total_of(lambda n=n, f=compiled: f(flow.ones(n, 3, 6, 6))) == expected[n]
    forward = flow.compile(model)
    for n in (2, 3):
        assert total_of(lambda n=n: forward(flow.ones(n, 3, 6, 6)).sum().backward()) == expected[n]
    assert forward(flow.ones(2, 3, 6, 6)).shape == (2, 2)


def test_a_capture_inside_ends_no_counter() -> None:
    model = net()
    x = flow.ones(2, 3, 6, 6)
    with FlopCounterMode(display=False) as counter:
        flow.compile(model)(x)
        once = counter.get_total_flops()
        model(x)
    assert counter.get_total_flops() == 2 * once > 0


def test_counters_in_counters() -> None:
    x = flow.ones(4, 4)
    with FlopCounterMode(display=False) as outer:
        x @ x
        with FlopCounterMode(display=False) as inner:
            x @ x
    x @ x
    assert (outer.get_total_flops(), inner.get_total_flops()) == (256, 128)
    with outer:  # it begins anew
        x @ x
    assert outer.get_total_flops() == 128


def test_what_checkpoints_compute_again_counts_again() -> None:
    linear, conv = flow.nn.Linear(4, 4), flow.nn.Conv2d(2, 2, 1)
    x = flow.ones(2, 4, requires_grad=True)
    image = flow.ones(1, 2, 4, 4, requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        flow.utils.checkpoint.checkpoint(linear, x, use_reentrant=False).sum().backward()
        flow.utils.checkpoint.checkpoint(conv, image, use_reentrant=False).sum().backward()
    counts = counter.get_flop_counts()["Global"]
    assert counts == {"aten.addmm": 128, "aten.mm": 128, "aten.convolution": 256, "aten.convolution_backward": 256}


def test_without_data() -> None:
    model = net().to("meta")
    assert total_of(lambda: model(flow.ones(2, 3, 6, 6, device="meta"))) == 13824 + 1024


def test_the_table_is_torchs(capsys: Any) -> None:
    model, x = net(), flow.ones(2, 3, 6, 6)
    with FlopCounterMode(depth=1) as counter:
        model(x)
        flow.ones(4, 4) @ flow.ones(4, 4)
    assert capsys.readouterr().out.splitlines() == [
        "Module                   FLOP    % Total",
        "--------------------  -------  ---------",
        "Global                14.976K    100.00%",
        " - aten.convolution   13.824K     92.31%",
        " - aten.addmm          1.024K      6.84%",
        " - aten.mm             0.128K      0.85%",
        " Sequential           14.848K     99.15%",
        "  - aten.convolution  13.824K     92.31%",
        "  - aten.addmm         1.024K      6.84%",
    ]
    assert "  Sequential.0 " in counter.get_table(depth=2)
    with FlopCounterMode():
        flow.ones(4)
    assert capsys.readouterr().out.splitlines()[-1] == "Global         0         0%"


def test_formulas_of_ones_own() -> None:
    @flow.library.custom_op("counted::product", mutates_args=())
    def product(x: flow.Tensor, y: flow.Tensor, times: int) -> flow.Tensor:
        return x @ y * times

    product.register_fake(lambda x, y, times: flow.empty(x.shape[0], y.shape[1], device=x.device))
    x, y = flow.ones(2, 3), flow.ones(3, 4)
    assert total_of(lambda: product(x, y, 5)) == 48  # its own ops

    def formula(a: Any, b: Any, times: int, out_shape: Any = None) -> int:
        assert (tuple(a), tuple(b), tuple(out_shape)) == ((2, 3), (3, 4), (2, 4))
        return 1000 * times

    for inputs in ((x, y), (x.to("meta"), y.to("meta"))):
        with FlopCounterMode(display=False, custom_mapping={product: formula}) as counter:
            product(*inputs, 5)
        assert counter.get_flop_counts() == {"Global": {product: 5000}}
    flow.utils.flop_counter.register_flop_formula(product, get_raw=True)(lambda a, b, times, out_val: int(out_val.sum()))
    try:
        assert total_of(lambda: product(x, y, 5)) == 120
        with pytest.raises(RuntimeError, match="duplicate registrations for counted.product"):
            flow.utils.flop_counter.register_flop_formula([product])(formula)
    finally:
        del flow.utils.flop_counter.flop_registry[product]


@pytest.mark.parametrize("make", [lambda t: t.nn.Linear(8, 4), lambda t: lambda x: t.bmm(x, t.ones(2, 8, 5))])
def test_formulas_of_products_get_torchs_arguments(make: Any) -> None:
    seen: dict[Any, list[Any]] = {}
    for library, mode, ops in (
        (torch, torch_flop_counter.FlopCounterMode, [torch.ops.aten.mm, torch.ops.aten.addmm, torch.ops.aten.bmm]),
        (flow, FlopCounterMode, ["aten.mm", "aten.addmm", "aten.bmm"]),
    ):
        found: list[Any] = []

        def formula(*shapes: Any, out_shape: Any = None, found: Any = found, **_: Any) -> int:
            found.append([tuple(shape) for shape in (*shapes, out_shape)])
            return 7

        x = library.ones(2, 3, 8)
        with mode(display=False, custom_mapping=dict.fromkeys(ops, formula)) as counter:
            make(library)(x)
        assert counter.get_total_flops() == 7
        seen[library] = found
    assert seen[flow] == seen[torch]


def test_bad_calls() -> None:
    with pytest.raises(TypeError, match="formula of aten.mm cannot be called: int"):
        FlopCounterMode(custom_mapping={"aten.mm": 3})
    with pytest.raises(ValueError, match="no formula can be given for 'aten.add'"):
        FlopCounterMode(custom_mapping={"aten.add": lambda: 0})
    with pytest.raises(ValueError, match="expected each target to be an op of flow.library, got function"):
        flow.utils.flop_counter.register_flop_formula(lambda: 0)(lambda: 0)

    def captured(x: Any) -> Any:
        with FlopCounterMode(display=False):
            return x @ x

    with pytest.raises(CaptureError, match="FlopCounterMode is entered in a captured program"):
        flow.compile(captured, fullgraph=True)(flow.ones(2, 2))


def test_an_error_inside_ends_the_counting() -> None:
    from tritonflow.thread_state import slow_path, thread_state

    before = slow_path.count, thread_state.observer
    counter = FlopCounterMode(display=False)
    with pytest.raises(RuntimeError), counter:
        net()(flow.ones(2, 3, 6, 7))
    assert (slow_path.count, thread_state.observer) == before
    assert counter.mod_tracker.parents == {"Global"}


def test_ranks_count_what_they_compute() -> None:
    def program() -> dict[str, int]:
        everywhere = flow.placement("cpu", [0, 1])
        x = flow.ones(6, 8, placement=everywhere, sbp=flow.sbp.split(0))
        weight = flow.ones(4, 8, placement=everywhere, sbp=flow.sbp.broadcast, requires_grad=True)
        with FlopCounterMode(display=False) as counter:
            flow.nn.functional.linear(x, weight).sum().backward()
        return counter.get_flop_counts()["Global"]

    assert simulate(2)(program)() == [{"aten.mm": 2 * 2 * 3 * 4 * 8}] * 2


def test_an_op_of_ones_own_over_ranks_counts_once() -> None:
    @flow.library.custom_op("counted::scaled", mutates_args=())
    def scaled(x: flow.Tensor) -> flow.Tensor:
        return x @ flow.ones(8, 8, device=x.device)

    scaled.register_sbp("m n -> m n")

    def program() -> dict[str, int]:
        x = flow.ones(6, 8, placement=flow.placement("cpu", [0, 1]), sbp=flow.sbp.split(0))
        with FlopCounterMode(display=False) as counter:
            scaled(x)
        return counter.get_flop_counts()["Global"]

    assert simulate(2)(program)() == [{"aten.mm": 2 * 3 * 8 * 8}] * 2


def test_torchs_names_under_mock_torch() -> None:
    with flow.mock_torch.enable():
        import torch as mocked
        from torch.utils.flop_counter import FlopCounterMode as Mocked
        from torch.utils.module_tracker import ModuleTracker
    assert Mocked is FlopCounterMode and ModuleTracker is flow.utils.module_tracker.ModuleTracker
    mm = mocked.ops.aten.mm
    with Mocked(display=False, custom_mapping={mm.default: lambda a, b, out_shape: 9}) as counter:
        mocked.ones(2, 3) @ mocked.ones(3, 4)
    assert counter.get_flop_counts()["Global"][mm] == 9 and str(mm) == "aten.mm"
    with pytest.raises(MissingNameError, match="torch.ops.aten.mm"):
        mm(mocked.ones(2, 3), mocked.ones(3, 4))


def test_tracked_modules_are_torchs() -> None:
    seen: dict[Any, list[Any]] = {torch: [], flow: []}
    for library, tracker in ((torch, torch.utils.module_tracker.ModuleTracker()), (flow, flow.utils.module_tracker.ModuleTracker())):
        model = nested(library)

        def note(*_: Any, tracker: Any = tracker, found: list[Any] = seen[library]) -> None:
            found.append((sorted(tracker.parents), tracker.is_bw))

        for module in (model.conv, model.blocks[0].b[1], model.blocks[1]):
            module.register_forward_hook(note)
            module.weight.register_hook(note) if hasattr(module, "weight") else None
        x = library.ones(2, 3, 6, 6)
        with tracker:
            model(x).sum().backward()
            note()
            with library.no_grad():
                model(x)
        note()
    assert seen[flow] == seen[torch] and len(seen[flow]) > 8


def test_modules_of_gradients_that_are_asked_for() -> None:
    """A backward by `grad` leaves no module behind."""
    model = flow.nn.Sequential(flow.nn.Linear(4, 4))
    with flow.utils.module_tracker.ModuleTracker() as tracker:
        flow.autograd.grad(model(flow.ones(1, 4)).sum(), model[0].weight)
        assert tracker.parents == {"Global"}
        with pytest.raises(RuntimeError):
            model(flow.ones(1, 5))
        assert tracker.parents == {"Global"}
