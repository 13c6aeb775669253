"""flow.compile of functions that need values of tensors: such calls run in eager mode, once it has warned."""

from __future__ import annotations

import copy
import logging
import pickle
import warnings
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import CaptureError


class Clamps(flow.nn.Module):
    """Looks at its numbers while it trains, and counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = flow.nn.Linear(3, 3)
        self.calls = 0
        self.last: Any = None
        self.bound = flow.nn.Buffer(flow.ones(3))

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        self.calls += 1
        self.last = x * 2
        self.bound.add_(1)
        y = self.linear(x) * self.calls + flow.rand(2, 3)
        if self.training and not flow.isfinite(y).all().numpy():
            y = flow.zeros_like(y)
        return y * self.bound + self.last


def run(function: Any, count: int) -> list[list[float]]:
    flow.manual_seed(0)
    return [function(flow.ones(2, 3)).tolist() for _ in range(count)]


def test_what_lies_behind_a_refusal_ends() -> None:
    """Users and their tools follow causes: an error that is among its own has them never end."""
    with pytest.raises(CaptureError) as caught:
        flow.compile(lambda x: x + float(x.sum()), fullgraph=True)(flow.ones(3))
    each: BaseException | None = caught.value
    seen: list[int] = []
    while each is not None:
        assert id(each) not in seen
        seen.append(id(each))
        each = each.__cause__ or each.__context__


def test_numbers_and_states_are_eager_modes() -> None:
    flow.manual_seed(1)
    net = Clamps()
    twin = copy.deepcopy(net)
    compiled = flow.compile(net)
    with pytest.warns(UserWarning, match=r"Clamps is not compiled, but runs in eager mode: numpy\(\).*test_eager_fallback.py"):
        first = run(compiled, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert first + run(compiled, 2) == run(twin, 1) + run(twin, 2)
    assert net.calls == twin.calls == 3 and not net.last.is_lazy
    assert net.bound.tolist() == twin.bound.tolist()
    assert not compiled.captures()
    compiled(flow.ones(2, 3)).sum().backward()
    assert net.linear.weight.grad is not None


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_other_calls_are_compiled() -> None:
    net = Clamps()
    compiled = flow.compile(net)
    run(compiled, 1)
    net.eval()  # another kind of call: what was read before the line has changed
    net.calls = 0
    run(compiled, 1)
    assert len(compiled.captures()) == 1

    @flow.compile
    def sign(x: flow.Tensor) -> flow.Tensor:
        return x + 1 if x.shape[0] == 1 or x.sum().numpy() > 0 else x - 1

    assert [sign(flow.ones(n) * k).tolist() for n, k in ((1, 1), (2, 1), (2, -1))] == [[2.0], [2.0, 2.0], [-2.0, -2.0]]
    assert len(sign.captures()) == 1


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_sizes_that_are_tensors() -> None:
    def pads(x: flow.Tensor, width: flow.Tensor) -> flow.Tensor:
        return flow.nn.functional.pad(x, (width + 1, width * 0))

    assert flow.compile(pads)(flow.ones(2), flow.tensor(1)).tolist() == [0.0, 0.0, 1.0, 1.0]
    with pytest.raises(CaptureError, match=r"pad\(\) needs the value of a tensor"):
        flow.compile(pads, fullgraph=True)(flow.ones(2), flow.tensor(1))


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_hooks_and_lists_of_the_capture_are_taken_back() -> None:
    class Hooked(flow.nn.Linear):
        ready = False

        def forward(self, x: flow.Tensor) -> flow.Tensor:
            if not getattr(self, "sizes", None):
                self.sizes: list[int] = []
            if not self.ready:
                self.ready = True
                self.register_forward_hook(lambda module, args, y: y + 1)
            self.sizes.append(x.shape[0])
            assert x.isfinite().all()
            return super().forward(x) * 0

    net = Hooked(2, 2)
    compiled = flow.compile(net)
    assert [compiled(flow.ones(1, 2)).tolist() for _ in range(2)] == [[[0.0, 0.0]], [[1.0, 1.0]]]  # the hook is of the next call
    assert len(net._forward_hooks) == 1 and net.sizes == [1, 1]


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_seeds() -> None:
    @flow.compile
    def drawn(x: flow.Tensor) -> flow.Tensor:
        flow.manual_seed(3)
        return x + flow.rand(2)

    first = drawn(flow.ones(2))
    assert first.tolist() == drawn(flow.ones(2)).tolist()


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_shapes_that_depend_on_values() -> None:
    compiled = flow.compile(lambda x: x[x > 0])
    assert [compiled(flow.tensor(values)).tolist() for values in ([1.0, -1.0], [1.0, 2.0])] == [[1.0], [1.0, 2.0]]


def test_fullgraph_makes_it_an_error() -> None:
    for compiled in (flow.compile(Clamps(), fullgraph=True), flow.compile(fullgraph=True)(Clamps())):
        for each in (pickle.loads(pickle.dumps(compiled)), compiled):
            with pytest.raises(CaptureError, match="needs the value of a tensor"):
                each(flow.ones(2, 3))
    with pytest.raises(TypeError, match="'fullgraph' must be True or False, not int"):
        flow.compile(Clamps(), fullgraph=1)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_whole_steps_and_methods() -> None:
    flow.manual_seed(0)
    net = flow.nn.Linear(3, 1)
    twin = copy.deepcopy(net)

    def step_of(model: flow.nn.Module) -> Any:
        optimizer = flow.optim.AdamW(model.parameters(), lr=0.1)

        def step(x: flow.Tensor) -> flow.Tensor:
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            if loss.numpy() > 100:
                raise ValueError("diverged")
            return loss.detach()

        return step

    ours, theirs = flow.compile(step_of(net)), step_of(twin)
    x = flow.ones(2, 3)
    assert [ours(x).item() for _ in range(3)] == [theirs(x).item() for _ in range(3)]

    class Half:
        @flow.compile
        def of(self, x: flow.Tensor) -> float:
            return x.sum().numpy().item() / 2

    assert Half().of(flow.ones(4)) == 2.0


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_errors_of_the_program_are_its_own() -> None:
    @flow.compile
    def refuses(x: flow.Tensor) -> flow.Tensor:
        if x.sum().numpy() > 0:
            raise ValueError("positive")
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="positive"):
            refuses(flow.ones(2))
    assert refuses(flow.zeros(2)).tolist() == [0.0, 0.0]


class Narrows(flow.nn.Module):
    """Gives its layer another dtype, as some routers of experts do."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = flow.nn.Linear(3, 3).double()

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        self.linear = self.linear.to(flow.float32)
        return self.linear(x)


