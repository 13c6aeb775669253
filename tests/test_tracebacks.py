"""What is shown of errors that nobody catches, and what an incomplete installation says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tritonflow as flow
from tritonflow import errors
from tritonflow.settings import settings
from tritonflow.tracebacks import shorten

OURS = str(Path(flow.__file__).parent)
BEGIN = """
import tritonflow as flow
from tritonflow import nn

class Inner(nn.Module):
    def forward(self, x):
        return x + flow.ones(4, 5)

a = flow.ones(2, 3)
"""
WRONG = {
    "eager": "a + flow.ones(4, 5)",
    "module": "nn.Sequential(nn.Linear(3, 3), Inner())(a)",
    "backward": "loss = flow.ones(2, requires_grad=True).exp().sum(); loss.backward(); loss.backward()",
    "hook": "x = flow.ones(2, requires_grad=True); y = x * 2; y.register_hook(lambda g: g + flow.ones(3)); y.sum().backward()",
    "compile": "flow.compile(lambda x: x @ x)(a)",
    "graph": "G = type('G', (nn.Graph,), {'build': lambda self, x: x @ x}); G()(a)",
    "optimizer": "flow.optim.SGD([a], lr=-1)",
    "loader": "next(iter(flow.utils.data.DataLoader([flow.ones(1), flow.ones(2)], batch_size=2)))",
    "thread": "import threading; t = threading.Thread(target=lambda: a + flow.ones(4, 5)); t.start(); t.join()",
}


def run(program: str, **variables: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **variables}, capture_output=True, text=True, timeout=300)
    return done.stderr


def frames_of_ours(shown: str) -> int:
    return shown.count(f'File "{OURS}')


@pytest.mark.parametrize("kind", WRONG)
def test_few_frames_of_ours_are_shown(kind: str) -> None:
    shown = run(BEGIN + WRONG[kind])
    assert "Traceback" in shown and "Error" in shown.splitlines()[-1]
    assert frames_of_ours(shown) <= 2
    assert 'File "<string>"' in shown
    assert "in forward" in shown or kind != "module"


def test_all_frames_on_request() -> None:
    assert frames_of_ours(run(BEGIN + WRONG["eager"], TRITONFLOW_TRACEBACK="full")) > 5


def test_errors_that_an_error_comes_from_are_shortened() -> None:
    shown = run(BEGIN + "try:\n    a + flow.ones(4, 5)\nexcept RuntimeError as error:\n    raise ValueError('mine') from error")
    assert "direct cause" in shown and shown.splitlines()[-1] == "ValueError: mine"
    assert 0 < frames_of_ours(shown) <= 2


def test_a_caught_error_has_its_frames_and_gets_them_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.ShapeError) as caught:
        flow.ones(2, 3) + flow.ones(4, 5)
    whole = caught.value.__traceback__
    shown = []
    monkeypatch.setattr(errors, "_hook_before", lambda kind, error, traceback: shown.append(traceback))
    errors._show(type(caught.value), caught.value, whole)
    assert caught.value.__traceback__ is whole and shown[0] is not whole
    with settings.override(traceback="full"):
        assert shorten(caught.value) == []
        errors._show(type(caught.value), caught.value, whole)
    assert shown[1] is whole


HIDE = """
import sys
class Hiding:
    def __init__(self, finder): self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name == {name!r} else self.finder.find_spec(name, path, target)
