"""Objects among arguments: which they are, what else leads to them, and what is one object twice."""

from __future__ import annotations

import collections
import gc
import weakref
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.argument_programs import Cases, Thing, Wrap, four, row, seen

CASES = Cases()
case = CASES.case


def two_by_turns(f: Any, one: Any, other: Any) -> list[Any]:
    return [seen(f(thing)) for thing in (other, one, other, one, other, one)]


# ---------------------------------------------------------------------------------------------- which object an argument is


@case(2)
def a_key_of_a_dict(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    table = {one: 2}
    return two_by_turns(wrap(lambda p: p.x * (2 if p in table else 3)), one, other)


@case(2)
def a_key_of_a_dict_in_a_tuple(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    table = {(one, 1): 2}
    return two_by_turns(wrap(lambda p: p.x * table.get((p, 1), 3)), one, other)


@case(2)
def in_a_list_of_keys(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    table = {one: 2}
    return two_by_turns(wrap(lambda p: p.x * (2 if p in list(table) else 3)), one, other)


@case()
def added_to_a_set(wrap: Wrap) -> Any:
    known: set[Any] = set()

    def noted(p: Any) -> Any:
        known.add(p)
        return p.x * len(known)

    one, other = Thing(x=row()), Thing(x=row(1))
    return two_by_turns(wrap(noted), one, other), one in known


@case(2)
def a_key_of_a_weak_dict(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    table = weakref.WeakKeyDictionary({one: 2.0, other: 3.0})
    return two_by_turns(wrap(lambda p: p.x * table[p]), one, other), two_by_turns(lambda p: table.get(p), one, other)


@case(2)
def asked_of_a_weak_dict(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    table = weakref.WeakKeyDictionary({one: 2.0})
    return two_by_turns(wrap(lambda p: p.x * table.get(p, 3.0)), one, other)


@case()
def a_weak_reference_is_made(wrap: Wrap) -> Any:
    references: list[Any] = []

    def noted(p: Any) -> Any:
        references.append(weakref.ref(p))
        return p.x * 2

    f, things = wrap(noted), four(lambda k: Thing(x=row(k)))
    return [(f(p), references[-1]() is p) for p in things]


@pytest.mark.parametrize("ask", (id, hash, repr, str, lambda p: f"{p}", object.__hash__))
def test_what_tells_which_object_it_is(ask: Any) -> None:
    f = flow.compile(lambda p: (p.x * 2, ask(p)))
    for p in (one := Thing(x=row()), other := Thing(x=row(1)), one, other, one):
        assert f(p)[1] == ask(p)


@case(2)
def it_is_compared_with_a_variable(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    return two_by_turns(wrap(lambda p: p.x * (2 if p is one else 3)), one, other)


@case(2)
def it_is_in_a_variable_and_changed_there(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    box = {"p": one}

    def doubled(p: Any) -> Any:
        box["p"].x = box["p"].x * 2
        return p.x + 1

    return two_by_turns(wrap(doubled), one, other), seen([one, other])


@case()
def it_is_stored_in_a_variable(wrap: Wrap) -> Any:
    box: dict[str, Any] = {}

    def noted(p: Any) -> Any:
        before, box["last"] = box.get("last"), p
        return p.x * (1 if before is None else 2 if before is p else 3)

    f, one, other = wrap(noted), Thing(x=row()), Thing(x=row(1))
    return [(f(p), box["last"] is p) for p in (one, other, one, other, other, other)]


@case()
def an_attribute_of_it_is_in_a_variable(wrap: Wrap) -> Any:
    inner = Thing(x=row())
    one, other = Thing(inner=inner, k=2.0), Thing(inner=Thing(x=row(1)), k=2.0)

    def doubled(p: Any) -> Any:
        p.inner.x = p.inner.x * p.k
        return inner.x + 1

    return two_by_turns(wrap(doubled), one, other), seen([one, other])


@case(2)
def a_module_leads_to_it(wrap: Wrap) -> Any:
    net, one, other = flow.nn.Identity(), Thing(x=row()), Thing(x=row(1))
    net.owner = one

    def doubled(p: Any) -> Any:
        net.owner.x = net.owner.x * 2
        return p.x + 1

    return two_by_turns(wrap(doubled), one, other), seen([one, other])


@case()
def a_key_of_another_argument(wrap: Wrap) -> Any:
    one, other = Thing(x=row()), Thing(x=row(1))
    f = wrap(lambda table, p: p.x * table.get(p, 7.0))
    return [f({one: 2.0}, p) for p in (other, one, other, one)]


@case()
def the_object_whose_method_is_compiled(wrap: Wrap) -> Any:
    class Owner:
        def __init__(self) -> None:
            self.p = Thing(x=row())

        def add(self, p: Any) -> Any:
            self.p.x = self.p.x + p.x
            return self.p.x * 2

    owner = Owner()
    f = wrap(owner.add)
    return [(f(owner.p if k % 3 == 0 else Thing(x=row(k))), owner.p.x) for k in range(6)]


# -------------------------------------------------------------------------------------------------- what is one object twice


@case(2)
def one_object_is_two_arguments(wrap: Wrap) -> Any:
    def doubled(a: Any, b: Any) -> Any:
        a.x = a.x * 2
        return b.x + 1

    f, found = wrap(doubled), []
    for k in range(6):
        one, other = Thing(x=row(k)), Thing(x=row(k))
        found.append(seen([f(one, one if k % 2 else other), one, other]))
    return found


@case(1)
def parents_and_children(wrap: Wrap) -> Any:
    class Node:
        def __init__(self, x: Any, parent: Any = None) -> None:
            self.x, self.parent, self.children = x, parent, []
            if parent is not None:
                parent.children.append(self)

    def spread(node: Any) -> Any:
        for child in node.children:
            child.x = child.x * child.parent.x
        Node(node.x + 1, node)
        return sum(child.x for child in node.children)

    f, found = wrap(spread), []
    for k in range(3):
        root = Node(row(k))
        Node(row(1), Node(row(2), root))
        found.append(seen([f(root), root]))
    return found


@case(0, "as the function asks which object it is")
def one_list_is_two_attributes(wrap: Wrap) -> Any:
    def extended(p: Any) -> Any:
        p.a.append(p.x * 2)
        return p.b[-1] + 1

    f, found = wrap(extended), []
    for k in range(4):
        items = [row(k)]
        p = Thing(a=items, b=items, x=row(k))
        found.append(seen([f(p), p]))
    return found


@case(1)
def two_objects_change_places(wrap: Wrap) -> Any:
    def swapped(p: Any, q: Any) -> Any:
        p.x, q.x, p.other, q.other = q.x, p.x, q, p
        return p.x - q.x

    f, found = wrap(swapped), []
    for k in range(3):
        p, q = Thing(x=row(k)), Thing(x=row(k + 2))
        found.append(seen([f(p, q), p, q]))
    return found


@case(1)
def one_goes_into_a_list_that_goes_into_it(wrap: Wrap) -> Any:
    def moved(p: Any, items: Any) -> Any:
        items.append(p)
        p.items = items
        return p, items, p.x * 2

    f, found = wrap(moved), []
    for k in range(3):
        p, items = Thing(x=row(k)), []
        result = f(p, items)
        found.append((result[0] is p, result[1] is items, items[0] is p, p.items is items, result[2]))
    return found


@case(1)
def the_dict_of_attributes(wrap: Wrap) -> Any:
    def changed(p: Any) -> Any:
        vars(p)["y"] = p.x * 2
        p.__dict__.update(z=p.x)
        p.__dict__.pop("k")
        return vars(p), p.y

    f, things = wrap(changed), four(lambda k: Thing(x=row(k), k=1))
    return [(f(p)[0] is vars(p), seen(p)) for p in things]


# ------------------------------------------------------------------------------------------------ errors, gradients, memory


@case(eager="the function raises ValueError: no")
def an_error_in_the_middle(wrap: Wrap) -> Any:
    def changed(p: Any, bad: bool) -> Any:
        p.x = p.x * 2
        p.items.append(1)
        if bad:
            raise ValueError("no")
        return p.x

    f, p, found = wrap(changed), Thing(x=row(), items=[]), []
    for bad in (False, True, False, True):
        try:
            found.append(f(p, bad))
        except ValueError as error:
            found.append(str(error))
        found.append(seen(p))
    return found


@case(1)
def an_error_of_a_run(wrap: Wrap) -> Any:
    def factored(p: Any) -> Any:
        p.calls += 1
        p.x = flow.linalg.cholesky(p.x)
        return p.x * 2

    f, found = wrap(factored), []
    for k in (1.0, 2.0, -1.0, 3.0):
        p = Thing(x=flow.eye(2) * k, calls=0)
        try:
            found.append(f(p))
        except RuntimeError:
            found.append("error")
        found.append(seen(p))
    return found


@case(1)
def gradients_go_through_attributes(wrap: Wrap) -> Any:
    def loss(p: Any) -> Any:
        p.hidden = (p.x * p.weight).tanh()
        return p.hidden.sum()

    f, found = wrap(loss), []
    for k in range(3):
        p = Thing(x=row(k), weight=flow.tensor([1.0, 2.0, 3.0], requires_grad=True))
        total = f(p) + p.hidden.sum()
        total.backward()
        found.append((total.item(), p.weight.grad.tolist(), p.hidden.requires_grad))
    return found


@case(0, "in its backward")
def a_backward_reads_it(wrap: Wrap) -> Any:
    """It may be changed before `backward()` is called."""

    class Scaled(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, p: Any, table: Any) -> Any:
            ctx.p, ctx.table = p, table
            return x * p.k

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * ctx.p.k * ctx.table["k"], None, None

    f, found = wrap(lambda x, p, table: Scaled.apply(x, p, table).sum()), []
    for k in range(3):
        x, p, table = flow.ones(2, requires_grad=True), Thing(k=2.0 + k), {"k": 3.0}
        loss = f(x, p, table)
        p.k = table["k"] = 5.0
        loss.backward()
        found.append((loss.item(), x.grad.tolist()))
    return found


READS: dict[str, Any] = {  # how a backward reads an argument, which is saved by the forward
    "item": (lambda p: p, lambda p: p[0]),
    "length": (lambda p: p, len),
    "sum": (lambda p: p, lambda p: sum(p)),
    "loop": (lambda p: p, lambda p: [each * 1 for each in p][-1]),
    "slice": (lambda p: p, lambda p: sum(p[0:])),
    "unpacked": (lambda p: p, lambda p: [*p][-1]),
    "membership": (lambda p: p, lambda p: 3.0 if 4.0 in p else 1.0),
    "equality": (lambda p: p, lambda p: 3.0 if p == [2.0] else 1.0),
    "truth": (lambda p: p, lambda p: 3.0 if p else 1.0),
    "text": (lambda p: p, lambda p: float(len(f"{p}"))),
    "method": (lambda p: p.count, lambda count: 1.0 + count(4.0)),
    "closure": (lambda p: lambda: p[-1], lambda read: read()),
}


@pytest.mark.parametrize("name", READS)
@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_a_backward_that_reads_a_list(name: str) -> None:
    save, read = READS[name]

    class Scaled(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, p: Any) -> Any:
            ctx.saved = save(p)
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * read(ctx.saved), None

    found = []
    for f in (Scaled.apply, flow.compile(lambda x, p: Scaled.apply(x, p))):
        for k in range(3):
            x, p = flow.ones(2, requires_grad=True), [2.0]
            loss = f(x, p).sum()
            p[:] = [4.0 + k, 4.0]
            loss.backward()
            found.append(x.grad.tolist())
    assert found[:3] == found[3:]


@case()
def tensors_are_written_through_attributes(wrap: Wrap) -> Any:
    def written(p: Any) -> Any:
        p.x.mul_(2)
        p.y.add_(1)
        return p.x + p.y

    f, found = wrap(written), []
    for k in range(4):
        x = row(k)
        p = Thing(x=x, y=x if k % 2 else row(k))
        found.append((f(p), p.x is x, x, p.y))
    return found


@case()
def sets_and_deques_in_variables(wrap: Wrap) -> Any:
    chosen, queue = {1, 2}, collections.deque([1, 2])

    def changed(x: Any, s: Any, d: Any) -> Any:
        s.add(5)
        d.append(5)
        return x * (len(chosen) + len(queue))

    f = wrap(changed)
    return [
        (f(row(), s, d), seen([chosen, queue])) for s, d in (({1}, queue), (chosen, collections.deque()), (chosen, queue), ({1}, queue))
    ]


@case()
def the_order_of_a_set(wrap: Wrap) -> Any:
    f, found = wrap(lambda x, s: [x * k for k in s]), []
    for k in range(4):
        grown = {8, 0, 16, 24} | {*range(40)}
        grown -= {*range(40)} - {0, 8, 16, 24}
        found.append((f(row(k), grown), f(row(k), {24, 16, 0, 8})))
    return found


@pytest.mark.parametrize("name", [name for name in CASES if name != "an_error_of_a_run"])
def test_objects_among_arguments(name: str) -> None:
    CASES[name].check()


@pytest.mark.cpu_only(reason="a GPU tells of it at the next synchronisation")
def test_an_error_of_a_run() -> None:
    CASES["an_error_of_a_run"].check()


def test_an_object_that_is_left_whole_keeps_nothing_alive() -> None:
    one = Thing(x=row())
    table = {id(one): 2.0}
    f = flow.compile(lambda p: p.x * table[id(p)])
    assert [f(one)[0].item() for _ in range(3)] == [2.0, 2.0, 2.0]
    gone = weakref.ref(one)
    del one, f
    gc.collect()
    assert gone() is None


def test_why_an_object_is_not_taken_apart() -> None:
    f = flow.compile(lambda p: p.net(p.x))
    with pytest.warns(UserWarning, match="a Thing among the arguments is another .* just one, as it holds a Identity: pass its"):
        for k in range(4):
            f(Thing(x=row(k), net=flow.nn.Identity()))

    class Slotted:
        __slots__ = ("x", "net")

    slotted = Slotted()
    slotted.x, slotted.net = row(), flow.nn.Identity()
    with pytest.raises(TypeError, match=r"not Slotted \(it holds a Identity\)"):
        flow.compile(lambda p: p.x, fullgraph=True)(slotted)
