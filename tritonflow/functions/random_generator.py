"""Random generators: a seed and the number of counters used, in device memory.

Kernels read {seed, offset} from the device, and the last one of an op moves the offset on. So a captured graph draws fresh
numbers in every run, and the numbers depend on the order of ops alone (docs/design/random_numbers.md).
"""

from __future__ import annotations

import ctypes
import os
import threading
from functools import lru_cache
from typing import Any, NamedTuple

from tritonflow.device.device import META, Device, is_gpu
from tritonflow.device.provider import get_provider
from tritonflow.dtypes import int64
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CaptureError,
    InvalidArgumentError,
    PlacementError,
    type_name,
)
from tritonflow.execution.lazy import eager
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl, MetaTensorImpl
from tritonflow.interpreter.rank_metas import ask
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import calling, describe
from tritonflow.vm.machine import machine
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import rank_local, this_rank

_DEFAULT_SEED = 67280421310721  # torch's


class Generator:
    """A stream of random numbers on a device.

    Args:
        device: where the numbers are drawn; of "auto" where an op wants them, a stream of the seed on each device.

    Example:
        >>> import tritonflow as flow
        >>> g = flow.Generator().manual_seed(1)
        >>> a = flow.rand(3, generator=g)
        >>> b = flow.rand(3, generator=g.manual_seed(1))
        >>> bool((a == b).all())
        True
    """

    device: Any

    def __new__(cls, device: Any = "cpu") -> Generator:
        return super().__new__(AnywhereGenerator if device == "auto" and cls is Generator else cls)

    def __init__(self, device: Any = "cpu") -> None:
        self.device = Device(device)
        meta = contiguous_meta((2,), int64, self.device)
        if self.device is META:
            self.state, self._seed = Tensor(meta, MetaTensorImpl(), 0), _DEFAULT_SEED
            return
        provider = get_provider(self.device)
        block = provider.pool.allocate(meta.nbytes, provider.stream)
        self.state = Tensor(meta, EagerLocalTensorImpl(block), block.ptr)
        self._write(_DEFAULT_SEED, 0)

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of a seed (any 64-bit integer, signed or not) from its beginning."""
        if not isinstance(seed, int) or not -(2**63) <= seed < 2**64:
            raise ValueError(f"manual_seed(): expected a 64-bit integer, but got {seed!r}")
        self._write(seed, 0)
        return self

    def seed(self) -> int:
        """Start the stream of a seed chosen by the operating system, and return the seed."""
        seed = int.from_bytes(os.urandom(8), "little") >> 1
        self.manual_seed(seed)
        return seed

    def initial_seed(self) -> int:
        """The seed of the stream."""
        _refuse_capture()
        return self._seed

    def get_state(self) -> tuple[int, int]:
        """(seed, counters used): all there is. On the meta device nothing is drawn."""
        return self._read()

    def set_state(self, state: tuple[int, int]) -> None:
        """Go on where `get_state` was called.

        Raises:
            TypeError: `state` is no pair of ints.
        """
        if not (isinstance(state, (tuple, list)) and [type(number) for number in state] == [int, int]):
            raise ArgumentTypeError(
                f"set_state(): argument 'state' must be the tuple of two ints that get_state() gives, not {type_name(state)}"
            )
        self._write(*state)

    def on(self, device: Device) -> Generator:
        """What to draw from on a device: this one.

        Raises:
            ValueError: it is one of another device.
        """
        if self.device is not device:
            raise ArgumentValueError(f"Expected a '{device}' device type for generator but found '{self.device}'")
        return self

    def _write(self, seed: int, offset: int) -> None:
        _refuse_capture()
        self._seed = seed
        if self.device is META:
            return
        values = (ctypes.c_int64 * 2)(ctypes.c_int64(seed).value, offset)
        provider = get_provider(self.device)
        machine.access([], [self.state.impl.block], lambda: provider.write_host(self.state.ptr, values))

    def _read(self) -> tuple[int, int]:
        _refuse_capture()
        if self.device is META:
            return self._seed, 0
        values = (ctypes.c_int64 * 2)()
        provider = get_provider(self.device)
        machine.access([self.state.impl.block], [], lambda: provider.read_host(self.state.ptr, values))
        return values[0], values[1]

    def __repr__(self) -> str:
        return f"Generator(device='{self.device}', seed={self._seed})"


class DefaultGenerator(Generator):
    """The default generator of a device; a call gives the one of another device, as in older programs for OneFlow."""

    def __call__(self, device: Any = "cpu") -> DefaultGenerator:
        """The default generator of a device."""
        return default_generator(Device(device))


class AnywhereGenerator(Generator):
    """A generator of the device "auto": one stream for each device, made when it is first drawn from. `device` is None."""

    def __init__(self, device: Any = "auto") -> None:
        self.device = None
        self._seed = _DEFAULT_SEED
        self._streams: dict[Device, Generator] = {}

    def on(self, device: Device) -> Generator:
        """The stream of a device."""
        found = self._streams.get(device)
        if found is None:
            with eager():
                found = self._streams.setdefault(device, Generator(device).manual_seed(self._seed))
        return found

    def _write(self, seed: int, offset: int) -> None:
        _refuse_capture()
        self._seed = seed
        for stream in self._streams.values():
            stream._write(seed, offset)
        if offset and not self._streams:
            self.on(Device("cpu"))._write(seed, offset)

    def _read(self) -> tuple[int, int]:
        _refuse_capture()
        states = {stream._read() for stream in self._streams.values()} or {(self._seed, 0)}
        if len(states) > 1:
            raise InvalidArgumentError("get_state(): the devices' streams have drawn different counts; ask generator.on(device)")
        return states.pop()

    def __repr__(self) -> str:
        return f"Generator(device='auto', seed={self._seed})"


def _refuse_capture() -> None:
    if thread_state.observer.is_capturing:
        called, line = calling()
        raise CaptureError(
            f"{called}(): a generator cannot be made, seeded or looked at while {thread_state.observer.program} is captured as a"
            f" graph, at {describe(line)}: it would be done once, not in every run. Do it outside."
        )


class _Defaults:
    """The default generators of a rank.

    Attributes:
        seed: what they are seeded with when they are made.
        local: those of local tensors, by device.
        consistent: those of tensors over placements, by the placement's type and callers.
        not_compared: the keys of those that the ranks have not compared since they were seeded.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.local: dict[Device, DefaultGenerator] = {}
        self.consistent: dict[tuple[str, Ranks], Generator] = {}
        self.not_compared: set[tuple[str, Ranks]] = set()


