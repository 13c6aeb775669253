"""Plans: everything decided for an op on given metas, ready to launch.

A planner (a function in a family's file of this room) looks at the metas of the inputs and the static attributes and returns
a `Plan`: the metas of the outputs and the kernel launches that compute them. `Plan.prepare` compiles the kernels (once per
specialisation, never per shape) and freezes grid and sizes into closures that take addresses only.

The leading arguments of a launch are its operands (operands.py). What follows are sizes and strides, fixed by the plan. Both may
be nested in tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

from tritonflow.device.provider import CompiledKernel, Provider, get_provider
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, IndexOutOfRangeError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_questions import at_hints, decided
from tritonflow.framework.symbolic_int import SymbolicInt, context_of
from tritonflow.gc_pause import gc_paused
from tritonflow.ops.operands import NOT_GIVEN, Argument, Counts, LaunchOperand, Operands, resolve
from tritonflow.settings import settings

_INT32_MAX = 2**31 - 1

# Work up to ATOMIC_WORK runs in the caller. It takes about 10 us, as an instruction and waking other threads do. A plan of up to
# ATOMIC_ELEMENTS runs there, too, if its kernels' own estimates say that this is little work.
ATOMIC_WORK, ATOMIC_ELEMENTS = 32 << 10, 512 << 10
# Kernels of up to BRIEF_WORK, about 1 ms of one thread, are spread over threads with the interpreter's lock held. To give it up
# takes an instruction of 8 to 14 us; a million elements take 50 us on two threads.
BRIEF_WORK = 5 << 20


Grid = tuple[int, int, int]


class stride(int):
    """A stride among a launch's sizes: 0, 1 and -1 become constants of the kernel, other values run-time arguments.

    A symbolic one that is another value stays what it is.
    """

    __slots__ = ()

    def __new__(cls, value: Any) -> Any:
        return value if type(value) is SymbolicInt and value > 1 else int.__new__(cls, value)


class constant(int):
    """A number among a launch's sizes that becomes a constant of the kernel: one of few that the code depends on."""

    __slots__ = ()


class Launch:
    """One kernel launch of a plan.

    Args:
        fn: the Triton kernel.
        grid: one to three numbers of programs.
        operands: the leading arguments (operands.py).
        sizes: ints (run-time arguments, int64 where some offset needs it), `stride`s, `constant`s, floats (float32 arguments).
        constexprs: the kernel's constexpr parameters by name; block sizes, scalar functions, flags, never shapes.
        work: about how many vector instructions the launch takes, where that is not in proportion to the plan's elements
            (matrix products: multiplications / 16). Small work runs in the caller, larger work is spread over threads.
        options: num_warps, num_stages and others of Triton's for GPUs.

    Attributes:
        lays_out: the number of the workspace in which it lays out another operand, and which no other launch writes; or None.
    """

    __slots__ = ("fn", "grid", "operands", "sizes", "constexprs", "work", "options", "lays_out")

    def __init__(
        self,
        fn: Any,
        grid: tuple[int, ...],
        operands: Sequence[Operands],
        sizes: Sequence[Any] = (),
        constexprs: dict[str, Any] | None = None,
        work: int = 0,
        **options: Any,
    ) -> None:
        self.fn = fn
        self.grid: Grid = (*grid, 1, 1)[:3]  # type: ignore[assignment]
        self.operands = tuple(operands)
        self.sizes = tuple(sizes)
        self.constexprs = constexprs or {}
        self.work = work
        self.options = options
        self.lays_out: int | None = None

    @property
    def name(self) -> str:
        """For people: the kernel, and the functions that it is given."""
        kernel = self.fn.__class__
        given = [value.__name__ for value in self.constexprs.values() if value.__class__ is kernel]
        return f"{self.fn.__name__}[{', '.join(given)}]" if given else str(self.fn.__name__)


class PlannedLaunch(NamedTuple):
    """A launch as a program over many plans takes it: for people its name, and where each leading argument comes from."""

    name: str
    kernel: CompiledKernel
    grid: Grid
    arguments: list[Argument]
    sizes: tuple[Any, ...]
    lays_out: int | None = None


