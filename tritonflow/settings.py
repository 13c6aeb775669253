"""Every environment switch of tritonflow, declared once: name, type, default and a line of help.

    from tritonflow.settings import settings

    if settings.sync: ...                      # the variable TRITONFLOW_SYNC, read now
    settings.sync = True                       # assigned values win over the environment
    with settings.override(sync=True): ...     # for a while, as in tests
    del settings.sync                          # back to the environment

A value is read from the environment at each access, so that `os.environ` and pytest's `monkeypatch.setenv` work.
That costs a microsecond: code on the path of an op reads its settings once, when it is made.
A value that cannot be parsed raises `ValueError` naming the variable, what came and what is expected.

Nothing else of tritonflow reads a `TRITONFLOW_*` variable; this module imports nothing of tritonflow, so every room may use it.
"""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

PREFIX = "TRITONFLOW_"
T = TypeVar("T")


class Setting(Generic[T]):
    """One switch: a typed attribute of `Settings`, read from `TRITONFLOW_<NAME>`, or from another variable where that is unset."""

    def __init__(
        self, default: T | Callable[[], T], parse: Callable[[str], T], expected: str, help: str, also: str = ""
    ) -> None:
        self._default = default
        self._also = also
        self._parse = parse
        self.expected = expected
        self.help = help
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def default(self) -> T:
        return self._default() if callable(self._default) else self._default

    def read(self) -> T:
        """The value of the environment variable, or the default where it is unset or empty."""
        variable = self._also if self._also and not os.environ.get(self.variable, "").strip() else self.variable
        text = os.environ.get(variable, "")
        if not text.strip():
            return self.default
        try:
            return self._parse(text.strip())
        except ValueError:
            raise ValueError(f"{variable}={text!r}: expected {self.expected}. {self.help}") from None

    @overload
    def __get__(self, instance: None, owner: type) -> Setting[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Setting[T] | T:
        if instance is None:
            return self
        assigned = instance.__dict__
        return assigned[self.name] if self.name in assigned else self.read()

    def __set__(self, instance: object, value: T) -> None:
        instance.__dict__[self.name] = value

    def __delete__(self, instance: object) -> None:
        instance.__dict__.pop(self.name, None)


def flag(default: bool | Callable[[], bool], help: str, *, also: str = "") -> Setting[bool]:
    words = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False, "no": False}

    def parse(text: str) -> bool:
        if text.lower() not in words:
            raise ValueError(text)
        return words[text.lower()]

    return Setting(default, parse, "0 or 1", help, also)


def integer(default: int | Callable[[], int], help: str, *, minimum: int = 0) -> Setting[int]:
    def parse(text: str) -> int:
        value = int(text)
        if value < minimum:
            raise ValueError(text)
        return value

    return Setting(default, parse, f"an integer of at least {minimum}", help)


def level(default: int, most: int, help: str) -> Setting[int]:
    def parse(text: str) -> int:
        value = int(text)
        if not 0 <= value <= most:
            raise ValueError(text)
        return value

    return Setting(default, parse, f"an integer from 0 to {most}", help)


def number(default: float, help: str, *, minimum: float = 0.0) -> Setting[float]:
    def parse(text: str) -> float:
        value = float(text)
        if not value >= minimum:
            raise ValueError(text)
        return value

    return Setting(default, parse, f"a number of at least {minimum:g}", help)


