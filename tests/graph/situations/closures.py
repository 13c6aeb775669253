"""Variables of enclosing functions, global variables and modules of Python: read, replaced between calls, set inside."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, linear, other, row, situation

SCALE = 2.0
TENSOR: Any = None
ITEMS: list[Any] = []
TABLE: dict[str, Any] = {}
HOLDER = types.SimpleNamespace()
COUNT = 0


def helper(x: flow.Tensor) -> flow.Tensor:
    return x * SCALE


@situation("test_misc")
def a_variable_of_the_enclosing_function_changes(wrap: Wrap) -> Any:
    k = 2.0
    f = wrap(lambda x: x * k)
    results = [f(row())]
    k = 3.0
    results.append(f(row()))
    k = 3
    return [*results, f(row())]


@situation("test_misc")
def the_kind_of_a_variable_changes(wrap: Wrap) -> Any:
    k: Any = 2
    f = wrap(lambda x: x * (k if k is not None else 7))
    results = [f(flow.tensor([1, 2]))]
    for k in (2.0, None, True, row()[0]):  # noqa: B007
        results.append(f(flow.tensor([1, 2])))
    return results


@situation("test_misc")
def a_variable_is_set_inside(wrap: Wrap) -> Any:
    out: Any = None

    @wrap
    def f(x):
        nonlocal out
        out = x * 10
        return x + 1

    first = f(row()), out
    return first, f(other()), out


@situation("test_misc")
def a_variable_is_a_counter(wrap: Wrap) -> Any:
    n = 0

    @wrap
    def f(x):
        nonlocal n
        n += 1
        return x * n

    return f(row()), f(row()), f(row()), n


@situation("test_misc")
def a_tensor_variable_moves_on(wrap: Wrap) -> Any:
    h = flow.zeros(3)

    @wrap
    def f(x):
        nonlocal h
        h = h * 0.5 + x
        return h * 2

    results = [f(row()), f(row())]
    h = other()
    return [*results, f(row()), h]


@situation("test_misc")
def a_tensor_variable_is_written_in_place(wrap: Wrap) -> Any:
    total = flow.zeros(3)

    @wrap
    def f(x):
        total.add_(x)
        return total * 2

    results = [f(row()), f(row())]
    total.zero_()
    return [*results, f(row()), total]


@situation("test_misc")
def a_tensor_variable_is_replaced_between(wrap: Wrap) -> Any:
    w = row()
    f = wrap(lambda x: x * w)
    results = [f(row())]
    w = other()
    results.append(f(row()))
    w = flow.ones(1)
    results.append(f(row()))
    w = flow.ones(3, dtype=flow.float64)
    return [*results, f(row())]


@situation("test_misc")
def a_variable_becomes_a_tensor(wrap: Wrap) -> Any:
    mask: Any = None
    f = wrap(lambda x: x if mask is None else x * mask)
    first = f(row())
    mask = other()
    second = f(row())
    mask = None
    return first, second, f(row())


@situation("test_functions")
def a_closure_in_a_closure(wrap: Wrap) -> Any:
    k = 2.0

    def outer(x):
        def inner(y):
            return y * k + x

        return inner(x)

    f = wrap(outer)
    first = f(row())
    k = 3.0
    return first, f(row())


@situation("test_functions")
def an_inner_function_sets_the_middle_ones_variable(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        total = x

        def add(y):
            nonlocal total
            total = total + y

        add(x)
        add(x * 2)
        return total

    return f(row()), f(other())


@situation("test_functions")
def a_variable_that_is_set_later(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        def inner():
            return x * later

        later = 3
        return inner()

    return f(row())


@situation("test_functions")
def an_unset_variable(wrap: Wrap) -> Any:
    @wrap
    def f(x, early):
        if not early:
            y = x
        return y

    return error_of(f, row(), True), f(row(), False)


@situation("test_functions")
def a_variable_in_a_loop_is_the_last(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        late = [lambda y: y * k for k in range(3)]  # noqa: B023
        bound = [lambda y, k=k: y * k for k in range(3)]
        return [g(x) for g in late], [g(x) for g in bound]

    return f(row())


@situation("test_misc")
def functions_that_share_a_variable(wrap: Wrap) -> Any:
    n = 1

    def more(k):
        nonlocal n
        n += k

    f = wrap(lambda x: x * n)
    first = f(row())
    more(2)
    return first, f(row())


@situation("test_misc")
def two_compiled_functions_share_a_variable(wrap: Wrap) -> Any:
    h = row()

    @wrap
    def put(x):
        nonlocal h
        h = x * 2
        return x

    get = wrap(lambda x: x + h)
    results = [get(row())]
    put(other())
    results.append(get(row()))
    put(row())
    return [*results, get(row())]


@situation("test_misc")
def the_variable_is_a_function_and_replaced(wrap: Wrap) -> Any:
    activation = flow.sin
    f = wrap(lambda x: activation(x))
    first = f(row())
    activation = flow.relu
    return first, f(other())


@situation("test_misc")
def the_variable_is_a_list(wrap: Wrap) -> Any:
    ks = [1.0, 2.0]
    f = wrap(lambda x: x * ks[0] + ks[1])
    results = [f(row())]
    ks[0] = 3.0
    results.append(f(row()))
    ks = [4.0, 5.0]
    return [*results, f(row())]


@situation("test_misc")
def the_variable_is_a_module_of_nn(wrap: Wrap) -> Any:
    layer = linear()
    f = wrap(lambda x: layer(x))
    results = [f(grid())]
    with flow.no_grad():
        layer.weight.mul_(2)
    results.append(f(grid()))
    layer = linear(3, 2)
    return [*results, f(grid())]


@situation("test_misc")
def a_cell_is_written_from_outside(wrap: Wrap) -> Any:
    k = 2.0

    def f(x):
        return x * k

    g = wrap(f)
    first = g(row())
    f.__closure__[0].cell_contents = 6.0
    return first, g(row())


@situation("test_global")
def a_global_variable_changes(wrap: Wrap) -> Any:
    global SCALE
    SCALE = 2.0
    f = wrap(lambda x: helper(x) + SCALE)
    results = [f(row())]
    SCALE = 3.0
    results.append(f(row()))
    SCALE = 2.0
    return [*results, f(row())]


@situation("test_global")
def a_global_counter(wrap: Wrap) -> Any:
    global COUNT
    COUNT = 0

    @wrap
    def f(x):
        global COUNT
        COUNT += 1
        return x + COUNT

    return f(row()), f(row()), COUNT, f(row()), COUNT


@situation("test_global")
def a_global_tensor_is_set(wrap: Wrap) -> Any:
    global TENSOR
    TENSOR = flow.zeros(3)

    @wrap
    def f(x):
        global TENSOR
        TENSOR = TENSOR + x
        return TENSOR * 2

    return f(row()), f(row()), TENSOR


@situation("test_global")
def a_global_tensor_is_written(wrap: Wrap) -> Any:
    global TENSOR
    TENSOR = flow.zeros(3)

    @wrap
    def f(x):
        TENSOR.add_(x)
        return TENSOR * 2

    first = f(row())
    TENSOR = row()
    return first, f(row()), TENSOR


@situation("test_global")
def a_global_variable_that_is_new(wrap: Wrap) -> Any:
    globals().pop("MADE", None)

    @wrap
    def f(x):
        global MADE
        MADE = x * 2
        return MADE + 1

    return f(row()), globals()["MADE"], f(other()), globals().pop("MADE")


@situation("test_global")
def a_global_variable_is_deleted(wrap: Wrap) -> Any:
    globals()["GONE"] = 2.0
    f = wrap(lambda x: x * GONE)  # noqa: F821
    first = f(row())
    del globals()["GONE"]
    return first, error_of(f, row())


@situation("test_global")
def a_global_list_and_dict_and_object(wrap: Wrap) -> Any:
    ITEMS[:] = [row()]
    TABLE.clear()
    HOLDER.__dict__.clear()

    @wrap
    def f(x):
        ITEMS.append(x * 2)
        TABLE["last"] = x + 1
        HOLDER.x = x - 1
        return ITEMS[0] + len(ITEMS)

    return f(row()), f(other()), ITEMS[:], dict(TABLE), vars(HOLDER).copy()


@situation("test_global")
def a_helper_sets_a_global(wrap: Wrap) -> Any:
    global COUNT
    COUNT = 10

    def bump():
        global COUNT
        COUNT += 5

    @wrap
    def f(x):
        bump()
        return x + COUNT

    return f(row()), f(row()), COUNT


@situation("test_global")
def globals_as_a_dict(wrap: Wrap) -> Any:
    globals()["KEY"] = 2.0
    f = wrap(lambda x: x * globals()["KEY"])
    first = f(row())
    globals()["KEY"] = 3.0
    return first, f(row()), globals().pop("KEY")


@situation("test_global")
def a_variable_of_another_module(wrap: Wrap) -> Any:
    module = types.ModuleType("settings_of_this_test")
    module.SCALE = 2.0
    exec("def scaled(x): return x * SCALE", module.__dict__)
    f = wrap(lambda x: module.scaled(x) + module.SCALE)
    first = f(row())
    module.SCALE = 3.0
    return first, f(row())


@situation("test_global")
def a_module_that_is_imported_inside(wrap: Wrap) -> Any:
    module = sys.modules["settings_of_this_test"] = types.ModuleType("settings_of_this_test")
    module.SCALE = 2.0

    @wrap
    def f(x):
        import settings_of_this_test

        return x * settings_of_this_test.SCALE

    first = f(row())
    module.SCALE = 3.0
    second = f(row())
    del sys.modules["settings_of_this_test"]
    return first, second


@situation("test_misc")
def a_global_hides_a_builtin(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * len([1, 2]))
    first = f(row())
    globals()["len"] = lambda values: 5
    second = f(row())
    del globals()["len"]
    return first, second, f(row())


@situation("test_misc")
def an_op_is_patched(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.nn.functional.relu(x))
    first = f(other())
    kept = flow.nn.functional.relu
    flow.nn.functional.relu = lambda x: x * 2
    try:
        return first, f(other())
    finally:
        flow.nn.functional.relu = kept


@situation("test_misc")
def the_global_of_a_helper_two_calls_down(wrap: Wrap) -> Any:
    global SCALE
    SCALE = 2.0

    def middle(x):
        return helper(x) + 1

    f = wrap(lambda x: middle(x))
    first = f(row())
    SCALE = 5.0
    second = f(row())
    SCALE = 2.0
    return first, second


@situation("test_misc")
def a_helper_that_comes_as_an_argument_reads_a_global(wrap: Wrap) -> Any:
    global SCALE
    SCALE = 2.0
    f = wrap(lambda x, function: function(x))
    first = f(row(), helper)
    SCALE = 5.0
    second = f(row(), helper)
    SCALE = 2.0
    return first, second


@situation("test_misc")
def a_helper_in_a_dict_reads_a_closure(wrap: Wrap) -> Any:
    k = 2.0
    table = {"f": [lambda x: x * k]}
    f = wrap(lambda x: table["f"][0](x))
    first = f(row())
    k = 3.0
    return first, f(row())


@situation("test_misc")
def a_helper_that_a_call_makes_reads_a_closure(wrap: Wrap) -> Any:
    k = 2.0

    def make():
        return lambda x: x * k

    f = wrap(lambda x: make()(x))
    first = f(row())
    k = 3.0
    return first, f(row())


@situation("test_misc")
def locals_as_a_dict(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        k = 3
        return x * locals()["k"] + len(locals())

    return f(row())


@situation("test_misc")
def exec_and_eval(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        scope = {"x": x}
        exec("y = x * 2", scope)
        return eval("y + 1", scope)

    return f(row()), f(other())


@situation("test_repros")
def the_body_of_a_class_reads_a_variable(wrap: Wrap) -> Any:
    k = 2.0

    @wrap
    def f(x):
        class Local:
            scale = k

        return x * Local.scale

    first = f(row())
    k = 3.0
    return first, f(row())


@situation("test_higher_order_ops")
def a_module_is_changed_inside(wrap: Wrap) -> Any:
    layer = linear()

    @wrap
    def f(x):
        layer.note = x * 2
        layer.calls = getattr(layer, "calls", 0) + 1
        return layer(x) * layer.calls

    return f(grid()), f(grid()), layer.calls, layer.note


@situation("test_higher_order_ops")
def an_attribute_of_an_outer_object_is_deleted(wrap: Wrap) -> Any:
    holder = types.SimpleNamespace(k=2.0)

    @wrap
    def f(x):
        y = x * holder.k
        del holder.k
        return y

    first = f(row())
    return first, hasattr(holder, "k"), error_of(f, row())


@situation("test_higher_order_ops")
def a_variable_that_only_the_second_branch_reads(wrap: Wrap) -> Any:
    a, b = 2.0, 3.0
    f = wrap(lambda x, first: x * a if first else x * b)
    results = [f(row(), True), f(row(), False)]
    b = 5.0
    results += [f(row(), True), f(row(), False)]
    a = 7.0
    return [*results, f(row(), True), f(row(), False)]


@situation("test_misc")
def sys_modules_and_flags(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * (2 if "numpy" in sys.modules else 3) + (sys.version_info >= (3, 10)))
    return f(row())


@situation("test_misc")
def a_variable_that_changes_while_the_function_runs(wrap: Wrap) -> Any:
    k = 1.0

    def later():
        nonlocal k
        k = k + 1.0
        return k

    f = wrap(lambda x: x * k + x * later() + x * k)
    return f(row()), f(row()), k


@situation("test_functions")
def an_inner_function_is_defined_anew(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        one = lambda a, b: a + b

        def inner():
            return one(x, y)

        result = inner()
        one = lambda a, b: a - b
        return result, inner()

    return f(row(), other())


@situation("test_misc")
def a_nested_function_is_compiled_later(wrap: Wrap) -> Any:
    out: Any = None

    def outer(a, b):
        c = a + b

        def inner(k=7, g=9.0):
            nonlocal out
            out = a + b * 10
            return c * k - g

        return inner

    inner = wrap(outer(row(), other()))
    return inner(1.5), out, inner(), out


# ------------------------------------------------------------------------------------------- functions that the function makes


@situation("test_higher_order_ops")
def functions_with_variables_are_returned(wrap: Wrap) -> Any:
    @wrap
    def make(x):
        count = 0

        def step(y):
            nonlocal count
            count += 1
            return x * count + y

        def read():
            return count

        return step, read

    (first, read_first), (second, read_second) = make(row()), make(other())
    return first(1), first(1), second(1), read_first(), read_second(), first is second


@situation("test_higher_order_ops")
def functions_that_call_themselves_are_returned(wrap: Wrap) -> Any:
    @wrap
    def make(x):
        def product(k):
            return x if k <= 0 else product(k - 1) * k

        def even(k):
            return x if k <= 0 else odd(k - 1)

        def odd(k):
            return x * 2 if k <= 0 else even(k - 1)

        return {"product": product, "even": even, "odd": odd}

    make(row())
    made = make(other())
    return made["product"](3), made["even"](3), made["odd"](2)


@situation("test_functions")
def functions_with_defaults_and_attributes_are_returned(wrap: Wrap) -> Any:
    @wrap
    def make(x, k):
        def scaled(y, by=x * 2, *, more=k):
            """Its text."""
            return y * by * more

        scaled.total = x.sum()
        return scaled, functools.partial(scaled, 2), types.MethodType(lambda self, y: self["x"] * y, {"x": x})

    make(row(), 2)
    scaled, partial, method = make(other(), 3)
    return scaled(2), scaled.total, scaled.__name__, scaled.__doc__, partial(), method(2)


@situation("test_misc")
def functions_are_kept_in_a_list(wrap: Wrap) -> Any:
    kept, shift = [], [1.0]

    @wrap
    def f(x):
        kept.append(lambda y: x * y + shift[0])
        return x * 2

    f(row())
    f(other())
    found = [each(2) for each in kept]
    shift[0] = 5.0
    return found, [each(2) for each in kept]