sys.meta_path[:] = [Hiding(each) for each in sys.meta_path]
import tritonflow
"""


@pytest.mark.parametrize("name", ["numpy", "torch", "triton"])
def test_a_missing_package_is_named_at_import(name: str) -> None:
    last = run(HIDE.format(name=name)).splitlines()[-1]
    assert last.endswith(f"tritonflow needs {name}, which is not installed: help: pip install {name}")


def test_an_old_python_is_named_at_import() -> None:
    last = run("import sys; sys.version_info = (3, 9, 18, 'final', 0); import tritonflow").splitlines()[-1]
    assert "tritonflow needs Python 3.10 or newer, and this is Python" in last


def test_the_interpreter_of_triton_is_refused() -> None:
    last = run("import tritonflow as flow; flow.ones(3) + 1", TRITON_INTERPRET="1").splitlines()[-1]
    assert last.startswith("tritonflow.errors.CompileError: ") and "TRITON_INTERPRET=1" in last and "help: unset it" in last


def test_signatures_keep_nothing_of_a_compilation() -> None:
    """Triton 3.9 prints what is left of it at exit: a saved bound method held values of its IR."""
    from tritonflow.triton_compat import repeated_work

    before = repeated_work._signature.cache_info().currsize
    assert list(repeated_work._signature_once([1].append).parameters) == ["object"]

    class Value:
        def method(self, x: int) -> int:
            return x

    assert list(repeated_work._signature_once(Value().method).parameters) == ["x"]
    assert repeated_work._signature.cache_info().currsize <= before + 1
    held = Value()
    count = sys.getrefcount(held)
    repeated_work._signature_once(held.method)
    assert sys.getrefcount(held) == count


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("nn.Linear(4, 4, baias=False)", "bias"),
        ("nn.CrossEntropyLoss(label_smothing=0.1)", "label_smoothing"),
        ("flow.optim.SGD([a], lr=1.0, momentun=0.9)", "momentum"),
        ("flow.optim.lr_scheduler.StepLR(flow.optim.SGD([a]), 1, gama=0.5)", "gamma"),
        ("flow.utils.data.DataLoader([1], batchsize=2)", "batch_size"),
        ("flow.tensor([1.0], requiers_grad=True)", "requires_grad"),
        ("flow.compile(print, fullgrph=True)", "fullgraph"),
        ("a.sum().backward(retain_grap=True)", "retain_graph"),
        ("flow.load('nothing', map_locaton='cpu')", "map_location"),
        ("nn.utils.clip_grad_norm_([a], 1.0, norm_typ=2)", "norm_type"),
        ("nn.Linear(2, 2).to(devise='cpu')", "device"),
    ],
)
def test_an_unknown_keyword_is_shown_with_the_near_one(call: str, meant: str) -> None:
    shown = run(BEGIN + call)
    assert "TypeError: " in shown and shown.count(f"ean {meant!r}?") == 1, shown


def test_keywords_of_others_and_far_ones_get_no_line() -> None:
    assert run(BEGIN + "def own(bias): 0\nown(baias=1)").splitlines()[-1].startswith("TypeError: ")
    assert run(BEGIN + "nn.Linear(4, 4, qqzz=False)").splitlines()[-1].startswith("TypeError: ")


def test_a_near_keyword_is_shown_of_a_thread() -> None:
    assert "did you mean 'bias'?" in run(BEGIN + "import threading; threading.Thread(target=lambda: nn.Linear(4, 4, baias=False)).start()")


IN_CELLS = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell("import tritonflow as flow")
shell.run_cell("def mine(a): return a + flow.ones(4, 5)")
shell.run_cell("mine(flow.ones(2, 3))")
import sys, traceback
print("WHOLE", len(traceback.extract_tb(sys.last_traceback)), shell.InteractiveTB.tb is sys.last_traceback)
"""


@pytest.mark.parametrize("how", ["short", "full"])
def test_cells_of_ipython_show_few_frames_of_ours(how: str) -> None:
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", IN_CELLS], env={**os.environ, "TRITONFLOW_TRACEBACK": how}, capture_output=True, text=True)
    shown, _, whole = done.stdout.partition("WHOLE")
    ours = shown.count("tritonflow/")
    assert "mine(flow.ones(2, 3))" in shown and "a + flow.ones(4, 5)" in shown, done.stdout + done.stderr
    assert (ours <= 2) == (how == "short") and ("hidden" in done.stderr) == (how == "short")
    assert int(whole.split()[0]) > 5 and whole.split()[1] == "True"
