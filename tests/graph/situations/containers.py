"""Lists, tuples, dicts, sets and deques: as arguments, as results, and as states that move."""

from __future__ import annotations

import collections
import types
import weakref
from typing import Any, NamedTuple

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, linear, other, row, situation

Pair = collections.namedtuple("Pair", ["first", "second"])


class Named(NamedTuple):
    left: flow.Tensor
    right: flow.Tensor
    scale: float = 2.0

    def total(self) -> flow.Tensor:
        return (self.left + self.right) * self.scale


class PlainDict(dict):
    pass


@situation("test_functions")
def lists_of_tensors(wrap: Wrap) -> Any:
    f = wrap(lambda values: values[0] + values[-1] * len(values))
    return f([row(), other()]), f([row(), other(), row()])


@situation("test_functions")
def nested_containers(wrap: Wrap) -> Any:
    f = wrap(lambda tree: {"sum": tree["a"][0] + tree["b"]["c"], "rest": (tree["a"][1], [tree["b"]["k"]])})
    return f({"a": [row(), other()], "b": {"c": row(), "k": 3}})


@situation("test_functions")
def an_argument_list_grows(wrap: Wrap) -> Any:
    @wrap
    def f(values, x):
        values.append(x * 2)
        return len(values)

    values: list[Any] = []
    return f(values, row()), f(values, other()), values


@situation("test_functions")
def an_argument_list_is_changed_in_every_way(wrap: Wrap) -> Any:
    @wrap
    def f(values, x):
        values.extend([x, x + 1])
        values.insert(0, x * 3)
        values.pop(1)
        values.reverse()
        values[0] = x - 1
        del values[-1]
        values += [x]
        return values

    values = [row(), other()]
    result = f(values, row())
    return values, result, f(values, other()), values


@situation("test_functions")
def an_argument_list_is_cleared(wrap: Wrap) -> Any:
    @wrap
    def f(values):
        total = values[0] + values[1]
        values.clear()
        return total

    values = [row(), other()]
    return f(values), values


@situation("test_functions")
def slices_of_an_argument_list_are_assigned(wrap: Wrap) -> Any:
    @wrap
    def f(values, x):
        values[1:3] = [x, x, x]
        return values[::2]

    values = [row(), row(), other(), other()]
    return f(values, row() * 5), values


