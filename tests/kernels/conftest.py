"""The matrices of parameters of this folder's tests, a kernel a case, are sampled."""

import pathlib

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    if pathlib.Path(__file__).parent in item.path.parents and len(getattr(getattr(item, "callspec", None), "params", ())) > 1:
        item.add_marker("sampled")
