"""Functions and calls: arguments of every kind, defaults, partials, lambdas, functions as values."""

from __future__ import annotations

import functools
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, linear, other, row, situation


@situation("test_misc")
def a_flag_chooses_the_branch(wrap: Wrap) -> Any:
    f = wrap(lambda a, b, flag: a - b if flag else b - a)
    return [f(row(), other(), flag) for flag in (True, False, None, True)]


@situation("test_misc")
def packed_arguments_are_passed_on(wrap: Wrap) -> Any:
    def inner(a, b, *rest, scale=1.0, **more):
        return a * scale + b + sum(rest) + more.get("shift", 0)

    @wrap
    def f(*args, **kwargs):
        return inner(*args, **kwargs)

    return f(row(), other()), f(row(), other(), row(), scale=2.0), f(row(), other(), shift=3)


@situation("test_functions")
def keyword_arguments_in_another_order(wrap: Wrap) -> Any:
    f = wrap(lambda x, y, z=1.0: x - y * z)
    return f(y=row(), x=other()), f(other(), z=2.0, y=row()), f(x=other(), y=row())


@situation("test_functions")
def keyword_only_and_positional_only(wrap: Wrap) -> Any:
    @wrap
    def f(x, /, y, *, z=2):
        return x * y + z

    return f(row(), other()), f(row(), y=other(), z=3), error_of(f, row()), error_of(f, row(), other(), 3)


@situation("test_functions")
def a_missing_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x + y)
    return error_of(f, row()), f(row(), other()), error_of(f, row(), other(), 1), error_of(f, row(), w=1)


@situation("test_functions")
def an_inner_call_with_a_wrong_argument(wrap: Wrap) -> Any:
    def inner(x, y):
        return x + y

    return error_of(wrap(lambda x: inner(x)), row())


@situation("test_functions")
def defaults_of_python(wrap: Wrap) -> Any:
    def f(x, scale=2.0, shift=(1, 2), name=None):
        return x * scale + shift[0] if name is None else x * shift[1]

    g = wrap(f)
    return g(row()), g(row(), 3.0), g(row(), shift=(3, 4)), g(row(), name="n")


@situation("test_functions")
def a_default_that_is_a_tensor(wrap: Wrap) -> Any:
    default = other()

    @wrap
    def f(x, y=default):
        return x * y

    first = f(row())
    default.mul_(2)
    return first, f(row())


@situation("test_functions")
def a_default_that_is_a_tensor_and_written(wrap: Wrap) -> Any:
    @wrap
    def f(x, total=flow.zeros(3)):  # noqa: B008
        total += x
        return total * 1

    return f(row()), f(row()), f(row())


@situation("test_functions")
def a_default_that_is_a_list_and_grows(wrap: Wrap) -> Any:
    @wrap
    def f(x, seen=[]):  # noqa: B006
        seen.append(1)
        return x * len(seen)

    return f(row()), f(row()), f(row())


@situation("test_functions")
def defaults_that_are_replaced(wrap: Wrap) -> Any:
    def inner(x, k=2.0):
        return x * k

    f = wrap(lambda x: inner(x))
    first = f(row())
    inner.__defaults__ = (3.0,)
    return first, f(row())


@situation("test_functions")
def keyword_defaults_that_are_replaced(wrap: Wrap) -> Any:
    def inner(x, *, k=2.0):
        return x * k

    f = wrap(lambda x: inner(x))
    first = f(row())
    inner.__kwdefaults__["k"] = 5.0
    return first, f(row())


@situation("test_functions")
def the_compiled_functions_own_default_is_replaced(wrap: Wrap) -> Any:
    def f(x, k=2.0):
        return x * k

    g = wrap(f)
    first = g(row())
    f.__defaults__ = (7.0,)
    return first, g(row())


@situation("test_functions")
def a_default_that_is_a_function(wrap: Wrap) -> Any:
    def f(x, activation=flow.relu):
        return activation(x)

    g = wrap(f)
    return g(other()), g(other(), flow.sin), g(other(), activation=lambda t: t + 1)


