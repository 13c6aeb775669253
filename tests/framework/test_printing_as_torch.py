"""Tensors and what belongs to them print as torch's do, to the character: torch prints beside us, and only the names of the package,
of dtypes and grad nodes differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy
import pytest
import torch
from torch._tensor_str import set_printoptions as set_torchs

import tritonflow as flow
from tritonflow.members.print_options import get_printoptions, printoptions, set_printoptions

NAN, INF = float("nan"), float("inf")
DTYPES = {
    name: (getattr(flow, name), getattr(torch, name))
    for name in "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 float8_e4m3fn".split()
}
CASES: list[Any] = [
    0.5, 1.0, -0.0, NAN, INF, -INF, 1e-5, 123456.0, 123456.7, 1e8, 1.5e8, 1e9, 3, -7, True, 1 - 2j, complex(0.5, -0.0), complex(NAN, INF),
    [0.5], [1.0, 2.0], [1.0, 0.5], [-1.0, 0.25], [1e-5, 1.0], [1e-5], [1000.0, 1.0], [1001.0, 1.0], [1001.5, 1.0], [1e4, 1.0],
    [0.0], [0.0, -0.0], [0.0, 0.5], [NAN], [NAN, 1.0], [NAN, 0.5], [INF, -INF, 1.0], [INF, 1e10], [INF, 0.00001], [NAN, INF, -INF, 0.0],
    [1e38, 1.0], [1e-45, 1.0], [99999.5], [123456789.0], [100000000.0], [0.99996], [0.00012345], [9.99995, 1.0],
    [1, -2, 3], [100000000000, 1], [True, False], [1 + 1j], [0.5 + 1j, 2 - 3j], [1e-6 + 1j, 2 - 3e5j], [complex(NAN, 1), complex(1, -INF)],
    [[1.0, 2.0], [3.0, 4.5]], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[[1.5]]], [[[2.5]]]], [[1.0]], [[True], [False]], [], [[]], [[[], []]],
]  # fmt: skip


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    before = get_printoptions()
    yield
    set_printoptions(**before)
    set_torchs(profile="default")


def _without_names(text: str) -> str:
    """A dtype's name is longer here, so that it is sooner on a line of its own: see the test of suffixes that do not fit."""
    return re.sub(r",\s+dtype=(tritonflow|torch)\.", ", dtype=", text)


def assert_prints_alike(ours: flow.Tensor, theirs: torch.Tensor) -> None:
    assert _without_names(repr(ours)) == _without_names(repr(theirs))
    assert _without_names(str(ours)) == _without_names(str(theirs))


@pytest.mark.parametrize("value", CASES, ids=str)
def test_values(value: Any) -> None:
    assert_prints_alike(flow.tensor(value), torch.tensor(value))


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(name: str) -> None:
    ours, theirs = DTYPES[name]
    for value in (1, 0, [0, 1, 1], [[1, 0], [1, 1]], []):
        assert_prints_alike(flow.tensor(value, dtype=ours), torch.tensor(value, dtype=theirs))
    if theirs.is_floating_point:
        for value in (0.3, [0.3, NAN], [1.5, 2.0], [3e-3, 4e2]):
            assert_prints_alike(flow.tensor(value, dtype=ours), torch.tensor(value, dtype=theirs))


OPTIONS: list[dict[str, Any]] = [
    {}, {"precision": 0}, {"precision": 2}, {"precision": 10}, {"threshold": 5}, {"threshold": 5, "edgeitems": 1}, {"threshold": 0},
    {"threshold": 2, "edgeitems": 0}, {"linewidth": 40}, {"linewidth": 10}, {"linewidth": 200}, {"sci_mode": True}, {"sci_mode": False},
    {"profile": "short"}, {"profile": "full"}, {"profile": "short", "precision": 3}, {"sci_mode": True, "precision": 1, "linewidth": 33},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options: dict[str, Any]) -> None:
    flow.set_printoptions(**options)
    set_torchs(**options)
    rng = numpy.random.default_rng(3)
    for shape in ((), (3,), (7,), (40,), (1, 9), (9, 1), (8, 8), (3, 7, 9), (2, 1, 2, 3), (0, 3)):
        real = rng.normal(size=shape).astype("f4") * 10.0 ** rng.integers(-3, 4)
        for array in (real, numpy.round(real), (real * 1000).astype("i8"), real > 0, real + 1j * rng.normal(size=shape)):
            array = numpy.asarray(array)
            assert_prints_alike(flow.from_numpy(array), torch.from_numpy(array))