def choice(default: str, values: tuple[str, ...], help: str) -> Setting[str]:
    def parse(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(text)
        return text.lower()

    return Setting(default, parse, "one of " + ", ".join(values), help)


def words(known: tuple[str, ...], help: str) -> Setting[frozenset[str]]:
    def parse(text: str) -> frozenset[str]:
        given = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
        if not given <= set(known):
            raise ValueError(text)
        return given

    return Setting(frozenset(), parse, "a list, with commas, of " + ", ".join(known), help)


def text(default: str, help: str) -> Setting[str]:
    return Setting(default, str, "a text", help)


def path(default: Callable[[], Path | None], help: str) -> Setting[Path | None]:
    return Setting(default, _expanded, "a path; ~ stands for the home directory, where there is one", help)


def _expanded(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:  # no home directory
        raise ValueError(text) from error


def _default_cache_dir() -> Path | None:
    """None for a user who has no home directory: HOME is not set, and nobody knows the user's number."""
    try:
        return _expanded(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "tritonflow"
    except ValueError:
        return None


def _is_first_rank() -> bool:
    """Whether no other process of torchrun's shares this terminal, or this one is the first of them."""
    return os.environ.get("LOCAL_RANK", "0") == "0"


def _available_cores() -> int:
    """What OpenMP's own variable says, as torch does; else the cores that this process may use."""
    given = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if given.isdigit() and int(given):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Settings:
    """The switches, by room. `settings` is the one instance."""

    # what is seen of a run
    log = words(("compile",), "What standard error is told: compile: a line for each kernel and graph that is compiled.")
    traceback = choice("short", ("short", "full"), "Frames of tritonflow in what a program's end shows: the two that tell, or all.")
    status = flag(_is_first_rank, "On a terminal, show what a first call compiles, where that takes more than a second.")

    # vm
    sync = flag(False, "Run every instruction at the call that issues it, so that errors appear where they are made.")
    vm_mode = choice("inline", ("inline", "threaded"), "Who runs instructions: the issuer, or a thread a stream.")
    vm_watchdog = number(300.0, "Seconds without progress after which waiting names the stuck instruction; 0: never.")
    vm_max_in_flight = integer(10_000, "Instructions in flight at which issuing waits (back-pressure).", minimum=1)
    vm_timeline = path(lambda: None, "Write the VM's timeline to this Chrome trace file at exit.")

    # device
    num_threads = integer(_available_cores, "Threads that run the programs of one CPU grid.", minimum=1)
    memory_limit = integer(0, "Bytes that the memory pool of one device may hold; 0: no limit but the device's.")
    cuda_graphs = flag(True, "Run a graph on a GPU as one CUDA graph, instead of launching its kernels one by one.")

    # graph
    debug_mode = flag(False, "Write each learning rate of graphs to log/; ONEFLOW_DEBUG_MODE too.", also="ONEFLOW_DEBUG_MODE")

    # ops
    matmul_precision = choice("tf32x3", ("ieee", "tf32x3", "tf32"), "How a GPU multiplies matrices of float32, at first.")
    conv_precision = choice("tf32", ("ieee", "tf32x3", "tf32"), "How a GPU computes convolutions of float32, at first.")

    # wire
    comm_timeout = number(60.0, "Seconds that a rank waits in a collective before it says which ranks have not come.", minimum=1)

    # triton_cpu
    cache_dir = path(_default_cache_dir, "Where compiled kernels and plans of graphs are stored between processes.")
    cache_size = integer(2 << 30, "Bytes there of compiled kernels, and of plans; the least recently used go; 0: no limit.")
    cpu_target = text("host", "The CPU that kernels are compiled for: host, or on x86-64 baseline, avx2 or avx512.")
    cpu_codegen = level(1, 3, "LLVM's level of code generation: 0 compiles in half the time, and runs slower; for tests.")
    compile_threads = integer(0, "Kernels of a graph that are compiled at a time; 1: one by one; 0: as many as the device takes.")
    cpu_dump = path(lambda: None, "Write each kernel's TTIR, LLVM IR and assembly to this folder.")
    cpu_check = flag(False, "Check every address of CPU kernels against tensors' memory; slow. Set before the first op.")

    # interpreter
    keep_plans = flag(True, "Keep plans of graphs on disk, for the next process that captures the same.")
    program_cache_bytes = integer(
        64 << 20, "Bytes that a compiled function's programs for sizes take before the least recently used are dropped.", minimum=1
    )
    plan_cache_size = integer(65_536, "Plans held before the least recently used are dropped.", minimum=1)

    # boxing
    boxing_warning_bytes = integer(64 << 20, "Bytes of a tensor that an op may gather on every rank without a warning; 0: any.")

    def declared(self) -> dict[str, Setting[Any]]:
        """Every switch by attribute name, in the order of declaration."""
        return {name: s for name, s in vars(type(self)).items() if isinstance(s, Setting)}

    def unknown(self) -> dict[str, str | None]:
        """`TRITONFLOW_*` variables of the environment that are no switch, each with the nearest one's name."""
        names = [s.variable for s in self.declared().values()]
        strangers = [v for v in os.environ if v.startswith(PREFIX) and v not in names]
        return {v: next(iter(difflib.get_close_matches(v, names, n=1)), None) for v in sorted(strangers)}

    @contextlib.contextmanager
    def override(self, **values: Any) -> Iterator[Settings]:
        """Assign switches for the length of a `with` block.

        >>> from tritonflow.settings import settings
        >>> with settings.override(sync=True):
        ...     settings.sync
        True
        """
        for name in values:
            if name not in self.declared():
                raise AttributeError(f"no setting named {name!r}; there are: {', '.join(self.declared())}")
        before = dict(self.__dict__)
        self.__dict__.update(values)
        try:
            yield self
        finally:
            self.__dict__.clear()
            self.__dict__.update(before)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.declared():
            raise AttributeError(f"no setting named {name!r}; there are: {', '.join(self.declared())}")
        super().__setattr__(name, value)


settings = Settings()