@situation("test_functions")
def a_partial_of_an_op(wrap: Wrap) -> Any:
    plus = functools.partial(flow.add, alpha=2)
    return wrap(lambda x, y: plus(x, y))(row(), other())


@situation("test_functions")
def a_partial_of_a_function_with_a_tensor(wrap: Wrap) -> Any:
    def scaled(x, y):
        return x * y

    by = functools.partial(scaled, y=other())
    f = wrap(lambda x: by(x))
    first = f(row())
    by.keywords["y"].add_(1)
    return first, f(row())


@situation("test_functions")
def a_partial_whose_keywords_change(wrap: Wrap) -> Any:
    by = functools.partial(lambda x, k: x * k, k=2)
    f = wrap(lambda x: by(x))
    first = f(row())
    by.keywords["k"] = 5
    return first, f(row())


@situation("test_functions")
def a_partial_of_a_partial(wrap: Wrap) -> Any:
    inner = functools.partial(lambda a, b, c: a * b + c, 2)
    outer = functools.partial(inner, c=1)
    return wrap(lambda x: outer(x))(row())


@situation("test_functions")
def a_partial_is_compiled(wrap: Wrap) -> Any:
    f = wrap(functools.partial(lambda x, k, shift=0: x * k + shift, k=2))
    return f(row()), f(row(), shift=1)


@situation("test_functions")
def a_partial_of_a_module(wrap: Wrap) -> Any:
    layer = functools.partial(linear())
    return wrap(lambda x: layer(x))(grid())


@situation("test_functions")
def a_partial_of_a_method(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self):
            self.k = 2.0

        def by(self, x, shift):
            return x * self.k + shift

    scale = Scale()
    f = wrap(functools.partial(scale.by, shift=1))
    first = f(row())
    scale.k = 3.0
    return first, f(row())


@situation("test_functions")
def a_partial_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda function, x: function(x))
    times = functools.partial(lambda k, x: k * x, 2)
    return f(times, row()), f(functools.partial(lambda k, x: k * x, 3), row()), f(times, row())


@situation("test_functions")
def attributes_of_a_partial(wrap: Wrap) -> Any:
    made = functools.partial(flow.add, other(), alpha=2)
    return wrap(lambda x: made.func(x, *made.args, **made.keywords) * len(made.args))(row())


@situation("test_functions")
def a_function_returns_a_partial(wrap: Wrap) -> Any:
    f = wrap(lambda x: functools.partial(lambda a, b: a + b, x * 2))
    return [f(row())(other()) for _ in range(2)]


@situation("test_functions")
def a_lambda_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, function: function(x) + 1)
    return f(row(), lambda t: t * 2), f(row(), lambda t: t * 3), f(row(), flow.sin)


@situation("test_functions")
def functions_of_the_same_code_as_arguments(wrap: Wrap) -> Any:
    def times(k):
        return lambda x: x * k

    f = wrap(lambda function, x: function(x))
    return [f(times(k), row()) for k in (2, 3, 2)]


@situation("test_functions")
def a_list_of_functions(wrap: Wrap) -> Any:
    steps = [lambda x: x * 2, flow.sin, lambda x: x + 1]

    @wrap
    def f(x):
        for step in steps:
            x = step(x)
        return x

    first = f(row())
    steps.pop(1)
    return first, f(row())


@situation("test_functions")
def a_dict_of_functions(wrap: Wrap) -> Any:
    table = {"relu": flow.relu, "twice": lambda x: x * 2}
    f = wrap(lambda x, name: table[name](x))
    first = f(other(), "relu"), f(other(), "twice")
    table["twice"] = lambda x: x * 3
    return first, f(other(), "twice")


@situation("test_functions")
def methods_of_tensors_by_name(wrap: Wrap) -> Any:
    f = wrap(lambda x, name: getattr(x, name)())
    return [f(grid(), name) for name in ("sin", "sum", "t", "sin")]


