"""Foreign packages: what they see of torch, of themselves and of Python's import."""

from __future__ import annotations

import dataclasses
import inspect
import io
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch as real

import tritonflow as flow
from tritonflow import mock_torch
from tritonflow.mock_torch.foreign import is_foreign


def test_every_way_to_import(write: Callable) -> None:
    write(
        mt_ways="""
            import importlib, importlib.util, importlib.metadata, sys
            from importlib import import_module
            from sys import modules as loaded
            import torch
            import torch.nn as nn
            from torch import *
            from torch.nn import *

            def late():
                import torch.nn.functional as F
                exec("import torch as found", space := {})
                return torch, F, space["found"], __import__("torch"), import_module("torch"), importlib.import_module("torch")

            def looked_up():
                return sys.modules["torch"], loaded.get("torch"), sys.modules["torch.nn"], sys.modules[__name__]

            there = "torch" in sys.modules
            spec, none = importlib.util.find_spec("torch"), importlib.util.find_spec("mt_nowhere")
            nn_spec = importlib.util.find_spec(".nn", "torch")
            version = importlib.metadata.version("torch"), torch.__version__
            star = relu, Linear
        """
    )
    with mock_torch.enable():
        import mt_ways
    torch, F, *same = mt_ways.late()
    assert torch.Tensor is flow.Tensor and all(each is torch for each in same)
    assert F.relu is flow.nn.functional.relu and mt_ways.star == (flow.relu, flow.nn.Linear)
    assert mt_ways.looked_up() == (torch, torch, torch.nn, mt_ways)
    assert (
        mt_ways.there and mt_ways.spec.name == "torch" and mt_ways.none is None and mt_ways.nn_spec.name == "torch.nn"
    )
    assert mt_ways.version[0] == mt_ways.version[1] and mt_ways.version[0].startswith(real.__version__.split("+")[0])
    assert mt_ways.torch.__version__ >= (2, 0)
    assert "mt_ways" not in sys.modules


def test_a_package_of_several_modules(write: Callable) -> None:
    write(
        mt_pkg__="from . import layers\nfrom .model import Net\nfrom mt_helper import scale\n",
        mt_pkg__layers="import torch\nfrom . import model\nclass Layer(torch.nn.Module): pass\n",
        mt_pkg__model="""
            import torch
            from torch import nn
            from mt_pkg import layers as around

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    from .late import width
                    self.linear = nn.Linear(width, 1)

                def forward(self, x):
                    return self.linear(x)
        """,
        mt_pkg__late="width = 3\n",
        mt_pkg__sub__deep="from ..late import width\nimport torch\n",
        mt_helper="import torch\ndef scale(x): return x * torch.tensor(2.0)\n",
    )
    with mock_torch.enable():
        import mt_pkg
        import mt_pkg.sub.deep as deep
        from mt_pkg import layers
    net = mt_pkg.Net()
    assert isinstance(net, flow.nn.Module) and net(flow.ones(2, 3)).shape == (2, 1)
    assert mt_pkg.scale(flow.ones(1)).tolist() == [2.0]
    assert mt_pkg.layers is layers and layers.model.around is layers and deep.width == 3
    import mt_pkg as others

    assert others is not mt_pkg and others.layers.torch is real and isinstance(others.Net(), real.nn.Module)
    with mock_torch.enable():
        import mt_pkg as again
    assert again is mt_pkg


def test_a_module_that_replaces_itself(write: Callable) -> None:
    write(
        mt_lazy__="""
            import importlib, sys
            from types import ModuleType

            class Lazy(ModuleType):
                __path__, __spec__ = __path__, __spec__
                def __getattr__(self, name):
                    if name == "Net":
                        return importlib.import_module(".net", self.__name__).Net
                    raise AttributeError(name)

            sys.modules[__name__] = Lazy(__name__)
        """,
        mt_lazy__net="import torch\nclass Net(torch.nn.Module): pass\n",
    )
    with mock_torch.enable():
        from mt_lazy import Net
    assert issubclass(Net, flow.nn.Module)
    from mt_lazy import Net as Theirs

    assert issubclass(Theirs, real.nn.Module)


def test_a_package_that_replaces_itself_keeps_its_modules(write: Callable) -> None:
    write(
        mt_twice__="""
            import sys
            from types import ModuleType
            from . import part

            class Other(ModuleType):
                pass

            other = sys.modules[__name__] = Other(__name__)
            other.__path__ = __path__
        """,
        mt_twice__part="import torch\n",
        mt_twice__user="from . import part\n",
    )
    with mock_torch.enable():
        from mt_twice import part, user
    assert user.part is part


