"""Errors about unknown names and keywords say which one is near."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.errors import ArgumentTypeError

MODULES = {"": (flow, torch), ".nn": (flow.nn, torch.nn), ".nn.functional": (flow.nn.functional, torch.nn.functional)}


@pytest.mark.parametrize(
    ("module", "wrong", "meant"),
    [("", "softmx", "softmax"), ("", "vmapp", "vmap"), (".nn", "Lineer", "Linear"), (".nn.functional", "cross_entrpy", "cross_entropy")],
)
def test_names_of_modules(module: str, wrong: str, meant: str) -> None:
    ours, theirs = MODULES[module]
    with pytest.raises(AttributeError) as caught:
        getattr(ours, wrong)
    with pytest.raises(AttributeError) as expected:
        getattr(theirs, wrong)
    begins = str(expected.value).replace("'torch", "'tritonflow")
    assert str(caught.value) == f"{begins}; did you mean {meant!r}?"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(copy.copy(caught.value)) == str(caught.value)
    assert not hasattr(ours, wrong) and getattr(ours, wrong, 3) == 3


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_near(module: str) -> None:
    with pytest.raises(AttributeError) as caught:
        MODULES[module][0].qqqqzzzz
    assert str(caught.value) == f"module 'tritonflow{module}' has no attribute 'qqqqzzzz'"


def test_who_only_asks_looks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a name was looked for")

    monkeypatch.setattr("difflib.get_close_matches", refuse)
    assert not hasattr(flow, "softmx") and getattr(flow.nn, "Lineer", None) is None
    assert flow.sum(flow.ones(2, 2), axis=1).tolist() == [2.0, 2.0]


X = flow.ones(2, 2)


@pytest.mark.parametrize(
    ("call", "begins", "ends"),
    [
        (lambda: flow.relu(X, inplce=True), "relu(): got an unexpected keyword argument 'inplce'", "; did you mean 'inplace'?"),
        (lambda: X.sum(keepdin=True), "sum(): got an unexpected keyword argument 'keepdin'", "; did you mean 'keepdim'?"),
        (lambda: flow.cat([X], dmi=0), "cat(): got an unexpected keyword argument 'dmi'", "; did you mean 'dim'?"),
        (lambda: flow.add(X, 1, alhpa=2), "add(): received an invalid combination of arguments", "; did you mean 'alpha'?"),
        (lambda: flow.sum(X, axes=1), "sum(): got an unexpected keyword argument 'axes'", "; did you mean 'axis'?"),
        (lambda: flow.relu(X, qqzz=1), "relu(): got an unexpected keyword argument 'qqzz'", "'qqzz'"),
    ],
)
def test_keywords(call: Callable[[], Any], begins: str, ends: str) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        call()
    assert str(caught.value).startswith(begins) and str(caught.value).endswith(ends)


def test_keywords_of_module_to() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'devise'; did you mean 'device'?"):
        flow.nn.Linear(2, 2).to(devise="cpu")


def test_targets_that_are_no_classes_name_their_dtype_and_shape() -> None:
    with pytest.raises(RuntimeError, match=r"target of dtype float32 and shape \[2\]: class indices are int64"):
        flow.nn.functional.cross_entropy(flow.ones(2, 3), flow.ones(2))
