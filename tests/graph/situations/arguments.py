"""Numbers, shapes and dtypes: their kinds, what is computed with them, and arrays of NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, other, row, situation


@situation("test_unspec")
def an_int_stays_an_int(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, k // 2, k % 2, k**2, type(k) is int, isinstance(k, int)))
    return f(flow.tensor([1, 2]), 3), f(flow.tensor([1, 2]), 4), f(row(), 5)


@situation("test_unspec")
def a_float_stays_a_float(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, k / 2, round(k), int(k), type(k) is float, k.is_integer()))
    return f(flow.tensor([1, 2]), 3.0), f(flow.tensor([1, 2]), 4.5), f(row(), 5.0)


@situation("test_unspec")
def the_same_number_as_an_int_a_float_and_a_bool(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k)
    ids = flow.tensor([1, 2])
    return f(ids, 1), f(ids, 1.0), f(ids, True), f(ids, 1)


@situation("test_unspec")
def tensors_of_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda k: (flow.full((2,), k), flow.tensor(k), flow.tensor([k, k]), flow.as_tensor(k)))
    return f(2), f(3), f(2.5), f(True)


@situation("test_unspec")
def comparisons_with_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x > k, k >= x, x == k, k == 2))
    return f(flow.tensor([1, 2, 3]), 2), f(flow.tensor([1, 2, 3]), 2.5), f(row(), 2)


@situation("test_unspec")
def math_of_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * math.sqrt(k) + math.floor(k) + abs(-k) + max(k, 3) + min(k, 1.5) + math.pi)
    return f(row(), 4), f(row(), 2.25)


@situation("test_unspec")
def divisions_of_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, a, b: (x * (a / b), a // b, divmod(a, b), -a // b, a % -b))
    return f(row(), 7, 2), f(row(), 7.5, 2), f(row(), -7, 2)


@situation("test_unspec")
def bits_of_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * (k << 2) + (k >> 1) + (k & 3) + (k | 8) + (k ^ 5) + ~k)
    return f(row(), 6), f(row(), 9)


@situation("test_unspec")
def a_number_is_a_dimension(wrap: Wrap) -> Any:
    f = wrap(lambda x, dim: x.sum(dim))
    return f(grid(), 0), f(grid(), 1), f(grid(), -1), error_of(f, grid(), 5)[0]


@situation("test_unspec")
def a_number_is_a_shape(wrap: Wrap) -> Any:
    f = wrap(lambda x, n: flow.zeros(n, 2) + x.sum() + flow.arange(n)[:, None])
    return f(row(), 2), f(row(), 3), f(row(), 2)


@situation("test_unspec")
def a_number_is_a_bound_of_a_slice(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x[:k] * k)
    return f(row(), 1), f(row(), 2), f(row(), -1)


@situation("test_unspec")
def a_number_is_an_index(wrap: Wrap) -> Any:
    values = [2.0, 3.0]
    f = wrap(lambda x, k: x[k] * values[k] + [5, 6][k])
    return f(row(), 0), f(row(), 1), f(row(), 0)


@situation("test_unspec")
def a_number_is_a_count(wrap: Wrap) -> Any:
    @wrap
    def f(x, n):
        for _ in range(n):
            x = x + n
        return x

    return f(row(), 2), f(row(), 3), f(row(), 0)


@situation("test_unspec")
def a_number_is_a_key(wrap: Wrap) -> Any:
    table = {1: 2.0, 2: 5.0}
    f = wrap(lambda x, k: x * table.get(k, 1.0))
    return f(row(), 1), f(row(), 2), f(row(), 3)


@situation("test_unspec")
def a_number_is_in_a_text(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, f"k is {k}", str(k)))
    return f(row(), 2), f(row(), 3), f(row(), 2.5)


@situation("test_unspec")
def special_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, k != k, math.isinf(k)))
    return f(row(), float("inf")), f(row(), float("nan")), f(row(), -0.0), f(row(), float("nan"))


@situation("test_unspec")
def large_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x + k)
    return f(flow.tensor([1]), 2**40), f(flow.tensor([1]), -(2**62)), f(row().double(), 1e300)


@situation("test_unspec")
def zero_and_one(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k if k else x - 1)
    return f(row(), 0), f(row(), 1), f(row(), 0.0), f(row(), 2)


@situation("test_unspec")
def complex_numbers_of_python(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k + k.imag)
    return f(row(), 2 + 1j), f(row(), 3j)


@situation("test_unspec")
def numbers_of_numpy(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k)
    return f(row(), numpy.float32(2)), f(row(), numpy.int64(3)), f(row(), numpy.float64(2.5)), f(row(), numpy.float32(4))


@situation("test_unspec")
def a_bool_of_numpy(wrap: Wrap) -> Any:
    f = wrap(lambda x, on: x * 2 if on else x)
    return f(row(), numpy.bool_(True)), f(row(), numpy.bool_(False))


@situation("test_unspec")
def many_values_of_a_number(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k)
    return [f(row(), k * 0.5) for k in range(20)]


@situation("test_unspec")
def many_values_of_a_number_that_decides(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k if k % 3 else x)
    return [f(row(), k) for k in range(8)]


@situation("test_unspec")
def precision_of_a_number(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x + k)
    return f(row().double(), 1 / 3), f(row(), 1e-9), f(flow.tensor([16777217]), 1)


@situation("test_unspec")
def bool_arguments(wrap: Wrap) -> Any:
    f = wrap(lambda x, on: (x * on, x + 1 if on else x - 1, not on))
    return f(row(), True), f(row(), False)


@situation("test_dynamic_shapes")
def shapes_vary(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x.shape[0]).sum() + x.size(-1))
    return [f(flow.ones(n, 2)) for n in (1, 2, 3, 2)]


@situation("test_dynamic_shapes")
def ranks_vary(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.reshape(-1) * x.dim())
    return f(row()), f(grid()), f(flow.tensor(2.0)), f(flow.ones(1, 2, 1))


@situation("test_dynamic_shapes")
def empty_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, x.sum(), x.numel()))
    return f(flow.ones(0)), f(flow.ones(2, 0)), f(row())


@situation("test_dynamic_shapes")
def sizes_that_are_compared(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x + 1 if x.shape == y.shape else x.sum() + y.sum())
    return f(row(), other()), f(row(), grid()), f(grid(), grid())


@situation("test_dynamic_shapes")
def arithmetic_of_sizes(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        rows, columns = x.shape
        return x.reshape(columns, rows) * (rows // 2 + columns % 2), math.prod(x.shape), x.shape[:-1] + (1,), [*x.size()]

    return f(grid()), f(flow.ones(4, 1))


@situation("test_dynamic_shapes")
def broadcasting(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x + y)
    return f(row(), grid()), f(grid(), row()), f(row(), flow.tensor(2.0)), f(flow.ones(3, 1), flow.ones(1, 2))


@situation("test_misc")
def dtypes_vary(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 + 1)
    return [f(row().to(dtype)) for dtype in (flow.float32, flow.float64, flow.int32, flow.int64, flow.bfloat16)]


@situation("test_misc")
def dtypes_are_promoted(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x + y, x * 2.0, flow.promote_types(x.dtype, y.dtype), flow.result_type(x, y)))
    return f(flow.tensor([1, 2]), flow.tensor([0.5, 1.5])), f(flow.tensor([True, False]), flow.tensor([1, 2]))


@situation("test_misc")
def casts_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x, like: (x.to(flow.float64), x.to(like), x.long(), x.bool(), x.type_as(like), x.half().float()))
    return f(row(), flow.tensor([1])), f(row(), flow.tensor([1.0]))


@situation("test_misc")
def attributes_of_a_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        facts = (x.ndim, x.numel(), x.nelement(), x.element_size(), x.dtype, x.device, x.layout, x.is_leaf, x.requires_grad)
        return x * x.itemsize, [str(fact) for fact in facts], x.is_complex(), x.is_cuda, x.is_sparse

    return f(grid()), f(flow.tensor([1, 2]))


@situation("test_misc")
def new_tensors_like_another(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.new_zeros(2), x.new_tensor([1, 2]), flow.ones_like(x), x.new_full((2,), 3), flow.empty_like(x).fill_(1)))
    return f(row()), f(flow.tensor([1, 2]))


@situation("test_misc")
def constants_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * flow.tensor([1.0, 2.0, 3.0]) + flow.eye(3) + flow.arange(3) + flow.linspace(0, 1, 3))
    return f(row()), f(other())


@situation("test_misc")
def a_constant_that_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        total = flow.tensor([0.0, 0.0, 0.0])
        total += x
        return total

    return f(row()), f(other()), f(row())


@situation("test_misc")
def a_view_of_a_constant_that_is_written(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x + 1, flow.tensor([1.0, 2.0, 3.0])[:2]))
    f(row())[1].add_(5)
    return f(row())


@situation("test_misc")
def results_over_one_constant(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        table = flow.tensor([1.0, 2.0, 3.0])
        return x + 1, table, table[:2], table.detach()

    for _ in range(2):
        _, whole, part, detached = f(row())
        part.add_(5)
        detached.mul_(2)
    return whole, part, detached


@situation("test_misc")
def a_copy_of_a_constant_that_is_written(wrap: Wrap) -> Any:
    table = flow.tensor([1.0, 2.0, 3.0], device="cpu")

    @wrap
    def f(x):
        total = table.to(x.device, copy=True)
        total += x
        return total

    return f(row()), f(other()), f(row()), table


@situation("test_misc")
def finfo_and_iinfo(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.clamp(min=flow.finfo(x.dtype).min / 2) * flow.iinfo(flow.int8).max)
    return f(row())


@situation("test_misc")
def is_tensor_and_isinstance(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if flow.is_tensor(x) and isinstance(x, flow.Tensor) else flow.ones(2))
    return f(row()), f({"a": row()}), f(3)


@situation("test_misc")
def numpy_arrays_as_arguments(wrap: Wrap) -> Any:
    f = wrap(lambda x, a: x + flow.from_numpy(a))
    return f(row(), numpy.ones(3, numpy.float32)), f(row(), numpy.zeros(3, numpy.float32))


@situation("test_misc")
def a_numpy_function(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: numpy.sum(a * b + 1))
    return f(numpy.arange(3.0), numpy.ones(3)), f(numpy.arange(4.0), numpy.ones(4))


@situation("test_misc")
def a_numpy_array_outside(wrap: Wrap) -> Any:
    table = numpy.array([1.0, 2.0, 3.0], dtype=numpy.float32)
    f = wrap(lambda x: x * flow.tensor(table) + float(table[0]))
    first = f(row())
    table[0] = 7
    return first, f(row())


@situation("test_misc")
def numpy_numbers_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * numpy.sqrt(4.0) + numpy.array([1, 2]).sum() + int(numpy.int64(3)))
    return f(row())


@situation("test_misc")
def a_result_that_is_a_numpy_array(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2).numpy())
    return f(row()), f(other())


@situation("test_misc")
def tensors_of_lists(wrap: Wrap) -> Any:
    f = wrap(lambda x, values: x + flow.tensor(values) + flow.as_tensor(values))
    return f(row(), [1.0, 2.0, 3.0]), f(row(), [1, 2, 3]), f(row(), (4.0, 5.0, 6.0))


@situation("test_misc")
def a_tensor_of_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.stack([x, x * 2]) + flow.stack([k * x.sum() for k in (1, 2)])[:, None])
    return f(row())


@situation("test_misc")
def sizes_as_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.tensor(x.shape) + x.sum().long())
    return f(grid()), f(row())


@situation("test_misc")
def reductions_with_names(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        values, indices = x.max(dim=1)
        found = x.sort(dim=1, descending=True)
        return values, indices, found.values, found[1], type(found).__name__

    return f(grid())


@situation("test_misc")
def indexing_of_every_kind(wrap: Wrap) -> Any:
    @wrap
    def f(x, ids):
        return x[0], x[:, None], x[..., -1], x[ids], x[[1, 0]], x[ids, ids], x[:, ::2], x[None, 1, 1:]

    return f(grid(), flow.tensor([1, 0]))


@situation("test_misc")
def an_index_that_is_a_tensor_of_one_number(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x[k] * 2)
    return f(row(), flow.tensor(1)), f(row(), flow.tensor(2)), f(grid(), flow.tensor(0))


@situation("test_misc")
def a_tensor_indexes_a_list(wrap: Wrap) -> Any:
    values = [row(), other()]
    f = wrap(lambda x, k: x * values[k])
    return f(row(), flow.tensor(1)), f(row(), flow.tensor(0))


@situation("test_misc")
def a_tensor_is_a_number(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x[: int(k)] * 2)
    return f(row(), flow.tensor(1)), f(row(), flow.tensor(2))


@situation("test_misc")
def operators_with_swapped_sides(wrap: Wrap) -> Any:
    f = wrap(lambda x: (2 - x, 6 / x, 2**x, 7 // x, 5 % x, 1 + -x, +x, abs(-x), 3 < x, True & (x > 1)))
    return f(row())


@situation("test_misc")
def matmul_operators(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: (a @ b.T, a.mT @ b, a @ b[0]))
    return f(grid(), grid())


@situation("test_misc")
def einsum_and_unpacking(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        a, b = x.unbind()
        (c, d, e), _ = x
        return flow.einsum("i,j->ij", a, b), c + d + e, flow.einsum("ij->j", x)

    return f(grid())


@situation("test_misc")
def a_view_of_another_dtype(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.view(flow.int32) + 1)
    return f(row())


@situation("test_misc")
def complex_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x: (flow.complex(x, x * 2).real, flow.complex(x, x * 2).imag, flow.view_as_real(flow.complex(x, x))))
    return f(row())


@situation("test_misc")
def nonzero_and_unique(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.nonzero(), flow.unique(x)))
    return f(flow.tensor([1, 0, 2])), f(flow.tensor([0, 0, 2]))


@situation("test_misc")
def repeat_interleave_by_a_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x, n: x.repeat_interleave(n))
    return f(row(), flow.tensor([1, 2, 0])), f(row(), flow.tensor([2, 2, 2]))


@situation("test_misc")
def distributions_inside(wrap: Wrap) -> Any:
    f = wrap(lambda p: flow.distributions.Categorical(probs=p).entropy())
    return f(flow.tensor([0.25, 0.75])), f(flow.tensor([0.5, 0.5]))


@situation("test_misc")
def a_sample_of_a_distribution(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.distributions.Normal(x, 1.0).rsample())
    flow.manual_seed(1)
    return f(row()), f(row())


@situation("test_misc")
def types_of_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x, kind: x * 2 if isinstance(x, kind) else x * 3)
    return f(row(), flow.Tensor), f(row(), flow.nn.Parameter), wrap(lambda x: type(x) is flow.Tensor)(row())


@situation("test_misc")
def leaf_tensors_of_two_kinds(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if x.requires_grad else x * 3)
    return f(row()), f(leaf()), f(flow.nn.Parameter(row()))


@situation("test_misc")
def complex_of_python(wrap: Wrap) -> Any:
    f = wrap(lambda x: [x + z for z in (0j, complex(2, 3), complex(imag=2), complex("1+2j"), complex(1, 2).conjugate())])
    return f(row())


@situation("test_misc")
def the_truth_of_a_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x: bool((x == 0).all()))
    return f(flow.zeros(2)), f(row()), error_of(wrap(lambda x: bool(x)), row())[0]


@situation("test_misc")
def new_tensors_of_counted_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.new_tensor([x.nonzero().shape[0], x.shape[0]]))
    return f(flow.tensor([1, 0, 5])), f(flow.tensor([0, 0]))


@situation("test_misc")
def unpacking_fails(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        a, b = x
        return a + b

    return f(grid()), error_of(f, row())[0], error_of(f, flow.tensor(2.0))[0]


@situation("test_functions")
def operators_of_numbers_and_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: +x * +y)
    return f(row(), 1), f(1, row()), f(-1, -1), f(-1.5, 2), f(True, False)


@situation("test_misc")
def types_that_stand_for_dtypes(wrap: Wrap) -> Any:
    f = wrap(lambda table, kind, x: x.to(table[kind]) * 2)
    table = {bool: flow.float32, int: flow.int64}
    return f(table, bool, row()), f(table, int, row())


@situation("test_misc")
def only_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda *numbers: 0 if sum(numbers) == 0 else len(numbers))
    return f(1, 2, 3), f(1, -1), f(*range(50))


@situation("test_repros")
def a_complex_factor_with_gradients(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.view_as_real(flow.view_as_complex(x) * 2j))
    x = flow.ones(3, 2, requires_grad=True)
    y = f(x)
    y.sum().backward()
    return y, x.grad


@situation("test_repros")
def a_view_of_another_stride_in_each_call(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x * y)
    return [f(flow.arange(4.0 * n).reshape(4, n)[:, :1], flow.ones(4, 1)) for n in (1, 2, 3)]


# --------------------------------------------------------------------------------------------- kinds of numbers and of containers


@situation("test_unspec")
def zeros_have_a_sign(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * math.copysign(1.0, k), k, str(k)))
    g = wrap(lambda x, k: (x * k.real, k))
    return [f(row(), k) for k in (0.0, -0.0, 0, 0.0)], [g(row(), k) for k in (1 - 0j, 1 + 0j)]


@situation("test_unspec")
def numbers_that_are_no_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * 2 if k != k else x * 3, int(k == k), repr(k)))
    return [f(row(), k) for k in (math.nan, 1.0, math.nan, math.inf, 2**70, True, 1)]


@situation("test_unspec")
def powers_are_of_several_kinds(wrap: Wrap) -> Any:
    f = wrap(lambda x, a, b: x * abs(a**b))
    return [f(flow.tensor([1, 2]), *ab) for ab in ((2, 3), (2, 4), (2, -1), (-2, 3), (-2, 0.5), (4.0, 0.5), (-4.0, 0.5))]


@situation("test_unspec")
def numbers_of_numpy_keep_their_class(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * k, k, k + 1, type(k), isinstance(k, float)))
    g = wrap(lambda x, k: x * k)
    kinds = (numpy.float64(2), numpy.float32(3), numpy.int8(100), numpy.int64(2), numpy.bool_(True), 2.0, numpy.float32(4))
    return [f(row(), k) for k in kinds], [g(row(), k) for k in kinds]


@situation("test_dicts")
def equal_keys_of_several_classes(wrap: Wrap) -> Any:
    f = wrap(lambda table: (table[1] * 2, [type(key) for key in table]))
    return f({1: row()}), f({True: row()}), f({1.0: row()})


@situation("test_dicts")
def a_number_becomes_a_key(wrap: Wrap) -> Any:
    table: dict[Any, int] = {}

    @wrap
    def f(x, k):
        table[k] = table.get(k, 0) + 1
        return x * table[k]

    return [f(row(), k) for k in (1, 1, 2, 1.5)], [(key, type(key)) for key in table], table


@situation("test_misc")
def an_argument_is_in_a_variable_too(wrap: Wrap) -> Any:
    items, table, held = [1, 2], {"k": 1}, row()
    box = {"table": table}

    @wrap
    def appended(x, given):
        given.append(5)
        return x * len(items)

    @wrap
    def counted(x, given):
        box["table"]["k"] += 1
        return x * given["k"]

    same = wrap(lambda x, given: x * 2 if given is items else x * 3)
    same_tensor = wrap(lambda x: x * 2 if x is held else x * 3)
    return (
        [appended(row(), given) for given in ([1], items, [1], items)],
        [counted(row(), given) for given in ({"k": 7}, table)],
        [same(row(), given) for given in ([1, 2], items)],
        [same_tensor(given) for given in (row(), held, row())],
        items,
        table,
    )


@situation("test_misc")
def containers_of_users_classes_are_made_once(wrap: Wrap) -> Any:
    class Table(dict):
        sets = 0

        def __setitem__(self, key, value):
            Table.sets += 1
            super().__setitem__(key, value)

    class Items(list):
        made = 0

        def __init__(self, *values):
            Items.made += 1
            super().__init__(*values)

    class Pair(tuple):
        def __new__(cls, a, b):
            return super().__new__(cls, (a, b * 2))

    @wrap
    def f(table, items, pair):
        table["y"] = table["x"] * 2
        items.append(1)
        return table["y"] * sum(items) * pair[1]

    table, items, pair = Table(x=row()), Items([1]), Pair(1, 2)
    return f(table, items, pair), f(table, items, pair), Table.sets, Items.made, dict(table), list(items), tuple(pair)


@situation("test_misc")
def equal_arguments_that_are_not_the_same(wrap: Wrap) -> Any:
    class Text(str):
        factor = 1

    class Scale:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return x * self.factor

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

    first, second = Text("a"), Text("a")
    second.factor = 5
    by_text = wrap(lambda x, text: x * text.factor)
    by_scale = wrap(lambda x, scale: scale(x))
    by_set = wrap(lambda x, chosen: (x * len(chosen), [type(each) for each in chosen]))
    by_range = wrap(lambda x, numbers: (x * len(numbers), numbers.stop))
    return (
        [by_text(row(), text) for text in (first, second, first)],
        [by_scale(row(), scale) for scale in (Scale(2), Scale(3))],
        [by_set(row(), chosen) for chosen in (frozenset([1]), frozenset([True]), frozenset([1.0]))],
        [by_range(row(), numbers) for numbers in (range(0, 3, 2), range(0, 4, 2))],
    )


@situation("test_misc")
def slices_as_arguments(wrap: Wrap) -> Any:
    f = wrap(lambda x, part: (x[part] * 2, part, part.start))
    return [f(row(), part) for part in (slice(0, 2), slice(1, None), slice(0, 2), slice(None, None, 2))]
