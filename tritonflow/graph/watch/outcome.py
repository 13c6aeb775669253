"""What a call of a captured program leaves: its result, and what it has set of Python.

A capture finds a value with tensors of the program in it. What makes such a value again in each run is a `Maker`, a function of
the run. Aliases are kept: what was an argument, a parameter or an object from outside is that itself; a view of one is made again
as a view of it; and what was the same object twice is so again.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import CaptureError
from tritonflow.framework.runtime_scalar import NumpyScalar, PinError, RuntimeScalar
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.aliases import (
    NOT_REPEATED,
    chain_of,
    is_in,
    numel,
    owner_of,
    refuse_gradient,
    refuse_histories_of_views,
    refuse_history,
    refuse_hooks,
    refuse_resized,
    strides_in,
)
from tritonflow.graph.watch.closures import Closures, parts_of
from tritonflow.graph.watch.contents import CONTAINERS
from tritonflow.graph.watch.makers import (
    Maker,
    OutputMaker,
    Run,
    cloned,
    made_detached,
    made_view,
    of_class,
    once,
    over_memory,
)
from tritonflow.graph.watch.moments import LeafCopy
from tritonflow.graph.watch.outside import ATOMS, BOUND
from tritonflow.graph.watch.slots import method_of, names_of_slots
from tritonflow.graph.watch.user_code import is_library_class, names_around
from tritonflow.graph.watch.watch import VERSIONED, Watch
from tritonflow.interpreter.recording import edges_of
from tritonflow.members.torch_names import strided
from tritonflow.nn.modules.module import Module

_CONSTANTS = (DType, Device, Enum, types.BuiltinFunctionType, types.ModuleType, types.CodeType, numpy.dtype, numpy.generic)


class Describer:
    """Says how values are made again, and which tensors the program has to output for that.

    Args:
        watch: knows what comes from outside.
        inputs: the lazy tensors that stand for arguments, in order.
        containers: by the identities of containers among the arguments, as the function got them, how they are found in the
            arguments of a run.
        constants: the impls of tensors that are made while the program is captured.
        device: where the program runs; None where that is not known yet.
        aliases: whether results may share memory with one another and with what was there before, as in eager mode.

    Attributes:
        results: the tensors that the program has to output.
        makes_leaves: whether a result in memory of another tensor is a leaf that requires grad.
    """

    def __init__(
        self,
        watch: Watch,
        inputs: Sequence[Tensor],
        containers: dict[int, Maker],
        constants: set[Any],
        device: Device | None,
        aliases: bool,
    ) -> None:
        self._watch = watch
        self._lazy = list(inputs)
        self._inputs = {id(tensor): position for position, tensor in enumerate(inputs)}
        self._input_impls = {id(tensor.impl) for tensor in inputs}
        self._containers = containers
        self._constants = constants
        self._device = device
        self._aliases = aliases
        self._makers: dict[int, Maker] = {}
        self._alive: list[Any] = []  # no other value gets the identity of one that has a maker
        self._shared: dict[int, int] = {}  # by impl, how many results lie in it
        self._owners: dict[int, Tensor] = {}  # by impl, the tensor of which the others in it are views
        self.results: list[Tensor] = []
        self.makes_leaves = False
        self._numbers: dict[int, int] = {}
        self._closures = Closures(watch)

    def count(self, value: Any, depth: int = 16) -> None:
        """Note the tensors in a value, before any is described: which share memory."""
        if isinstance(value, Tensor):
            if id(value) not in self._numbers:
                self._numbers[id(value)] = -1
                self._alive.append(value)
                self._shared[id(value.impl)] = self._shared.get(id(value.impl), 0) + 1
                root, _ = chain_of(value)
                self._owners[id(value.impl)] = owner_of(self._owners.get(id(value.impl), root), root)
                for part in self._sparse_parts(value):
                    self.count(part, depth)
        elif depth and type(value) not in ATOMS and not self._watch.is_outside(value):
            for item in _items(value):
                self.count(item, depth - 1)

    def described(self) -> list[Any]:
        """The tensors and objects that have makers."""
        return [*self._alive]

    def describe(self, value: Any) -> Maker:
        """What makes a value again.

        Raises:
            CaptureError: no run can make it.
        """
        value = self._watch.original(value)
        if type(value) is RuntimeScalar:
            evaluate = value.evaluate
            return lambda run: evaluate(run.numbers)
        if type(value) is NumpyScalar:
            raise PinError
        if type(value) is slice and RuntimeScalar in map(type, (value.start, value.stop, value.step)):
            raise PinError
        if type(value) in ATOMS:
            return lambda run: value
        found = self._makers.get(id(value))
        if found is None:
            self._alive.append(value)
            if self._sparse_parts(value):
                found = self._sparse(value)
            elif isinstance(value, Tensor):
                found = self._tensor(value)
                if type(value) is not Tensor and not (id(value) in self._inputs or self._watch.is_outside(value)):
                    found = of_class(found, type(value))
            else:
                found = self._object(value)
            self._makers[id(value)] = found
        return found

    # --------------------------------------------------------------------------------------------------------- tensors

    def _sparse_parts(self, value: Any) -> tuple[Tensor, ...]:
        """The indices and values of a sparse tensor that the program has made; of other values none."""
        if not isinstance(value, Tensor) or value.layout is strided or self._watch.is_outside(value):
            return ()
        return (*value.index, value.entries)  # type: ignore[attr-defined]

    def _sparse(self, value: Any) -> Maker:
        """A sparse tensor of the parts that each run makes."""
        *index, entries = [self.describe(part) for part in self._sparse_parts(value)]
        make, layout, shape = type(value).make, value.layout, tuple(value.meta.shape)
        facts = (shape, value.coalesced, value.is_own_leaf)
        return once(id(value), lambda run: make(layout, tuple(each(run) for each in index), entries(run), *facts))

    def _tensor(self, value: Tensor) -> Maker:
        position = self._inputs.get(id(value))
        is_outside = position is None and not value.impl.is_lazy and self._watch.is_outside(value)
        if position is None and not is_outside:
            refuse_gradient(value)
        if self._aliases:
            if position is not None:
                return lambda run: run.given[position]
            if is_outside:
                return lambda run: value
            if id(value) in self._numbers:  # and not only what others are views of
                refuse_hooks(value)
            root, steps = chain_of(value)
            if root is not value and (made := self._root(root, value)) is not None:
                refuse_resized(root)
                refuse_histories_of_views(value, root)
                leaf = self._makes_leaf(value)
                return made_view(made, steps, id(value), leaf or edges_of((value,))[0] is None, leaf)
            if id(value.impl) in self._input_impls and numel(value):
                return self._detached(value)
            if not self._is_new(value):
                refuse_history(value)
                if root is value:  # another tensor over memory from outside, such as p.data
                    leaf = self._makes_leaf(value)
                    return once(id(value), lambda run: over_memory(value, run).detach().requires_grad_(leaf))
            owner = self._owners.get(id(value.impl))
            if self._is_new(value) and owner is not None and owner is not root:  # by detach()
                refuse_history(value)
                if not is_in(root, owner):
                    raise CaptureError(NOT_REPEATED)
                steps = [*strides_in(root, owner), *steps]
                return made_detached(self.describe(owner), steps, id(value), self._makes_leaf(value))
        return self._output(value)

    def _root(self, root: Tensor, value: Tensor) -> Maker | None:
        """What makes the tensor that a result is a view of, if it is to be a view of that in each run, too."""
        if root.impl is not value.impl:
            return None
        position = self._inputs.get(id(root))
        if position is not None:
            return lambda run: run.given[position]
        if not self._is_new(root):
            return self.describe(root) if self._watch.is_outside(root) or root.is_leaf else None
        if id(root.impl) in self._input_impls:  # by detach()
            return self.describe(root)
        whole = not value.meta.is_contiguous and numel(root) == numel(value)
        if whole or self._shared.get(id(root.impl), 0) > 1 or value.meta.may_share_elements():
            return self.describe(root)
        return None

    def _detached(self, value: Tensor) -> Maker:
        """A tensor in the memory of an argument, and no history of it."""
        refuse_history(value)
        holders = [x for x in self._lazy if x.impl is value.impl and is_in(value, x, is_argument=True)]
        if not holders:
            raise CaptureError(NOT_REPEATED)
        given = max(holders, key=numel)
        return made_detached(self.describe(given), strides_in(value, given), id(value), self._makes_leaf(value))

    def _makes_leaf(self, value: Tensor) -> bool:
        """Whether a result in memory of another tensor is a leaf that requires grad; notes it."""
        leaf = value.is_leaf and value.requires_grad
        self.makes_leaves |= leaf
        return leaf

    def _is_new(self, value: Tensor) -> bool:
        """Whether the memory of a tensor is another one in each run."""
        return value.impl.is_lazy or value.impl in self._constants

    def _output(self, value: Tensor) -> Maker:
        if not value.impl.is_lazy and self._device not in (None, value.meta.device):
            return self._copied(value)
        number = self._numbers.get(id(value), -1)
        if number < 0:
            number = self._numbers[id(value)] = len(self.results)
            self.results.append(value)
        return OutputMaker(number)

    def _copied(self, value: Tensor) -> Maker:
        """A copy of an eager tensor on another device than the program, which cannot output it."""
        if value.requires_grad:
            raise CaptureError(f"a result on {value.meta.device} of a function on {self._device} requires grad: make it outside")
        return once(id(value), lambda run: cloned(value))

    # --------------------------------------------------------------------------------------------------------- objects

    def _object(self, value: Any) -> Maker:
        found = self._containers.get(id(value))
        if found is not None:
            return found
        kind = type(value)
        if kind is LeafCopy:
            make = self.describe(value.copy)
            return once(id(value), lambda run: make(run).requires_grad_())
        if isinstance(value, type):
            self._refuse_own_class(value)
        if kind in BOUND and not isinstance(value.__self__, (type, types.ModuleType, type(None))):
            owner, name = self.describe(value.__self__), value.__name__
            return once(id(value), lambda run: getattr(owner(run), name))
        if self._watch.is_outside(value) or isinstance(value, (type, *_CONSTANTS)):
            return lambda run: value
        if isinstance(value, tuple):
            makers = [self.describe(item) for item in value]
            if kind is tuple:
                return lambda run: tuple([make(run) for make in makers])
            if issubclass(kind, Size):
                return lambda run: Size([make(run) for make in makers])
            attributes = self._attributes(value)
            return once(id(value), lambda run: attributes(_new_tuple(kind, [make(run) for make in makers]), run))
        if kind is list:
            return self._list(value)
        if isinstance(value, (list, set, frozenset, deque)):
            return self._sequence(value, kind)
        if isinstance(value, dict):
            return self._dict(value, kind)
        if isinstance(value, numpy.ndarray):
            return once(id(value), lambda run: value.copy())
        if isinstance(value, types.FunctionType) and self._watch.has_probes(value.__code__):
            parts: list[Maker] = []
            self._makers[id(value)] = once(id(value), self._closures.maker(value, parts))  # it may be in its own closure
            self._closures.fill(value, parts, self.describe)
            return self._makers[id(value)]
        if isinstance(value, types.MethodType):
            owner, function = self.describe(value.__self__), self.describe(value.__func__)
            return lambda run: types.MethodType(function(run), owner(run))
        if isinstance(value, functools.partial):
            called = self.describe((value.func, value.args, dict(value.keywords)))
            return once(id(value), lambda run: _partial(*called(run)))
        if _is_plain_object(kind) and (isinstance(value, Module) or not isinstance(value, VERSIONED)):
            return self._instance(value, kind)
        raise CaptureError(
            f"what the function returns or keeps has a {kind.__name__} in it, which no run of a captured program can make again:"
            " return tensors, containers, functions and plain objects"
        )

    def _refuse_own_class(self, kind: type) -> None:
        """Refuse a class that the function makes itself: each call makes another one.

        Raises:
            CaptureError: naming the class.
        """
        if self._watch.is_outside(kind) and id(kind) not in self._watch.made_classes:
            return
        first, *names = kind.__qualname__.split(".")
        found = names_around(kind).get(first)
        for name in names:
            found = getattr(found, name, None)
        if found is not kind and not is_library_class(kind):
            raise CaptureError(
                f"what the function returns or keeps has the class {kind.__name__} in it, which the function makes in each call"
            )

    def _list(self, value: list[Any]) -> Maker:
        """A list, which may be an item of itself."""
        makers: list[Maker] = []

        def make(run: Run) -> Any:
            made = run.made[id(value)] = []
            made += [each(run) for each in makers]
            return made

        self._makers[id(value)] = once(id(value), make)
        makers += [self.describe(item) for item in value]
        return self._makers[id(value)]

    def _sequence(self, value: Any, kind: type) -> Maker:
        makers = [self.describe(item) for item in value]
        attributes = self._attributes(value)
        options = {"maxlen": value.maxlen} if isinstance(value, deque) and value.maxlen is not None else {}

        def make(run: Run) -> Any:
            made = kind([each(run) for each in makers], **options)
            return attributes(made, run)

        return once(id(value), make)

    def _dict(self, value: Any, kind: type) -> Maker:
        entries: list[tuple[Maker, Maker]] = []
        is_library = is_library_class(kind)
        put: Any = operator.setitem if is_library else method_of(kind, "__setitem__")
        factory = value.default_factory if isinstance(value, defaultdict) else None
        attributes = self._attributes(value)

        def make(run: Run) -> Any:
            if kind is dict:
                plain: dict[Any, Any] = {}
                run.made[id(value)] = plain
                for key, item in entries:
                    plain[key(run)] = item(run)
                return plain
            new: Any = kind.__new__
            made = kind() if is_library else new(kind)
            if factory is not None:
                made.default_factory = factory
            for key, item in entries:
                put(made, key(run), item(run))
            return attributes(made, run)

        self._makers[id(value)] = once(id(value), make)  # it may be an item of itself
        entries += [(self.describe(key), self.describe(item)) for key, item in value.items()]
        return self._makers[id(value)]

    def _attributes(self, value: Any) -> Callable[[Any, Run], Any]:
        """What gives a container of a user's class its attributes."""
        own = getattr(value, "__dict__", None)
        if not own:
            return lambda made, run: made
        makers = {name: self.describe(item) for name, item in own.items()}

        def put(made: Any, run: Run) -> Any:
            made.__dict__.update({name: make(run) for name, make in makers.items()})
            return made

        return put

    def _instance(self, value: Any, kind: type) -> Maker:
        """An object of a class that is written in Python."""
        self._refuse_own_class(kind)
        makers: dict[str, Maker] = {}
        self._makers[id(value)] = once(id(value), lambda run: _instance(kind, makers, run, id(value)))  # it may refer to itself
        for name in names_of_slots(kind):
            if hasattr(value, name):
                makers[name] = self.describe(getattr(value, name))
        for name, item in getattr(value, "__dict__", {}).items():
            makers[name] = self.describe(item)
        return self._makers[id(value)]


