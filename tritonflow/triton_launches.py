"""Triton's own `kernel[grid](...)` in a program that uses this package.

The first launch asks Triton for its one active driver; where there is no GPU, CPUs get theirs. While a graph is captured, launches
are handed over to it, and what an autotuner measures runs outside of it.

This is set up once Triton is imported, with the lock of that import held: nothing is imported here then, as another thread may be
importing what imports Triton.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from enum import Enum
from functools import partial
from typing import Any, Protocol

from tritonflow import versions


class Residence(Enum):
    """Where a launch's tensors are: on the host, or none; on a GPU; on the meta device, where there is nothing to compute."""

    HOST = "host"
    GPU = "gpu"
    META = "meta"


HOST, GPU, META = Residence


class LaunchRecorder(Protocol):
    """Who records launches, and knows the tensors of this package."""

    def is_capturing(self) -> bool:
        """Whether this thread's launches are recorded now."""

    def launch(self, kernel: Any, arguments: dict[str, Any], constexprs: set[str], options: dict[str, Any], grid: Any) -> None:
        """Record a launch: the arguments by name, those that are constants of the code, and Triton's options."""

    def residence(self, kernel: Any, values: Iterable[Any]) -> Residence:
        """Where the tensors of this package among the arguments are.

        Raises:
            RuntimeError: a kernel cannot have one of them.
        """

    def run_on_gpu(
        self, kernel: Any, arguments: Iterable[tuple[str, Any]], compiled: Callable[[], Any], launch: Callable[[], Any]
    ) -> Any:
        """Call `launch`, which gives the compiled kernel, and note what that writes of the arguments, given with their names.

        Args:
            compiled: gives the compiled kernel without a launch.
        """

    def measuring(self) -> AbstractContextManager[Callable[[Any], Any]]:
        """A block whose launches run, with a function that gives for an argument one that is there."""

    def explain(self, kernel: Any, arguments: Iterable[tuple[str, Any]], error: TypeError) -> None:
        """Raise an error that says more, where Triton refused an argument that can be made a tensor."""

    def warmup_argument(self, value: Any, mock: Callable[[Any], Any]) -> Any:
        """What `kernel.warmup` takes for an argument: `mock(dtype)` for a dtype of this package."""


def follow(triton: Any, install: Callable[[], None], recorder: LaunchRecorder) -> None:
    """Set all of this up in Triton.

    Args:
        install: sets the driver of CPUs.
        recorder: records launches while it captures.

    Raises:
        UnsupportedVersionError: Triton's launches are not where they are expected.
    """
    try:
        _use_cpu_without_gpu(sys.modules["triton.runtime.driver"], install)  # a name of the package is the driver itself
        _hand_over(triton.runtime.jit.JITFunction, triton.runtime.jit.MockTensor, recorder)
        _measure_outside(triton.runtime.autotuner.Autotuner, recorder)
    except (AttributeError, KeyError) as error:
        raise versions.unsupported("triton", triton.__version__, error) from error


def _use_cpu_without_gpu(module: Any, install: Callable[[], None]) -> None:
    create = module._create_driver

    def create_driver() -> Any:
        if any(backend.driver.is_active() for backend in module.backends.values()):
            return create()
        install()
        return module.driver.active

    module._create_driver = create_driver


def _hand_over(function: Any, mock: Any, recorder: LaunchRecorder) -> None:
    run = function.run

    def run_or_record(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        if warmup:
            return run(self, *[recorder.warmup_argument(arg, mock) for arg in args], grid=grid, warmup=True, **kwargs)
        where = recorder.residence(self, (*args, *kwargs.values()) if kwargs else args)
        if where is META:
            return None
        if not recorder.is_capturing():
            try:
                if where is HOST:
                    return run(self, *args, grid=grid, warmup=False, **kwargs)
                launch = partial(run, self, *args, grid=grid, **kwargs)
                arguments = (*zip(self.arg_names, args), *kwargs.items())
                return recorder.run_on_gpu(self, arguments, partial(launch, warmup=True), partial(launch, warmup=False))
            except TypeError as error:
                recorder.explain(self, (*zip(self.arg_names, args), *kwargs.items()), error)
                raise
        named = {name: value for name, value in kwargs.items() if name in self.signature.parameters}
        options = {name: value for name, value in kwargs.items() if name not in named}
        bound = self.signature.bind(*args, **named)
        bound.apply_defaults()
        constexprs = {parameter.name for parameter in self.params if parameter.is_constexpr}
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        recorder.launch(self, dict(bound.arguments), constexprs, options, grid)
        return None

    function.run = run_or_record


def _measure_outside(autotuner: Any, recorder: LaunchRecorder) -> None:
    bench, run = autotuner._bench, autotuner.run

    def bench_outside(self: Any, *args: Any, config: Any, **kwargs: Any) -> Any:
        if not recorder.is_capturing():
            return bench(self, *args, config=config, **kwargs)
        named = self.nargs
        with recorder.measuring() as there:
            self.nargs = {name: there(value) for name, value in named.items()}
            try:
                return bench(self, *map(there, args), config=config, **{name: there(v) for name, v in kwargs.items()})
            finally:
                self.nargs = named

    def run_with_data(self: Any, *args: Any, **kwargs: Any) -> Any:
        if recorder.residence(self.base_fn, (*args, *kwargs.values())) is META:
            return None
        if not recorder.is_capturing():
            return run(self, *args, **kwargs)
        hook = self.pre_hook
        # Measured on other memory, the operands are as they were: nothing is to be reset to zero.
        self.pre_hook = lambda arguments, reset_only=False: None if reset_only else hook(arguments)
        try:
            return run(self, *args, **kwargs)
        finally:
            self.pre_hook = hook

    autotuner._bench, autotuner.run = bench_outside, run_with_data