@situation("test_functions")
def methods_as_functions_of_the_class(wrap: Wrap) -> Any:
    add = flow.Tensor.add
    return wrap(lambda x: flow.Tensor.mul(add(x, 1), 2))(row())


@situation("test_functions")
def recursion(wrap: Wrap) -> Any:
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    f = wrap(lambda x, n: power(x, n))
    return f(row(), 3), f(row(), 2)


@situation("test_functions")
def the_compiled_function_calls_itself(wrap: Wrap) -> Any:
    @wrap
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    return power(row(), 3), power(row(), 2)


@situation("test_functions")
def mutual_recursion(wrap: Wrap) -> Any:
    def even(x, n):
        return x if n == 0 else odd(x * 2, n - 1)

    def odd(x, n):
        return -x if n == 0 else even(x + 1, n - 1)

    return [wrap(even)(row(), n) for n in (2, 3)]


@situation("test_functions")
def an_inner_function_is_made_in_each_call(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        def scaled(y):
            return y * k + x

        return scaled(x) + scaled(x + 1)

    return f(row(), 2), f(row(), 3)


@situation("test_functions")
def an_inner_function_is_the_result(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        return lambda z: z + y

    return [f(row())(other()) for _ in range(2)]


@situation("test_misc")
def a_result_that_is_a_function_of_the_module(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, error_of))
    return f(row()), f(row())


@situation("test_misc")
def nothing_is_returned(wrap: Wrap) -> Any:
    f = wrap(lambda x: None)
    return f(row()), f(row())


@situation("test_misc")
def a_result_without_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.shape[0] + 1, "text", 2.5))
    return f(row()), f(grid())


@situation("test_misc")
def arguments_are_returned(wrap: Wrap) -> Any:
    x, y = row(), other()
    f = wrap(lambda a, b: (b, a, a + b, a))
    return x, y, f(x, y), f(x, y)


@situation("test_misc")
def a_number_is_returned_with_the_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, k, k + 1, k * 0.5, -k))
    return f(row(), 2), f(row(), 3), f(row(), 2.5), f(row(), True)


@situation("test_functions")
def no_tensor_among_the_arguments(wrap: Wrap) -> Any:
    f = wrap(lambda n: flow.ones(n) * n)
    return f(2), f(3), f(2)


@situation("test_functions")
def no_arguments_at_all(wrap: Wrap) -> Any:
    f = wrap(lambda: flow.ones(3) + 1)
    return f(), f()


@situation("test_functions")
def annotations_change_nothing(wrap: Wrap) -> Any:
    @wrap
    def f(x: flow.Tensor, k: int = 2) -> flow.Tensor:
        y: flow.Tensor = x * k
        return y

    return f(row()), f.__annotations__, f.__name__


@situation("test_functions")
def attributes_of_a_function(wrap: Wrap) -> Any:
    def f(x):
        return x * f.scale

    f.scale = 2.0
    g = wrap(f)
    first = g(row())
    f.scale = 3.0
    return first, g(row())


@situation("test_functions")
def a_function_counts_its_calls_in_an_attribute(wrap: Wrap) -> Any:
    def f(x):
        f.calls += 1
        return x * f.calls

    f.calls = 0
    g = wrap(f)
    return g(row()), g(row()), g(row()), f.calls


@situation("test_misc")
def the_code_of_a_helper_is_replaced(wrap: Wrap) -> Any:
    def helper(x):
        return x * 2

    f = wrap(lambda x: helper(x))
    first = f(row())
    helper.__code__ = (lambda x: x + 5).__code__
    return first, f(row())


@situation("test_misc")
def a_callable_object_is_compiled(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self, k):
            self.k = k

        def __call__(self, x):
            return x * self.k

    scale = Scale(2)
    f = wrap(scale)
    first = f(row())
    scale.k = 3
    return first, f(row())