_new_tuple: Any = tuple.__new__


def _instance(kind: type, makers: dict[str, Maker], run: Run, key: int) -> Any:
    made: Any = kind() if kind is types.SimpleNamespace else object.__new__(kind)
    run.made[key] = made
    for name, make in makers.items():
        object.__setattr__(made, name, make(run))
    return made


def _partial(function: Any, arguments: Any, keywords: Any) -> Any:
    return functools.partial(function, *arguments, **keywords)


def _items(value: Any) -> Sequence[Any]:
    if type(value) is LeafCopy:
        return [value.copy]
    if isinstance(value, dict):
        return [*value.values()]
    if isinstance(value, (numpy.ndarray, bytearray)):
        return ()
    if isinstance(value, (tuple, frozenset, *CONTAINERS)):
        return [*value]
    if isinstance(value, types.FunctionType):
        return parts_of(value)
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if type(value) in BOUND:
        return [value.__self__]
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    if dataclasses.is_dataclass(value) or _is_plain_object(type(value)):
        return [*getattr(value, "__dict__", {}).values(), *[getattr(value, k, None) for k in names_of_slots(type(value))]]
    return ()


def _is_plain_object(kind: type) -> bool:
    """Whether objects of a class have nothing but attributes."""
    if kind is types.SimpleNamespace:
        return True
    is_made_by_class_statement = kind.__flags__ & (1 << 9) != 0
    new: Any = kind.__new__
    is_made_as_any = new is object.__new__ or (
        isinstance(new, types.FunctionType) and all(each.__flags__ & (1 << 9) for each in kind.__mro__[:-1])
    )
    return is_made_as_any and is_made_by_class_statement and not issubclass(kind, (type, BaseException))