def test_a_module_that_converts_a_part_of_itself() -> None:
    net = Narrows()
    twin = copy.deepcopy(net)
    compiled, x = flow.compile(net), flow.ones(2, 3)
    with pytest.warns(UserWarning, match="`data` of a tensor from outside"):
        first = compiled(x)
    assert first.tolist() == compiled(x).tolist() == twin(x).tolist()
    first.sum().backward()
    assert net.linear.weight.grad.dtype is flow.float32
    again = flow.compile(net, fullgraph=True)
    assert again(x).tolist() == first.tolist()  # by now it has that dtype, and nothing changes


def test_warnings_are_shown_after_a_capture_of_a_function_that_warns() -> None:
    before = warnings.warn

    def f(x: Any) -> Any:
        warnings.warn("from inside", stacklevel=1)
        return x if x.sum().numpy() > 0 else -x

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        flow.compile(f)(flow.ones(2))
    assert warnings.warn is before
    assert ["from inside" in str(each.message) for each in seen] == [False, True]


def test_a_function_that_logs_is_a_program_at_once(caplog: Any) -> None:
    log = logging.getLogger("a logger that nobody has used")

    def f(x: Any) -> Any:
        log.debug("%s", x)
        log.warning("the sum is %s", x.sum())
        return x * 2

    compiled = flow.compile(f, fullgraph=True)
    compiled(flow.ones(2)), compiled(flow.ones(2) * 2)
    assert caplog.messages == [f"the sum is {flow.tensor(2.0)!s}", f"the sum is {flow.tensor(4.0)!s}"]


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_print_under_another_name_prints_in_each_call(capsys: Any) -> None:
    say = print

    def f(x: Any) -> Any:
        say("once more")
        return x * 2

    compiled = flow.compile(f)
    compiled(flow.ones(2)), compiled(flow.ones(2))
    assert capsys.readouterr().out == "once more\n" * 2


def test_an_error_of_the_function_is_named_with_its_line() -> None:
    table: dict[str, float] = {}
    f = flow.compile(lambda x: x * table["scale"])
    with pytest.warns(UserWarning, match=r"the function raises KeyError: 'scale', at .*test_eager_fallback.py:\d+, in <lambda>"):
        with pytest.raises(KeyError):
            f(flow.ones(1))
    table["scale"] = 2.0
    assert f(flow.ones(1)).tolist() == [2.0] and len(f.captures()) == 1