class Plan:
    """What a planner returns; callable work after `prepare`.

    Args:
        inputs: the metas of the inputs, None for absent ones.
        outputs: the metas of the outputs.
        launches: the kernels, in order; none if there is nothing to compute.
        workspaces: temporary memory as (number of elements, dtype).
        finish: for outputs whose shape is known only after compute: takes the outputs' addresses and returns their true metas.
        index_check: the message of the error raised if a kernel sets the error word, or what has it as its text.
        check_error: the class of that error.
        named_index: takes the addresses of the inputs in the host's memory; returns the message that names the bad index, or None.
        validate: how many leading launches only look for bad indices; where the host can know, the error is raised behind
            them, before anything is written.

    Attributes:
        run: takes the addresses of inputs, outputs and workspaces, then the dynamic scalars.
        steps: what `run` runs in turn, each behind its launch; None for what is no kernel.
        slots, work_lists: metas and free lists of the outputs, free lists of the workspaces.
        spare_lists: free lists of all outputs but the first, then of the workspaces.
        out, free, new_block: meta, free list and allocator of the only output, for the fast path.
        inline: whether its kernels are so little work that they run in the caller.
        atomic: whether every kernel is done when its launch returns, the interpreter's lock held throughout.
        direct: whether it may run in the issuing thread.
        fast_stream: the stream on which the fast path may launch, or a sentinel that no block is on.
        direct_stream: the same for `apply_found`, where the op may have several outputs, workspaces or an error word.
    """

    __slots__ = (
        "inputs", "outputs", "launches", "workspaces", "finish", "index_check", "validate", "check_error", "provider",
        "named_index", "run", "steps", "slots", "out", "free", "pool", "stream", "fast_stream", "direct_stream",
        "inline", "atomic", "direct", "work_lists", "spare_lists",
    )  # fmt: skip

    def __init__(
        self,
        inputs: Sequence[TensorMeta | None],
        outputs: Sequence[TensorMeta],
        launches: Sequence[Launch],
        workspaces: Sequence[tuple[int, DType]] = (),
        finish: Callable[..., Sequence[TensorMeta]] | None = None,
        index_check: Any = None,
        validate: int = 0,
        check_error: type[Exception] = IndexOutOfRangeError,
        named_index: Callable[[Sequence[int]], str | None] | None = None,
    ) -> None:
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.launches = tuple(launches)
        self.workspaces = tuple(workspaces)
        self.finish = finish
        self.index_check = index_check
        self.validate = validate
        self.check_error = check_error
        self.named_index = named_index

    def prepare(self, device: Any) -> Plan:
        """Compile and bind the launches for a device."""
        bound = self.settle(device)
        provider = self.provider
        self.stream = provider.stream
        self.pool = provider.pool
        lists = provider.pool.free_list
        self.slots = tuple((meta, lists(meta.nbytes, provider.stream)) for meta in self.outputs)
        self.work_lists = tuple(lists(n * dtype.itemsize, provider.stream) for n, dtype in self.workspaces)
        self.spare_lists = (*[free for _, free in self.slots[1:]], *self.work_lists)
        steps: list[Any] = [(launch, self._bind(launch, kernel, sizes)) for launch, kernel, sizes in bound]
        if self.validate and steps and not provider.error_word.deferred:
            steps.insert(self.validate, (None, self.raise_bad_index))
        self.steps = steps
        self.run = _sequence([step for _, step in steps])
        self.direct = self.atomic and provider.stream.inline
        simple = len(self.outputs) == 1 and not self.workspaces and self.finish is None and self.index_check is None
        self.direct_stream = provider.stream if self.direct and self.finish is None else NO_STREAM
        self.fast_stream = self.direct_stream if simple else NO_STREAM
        if self.slots:
            self.out, self.free = self.slots[0]
        return self

    def run_steps(self, runner: Callable[..., None], env: Sequence[Any]) -> None:
        """Let `runner(steps, arguments)` run the steps of `run` one by one; `env` is what `run` takes."""
        runner(self.steps, env)

    def settle(self, device: Any) -> list[tuple[Launch, CompiledKernel, tuple[Any, ...]]]:
        """Compile the launches for a device and decide who runs them; returns them with their kernels and run-time sizes."""
        provider = self.provider = get_provider(device)
        bound = [(launch, *specialise(self, launch, provider)) for launch in self.launches if 0 not in launch.grid]
        grids = [(launch.work, kernel, launch.grid) for launch, kernel, _ in bound]
        elements, works, grids = at_hints((self.elements, self.works, grids))
        self.inline, self.atomic = who_runs(provider.stream.asynchronous, elements, works, grids)
        return bound

    @property
    def elements(self) -> int:
        """Of all inputs and outputs."""
        return sum(m.numel for m in (*self.inputs, *self.outputs) if m is not None)

    @property
    def works(self) -> list[int]:
        """About how many instructions each launch takes that says so."""
        return [launch.work for launch in self.launches]

    def new_block(self) -> Any:
        """A block for the only output, when its free list is empty."""
        return self.pool.new_block(self.free)

    def raise_bad_index(self, *env: Any) -> None:
        """Raise if a kernel has set the error word; `env` is what `run` has taken."""
        if self.provider.error_word.take():
            assert self.index_check is not None
            named = None if self.named_index is None else self.named_index(env)
            raise self.check_error(named or self.index_check)

    @property
    def counts(self) -> Counts:
        """How many inputs, outputs and workspaces it has."""
        return Counts(len(self.inputs), len(self.outputs), len(self.workspaces))

    def program(self, device: Any) -> list[PlannedLaunch]:
        """The launches on a device, for a program of many plans."""
        counts = self.counts
        return [
            PlannedLaunch(launch.name, kernel, launch.grid, resolve(launch.operands, counts), sizes, launch.lays_out)
            for launch, kernel, sizes in self.settle(device)
        ]

    def table(self, addresses: Sequence[Any]) -> list[Any] | None:
        """What a program keeps in its workspaces, one behind the other: int64s, among them the addresses of the inputs, in whatever
        form they are given. None where workspaces are temporary."""
        return None

    def _bind(self, launch: Launch, kernel: CompiledKernel, sizes: tuple[Any, ...]) -> Callable[..., None]:
        bound = kernel.bind(*launch.grid, sizes, self.inline, self.atomic)
        arguments = _reordering(launch.operands, len(self.inputs), len(self.outputs), len(self.workspaces))
        return bound if arguments is None else _reorderer(tuple(arguments))(bound, self.provider.error_word)

    def argument_type(self, operand: LaunchOperand | None) -> str | None:
        """The type of an argument in the kernel's signature; None, the value of a constexpr, for an absent one.

        Raises:
            ArgumentValueError: the plan has no such input, output or workspace.
        """
        try:
            return None if operand is None else operand.argument_type(self)
        except IndexError:
            raise ArgumentValueError(f"a launch takes {operand}, its plan has {self.counts}") from None