@situation("test_functions")
def a_local_list_grows(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        values = []
        for k in range(3):
            values.append(x * k)
        return values, len(values)

    return f(row()), f(other())


@situation("test_repros")
def a_list_is_its_own_element(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        values: list[Any] = [x]
        values.append(values)
        return values[1][0] + 1

    return f(row())


@situation("test_functions")
def methods_of_lists(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        numbers = [3, 1, 2]
        numbers.sort()
        copy = numbers.copy()
        copy.remove(2)
        return x * numbers.index(3) + copy.count(1), numbers, copy, numbers * 2, [0] + numbers, numbers == [1, 2, 3]

    return f(row())


@situation("test_functions")
def a_list_is_sorted_by_a_key(wrap: Wrap) -> Any:
    f = wrap(lambda x: [t * k for k, t in sorted([(2, x), (1, x + 1)], key=lambda pair: pair[0], reverse=True)])
    return f(row())


@situation("test_functions")
def an_error_of_a_list(wrap: Wrap) -> Any:
    return error_of(wrap(lambda x, k: [x][k]), row(), 1), error_of(wrap(lambda x: x + [1, 2].index(7)), row())


@situation("test_functions")
def tuples(wrap: Wrap) -> Any:
    @wrap
    def f(pair):
        a, b = pair
        pair += (a + b,)
        return pair, pair[1:], (a,) * 2, len(pair)

    return f((row(), other()))


@situation("test_functions")
def tuples_are_compared(wrap: Wrap) -> Any:
    f = wrap(lambda x, size: x + 1 if (x.shape[0], 1) < size else x - 1)
    return f(row(), (3, 2)), f(row(), (2, 9)), f(row(), (3, 1))


@situation("test_misc")
def named_tuples(wrap: Wrap) -> Any:
    @wrap
    def f(pair):
        a, b = pair
        return Pair(pair.first + b, pair[1] * len(pair._fields)), pair._replace(first=a * 2)

    return f(Pair(row(), other()))


@situation("test_misc")
def named_tuples_with_methods(wrap: Wrap) -> Any:
    f = wrap(lambda named: (named.total(), Named(named.right, named.left), named._asdict()))
    return f(Named(row(), other())), f(Named(row(), other(), 3.0))


@situation("test_misc")
def a_named_tuple_is_no_tuple(wrap: Wrap) -> Any:
    f = wrap(lambda pair: pair[0] + 1 if isinstance(pair, Pair) else pair[0] - 1)
    return f(Pair(row(), other())), f((row(), other())), f(Named(row(), other()))


@situation("test_misc")
def the_size_of_a_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        size = x.size()
        return x + size[0], size, flow.Size([2, 2]), size.numel(), tuple(size), size + (1,), type(size[1:])

    return f(grid())


@situation("test_functions")
def dict_arguments(wrap: Wrap) -> Any:
    @wrap
    def f(inputs):
        total = inputs["a"] * 0
        for key, value in inputs.items():
            total = total + value * len(key)
        return total, list(inputs), "a" in inputs, inputs.get("z", 1), len(inputs)

    return f({"a": row(), "bb": other()}), f({"bb": row(), "a": other()}), f({"a": row()})


@situation("test_dicts")
def the_order_of_a_dict(wrap: Wrap) -> Any:
    @wrap
    def f(x, table):
        for key, value in table.items():
            x = x * key + value
        return x

    table = {2: 4, 3: 5}
    first = f(row(), table)
    table[2] = table.pop(2)
    return first, f(row(), table)


@situation("test_dicts")
def the_order_of_a_dict_outside(wrap: Wrap) -> Any:
    table = {2: 4, 3: 5}

    @wrap
    def f(x):
        for key in table:
            x = x * key + table[key]
        return x

    first = f(row())
    table[2] = table.pop(2)
    return first, f(row())


@situation("test_dicts")
def an_argument_dict_is_changed(wrap: Wrap) -> Any:
    @wrap
    def f(table):
        table["c"] = table["a"] + table.pop("b")
        return table

    table = {"a": row(), "b": other()}
    result = f(table)
    return table, result


@situation("test_dicts")
def an_argument_dict_grows_with_each_call(wrap: Wrap) -> Any:
    @wrap
    def f(table, x):
        table[len(table)] = x * 2
        return x + len(table)

    table: dict[Any, Any] = {}
    return f(table, row()), f(table, other()), f(table, row()), table


@situation("test_dicts")
def methods_that_change_a_dict(wrap: Wrap) -> Any:
    @wrap
    def f(table, x):
        table.update(b=x * 2, c=x)
        table.setdefault("d", x + 1)
        table.setdefault("a", x + 9)
        popped = table.popitem()
        table |= {"e": x}
        return popped, table.pop("zz", None)

    table = {"a": row()}
    return f(table, other()), table


@situation("test_dicts")
def a_dict_is_copied(wrap: Wrap) -> Any:
    @wrap
    def f(x, table):
        copy = table.copy()
        copy[0] = 1
        return x + 1, copy

    table: dict[Any, Any] = {}
    return f(row(), table), table


@situation("test_dicts")
def an_empty_dict(wrap: Wrap) -> Any:
    f = wrap(lambda x, table: x + 1 if table else x - 1)
    return f(row(), {}), f(row(), {"a": 1}), f(row(), {})


@situation("test_dicts")
def a_key_comes_into_a_dict_outside(wrap: Wrap) -> Any:
    table = {2: 5, 4: 10}
    f = wrap(lambda x: x * 2 if 1 in table else x * 3)
    first = f(row())
    table[1] = 15
    second = f(row())
    del table[1]
    return first, second, f(row())


@situation("test_dicts")
def a_value_of_a_dict_outside_changes(wrap: Wrap) -> Any:
    table = {"a": 2, "b": row(), "c": [3]}
    f = wrap(lambda x: x * table["a"] + table["b"] * table["c"][0])
    results = [f(row())]
    table["a"] = 4
    results.append(f(row()))
    table["b"] = other()
    results.append(f(row()))
    table["c"][0] = 7
    return [*results, f(row())]


@situation("test_dicts")
def an_unused_key_changes(wrap: Wrap) -> Any:
    table = {"a": 2, "b": 3}
    f = wrap(lambda x: x * table["a"])
    first = f(row())
    table.pop("b")
    table["z"] = 9
    return first, f(row())


@situation("test_dicts")
def a_dict_in_a_dict_in_a_dict(wrap: Wrap) -> Any:
    table = {"model": {"scale": {"value": 2.0}}}
    f = wrap(lambda x: x * table["model"]["scale"]["value"])
    first = f(row())
    table["model"]["scale"]["value"] = 3.0
    second = f(row())
    table["model"]["scale"] = {"value": 4.0}
    return first, second, f(row())


@situation("test_dicts")
def a_large_dict_outside(wrap: Wrap) -> Any:
    table = {k: float(k) for k in range(200)}
    f = wrap(lambda x: x * table[150])
    first = f(row())
    table[150] = 2.0
    return first, f(row())


@situation("test_dicts")
def a_subclass_of_dict_is_made(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        table = PlainDict(x=x * 5)
        table["y"] = 10
        return table

    return f(row()), f(other())


@situation("test_dicts")
def a_subclass_of_dict_outside(wrap: Wrap) -> Any:
    table = PlainDict({2: 5, 4: 10})
    table.attribute = 4

    @wrap
    def f(x):
        for key, value in table.items():
            x = x * key + value
        return x * table.attribute + len(table) + table.get(3, 7)

    first = f(row())
    table[6] = 15
    second = f(row())
    table.attribute = 1
    return first, second, f(row())


@situation("test_dicts")
def a_subclass_of_dict_as_an_argument_is_changed(wrap: Wrap) -> Any:
    @wrap
    def f(table, x):
        for value in table.values():
            x = x * value
        table[6] = 14
        return x

    table = PlainDict({2: 5})
    return f(table, row()), table, f(table, row())


@situation("test_dicts")
def a_dict_whose_items_are_attributes(wrap: Wrap) -> Any:
    class Dotted(dict):
        __getattr__ = dict.get
        __setattr__ = dict.__setitem__

    config = Dotted({"a": 1, "b": 2})
    f = wrap(lambda x: x * config.b + config.get("a", 3))
    first = f(row())
    config.b = 5
    return first, f(row())


@situation("test_dicts")
def a_dict_with_a_setter_of_its_own(wrap: Wrap) -> Any:
    class Adds(dict):
        def __setitem__(self, key, value):
            super().__setitem__(key, value + 1)

    @wrap
    def f(x):
        table = Adds(x=x)
        table["y"] = x
        return table

    return f(row())


@situation("test_dicts")
def ordered_dicts(wrap: Wrap) -> Any:
    table = collections.OrderedDict([(2, 4), (3, 5)])

    @wrap
    def f(x):
        for k, value in enumerate(table.values()):
            x = x * value + k
        return x

    first = f(row())
    table.move_to_end(2)
    return first, f(row())


@situation("test_functions")
def default_dicts(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        groups = collections.defaultdict(list)
        for k in range(4):
            groups[k % 2].append(x * k)
        return dict(groups), len(groups[5])

    return f(row())


@situation("test_functions")
def a_default_dict_outside_makes_an_entry(wrap: Wrap) -> Any:
    counts: dict[str, int] = collections.defaultdict(int)

    @wrap
    def f(x, name):
        counts[name] += 1
        return x * counts[name]

    return f(row(), "a"), f(row(), "b"), f(row(), "a"), dict(counts)


@situation("test_dicts")
def other_mappings(wrap: Wrap) -> Any:
    source = {"a": row(), "k": 2}
    proxy, chain = types.MappingProxyType(source), collections.ChainMap({"k": 5}, source)
    f = wrap(lambda x: x * proxy["k"] + chain["k"] + chain["a"])
    first = f(row())
    source["k"] = 3
    chain["k"] = 7
    return first, f(row())


@situation("test_dicts")
def a_user_dict(wrap: Wrap) -> Any:
    class Table(collections.UserDict):
        pass

    table = Table(a=2)
    f = wrap(lambda x: x * table["a"])
    first = f(row())
    table["a"] = 3
    return first, f(row())


@situation("test_dicts")
def a_weak_dictionary_of_modules(wrap: Wrap) -> Any:
    one, two = linear(), linear()
    states = weakref.WeakKeyDictionary({one: 2})
    f = wrap(lambda x: x * states[one] + (3 if two in states else 0))
    first = f(row())
    states[two] = 1
    second = f(row())
    states[one] = 7
    return first, second, f(row())


@situation("test_dicts")
def keys_that_are_no_texts(wrap: Wrap) -> Any:
    f = wrap(lambda table, x: table[3] + table[(1, "a")] + table[None] + x)
    return f({3: row(), (1, "a"): other(), None: 2}, row())


@situation("test_dicts")
def keys_that_are_types_and_functions(wrap: Wrap) -> Any:
    table = {list: 2, flow.relu: 3, collections.OrderedDict: 4}
    f = wrap(lambda x: x * table[type([])] + table[flow.relu])
    first = f(row())
    table[list] = 5
    return first, f(row())


@situation("test_dicts")
def keys_that_are_modules_and_tensors(wrap: Wrap) -> Any:
    layer, tensor = linear(), other()
    table = {layer: 2, tensor: 3}
    f = wrap(lambda x: layer(x) * table[layer] + table[tensor])
    first = f(grid())
    table[layer] = 5
    return first, f(grid())


@situation("test_dicts")
def views_of_dicts(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        total = 0
        for key in sorted(a.keys() | b.keys()):
            total = total + a.get(key, 0) + b.get(key, 0)
        return total, sorted(a.keys() & b.keys()), ("a", 1) in {"a": 1}.items(), list(reversed(a))

    return f({"a": row(), "b": other()}, {"b": row(), "c": other()})


@situation("test_dicts")
def dict_comprehensions_and_merges(wrap: Wrap) -> Any:
    f = wrap(lambda inputs: ({k: v + 1 for k, v in inputs.items()}, inputs | {"z": inputs["a"]}, dict.fromkeys("pq", 2)))
    return f({"a": row(), "b": other()})


@situation("test_dicts")
def errors_of_dicts(wrap: Wrap) -> Any:
    f = wrap(lambda table, key: table[key] + 1)
    return error_of(f, {"a": row()}, "b"), f({"a": row()}, "a"), error_of(wrap(lambda x: {}.popitem()), row())


@situation("test_misc")
def sets(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        names = {"a", "b"}
        names.add("c")
        names.discard("a")
        return x * len(names | {"d"}), "b" in names, names & {"b"}, names - {"b"}, names <= {"b", "c"}, frozenset(names)

    return f(row())


@situation("test_misc")
def a_set_outside_changes(wrap: Wrap) -> Any:
    names = {"a", "b"}
    f = wrap(lambda x: x * 2 if "c" in names else x * 3)
    first = f(row())
    names.add("c")
    return first, f(row())


@situation("test_misc")
def a_set_outside_grows_inside(wrap: Wrap) -> Any:
    seen: set[str] = set()

    @wrap
    def f(x, name):
        new = name not in seen
        seen.add(name)
        return x * 2 if new else x * 3

    return f(row(), "a"), f(row(), "a"), f(row(), "b"), f(row(), "a"), seen


@situation("test_misc")
def a_set_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, names: x * len(names) if "a" in names else x)
    return f(row(), {"a", "b"}), f(row(), {"b"}), f(row(), frozenset({"a"}))


@situation("test_misc")
def a_set_of_tensors(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        found = {x, y, x}
        return x * len(found), y in found

    return f(row(), other())


@situation("test_misc")
def deques(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        queue = collections.deque([x, x + 1], maxlen=3)
        queue.append(x + 2)
        queue.appendleft(x + 3)
        queue.extend([x])
        return queue.popleft() + queue[0] * len(queue), queue

    return f(row())


@situation("test_misc")
def a_deque_outside(wrap: Wrap) -> Any:
    history = collections.deque([row()], maxlen=2)

    @wrap
    def f(x):
        history.append(x * 2)
        return sum(history)

    return f(row()), f(other()), f(row()), history


@situation("test_misc")
def a_deque_as_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda queue: queue[0] + queue[-1] * len(queue))
    return f(collections.deque([row(), other()])), f(collections.deque([row()]))


@situation("test_repros")
def a_list_outside_grows(wrap: Wrap) -> Any:
    seen: list[Any] = []

    @wrap
    def f(x):
        seen.append(x * 2)
        return x + len(seen)

    return f(row()), f(other()), f(row()), seen


@situation("test_repros")
def a_list_outside_is_a_cache(wrap: Wrap) -> Any:
    cache: list[Any] = [None]

    @wrap
    def f(x):
        if cache[0] is None:
            cache[0] = x * 10
        return cache[0] + x

    return f(row()), f(other()), cache


@situation("test_repros")
def a_dict_outside_is_a_cache_by_shape(wrap: Wrap) -> Any:
    cache: dict[Any, Any] = {}

    @wrap
    def f(x):
        if x.shape not in cache:
            cache[x.shape] = flow.ones(x.shape) * len(cache)
        return cache[x.shape] + x

    results = [f(row()), f(grid()), f(row()), f(grid())]
    cache.clear()
    return results, f(grid()), f(row())


@situation("test_repros")
def a_tensor_in_a_list_outside_is_replaced(wrap: Wrap) -> Any:
    state = [row()]

    @wrap
    def f(x):
        state[0] = state[0] * 0.5 + x
        return state[0] + 1

    return f(row()), f(row()), f(row()), state


@situation("test_repros")
def a_tensor_in_a_dict_outside_is_replaced(wrap: Wrap) -> Any:
    state = {"h": row()}

    @wrap
    def f(x):
        state["h"] = state["h"] + x
        return state["h"] * 2

    first = f(row())
    state["h"] = other()
    return first, f(row()), state


@situation("test_repros")
def a_list_outside_is_replaced_between(wrap: Wrap) -> Any:
    weights = [row(), other()]
    f = wrap(lambda x: sum(w * x for w in weights))
    first = f(row())
    weights.append(row())
    second = f(row())
    weights[0] = other()
    return first, second, f(row())


@situation("test_functions")
def a_list_subclass(wrap: Wrap) -> Any:
    class Stack(list):
        def top(self):
            return self[-1]

    stack = Stack([row()])
    f = wrap(lambda x: stack.top() + x)
    first = f(row())
    stack.append(other())
    return first, f(row()), wrap(lambda x: Stack([x, x * 2]))(row())


@situation("test_functions")
def a_user_list(wrap: Wrap) -> Any:
    values = collections.UserList([1, 2])
    f = wrap(lambda x: x * len(values) + values[0])
    first = f(row())
    values.append(3)
    return first, f(row())


@situation("test_functions")
def ranges(wrap: Wrap) -> Any:
    @wrap
    def f(x, r):
        for k in r:
            x = x + k
        return x * len(r), r[-1], list(reversed(r)), 2 in r

    return f(row(), range(3)), f(row(), range(1, 7, 2)), f(row(), range(3))


@situation("test_functions")
def slices(wrap: Wrap) -> Any:
    f = wrap(lambda x, s: x[s] + 1)
    return f(row(), slice(1, 3)), f(row(), slice(None, None, 2)), wrap(lambda x: x[slice(0, x.shape[0] - 1)])(row())


@situation("test_misc")
def the_same_container_twice_in_the_result(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        inner = [x * 2]
        return inner, inner, {"a": inner}

    return f(row())


@situation("test_misc")
def an_argument_list_is_returned(wrap: Wrap) -> Any:
    f = wrap(lambda values: (values, values[0] + 1))
    values = [row()]
    return values, f(values), f(values)


@situation("test_misc")
def a_list_multiplied_is_one_list(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        rows: list[Any] = [[None] * 2] * 2
        rows[0][0] = x
        rows[1][1] = rows[1][0] + 1
        return rows[0]

    return f(row())


@situation("test_misc")
def counters_of_collections(wrap: Wrap) -> Any:
    f = wrap(lambda x, text: (x * collections.Counter(text)["a"], collections.Counter(text).most_common(1)))
    return f(row(), "banana"), f(row(), "abc")


@situation("test_model_output")
def an_ordered_dict_with_attributes_is_returned(wrap: Wrap) -> Any:
    class Output(collections.OrderedDict):
        def __getattr__(self, name):
            return self[name]

        def to_tuple(self):
            return tuple(self.values())

    @wrap
    def f(x):
        output = Output(logits=x * 2)
        output["loss"] = output.logits.sum()
        return output, output.to_tuple()[0] + 1

    return f(row())


@situation("test_pytree")
def a_container_that_is_a_user_class(wrap: Wrap) -> Any:
    class Batch:
        def __init__(self, x, y):
            self.x, self.y = x, y

    f = wrap(lambda batch: Batch(batch.x + batch.y, batch.y))
    return f(Batch(row(), other())), f(Batch(other(), row()))


@situation("test_misc")
def an_empty_container(wrap: Wrap) -> Any:
    f = wrap(lambda x, values: (x * 2, [], (), {}, values))
    return f(row(), []), f(row(), ())


@situation("test_dicts")
def set_operations_of_dict_views(wrap: Wrap) -> Any:
    @wrap
    def f(x, a, b):
        keys = a.keys() | {"z"}, a.keys() - b.keys(), a.keys() ^ b.keys(), a.items() & b.items(), a.keys() <= b.keys()
        rest = a.keys()
        rest &= b.keys()
        return x * len(keys[0]), keys, rest, a

    return f(row(), {"a": 1, "b": 2}, {"b": 2, "c": 3})


@situation("test_dicts")
def a_missing_key_of_a_subclass(wrap: Wrap) -> Any:
    class Counts(dict):
        def __missing__(self, key):
            self[key] = len(key)
            return self[key]

    counts = Counts()
    f = wrap(lambda x, name: x * counts[name])
    first = f(row(), "ab"), f(row(), "abc")
    counts["ab"] = 7
    return first, f(row(), "ab"), dict(counts)


@situation("test_dicts")
def default_dicts_keep_their_factory(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        counts = collections.defaultdict(int, {"a": 1})
        copy = counts.copy()
        copy |= {"b": 2}
        copy["c"] += 3
        return x * copy["c"] + counts["zz"], copy, copy.default_factory is int

    return f(row())


@situation("test_dicts")
def a_dict_from_other_mappings(wrap: Wrap) -> Any:
    class Mapping:
        def __init__(self, x):
            self.x = x

        def keys(self):
            return ["a", "b"]

        def __getitem__(self, key):
            return self.x * len(key)

    @wrap
    def f(x):
        table = dict(Mapping(x), c=x)
        table.update(Mapping(x + 1))
        table.update([("d", 2)])
        return {**table, **Mapping(x - 1)}

    return f(row())


@situation("test_dicts")
def the_texts_of_containers(wrap: Wrap) -> Any:
    f = wrap(lambda x, table: (x * len(table), repr(table), str([1, (2,)]), repr(collections.OrderedDict(a=1))))
    return f(row(), {"a": 1}), f(row(), {"a": 2, "b": None})


@situation("test_dicts")
def containers_are_compared(wrap: Wrap) -> Any:
    f = wrap(lambda x, a, b: (x * 2 if a == b else x, a != b, [a] == [b], (1, a) == (1, b)))
    return f(row(), {"a": 1}, {"a": 1}), f(row(), {"a": 1}, {"a": 2}), f(row(), [1, 2], [1, 2])


@situation("test_misc")
def a_named_tuple_with_an_attribute_more(wrap: Wrap) -> Any:
    class Wider(Pair):
        pass

    @wrap
    def f(pair):
        pair.note = pair.first * 2
        return pair.note + pair.second

    pair = Wider(row(), other())
    return f(pair), pair.note


@situation("test_misc")
def frozen_sets_as_keys(wrap: Wrap) -> Any:
    table = {frozenset({0}): {frozenset({1, 2}): 3}}
    f = wrap(lambda x: x + table[frozenset({0})][frozenset({2, 1})])
    first = f(row())
    table[frozenset({0})][frozenset({1, 2})] = 5
    return first, f(row())


@situation("test_aot_autograd")
def one_tensor_under_two_keys(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: {"a": x, "b": x, "c": y + x, "d": [x]})
    x = row()
    return x, f(x, other())


@situation("test_sets")
def set_methods(wrap: Wrap) -> Any:
    @wrap
    def f(x, names):
        names.update({"c"}, ["d"])
        names.remove("a")
        names.difference_update({"d"})
        names.intersection_update({"b", "c", "e"})
        names.symmetric_difference_update({"e"})
        return x * len(names), sorted(names), names.isdisjoint({"z"}), names.issuperset({"b"}), names.union("q")

    names = {"a", "b"}
    return f(row(), names), names, error_of(f, row(), set())[0]


@situation("test_list")
def errors_of_lists(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: [x].pop(k))
    return f(row(), 0), error_of(f, row(), 3), error_of(wrap(lambda x: [x].remove(1)), row())[0]


@situation("test_tuple")
def tuple_subclasses(wrap: Wrap) -> Any:
    class Point(tuple):
        def __new__(cls, *values):
            return super().__new__(cls, values)

        def total(self):
            return self[0] + self[1]

    f = wrap(lambda x: (Point(x, x * 2).total(), Point(x, 3)))
    return f(row()), wrap(lambda point: point.total())(Point(row(), other()))


@situation("test_misc")
def dtypes_and_devices_as_keys(wrap: Wrap) -> Any:
    table = {flow.float32: 2.0, flow.int64: 3, row().device: 4.0}
    f = wrap(lambda x: x * table[x.dtype] + table[x.device])
    first = f(row()), f(flow.tensor([1, 2]))
    table[flow.float32] = 5.0
    return first, f(row())


@situation("test_repros")
def a_list_in_the_loop_that_changes_it(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        todo, done = [1, 2, 3], []
        while todo:
            k = todo.pop()
            if k == 3:
                todo.append(0)
            done.append(x * k)
        return done

    return f(row())


@situation("test_dicts")
def what_makes_the_items_of_a_default_dict_changes(wrap: Wrap) -> Any:
    counts = collections.defaultdict(lambda: 2)

    @wrap
    def f(x):
        counts["b"] += 1
        return x * (counts["a"] + counts["b"])

    results = [f(row()), list(counts.items())]
    counts.clear()
    results += [f(row()), list(counts.items()), f(row()), list(counts.items())]
    counts.clear()
    counts.default_factory = lambda: 5
    return [*results, f(row()), list(counts.items())]


@situation("test_dicts")
def a_counter_is_updated(wrap: Wrap) -> Any:
    seen = collections.Counter("a")

    @wrap
    def f(x):
        seen.update("ab")
        return x * seen["a"]

    return [f(row()), f(row()), seen]


@situation("test_misc")
def containers_that_have_themselves(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        items, table = [x * 2], {"x": x * 3}
        items.append(items)
        table["own"] = table
        return items, table

    f(row())
    items, table = f(other())
    return items[1] is items, table["own"] is table, items[0], table["x"]


@situation("test_dicts")
def a_tensor_of_the_call_becomes_a_key(wrap: Wrap) -> Any:
    table: dict[Any, int] = {}

    @wrap
    def f(x, k):
        table[x, k] = len(table)
        table[x] = table.get(x, 0) + 1
        return x * table[x]

    first = row()
    return f(first, 1), f(first, 1), f(other(), 1), len(table), table[first]