def test_a_failed_import_can_be_repeated(write: Callable) -> None:
    folder = write(mt_broken="import torch\nimport mt_nowhere_at_all\n")
    with mock_torch.enable():
        with pytest.raises(ModuleNotFoundError, match="mt_nowhere_at_all") as error:
            import mt_broken
        assert sum("importer.py" in str(entry.path) for entry in error.traceback) == 1
        (folder / "mt_broken.py").write_text("import torch\nvalue = 1\n")
        import mt_broken
    assert mt_broken.value == 1


def test_errors_are_pythons(write: Callable) -> None:
    write(mt_errors="import torch\n")
    with mock_torch.enable():
        with pytest.raises(ModuleNotFoundError, match="No module named 'torch.no_such'"):
            import torch.no_such  # noqa: F401
        with pytest.raises(ImportError, match="cannot import name 'no_such'"):
            from torch import no_such  # noqa: F401
        with pytest.raises(ModuleNotFoundError, match="'mt_errors' is not a package"):
            import mt_errors.below  # noqa: F401
        with pytest.raises(ImportError, match="cannot import name 'nothing'"):
            from mt_errors import nothing  # noqa: F401


def test_which_packages_are_foreign(write: Callable) -> None:
    write(mt_local="x = 1\n")
    assert is_foreign("mt_local")
    assert not any(
        map(is_foreign, ["numpy", "scipy", "json", "sys", "tritonflow", "triton", "_pytest", "mt_not_there"])
    )


def test_type_hints_of_foreign_classes(write: Callable) -> None:
    write(
        mt_hints="""
            from __future__ import annotations
            import dataclasses, typing
            import torch

            @dataclasses.dataclass
            class Config:
                weight: torch.Tensor
                size: typing.Optional[int] = None

            hints = typing.get_type_hints(Config)
        """
    )
    with mock_torch.enable():
        import mt_hints
    assert mt_hints.hints["weight"] is flow.Tensor


def test_values_are_pickled_and_saved(write: Callable, tmp_path: object) -> None:
    write(
        mt_files="""
            import copy, pickle
            import torch

            def there_and_back(value, path):
                torch.save(value, path)
                return torch.load(path, weights_only=True, map_location="cpu"), pickle.loads(pickle.dumps(value)), copy.deepcopy(value)

            def classes():
                return [torch.Tensor, torch.dtype, torch.device, torch.Size, torch.nn.Parameter]
        """
    )
    with mock_torch.enable():
        import mt_files
    value = {"w": flow.ones(2), "kind": flow.float32, "shape": flow.Size([2]), "at": flow.device("cpu")}
    for each in mt_files.there_and_back(value, f"{tmp_path}/file.pt"):
        assert each["w"].tolist() == [1, 1] and each["kind"] is flow.float32 and each["shape"] == (2,)
    assert mt_files.classes() == [flow.Tensor, flow.dtype, flow.device, flow.Size, flow.nn.Parameter]
    real.save({"w": real.ones(3)}, f"{tmp_path}/theirs.pt")
    with mock_torch.enable():
        import torch
    assert torch.load(f"{tmp_path}/theirs.pt")["w"].tolist() == [1, 1, 1]
    assert pickle.loads(pickle.dumps(torch.float32)) is flow.float32


def test_safetensors(write: Callable, tmp_path: object) -> None:
    write(
        mt_tensors="""
            import safetensors, torch
            from safetensors import safe_open
            from safetensors.torch import load_file, save_file

            def there_and_back(path):
                save_file({"a": torch.arange(6.0).reshape(2, 3)}, path)
                with safe_open(path, framework="pt") as file:
                    part = file.get_slice("a")[:, 1:2]
                    return load_file(path)["a"], file.get_tensor("a"), part, list(file.keys())
        """
    )
    with mock_torch.enable():
        import mt_tensors
    whole, same, part, keys = mt_tensors.there_and_back(f"{tmp_path}/x.safetensors")
    assert isinstance(whole, flow.Tensor) and whole.tolist() == same.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert part.tolist() == [[1], [4]] and keys == ["a"]


