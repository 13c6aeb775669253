"""torch's keywords of compile: backends, modes, options, stances."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.graph.api.compile_options import MODES, OPTIONS
from tritonflow.graph.api.function import CapturedFunction

Compile = Callable[..., Any]


@pytest.fixture(autouse=True)
def inductor() -> Iterator[None]:
    """Behind each test the backend and the stance are what they were."""
    yield
    flow.compiler.set_default_backend(None)
    flow.compiler.set_stance("default")


def double(x: flow.Tensor) -> flow.Tensor:
    return x * 2


def _decorated(*, model: Any = double, **given: Any) -> Any:
    return flow.compile(**given)(model)


both = pytest.mark.parametrize("compile", [flow.compile, _decorated], ids=["called", "decorator"])


def _made(compile: Compile, **given: Any) -> Any:
    return compile(model=double, **given)


@both
@pytest.mark.parametrize("backend", ["inductor", "tritonflow", None])
def test_backends_that_compile(compile: Compile, backend: Any) -> None:
    compiled = _made(compile, backend=backend)
    assert isinstance(compiled, CapturedFunction) and compiled(flow.ones(2)).tolist() == [2.0, 2.0]
    assert len(compiled.captures()) == 1


@both
def test_what_compiles_nothing_gives_the_function_itself(compile: Compile) -> None:
    net = flow.nn.Linear(2, 2)
    for given in ({"backend": "eager"}, {"backend": "aot_eager"}, {"disable": True}, {"disable": True, "fullgraph": True}):
        assert _made(compile, **given) is double
        assert flow.compile(net, **given) is net


@both
@pytest.mark.parametrize("mode", ["default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", None])
def test_modes(compile: Compile, mode: Any) -> None:
    compiled = _made(compile, mode=mode)
    assert compiled.config.tuning is (mode is not None and "autotune" in mode)
    assert compiled(flow.ones(2)).tolist() == [2.0, 2.0]
    assert _made(compile, mode=mode, tune=True).config.tuning


@both
def test_options(compile: Compile) -> None:
    for options, tunes in (
        ({}, False),
        ({"max_autotune": True}, True),
        ({"max-autotune": True}, True),
        ({"max_autotune": False, "epilogue_fusion": True, "shape_padding": False, "triton.cudagraphs": True}, False),
        ({"coordinate_descent_tuning": True, "max_autotune_gemm": False}, True),
    ):
        assert _made(compile, options=options).config.tuning is tunes
    given = {"max_autotune": True}
    _made(compile, options=given)
    assert given == {"max_autotune": True}


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"mode": "fastest"}, RuntimeError, "Unrecognized mode=fastest, should be one of: default, reduce-overhead, max-autotune"),
    ({"mode": 3}, RuntimeError, "Unrecognized mode=3, should be one of: default, "),
    ({"mode": ""}, RuntimeError, "Unrecognized mode="),
    ({"mode": "default", "options": {}}, RuntimeError, "Either mode or options can be specified, but both can't be"),
    ({"options": {"zzz": True}}, RuntimeError, "Unexpected optimization option zzz, known options are .'max_autotune'"),
    ({"options": {3: True}}, RuntimeError, "Unexpected optimization option 3"),
    ({"options": {"max_autotune": "a"}}, RuntimeError, "Unexpected type of attr max_autotune, got str should be bool"),
    ({"options": {"max_autotune": 1}}, RuntimeError, "Unexpected type of attr max_autotune, got int should be bool"),
    ({"options": [1]}, TypeError, "argument 'options' must be dict, not list"),
    ({"backend": "zz"}, RuntimeError, "Invalid backend: 'zz', expected one of 'inductor', 'tritonflow', 'eager', 'aot_eager'"),
    ({"backend": lambda graph, inputs: graph}, RuntimeError, "'backend' cannot be a function.*help: name one of 'inductor'"),
    ({"backend": 3}, TypeError, "argument 'backend' must be str, not int"),
    ({"disable": 1}, TypeError, "argument 'disable' must be True or False, not int"),
    ({"disable": True, "mode": "fastest"}, RuntimeError, "Unrecognized mode"),
]


@pytest.mark.parametrize(("given", "error", "text"), WRONG, ids=[text[:30] for _, _, text in WRONG])
def test_wrong_ones_fail_at_the_call(given: dict[str, Any], error: type[Exception], text: str) -> None:
    net = flow.nn.Linear(2, 2)
    for call in (flow.compile, lambda **given: flow.compile(double, **given), net.compile):
        with pytest.raises(error, match=text):
            call(**given)
    assert net._compiled_call_impl is None


def test_texts_are_torchs() -> None:
    def text(compile: Compile, **given: Any) -> str:
        with pytest.raises(RuntimeError) as raised:
            compile(lambda x: x, **given)
        return str(raised.value)

    for given in ({"mode": "default", "options": {}}, {"options": {"max_autotune": "a"}}):
        assert text(torch.compile, **given) == text(flow.compile, **given)
    for given in ({"mode": "zzz"}, {"options": {"zzz": 1}}, {"mode": 3}):
        assert text(torch.compile, **given)[:30] == text(flow.compile, **given)[:30]
    torchs = set(torch._inductor.list_options())  # type: ignore[attr-defined]
    assert torchs.issuperset(OPTIONS) and set(torch._inductor.list_mode_options()).issuperset(MODES)


def test_modules() -> None:
    net = flow.nn.Linear(2, 2)
    eager = net(flow.ones(1, 2)).tolist()
    net.compile(mode="reduce-overhead", fullgraph=True)
    assert net(flow.ones(1, 2)).tolist() == eager and net._compiled_call_impl is not None
    net.compile(backend="eager")
    assert net._compiled_call_impl is None and net(flow.ones(1, 2)).tolist() == eager
    net.compile(options={"max_autotune": False})
    assert net._compiled_call_impl is not None
    net.compile(disable=True)
    assert net._compiled_call_impl is None
    compiled: Any = flow.compile(net)
    assert compiled._orig_mod is net and "_orig_mod" not in "".join(compiled.state_dict())


def test_the_default_backend() -> None:
    assert flow.compiler.get_default_backend() == "inductor"
    flow.compiler.set_default_backend("eager")
    assert flow.compile(double) is double and isinstance(flow.compile(double, backend="inductor"), CapturedFunction)
    assert isinstance(flow.compile(backend="inductor")(double), CapturedFunction)
    with pytest.raises(RuntimeError, match="Invalid backend: 'zz'"):
        flow.compiler.set_default_backend("zz")
    assert flow.compiler.get_default_backend() == "eager"
    flow.compiler.set_default_backend(None)
    assert isinstance(flow.compile(double), CapturedFunction)


def test_stances() -> None:
    f = flow.compile(double)

    def runs() -> bool:
        before = len(f.captures())
        f(flow.ones(before + 1))
        return len(f.captures()) > before

    @flow.compiler.set_stance("force_eager")
    def eagerly() -> bool:
        return runs()

    assert runs() and not eagerly() and not eagerly() and runs()
    with flow.compiler.set_stance("force_eager"):
        assert not runs()
        with flow.compiler.set_stance("default"):
            assert runs()
        assert not runs() and not eagerly()
    assert runs()
    flow.compiler.set_stance("force_eager")
    flow.compiler.set_stance("force_eager")
    assert not runs()
    seen: list[bool] = []
    thread = threading.Thread(target=lambda: seen.append(runs()))
    thread.start()
    thread.join()
    assert seen == [True]  # a stance is a thread's
    flow.compiler.set_stance()
    assert runs()
    for wrong in ({"stance": "fail_on_recompile"}, {"force_backend": "eager"}):
        with pytest.raises(NotImplementedError):
            flow.compiler.set_stance(**wrong)


def test_a_stance_belongs_outside() -> None:
    def inside(x: flow.Tensor) -> flow.Tensor:
        flow.compiler.set_stance("default")
        return x * 2

    with pytest.raises(RuntimeError, match="call it outside"):
        flow.compile(inside, fullgraph=True)(flow.ones(1))
    with pytest.warns(UserWarning, match="call it outside"):
        assert flow.compile(inside)(flow.ones(1)).item() == 2.0
