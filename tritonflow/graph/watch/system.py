"""Functions whose answer depends on more than Python's variables: on clocks, generators, files, modes. A new one is a name here."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

from tritonflow.graph.watch.accesses import is_environment
from tritonflow.graph.watch.slots import CalledSlot

if TYPE_CHECKING:
    from tritonflow.graph.watch.watch import Watch

_VARYING = ("random", "time", "secrets", "uuid", "numpy.random", "_random")  # of them, each call gives something else
_SYSTEM = (
    "os", "posix", "nt", "io", "_io", "socket", "_socket", "subprocess", "shutil", "tempfile", "multiprocessing", "pprint",
)  # fmt: skip
_OF_TEXTS = ("fspath", "fsencode", "fsdecode", "strerror")  # of the system's functions those that ask it nothing
_READING = frozenset(  # what the system tells; what else is asked of it may change something
    "exists isfile isdir islink lexists ismount getsize getmtime getatime getctime samefile expanduser expandvars abspath realpath"
    " is_file is_dir is_symlink stat lstat owner read_text read_bytes iterdir glob rglob resolve absolute cwd home isenabled load"
    " loadtxt genfromtxt fromfile listdir scandir access getcwd getpid getppid cpu_count urandom uname getloadavg times walk"
    " StringIO BytesIO".split()
)
_WRITING = frozenset(
    "write_text write_bytes touch mkdir rmdir unlink rename replace chmod symlink_to hardlink_to open save savetxt savez"
    " savez_compressed print_exc print_stack print_exception print_tb print_last".split()
)
_ASKED = ("genericpath", "posixpath", "ntpath", "pathlib", "pathlib._local", "gc", "numpy", "traceback")
_WITH_MODES = ("sys", "threading", "_thread", "decimal", "_decimal", "numpy", "locale", "_locale", "warnings", "faulthandler")
_OF_CAPTURES = ("is_compiling", "is_dynamo_compiling", "is_exporting", "is_grad_enabled", "is_inference_mode_enabled")


def note_call(watch: Watch, function: Any) -> None:
    """Note that user code calls a function that gives something else in each call, or that changes what lies outside."""
    if is_environment(getattr(function, "__self__", None)):  # whose entries are slots
        return
    name = getattr(function, "__name__", "")
    owners = (getattr(function, "__module__", None), type(getattr(function, "__self__", None)).__module__)
    for owner in owners:
        if isinstance(owner, str) and (owner in _VARYING or owner.startswith("numpy.random")) and name != "sleep":
            watch.generators.look()
            watch.generators.keep(getattr(function, "__self__", None))
            module = owner.partition("._")[0].removesuffix(".mtrand").lstrip("_")
            watch.doubt(f"calls {module}.{name}(), which gives something else in each call")
            return
        if (owner in _SYSTEM or owner in _ASKED) and name in _READING:
            watch.doubt(f"asks the system by {name}(), whose answer may differ in the next call")
            return
        if name == "__subclasses__" and owner is not None:
            watch.refuse("asks a class for its subclasses, which may be others in the next call", "ask outside")
        if _is_setting(owner, name):
            watch.refuse(f"calls {name}(), which changes a setting", "call it outside")
        if (owner in _SYSTEM and name not in _OF_TEXTS) or (owner in _ASKED and name in _WRITING):
            watch.refuse(f"calls {name}(), which changes what lies outside of Python", "do it outside")
    if name in ("now", "today", "utcnow") and getattr(function, "__self__", None).__class__ is type:
        watch.doubt(f"asks the time by {name}(), which differs in the next call")


_OPAQUE = ("_io", "io", "_csv", "tempfile", "zipfile", "tarfile", "sqlite3", "socket", "_socket")  # their objects change unseen


def refuse_opaque(watch: Watch, value: Any) -> None:
    """Refuse to give a library an object from outside that it may change, and that does not tell what it holds.

    Raises:
        CaptureError: it is a file, a stream or the like.
    """
    kind = type(value)
    if any(each.__module__ in _OPAQUE for each in kind.__mro__[:-1]):
        watch.refuse(f"hands a {kind.__name__} from outside to a library, which may change it", "do it outside")


def note_decimal(watch: Watch) -> None:
    """Note that decimal numbers are computed: with a precision that may be another one in the next call."""
    watch.read_slot(CalledSlot(_decimal_mode))


def _decimal_mode() -> tuple[int, str]:
    import decimal

    context = decimal.getcontext()
    return context.prec, context.rounding


def note_method(watch: Watch, owner: Any, name: str) -> None:
    """Note that user code calls a method, written in C, of an object."""
    module = type(owner).__module__
    if module in _VARYING or module.startswith("numpy.random"):
        watch.generators.look()
        watch.generators.keep(owner)
        watch.doubt(f"calls {name}() of a random generator, which gives something else in each call")


def takes_stand_ins(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether a library's function does with what stands for a number as with a number."""
    module = (getattr(function, "__module__", None) or "builtins").partition(".")[0]
    if (function is pow and len(arguments) + len(keywords) > 2) or function is collections.deque:
        return False
    return module in _TAKING


_TAKING = frozenset(  # modules whose functions do arithmetic with them, or pass them on
    "tritonflow builtins math operator _operator functools _functools itertools collections _collections copy dataclasses"
    " contextlib enum logging warnings typing types abc random _random time triton".split()
)


def _is_setting(module: Any, name: str) -> bool:
    """Whether a function changes a mode of Python's, of NumPy's or of this package that no run would change."""
    if not isinstance(module, str):
        return False
    if module.partition(".")[0] == "tritonflow":
        return name.startswith(("set_", "use_")) and name not in _OF_A_BLOCK and not module.startswith(_OWN_STATES)
    if module == "warnings":  # whose filters are compared behind the function: `catch_warnings` puts them back
        return False
    return module in (*_WITH_MODES, "gc", "logging", "signal", "atexit", "numpy.core.arrayprint") and name.startswith(_SETTERS)


_SETTERS = ("set", "disable", "enable", "register", "addLevelName", "addHandler",
            "addFilter", "removeHandler", "removeFilter", "freeze", "unfreeze")  # fmt: skip
_OF_A_BLOCK = ("set_grad_enabled", "set_default_dtype", "set_default_device", "set_default_tensor_type", "set_detect_anomaly")
_OWN_STATES = ("tritonflow.framework.", "tritonflow.nn.", "tritonflow.optim.", "tritonflow._C", "tritonflow.members.memory_changes")


def is_asked(function: Any) -> bool:
    """Whether a function says how a mode is set, such as `flow.are_deterministic_algorithms_enabled` and `gc.isenabled`."""
    name, module = getattr(function, "__name__", ""), getattr(function, "__module__", None) or ""
    if module in _WITH_MODES:
        return name.startswith(("is", "get", "active_"))
    return module.startswith("tritonflow.") and name.startswith(("is_", "are_", "get_")) and name not in _OF_CAPTURES
