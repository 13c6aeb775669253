"""Lets the tests of this folder import its harness; their matrices of parameters, a kernel a case, are sampled."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    if pathlib.Path(__file__).parent in item.path.parents and len(getattr(getattr(item, "callspec", None), "params", ())) > 1:
        item.add_marker("sampled")