def who_runs(asynchronous: bool, elements: int, works: Sequence[int], grids: Sequence[Any]) -> tuple[bool, bool]:
    """Whether launches are so little work that they run in the caller, and whether the interpreter's lock is held throughout.

    Args:
        elements: of all inputs and outputs.
        works: of each launch about how many instructions it takes, or 0: in proportion to the elements.
        grids: of each launch that runs, the same, its kernel and its grid.
    """
    work = max([each or elements for each in works], default=elements)
    inline = asynchronous or work <= ATOMIC_WORK or (
        elements <= ATOMIC_ELEMENTS and all(not own and kernel.runs_inline(*grid) for own, kernel, grid in grids)
    )  # fmt: skip
    brief = work <= BRIEF_WORK and all(own or kernel.is_brief(*grid) for own, kernel, grid in grids)
    return inline, inline or brief


class _NoStream:
    """The stream of no block: a plan with it never takes the fast path."""

    immediate = inline = False


NO_STREAM = _NoStream()

_kernels: dict[Any, tuple[CompiledKernel, Launch]] = {}


def specialise(plan: Plan, launch: Launch, provider: Provider) -> tuple[CompiledKernel, tuple[Any, ...]]:
    """The compiled kernel for a launch, and the values of its run-time sizes."""
    kind, constants = _specialisation(plan, launch, provider)
    found = _kernels.get(kind.key)
    if found is None:
        found = _kernels[kind.key] = kind.compile(provider), launch
    kernel, _ = found
    return kernel, tuple(constants)