def test_random_numbers() -> None:
    rng = numpy.random.default_rng(0)
    for _ in range(200):
        shape = tuple(int(n) for n in rng.integers(1, 9, size=int(rng.integers(0, 4))))
        array = numpy.asarray(rng.normal(size=shape) * 10.0 ** rng.uniform(-6, 8))
        if rng.random() < 0.5:
            array = numpy.asarray(10.0 ** rng.uniform(-5, 5, size=shape))
        if rng.random() < 0.3:
            array = numpy.asarray(numpy.where(rng.random(shape) < 0.2, rng.choice([NAN, INF, -INF, 0.0, -0.0]), array))
        kinds = ["f4", "f8", "i8", "c8"] if numpy.isfinite(array).all() else ["f4", "f8"]
        array = array.astype(rng.choice([*kinds, "f2"] if numpy.nanmax(abs(array)) < 6e4 else kinds))
        assert_prints_alike(flow.tensor(array), torch.tensor(array))


def test_large_tensors_and_views() -> None:
    ours, theirs = flow.arange(12000.0).reshape(30, 20, 20), torch.arange(12000.0).reshape(30, 20, 20)
    for x, y in ((ours, theirs), (ours / 7, theirs / 7), (ours.transpose(0, 2)[1:], theirs.transpose(0, 2)[1:]), (ours[::3, 5], theirs[::3, 5])):
        assert_prints_alike(x, y)
    assert_prints_alike(flow.arange(1001), torch.arange(1001))
    assert_prints_alike(flow.arange(1000), torch.arange(1000))
    assert_prints_alike(flow.ones(3).expand(400, 3), torch.ones(3).expand(400, 3))


def test_suffixes() -> None:
    for dtype in ("float32", "float64", "int64"):
        meta = {"device": "meta"}
        assert_prints_alike(flow.ones(2, 3, dtype=DTYPES[dtype][0], **meta), torch.ones(2, 3, dtype=DTYPES[dtype][1], **meta))
    assert_prints_alike(flow.ones(2, requires_grad=True), torch.ones(2, requires_grad=True))
    assert_prints_alike(flow.ones(2, dtype=flow.float64, requires_grad=True), torch.ones(2, dtype=torch.float64, requires_grad=True))
    assert_prints_alike(flow.nn.Parameter(flow.ones(2)), torch.nn.Parameter(torch.ones(2)))  # type: ignore[arg-type]
    assert_prints_alike(flow.nn.Buffer(flow.ones(2)), torch.nn.Buffer(torch.ones(2)))  # type: ignore[arg-type]
    x, y = flow.ones(2, requires_grad=True) * 0.5, torch.ones(2, requires_grad=True) * 0.5
    assert repr(x).partition(", grad_fn=<")[0] == repr(y).partition(", grad_fn=<")[0] and f"grad_fn=<{x.grad_fn.name()}>)" in repr(x)


@pytest.mark.parametrize("count", range(7, 15))
def test_suffixes_that_do_not_fit_are_on_a_new_line(count: int) -> None:
    """Ours is longer by the difference of `tritonflow.float64` and `torch.float64`; without a dtype both are as long."""
    ours, theirs = (m.full((count,), 0.5, requires_grad=True) for m in (flow, torch))
    assert_prints_alike(ours, theirs)
    for linewidth in range(40, 100, 7):
        flow.set_printoptions(linewidth=linewidth + len("tritonflow") - len("torch"))
        wide = repr(flow.full((1,), 0.5, dtype=flow.float64)).replace("tritonflow.", "torch.")
        set_torchs(linewidth=linewidth)
        assert wide == repr(torch.full((1,), 0.5, dtype=torch.float64))


def test_subclasses() -> None:
    class Ours(flow.Tensor):
        pass

    class Theirs(torch.Tensor):
        pass

    assert repr(flow.ones(2).as_subclass(Ours)) == repr(torch.ones(2).as_subclass(Theirs)).replace("Theirs", "Ours").replace("\n  ", "\n")

    class OurParameter(flow.nn.Parameter):
        pass

    assert repr(OurParameter(flow.ones(1))) == "Parameter containing:\nParameter(OurParameter([1.], requires_grad=True))"


def test_default_dtype() -> None:
    try:
        flow.set_default_dtype(flow.float64)
        torch.set_default_dtype(torch.float64)
        for name in ("float32", "float64", "complex64", "complex128"):
            assert_prints_alike(flow.ones(2, dtype=DTYPES[name][0]), torch.ones(2, dtype=DTYPES[name][1]))
    finally:
        flow.set_default_dtype(flow.float32)
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("spec", ["", ".3f", ".2e", "8.1f", "g", ">12", "+.1f"])
def test_format(spec: str) -> None:
    for value in (0.5, 3.14159, -2.0, NAN):
        assert format(flow.tensor(value), spec) == format(torch.tensor(value), spec)
    assert format(flow.ones((), requires_grad=True), spec) == format(torch.ones((), requires_grad=True), spec)
    assert f"{flow.tensor(7):d} {flow.tensor(True)} {flow.tensor(1 + 2j)} {flow.ones(2)}" == "7 True (1+2j) tensor([1., 1.])"
    if spec:
        for x in (flow.ones(1), torch.ones(1)):
            with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
                format(x, spec)


