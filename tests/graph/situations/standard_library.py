"""Strings, builtins, and what of the standard library stands around tensors."""

from __future__ import annotations

import bisect
import collections
import copy
import dataclasses
import enum
import functools
import heapq
import inspect
import itertools
import json
import math
import operator
import re
import typing
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, other, row, situation


class Mode(enum.Enum):
    ADD = 1
    SCALE = 2

    def apply(self, x: flow.Tensor) -> flow.Tensor:
        return x + 1 if self is Mode.ADD else x * 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Name(str, enum.Enum):
    LEFT = "left"


@situation("test_misc")
def f_strings(wrap: Wrap) -> Any:
    @wrap
    def f(x, name):
        texts = [f"{name!r:>8} has {x.shape[0]:03d} rows", "{} {a}".format(name, a=1), "%s-%d" % (name, 2)]  # noqa: UP031, UP032
        return x * len(name), texts

    return f(row(), "ab"), f(row(), "abc")


@situation("test_misc")
def methods_of_strings(wrap: Wrap) -> Any:
    @wrap
    def f(x, name):
        if name.startswith("layer.") and name.endswith("weight"):
            x = x * int(name.split(".")[1])
        return x, name.upper().replace("L", "-"), name[::-1], ".".join(["a", "b"]), name.count("e"), name.partition(".")

    return f(row(), "layer.3.weight"), f(row(), "bias")


@situation("test_misc")
def strings_are_compared_and_repeated(wrap: Wrap) -> Any:
    f = wrap(lambda x, a, b: (x * 2 if a < b else x, a * 2 + b, a.encode(), ord(a[0]), hash(a) == hash(b)))
    return f(row(), "a", "b"), f(row(), "b", "a"), f(row(), "a", "a")


@situation("test_misc")
def a_tensor_in_a_text(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, str(x), f"{x.sum()}"))
    return f(row()), f(other())


@situation("test_misc")
def the_text_of_a_dtype_and_a_shape(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, f"{x.dtype} {tuple(x.shape)} {x.device}"))
    return f(row()), f(grid())


@situation("test_misc")
def bytes_and_numbers_as_texts(wrap: Wrap) -> Any:
    f = wrap(lambda x, data: (x * data[0], data.decode(), int("0x1f", 16), float("2.5"), bin(5), hex(255), oct(8)))
    return f(row(), b"ab"), f(row(), b"c")


@situation("test_functions")
def min_and_max(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (x * max(k, 3, 2), min([k, 5]), max("ab", "c", key=len), max((), default=k), min(x.shape[0], k)))
    return f(row(), 2), f(row(), 7)


@situation("test_functions")
def max_of_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: max(x.sum(), y.sum()))
    return f(row(), other()), f(other(), row())


@situation("test_functions")
def sum_and_any_and_all(wrap: Wrap) -> Any:
    f = wrap(lambda x, ks: (sum([x * k for k in ks]), sum(ks), sum(ks, 5), any(ks), all(ks), any(k > 2 for k in ks)))
    return f(row(), [1, 2]), f(row(), [0, 3])


@situation("test_functions")
def abs_round_pow_divmod(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: (abs(-x), round(k, 1), pow(x, 2), pow(2, 3), divmod(7, 2), pow(k, 2)))
    return f(row(), 2.55), f(row(), -3.14)


@situation("test_functions")
def sorted_and_reversed_and_enumerate(wrap: Wrap) -> Any:
    @wrap
    def f(x, ks):
        return [x * k for k in sorted(ks)], list(reversed(ks)), list(enumerate(ks, 2)), sorted(ks, key=lambda k: -k)

    return f(row(), [3, 1]), f(row(), (2, 5, 4))


@situation("test_functions")
def zip_and_map_and_filter(wrap: Wrap) -> Any:
    @wrap
    def f(x, ks):
        return [a * k for a, k in zip([x, x + 1], ks)], list(map(lambda a, b: a + b, ks, ks)), list(filter(lambda k: k > 1, ks))

    return f(row(), [1, 2]), f(row(), [3])


@situation("test_functions")
def zip_strict(wrap: Wrap) -> Any:
    f = wrap(lambda x, ks: [a * k for a, k in zip([x, x], ks, strict=True)])
    return f(row(), [1, 2]), error_of(f, row(), [1])


@situation("test_functions")
def isinstance_of_many(wrap: Wrap) -> Any:
    f = wrap(lambda x, v: x * 2 if isinstance(v, (int, str)) else x * 3 if isinstance(v, (list | tuple)) else x)
    return [f(row(), v) for v in (1, "a", [1], (1,), None, 2.5, True)]


