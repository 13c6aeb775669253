"""Memory goes back by reference counts alone: what autograd makes holds no reference cycle that only the collector frees.

`SITUATIONS` is the table. Each is a function of the library that makes a graph, uses it and drops it. It runs several times
without the collector: then as much memory is in use as before, and what the collector would find has no object of tritonflow.
"""

from __future__ import annotations

import gc
import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.autograd import forward_ad
from tritonflow.nn.utils import parametrizations
from tritonflow.utils.checkpoint import checkpoint

CALLS = 3
SITUATIONS: dict[str, Callable[[], Any]] = {}
ONLY_COLLECTED: dict[str, Callable[[], Any]] = {}
CAPTURES: dict[str, Callable[[], Any]] = {}


def situation(function: Callable[[], Any]) -> Callable[[], Any]:
    """An entry of the table."""
    SITUATIONS[function.__name__] = function
    return function


def in_torch_too(function: Callable[[], Any]) -> Callable[[], Any]:
    """A situation in which the program itself makes the cycle, in torch as here: the collector must find it."""
    ONLY_COLLECTED[function.__name__] = function
    return function


def capture(function: Callable[[], Any]) -> Callable[[], Any]:
    """A situation that captures: what the capture refers to goes with the collector at the latest."""
    CAPTURES[function.__name__] = function
    return function


def blocks_in_use() -> int:
    flow.sync()
    stats = flow.memory_stats()
    return int(stats["blocks"] - stats["free_blocks"])


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def garbage() -> list[str]:
    """The classes of this library of which the collector finds unreachable objects."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    names = {f"{type(x).__module__}.{type(x).__qualname__}" for x in gc.garbage}
    return sorted(name for name in names if name.startswith("tritonflow."))


def leaf(*shape: int) -> Any:
    return flow.ones(*shape or (2, 2), requires_grad=True)


# ------------------------------------------------------------------------------------------------------------ backward


@situation
def backward() -> None:
    x = leaf()
    y = flow.relu(x) @ x
    (y.softmax(1) * y[0]).sum().backward()


@situation
def a_graph_that_nobody_goes_back_through() -> None:
    x = leaf()
    (x.tanh() * x.exp()).sum()


@situation
def backward_twice() -> None:
    loss = (leaf() * 2).tanh().sum()
    loss.backward(retain_graph=True)
    loss.backward()


@situation
def a_gradient_with_a_history() -> None:
    """In torch the gradient refers to the leaf, which is a cycle; here an accumulator refers to its leaf weakly."""
    x = leaf()
    y = x.tanh()
    y.backward(flow.ones_like(y), create_graph=True)


@situation
def a_gradient_of_a_gradient() -> None:
    x = leaf()
    (first,) = flow.autograd.grad(x.tanh().sum(), x, create_graph=True)
    flow.autograd.grad(first.square().sum(), x, create_graph=True)


@situation
def retained_gradients() -> None:
    y = (leaf() * 2).tanh()
    y.retain_grad()
    y.sum().backward(create_graph=True)


@situation
def ops_of_many_kinds() -> None:
    x = leaf()
    y, index = flow.cat([x, x.tanh()]).topk(1)
    z = nn.functional.dropout(nn.functional.batch_norm(x, None, None, training=True))
    (y.sum() + z.sum() + x[x > 0].sum() + x[index[:1, 0]].sum() + x.sort().values.max()).backward()
    x.data = flow.zeros(2, 2)
    x.detach().requires_grad_().log_softmax(1).sum().backward()


@situation
def consistent_tensors() -> None:
    x = leaf()
    y = x.to_global(placement=flow.placement(where.device, [0]), sbp=flow.sbp.split(0))
    y = y.to_global(sbp=flow.sbp.broadcast)
    y[0].mul_(2)
    (y @ y).to_local().sum().backward()


@situation
def an_error_in_backward() -> None:
    x = leaf()
    y = x.exp()
    z = (y * y).sum()
    y.mul_(2)
    with pytest.raises(RuntimeError, match="inplace"):
        z.backward()


@situation
def anomaly_mode() -> None:
    with flow.autograd.detect_anomaly(check_nan=True):
        leaf().tanh().sum().backward()


# ------------------------------------------------------------------------------------------------- in place, and views


@situation
def a_write_of_a_view() -> None:
    y = leaf() * 1
    y[0].mul_(leaf(2))
    w = y[1]
    w.exp_()
    (w * y).sum().backward()


@situation
def views_of_itself() -> None:
    y = leaf() * 1
    v = y[0]
    y.t_()
    y.unsqueeze_(0)
    v.mul_(2)
    y.sum().backward()


@situation
def chunks() -> None:
    first, second = (leaf() * 1).chunk(2)
    first.mul_(2)
    (first * second).sum().backward()


@situation
def complex_numbers() -> None:
    z = flow.view_as_complex(leaf() * 1)
    z.mul_(2)
    (z * z.conj()).real.sum().backward()


# --------------------------------------------------------------------------------------------------- autograd.Function


class SavesInput(flow.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.shape = x.shape
        return x * x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * dy


class SavesOutput(flow.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y, other = x.exp(), x.detach().clone()
        ctx.save_for_backward(y, other)
        ctx.mark_non_differentiable(other)
        return y, other

    @staticmethod
    def backward(ctx: Any, dy: Any, _: Any) -> Any:
        return ctx.saved_tensors[0] * dy


class Dirty(flow.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.relu_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy * (ctx.saved_tensors[0] > 0)


class ByVmap(flow.autograd.Function):
    """Saves its input and its output; the rule of vmap is made of its methods."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Any) -> Any:
        return x.exp()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output, *inputs)
        ctx.save_for_forward(output, *inputs)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        y, x = ctx.saved_tensors
        return y * dy + 0 * x

    @staticmethod
    def jvp(ctx: Any, dx: Any) -> Any:
        y, x = ctx.saved_for_forward
        return y * dx + 0 * x