def compile_all(
    plans: Iterable[Plan],
    provider: Provider,
    tell: Callable[[int, int], None],
    spared: type[Exception] | tuple[type[Exception], ...] = (),
) -> None:
    """Compile what the launches of many plans need, several kernels at a time where the device's compiler can.

    The error of the first that cannot be compiled comes out, in whatever order they end.

    Args:
        tell: told how many kernels of how many are there, whenever one is.
        spared: errors for which a kernel is left out.
    """
    missing: dict[Any, _Specialisation] = {}
    for plan in plans:
        for launch in plan.launches:
            if 0 not in launch.grid:
                kind, _ = _specialisation(plan, launch, provider)
                if kind.key not in _kernels:
                    missing[kind.key] = kind
    if not missing:
        return
    at_a_time = min(settings.compile_threads or provider.compilers, len(missing))
    with gc_paused(), ThreadPoolExecutor(at_a_time, "compile") as threads:
        tasks = [(threads.submit(kind.compile, provider), kind) for kind in missing.values()]
        try:
            for count, (task, kind) in enumerate(tasks, 1):
                if isinstance(task.exception(), spared):
                    continue
                _kernels[kind.key] = task.result(), kind.launch
                tell(count, len(missing))
        finally:
            threads.shutdown(cancel_futures=True)


class _Specialisation(NamedTuple):
    """A kernel that launches need: what distinguishes it, and what it is compiled from."""

    key: Any
    launch: Launch
    types: tuple[Any, ...]
    hints: tuple[Any, ...]

    def compile(self, provider: Provider) -> CompiledKernel:
        return _compile(self.launch, self.types, self.hints, provider)


def _specialisation(plan: Plan, launch: Launch, provider: Provider) -> tuple[_Specialisation, list[Any]]:
    """Which kernel a launch needs, and its run-time sizes."""
    types, constants = argument_types(plan, launch)
    hints = _alignment(plan, launch) if provider.divisibility else ()
    # Triton functions by identity, which the table's value keeps alive: they take 1 us to hash.
    function = launch.fn.__class__
    constexprs = tuple([(n, id(v) if v.__class__ is function else v) for n, v in launch.constexprs.items()])
    key = (provider.device, id(launch.fn), types, constexprs, hints, tuple(launch.options.items()))
    return _Specialisation(key, launch, types, hints), constants


def argument_types(plan: Plan, launch: Launch) -> tuple[tuple[Any, ...], list[Any]]:
    """The types of a launch's arguments, nested as they are, a constexpr's value in its type's place; the run-time sizes."""
    constants: list[Any] = []
    kinds = _size_types(launch.sizes, constants)
    if _needs_int64(plan, constants):
        kinds = _map(_widened, kinds)
    return (*_map(plan.argument_type, launch.operands), *kinds), constants


def _compile(launch: Launch, types: tuple[Any, ...], hints: tuple[Any, ...], provider: Provider) -> CompiledKernel:
    signature: dict[str, Any] = {}
    constexprs: dict[Any, Any] = dict(launch.constexprs)
    runtime_types = iter(types)
    for position, name in enumerate(launch.fn.arg_names):
        if name in launch.constexprs:
            signature[name] = "constexpr"
            continue
        kind = next(runtime_types)
        signature[name] = _map(lambda k: k if k.__class__ is str else "constexpr", kind)
        constexprs.update(_constants(kind, (position,)))
    attrs = {path: [["tt.divisibility", 16]] for path in hints}
    return provider.kernel(launch.fn, signature, constexprs, attrs, **launch.options)


def _constants(kind: Any, path: tuple[int, ...]) -> list[tuple[tuple[int, ...], int | None]]:
    """The positions and values of the constexpr leaves of an argument."""
    if isinstance(kind, tuple):
        return [found for i, k in enumerate(kind) for found in _constants(k, (*path, i))]
    return [] if kind.__class__ is str else [(path, kind)]


def _alignment(plan: Plan, launch: Launch) -> tuple[Any, ...]:
    """The positions of arguments divisible by 16."""
    found: list[Any] = []
    arguments = iter([*launch.operands, *launch.sizes])
    for position, name in enumerate(launch.fn.arg_names):
        if name not in launch.constexprs:
            _divisible(plan, next(arguments), (position,), found)
    return tuple(found)