def test_safetensors_of_others_stays(write: Callable) -> None:
    """Whichever of the two modules is loaded first: each knows its own torch."""
    write(
        mt_save="""
            import torch, safetensors.torch
            from safetensors import torch as by_name

            def written():
                assert by_name is safetensors.torch
                return safetensors.torch.save({"a": torch.ones(2)})
        """
    )
    with mock_torch.enable():
        import mt_save
    file = io.BytesIO()
    flow.save({"a": flow.ones(2)}, file)
    assert safetensors.torch.load(mt_save.written())["a"].tolist() == safetensors.torch.load(file.getvalue())["a"].tolist()


def test_a_foreign_function_is_compiled(write: Callable) -> None:
    write(
        mt_compiled="""
            import torch
            import torch.nn.functional as F

            scale = 2.0

            @torch.compile(mode="default", fullgraph=True)
            def f(x):
                return F.relu(x) * scale + torch.ones_like(x)
        """
    )
    with mock_torch.enable():
        import mt_compiled
    x = flow.tensor([-1.0, 2.0])
    assert mt_compiled.f(x).tolist() == [1.0, 5.0]
    mt_compiled.scale = 3.0
    assert mt_compiled.f(x).tolist() == [1.0, 7.0]


def test_torchs_keywords_of_compile(write: Callable) -> None:
    write(
        mt_keywords="""
            import torch
            import torch._dynamo
            from torch._dynamo.eval_frame import OptimizedModule

            def double(x):
                return x * 2

            torch._dynamo.config.some_setting = 64
            ours = [
                torch.compile(double, dynamic=True, backend="inductor", options={"triton.unique_kernel_names": True}),
                torch.compile(mode="max-autotune", name="region")(double),
                torch.compile(double, backend="cudagraphs", fullgraph=True),
                torch.compile(double, options={"guard_filter_fn": torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe}),
                torch._dynamo.optimize("inductor", nopython=True)(double),
            ]
            theirs = [
                torch.compile(double, backend="eager"), torch.compile(double, backend="aot_eager_decomp_partition"),
                torch.compile(disable=True)(double), torch._dynamo.optimize("eager")(double),
            ]
            net = torch.nn.Linear(2, 2)
            optimized = torch.compile(net)
            unwrapped = optimized._orig_mod if isinstance(optimized, OptimizedModule) else None
            is_optimized = isinstance(net, torch._dynamo.OptimizedModule)

            @torch._dynamo.config.patch(capture_scalar_outputs=True)
            @torch.compiler.set_stance("force_eager")
            def eagerly(x):
                return ours[0](x)

            def wrong():
                return torch.compile(double, backend=lambda graph, inputs: graph.forward)
        """
    )
    with mock_torch.enable():
        import mt_keywords as program
    x = flow.ones(2)
    assert program.eagerly(x).tolist() == [2.0, 2.0] and not program.ours[0].captures()
    assert [f(x).tolist() for f in program.ours] == [[2.0, 2.0]] * 5 and all(f.captures() for f in program.ours)
    assert all(f is program.double for f in program.theirs)
    assert program.unwrapped is program.net and not program.is_optimized
    with pytest.raises(RuntimeError, match="'backend' cannot be a function"):
        program.wrong()


def test_the_standard_library_finds_a_foreign_module_by_its_name(write: Callable) -> None:
    write(
        mt_found="""
            from __future__ import annotations

            import dataclasses
            import inspect
            from dataclasses import InitVar, dataclass
            from typing import ClassVar

            import torch

            @dataclass
            class Sizes:
                width: int
                shared: ClassVar[int] = 2
                scale: InitVar[int] = 1
                weights: torch.Tensor | None = None

                def __post_init__(self, scale):
                    self.width *= scale

            file, source = inspect.getsourcefile(Sizes), inspect.getsource(Sizes)
            module, same = inspect.getmodule(Sizes), inspect.Parameter
            changed = dataclasses.replace(Sizes(3, scale=2), width=4, scale=1)
        """
    )
    with mock_torch.enable():
        import mt_found
    assert mt_found.module is mt_found and mt_found.file == mt_found.__file__ and "class Sizes" in mt_found.source
    assert [field.name for field in dataclasses.fields(mt_found.Sizes)] == ["width", "weights"]
    assert mt_found.changed == mt_found.Sizes(4) and mt_found.Sizes(3, scale=2).width == 6
    assert mt_found.same is inspect.Parameter and "mt_found" not in sys.modules


def test_a_folder_that_pip_installed_into_has_shared_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mt_plain-1.0.dist-info").mkdir()
    (tmp_path / "mt_plain.py").write_text("size = 1\n")
    (tmp_path / "mt_uses.py").write_text("import torch\n")
    assert not is_foreign("mt_plain") and is_foreign("mt_uses")
