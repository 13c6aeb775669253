"""Reading the registry: what the language means, and errors that name the entry."""

from __future__ import annotations

import re

import pytest

from tritonflow.binding.signature import DataTypeName, SchemaError, parse_signature
from tritonflow.registry.schema import parse_entries, parse_entry


def test_a_signature_is_read_and_written_back():
    text = (
        'Tensor (Tensor x, Int32List[2] stride=1, *, DataType dtype=kFloat, String mode="a, (b", Float p=-1e-5) => Op'
    )
    signature = parse_signature("op", text)
    assert f"{signature} => {signature.functor}" == text
    assert [p.name for p in signature.positional] == ["x", "stride"]
    stride, dtype, mode, p = signature.parameters[1:]
    assert (stride.default, stride.size) == ((1, 1), 2)
    assert dtype.default == DataTypeName("float32")
    assert (mode.default, p.default) == ("a, (b", -1e-5)


def test_named_results_and_optional_arguments():
    signature = parse_signature("topk", "TensorTuple[values, indices] (Tensor x, Int32 dim=None) => TopK")
    assert signature.return_names == ("values", "indices")
    assert signature.parameters[1].optional and not signature.parameters[0].optional


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        ("Tensor x => F", "is not of the form"),
        ("Tensr (Tensor x) => F", "unknown return type 'Tensr'"),
        ("Tensor (Tensr x) => F", "unknown type 'Tensr'"),
        ("Tensor (Tensor) => F", "'Tensor' is not a parameter"),
        ("Tensor (Tensor x, Tensor x) => F", "parameter 'x' occurs twice"),
        ("Tensor (Int32 a=1, Tensor x) => F", "'x' without a default follows one with a default"),
        ("Tensor (Int32 a=abc) => F", "the default 'abc' is neither a literal nor a dtype"),
        ("Tensor (Int32 a=1.5) => F", "the default '1.5' does not fit Int32"),
        ("Tensor (Int32List[2] a=(1, 'x')) => F", "does not fit Int32List"),
        ("Tensor (Int32[2] a) => F", "Int32 takes no size"),
        ("Tensor (Tensor lambda) => F", "'lambda' cannot be the name of a parameter"),
        ("Tensor (Tensor extra) => F", "'extra' cannot be the name of a parameter"),
    ],
)
def test_wrong_signatures_name_the_entry(signature, text):
    with pytest.raises(SchemaError, match="^myop: .*" + re.escape(text)):
        parse_signature("myop", signature)


FACTS = {"flops": "elements", "tolerance": "reduction", "sbp": {"broadcast": "a test"}}
ENTRY = {
    "name": "myop",
    "signature": "Tensor (Tensor x, Int32 dim=0) => MyOp",
    "op": {"inputs": ["x"], "attrs": ["dim"], "outputs": ["y"], "nondifferentiable": ["y"], "plan": "family.forward"},
    **FACTS,
}


def test_an_entry_with_its_defaults():
    entry = parse_entry({**ENTRY, "op": {**ENTRY["op"], "nondifferentiable": []}, "derivative": {"x": "dy"}})
    (op,) = entry.ops
    assert (entry.export, entry.reference, entry.bind_python) == (("flow",), "torch.myop", True)
    assert (op.name, op.kind, op.result, op.fusion) == ("myop", "plan", "promoted", "none")
    assert op.derivative == ((("x",), "dy"),)


def test_a_lone_dtype_rule_is_for_the_promoted_operands_or_for_every_input():
    pointwise = {"inputs": ["x", "y"], "pointwise": "x + y", "dtypes": "int64|floating", "result": "bool"}
    planned = {**FACTS, "inputs": ["x", "y"], "plan": "family.forward", "dtypes": "numeric", "nondifferentiable": ["out"]}
    named = {**planned, "dtypes": {"y": "integral"}}
    signature = "Tensor (Tensor x, Tensor y) => MyOp"
    rules = [parse_entry({"name": "myop", "signature": signature, "op": op}).ops[0].dtypes for op in (pointwise, planned, named)]
    assert rules == [(("", "int64|floating"),), (("x", "numeric"), ("y", "numeric")), (("y", "integral"),)]


def test_operands_of_a_pointwise_op_are_the_tensors_and_numbers_of_its_signature():
    signatures = ["Tensor (Tensor x, Scalar a, *, Float b=1, Bool inplace=False) => MyOp", "Tensor (Scalar a, Tensor x) => Reversed"]
    ops = {
        "my_op": {"pointwise": "x + a * b", "result": "bool"},
        "reversed": {"pointwise": "a + x", "result": "bool"},
        "said": {"inputs": ["x"], "pointwise": "x", "result": "bool"},
    }
    entry = parse_entry({"name": "myop", "signature": signatures, "ops": ops})
    found = [(op.input_names, op.dynamic) for op in entry.ops]
    assert found == [(("x",), ("a", "b")), (("x",), ("a",)), (("x",), ())]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"methds": ["x"]}, "myop: unknown key 'methds'"),
        ({"signature": None}, "myop: needs a 'signature'"),
        ({"ops": {}}, "myop: has both 'op' and 'ops'"),
        ({"op": {"inputs": ["x"]}}, "myop: needs exactly one of pointwise, plan, view"),
        ({"op": {"inputs": ["x"], "plan": "forward"}}, "'forward' is not of the form 'file.function'"),
        ({"op": {"inputs": ["x*", "y"], "plan": "a.b"}}, "only the last input may be variadic"),
        ({"op": {"inputs": ["x"], "outputs": ["x"], "plan": "a.b"}}, "'x' occurs twice"),
        ({"op": {"inputs": ["x"], "plan": "a.b", "contiguous": ["z"]}}, "contiguous names 'z', expected one of x"),
        ({"op": {"inputs": ["x"], "pointwise": "x", "result": "int"}}, "result 'int': expected promoted"),
        ({"op": {"inputs": ["x"], "pointwise": "x", "dtypes": "whole"}}, "dtypes 'whole': expected one of barebones, bfloat16, bool"),
        ({"op": {"inputs": ["x"], "pointwise": "x", "dtypes": {"z": "int64"}}}, "dtypes names 'z', expected one of x"),
        ({"op": {"inputs": ["x?"], "pointwise": "x"}}, "neither optional nor variadic"),
        ({"derivative": {"z": "dy"}}, "derivative names 'z', expected one of x"),
        ({"op": {**ENTRY["op"], "derivative": {}}, "derivative": {"x": "dy"}}, "given at the entry and in its op"),
        ({"name": "my op"}, "my op: not a Python name"),
        ({"autocast": "half"}, "myop: autocast 'half': expected one of lower, float32, float32_result, widest"),
    ],
)
def test_wrong_entries_say_what_and_where(change, text):
    with pytest.raises(SchemaError, match=re.escape(text)):
        parse_entry({**ENTRY, **change})


def test_names_are_unique():
    with pytest.raises(SchemaError, match="myop: the registry has two entries of this name"):
        parse_entries([ENTRY, ENTRY])
    with pytest.raises(SchemaError, match="other: op 'myop' is defined by entry 'myop' already"):
        parse_entries([ENTRY, {"name": "other", "signature": "Tensor (Tensor x) => A", "ops": {"myop": ENTRY["op"]}, **FACTS}])
