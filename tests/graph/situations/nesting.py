"""Compiled functions in one another, decorators, methods, threads, copies, and flow.compiler."""

from __future__ import annotations

import copy
import functools
import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, other, row, situation


@situation("test_misc")
def a_compiled_function_calls_another(wrap: Wrap) -> Any:
    inner = wrap(lambda x: x * 2)
    f = wrap(lambda x: inner(x) + 1)
    return f(row()), inner(row()), f(other())


@situation("test_misc")
def a_variable_that_only_the_inner_reads(wrap: Wrap) -> Any:
    k = 2.0
    inner = wrap(lambda x: x * k)
    f = wrap(lambda x: inner(x) + 1)
    first = f(row()), inner(row())
    k = 3.0
    return first, f(row()), inner(row())


@situation("test_misc")
def an_eager_function_calls_compiled_ones(wrap: Wrap) -> Any:
    twice, plus = wrap(lambda x: x * 2), wrap(lambda x: x + 1)

    def f(x):
        for _ in range(2):
            x = plus(twice(x))
        return x

    return f(row()), f(other())


@situation("test_misc")
def a_function_is_compiled_twice(wrap: Wrap) -> Any:
    def f(x):
        return x * 2

    one, two = wrap(f), wrap(f)
    return one(row()), two(grid()), wrap(wrap(f))(row())


@situation("test_misc")
def a_function_is_compiled_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        inner = wrap(lambda t: t * 2)
        return inner(x) + 1

    return f(row()), f(other())


@situation("test_misc")
def a_compiled_module_in_a_compiled_module(wrap: Wrap) -> Any:
    inner = linear()
    compiled = wrap(inner)
    net = wrap(lambda x: compiled(x) * 2)
    first = net(grid())
    with flow.no_grad():
        inner.bias.add_(1)
    return first, net(grid())


