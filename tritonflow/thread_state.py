"""The switches of a thread: grad mode, who observes it, chosen streams, autocast, a planner's configuration and
precision.

One object holds them all, because a thread-local takes about 40 ns to read. A capture, a chosen stream and a timeline that is
recorded send ops to the slow path. `slow_path.count` counts these scopes over all threads. While it is zero, the fast path reads
no thread-local for them.
"""

from __future__ import annotations

import threading
from typing import Any

from tritonflow.observer import NOBODY, Observer


class ThreadState(threading.local):
    """The switches of one thread; class attributes are the state in which a thread starts."""

    grad_enabled: bool = True
    inference: bool = False
    observer: Observer = NOBODY  # a capture, in lazy mode
    streams: dict[Any, Any] | None = None
    autocast: Any = None
    backward: Any = None
    configuration: Any = None
    folded_weight: bool = False  # whether a planner is asked for a product whose weight is laid out once
    precision: Any = None
    global_mode: Any = None
    device: Any = None  # where new tensors lie, unless a device is given; None is the CPU
    outer_devices: tuple[Any, ...] = ()  # those around the `with device:` blocks that the thread is in
    explaining: Any = None  # what ops on consistent tensors would box, while `flow.boxing.explain` calls a function
    saved_hooks: tuple[Any, ...] = ()  # pairs of functions that pack and unpack what grad nodes save; the last one counts
    saved_hooks_refused: str | None = None  # why no such pair may be entered
    batch_levels: tuple[Any, ...] = ()  # the calls of `vmap` that the thread is in, the innermost last
    uncaptured: int = 0  # the scopes in which captured functions run in eager mode, as their backward is differentiated or batched
    inner_graphs: bool = False  # whether modules run as graphs, inside of a function that no graph can do
    forced_eager: bool = False  # whether one of these is `flow.compiler.set_stance("force_eager")`
    tangent_scopes: int = 0  # the scopes, each inside of another, in which what is recorded gives tangents
    only_tangents: bool = False  # whether the thread records under `no_grad`, for tangents alone
    dual_level: Any = None  # the block of `forward_ad.dual_level` that the thread is in
    forward_mode: bool = False  # whether a backward runs whose own backward gives tangents
    reads_lazy_numbers: bool = False  # whether a call is bound in which a capture looks at tensors where numbers are wanted
    own_op: str | None = None  # the name of the op of the user's own (`flow.library`) whose function runs
    overrides_off: bool = False  # whether `__torch_function__` of classes of tensors is not called
    function_modes: tuple[Any, ...] = ()  # the modes of `__torch_function__` that the thread is in, the innermost last
    rank: Any = None  # of a simulated world, whose ranks are threads


class SlowPath:
    """The number of scopes, over all threads, that the fast path does not handle."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class DefaultDevices:
    """Whether any thread ever chose a default device: until then, functions that make tensors read no thread-local for it."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = False


class SavedHooks:
    """The number of scopes with hooks on saved tensors, over all threads: while it is zero, recording reads no thread-local."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


thread_state = ThreadState()
saved_hooks = SavedHooks()
default_devices = DefaultDevices()
slow_path = SlowPath()
_lock = threading.Lock()


def enter_slow_path() -> None:
    """Send every op of the process through the slow path until `leave_slow_path`."""
    with _lock:
        slow_path.count += 1


def enter_saved_hooks(hooks: Any) -> None:
    """Begin a scope in which this thread packs saved tensors by `hooks`, a pair of functions."""
    with _lock:
        saved_hooks.count += 1
    thread_state.saved_hooks = (*thread_state.saved_hooks, hooks)


def leave_saved_hooks() -> None:
    """End the innermost scope opened by `enter_saved_hooks`."""
    with _lock:
        saved_hooks.count -= 1
    thread_state.saved_hooks = thread_state.saved_hooks[:-1]


def leave_slow_path() -> None:
    """End one scope opened by `enter_slow_path`."""
    with _lock:
        slow_path.count -= 1


def launch_name(kernel: str, module: str = "") -> str:
    """What a launch of a user's kernel is called: "op.kernel" in an op of the user's own, else "module.kernel".

    No op of the registry has a dot.
    """
    within = thread_state.own_op or module
    return f"{within}.{kernel}" if within else kernel
