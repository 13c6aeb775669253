"""nn.Module: attributes, containers, buffers, parameters, modes, state dicts, lazy and replaced parts."""

from __future__ import annotations

import copy
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, other, row, situation

nn = flow.nn


class Scaled(nn.Module):
    """A layer times a number."""

    def __init__(self, scale: Any = 2.0) -> None:
        super().__init__()
        self.layer = linear()
        self.scale = scale

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        return self.layer(x) * self.scale


def stack(*layers: Any) -> nn.Sequential:
    return nn.Sequential(*(layers or (linear(3, 4), nn.ReLU(), linear(4, 2))))


@situation("test_modules")
def a_module_is_compiled(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(net)
    return f(grid()), f(grid() * 2), f.scale, f.training, len(list(f.parameters()))


@situation("test_modules")
def a_module_is_called_inside(wrap: Wrap) -> Any:
    net = stack()
    f = wrap(lambda x: net(x).sum())
    return f(grid()), f(grid() * 2)


@situation("test_modules")
def a_module_is_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda net, x: net(x) + 1)
    one, two = linear(), linear(3, 2)
    return f(one, grid()), f(two, grid()), f(one, grid())


@situation("test_modules")
def a_module_with_other_arguments(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def forward(self, x, *more, scale=1.0, **rest):
            return x * scale + sum(more) + rest.get("shift", 0)

    f = wrap(Net())
    return f(row()), f(row(), other(), scale=2.0), f(row(), shift=3)


@situation("test_modules")
def a_number_of_a_module_changes(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(net)
    results = [f(grid())]
    net.scale = 3.0
    results.append(f(grid()))
    net.scale = flow.tensor(4.0)
    return [*results, f(grid())]


@situation("test_modules")
def a_module_counts_its_calls(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            return x * self.calls

    net = Net()
    f = wrap(net)
    return f(row()), f(row()), f(row()), net.calls


@situation("test_modules")
def a_module_makes_something_at_its_first_call(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.mask = None

        def forward(self, x):
            if self.mask is None:
                self.mask = flow.ones(x.shape[-1]) * 2
            return x * self.mask

    net = Net()
    f = wrap(net)
    results = [f(row()), f(other())]
    net.mask = None
    return [*results, f(row()), net]


@situation("test_modules")
def a_hidden_state_that_is_an_attribute(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.h = flow.zeros(3)

        def forward(self, x):
            self.h = self.h * 0.5 + x
            return self.h + 1

    net = Net()
    f = wrap(net)
    return f(row()), f(row()), f(row()), net.h


@situation("test_modules")
def a_buffer_is_written(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", flow.zeros(3))
            self.register_buffer("steps", flow.zeros((), dtype=flow.int64))

        def forward(self, x):
            self.mean.mul_(0.9).add_(x * 0.1)
            self.steps += 1
            return x - self.mean

    net = Net()
    f = wrap(net)
    return f(row()), f(other()), net


@situation("test_modules")
def a_buffer_is_set_anew(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", flow.zeros(3))

        def forward(self, x):
            self.mean = self.mean * 0.5 + x
            return x - self.mean

    net = Net()
    f = wrap(net)
    return f(row()), f(row()), net, f(other()), net.mean


@situation("test_modules")
def batch_norm_in_both_modes(wrap: Wrap) -> Any:
    net = nn.BatchNorm1d(3)
    f = wrap(net)
    results = [f(grid()), f(grid() * 2)]
    net.eval()
    return [*results, f(grid()), net]


@situation("test_modules")
def train_and_eval(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def forward(self, x):
            return x * 2 if self.training else x * 3

    net = Net()
    f = wrap(net)
    results = [f(row())]
    net.eval()
    results.append(f(row()))
    f.train()
    return [*results, f(row()), net.training]


@situation("test_modules")
def dropout_draws_eager_modes_numbers(wrap: Wrap) -> Any:
    net = nn.Dropout(0.5)
    f = wrap(net)
    flow.manual_seed(3)
    results = [f(flow.ones(8)), f(flow.ones(8))]
    net.eval()
    results.append(f(flow.ones(8)))
    net.train()
    net.p = 0.0
    return [*results, f(flow.ones(8))]


@situation("test_modules")
def module_lists(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([linear(), linear()])

        def forward(self, x):
            for k, layer in enumerate(self.layers):
                x = layer(x) * (k + 1)
            return x + len(self.layers), self.layers[-1](x), [type(each).__name__ for each in self.layers[:1]]

    net = Net()
    f = wrap(net)
    first = f(grid())
    net.layers.append(linear())
    second = f(grid())
    del net.layers[0]
    return first, second, f(grid())


@situation("test_modules")
def module_dicts(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleDict({"a": linear(), "b": nn.ReLU()})

        def forward(self, x):
            for name, layer in self.layers.items():
                x = layer(x) * len(name)
            return self.layers["a"](x) if "a" in self.layers else x, list(self.layers.keys())

    net = Net()
    f = wrap(net)
    first = f(grid())
    net.layers["cc"] = linear()
    return first, f(grid())


@situation("test_modules")
def parameter_lists_and_dicts(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scales = nn.ParameterList([row(), other()])
            self.shifts = nn.ParameterDict({"a": row()})

        def forward(self, x):
            for scale in self.scales:
                x = x * scale
            return x + self.shifts["a"] * len(self.scales)

    net = Net()
    f = wrap(net)
    first = f(row())
    net.shifts["a"] = nn.Parameter(other())
    return first, f(row())


@situation("test_modules")
def parts_of_a_sequential(wrap: Wrap) -> Any:
    net = stack()
    f = wrap(lambda x: net[1:](net[:1](x)) + len(net))
    first = f(grid())
    net[1] = nn.Sigmoid()
    return first, f(grid())


@situation("test_modules")
def a_layer_is_replaced(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(net)
    first = f(grid())
    net.layer = linear(3, 2)
    return first, f(grid())


@situation("test_modules")
def a_layer_that_may_be_none(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = None

        def forward(self, x):
            return self.norm(x) if self.norm is not None else x * 2

    net = Net()
    f = wrap(net)
    first = f(grid())
    net.norm = linear()
    second = f(grid())
    net.norm = None
    return first, second, f(grid())


@situation("test_modules")
def the_truth_of_module_containers(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList()
            self.relu = nn.ReLU()

        def forward(self, x):
            x = x + 1 if self.layers else x - 1
            return x * 2 if self.relu else x

    net = Net()
    f = wrap(net)
    first = f(row())
    net.layers.append(nn.ReLU())
    return first, f(row())


@situation("test_modules")
def a_parameter_is_replaced(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(net)
    results = [f(grid())]
    net.layer.weight = nn.Parameter(flow.ones(3, 3))
    results.append(f(grid()))
    net.layer.bias = None
    return [*results, f(grid())]


@situation("test_modules")
def the_data_of_a_parameter_is_replaced(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    results = [f(grid())]
    net.weight.data = flow.ones(3, 3)
    results.append(f(grid()))
    net.weight.data.mul_(2)
    return [*results, f(grid())]


@situation("test_modules")
def a_parameter_is_frozen(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    f(grid()).sum().backward()
    net.weight.requires_grad_(False)
    net.zero_grad()
    y = f(grid())
    y.sum().backward()
    return y, net.weight.grad, net.bias.grad, net.weight.requires_grad


@situation("test_modules")
def a_state_dict_is_loaded(wrap: Wrap) -> Any:
    net, source = stack(), stack()
    with flow.no_grad():
        source[0].weight.mul_(3)
    f = wrap(net)
    results = [f(grid())]
    net.load_state_dict(source.state_dict())
    results.append(f(grid()))
    net.load_state_dict(source.state_dict(), assign=True)
    return [*results, f(grid()), list(f.state_dict()) if hasattr(f, "state_dict") else None]


@situation("test_modules")
def the_dtype_of_a_module_changes(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    first = f(grid())
    net.double()
    second = f(grid().double())
    net.float()
    return first, second, f(grid())


@situation("test_modules")
def a_shared_layer(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = self.b = linear()
            self.tied = linear()
            self.tied.weight = self.a.weight

        def forward(self, x):
            return self.tied(self.b(self.a(x)))

    net = Net()
    y = wrap(net)(grid())
    y.sum().backward()
    return y, net.a.weight.grad


@situation("test_modules")
def named_parts(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = stack()
            self.register_buffer("shift", row()[:2].clone())

        def forward(self, x):
            y = self.body(x)
            for name, p in self.named_parameters():
                y = y + p.sum() * len(name)
            for _, b in self.named_buffers():
                y = y + b
            return y, [n for n, _ in self.named_children()], [n for n, _ in self.named_modules()]

    return wrap(Net())(grid())


@situation("test_modules")
def forward_is_called_by_name(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: net.forward(x) + nn.Linear.forward(net, x) + net.__call__(x))
    return f(grid())


@situation("test_modules")
def super_forward(wrap: Wrap) -> Any:
    class Base(nn.Module):
        def forward(self, x):
            return x * 2

    class Sub(Base):
        def forward(self, x):
            return super().forward(x) + super().forward(x * 3)

    return wrap(Sub())(row())


@situation("test_modules")
def a_subclass_of_a_layer(wrap: Wrap) -> Any:
    class Normed(nn.Linear):
        def forward(self, x):
            return super().forward(x) * self.weight.sum()

    net = Normed(3, 3)
    with flow.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(1.0)
    return wrap(net)(grid())


@situation("test_modules")
def the_forward_of_an_object_is_replaced(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(lambda x: net(x))
    first = f(grid())
    net.forward = lambda x: x * 9
    second = f(grid())
    del net.forward
    return first, second, f(grid())


@situation("test_modules")
def the_forward_of_a_class_is_replaced(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def forward(self, x):
            return x * 2

    net = Net()
    f = wrap(net)
    first = f(row())
    Net.forward = lambda self, x: x * 3
    return first, f(row())


@situation("test_modules")
def another_method_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = linear()

        def encode(self, x):
            return self.layer(x)

    net = Net()
    f = wrap(net.encode)
    first = f(grid())
    with flow.no_grad():
        net.layer.bias.add_(1)
    return first, f(grid())


@situation("test_modules")
def a_property_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = linear()
            self.k = 2

        @property
        def scale(self):
            return self.layer.bias.sum() * self.k

        def forward(self, x):
            return x * self.scale

    net = Net()
    f = wrap(net)
    first = f(row())
    net.k = 3
    return first, f(row())


@situation("test_modules")
def getattr_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Scaled()

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(self.inner, name)

        def forward(self, x):
            return self.layer(x) * self.scale

    net = Net()
    f = wrap(net)
    first = f(grid())
    net.inner.scale = 5.0
    return first, f(grid())


@situation("test_modules")
def getattr_by_a_name_that_is_made(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            for k in range(2):
                setattr(self, f"layer{k}", linear())

        def forward(self, x):
            for k in range(2):
                x = getattr(self, f"layer{k}")(x)
            return x * hasattr(self, "layer1")

    net = Net()
    f = wrap(net)
    first = f(grid())
    net.layer1 = nn.Identity()
    return first, f(grid())


@situation("test_modules")
def a_lazy_module(wrap: Wrap) -> Any:
    net = nn.LazyLinear(2)
    f = wrap(net)
    y = f(grid())
    return tuple(net.weight.shape), type(net).__name__, tuple(y.shape), (y - net(grid())).abs().sum()


@situation("test_modules")
def a_lazy_module_inside(wrap: Wrap) -> Any:
    net = nn.Sequential(nn.LazyLinear(4), nn.ReLU())
    f = wrap(lambda x: net(x))
    y = f(grid())
    return tuple(net[0].weight.shape), (y - net(grid())).abs().sum(), tuple(f(grid()).shape)


@situation("test_modules")
def a_module_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        net = nn.ReLU()
        return net(x) + nn.Flatten(0)(x).sum()

    return f(other()), f(row())


@situation("test_modules")
def a_module_with_parameters_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        net = nn.Linear(3, 2)
        nn.init.ones_(net.weight)
        nn.init.zeros_(net.bias)
        return net(x)

    return f(grid())


@situation("test_modules")
def a_parameter_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        w = nn.Parameter(x * 2)
        return (w * x).sum(), isinstance(w, nn.Parameter)

    return f(row())


@situation("test_modules")
def a_module_in_a_list_and_in_a_dict(wrap: Wrap) -> Any:
    layers, table = [linear(), nn.ReLU()], {"last": linear()}

    @wrap
    def f(x):
        for layer in layers:
            x = layer(x)
        return table["last"](x)

    first = f(grid())
    layers.append(linear())
    with flow.no_grad():
        table["last"].weight.mul_(2)
    return first, f(grid())


@situation("test_modules")
def a_module_in_an_object(wrap: Wrap) -> Any:
    class Trainer:
        def __init__(self):
            self.net = Scaled()

        def run(self, x):
            return self.net(x) + 1

    trainer = Trainer()
    f = wrap(trainer.run)
    results = [f(grid())]
    trainer.net.scale = 3.0
    results.append(f(grid()))
    trainer.net = linear()
    return [*results, f(grid())]


@situation("test_modules")
def a_module_that_holds_itself(wrap: Wrap) -> Any:
    class Child(nn.Module):
        def __init__(self, parent):
            super().__init__()
            self.parent = [parent]

        def forward(self, x):
            return x * self.parent[0].scale

    class Parent(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = 2.0
            self.child = Child(self)

        def forward(self, x):
            return self.child(x)

    net = Parent()
    f = wrap(net)
    first = f(row())
    net.scale = 3.0
    return first, f(row())


@situation("test_modules")
def lists_and_dicts_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scales = [1.0, 2.0]
            self.table = {"shift": 3.0}
            self.cache = {}

        def forward(self, x):
            self.cache[x.shape[0]] = x
            return x * self.scales[1] + self.table["shift"] + len(self.cache)

    net = Net()
    f = wrap(net)
    first = f(row())
    net.scales[1] = 5.0
    net.table["shift"] = 1.0
    return first, f(row()), f(flow.ones(2)), net.cache


@situation("test_modules")
def a_branch_on_a_tensor_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("on", flow.tensor(True))

        def forward(self, x):
            return x * 2 if self.on else x * 3

    net = Net()
    f = wrap(net)
    first = f(row())
    net.on.fill_(False)
    return first, f(row())


@situation("test_modules")
def an_attribute_that_is_no_module_part(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.function = flow.relu
            self.kind = flow.float32
            self.window = (1, 2)
            self.tensor = other()

        def forward(self, x):
            return self.function(x).to(self.kind) * self.window[1] + self.tensor

    net = Net()
    f = wrap(net)
    results = [f(other())]
    net.function = flow.sin
    results.append(f(other()))
    net.kind = flow.float64
    results.append(f(other()))
    net.tensor = row()
    return [*results, f(other())]


@situation("test_modules")
def a_class_attribute_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        scale = 2.0

        def forward(self, x):
            return x * self.scale

    net = Net()
    f = wrap(net)
    first = f(row())
    Net.scale = 3.0
    return first, f(row())


@situation("test_modules")
def a_module_subclass_of_sequential(wrap: Wrap) -> Any:
    class Residual(nn.Sequential):
        def forward(self, x):
            return x + super().forward(x)

    return wrap(Residual(linear(), nn.ReLU()))(grid())


@situation("test_modules")
def a_module_is_deep_copied_and_both_are_used(wrap: Wrap) -> Any:
    net = Scaled()
    f = wrap(net)
    first = f(grid())
    twin = copy.deepcopy(net)
    with flow.no_grad():
        twin.layer.weight.mul_(2)
    g = wrap(twin)
    return first, f(grid()), g(grid())


@situation("test_modules")
def a_module_with_a_state_object(wrap: Wrap) -> Any:
    class Cache:
        def __init__(self):
            self.keys, self.seen = None, 0

        def update(self, x):
            self.keys = x if self.keys is None else flow.cat([self.keys, x])
            self.seen += x.shape[0]
            return self.keys

    class Net(nn.Module):
        def forward(self, x, cache):
            return cache.update(x).sum(0) * cache.seen

    f, cache = wrap(Net()), Cache()
    return f(grid(), cache), f(grid(), cache), cache


@situation("test_modules")
def recurrent_layers(wrap: Wrap) -> Any:
    flow.manual_seed(0)
    net = nn.GRU(3, 2)
    f = wrap(lambda x, h: net(x, h))
    y, h = f(flow.ones(2, 1, 3), flow.zeros(1, 1, 2))
    return y, h, f(flow.ones(2, 1, 3), h)


@situation("test_modules")
def an_embedding_and_a_loss(wrap: Wrap) -> Any:
    net = nn.Embedding(4, 3)
    with flow.no_grad():
        net.weight.copy_(flow.arange(12.0).reshape(4, 3))
    f = wrap(lambda ids, target: nn.functional.cross_entropy(net(ids), target))
    loss = f(flow.tensor([0, 3]), flow.tensor([1, 2]))
    loss.backward()
    return loss, net.weight.grad


@situation("test_modules")
def loss_modules_with_options(wrap: Wrap) -> Any:
    f = wrap(lambda x, y, reduction: nn.MSELoss(reduction=reduction)(x, y))
    return [f(row(), other(), reduction) for reduction in ("mean", "sum", "none")]


@situation("test_modules")
def a_functional_call(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda parameters, x: flow.func.functional_call(net, parameters, (x,)))
    parameters = {k: v.detach() * 2 for k, v in net.named_parameters()}
    return f(parameters, grid()), net(grid())


@situation("test_modules")
def a_parametrization(wrap: Wrap) -> Any:
    class Symmetric(nn.Module):
        def forward(self, w):
            return w + w.t()

    net = linear()
    f = wrap(net)
    first = f(grid())
    nn.utils.parametrize.register_parametrization(net, "weight", Symmetric())
    second = f(grid())
    nn.utils.parametrize.remove_parametrizations(net, "weight")
    return first, second, f(grid())


@situation("test_modules")
def an_error_in_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def forward(self, x):
            return x * self.missing

    return error_of(wrap(Net()), row()), error_of(wrap(linear()), flow.ones(2, 2))[0]


@situation("test_modules")
def gradients_through_a_compiled_module(wrap: Wrap) -> Any:
    net = stack()
    f = wrap(net)
    x = grid().requires_grad_()
    for _ in range(2):
        f(x).sum().backward()
    return x.grad, {name: p.grad for name, p in net.named_parameters()}


@situation("test_modules")
def zero_grad_inside(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x):
        net.zero_grad()
        loss = net(x).sum()
        loss.backward()
        return loss

    return f(grid()), net.weight.grad, f(grid() * 2), net.weight.grad


@situation("test_modules")
def requires_grad_of_a_module_inside(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x):
        net.requires_grad_(False)
        y = net(x)
        net.requires_grad_(True)
        return y, net(x)

    return f(grid()), net.weight.requires_grad


@situation("test_modules")
def checkpointed_parts(wrap: Wrap) -> Any:
    net = stack()
    f = wrap(lambda x: flow.utils.checkpoint.checkpoint(net, x, use_reentrant=False).sum())
    x = grid().requires_grad_()
    loss = f(x)
    loss.backward()
    return loss, x.grad, net[0].weight.grad


@situation("test_modules")
def an_exponential_average_of_weights(wrap: Wrap) -> Any:
    net, shadow = linear(), linear()

    @wrap
    def update():
        with flow.no_grad():
            for a, b in zip(shadow.parameters(), net.parameters()):
                a.mul_(0.5).add_(b, alpha=0.5)

    with flow.no_grad():
        net.weight.add_(8)
    update()
    update()
    return shadow


@situation("test_modules")
def apply_and_modules_inside(wrap: Wrap) -> Any:
    net = stack()

    @wrap
    def f(x):
        layers = [m for m in net.modules() if isinstance(m, nn.Linear)]
        return x * len(layers) + sum(m.bias.sum() for m in layers)

    first = f(row())
    net.append(linear(2, 2))
    return first, f(row())


@situation("test_modules")
def a_module_changes_its_mode_inside(wrap: Wrap) -> Any:
    net = nn.Dropout(0.5)

    @wrap
    def f(x):
        kept = net.training
        net.eval()
        y = net(x)
        net.train(kept)
        return y

    return f(row()), net.training, f(leaf())


@situation("test_repros")
def a_layer_reads_a_cache_of_tensors_by_length(wrap: Wrap) -> Any:
    class Rotary(nn.Module):
        def __init__(self):
            super().__init__()
            self.longest = 0
            self.table = None

        def forward(self, x):
            if x.shape[0] > self.longest:
                self.longest = x.shape[0]
                self.table = flow.arange(float(self.longest))
            return x * self.table[: x.shape[0]]

    net = Rotary()
    f = wrap(net)
    return f(flow.ones(2)), f(flow.ones(3)), f(flow.ones(2)), net


@situation("test_repros")
def a_module_that_is_compiled_in_place(wrap: Wrap) -> Any:
    net = Scaled()
    net.layer.forward = wrap(net.layer.forward)
    first = net(grid())
    net.scale = 3.0
    return first, net(grid())


@situation("test_modules")
def an_attribute_is_the_result(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def forward(self, x):
            self.encoding = x + 1
            return self.encoding

    net = Net()
    f = wrap(net)
    first = f(row())
    same = net.encoding is first
    second = f(other())
    return first, same, second, net.encoding is second


@situation("test_modules")
def an_attribute_is_set_to_itself(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = other()

        def forward(self, x):
            self.table = self.table.to(x)
            return self.table + x

    net = Net()
    f = wrap(net)
    return f(row()), f(row().double()), net.table


@situation("test_modules")
def a_mode_is_set_as_an_attribute(wrap: Wrap) -> Any:
    net = nn.Sequential(nn.Dropout(0.5))

    @wrap
    def f(x):
        net[0].training = False
        net[0].note = True
        return net(x)

    return f(row()), net[0].training, net[0].note, f(other())


@situation("test_modules")
def a_module_in_a_default_argument(wrap: Wrap) -> Any:
    layer = linear()
    f = wrap(lambda x, net=layer: net(x))
    first = f(grid())
    with flow.no_grad():
        layer.bias.add_(1)
    return first, f(grid()), f(grid(), nn.ReLU())


@situation("test_modules")
def dunder_dict_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.k = 2

        def forward(self, x):
            self.__dict__["seen"] = 10
            return x * self.__dict__["k"] * self.seen if "k" in self.__dict__ else x

    net = Net()
    f = wrap(net)
    first = f(row())
    net.k = 3
    return first, f(row()), net.seen


@situation("test_modules")
def a_module_in_a_tuple_that_is_returned(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: (net(x), net))
    y, same = f(grid())
    return y, same is net


@situation("test_modules")
def a_module_whose_call_is_overridden(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __call__(self, x):
            return super().__call__(x) + 1

        def forward(self, x):
            return x * 2

    return wrap(Net())(row())


@situation("test_modules")
def custom_setattr_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "scale":
                super().__setattr__("doubled", value * 2)

        def forward(self, x):
            self.scale = x.shape[0]
            return x * self.doubled

    net = Net()
    f = wrap(net)
    return f(row()), f(flow.ones(2)), net.doubled


@situation("test_modules")
def a_layer_twice_in_a_sequential(wrap: Wrap) -> Any:
    layer = linear()
    net = nn.Sequential(layer, nn.ReLU(), layer)
    f = wrap(net)
    f(grid()).sum().backward()
    return f(grid()), layer.weight.grad


@situation("test_modules")
def modules_are_compared(wrap: Wrap) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.ReLU()
            self.b = self.a

        def forward(self, x):
            return x * 2 if self.a is self.b and self.a == self.b else x * 3

    net = Net()
    f = wrap(net)
    first = f(row())
    net.b = nn.ReLU()
    return first, f(row())


@situation("test_modules")
def the_class_and_the_name_of_a_module(wrap: Wrap) -> Any:
    class Net(nn.Module):
        kind = "net"

        def __init__(self):
            super().__init__()
            self.part = nn.ReLU()

        def forward(self, x):
            name = self.__class__.__name__ + self.part._get_name()
            return x * len(name) + len(self.kind), repr(self.part)

    net = Net()
    f = wrap(net)
    first = f(row())
    net.kind = "mine"
    return first, f(row())


@situation("test_repros")
def the_dtype_of_the_first_parameter(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: net(x.to(next(net.parameters()).dtype)) * len(list(net.parameters())))
    first = f(grid())
    net.double()
    return first, f(grid())


@situation("test_repros")
def a_module_that_lives_for_one_line(wrap: Wrap) -> Any:
    f = wrap(lambda x: nn.ReLU()(x) + nn.Sequential(nn.Flatten(0), nn.Tanh())(x).sum())
    return f(other()), f(other())


@situation("test_misc")
def attention_inside(wrap: Wrap) -> Any:
    f = wrap(lambda q, causal: nn.functional.scaled_dot_product_attention(q, q, q, is_causal=causal))
    q = flow.arange(8.0).reshape(1, 1, 2, 4) * 0.25
    return f(q, False), f(q, True)


@situation("test_modules")
def a_mode_is_set_that_is_set_already(wrap: Wrap) -> Any:
    drop = nn.Dropout(0.5)

    @wrap
    def f(x):
        drop.eval()
        return drop(x)

    results = [f(row()), drop.training, f(grid()), drop.training]
    drop.train()
    return [*results, f(grid()), drop.training]


@situation("test_modules")
def a_buffer_is_registered_if_its_table_lacks_it(wrap: Wrap) -> Any:
    module = nn.Module()

    @wrap
    def f(x):
        if "h" not in module._buffers:
            module.register_buffer("h", x.detach() * 2)
        return x + module.h

    return [f(row()), f(row()), sorted(name for name in vars(module) if name == "h"), list(module.state_dict())]
