"""What stands around a function: the environment, files, threads, modes of Python and of libraries, caches, weak references."""

from __future__ import annotations

import array
import asyncio
import bisect
import builtins
import collections
import concurrent.futures
import contextlib
import contextvars
import copy
import datetime
import decimal
import functools
import gc
import heapq
import importlib
import io
import itertools
import json
import logging
import math
import operator
import os
import pickle
import queue
import re
import sys
import tempfile
import threading
import types
import uuid
import weakref
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy

import tritonflow as flow
from tests.graph.situations.situation import Wrap, row, situation

NAME = "TRITONFLOW_SITUATION"


class Thing:
    """Something with a number."""

    value = 2.0


# -------------------------------------------------------------------------------------------------------- the environment


@situation("test_misc")
def a_variable_of_the_environment_changes(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * float(os.environ.get(NAME, "1")) + float(os.getenv(NAME, "1")))
    found = []
    for text in ("2", "3"):
        os.environ[NAME] = text
        found.append(f(row()))
    del os.environ[NAME]
    return [*found, f(row())]


@situation("test_misc")
def a_variable_of_the_environment_is_set(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        os.environ[NAME] = str(int(os.environ.get(NAME, "0")) + 1)
        return x * 2

    os.environ.pop(NAME, None)
    return f(row()), f(row()), os.environ.pop(NAME)


@situation("test_misc")
def a_file_appears(wrap: Wrap) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "there")
        f = wrap(lambda x: x * (2 if os.path.exists(path) else 3))
        found = [f(row())]
        with open(path, "w"):
            found.append(f(row()))
    return [*found, f(row())]


@situation("test_misc")
def the_garbage_collector_is_switched(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * (1 if gc.isenabled() else 2))
    found = [f(row())]
    gc.disable()
    try:
        found.append(f(row()))
    finally:
        gc.enable()
    return [*found, f(row())]


@situation("test_sys")
def the_recursion_limit_changes(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * (sys.getrecursionlimit() % 10))
    before, found = sys.getrecursionlimit(), []
    try:
        for limit in (5001, 5002, 5003):
            sys.setrecursionlimit(limit)
            found.append(f(row()))
    finally:
        sys.setrecursionlimit(before)
    return found