@situation("test_misc")
def a_part_of_a_model_is_compiled(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = linear()
            self.block = wrap(self.block_of)

        def block_of(self, x):
            return self.layer(x) * 2

        def forward(self, x):
            return self.block(x) + 1

    net = Net()
    y = net(grid())
    y.sum().backward()
    return y, net.layer.weight.grad


@situation("test_misc")
def a_decorated_method(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self, k):
            self.k = k

        @wrap
        def by(self, x, shift=0):
            return x * self.k + shift

    a, b = Scale(2), Scale(3)
    results = [a.by(row()), b.by(row()), a.by(row(), shift=1)]
    a.k = 5
    return [*results, a.by(row()), b.by(row()), a, b]


@situation("test_misc")
def a_decorated_method_sets_attributes(wrap: Wrap) -> Any:
    class Counter:
        def __init__(self):
            self.n = 0

        @wrap
        def next(self, x):
            self.n += 1
            return x * self.n

    a, b = Counter(), Counter()
    return a.next(row()), a.next(row()), b.next(row()), a, b


@situation("test_misc")
def a_decorated_forward(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        def __init__(self, k):
            super().__init__()
            self.layer = linear()
            self.k = k

        @wrap
        def forward(self, x):
            return self.layer(x) * self.k

    a, b = Net(2.0), Net(3.0)
    first = a(grid()), b(grid())
    a.k = 4.0
    return first, a(grid()), b(grid()), a, b


@situation("test_misc")
def decorated_static_and_class_methods(wrap: Wrap) -> Any:
    class Net:
        k = 2.0

        @staticmethod
        @wrap
        def double(x):
            return x * 2

        @classmethod
        @wrap
        def scaled(cls, x):
            return x * cls.k

    class Sub(Net):
        k = 3.0

    return Net.double(row()), Net().double(row()), Net.scaled(row()), Sub.scaled(row())


@situation("test_misc")
def a_decorated_property(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.x = row()

        @property
        @wrap
        def twice(self):
            return self.x * 2

    net = Net()
    first = net.twice
    net.x = other()
    return first, net.twice


@situation("test_misc")
def a_method_of_a_subclass_calls_the_compiled_one(wrap: Wrap) -> Any:
    class Base:
        @wrap
        def run(self, x):
            return x * 2

    class Sub(Base):
        def run(self, x):
            return super().run(x) + 1

    return Sub().run(row()), Base().run(row())


@situation("test_misc")
def objects_with_compiled_methods_go(wrap: Wrap) -> Any:
    class Net:
        def __init__(self, k):
            self.k = k

        @wrap
        def run(self, x):
            return x * self.k

    nets = [Net(k) for k in range(3)]
    results = [net.run(row()) for net in nets]
    gone = weakref.ref(nets.pop())
    gc.collect()
    return results, gone() is None, nets


@situation("test_misc")
def a_compiled_function_goes_with_its_module(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x, layer=net: layer(x))
    y = f(grid())
    gone = weakref.ref(net.weight)
    del f, net
    gc.collect()
    return y, gone() is None


@situation("test_misc")
def the_memory_of_arguments_goes(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    x = row()
    y = f(x)
    gone = weakref.ref(x)
    del x
    gc.collect()
    return y, gone() is None


@situation("test_decorators")
def a_disabled_part(wrap: Wrap) -> Any:
    seen: list[int] = []

    @flow.compiler.disable
    def aside(x):
        seen.append(len(seen))
        return x * 3

    f = wrap(lambda x: aside(x * 2) + 1)
    return f(row()), f(row()), seen


@situation("test_decorators")
def a_disabled_function(wrap: Wrap) -> Any:
    f = flow.compiler.disable(wrap(lambda x: x * 2))
    return f(row()), f(row())


@situation("test_decorators")
def a_constant_result(wrap: Wrap) -> Any:
    @flow.compiler.assume_constant_result
    def scale():
        return 2.0

    f = wrap(lambda x: x * scale())
    return f(row()), f(row())


@situation("test_decorators")
def allow_in_graph(wrap: Wrap) -> Any:
    @flow.compiler.allow_in_graph
    def inner(x):
        return x * 2

    return wrap(lambda x: inner(x) + 1)(row())


@situation("test_decorators")
def a_reset_between_calls(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    first = f(row())
    flow.compiler.reset()
    return first, f(row())


@situation("test_decorators")
def decorators_above_and_below(wrap: Wrap) -> Any:
    def shifted(k):
        def mark(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs) + k

            return inner

        return mark

    @shifted(1)
    @wrap
    @shifted(2)
    def f(x):
        return x * 2

    return f(row()), f(other())


@situation("test_decorators")
def a_decorator_with_a_state(wrap: Wrap) -> Any:
    class Counted:
        def __init__(self, function):
            self.function, self.calls = function, 0

        def __call__(self, *args):
            self.calls += 1
            return self.function(*args) * self.calls

    @wrap
    @Counted
    def f(x):
        return x * 2

    return f(row()), f(row()), f(row())


@situation("test_misc")
def threads_call_one_function(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 + 1)
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(f, [row() * k for k in range(6)]))


@situation("test_misc")
def threads_with_their_own_modes(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    results: dict[str, Any] = {}

    def run(name, on):
        with flow.set_grad_enabled(on):
            results[name] = f(leaf())

    for name, on in (("with", True), ("without", False)):
        thread = threading.Thread(target=run, args=(name, on))
        thread.start()
        thread.join()
    return results


@situation("test_misc")
def a_thread_changes_a_variable(wrap: Wrap) -> Any:
    k = 2.0
    f = wrap(lambda x: x * k)
    first = f(row())

    def change():
        nonlocal k
        k = 3.0

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    return first, f(row())


@situation("test_misc")
def a_copy_of_a_compiled_module(wrap: Wrap) -> Any:
    f = wrap(linear())
    first = f(grid())
    twin = copy.deepcopy(f)
    with flow.no_grad():
        next(iter(twin.parameters())).mul_(2)
    return first, twin(grid()), f(grid())


@situation("test_compile")
def a_compiled_module_is_saved(wrap: Wrap) -> Any:
    import io

    f = wrap(linear())
    f(grid())
    file = io.BytesIO()
    flow.save(f.state_dict(), file)
    file.seek(0)
    fresh = flow.nn.Linear(3, 3)
    fresh.load_state_dict(flow.load(file))
    return fresh(grid()), list(f.state_dict())


@situation("test_misc")
def a_module_class_is_pickled(wrap: Wrap) -> Any:
    import pickle

    net = linear()
    f = wrap(net)
    first = f(grid())
    again = pickle.loads(pickle.dumps(net))
    return first, wrap(again)(grid())


@situation("test_misc")
def attributes_through_a_compiled_module(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.k = linear(), 2.0

        def forward(self, x):
            return self.layer(x) * self.k

    net = Net()
    f = wrap(net)
    results = [f(grid()), f.k, f.layer is net.layer, len(f.state_dict())]
    f.eval()
    return [*results, net.training, f(grid())]


@situation("test_misc")
def setting_an_attribute_of_a_compiled_module(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        k = 2.0

        def forward(self, x):
            return x * self.k

    net = Net()
    f = wrap(net)
    first = f(row())
    f.k = 5.0
    return first, f(row()), net.k


@situation("test_misc")
def a_compiled_module_is_a_module(wrap: Wrap) -> Any:
    f = wrap(linear())
    return flow.nn.Sequential(f, flow.nn.ReLU())(grid())


@situation("test_misc")
def a_compiled_function_as_an_argument(wrap: Wrap) -> Any:
    inner = wrap(lambda x: x * 2)
    f = wrap(lambda function, x: function(x) + 1)
    return f(inner, row()), f(lambda x: x * 3, row())


@situation("test_misc")
def a_compiled_function_in_a_map(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    return list(map(f, [row(), other()])), [f(x) for x in grid()]


@situation("test_misc")
def is_compiling(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if not flow.jit.is_scripting() else x * 3)
    return f(row()), flow.compiler.is_compiling()


@situation("test_misc")
def an_error_and_then_a_right_call(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x + y)
    return error_of(f, row(), flow.ones(2))[0], f(row(), other()), error_of(f, row(), None)[0], f(row(), 2)


@situation("test_misc")
def the_traceback_names_the_users_line(wrap: Wrap) -> Any:
    import traceback

    @wrap
    def f(x):
        raise ValueError("at this line")

    try:
        f(row())
    except ValueError as error:
        return traceback.extract_tb(error.__traceback__)[-1].line


@situation("test_misc")
def keyboard_interrupts_pass(wrap: Wrap) -> Any:
    state = {"stop": True}

    @wrap
    def f(x):
        if state["stop"]:
            raise KeyboardInterrupt
        return x * 2

    try:
        f(row())
    except KeyboardInterrupt:
        state["stop"] = False
    return f(row())


@situation("test_compile")
def module_compile_by_method(wrap: Wrap) -> Any:
    net = linear()
    net.forward = wrap(net.forward)
    y = net(grid())
    y.sum().backward()
    return y, net.weight.grad


@situation("test_recompiles")
def many_kinds_of_calls(wrap: Wrap) -> Any:
    f = wrap(lambda x, name: x * len(name))
    return [f(flow.ones(n + 1), "a" * n) for n in range(20)]


@situation("test_recompiles")
def a_flag_turns_to_and_fro(wrap: Wrap) -> Any:
    f = wrap(lambda x, on: x * 2 if on else x + 1)
    return [f(row(), k % 2 == 0) for k in range(6)]


@situation("test_recompiles")
def a_variable_takes_many_values(wrap: Wrap) -> Any:
    k = 0.0
    f = wrap(lambda x: x * k)
    results = []
    for k in range(20):  # noqa: B007
        results.append(f(row()))
    return results


@situation("test_functions")
def a_user_kernel_free_library_call(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: flow.nn.functional.cosine_similarity(x, y, dim=0))
    return f(row(), other())


@situation("test_utils")
def a_closure_is_cached_by_the_user(wrap: Wrap) -> Any:
    cache: dict[Any, Any] = {}

    def compiled_for(k):
        if k not in cache:
            cache[k] = wrap(lambda x: x * k)
        return cache[k]

    return [compiled_for(k)(row()) for k in (2, 3, 2)]


@situation("test_activation_checkpointing")
def a_step_with_its_backward_is_checkpointed(wrap: Wrap) -> Any:
    layer, made = linear(), []

    @wrap
    def f(x):
        if not made:
            made.append(flow.optim.SGD(layer.parameters(), lr=0.1))
        made[0].zero_grad()
        loss = (layer(x.detach()) ** 2).sum()
        loss.backward()
        made[0].step()
        return x * 2 + loss.detach()

    results = [flow.utils.checkpoint.checkpoint(f, grid(), use_reentrant=False) for _ in range(3)]
    return [*results, *layer.parameters()]
