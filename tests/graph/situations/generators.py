"""Generators and iterators: made inside, passed in, given back, and driven by hand."""

from __future__ import annotations

import collections
import itertools
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, other, row, situation


@situation("test_generator")
def next_of_a_generator(wrap: Wrap) -> Any:
    def numbers():
        yield 1
        yield 2

    @wrap
    def f(x):
        source = numbers()
        x = x + next(source)
        return x * next(source)

    return f(row()), f(other())


@situation("test_generator")
def an_endless_generator(wrap: Wrap) -> Any:
    def scaled(x):
        k = 0
        while True:
            yield x * k
            k += 1

    f = wrap(lambda x: list(zip(range(3), scaled(x))))
    return f(row()), f(other())


@situation("test_generator")
def a_loop_over_a_generator_stops(wrap: Wrap) -> Any:
    def numbers():
        yield from itertools.count()

    @wrap
    def f(x):
        total = 0
        for k in numbers():
            if k > 5:
                break
            total += k
        return x + total

    return f(row())


@situation("test_generator")
def containers_of_a_generator(wrap: Wrap) -> Any:
    def pairs(x):
        yield 1, x + 1
        yield 2, x + 2

    f = wrap(lambda x: (list(pairs(x)), tuple(pairs(x)), dict(pairs(x)), collections.OrderedDict(pairs(x))))
    return f(row())


@situation("test_generator")
def generator_expressions(wrap: Wrap) -> Any:
    f = wrap(lambda x: (sum(x * k for k in range(3)), max(k for k in (1, 3, 2)), "".join(c.upper() for c in "ab")))
    return f(row())


@situation("test_generator")
def yield_from_with_a_value(wrap: Wrap) -> Any:
    def inner(x):
        yield x
        return x * 2

    def outer(x):
        result = yield from inner(x)
        yield result + 1

    return wrap(lambda x: list(outer(x)))(row())


@situation("test_generator")
def send_to_a_generator(wrap: Wrap) -> Any:
    def running():
        total = 0
        while True:
            total = total + (yield total)

    @wrap
    def f(x):
        source = running()
        next(source)
        source.send(x)
        return source.send(x * 2)

    return f(row())


@situation("test_generator")
def throw_into_a_generator(wrap: Wrap) -> Any:
    def guarded(x):
        try:
            yield x
        except ValueError:
            yield x * 2
        finally:
            x = x + 1

    @wrap
    def f(x):
        source = guarded(x)
        next(source)
        return source.throw(ValueError("inside"))

    return f(row())


@situation("test_generator")
def a_generator_is_closed(wrap: Wrap) -> Any:
    seen: list[str] = []

    def guarded(x):
        try:
            yield x
            yield x * 2
        finally:
            seen.append("closed")

    @wrap
    def f(x):
        source = guarded(x)
        y = next(source)
        source.close()
        return y

    return f(row()), f(row()), seen


@situation("test_generator")
def the_end_of_a_generator(wrap: Wrap) -> Any:
    def one(x):
        yield x

    @wrap
    def f(x):
        source = one(x)
        next(source)
        return next(source, x * 9), error_of(next, source)[0]

    return f(row())


@situation("test_generator")
def stop_iteration_in_the_body(wrap: Wrap) -> Any:
    def broken(x):
        yield x
        raise StopIteration

    @wrap
    def f(x):
        source = broken(x)
        y = next(source)
        try:
            next(source)
        except RuntimeError:
            return y * 2
        return y

    return f(row())


@situation("test_generator")
def an_error_in_a_generator_leaves(wrap: Wrap) -> Any:
    def broken(x):
        yield x
        raise ValueError("inside")

    return error_of(wrap(lambda x: list(broken(x))), row())


@situation("test_generator")
def a_generator_is_the_result(wrap: Wrap) -> Any:
    def scaled(x):
        yield x * 1
        yield x * 2

    f = wrap(lambda x: scaled(x))
    return list(f(row())), list(f(other()))


