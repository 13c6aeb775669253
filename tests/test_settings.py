"""Settings: where values come from, and what a wrong one says."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import pytest

import tritonflow
import tritonflow as flow
from tritonflow import errors
from tritonflow.settings import Setting, settings


def test_every_switch_has_a_type_a_default_and_help():
    for name, setting in settings.declared().items():
        assert setting.variable == "TRITONFLOW_" + name.upper()
        assert setting.help.endswith(".") and setting.expected
        if setting.variable not in os.environ:
            assert getattr(settings, name) == setting.default


def test_environment_assignment_override(monkeypatch):
    monkeypatch.delenv("TRITONFLOW_SYNC", raising=False)
    assert settings.sync is False
    monkeypatch.setenv("TRITONFLOW_SYNC", "on")
    assert settings.sync is True
    with settings.override(sync=False, num_threads=3):
        assert settings.sync is False and settings.num_threads == 3
        settings.sync = True
        assert settings.sync is True
    assert settings.sync is True and settings.num_threads != 0
    settings.sync = False
    assert settings.sync is False
    del settings.sync
    assert settings.sync is True
    monkeypatch.setenv("TRITONFLOW_SYNC", "  ")
    assert settings.sync is False


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("SYNC", "perhaps", "0 or 1"),
        ("NUM_THREADS", "0", "an integer of at least 1"),
        ("NUM_THREADS", "many", "an integer of at least 1"),
        ("CPU_CODEGEN", "4", "an integer from 0 to 3"),
        ("VM_WATCHDOG", "nan", "a number of at least 0"),
        ("VM_MODE", "magic", "one of inline, threaded"),
    ],
)
def test_bad_values_name_the_variable(monkeypatch, variable, text, expected):
    monkeypatch.setenv(f"TRITONFLOW_{variable}", text)
    with pytest.raises(ValueError, match=f"TRITONFLOW_{variable}='{text}': expected {expected}"):
        getattr(settings, variable.lower())


def test_unknown_names(monkeypatch):
    monkeypatch.setenv("TRITONFLOW_SYNK", "1")
    assert settings.unknown()["TRITONFLOW_SYNK"] == "TRITONFLOW_SYNC"
    with pytest.raises(AttributeError, match="no setting named 'synk'"):
        settings.synk = True
    with pytest.raises(AttributeError), settings.override(synk=True):
        pass
    assert isinstance(type(settings).sync, Setting)


def test_switches_are_read_and_declared_once():
    package = Path(tritonflow.__file__).parent
    sources = {str(path.relative_to(package)): path.read_text() for path in package.rglob("*.py")}
    code = "\n".join(text for name, text in sources.items() if name != "settings.py")
    unread = [name for name in settings.declared() if f"settings.{name}" not in code]
    assert not unread, "declared, but nothing reads them"
    elsewhere = [n for n, text in sources.items() if re.search(r"environ.*TRITONFLOW_", text) and n != "settings.py"]
    assert not elsewhere, "these read the environment themselves: declare the switch in settings.py"


@pytest.mark.parametrize(("given", "threads"), [("3", 3), ("2,4", 2), ("", None), ("many", None), ("0", None)])
def test_threads_follow_openmp(monkeypatch, given, threads):
    monkeypatch.delenv("TRITONFLOW_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert type(settings).num_threads.read() == (threads or len(os.sched_getaffinity(0)))
    monkeypatch.setenv("TRITONFLOW_NUM_THREADS", "5")
    assert type(settings).num_threads.read() == 5


def test_errors_say_what_they_are_about():
    x = flow.ones(2, 3)
    for call in (
        lambda: flow.arange(0, 3, 0), lambda: x.chunk(0), lambda: flow.normal(0.0, -1.0, (2,)), lambda: x.sum((0, 0)),
        lambda: flow.nn.functional.gelu(x, approximate="some"), lambda: x.scatter(0, x.long(), x, reduce="some"),
    ):  # fmt: skip
        with pytest.raises(errors.InvalidArgumentError):
            call()
    for call in (lambda: x @ x, lambda: x + flow.ones(4), lambda: x.reshape(5)):
        with pytest.raises(errors.ShapeError):
            call()


def test_errors_have_the_bases_that_users_catch():
    for kind, base in {
        errors.ArgumentTypeError: TypeError,
        errors.InvalidArgumentError: RuntimeError,
        errors.ShapeError: RuntimeError,
        errors.DimensionError: IndexError,
        errors.DTypeNotImplementedError: RuntimeError,
        errors.NotYetImplementedError: NotImplementedError,
        errors.InplaceError: RuntimeError,
        errors.FileFormatError: RuntimeError,
    }.items():
        assert issubclass(kind, base) and issubclass(kind, errors.TritonflowError)
    error = errors.OutOfMemoryError("cuda:0", 3 << 30, 1 << 30, 2 << 30, 4 << 30)
    text = "cuda:0 out of memory: tried to allocate 3,072.00 MiB; in use 1,024.00 MiB of 4,096.00 MiB, held by the pool"
    assert str(error).startswith(text) and str(pickle.loads(pickle.dumps(error))) == str(error)
    assert pickle.loads(pickle.dumps(errors.FileFormatError("a", "b"))).path == "a"
