"""Models that torch exports give the numbers of torch and of ONNX Runtime, in eager mode and compiled, and torch's gradients."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.onnx_reading.models import exported, inputs_of, model_of
from tritonflow.onnx.reading.module import OnnxModule

pytest.importorskip("onnx")

NAMES = ("net", "unet", "encoder", "tagger")


def close(got: Any, wanted: Any, most: float = 2e-5) -> None:
    numpy.testing.assert_allclose(got.detach().numpy(), numpy.asarray(wanted.detach()), rtol=most, atol=most)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_and_gradients(name: str) -> None:
    model, x = model_of(name), inputs_of(name, 2)
    module = flow.onnx.load(exported(model, x))
    given, wanted_input = flow.from_torch(x.clone()), x.clone()
    if x.is_floating_point():
        given.requires_grad_()
        wanted_input.requires_grad_()
    result, wanted = module(given), model(wanted_input)
    close(result, wanted)
    result.square().sum().backward()
    wanted.square().sum().backward()
    if x.is_floating_point():
        close(given.grad, wanted_input.grad, 1e-4)
    theirs, found = dict(model.named_parameters()), 0
    for key, parameter in module.named_parameters():
        if key in theirs:
            close(parameter.grad, theirs[key].grad, 1e-4)
            found += 1
    assert found >= 3


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_onnxruntime(name: str) -> None:
    runtime = pytest.importorskip("onnxruntime")
    data = exported(model_of(name), inputs_of(name, 2))
    session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    x = inputs_of(name, 3)
    with flow.no_grad():
        result = flow.onnx.load(data)(x=flow.from_torch(x))
    numpy.testing.assert_allclose(result.numpy(), session.run(None, {"x": x.numpy()})[0], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", ["net", pytest.param("unet", marks=pytest.mark.long), "encoder", "tagger"])
def test_compiled_for_any_number_of_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, runs, bind = model_of(name), [], OnnxModule._bind
    monkeypatch.setattr(OnnxModule, "_bind", lambda self, *given: runs.append(1) or bind(self, *given))
    compiled = flow.compile(flow.onnx.load(exported(model, inputs_of(name, 2))), fullgraph=True, dynamic=True)
    for batch in (2, 8, 11, 13):
        before = len(runs)
        x = inputs_of(name, batch)
        with flow.no_grad():
            close(compiled(flow.from_torch(x)), model(x))
    assert len(runs) == before, "passes ask whether a batch is smaller than what is beside it, so that 2 may be another kind than 8"


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["net", "encoder"])
def test_the_exporter_of_torch_export(name: str) -> None:
    pytest.importorskip("onnxscript")
    model = model_of(name)
    module = flow.onnx.load(exported(model, inputs_of(name, 2), dynamo=True))
    for batch in (2, 4):
        x = inputs_of(name, batch)
        with flow.no_grad():
            close(module(flow.from_torch(x)), model(x))


def test_a_step_of_training_is_that_of_torch() -> None:
    model, x = model_of("encoder"), inputs_of("encoder", 2)
    module = flow.onnx.load(exported(model, x))
    ours, theirs = flow.optim.SGD(module.parameters(), lr=0.1), torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        ours.zero_grad()
        theirs.zero_grad()
        module(flow.from_torch(x)).square().mean().backward()
        model(x).square().mean().backward()
        ours.step()
        theirs.step()
    close(module(flow.from_torch(x)), model(x), 1e-4)