_process = _Defaults(_DEFAULT_SEED)
_of_parent: list[Generator] = []  # in a forked child: those on GPUs, which the child may not use


def _leave_gpus_to_parent() -> None:
    """In a forked child: seeds are for the generators that it can write."""
    for device in [device for device in _process.local if device.type == "cuda"]:
        _of_parent.append(_process.local.pop(device))


os.register_at_fork(after_in_child=_leave_gpus_to_parent)
_lock = threading.Lock()


def _defaults() -> _Defaults:
    """Those of this process, or in a simulated world those of the calling rank, which begin with the seed of the process."""
    if thread_state.rank is None:
        return _process
    found: _Defaults = rank_local().setdefault(_Defaults, _Defaults(_process.seed))
    return found


def default_generator(device: Device) -> DefaultGenerator:
    """The generator that random ops on a device use if none is given.

    Args:
        device: the device.

    Example:
        >>> import tritonflow as flow
        >>> flow.default_generator(flow.device("cpu")).device
        device(type='cpu')
    """
    defaults = _process if thread_state.rank is None else _defaults()
    found = defaults.local.get(device)
    if found is None:
        with _lock:
            found = defaults.local.get(device)
            if found is None:
                with eager():
                    found = defaults.local[device] = DefaultGenerator(device)
                    found.manual_seed(defaults.seed)
    return found


def default_consistent_generator(placement: Placement) -> Generator:
    """The generator that random ops over a placement use if none is given; all of its callers have an equal one.

    It is not the one of local tensors, of which ranks may draw different numbers. The ranks compare it when it is first used, and
    after a new seed. Over each line of a mesh the same numbers are drawn.

    Raises:
        PlacementError: the ranks have different seeds.
    """
    defaults = _defaults()
    key = placement.type, placement.callers
    found = defaults.consistent.get(key)
    if found is None:
        with eager():
            found = Generator(placement.device()).manual_seed(defaults.seed)
        defaults.consistent[key] = found
        defaults.not_compared.add(key)
    if thread_state.observer.is_capturing:
        thread_state.observer.over_ranks.told(f"random numbers of seed {found._seed}", placement)
    elif key in defaults.not_compared:
        states = list(ask(found.get_state(), "the seed of random numbers over a placement", placement.callers).values())
        if any(state != states[0] for state in states):
            raise PlacementError(
                f"random numbers over a placement: expected the same seed on all ranks, but got {[s for s, _ in states]};"
                " call flow.manual_seed(...) with the same number on every rank"
            )
        defaults.not_compared.discard(key)
    return found


def state_over(state: Tensor, placement: Placement) -> Tensor:
    """A generator's state as a consistent tensor, which each rank of the placement has whole."""
    return Tensor(_meta_of_state(placement, this_rank().index), state.impl, state.ptr)


