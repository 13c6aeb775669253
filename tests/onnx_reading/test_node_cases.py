"""ONNX's own tests of ops: models of one node with inputs and expected outputs, for all op types that are read."""

from __future__ import annotations

import random
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow

onnx = pytest.importorskip("onnx")
pytest.importorskip("ml_dtypes")  # comes with onnx

from tritonflow.onnx.reading.dtypes import BY_NAME, NARROW, name_of, tensor_of  # noqa: E402
from tritonflow.onnx.reading.load import IGNORED, NEWEST, nodes_of, version_of  # noqa: E402
from tritonflow.onnx.reading.table import find  # noqa: E402

EXCEPTED = {
    "test_bitwise_not_3d": "uint16 has no bitwise_not",
    "test_div_uint64": "uint64 has no division that truncates",
    "test_col2im_5d": "images of three dimensions",
    "test_resize_downsample_scales_linear_align_corners": "expects scale * size of the result, where the specification has the size",
    "test_resize_downsample_scales_cubic_align_corners": "expects scale * size of the result, where the specification has the size",
}
"""Cases that differ, and why."""


@cache
def cases() -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        found = collect_testcases(None)
    return {case.name: case for case in found if is_read(case)}


def is_read(case: Any) -> bool:
    """Whether a model has ops that are read, and nothing that the page says is not."""
    graph, version = case.model.graph, version_of(case.model)
    values = [*graph.input, *graph.output]
    types = {name_of(each.type.tensor_type.elem_type) for each in values if each.type.HasField("tensor_type")}
    tensors = all(each.type.HasField("tensor_type") for each in graph.input)
    narrow = {name_of(each.type.tensor_type.elem_type) for each in graph.input} & set(NARROW)
    unusual = "training_dropout" in case.name or "_window" in case.name  # random masks; windows of Attention
    whole = tensors and not narrow and types <= {*BY_NAME, *NARROW}
    ops = all(node.op_type == "Constant" or find(node.op_type, version) for node in nodes_of(graph) if not node.domain)
    ops = ops and not any(node.domain for node in nodes_of(graph))
    return ops and whole and not unusual and 7 <= version <= NEWEST


def as_tensor(value: Any) -> Any:
    return tensor_of(onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else numpy.asarray(value))


def check(case: Any) -> None:
    module = flow.onnx.load(case.model)
    for inputs, outputs in case.data_sets:
        result = module(*[as_tensor(each) for each in inputs])
        results = result if isinstance(result, tuple) else (result,)
        assert len(results) == len(outputs)
        for got, wanted in zip(results, outputs):
            pairs = zip(got, wanted) if isinstance(wanted, list) else [(got, wanted)]
            for value, expected in pairs:
                compare(case, value, as_tensor(expected))


def compare(case: Any, value: Any, expected: Any) -> None:
    assert value.dtype is expected.dtype and value.shape == expected.shape
    rtol = max(case.rtol, {flow.bfloat16: 2**-6, flow.float16: 2**-9}.get(value.dtype, 0))
    if value.dtype.is_floating_point:
        value, expected = value.double(), expected.double()
    numpy.testing.assert_allclose(value.numpy(), expected.numpy(), rtol=rtol, atol=max(case.atol, 1e-6), err_msg=case.name)


def run_all(names: list[str]) -> None:
    failed = {}
    for name in names:
        try:
            check(cases()[name])
        except Exception as error:  # all cases are named at the end
            failed[name] = f"{type(error).__name__}: {error}"
    assert not failed, "\n".join(f"{name}: {text[:300]}" for name, text in failed.items())


def test_a_sample_of_the_cases(seed: int) -> None:
    names = sorted(set(cases()) - set(EXCEPTED))
    assert len(names) > 1000
    run_all(random.Random(seed).sample(names, 60))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_all_cases() -> None:
    run_all(sorted(set(cases()) - set(EXCEPTED)))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(EXCEPTED))
def test_excepted_cases_differ(name: str) -> None:
    with pytest.raises((AssertionError, NotImplementedError)):
        check(cases()[name])


def test_no_attribute_is_overlooked() -> None:
    """Each attribute of an op that is read stands in the source, or is listed with the reason why it is not."""
    folder = Path(find.__code__.co_filename).parent
    source = "".join(path.read_text() for path in folder.glob("*.py"))
    missing = set()
    for schema in onnx.defs.get_all_schemas_with_history():
        if not schema.domain and 7 <= schema.since_version <= NEWEST and find(schema.name, schema.since_version):
            missing |= {(schema.name, name) for name in schema.attributes if f'"{name}"' not in source and name not in IGNORED}
    assert not missing
