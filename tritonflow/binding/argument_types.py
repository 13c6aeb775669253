"""The argument types of the signature language, as data: their names in errors and stubs, and what they accept.

Imports nothing of tritonflow, so that the generator can run while the rest of the tree is stale or broken.
"""

from __future__ import annotations

from dataclasses import dataclass

# Classes of Python values as the generator reasons about them. "number" stands for NumPy's scalars.
_INTEGERS = frozenset({"int", "bool", "Tensor", "number"})
_FLOATS = _INTEGERS | {"float"}
_SEQUENCES = frozenset({"tuple", "list"})


@dataclass(frozen=True)
class ArgumentType:
    """A type of the signature language.

    Args:
        name: as written in a signature, such as "Int32List".
        text: as written in an error, such as "int32 list".
        annotation: as written in the type stub.
        exact: the Python classes that are passed on as they are; a value of another class is converted.
        accepts: the Python classes of which at least some values are accepted; None if any object is.
        element: the type of one element, for lists.
    """

    name: str
    text: str
    annotation: str
    exact: tuple[str, ...]
    accepts: frozenset[str] | None
    element: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether a value is a sequence of elements of one type."""
        return self.element is not None


def _scalar(names: str, text: str, annotation: str, exact: str, accepts: frozenset[str]) -> list[ArgumentType]:
    texts = text.split("|")
    return [
        ArgumentType(name, texts[min(i, len(texts) - 1)], annotation, tuple(exact.split()), accepts)
        for i, name in enumerate(names.split())
    ]


def _list(name: str, text: str, annotation: str, element: str) -> ArgumentType:
    return ArgumentType(name, text, annotation, ("tuple",), _SEQUENCES, element)


def _object(name: str, text: str, annotation: str, exact: str = "", accepts: str = "") -> ArgumentType:
    return ArgumentType(name, text, annotation, tuple(exact.split()), frozenset((exact + " " + accepts).split()))


_TYPES = [
    ArgumentType("Tensor", "tensor", "Tensor", ("Tensor",), frozenset({"Tensor"})),
    _list("TensorTuple", "tensor tuple", "Sequence[Tensor]", "Tensor"),
    *_scalar("Scalar", "scalar", "Scalar", "float int bool", _FLOATS),
    *_scalar("Int Int32 Int64", "int|int32|int64", "int", "int", _INTEGERS),
    *_scalar("Float Double", "float|double", "float", "float", _FLOATS),
    *_scalar("Bool", "bool", "bool", "bool", _INTEGERS),
    *_scalar("Complex", "complex", "complex", "complex", _FLOATS | {"complex"}),
    _object("String", "string", "str", "str", "bytes"),
    _list("IntList", "int list", "Sequence[int]", "Int"),
    _list("Int32List", "int32 list", "Sequence[int]", "Int32"),
    _list("Int64List", "int64 list", "Sequence[int]", "Int64"),
    _list("FloatList", "float list", "Sequence[float]", "Float"),
    _list("DoubleList", "double list", "Sequence[float]", "Double"),
    _list("ScalarList", "scalar list", "Sequence[Scalar]", "Scalar"),
    _list("BoolList", "bool list", "Sequence[bool]", "Bool"),
    _list("StringList", "string list", "Sequence[str]", "String"),
    _list("DataTypeList", "data type list", "Sequence[DType]", "DataType"),
    _list("ShapeList", "shape list", "Sequence[Sequence[int]]", "Shape"),
    _list("Shape", "shape", "Sequence[int]", "Int64"),
    _object("DataType", "data type", "DType", "DType", "type"),
    _object("Device", "device", "Device | str", "Device", "str"),
    _object("Generator", "generator", "Generator", "Generator"),
    _object("Placement", "placement", "Placement | DeviceMesh", "Placement", "DeviceMesh"),
    _object("Sbp", "sbp", "Sbp", "Sbp"),
    ArgumentType("SbpList", "sbp or list of sbp", "Sbp | Sequence[Sbp]", ("tuple",), _SEQUENCES | {"Sbp"}, "Sbp"),
    _list("PyObjectList", "list of python objects", "Sequence[Any]", "PyObject"),
    ArgumentType("TensorIndex", "index", "Any", (), None),
    ArgumentType("PyObject", "python object", "Any", (), None),
    _object("Layout", "layout", "Any", "", "Layout"),
    _object("MemoryFormat", "memory format", "MemoryFormat", "", "MemoryFormat"),
]

ARGUMENT_TYPES = {t.name: t for t in _TYPES}
RETURN_TYPES = {"Tensor", "TensorTuple", "Void", "Bool", "Shape", "Scalar", "Int64", "Any"}
DATA_TYPES = {
    "kBool": "bool_",
    "kUInt8": "uint8",
    "kUInt16": "uint16",
    "kUInt32": "uint32",
    "kUInt64": "uint64",
    "kInt8": "int8",
    "kInt16": "int16",
    "kInt32": "int32",
    "kInt64": "int64",
    "kFloat16": "float16",
    "kBFloat16": "bfloat16",
    "kFloat": "float32",
    "kDouble": "float64",
}