@situation("test_misc")
def a_callable_object_is_called_inside(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self, k):
            self.k = k

        def __call__(self, x):
            return x * self.k

    scale = Scale(2)
    f = wrap(lambda x: scale(x))
    first = f(row())
    scale.k = 3
    return first, f(row())


@situation("test_misc")
def a_class_is_compiled(wrap: Wrap) -> Any:
    class Pair:
        def __init__(self, x):
            self.twice = x * 2

    f = wrap(Pair)
    return f(row()), f(row())


@situation("test_misc")
def an_op_is_compiled(wrap: Wrap) -> Any:
    f, g = wrap(flow.add), wrap(flow.relu)
    return f(row(), other()), f(row(), 2, alpha=3), g(other())


@situation("test_misc")
def a_method_of_a_tensor_is_compiled(wrap: Wrap) -> Any:
    x = row()
    f = wrap(x.mul)
    first = f(2)
    x.add_(1)
    return first, f(2), f(3)


@situation("test_functions")
def star_expressions(wrap: Wrap) -> Any:
    @wrap
    def f(values):
        first, *middle, last = values
        return [first, *middle, last * 2], {"a": first, "b": last}

    return f([row(), other(), row()]), f((row(), other()))


@situation("test_functions")
def chained_calls_and_comparisons(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x.add(1).mul(2) if 0 < k <= 2 < 3 else x)
    return f(row(), 1), f(row(), 2), f(row(), 3), f(row(), 0)


@situation("test_functions")
def an_assignment_expression(wrap: Wrap) -> Any:
    return wrap(lambda x: (y := x * 2) + y)(row())


@situation("test_functions")
def a_variable_is_deleted(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x + 1
        z = y * 2
        del y
        return z

    return f(row())


@situation("test_functions")
def imports_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        import math
        from functools import reduce

        return reduce(lambda a, b: a + b, [x, x]) * math.sqrt(4)

    return f(row())


@situation("test_misc")
def many_arguments(wrap: Wrap) -> Any:
    @wrap
    def f(*tensors):
        total = tensors[0]
        for tensor in tensors[1:]:
            total = total + tensor
        return total

    return f(*[row() * k for k in range(20)]), f(*[row() for _ in range(3)])


@situation("test_repros")
def an_argument_is_passed_twice(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: a + b if a is b else a - b)
    x, y = row(), row()
    return f(x, x), f(x, y), f(y, y)


@situation("test_repros")
def the_same_list_is_passed_twice(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: a[0] + 1 if a is b else a[0] - 1)
    x, y = [row()], [row()]
    return f(x, x), f(x, y)


@situation("test_repros")
def optional_arguments_that_are_none(wrap: Wrap) -> Any:
    f = wrap(lambda x, mask=None: x if mask is None else x * mask)
    return f(row()), f(row(), other()), f(row(), None), f(row(), mask=other())


@situation("test_misc")
def a_type_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, kind: x + 1 if issubclass(kind, list) else x - 1)
    return f(row(), list), f(row(), dict), f(row(), list)


@situation("test_misc")
def a_text_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, reduction="mean": x.sum() if reduction == "sum" else x.sum() / x.numel())
    return f(row(), "sum"), f(row()), f(row(), reduction="sum")


@situation("test_misc")
def a_dtype_and_a_device_as_arguments(wrap: Wrap) -> Any:
    f = wrap(lambda x, dtype, device: flow.ones(2, dtype=dtype, device=device) + x.sum().to(dtype))
    device = row().device
    return f(row(), flow.float64, str(device)), f(row(), flow.float32, device)


@situation("test_repros")
def a_deep_recursion(wrap: Wrap) -> Any:
    def deep(x, n):
        return x if n == 0 else deep(x, n - 1) + 1

    f = wrap(lambda x: deep(x, 60))
    return f(row()), f(other())


@situation("test_functions")
def a_function_that_is_made_is_another_one_each_time(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, lambda: 1))
    (first, one), (second, two) = f(row()), f(row())
    return first, second, one is two, one(), two()