@situation("test_functions")
def types_as_values(wrap: Wrap) -> Any:
    f = wrap(lambda x, v: (x * {int: 2, float: 3, str: 4}.get(type(v), 5), type(v) is int, type(v).__name__))
    return f(row(), 1), f(row(), 1.0), f(row(), "a"), f(row(), None)


@situation("test_functions")
def getattr_setattr_hasattr_of_functions(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.relu(x) + (1 if hasattr(flow, "no_such_op") else 2) + getattr(x, "nothing", 3))
    return f(other())


@situation("test_functions")
def callable_and_id_and_hash(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x * 2 if id(x) == id(y) else x * 3, callable(len), hash((1, 2)) == hash((1, 2))))
    x = row()
    return f(x, x), f(x, other())


@situation("test_functions")
def int_float_bool_str(wrap: Wrap) -> Any:
    f = wrap(lambda x, v: x * int(v) + float(v) + bool(v) + len(str(v)))
    return f(row(), 2), f(row(), 2.5), f(row(), True), f(row(), "3")


@situation("test_functions")
def ranges_and_slices_of_builtins(wrap: Wrap) -> Any:
    f = wrap(lambda x, n: ([x * k for k in range(n)], list(range(n, 0, -1)), range(n) == range(n), slice(1, n).indices(5)))
    return f(row(), 2), f(row(), 3)


