"""Launches through Triton's own C launcher, against a stub of NVIDIA's driver: what reaches the driver is what was meant."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import triton

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the stub."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("driver")
    library = folder / "libcuda.so.1"
    include = Path(triton.__file__).parent / "backends" / "nvidia" / "include"
    sources = [HERE / "libcuda.c", HERE / "libcuda_graph.c"]
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", f"-I{include}", "-o", library, *sources], check=True
    )
    return folder


@pytest.fixture(scope="module")
def results(stub: Path) -> dict[str, Any]:
    return run(stub)


def run(stub: Path, *arguments: str) -> dict[str, Any]:
    """What stub_program.py prints."""
    path = f"{stub}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    environment = {**os.environ, "LD_LIBRARY_PATH": path, "TRITON_LIBCUDA_PATH": str(stub)}
    command = [sys.executable, HERE / "stub_program.py", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_arguments_arrive(results: dict[str, Any]) -> None:
    """Addresses, fp32 and fp64 scalars, i32 and i64 sizes out of nested tuples; constexprs do not; no scratch memory."""
    assert results["fast"]["parameters"] == results["expected"]
    assert results["fast"]["launches"] == 1


def test_grid_and_warps(results: dict[str, Any]) -> None:
    assert results["fast"]["grid"] == [5, 2, 1]
    assert results["fast"]["block"] == [8 * 32, 1, 1]
    assert results["fast"]["stream"] == results["default_stream"]
    assert results["wide_grid"] == [2**15, 1, 2**15]


def test_the_closure_calls_the_c_launcher(results: dict[str, Any]) -> None:
    assert results["fast_is_closure"] == "<launch of a Triton kernel>"
    assert results["call"].startswith("gx, gy, gz, stream, function, ")


def test_a_kernel_without_arguments(results: dict[str, Any]) -> None:
    assert results["no_arguments"]["launches"] == 1
    assert results["no_arguments"]["grid"] == [3, 1, 1]


def test_hooks_go_through_tritons_launcher(results: dict[str, Any]) -> None:
    assert results["hooked"]["parameters"] == results["expected"]
    assert results["hooked"]["grid"] == [5, 2, 1]
    assert results["hook_calls"] == ["many"]


def test_scratch_memory_goes_through_tritons_launcher(results: dict[str, Any]) -> None:
    ((size, _, stream),) = results["scratch_asked"]
    assert (size, stream) == (5 * 2 * 64, results["default_stream"])
    assert results["scratch"]["parameters"] == [*results["expected"][:-2], 0xABC00, 0]


def test_descriptors_are_written_to_memory_of_the_stream(results: dict[str, Any]) -> None:
    """Launches on one stream share it, those on another have another; as a closure, through a hook, and in a graph."""
    described = results["described"]
    assert described["bytes"] >= 128 and described["closure"] == "<launch of a Triton kernel>"
    default, side = described["alone"][:2]
    assert default[:3] == side[:3] == [0x1000, 0x2000, 64] and default[4] == side[4] == 0
    assert 0 != default[3] != side[3] != 0 and default[3] % 128 == side[3] % 128 == 0
    assert described["alone"] == [default, side, default, side]
    assert described["hooked"] == default
    assert described["kind"] == "CudaGraph" and described["graph"] == [default, default, side]
    assert described["changes"] == 0


def test_launches_follow_the_chosen_stream(results: dict[str, Any]) -> None:
    assert results["on_side_stream"] == results["side_stream"] != results["default_stream"]
    assert results["back_on_default"] == results["default_stream"]


def test_a_program_is_one_cuda_graph(results: dict[str, Any]) -> None:
    """Two launches in a row: functions, grids, threads, shared memory; and arguments, live ones as they were in each run."""
    program = results["program"]
    assert program["kind"] == "CudaGraph" and program["instances"] == 1
    first, second = program["nodes"][0]
    assert first["behind"] == 0 and second["behind"] == 1
    assert first["function"] == second["function"] == program["function"]
    assert first["grid"] == [5, 2, 1] and second["grid"] == [7, 1, 1]
    assert first["block"] == second["block"] == [8 * 32, 1, 1]
    assert first["shared"] == second["shared"] == program["shared"]
    for run, live in zip(program["nodes"], program["live"], strict=True):
        expected = results["expected"]
        assert run[0]["values"] == [live[0], expected[1], live[1] + 16, live[2], *expected[4:]]
        assert run[1]["values"] == expected


def test_a_graph_is_told_of_changes_only(results: dict[str, Any]) -> None:
    program = results["program"]
    assert program["changes"] == [0, 0, 1, 2]  # at first, the same again, another address, another number
    assert program["launches"] == 4
    assert program["stream"] == results["side_stream"]
    assert program["destroyed"] == 2


def test_nodes_of_many_sizes_are_what_plain_launches_are(results: dict[str, Any]) -> None:
    """Functions, grids, blocks, shared memory and arguments, in 60 turns of ten programs, each of which is run twice."""
    many = results["many_sizes"]
    assert many["same"] == [True] * 120
    assert many["changes"][1::2] == [0] * 60, "the same again"
    assert max(many["changes"]) == 3 and 1 in many["changes"]


def test_a_graph_that_the_driver_does_not_change_is_instantiated_anew(results: dict[str, Any]) -> None:
    many = results["many_sizes"]
    refused = [number for number, is_refused in enumerate(many["refused"]) if is_refused]
    assert [number for number, count in enumerate(many["instances"]) if count] == [0, *[2 * number for number in refused]]


def test_kernels_that_need_scratch_memory_are_launched_one_by_one(results: dict[str, Any]) -> None:
    assert results["program_with_scratch"] == "LaunchLoop"


def test_the_drivers_errors_have_names(results: dict[str, Any]) -> None:
    assert results["driver_error"] == "cuGraphLaunch failed: stub (CUDA error 1)"


def test_an_op_of_the_runtime(results: dict[str, Any]) -> None:
    relu = results["relu"]
    for launch, addresses in zip((relu["first"], relu["again"]), relu["addresses"], strict=True):
        assert launch["launches"] == 1
        assert launch["parameters"] == [*addresses, 3]


def test_kernels_of_users(results: dict[str, Any]) -> None:
    """Addresses arrive; what is written counts as written, and no more; a leaf that requires grad is refused before the launch."""
    own = results["own"]
    source, target = own["addresses"]
    assert own["first"]["launches"] == 1 and own["first"]["grid"] == [5, 1, 1]
    assert own["first"]["parameters"] == [source, 3, target, 0, 0]
    assert own["first"]["stream"] == results["default_stream"]
    assert own["versions"] == [0, 1]
    assert own["nested"] == [1, 1]  # whichever of them it is
    leaf, launches, unsaid = own["refused"]
    assert "a leaf Tensor that requires grad" in leaf and launches == 0
    assert "its function wrote the argument out, which mutates_args does not name" in unsaid


def test_kernels_of_users_are_ordered_with_other_streams(results: dict[str, Any]) -> None:
    """They go to torch's stream, which waits for what was issued on ours; what is issued later on a third waits for them."""
    own = results["own"]
    assert own["on_torch_stream"] == own["torch_stream"]
    assert set(own["waits_before"]) == {own["torch_stream"]}
    assert [results["side_stream"] in found for found in own["waits_behind"]] == [True, True]