@lru_cache(maxsize=256)
def _meta_of_state(placement: Placement, rank: int) -> ConsistentTensorMeta:
    """That of a state on a rank."""
    return ConsistentTensorMeta.get((2,), int64, placement, (broadcast,) * placement.ndim)


def buffer_of(state: Tensor) -> Tensor:
    """The buffer of this rank, also outside of the placement."""
    return Tensor(contiguous_meta((2,), int64, state.meta.device), state.impl, state.ptr)


def manual_seed(seed: int) -> Generator:
    """Seed the default generators of every device, those of local tensors and those over placements; returns the CPU's.

    Args:
        seed: any 64-bit integer, signed or not.

    Raises:
        ValueError: it is none.

    Source: torch.manual_seed.

    Example:
        >>> import tritonflow as flow
        >>> _ = flow.manual_seed(0)
        >>> a = flow.rand(2)
        >>> _ = flow.manual_seed(0)
        >>> bool((a == flow.rand(2)).all())
        True
    """
    cpu = default_generator(Device("cpu")).manual_seed(seed)
    defaults = _defaults()
    defaults.seed = seed
    for generator in [*defaults.local.values(), *defaults.consistent.values()]:
        generator.manual_seed(seed)
    defaults.not_compared.update(defaults.consistent)
    return cpu


def seed() -> int:
    """Seed the default generators with a number chosen by the operating system, and return it.

    Source: torch.seed.

    Example:
        >>> import tritonflow as flow
        >>> chosen = flow.seed()
        >>> chosen == flow.initial_seed()
        True
    """
    chosen = int.from_bytes(os.urandom(8), "little") >> 1
    manual_seed(chosen)
    return chosen


def initial_seed() -> int:
    """The seed of the CPU's default generator.

    Source: torch.initial_seed.

    Example:
        >>> import tritonflow as flow
        >>> _ = flow.manual_seed(7)
        >>> flow.initial_seed()
        7
    """
    return default_generator(Device("cpu")).initial_seed()


def get_rng_state() -> tuple[int, int]:
    """The state of the CPU's default generator: (seed, counters used).

    Source: torch.get_rng_state, which gives a tensor.

    Example:
        >>> import tritonflow as flow
        >>> state = flow.get_rng_state()
        >>> a = flow.rand(2)
        >>> flow.set_rng_state(state)
        >>> bool((a == flow.rand(2)).all())
        True
    """
    return default_generator(Device("cpu")).get_state()


def set_rng_state(state: tuple[int, int]) -> None:
    """Set the state of the CPU's default generator.

    Args:
        state: what `get_rng_state` gave.

    Raises:
        TypeError: it is no pair of ints.

    Source: torch.set_rng_state.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_rng_state((0, 0))
        >>> flow.get_rng_state()
        (0, 0)
    """
    default_generator(Device("cpu")).set_state(state)


def default_generators() -> list[Generator]:
    """The default generators that there are: one is made when its device or placement first draws numbers."""
    defaults = _defaults()
    return [*defaults.local.values(), *defaults.consistent.values()]


def default_seed() -> int:
    """What default generators begin with that the calling rank makes from now on."""
    return _defaults().seed


class DefaultStates(NamedTuple):
    """The default generators of a rank, as plain data.

    Attributes:
        seed: what those begin with that are not made yet.
        local: of local tensors: (device, state).
        over_ranks: of tensors over placements: (type of the device, ranks that know them, state).
    """

    seed: int
    local: list[tuple[str, tuple[int, int]]]
    over_ranks: list[tuple[str, Ranks, tuple[int, int]]]


def default_states() -> DefaultStates:
    """The states of all default generators of the calling rank."""
    defaults = _defaults()
    local = [(str(device), generator.get_state()) for device, generator in defaults.local.items()]
    over_ranks = [(type, ranks, generator.get_state()) for (type, ranks), generator in defaults.consistent.items()]
    return DefaultStates(defaults.seed, local, over_ranks)


def set_default_states(states: DefaultStates) -> None:
    """Go on where `default_states` was called; generators that were not there then begin with the seed."""
    manual_seed(states.seed)
    for device, state in states.local:
        default_generator(Device(device)).set_state(state)
    defaults = _defaults()
    for type, ranks, state in states.over_ranks:
        if (type, ranks) not in defaults.consistent:
            index = this_rank().local_index if is_gpu(type) else 0
            with eager():
                defaults.consistent[type, ranks] = Generator(Device(type, index))
        defaults.consistent[type, ranks].set_state(state)
        defaults.not_compared.add((type, ranks))
