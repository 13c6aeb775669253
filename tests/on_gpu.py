"""What a run of tests with `--device cuda` minds on a real GPU, and on its stand-in.

- A lost context (an illegal address and the like) fails every later test of its process. So the process ends: of parallel ones
  pytest-xdist begins another, a single one stops.
- A kernel that does not end waits in C, where no signal reaches Python: there the timeouts are a thread's.
- Tests of Triton's interpreter, of kernels for CPUs and of launches on a stand-in have nothing to do with a GPU.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests import where

LOST_STATUS = 86  # of a process that ends with its context
_OWN = ("device", "kernels")  # folders whose tests for a GPU are marked `cuda`
_lost: set[str] = set()  # tests that spoiled the context of this process


class OnGpu:
    """A plugin of the processes that run the tests."""

    @pytest.hookimpl(tryfirst=True)  # before pytest-timeout reads it
    def pytest_configure(self, config: pytest.Config) -> None:
        if not where.is_stand_in() and hasattr(config.option, "timeout_method"):
            config.option.timeout_method = "thread"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        if call.excinfo is not None and loses_the_context(call.excinfo.value):
            _lost.add(item.nodeid)
            report.user_properties.append(("lost_context", True))
            item.session.shouldstop = f"{item.nodeid} has lost the device's context"
        return report

    @pytest.hookimpl(trylast=True)  # the reports are sent
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        if nodeid in _lost and "PYTEST_XDIST_WORKER" in os.environ:
            os._exit(LOST_STATUS)


def loses_the_context(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, spoils the context. An assertion speaks of what another process has said."""
    from tritonflow.device.lost_context import is_lost
    from tritonflow.tracebacks import chain

    behind = () if error is None else chain(error)
    return any(is_lost(str(each)) and not isinstance(each, AssertionError) for each in behind)


def has_to_do_with(item: pytest.Item) -> bool:
    """Whether a test shows something of a real GPU."""
    return item.path.parent.name not in _OWN or item.get_closest_marker("cuda") is not None