def _divisible(plan: Plan, value: Any, path: tuple[int, ...], found: list[Any]) -> None:
    """Add the positions of a nested argument, an operand or a size, to those found."""
    if isinstance(value, tuple):
        for i, item in enumerate(value):
            _divisible(plan, item, (*path, i), found)
    elif isinstance(value, int):
        if isinstance(value, constant) or (isinstance(value, stride) and value == 0):
            return
        if decided("a multiple of 16", value, lambda: value % 16 == 0):
            found.append(path)
    elif isinstance(value, LaunchOperand) and value.is_aligned(plan):
        found.append(path)


def _needs_int64(plan: Plan, sizes: list[Any]) -> bool:
    metas = [meta for meta in (*plan.inputs, *plan.outputs) if meta is not None]
    numbers = [*[meta.numel if meta.is_contiguous else meta.span() for meta in metas], *[n for n, _ in plan.workspaces], *sizes]
    context = context_of(numbers)
    if context is None:
        return _exceed_int32(numbers)
    plain: list[Any] = []
    symbolic: list[Any] = []
    for number in dict.fromkeys(numbers):
        (symbolic if type(number) is SymbolicInt else plain).append(number)
    return _exceed_int32(plain) or bool(context.rule(_exceed_int32, (tuple(symbolic),), {}))


def _exceed_int32(numbers: Sequence[int]) -> bool:
    return bool(numbers) and not -_INT32_MAX <= min(numbers) <= max(numbers) <= _INT32_MAX


def _size_types(sizes: tuple[Any, ...], constants: list[Any]) -> tuple[Any, ...]:
    """The types of sizes, nested alike, and the value itself of a constexpr; run-time values are added to `constants`."""
    types: list[Any] = []
    for value in sizes:
        kind = value.__class__
        if kind is tuple:
            types.append(_size_types(value, constants))
        elif kind is constant or (kind is stride and -1 <= value <= 1):
            types.append(int(value))
        else:
            types.append("fp32" if kind is float else "i32")
            constants.append(value)
    return tuple(types)


def _widened(kind: Any) -> Any:
    return "i64" if kind == "i32" else kind


def _map(function: Callable[[Any], Any], value: Any) -> Any:
    return tuple([_map(function, v) for v in value]) if value.__class__ is tuple else function(value)


@lru_cache(maxsize=4096)
def _reordering(operands: tuple[Operands, ...], *counts: int) -> list[Argument] | None:
    """The arguments for operands; None if they are what a run of the plan is given, in order. `counts` are those of the plan."""
    arguments = resolve(operands, Counts(*counts))
    tensors = sum(counts)
    in_order = range(tensors + sum(argument.position >= tensors for argument in arguments))
    return None if arguments == [Argument(position, 0) for position in in_order] else arguments


@lru_cache(maxsize=4096)
def _reorderer(arguments: tuple[Argument, ...]) -> Callable[..., Callable[..., None]]:
    """A function of a launcher and the error word, which returns what takes all that a run is given and launches with `arguments`.

    For the output before a workspace 64 bytes further, it returns

        def run(a0, a1, a2, *more):
            launch(a1, a2 + 64)

    which takes half of the time of a list that is put together in every run.
    """
    given = max([position for position, _ in arguments], default=NOT_GIVEN) + 1
    passed = [
        "word.ptr" if position == NOT_GIVEN else f"a{position} + {offset}" if offset else f"a{position}"
        for position, offset in arguments
    ]
    text = (
        f"def make(launch, word):\n"
        f"    def run({''.join(f'a{i}, ' for i in range(given))}*more):\n"
        f"        launch({', '.join(passed)})\n"
        f"    return run\n"
    )
    scope: dict[str, Any] = {"__file__": __file__}
    exec(compile(text, "<arguments of a launch>", "exec"), scope)
    make: Callable[..., Callable[..., None]] = scope["make"]
    return make


def _sequence(steps: list[Callable[..., None]]) -> Callable[..., None]:
    if len(steps) == 1:
        return steps[0]

    def run(*env: Any) -> None:
        for step in steps:
            step(*env)

    return run
