"""Context managers: grad modes, autocast, users' own, default dtypes, generators of random numbers."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, row, situation

SETTING = [0]


@contextlib.contextmanager
def setting(value: int) -> Any:
    kept = SETTING[0]
    SETTING[0] = value
    try:
        yield value
    finally:
        SETTING[0] = kept


class Doubled:
    """A context that says how often it was entered and left."""

    def __init__(self) -> None:
        self.entered = self.left = 0

    def __enter__(self) -> int:
        self.entered += 1
        return 2

    def __exit__(self, *error: Any) -> bool:
        self.left += 1
        return error[0] is KeyError


@situation("test_ctx_manager")
def no_grad_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        with flow.no_grad():
            z = y * 3
        return y, z, flow.is_grad_enabled()

    return f(leaf()), f(row())


@situation("test_ctx_manager")
def no_grad_outside(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    x = leaf()
    with flow.no_grad():
        inside = f(x)
    return inside, f(x)


@situation("test_ctx_manager")
def enable_grad_in_no_grad(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.enable_grad():
            y = x * 2
        return y, x * 3

    x = leaf()
    with flow.no_grad():
        inside = f(x)
    return inside, f(x)


@situation("test_ctx_manager")
def set_grad_enabled_as_a_context_and_as_a_call(wrap: Wrap) -> Any:
    @wrap
    def f(x, on):
        with flow.set_grad_enabled(on):
            y = x * 2
        return y

    @wrap
    def g(x):
        flow.set_grad_enabled(False)
        y = x * 2
        flow.set_grad_enabled(True)
        return y, x * 3

    return f(leaf(), True), f(leaf(), False), g(leaf())


@situation("test_ctx_manager")
def the_grad_mode_stays_changed(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        flow.set_grad_enabled(False)
        return x * 2

    try:
        results = [f(leaf()), flow.is_grad_enabled()]
        flow.set_grad_enabled(True)
        return [*results, f(leaf()), flow.is_grad_enabled()]
    finally:
        flow.set_grad_enabled(True)


@situation("test_ctx_manager")
def no_grad_as_a_decorator(wrap: Wrap) -> Any:
    @flow.no_grad()
    def inner(x):
        return x * 2

    @wrap
    @flow.no_grad()
    def f(x):
        return x * 3

    return wrap(lambda x: (inner(x), x * 3))(leaf()), f(leaf()), flow.no_grad()(wrap(lambda x: x * 4))(leaf())


@situation("test_misc")
def inference_mode(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.inference_mode():
            return x * 2

    g = wrap(lambda x: x * 3)
    with flow.inference_mode():
        outside = g(leaf())
    return f(leaf()), outside, outside.is_inference(), g(leaf())


@situation("test_ctx_manager")
def the_grad_mode_is_read(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if flow.is_grad_enabled() else x * 3)
    first = f(row())
    with flow.no_grad():
        second = f(row())
    return first, second, f(row())


@situation("test_ctx_manager")
def autocast_inside(wrap: Wrap) -> Any:
    layer = linear()

    @wrap
    def f(x):
        with flow.autocast("cpu", dtype=flow.bfloat16):
            y = layer(x)
        return y, layer(x)

    return f(grid())


@situation("test_ctx_manager")
def autocast_outside(wrap: Wrap) -> Any:
    layer = linear()
    f = wrap(lambda x: layer(x))
    results = [f(grid())]
    with flow.autocast("cpu", dtype=flow.bfloat16):
        results.append(f(grid()))
        with flow.autocast("cpu", enabled=False):
            results.append(f(grid()))
    return [*results, f(grid())]


@situation("test_ctx_manager")
def autocast_as_a_decorator_and_its_state(wrap: Wrap) -> Any:
    @wrap
    @flow.autocast("cpu", dtype=flow.bfloat16)
    def f(x):
        return flow.matmul(x, x.t()), flow.is_autocast_enabled("cpu")

    return f(grid())


@situation("test_ctx_manager")
def a_context_of_the_users(wrap: Wrap) -> Any:
    doubled = Doubled()

    @wrap
    def f(x):
        with doubled as k:
            x = x * k
        return x

    return f(row()), f(row()), doubled


@situation("test_ctx_manager")
def a_context_that_swallows_an_error(wrap: Wrap) -> Any:
    doubled = Doubled()

    @wrap
    def f(x):
        with doubled:
            x = x * 2
            raise KeyError("a")
        return x + 1

    return f(row()), doubled


@situation("test_ctx_manager")
def a_context_that_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with Doubled() as k, Doubled():
            return x * k

    return f(row())


@situation("test_ctx_manager")
def a_context_manager_from_a_generator(wrap: Wrap) -> Any:
    SETTING[0] = 1

    @wrap
    def f(x):
        with setting(5) as value:
            y = x * SETTING[0]
        return y + SETTING[0] + value

    first = f(row())
    with setting(3):
        second = f(row())
    return first, second, SETTING[0]


@situation("test_ctx_manager")
def nested_contexts_with_an_error(wrap: Wrap) -> Any:
    SETTING[0] = 1

    @wrap
    def f(x):
        try:
            with setting(5), setting(6):
                x = x * SETTING[0]
                raise ValueError("inside")
        except ValueError:
            x = x + SETTING[0]
        return x

    return f(row()), SETTING[0]


@situation("test_ctx_manager")
def a_context_decorator(wrap: Wrap) -> Any:
    SETTING[0] = 1

    @setting(4)
    def inner(x):
        return x * SETTING[0]

    f = wrap(lambda x: inner(x) + SETTING[0])
    first = f(row())
    SETTING[0] = 2
    return first, f(row())


@situation("test_ctx_manager")
def a_context_is_an_argument(wrap: Wrap) -> Any:
    @wrap
    def f(x, context):
        with context:
            return x * 2

    return f(leaf(), flow.no_grad()), f(leaf(), contextlib.nullcontext())


@situation("test_ctx_manager")
def a_context_is_the_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, flow.no_grad()))
    y, context = f(leaf())
    with context:
        return y, flow.is_grad_enabled()


@situation("test_ctx_manager")
def a_null_context(wrap: Wrap) -> Any:
    @wrap
    def f(x, on):
        with flow.no_grad() if on else contextlib.nullcontext():
            return x * 2

    return f(leaf(), True), f(leaf(), False)


@situation("test_ctx_manager")
def an_exit_stack(wrap: Wrap) -> Any:
    seen: list[str] = []

    @wrap
    def f(x):
        with contextlib.ExitStack() as stack:
            stack.callback(seen.append, "left")
            stack.enter_context(setting(2))
            return x * SETTING[0]

    return f(row()), f(row()), seen


@situation("test_ctx_manager")
def a_lock(wrap: Wrap) -> Any:
    lock = threading.Lock()

    @wrap
    def f(x):
        with lock:
            return x * 2

    return f(row()), f(row()), lock.locked()


@situation("test_misc")
def the_default_dtype(wrap: Wrap) -> Any:
    f = wrap(lambda x: x + flow.ones(3) * flow.tensor(2.0))
    results = [f(row())]
    flow.set_default_dtype(flow.float64)
    try:
        results.append(f(row()))
    finally:
        flow.set_default_dtype(flow.float32)
    return [*results, f(row())]


@situation("test_misc")
def the_default_dtype_is_set_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        flow.set_default_dtype(flow.float64)
        y = flow.ones(3)
        flow.set_default_dtype(flow.float32)
        return x + y, flow.get_default_dtype() is flow.float32

    try:
        return f(row()), f(row())
    finally:
        flow.set_default_dtype(flow.float32)


@situation("test_misc")
def deterministic_algorithms(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if flow.are_deterministic_algorithms_enabled() else x * 3)
    first = f(row())
    flow.use_deterministic_algorithms(True)
    try:
        return first, f(row())
    finally:
        flow.use_deterministic_algorithms(False)


@situation("test_unspec")
def random_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: x + flow.rand(3))
    flow.manual_seed(3)
    results = [f(row()), f(row()), flow.rand(2)]
    flow.manual_seed(3)
    return [*results, f(row())]


@situation("test_functions")
def a_seed_inside(wrap: Wrap) -> Any:
    @wrap
    def f():
        flow.manual_seed(5)
        return flow.rand(3)

    return f(), f(), flow.rand(3)


@situation("test_repros")
def the_state_of_the_generator(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        state = flow.get_rng_state()
        first = flow.rand(3)
        flow.set_rng_state(state)
        return x + first, x + flow.rand(3)

    return f(row())


@situation("test_misc")
def a_generator_of_the_users(wrap: Wrap) -> Any:
    generator = flow.Generator(row().device).manual_seed(1)
    f = wrap(lambda x: x + flow.rand(3, generator=generator))
    results = [f(row()), f(row())]
    generator.manual_seed(1)
    return [*results, f(row())]


@situation("test_unspec")
def random_numbers_of_python(wrap: Wrap) -> Any:
    import random

    f = wrap(lambda x: x + random.random())
    random.seed(7)
    return f(row()), f(row()), random.random()


@situation("test_unspec")
def random_numbers_of_numpy(wrap: Wrap) -> Any:
    import numpy

    f = wrap(lambda x: x + float(numpy.random.uniform()) + int(numpy.random.randint(5)))
    numpy.random.seed(7)
    return f(row()), f(row()), float(numpy.random.uniform())


@situation("test_unspec")
def a_branch_on_a_random_number(wrap: Wrap) -> Any:
    import random

    f = wrap(lambda x: x * 2 if random.random() > 0.5 else x)
    random.seed(1)
    return [f(row()) for _ in range(6)]


@situation("test_unspec")
def a_generator_object_of_python(wrap: Wrap) -> Any:
    import random

    source = random.Random(3)
    f = wrap(lambda x: x + source.random() + source.randint(0, 9))
    return f(row()), f(row()), source.random()


@situation("test_misc")
def the_time(wrap: Wrap) -> Any:
    import time

    ticks = iter(range(100))
    kept, time.perf_counter = time.perf_counter, lambda: float(next(ticks))
    try:
        f = wrap(lambda x: x + time.perf_counter())
        first, second = f(row()), f(row())
        return (second - first).sum() > 0
    finally:
        time.perf_counter = kept


@situation("test_misc")
def an_environment_variable(wrap: Wrap) -> Any:
    import os

    os.environ["SITUATION_SCALE"] = "2"
    f = wrap(lambda x: x * int(os.environ["SITUATION_SCALE"]) + int(os.getenv("SITUATION_SHIFT", "1")))
    first = f(row())
    os.environ["SITUATION_SCALE"] = "3"
    second = f(row())
    del os.environ["SITUATION_SCALE"]
    return first, second


@situation("test_repros")
def a_thread_local_variable(wrap: Wrap) -> Any:
    local = threading.local()
    local.k = 2.0
    f = wrap(lambda x: x * local.k)
    first = f(row())
    local.k = 3.0
    return first, f(row())


@situation("test_misc")
def a_context_variable(wrap: Wrap) -> Any:
    import contextvars

    scale = contextvars.ContextVar("scale", default=2.0)
    f = wrap(lambda x: x * scale.get())
    first = f(row())
    token = scale.set(3.0)
    second = f(row())
    scale.reset(token)
    return first, second, f(row())


@situation("test_ctx_manager")
def saved_tensors_hooks(wrap: Wrap) -> Any:
    packed: list[Any] = []

    def pack(x):
        packed.append(tuple(x.shape))
        return x * 2

    f = wrap(lambda x: (x * x).sum())
    x = leaf()
    with flow.autograd.graph.saved_tensors_hooks(pack, lambda y: y):
        loss = f(x)
    loss.backward()
    return loss, x.grad, len(packed)


@situation("test_ctx_manager")
def saved_tensors_hooks_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.autograd.graph.saved_tensors_hooks(lambda y: y * 2, lambda y: y):
            return (x * x).sum()

    x = leaf()
    loss = f(x)
    loss.backward()
    return loss, x.grad


@situation("test_ctx_manager")
def a_profiler_around(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    with flow.profiler.profile():
        inside = f(row())
    return inside, f(row())


@situation("test_ctx_manager")
def record_function_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.profiler.record_function("block"):
            return x * 2

    return f(row()), f(row())


@situation("test_ctx_manager")
def detect_anomaly(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2).sum())
    x = leaf()
    with flow.autograd.detect_anomaly():
        f(x).backward()
    return x.grad


@situation("test_subgraphs")
def a_context_around_an_unsupported_call(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.no_grad():
            y = x * 2
            n = y.sum().item()
            z = y * 3
        return x * n, z

    return f(leaf())


@situation("test_ctx_manager")
def a_default_device_context(wrap: Wrap) -> Any:
    device = row().device

    @wrap
    def f(x):
        with device:
            return x + flow.ones(3)

    return f(row())


@situation("test_repros")
def a_context_that_the_user_forgets_to_leave(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        context = flow.no_grad()
        context.__enter__()
        y = x * 2
        context.__exit__(None, None, None)
        return y, x * 3

    return f(leaf()), flow.is_grad_enabled(), error_of(lambda: None)


@situation("test_ctx_manager")
def a_context_that_is_made_and_entered_later(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        context = flow.no_grad()
        y = x * 2
        with context:
            z = y * 3
        return y, z

    return f(leaf())


@situation("test_ctx_manager")
def decorators_of_grad_modes_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.no_grad():

            @flow.enable_grad()
            def inner(y):
                return y * 2

            plain = flow.set_grad_enabled(True)(lambda y: y * 3)
            return inner(x), plain(x), x * 4, flow.is_grad_enabled()

    return f(leaf())


@situation("test_ctx_manager")
def a_context_manager_sets_variables(wrap: Wrap) -> Any:
    k = seen = 1

    @contextlib.contextmanager
    def doubled(x):
        nonlocal k
        k = 100
        try:
            yield x * 2
        finally:
            k = seen

    @wrap
    def f(x):
        nonlocal seen
        with doubled(x) as y:
            seen = k
            return y + seen

    return f(row()), k, seen, f(row())


@situation("test_ctx_manager")
def a_context_manager_that_sets_the_dtype(wrap: Wrap) -> Any:
    @contextlib.contextmanager
    def default(dtype):
        kept = flow.get_default_dtype()
        flow.set_default_dtype(dtype)
        try:
            yield
        finally:
            flow.set_default_dtype(kept)

    @wrap
    def f(x):
        with default(flow.float64):
            y = flow.ones(3)
        return y, x + flow.ones(3)

    return f(row())


@situation("test_ctx_manager")
def closing_and_redirecting(wrap: Wrap) -> Any:
    import io

    text = io.StringIO()

    @wrap
    def f(x):
        with contextlib.redirect_stdout(text):
            print("inside")
        return x * 2

    return f(row()), f(row()), text.getvalue()


@situation("test_ctx_manager")
def an_exit_that_reads_the_error(wrap: Wrap) -> Any:
    class Watch:
        def __init__(self):
            self.seen = []

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            self.seen.append(None if kind is None else (kind.__name__, str(error)))
            return True

    watch = Watch()

    @wrap
    def f(x, fails):
        with watch:
            if fails:
                raise ValueError("inside")
            x = x * 2
        return x + len(watch.seen)

    return f(row(), False), f(row(), True), watch.seen


@situation("test_repros")
def the_default_device(wrap: Wrap) -> Any:
    f = wrap(lambda x: x + flow.ones(3))
    first = f(row())
    flow.set_default_device("cpu")
    try:
        return first, f(row())
    finally:
        flow.set_default_device(None)