@situation("test_sys")
def an_attribute_of_sys_counts(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        sys.situation = getattr(sys, "situation", 0) + 1
        return x * sys.situation

    found = [f(row()) for _ in range(3)], sys.situation  # type: ignore[attr-defined]
    del sys.situation  # type: ignore[attr-defined]
    return found


@situation("test_misc")
def how_numpy_takes_errors(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * (1.0 if numpy.geterr()["divide"] == "warn" else 2.0))
    found = []
    for how in ("warn", "ignore", "warn"):
        with numpy.errstate(divide=how):
            found.append(f(row()))
    return found


@situation("test_misc")
def the_precision_of_decimals(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * float(decimal.getcontext().prec))
    found = []
    for digits in (10, 11, 12):
        with decimal.localcontext() as context:
            context.prec = digits
            found.append(f(row()))
    return found


@situation("test_misc")
def the_seed_is_asked_for(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * flow.initial_seed())
    found = []
    for seed in (1, 2, 3):
        flow.manual_seed(seed)
        found.append(f(row()))
    return found


@situation("test_logging")
def the_level_of_a_logger(wrap: Wrap) -> Any:
    logger = logging.getLogger("tritonflow.situations.level")
    f = wrap(lambda x: x * (2 if logger.isEnabledFor(logging.DEBUG) else 3))
    found = []
    for level in (logging.DEBUG, logging.ERROR, logging.DEBUG):
        logger.setLevel(level)
        found.append(f(row()))
    return found


@situation("test_logging")
def a_record_has_the_line_that_logged(wrap: Wrap) -> Any:
    records = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append((record.levelname, record.getMessage(), record.funcName, record.lineno, record.filename))

    logger = logging.getLogger("tritonflow.situations.records")
    logger.handlers, logger.propagate = [Handler()], False
    logger.setLevel(logging.INFO)

    @wrap
    def f(x):
        logger.info("the sum is %s", x.sum())
        logger.debug("nothing")
        return x * 2

    return f(row()), f(row()), records


@situation("test_misc")
def what_differs_in_each_call(wrap: Wrap) -> Any:
    found = []

    @wrap
    def f(x):
        found.append((datetime.datetime.now(), uuid.uuid4()))
        return x * 2

    return f(row()), f(row()), len(set(found))


@situation("test_modes")
def modes_of_flow_are_asked_for(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * (2 if flow.is_grad_enabled() else 3) * (1 if flow.get_default_dtype() == flow.float32 else 5))
    found = [f(row())]
    with flow.no_grad():
        found.append(f(row()))
    return [*found, f(row())]


# ------------------------------------------------------------------------------------------------------------- threads


@situation("test_misc")
def a_thread_is_started(wrap: Wrap) -> Any:
    done: list[int] = []

    @wrap
    def f(x):
        thread = threading.Thread(target=lambda: done.append(1))
        thread.start()
        thread.join()
        return x * 2

    return f(row()), f(row()), done


@situation("test_misc")
def a_pool_of_threads(wrap: Wrap) -> Any:
    done: list[int] = []

    @wrap
    def f(x):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(done.append, 1).result()
            return sum(pool.map(lambda k: x * k, range(3)))

    return f(row()), f(row()), done


@situation("test_misc")
def a_queue(wrap: Wrap) -> Any:
    waiting: queue.Queue[int] = queue.Queue()

    @wrap
    def f(x):
        waiting.put(1)
        return x * waiting.qsize()

    return f(row()), f(row()), waiting.qsize()


@situation("test_ctx_manager")
def a_context_variable(wrap: Wrap) -> Any:
    level = contextvars.ContextVar("level", default=1)

    @wrap
    def f(x):
        level.set(level.get() + 1)
        return x * level.get()

    found = [f(row()), f(row())]
    level.set(10)
    return [*found, f(row())], level.get()


@situation("test_misc")
def a_coroutine_is_run(wrap: Wrap) -> Any:
    log: list[int] = []

    async def step(x):
        log.append(1)
        return x * len(log)

    f = wrap(lambda x: asyncio.run(step(x)))
    return f(row()), f(row()), log


# --------------------------------------------------------------------------------------- containers of Python's libraries


@situation("test_dicts")
def an_ordered_dict_turns(wrap: Wrap) -> Any:
    order = collections.OrderedDict(a=1, b=2)

    @wrap
    def f(x):
        order.move_to_end(next(iter(order)))
        return x * next(iter(order.values()))

    return f(row()), f(row()), f(row()), order


@situation("test_dicts")
def a_counter_is_updated(wrap: Wrap) -> Any:
    counter: collections.Counter[str] = collections.Counter()

    @wrap
    def f(x):
        counter.update("ab")
        return x * counter["a"]

    return f(row()), f(row()), counter


@situation("test_dicts")
def a_key_is_read_behind_an_update(wrap: Wrap) -> Any:
    table = {"a": 1}

    @wrap
    def f(x, k):
        table.update(a=k, b=table["a"])
        return x * table["a"] + table["b"]

    found = [f(row(), 2), f(row(), 3)]
    table["a"] = 10
    return [*found, f(row(), 3)], table


@situation("test_dicts")
def keys_keep_their_order(wrap: Wrap) -> Any:
    table: dict[str, int] = {"a": 1, "b": 2}

    @wrap
    def f(x, key):
        table[key] = table.pop(key, 0) + 1  # which is the last one now
        if len(table) > 2:
            table.pop(next(iter(table)))
        return x * table[key]

    return [f(row(), key) for key in "abcaab"], list(table.items())


@situation("test_dicts")
def keys_are_set_in_the_order_of_returns(wrap: Wrap) -> Any:
    known: dict[int, int] = {}

    def fibonacci(n):
        if n not in known:
            known[n] = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        return known[n]

    f = wrap(lambda x, n: x * fibonacci(n))
    return f(row(), 4), f(row(), 6), list(known.items())


@situation("test_dicts")
def equal_keys_are_one(wrap: Wrap) -> Any:
    table: dict[Any, int] = {True: 1}

    @wrap
    def f(x):
        table[1] += 1
        table[1.0] *= 2
        return x * table[True]

    return f(row()), f(row()), list(table.items())


@situation("test_dicts")
def views_of_dicts(wrap: Wrap) -> Any:
    table = {"a": 1}
    keys, values, proxy = table.keys(), table.values(), types.MappingProxyType(table)
    f = wrap(lambda x: x * sum(values) + len(keys) + ("b" in keys) + proxy["a"] + len(proxy))
    found = [f(row())]
    table["b"] = 4
    found.append(f(row()))
    table["a"] = 7
    return [*found, f(row())]


@situation("test_dicts")
def dicts_of_libraries(wrap: Wrap) -> Any:
    first, second = {"k": 1}, {"k": 5, "z": 2}
    chain, user = collections.ChainMap(first, second), collections.UserDict(k=1)

    @wrap
    def f(x):
        user["k"] = user["k"] + 1
        return x * chain["k"] + chain["z"] + user["k"]

    found = [f(row()), f(row())]
    del first["k"]
    second["z"] = 10
    return [*found, f(row())], dict(user)


@situation("test_list")
def heaps_and_sorted_lists(wrap: Wrap) -> Any:
    heap, ordered = [3, 5], [1, 5]

    @wrap
    def f(x):
        heapq.heappush(heap, -len(heap))
        bisect.insort(ordered, 3)
        return x * heap[0] + ordered[1]

    return f(row()), f(row()), heap, ordered


@situation("test_list")
def a_list_is_sorted_by_a_function_that_counts(wrap: Wrap) -> Any:
    items, calls, sign = [3, 1, 2], [0], [1]

    def key(item):
        calls[0] += 1
        return item * sign[0]

    @wrap
    def f(x):
        items.sort(key=key)
        return x * items[0], max(items, key=key)

    found = [f(row()), f(row())]
    sign[0] = -1
    return [*found, f(row())], calls, items


@situation("test_misc")
def arrays_of_bytes_and_numbers(wrap: Wrap) -> Any:
    numbers, data, table = array.array("f", [1, 2]), bytearray(b"\x01b"), collections.deque([1, 2, 3])
    view = memoryview(data)

    @wrap
    def f(x):
        numbers[0] += 1
        data[0] += 1
        table.rotate(1)
        return x * numbers[0] + data[0] + table[0] + view[1]

    found = [f(row()), f(row())]
    data[1] = 7
    return [*found, f(row())], numbers.tolist(), bytes(data), table


@situation("test_misc")
def a_buffer_of_text(wrap: Wrap) -> Any:
    text = io.StringIO()

    @wrap
    def f(x):
        text.write("a")
        print("b", file=text, end="")
        return x * len(text.getvalue())

    return f(row()), f(row()), text.getvalue()


@situation("test_generator")
def iterators_that_go_on(wrap: Wrap) -> Any:
    def numbers() -> Iterator[int]:
        yield from (1, 2, 3, 4)

    generator, counter, cycle = numbers(), itertools.count(), itertools.cycle([1, 2])
    f = wrap(lambda x: x * next(generator) + next(counter) + next(cycle))
    return f(row()), f(row()), f(row())


# ------------------------------------------------------------------------------------------ caches, copies, weak references


@situation("test_functions")
def functions_of_functions(wrap: Wrap) -> Any:
    calls: list[int] = []

    @functools.lru_cache
    def doubled(k):
        calls.append(k)
        return k * 2

    @functools.singledispatch
    def kind(value):
        return 1

    f = wrap(lambda x, k: x * doubled(k) + kind(k))
    found = [f(row(), 1), f(row(), 1), f(row(), 2)]
    kind.register(int, lambda value: 5)
    return [*found, f(row(), 1)], calls


@situation("test_functions")
def a_cached_property(wrap: Wrap) -> Any:
    class Owner:
        made = 0

        @functools.cached_property
        def table(self):
            Owner.made += 1
            return row() * Owner.made

    owner = Owner()
    f = wrap(lambda x: x * owner.table)
    found = [f(row()), f(row())]
    del owner.table
    return [*found, f(row()), f(row())], Owner.made


@situation("test_misc")
def getters_and_callers(wrap: Wrap) -> Any:
    thing, table = types.SimpleNamespace(inner=Thing()), {"a": 1}
    item, attribute, method = operator.itemgetter("a"), operator.attrgetter("inner.value"), operator.methodcaller("get", "a")
    f = wrap(lambda x: x * item(table) + attribute(thing) + method(table) + functools.reduce(operator.add, table.values()))
    found = [f(row())]
    table["a"] = 4
    found.append(f(row()))
    thing.inner.value = 9.0
    return [*found, f(row())]


@situation("test_misc")
def copies_of_what_changes(wrap: Wrap) -> Any:
    table = {"a": [3]}
    f = wrap(lambda x: x * (copy.deepcopy(table)["a"][0] + json.loads(json.dumps(table))["a"][0] + len(re.sub("3", "11", str(table)))))
    g = wrap(lambda x: x * pickle.loads(pickle.dumps(table))["a"][0])
    found = [f(row()), g(row())]
    table["a"][0] = 5
    return [*found, f(row()), g(row())]


@situation("test_misc")
def a_weak_reference_dies(wrap: Wrap) -> Any:
    alive = [Thing()]
    reference = weakref.ref(alive[0])

    def f(x):
        thing = reference()
        return x * (thing.value if thing is not None else 7)

    compiled = wrap(f)
    found = [compiled(row())]
    alive[0].value = 3.0
    found.append(compiled(row()))
    alive.clear()
    return [*found, compiled(row())]


@situation("test_misc")
def weak_dicts(wrap: Wrap) -> Any:
    alive = [Thing()]
    values = weakref.WeakValueDictionary(a=alive[0])
    keys, things = weakref.WeakKeyDictionary({alive[0]: 2.0}), weakref.WeakSet(alive)

    @wrap
    def f(x):
        return x * (values["a"].value if "a" in values else 100) + len(keys) + len(things)

    found = [f(row())]
    alive[0].value = 4.0
    found.append(f(row()))
    alive.clear()
    return [*found, f(row())]


@situation("test_misc")
def a_weak_proxy(wrap: Wrap) -> Any:
    thing = Thing()
    proxy = weakref.proxy(thing)
    f = wrap(lambda x: x * proxy.value)
    found = [f(row())]
    thing.value = 4.0
    return [*found, f(row())]


@situation("test_misc")
def an_object_dies_inside(wrap: Wrap) -> Any:
    alive, log = [Thing()], []
    reference = weakref.ref(alive[0], lambda _: log.append(1))

    @wrap
    def f(x):
        alive.clear()
        return x * (2 if reference() is None else 3)

    return f(row()), f(row()), log


# ------------------------------------------------------------------------------------------------- modules and built-in names


@situation("test_misc")
def a_built_in_function_is_replaced(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * abs(-2) * math.floor(2.5))
    found, original, floor = [f(row())], builtins.abs, math.floor
    try:
        builtins.abs = lambda value: 50  # type: ignore[assignment]
        found.append(f(row()))
        math.floor = lambda value: 3  # type: ignore[assignment]
        found.append(f(row()))
    finally:
        builtins.abs, math.floor = original, floor
    return [*found, f(row())]


@situation("test_misc")
def a_module_is_replaced(wrap: Wrap) -> Any:
    name = "situation_of_a_module"
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].value = 2  # type: ignore[attr-defined]

    @wrap
    def f(x):
        import situation_of_a_module
        from situation_of_a_module import value

        return x * value * situation_of_a_module.value

    g = wrap(lambda x: x * importlib.import_module(name).value)
    found = [f(row()), g(row())]
    sys.modules[name].value = 3  # type: ignore[attr-defined]
    found += [f(row()), g(row())]
    sys.modules[name] = types.SimpleNamespace(value=5)  # type: ignore[assignment]
    found += [f(row()), g(row())]
    del sys.modules[name]
    return found


@situation("test_misc")
def a_context_manager_decorates(wrap: Wrap) -> Any:
    log: list[int] = []

    @contextlib.contextmanager
    def noted(k):
        log.append(k)
        try:
            yield
        finally:
            log.append(-k)

    @noted(3)
    def g(x):
        return x * len(log)

    f = wrap(g)
    return f(row()), f(row()), log


@situation("test_misc")
def an_object_of_a_library_remembers_its_calls(wrap: Wrap) -> Any:
    called = mock.Mock(return_value=3)
    f = wrap(lambda x: x * called(1))
    return f(row()), f(row()), called.call_count