@situation
def a_function_that_saves_its_input() -> None:
    SavesInput.apply(leaf() * 1).sum().backward()


@situation
def a_function_that_saves_its_output() -> None:
    SavesOutput.apply(leaf() * 1)[0].sum().backward()


@situation
def a_function_without_backward() -> None:
    SavesInput.apply(leaf())
    SavesOutput.apply(leaf())
    ByVmap.apply(leaf())


@situation
def a_function_twice_differentiated() -> None:
    x = leaf()
    y = SavesOutput.apply(SavesInput.apply(x))[0]
    (first,) = flow.autograd.grad(y.sum(), x, create_graph=True)
    first.sum().backward()


@situation
def a_dirty_tensor() -> None:
    Dirty.apply(leaf() * 1)
    Dirty.apply(leaf() * 1).sum().backward()


@situation
def a_dirty_view() -> None:
    y = leaf() + 1
    Dirty.apply(y[0])
    z = leaf() + 1
    Dirty.apply(z[0])
    z.sum().backward(create_graph=True)


@situation
def a_function_that_calls_autograd() -> None:
    class Nested(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with flow.enable_grad():
                ctx.x = x.detach().requires_grad_()
                ctx.y = ctx.x.exp()
            return ctx.y.detach()

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return flow.autograd.grad(ctx.y, ctx.x, dy)[0]

    Nested.apply(leaf()).sum().backward()


@in_torch_too
def an_output_among_the_attributes() -> None:
    """torch's documentation tells to call save_for_backward instead."""

    class Stores(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.y = x.exp()
            return ctx.y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return ctx.y * dy

    Stores.apply(leaf())


# --------------------------------------------------------------------------------------------------------------- hooks


@situation
def hooks_on_tensors() -> None:
    x = leaf()
    y = (x * 2).tanh()
    x.register_hook(lambda g: None)
    y.register_hook(lambda g: g * 2)
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    y.grad_fn.register_prehook(lambda outputs: None)
    x.register_post_accumulate_grad_hook(lambda leaf: None)
    y.sum().backward(create_graph=True)


@situation
def hooks_on_several_gradients() -> None:
    for mode in ("all", "any"):
        x = leaf()
        y, z = x * 2, x.exp()
        flow.autograd.graph.register_multi_grad_hook([y, z], lambda grads: None, mode=mode)
        (y * z).sum().backward(retain_graph=True)
        y.sum().backward(create_graph=True)


@in_torch_too
def a_hook_that_refers_to_its_tensor() -> None:
    y = leaf() * 2
    y.register_hook(lambda g: g * y.detach())


def hooked(create_graph: bool, wanted: str) -> None:
    layer = nn.Linear(2, 2)
    seen: list[int] = []
    layer.register_full_backward_hook(lambda module, gi, go: seen.append(len(go)))
    layer.register_full_backward_pre_hook(lambda module, go: None)
    layer.register_forward_hook(lambda module, args, out: None)
    x = leaf()
    loss = layer(x).sin().sum()
    if wanted == "all":
        loss.backward(create_graph=create_graph)
        return
    targets = list(layer.parameters()) if wanted == "parameters" else [x]
    grads = flow.autograd.grad(loss, targets, create_graph=create_graph)
    if create_graph:
        sum(g.square().sum() for g in grads).backward()


for create_graph in (False, True):
    for wanted in ("all", "parameters", "input"):

        def hooks_of_a_module(create_graph: bool = create_graph, wanted: str = wanted) -> None:
            hooked(create_graph, wanted)

        # Recorded gradients refer to the module by its hooks, and the module to them by the `grad` of its parameters.
        table = ONLY_COLLECTED if create_graph and wanted == "all" else SITUATIONS
        table[f"hooks_of_a_module_{wanted}{'_recorded' * create_graph}"] = hooks_of_a_module


@situation
def hooks_on_saved_tensors() -> None:
    same = lambda t: t
    for pack, unpack in ((same, same), (lambda t: t.clone(), same), (lambda t: t.numpy().copy(), flow.tensor)):
        x = leaf()
        with flow.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = SavesOutput.apply((x * x).exp())[0]
        y.sum().backward(create_graph=True)


@situation
def saved_on_the_cpu() -> None:
    with flow.autograd.graph.save_on_cpu():
        y = leaf().exp()
    y.sum().backward(retain_graph=True)
    with flow.autograd.graph.allow_mutation_on_saved_tensors():
        leaf().exp().sum().backward()


# ---------------------------------------------------------------------------------------------------------- checkpoint


def checkpointed(reentrant: bool, how: str) -> None:
    layer = nn.Linear(2, 2)
    x = leaf()
    y = checkpoint(lambda x: layer(x).exp().tanh(), x, use_reentrant=reentrant).sum()
    if how == "grad":
        flow.autograd.grad(y, x, retain_graph=True)
    elif how == "recorded":
        (first,) = flow.autograd.grad(y, x, create_graph=True)
        first.sum().backward()
    elif how != "dropped":
        y.backward(retain_graph=how == "retained")


for reentrant in (False, True):
    for how in ("dropped", "backward", "retained", "recorded", "grad"):
        if not (reentrant and how in ("recorded", "grad")):

            def a_checkpoint(reentrant: bool = reentrant, how: str = how) -> None:
                checkpointed(reentrant, how)

            SITUATIONS[f"checkpoint_{how}{'_reentrant' * reentrant}"] = a_checkpoint


@situation
def a_checkpoint_in_a_checkpoint() -> None:
    def inner(x: Any) -> Any:
        return checkpoint(lambda x: x.exp().tanh(), x, use_reentrant=False)

    checkpoint(lambda x: inner(x.sin()), leaf(), use_reentrant=False).sum().backward(retain_graph=True)


@situation
def a_checkpoint_whose_function_fails_in_backward() -> None:
    calls: list[int] = []

    def function(x: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("second")
        return x.exp().tanh()

    y = checkpoint(function, leaf(), use_reentrant=False).sum()
    with pytest.raises(ValueError, match="second"):
        y.backward()


@situation
def casts_of_autocast() -> None:
    class Half(flow.autograd.Function):
        @staticmethod
        @flow.amp.custom_fwd(device_type="cpu")
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        @flow.amp.custom_bwd(device_type="cpu")
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * 2 + 0 * ctx.saved_tensors[0]

    x, weight = leaf(), leaf()
    with flow.autocast("cpu"):
        for reentrant in (False, True):
            y = checkpoint(lambda x: (x @ weight).exp(), x, use_reentrant=reentrant)
            Half.apply(y).sum().backward()


# ------------------------------------------------------------------------------------- forward mode, vmap, transforms


@situation
def duals() -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(leaf(), flow.ones(2, 2))
        forward_ad.unpack_dual(dual.tanh() * dual)
        forward_ad.unpack_dual(ByVmap.apply(dual))


@situation
def transforms() -> None:
    def function(x: Any) -> Any:
        return x.tanh().sum()

    x, y = leaf(3), flow.ones(3)
    for argument in (x, y):
        flow.func.grad(function)(argument)
        flow.func.vjp(lambda x: x.tanh(), argument)[1](y)
        flow.func.jvp(lambda x: x.tanh(), (argument,), (y,))
        flow.func.jacrev(lambda x: {"a": [x.tanh()]})(argument)
        flow.func.jacfwd(lambda x: x.tanh())(argument)
    flow.func.hessian(function)(y)
    flow.func.linearize(lambda x: x.tanh(), y)[1](y)


@situation
def vmap() -> None:
    x = leaf(3, 2)
    flow.func.vmap(lambda x: x.tanh() * x.sum())(x).sum().backward(create_graph=True)
    flow.func.vmap(flow.func.grad(lambda x: x.tanh().sum()))(flow.ones(3, 2))


@situation
def functions_in_vmap() -> None:
    x = leaf(3, 2)
    flow.func.vmap(ByVmap.apply)(x).sum().backward(create_graph=True)
    flow.func.vmap(lambda x: flow.func.grad(lambda x: ByVmap.apply(x).sum())(x))(flow.ones(3, 2))


@situation
def a_functional_call() -> None:
    layer = nn.Linear(2, 2)
    parameters = dict(layer.named_parameters())
    flow.func.grad(lambda p: flow.func.functional_call(layer, p, (flow.ones(1, 2),)).sum())(parameters)


@situation
def jacobians() -> None:
    flow.autograd.functional.jacobian(lambda x: x.tanh(), flow.ones(2))
    flow.autograd.functional.hessian(lambda x: x.tanh().sum(), flow.ones(2))
    flow.autograd.functional.jvp(lambda x: x.tanh(), flow.ones(2), flow.ones(2))


# ----------------------------------------------------------------------------------------------------- ops of one's own


@flow.library.custom_op("cycles::twice", mutates_args=())
def twice(x: flow.Tensor) -> flow.Tensor:
    return x * 2


def _setup(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(output, *inputs)


twice.register_autograd(lambda ctx, dy: dy * 2 + 0 * ctx.saved_tensors[0], setup_context=_setup)


@situation
def an_op_of_ones_own() -> None:
    twice(leaf() * 1).sum().backward(create_graph=True)
    flow.func.vmap(twice)(leaf(3, 2)).sum().backward()


# ------------------------------------------------------------------------------------------------- modules, and training


@situation
def parametrized_modules() -> None:
    for register in (parametrizations.weight_norm, parametrizations.spectral_norm, parametrizations.orthogonal):
        layer = register(nn.Linear(2, 2))
        layer(flow.ones(1, 2)).sum().backward()


@situation
def normed_and_pruned_modules() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layers = nn.utils.weight_norm(nn.Linear(2, 2)), nn.utils.spectral_norm(nn.Linear(2, 2)), nn.Linear(2, 2)
    nn.utils.prune.l1_unstructured(layers[2], "weight", 1)
    for layer in layers:
        layer(flow.ones(1, 2)).sum().backward()


@situation
def containers() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ModuleList([nn.ReLU()])[0], nn.LazyLinear(2))
    model(flow.ones(1, 2)).sum().backward()
    nn.LSTM(2, 2)(flow.ones(1, 1, 2))[0].sum().backward()


@situation
def hooks_of_state_dicts() -> None:
    layer = nn.Linear(2, 2)
    layer.register_load_state_dict_pre_hook(lambda module, *rest: None)
    layer.register_load_state_dict_post_hook(lambda module, keys: None)
    layer.register_state_dict_post_hook(lambda module, state, prefix, metadata: None)
    layer.load_state_dict(layer.state_dict())


@situation
def training() -> None:
    layer = nn.Linear(2, 2)
    optimizer = flow.optim.Adam(layer.parameters())
    optimizer.register_step_post_hook(lambda optimizer, args, kwargs: None)
    schedule = flow.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.5)
    scaler = flow.amp.GradScaler("cpu")
    with flow.autocast("cpu"):
        loss = layer(flow.ones(1, 2)).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    schedule.step()
    optimizer.zero_grad()


@situation
def closures_of_optimizers() -> None:
    x = leaf()
    optimizer = flow.optim.LBFGS([x], max_iter=2)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    optimizer.step(closure)


@situation
def averaged_models() -> None:
    layer = nn.Linear(2, 2)
    average = flow.optim.swa_utils.AveragedModel(layer)
    average.update_parameters(layer)


@situation
def data_parallelism() -> None:
    model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
    model(flow.ones(1, 2)).sum().backward()
    model(flow.ones(1, 2))


@situation
def gradcheck() -> None:
    x = flow.ones(2, dtype=flow.float64, requires_grad=True)
    assert flow.autograd.gradcheck(lambda x: x.tanh(), (x,))


@situation
def products_of_many() -> None:
    flow.linalg.multi_dot([leaf(), leaf(), leaf()]).sum().backward()
    flow.chain_matmul(leaf(), leaf(), leaf())


@situation
def files() -> None:
    file = io.BytesIO()
    flow.save(nn.Linear(2, 2).state_dict(), file)
    file.seek(0)
    flow.load(file)


# -------------------------------------------------------------------------------------------------------------- graphs


def program(x: Any) -> Any:
    return x.tanh() * x


def failing(x: Any) -> Any:
    """Its backward through the outer call fails: the inner one has released what it reads."""
    loss = (x * 2).square().sum()
    loss.backward()
    return loss


compiled_program, compiled_failing = flow.compile(program), flow.compile(failing)


@situation
def calls_of_a_compiled_function() -> None:
    compiled_program(leaf())
    compiled_program(leaf()).sum().backward()
    compiled_program(flow.ones(2, 2))


@situation
def a_compiled_backward_that_fails() -> None:
    y = compiled_failing(leaf())
    for _ in range(2):
        with pytest.raises(RuntimeError, match="released"):
            y.backward()


@capture
def a_compiled_function() -> None:
    compiled = flow.compile(program)
    compiled(leaf())
    compiled(leaf()).sum().backward()
    compiled(flow.ones(2, 2))


@capture
def a_compiled_module() -> None:
    compiled = flow.compile(nn.Linear(2, 2))
    compiled(flow.ones(1, 2))
    compiled(flow.ones(1, 2)).sum().backward()


@capture
def a_compiled_step() -> None:
    layer = nn.Linear(2, 2)
    optimizer = flow.optim.SGD(layer.parameters(), lr=0.1)

    @flow.compile
    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = layer(x).sum()
        loss.backward()
        optimizer.step()
        return loss

    step(flow.ones(1, 2))
    step(flow.ones(1, 2))


@capture
def a_tensor_that_compiled_calls_write() -> None:
    total, weight = flow.zeros(2), leaf(2)
    add = flow.compile(lambda x: [total.add_((x * weight).sum(0)), None][1])
    add(flow.ones(2, 2))
    add(flow.ones(2, 2))
    total.sum().backward()


@capture
def a_compiled_function_that_breaks() -> None:
    compiled = flow.compile(lambda x: x * 2 if x.sum() > 0 else x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled(leaf()).sum().backward()


@capture
def a_compiled_function_whose_backward_fails() -> None:
    with pytest.raises(RuntimeError, match="released"):
        flow.compile(failing)(leaf()).backward()


class Train(nn.Graph):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer
        self.add_optimizer(flow.optim.SGD(layer.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.layer(x).sum()
        loss.backward()
        return loss


@capture
def a_graph() -> None:
    graph = Train(nn.Linear(2, 2))
    graph(flow.ones(1, 2))
    graph(flow.ones(1, 2))


# --------------------------------------------------------------------------------------------------------------- tests


def left_behind(function: Callable[[], Any]) -> tuple[int, list[str]]:
    """(blocks that some calls leave in use, classes of what only the collector frees) of a function that has run before."""
    function()
    function()
    with without_collector():
        before = blocks_in_use()
        for _ in range(CALLS):
            function()
        return blocks_in_use() - before, garbage()


@pytest.mark.parametrize("name", SITUATIONS)
def test_nothing_is_left_to_the_collector(name: str) -> None:
    assert left_behind(SITUATIONS[name]) == (0, [])


@pytest.mark.parametrize("name", ONLY_COLLECTED)
def test_the_collector_finds_what_programs_tie(name: str) -> None:
    assert left_behind(ONLY_COLLECTED[name])[1]
    assert_collected(ONLY_COLLECTED[name])


@pytest.mark.parametrize("name", CAPTURES)
def test_the_collector_finds_what_captures_leave(name: str) -> None:
    CAPTURES[name]()
    assert_collected(CAPTURES[name])


def assert_collected(function: Callable[[], Any]) -> None:
    gc.collect()
    before = blocks_in_use()
    function()
    gc.collect()
    assert blocks_in_use() == before