def test_numbers_are_read_by_the_driver(results: dict[str, Any]) -> None:
    assert results["numbers"] == [-2.0, 1.5, -2.0]


def test_the_drivers_current_context_is_given_back(results: dict[str, Any]) -> None:
    assert results["contexts"] == [0x77, 0x11, None, 0x77, 0, None]


def test_a_compiled_function(results: dict[str, Any]) -> None:
    """The first launch reads the input, the last writes the output, what is between goes from one to the next."""
    graph = results["graph"]
    assert graph["launches"] == 2
    nodes = [node for node in graph["nodes"] if node["function"]]
    assert [node["behind"] for node in nodes] == list(range(len(nodes)))
    assert nodes[0]["values"][0] == graph["x"] and nodes[-1]["values"][1] == graph["y"]
    for before, after in zip(nodes, nodes[1:]):
        assert after["values"][0] == before["values"][1]


def test_a_plan_from_disk(results: dict[str, Any]) -> None:
    """Made, found, made again where a kernel is not in Triton's cache any more, and found: the same launches."""
    runs = results["from_disk"]["runs"]
    assert [run["planned"] for run in runs] == [True, False, True, False]

    def launches(run: dict[str, Any]) -> list[Any]:
        return [[node[key] for key in ("grid", "block", "shared", "behind")] for node in run["nodes"] if node["function"]]

    for run in runs:
        test_a_compiled_function({"graph": run})
        assert launches(run) == launches(results["graph"])


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")), reason="no C compiler")
@pytest.mark.long
def test_the_benchmark_of_launches_runs(tmp_path: Path) -> None:
    report = tmp_path / "launch.json"
    command = [sys.executable, HERE.parents[1] / "bench" / "launch.py", "--rounds", "3", "--json", report]
    done = subprocess.run([*command, "--only", "closure", "closure_several", "item"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    measured = json.loads(report.read_text())["nanoseconds"]
    assert list(measured) == ["closure", "closure_several", "item"] and all(times["min"] > 0 for times in measured.values())


@pytest.mark.long
def test_gpus_do_without_llvmlite(stub: Path) -> None:
    found = run(stub, "--without-llvmlite")
    assert found["error"].startswith("kernels for the CPU need llvmlite, which is not installed")
    assert "tuning" in found["files"] and "matmul" in found["explained"] and " in products of fp16, " in found["explained"]
    assert found["threads"] == 3
    assert found["launches"][0] > 5 and found["launches"][1] == 1