@situation("test_generator")
def a_generator_that_has_begun_is_the_result(wrap: Wrap) -> Any:
    def scaled(x):
        yield x * 1
        yield x * 2

    @wrap
    def f(x):
        source = scaled(x)
        y = next(source)
        return y, source

    y, source = f(row())
    return y, list(source)


@situation("test_generator")
def a_generator_is_an_argument(wrap: Wrap) -> Any:
    def numbers():
        yield from (1, 2, 3)

    f = wrap(lambda x, source: x + next(source))
    source = numbers()
    return f(row(), source), f(row(), source), list(source)


@situation("test_generator")
def a_generator_is_outside(wrap: Wrap) -> Any:
    source = (k for k in range(10))
    f = wrap(lambda x: x + next(source))
    return f(row()), f(row()), next(source), f(row())


@situation("test_generator")
def a_generator_of_tensors_is_outside(wrap: Wrap) -> Any:
    source = iter([row(), other(), row() * 5])
    f = wrap(lambda x: x + next(source))
    return f(row()), f(row())


@situation("test_generator")
def a_compiled_generator_function(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        for k in range(3):
            yield x * k

    return list(f(row())), list(f(other()))


@situation("test_generator")
def a_generator_changes_a_variable(wrap: Wrap) -> Any:
    n = 0

    def counted(x):
        nonlocal n
        for k in range(3):
            n += 1
            yield x + k

    f = wrap(lambda x: sum(counted(x)) * n)
    return f(row()), f(row()), n


@situation("test_generator")
def a_generator_changes_a_dict(wrap: Wrap) -> Any:
    def filling(x, table):
        table["a"] = x
        yield x * 2
        table["b"] = x + 1

    f = wrap(lambda x, table: sum(filling(x, table)))
    table: dict[str, Any] = {}
    return f(row(), table), table


@situation("test_generator")
def membership_in_a_generator(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        source = (k for k in (1, 2, 3))
        return x * (2 in source), list(source)

    return f(row())


@situation("test_generator")
def a_list_is_extended_by_a_generator(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        values = [x]
        values.extend(values[-1] * k for k in range(2))
        queue = collections.deque([1])
        queue.extendleft(queue[0] + k for k in range(2))
        return values, list(queue)

    return f(row())


@situation("test_generator")
def a_generator_with_a_context(wrap: Wrap) -> Any:
    def inside(x):
        with flow.no_grad():
            yield x * 2
        yield x * 3

    f = wrap(lambda x: [(y, y.requires_grad) for y in inside(x)])
    return f(leaf())


@situation("test_generator")
def an_iterator_class(wrap: Wrap) -> Any:
    class Countdown:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if self.n == 0:
                raise StopIteration
            self.n -= 1
            return self.n

    f = wrap(lambda x, n: [x * k for k in Countdown(n)])
    return f(row(), 3), f(row(), 2)


@situation("test_generator")
def an_iterator_object_outside(wrap: Wrap) -> Any:
    class Countdown:
        n = 9

        def __iter__(self):
            return self

        def __next__(self):
            self.n -= 1
            return self.n

    source = Countdown()
    f = wrap(lambda x: x * next(source))
    return f(row()), f(row()), source.n


@situation("test_misc")
def an_iterator_of_a_list_outside(wrap: Wrap) -> Any:
    source = iter([1, 2, 3])
    f = wrap(lambda x: x + next(source))
    return f(row()), f(row()), list(source)


@situation("test_misc")
def zip_and_map_and_filter_objects(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        pairs = zip([1, 2], [x, x * 2])
        numbers = (k * 2 for k in filter(None, [0, 1, 2]))
        return [k * y for k, y in pairs], list(numbers), list(enumerate("ab", 1)), list(reversed([1, 2]))

    return f(row())


@situation("test_misc")
def a_zip_object_is_the_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: zip(range(2), [x, x * 2]))
    return list(f(row()))


@situation("test_misc")
def a_map_object_is_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda values: sum(values))
    return f(row() * k for k in [1, 2]), f(row() * k for k in [1, 2, 3])


@situation("test_misc")
def an_iterator_is_passed_on(wrap: Wrap) -> Any:
    def take(source, n):
        return [next(source) for _ in range(n)]

    @wrap
    def f(x):
        source = iter([x, x * 2, x * 3])
        return take(source, 2), take(source, 1)

    return f(row())


@situation("test_misc")
def iter_with_a_sentinel(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        values = [3, 2, 1, 0]
        return [x * k for k in iter(values.pop, 2)]

    return f(row())


@situation("test_misc")
def parameters_as_an_iterator(wrap: Wrap) -> Any:
    layer = linear()
    f = wrap(lambda x: sum((p * p).sum() for p in layer.parameters()) + x)
    first = f(row())
    with flow.no_grad():
        layer.bias.mul_(3)
    return first, f(row())


@situation("test_misc")
def unbind_and_iterate(wrap: Wrap) -> Any:
    f = wrap(lambda x: [line + k for k, line in enumerate(x.unbind(0))])
    return f(grid())


@situation("test_misc")
def a_coroutine_that_is_driven_by_hand(wrap: Wrap) -> Any:
    async def later(x):
        return x * 2

    @wrap
    def f(x):
        task = later(x)
        try:
            task.send(None)
        except StopIteration as end:
            return end.value

    return f(row())


@situation("test_misc")
def a_compiled_coroutine_function(wrap: Wrap) -> Any:
    import asyncio

    @wrap
    async def f(x):
        return x * 2

    async def main():
        return await f(row()), await f(other())

    return asyncio.run(main())


@situation("test_misc")
def a_data_loader_feeds_a_compiled_function(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x * y)
    data = flow.utils.data.TensorDataset(flow.arange(6.0).reshape(3, 2), flow.arange(3.0))
    return [f(x, y[0]) for x, y in flow.utils.data.DataLoader(data, batch_size=1)]


@situation("test_generator")
def a_generator_that_is_left_open(wrap: Wrap) -> Any:
    seen: list[str] = []

    def guarded(x):
        try:
            yield x * 2
            yield x * 3
        finally:
            seen.append("closed")

    @wrap
    def f(x):
        return next(guarded(x)) + 1

    return f(row()), f(row()), seen


@situation("test_generator")
def a_generator_that_answers_its_closing(wrap: Wrap) -> Any:
    def stubborn(x):
        try:
            yield x
        except GeneratorExit:
            yield x * 2

    def polite(x):
        try:
            yield x
        except GeneratorExit:
            raise KeyError("closing") from None

    @wrap
    def f(x, kind):
        source = (stubborn if kind == "stubborn" else polite)(x)
        y = next(source)
        try:
            source.close()
        except (RuntimeError, KeyError) as error:
            return y * 2, type(error).__name__
        return y, ""

    return f(row(), "stubborn"), f(row(), "polite")


@situation("test_generator")
def send_through_yield_from(wrap: Wrap) -> Any:
    def inner():
        a = yield 10
        b = yield a + 1
        return b * 100

    def outer():
        yield (yield from inner())

    @wrap
    def f(x):
        source = outer()
        return [source.send(None), source.send(7), source.send(3), x * 2]

    return f(row())


@situation("test_generator")
def throw_through_yield_from(wrap: Wrap) -> Any:
    def inner(x):
        try:
            yield x
        except StopIteration:
            return x * 5

    def outer(x):
        yield (yield from inner(x))

    @wrap
    def f(x):
        source = outer(x)
        next(source)
        return source.throw(StopIteration("inside"))

    return f(row())


@situation("test_generator")
def a_generator_reads_what_changes_meanwhile(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        k = 1

        def scaled():
            yield x * k
            yield x * k

        source = scaled()
        first = next(source)
        k = 5
        return first, next(source)

    return f(row())


@situation("test_generator")
def the_state_of_a_generator(wrap: Wrap) -> Any:
    import inspect

    def one(x):
        yield x

    @wrap
    def f(x):
        source = one(x)
        states = [inspect.getgeneratorstate(source)]
        y = next(source)
        states.append(inspect.getgeneratorstate(source))
        list(source)
        return y * 2, states, inspect.getgeneratorstate(source)

    return f(row())