@situation("test_itertools")
def chain_and_islice(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        chained = itertools.chain([x], (x + 1, x + 2), itertools.chain.from_iterable([[x]]))
        return [a * 2 for a in itertools.islice(chained, 1, 4)]

    return f(row())


@situation("test_itertools")
def product_and_combinations(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        total = x
        for a, b in itertools.product([1, 2], repeat=2):
            total = total + a * b
        pairs = list(itertools.combinations("abc", 2)), list(itertools.permutations((1, 2)))
        return total, pairs, list(itertools.combinations_with_replacement("ab", 2))

    return f(row())


@situation("test_itertools")
def endless_iterators(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        numbers = [k for k, _ in zip(itertools.count(3, 2), range(3))]
        again = [k for k, _ in zip(itertools.cycle([1, 2]), range(5))]
        return x * sum(numbers), again, [x * k for k in itertools.repeat(2, 2)]

    return f(row())


@situation("test_itertools")
def accumulate(wrap: Wrap) -> Any:
    f = wrap(lambda x: (list(itertools.accumulate([x, x, x])), list(itertools.accumulate([1, 2, 3], operator.mul, initial=2))))
    return f(row())


@situation("test_itertools")
def groupby_and_others(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        groups = {k: list(v) for k, v in itertools.groupby([1, 3, 2, 4], key=lambda n: n % 2)}
        dropped = list(itertools.dropwhile(lambda n: n < 3, [1, 3, 2]))
        taken = list(itertools.takewhile(lambda n: n < 3, [1, 3, 2]))
        pairs = list(itertools.zip_longest([1], [2, 3])), list(itertools.pairwise("abc"))
        return x * len(groups), groups, dropped, taken, pairs, list(itertools.starmap(pow, [(2, 3)]))

    return f(row())


@situation("test_itertools")
def tee_and_compress(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        a, b = itertools.tee([x, x * 2])
        return list(a), next(b), list(itertools.compress("abc", [1, 0, 1])), list(itertools.filterfalse(None, [0, 1]))

    return f(row())


@situation("test_itertools")
def a_counter_of_itertools_outside(wrap: Wrap) -> Any:
    count = itertools.count(1)
    f = wrap(lambda x: x * next(count))
    return f(row()), f(row()), next(count)


@situation("test_functools")
def reduce(wrap: Wrap) -> Any:
    f = wrap(lambda x: (functools.reduce(operator.add, [x, x * 2, x * 3]), functools.reduce(lambda a, b: a * b, [1, 2, 3], x)))
    return f(row())


@situation("test_functools")
def a_cached_function(wrap: Wrap) -> Any:
    calls: list[int] = []

    @functools.lru_cache
    def size(n):
        calls.append(n)
        return n * 2

    f = wrap(lambda x, n: x * size(n))
    return f(row(), 2), f(row(), 3), f(row(), 2), calls


@situation("test_functools")
def a_cached_function_of_a_tensor(wrap: Wrap) -> Any:
    @functools.cache
    def table(n):
        return flow.arange(float(n))

    f = wrap(lambda x: x + table(x.shape[0]))
    first = f(row()), f(flow.ones(2)), f(row())
    table(3).add_(10)
    return first, f(row())


@situation("test_functools")
def wraps(wrap: Wrap) -> Any:
    def logged(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            return function(*args, **kwargs) + 1

        return inner

    @wrap
    @logged
    def f(x):
        """Twice."""
        return x * 2

    return f(row()), f.__name__, f.__doc__


@situation("test_functools")
def singledispatch(wrap: Wrap) -> Any:
    @functools.singledispatch
    def scaled(v, x):
        return x

    @scaled.register
    def _(v: int, x):
        return x * v

    @scaled.register
    def _(v: str, x):
        return x * len(v)

    f = wrap(lambda x, v: scaled(v, x))
    return f(row(), 2), f(row(), "abc"), f(row(), None)


@situation("test_functools")
def cmp_to_key_and_partialmethod(wrap: Wrap) -> Any:
    class Net:
        def scale(self, x, k):
            return x * k

        double = functools.partialmethod(scale, k=2)

    net = Net()
    f = wrap(lambda x: (net.double(x), sorted([3, 1], key=functools.cmp_to_key(lambda a, b: a - b))))
    return f(row())


@situation("test_misc")
def functions_of_operator(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        item, shape, add = operator.itemgetter(1), operator.attrgetter("shape"), operator.methodcaller("add", 1)
        return operator.add(x, y), operator.neg(x), item([x, y]), tuple(shape(x)), add(x), operator.truth(3), operator.index(4)

    return f(row(), other())


@situation("test_misc")
def in_place_functions_of_operator(wrap: Wrap) -> Any:
    @wrap
    def f(x, values):
        x = operator.iadd(x, 1)
        values = operator.iadd(values, [2])
        operator.setitem(values, 0, 9)
        return x, values, operator.contains(values, 2), operator.length_hint(values)

    x, values = row(), [1]
    return f(x, values), x, values


@situation("test_misc")
def functions_of_math(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        whole = math.ceil(k) + math.log2(8) + math.prod([2, 3]) + math.gcd(6, 4)
        return x * math.exp(-k) + whole + math.fsum([0.5, 0.5]) + math.radians(180)

    return f(row(), 0.5), f(row(), 2)


@situation("test_misc")
def math_of_a_shape(wrap: Wrap) -> Any:
    f = wrap(lambda x: x / math.sqrt(x.shape[-1]) * math.prod(x.shape) + math.isqrt(x.numel()))
    return f(grid()), f(row())


@situation("test_misc")
def math_of_a_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * math.sqrt(x.sum()))
    return f(row()), f(row() * 2)


@situation("test_misc")
def enums(wrap: Wrap) -> Any:
    f = wrap(lambda x, mode: (mode.apply(x), mode is Mode.ADD, mode.name, mode.value))
    return f(row(), Mode.ADD), f(row(), Mode.SCALE), f(row(), Mode.ADD)


@situation("test_misc")
def enums_as_keys_and_numbers(wrap: Wrap) -> Any:
    table = {Mode.ADD: 2.0, Mode.SCALE: 3.0}
    f = wrap(lambda x, mode: x * table[mode] + Level.HIGH + len(Mode) + (Name.LEFT == "left"))
    first = f(row(), Mode.ADD), f(row(), Mode.SCALE)
    table[Mode.ADD] = 5.0
    return first, f(row(), Mode.ADD)


@situation("test_misc")
def enums_by_name_and_value(wrap: Wrap) -> Any:
    f = wrap(lambda x, name: x * Mode[name].value + Mode(2).value + sum(level for level in Level))
    return f(row(), "ADD"), f(row(), "SCALE")


@situation("test_misc")
def an_enum_that_is_an_int_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, level: x * level if level > Level.LOW else x)
    return f(row(), Level.HIGH), f(row(), Level.LOW), f(row(), 3)


@situation("test_misc")
def flags_of_enum(wrap: Wrap) -> Any:
    class Part(enum.Flag):
        BIAS = enum.auto()
        SCALE = enum.auto()

    f = wrap(lambda x, part: (x * 2 if Part.SCALE in part else x) + (1 if part & Part.BIAS else 0))
    return f(row(), Part.BIAS), f(row(), Part.BIAS | Part.SCALE)


@situation("test_misc")
def functions_of_dataclasses(wrap: Wrap) -> Any:
    @dataclasses.dataclass
    class Options:
        scale: float = 2.0
        shift: float = 1.0

    @wrap
    def f(x, options):
        changed = dataclasses.replace(options, scale=options.scale + 1)
        return x * changed.scale + len(dataclasses.fields(options)), dataclasses.asdict(changed), changed == options

    return f(row(), Options()), f(row(), Options(3.0))


@situation("test_misc")
def post_init_and_default_factory(wrap: Wrap) -> Any:
    @dataclasses.dataclass
    class State:
        x: Any
        parts: list[Any] = dataclasses.field(default_factory=list)

        def __post_init__(self):
            self.parts.append(self.x * 2)

    return wrap(lambda x: State(x).parts[0] + State(x).x)(row())


@situation("test_misc")
def signatures(wrap: Wrap) -> Any:
    def helper(x, scale=2, *, shift=1):
        return x * scale + shift

    @wrap
    def f(x, options):
        known = inspect.signature(helper).parameters
        return helper(x, **{k: v for k, v in options.items() if k in known})

    return f(row(), {"scale": 3, "other": 4}), f(row(), {"shift": 5})


@situation("test_misc")
def bound_arguments(wrap: Wrap) -> Any:
    def helper(x, scale=2):
        return x * scale

    @wrap
    def f(x):
        bound = inspect.signature(helper).bind(x)
        bound.apply_defaults()
        return helper(*bound.args, **bound.kwargs) * len(bound.arguments)

    return f(row())


@situation("test_misc")
def questions_of_inspect(wrap: Wrap) -> Any:
    f = wrap(lambda x, v: x * 2 if inspect.isfunction(v) else x * 3 if inspect.isclass(v) else x)
    return f(row(), row), f(row(), int), f(row(), None)


@situation("test_misc")
def copies_of_containers(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        tree = {"a": [x, 1]}
        shallow, deep = copy.copy(tree), copy.deepcopy({"k": [1, {"b": 2}]})
        shallow["a"].append(2)
        deep["k"].append(3)
        return tree, deep

    return f(row())


@situation("test_misc")
def heaps_and_bisection(wrap: Wrap) -> Any:
    @wrap
    def f(x, ks):
        heap = list(ks)
        heapq.heapify(heap)
        heapq.heappush(heap, 0)
        return x * heapq.heappop(heap) + heap[0], bisect.bisect([1, 3, 5], ks[0]), heapq.nlargest(2, ks)

    return f(row(), [3, 1, 2]), f(row(), [5, 4])


@situation("test_misc")
def regular_expressions(wrap: Wrap) -> Any:
    @wrap
    def f(x, name):
        found = re.match(r"layer(\d+)", name)
        return x * int(found.group(1)) if found else x

    return f(row(), "layer3.weight"), f(row(), "bias"), f(row(), "layer5")


@situation("test_misc")
def json_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x, text: (x * json.loads(text)["k"], json.dumps({"n": x.shape[0]})))
    return f(row(), '{"k": 2}'), f(row(), '{"k": 3}')


@situation("test_misc")
def typing_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        optional = typing.Optional[int] == (int | None)  # noqa: UP045
        return typing.cast(flow.Tensor, x) * 2, typing.get_args(list[int])[0] is int, optional

    return f(row())


@situation("test_misc")
def a_tree_is_flattened(wrap: Wrap) -> Any:
    def leaves(tree):
        if isinstance(tree, dict):
            return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
        if isinstance(tree, (list, tuple)):
            return [leaf for each in tree for leaf in leaves(each)]
        return [tree]

    f = wrap(lambda tree: [leaf * 2 for leaf in leaves(tree)])
    return f({"b": row(), "a": (other(), [row(), 3])}), f([1, row()])


@situation("test_misc")
def named_tuples_of_collections(wrap: Wrap) -> Any:
    Point = collections.namedtuple("Point", "x y", defaults=[2])

    @wrap
    def f(x):
        point = Point(x)
        return point, point.x * point.y, Point._fields, Point(x=x, y=3)

    return f(row())


@situation("test_misc")
def user_string_and_decimal(wrap: Wrap) -> Any:
    from decimal import Decimal
    from fractions import Fraction

    f = wrap(lambda x: x * float(Decimal("0.5") + Decimal("1.5")) + float(Fraction(1, 2)))
    return f(row())


@situation("test_misc")
def paths_and_urls(wrap: Wrap) -> Any:
    from pathlib import PurePosixPath

    f = wrap(lambda x, path: x * len(PurePosixPath(path).parts))
    return f(row(), "a/b/c"), f(row(), "a")


@situation("test_misc")
def dates(wrap: Wrap) -> Any:
    import datetime

    f = wrap(lambda x, day: x * day.month + (day - datetime.date(2020, 1, 1)).days)
    return f(row(), datetime.date(2020, 3, 1)), f(row(), datetime.date(2020, 4, 1))


@situation("test_misc")
def arrays_of_python(wrap: Wrap) -> Any:
    import array

    values = array.array("d", [1.0, 2.0])
    f = wrap(lambda x: x * values[1])
    first = f(row())
    values[1] = 5.0
    return first, f(row())


@situation("test_misc")
def a_simple_namespace(wrap: Wrap) -> Any:
    from types import SimpleNamespace

    f = wrap(lambda x: SimpleNamespace(y=x * 2, k=3))
    return f(row()), f(other())