@pytest.mark.parametrize("spec", ["", ".3f", "8.2f", "+.1e", "g", "<12", "d", "x", "%", ".0%", "s", "_", ",.2f", "05d", "n", "b", "?"])
def test_format_of_every_kind_of_number(spec: str) -> None:
    """The same text, or the same error."""

    def formatted(module: Any, value: Any, **options: Any) -> str:
        try:
            return format(module.tensor(value, **options), spec)
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"

    for value in (0.5, 3, True, 2 + 1j, NAN, -7, 12345678.9, [0.5]):
        assert _without_names(formatted(flow, value)) == _without_names(formatted(torch, value)), value
    for options in ({"dtype": "float16"}, {"dtype": "bfloat16"}, {"device": "meta"}):
        ours, theirs = ({k: getattr(m, v) if k == "dtype" else v for k, v in options.items()} for m in (flow, torch))
        assert formatted(flow, 0.1, **ours) == formatted(torch, 0.1, **theirs), options


class _Net:
    """A layer of either package."""

    def __new__(cls, module: Any) -> Any:
        return type("Net", (module.nn.Module,), {"extra_repr": lambda self: "a=1\nb=2"})()


OBJECTS: dict[str, Any] = {
    "sizes": lambda m: [m.Size([1, 2, 3]), m.Size([]), m.ones(2, 3, 4).shape[1:], m.ones(4).shape],
    "dtypes": lambda m: [getattr(m, name) for name in DTYPES],
    "finfo": lambda m: [m.finfo(getattr(m, n)) for n in ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "complex64")],
    "iinfo": lambda m: [m.iinfo(getattr(m, name)) for name in ("uint8", "int8", "int16", "int32", "int64")],
    "devices": lambda m: [m.device("cpu"), m.device("cuda", 1), m.device("meta"), str(m.device("cuda:1"))],
    "formats": lambda m: [m.channels_last, m.contiguous_format, m.preserve_format, m.strided],
    "parameters": lambda m: [m.nn.Parameter(m.ones(2, 3)), m.nn.Parameter(m.tensor(1.5), requires_grad=False)],
    "lists": lambda m: [m.nn.ParameterList([m.ones(2), m.ones(3, 4)]), m.nn.ParameterDict({"a": m.ones(2), "b": m.ones(())})],
    "modules": lambda m: [
        m.nn.Sequential(m.nn.Conv2d(1, 2, 3), m.nn.Sequential(m.nn.BatchNorm2d(2), m.nn.Dropout(0.1)), m.nn.Flatten()),
        m.nn.ModuleList([m.nn.Linear(2, 3) for _ in range(4)]), m.nn.ModuleDict({"a": m.nn.ReLU()}), _Net(m),
    ],
    "optimizers": lambda m: [
        getattr(m.optim, name)([m.nn.Parameter(m.ones(2))], lr=0.1)
        for name in "SGD Adam AdamW Adamax Adagrad Adadelta RMSprop Rprop ASGD NAdam RAdam LBFGS".split()
    ],
    "groups": lambda m: m.optim.SGD([{"params": [m.nn.Parameter(m.ones(2))], "lr": lr} for lr in (0.5, 0.25)], momentum=0.9),
    "results": lambda m: [m.tensor([2.0, 1.0]).max(0), m.tensor([[1, 2]]).topk(1), m.sort(m.tensor([2.0, 1.0]))],
    "storages": lambda m: [m.arange(3.0).untyped_storage(), m.arange(3).storage(), m.ones(2, device="meta").untyped_storage()],
    "containers": lambda m: {"a": m.tensor(1.0, dtype=m.float64), "b": [m.ones(2), (m.tensor(True),)]},
    "percent": lambda m: "%s %r %d %.2f" % (m.tensor(0.5), m.tensor(3), m.tensor(3), m.tensor(2.5)),  # noqa: UP031
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
@pytest.mark.parametrize("name", OBJECTS)
def test_other_objects(name: str) -> None:
    ours, theirs = (str(OBJECTS[name](module)) for module in (flow, torch))
    assert re.sub(r"\btritonflow\.", "torch.", ours) == theirs


def test_options_are_set_for_a_block() -> None:
    with printoptions(precision=1, sci_mode=False):
        assert repr(flow.tensor([0.25])) == "tensor([0.2])"
    assert get_printoptions() == {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


@pytest.mark.parametrize(
    ("options", "error"),
    [({"profile": "long"}, ValueError), ({"precision": -1}, ValueError), ({"edgeitems": 1.5}, TypeError), ({"linewidth": "wide"}, TypeError)],
)
def test_wrong_options_change_nothing(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=f"set_printoptions\\(\\): .*{next(iter(options))}"):
        flow.set_printoptions(**{"precision": 2, **options})
    assert get_printoptions()["precision"] == 4


def test_torchs_options_are_ours() -> None:
    with flow.mock_torch.enable():
        import torch as mocked
    module = mocked._tensor_str
    assert module.get_printoptions() == get_printoptions()
    mocked.set_printoptions(precision=2)
    assert module.PRINT_OPTS.precision == 2 and repr(flow.tensor([0.5])) == "tensor([0.50])"
