"""Launches kernels against the stub driver and prints, as JSON, what reached it. Run by test_launch.py.

    LD_LIBRARY_PATH=<folder of the stub> python tests/device/stub_program.py
"""

from __future__ import annotations

import ctypes
import gc
import json
import random
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import triton
import triton.language as tl
from triton.backends.nvidia.driver import CudaDriver, CudaLauncher, CudaUtils
from triton.runtime.cache import FileCacheManager

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.device.fake_cuda import FakeCuda
from tritonflow import triton_compat
from tritonflow.device import cuda_driver, torch_cuda
from tritonflow.device.device import Device
from tritonflow.device.program import Gap, LaunchGroup, Live, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import use_stream
from tritonflow.errors import DeviceError

stub: Any = None


def load_stub() -> None:
    global stub
    stub = ctypes.CDLL("libcuda.so.1")
    for name in ("stub_launches", "stub_parameter", "stub_stream", "stub_node", "stub_graph"):
        getattr(stub, name).restype = ctypes.c_uint64


class Driver(CudaDriver):
    """Triton's driver without torch.cuda."""

    def __init__(self) -> None:
        self.utils, self.launcher_cls = CudaUtils(), CudaLauncher
        self.get_current_device = lambda: 0
        self.set_current_device = lambda device: None
        self.get_current_stream = lambda device: 0
        self.get_device_capability = lambda device: (9, 0)


@triton.jit
def many(pointers, out, alpha, beta, sizes, count, FLAG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y = pointers
    n, more = sizes
    value = tl.load(x + i * more[0], mask=i < n) * alpha + tl.load(y + i, mask=i < more[1]) + beta.to(tl.float32)
    tl.store(out + i, value, mask=i < count)


@triton.jit
def described(x, out, rows, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tiles = tl.make_tensor_descriptor(x, [rows, BLOCK], [BLOCK, 1], [BLOCK, BLOCK])
    tl.store(out + i[:, None] * BLOCK + i[None, :], tiles.load([tl.program_id(0) * BLOCK, 0]))


@triton.jit
def nothing(BLOCK: tl.constexpr):
    pass


SIGNATURE = {
    "pointers": ("*fp32", "*fp16"), "out": "*fp32", "alpha": "fp32", "beta": "fp64", "sizes": ("i32", ("constexpr", "i64")),
    "count": "i64", "FLAG": "constexpr", "BLOCK": "constexpr",
}  # fmt: skip
WIDTHS = [8, 8, 8, 4, 8, 4, 8, 8, 8, 8]  # of the arguments, and of the two scratch pointers
LEADING = (0x7F0000001000, 0x7F0000002000, 0x7F0000003000, 1.5, -2.25)
CONSTANTS = (-7, 1 << 40, 99)


def seen(launch: Any, widths: list[int]) -> dict[str, Any]:
    """What the driver got in a launch."""
    stub.stub_expect(len(widths), (ctypes.c_int * len(widths))(*widths))
    before = stub.stub_launches()
    launch()
    return {
        "launches": stub.stub_launches() - before,
        "parameters": [stub.stub_parameter(i) for i in range(len(widths))],
        "grid": [stub.stub_grid(i) for i in range(3)],
        "block": [stub.stub_block(i) for i in range(3)],
        "stream": stub.stub_stream(),
        "function": stub.stub_function(),
        "shared": stub.stub_shared(),
    }


def main() -> None:
    load_stub()
    triton.runtime.driver.set_active(Driver())
    cuda = torch_cuda.runtime = FakeCuda()
    provider: Any = get_provider(Device("cuda"))
    constexprs = {(4, 1, 0): 1, "FLAG": True, "BLOCK": 128}
    kernel = provider.kernel(many, SIGNATURE, constexprs, {(0, 0): [["tt.divisibility", 16]]}, num_warps=8)
    results: dict[str, Any] = {"version": triton.__version__, "default_stream": cuda.defaults[0].cuda_stream}

    fast = kernel.bind(5, 2, 1, CONSTANTS)
    results["fast"] = seen(lambda: fast(*LEADING), WIDTHS)
    results["fast_is_closure"] = fast.__code__.co_filename
    results["call"] = kernel._loaded.call
    results["no_arguments"] = seen(provider.kernel(nothing, {"BLOCK": "constexpr"}, {"BLOCK": 1}, {}).bind(3, 1, 1), [8, 8])
    wide = kernel.bind(2**15, 1, 2**15, CONSTANTS)
    results["wide_grid"] = seen(lambda: wide(*LEADING), WIDTHS)["grid"]

    stream = provider.new_stream("side")
    results["side_stream"] = stream.handle
    with use_stream(stream):
        results["program"] = program(provider, kernel)
    slim = provider.kernel(many, SIGNATURE, constexprs, {}, num_warps=4)
    results["many_sizes"] = many_sizes(provider, [kernel, slim])
    results["driver_error"] = driver_error()
    results["described"] = with_scratch(provider, stream)

    calls: list[str] = []
    hook = lambda info: calls.append(info.get()["name"])
    triton.knobs.runtime.launch_enter_hook.add(hook)
    hooked = kernel.bind(5, 2, 1, CONSTANTS)
    results["hooked"] = seen(lambda: hooked(*LEADING), WIDTHS)
    triton.knobs.runtime.launch_enter_hook.remove(hook)
    results["hook_calls"] = calls

    kernel._loaded._launcher.global_scratch_size = 64
    kernel._loaded.call = ""
    asked: list[tuple[int, int, int]] = []
    memory = type("Memory", (), {"data_ptr": lambda self: 0xABC00})()
    triton.set_allocator(lambda size, align, stream: asked.append((size, align, stream)) or memory)
    scratch = kernel.bind(5, 2, 1, CONSTANTS)
    results["scratch"] = seen(lambda: scratch(*LEADING), WIDTHS)
    results["scratch_asked"] = asked

    results["program_with_scratch"] = type(provider.program(two_launches(kernel))).__name__
    with use_stream(stream):
        results["on_side_stream"] = seen(lambda: fast(*LEADING), WIDTHS)["stream"]
    results["back_on_default"] = seen(lambda: fast(*LEADING), WIDTHS)["stream"]

    results["expected"] = [
        *LEADING[:3], struct.unpack("I", struct.pack("f", LEADING[3]))[0], struct.unpack("Q", struct.pack("d", LEADING[4]))[0],
        CONSTANTS[0] & 0xFFFFFFFF, *CONSTANTS[1:], 0, 0,
    ]  # fmt: skip
    results["relu"] = through_the_runtime()
    results["numbers"] = numbers()
    results["own"] = own_kernels(cuda, stream)
    results["contexts"] = contexts()
    results["graph"] = a_graph()
    results["from_disk"] = a_graph_from_disk()
    print(json.dumps(results))


def with_scratch(provider: Any, stream: Any) -> dict[str, Any]:
    """Launches of a kernel that describes a tensor in scratch memory: alone on two streams, and as a graph."""
    signature = {"x": "*fp32", "out": "*fp32", "rows": "i32", "BLOCK": "constexpr"}
    kernel = provider.kernel(described, signature, {"BLOCK": 32}, {(0,): [["tt.divisibility", 16]]})
    widths, addresses = [8, 8, 4, 8, 8], (0x1000, 0x2000)
    launch = kernel.bind(5, 2, 1, (64,))
    found: dict[str, Any] = {"bytes": kernel.scratch, "closure": launch.__code__.co_filename, "alone": []}
    for _ in range(2):
        found["alone"].append(seen(lambda: launch(*addresses), widths)["parameters"])
        with use_stream(stream):
            found["alone"].append(seen(lambda: launch(*addresses), widths)["parameters"])

    calls: list[str] = []
    hook = lambda info: calls.append(info.get()["name"])
    triton.knobs.runtime.launch_enter_hook.add(hook)
    found["hooked"] = seen(lambda: kernel.bind(5, 2, 1, (64,))(*addresses), widths)["parameters"]
    triton.knobs.runtime.launch_enter_hook.remove(hook)

    stub.stub_expect(len(widths), (ctypes.c_int * len(widths))(*widths))
    program = provider.program([ProgramLaunch(kernel, (5, 2, 1), (Live(0), 0x2000), (64,), True)])
    found["kind"], found["graph"] = type(program).__name__, []
    before = stub.stub_graph(3)
    for _ in range(2):
        program.run((0x1000,))
        found["graph"].append([stub.stub_node(0, 9 + i) for i in range(len(widths))])
    found["changes"] = stub.stub_graph(3) - before
    with use_stream(stream):
        program.run((0x1000,))
    found["graph"].append([stub.stub_node(0, 9 + i) for i in range(len(widths))])
    return found


def bits(value: float) -> int:
    return int(struct.unpack("I", struct.pack("f", value))[0])


def node(number: int) -> dict[str, Any]:
    field = [stub.stub_node(number, i) for i in range(9 + len(WIDTHS))]
    return {
        "function": field[0], "grid": field[1:4], "block": field[4:7], "shared": field[7], "behind": field[8], "values": field[9:]
    }  # fmt: skip


def two_launches(kernel: Any) -> list[ProgramLaunch]:
    live = (Live(0), LEADING[1], Live(1, 16), Live(2), LEADING[4])
    return [ProgramLaunch(kernel, (5, 2, 1), live, CONSTANTS, True), ProgramLaunch(kernel, (7, 1, 1), LEADING, CONSTANTS, True)]


def program(provider: Any, kernel: Any) -> dict[str, Any]:
    """Two launches as a graph, run with other live arguments: the same, another address, another number."""
    stub.stub_expect(len(WIDTHS), (ctypes.c_int * len(WIDTHS))(*WIDTHS))
    lives = [(0x1000, 0x2000, 0.5), (0x1000, 0x2000, 0.5), (0x1000, 0x3000, 0.5), (0x1000, 0x3000, -0.0)]
    made = provider.program(two_launches(kernel))
    nodes, changes = [], []
    for live in lives:
        made.run(live)
        nodes.append([node(0), node(1)])
        changes.append(stub.stub_graph(3))
    compiled = kernel._loaded.compiled
    found = {
        "kind": type(made).__name__, "nodes": nodes, "changes": changes, "live": [(x, y, bits(f)) for x, y, f in lives],
        "launches": stub.stub_graph(0), "stream": stub.stub_graph(1), "instances": stub.stub_graph(2),
        "function": compiled.function, "shared": compiled.metadata.shared,
    }  # fmt: skip
    del made
    gc.collect()
    return {**found, "destroyed": stub.stub_graph(4)}


def many_sizes(provider: Any, kernels: list[Any]) -> dict[str, Any]:
    """Programs of three launches for many sizes, of two forms with other kernels, in random order: what graphs run, beside plain launches."""
    draw, family = random.Random(0), ProgramFamily()
    launches = [
        ProgramLaunch(kernels[0], (Gap(0), 2, 1), (Live(0), Gap(3), Live(1, Gap(4)), 1.5, Live(2)), (-7, 1 << 40, Gap(1)), True),
        ProgramLaunch(kernels[1], (1, Gap(0), 1), (Gap(3), 0x2000, 0x3000, Live(2), -2.25), (Gap(2), 5, 99), True),
        ProgramLaunch(kernels[0], (3, 1, Gap(0)), LEADING, CONSTANTS, True),
    ]
    others = [launch._replace(kernel=kernel) for launch, kernel in zip(launches, (kernels[1], kernels[0], kernels[1]))]
    made = []
    for given in (launches, others):
        form = provider.program_form([LaunchGroup(given)], family)
        for n in (1, 2, 3, 500, 60_000 if given is launches else 4):
            values = (n, 3 * n, -n, 0x1000 * n, 16 * n)
            made.append(([launch.filled(values) for launch in given], form.filled(values)))
    stub.stub_expect(len(WIDTHS), (ctypes.c_int * len(WIDTHS))(*WIDTHS))
    found: dict[str, Any] = {"same": [], "changes": [], "instances": [], "refused": []}
    for number in range(60):
        plain, program = made[draw.randrange(len(made))]
        live = (0x1000 * draw.randint(1, 3), 0x2000, draw.choice((0.5, -0.0, 0.0)))
        found["refused"].append(number in (20, 21, 40))
        stub.stub_refuse(int(found["refused"][-1]))
        for _ in range(2):
            before = stub.stub_graph(3), stub.stub_graph(2)
            program.run(live)
            nodes = [node(number) for number in range(len(plain))]
            found["changes"].append(stub.stub_graph(3) - before[0])
            found["instances"].append(stub.stub_graph(2) - before[1])
            found["same"].append(all(alike(launch, live, ran) for launch, ran in zip(plain, nodes)))
        stub.stub_refuse(0)
    return found


def alike(launch: ProgramLaunch, live: Any, ran: dict[str, Any]) -> bool:
    """Whether a node is what reaches the driver when it is launched by itself."""
    given = [a.of(live) if isinstance(a, Live) else a for a in launch.arguments]
    alone = seen(lambda: launch.kernel.bind(*launch.grid, launch.sizes)(*given), WIDTHS)
    keys = {"function": "function", "grid": "grid", "block": "block", "shared": "shared", "values": "parameters"}
    return all(ran[key] == alone[other] for key, other in keys.items())


def driver_error() -> str:
    try:
        cuda_driver.driver.launch(0x77, 0)
    except DeviceError as error:
        return str(error)
    return ""


def through_the_runtime() -> dict[str, Any]:
    """A whole op: its kernel gets the addresses of input and output, and the number of elements."""
    import tritonflow as flow

    x = flow.tensor([1.0, -2.0, 3.0], device="cuda")
    outputs: list[Any] = []
    result = seen(lambda: outputs.append(flow.relu(x)), [8, 8, 4])
    again = seen(lambda: outputs.append(flow.relu(x)), [8, 8, 4])
    return {"first": result, "again": again, "addresses": [[x.ptr, y.ptr] for y in outputs]}


@triton.jit
def scaled(x, n, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def added(pair, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(pair[0] + i) + pair[1])


def own_kernels(cuda: Any, side: Any) -> dict[str, Any]:
    """`kernel[grid](...)` on tensors of the GPU: what reaches the driver, what counts as written, what is refused, and the order."""
    import tritonflow as flow

    driver: Any = triton.runtime.driver.active
    driver.get_current_stream = lambda device: cuda.current_stream(0).cuda_stream
    x, out, widths = flow.ones(3, device="cuda"), flow.ones(3, device="cuda"), [8, 4, 8, 8, 8]
    found: dict[str, Any] = {"first": seen(lambda: scaled[(5,)](x, 3, out, BLOCK=4), widths), "addresses": [x.ptr, out.ptr]}
    found["versions"] = [x._version, out._version]

    @flow.library.triton_op("stub::unsaid", mutates_args=())
    def unsaid(x: flow.Tensor, out: flow.Tensor) -> None:
        scaled[(5,)](x, 3, out, BLOCK=4)

    leaf = flow.ones(3, device="cuda", requires_grad=True)
    before = stub.stub_launches()
    found["refused"] = [refusal(lambda: scaled[(5,)](x, 3, leaf, BLOCK=4)), stub.stub_launches() - before, refusal(lambda: unsaid(x, out))]
    scaled[(5,)](leaf, 3, out, BLOCK=4)  # which is read
    meta = flow.ones(3, device="meta")
    scaled[(5,)](meta, 3, meta, BLOCK=4)
    before = x._version, out._version
    added[(5,)]((x, 2.0), out, BLOCK=4)
    found["nested"] = [x._version - before[0], out._version - before[1]]

    cuda.current[0] = torch_stream = cuda.new_stream(0)  # torch's is another than ours from here on
    found["torch_stream"], cuda.log[:] = torch_stream.cuda_stream, []
    found["on_torch_stream"] = seen(lambda: scaled[(5,)](x, 3, out, BLOCK=4), widths)["stream"]
    found["waits_before"] = waits(cuda)
    orders = []
    for _ in range(2):
        with use_stream(side):
            flow.relu(out)
        orders.append(waits(cuda))
        scaled[(5,)](x, 3, out, BLOCK=4)
        cuda.log.clear()
    found["waits_behind"] = orders
    cuda.current[0] = cuda.defaults[0]
    return found


def waits(cuda: Any) -> list[int]:
    """The streams that were told to wait for an event."""
    return [entry[1] for entry in cuda.log if entry[0] == "wait"]


def refusal(call: Any) -> str:
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return ""


def numbers() -> list[float]:
    import tritonflow as flow

    x = flow.tensor([1.5, -2.0], device="cuda")
    return [x[1].item(), *x.tolist()]


def contexts() -> list[Any]:
    """The contexts that are current before, between and behind `enter` and `leave`; what `enter` returns; a second `enter`."""
    driver: Any = cuda_driver.driver

    def current() -> int | None:
        found = ctypes.c_void_p()
        stub.cuCtxGetCurrent(ctypes.byref(found))
        return found.value

    stub.cuCtxSetCurrent(ctypes.c_void_p(0x77))
    first = driver.enter(1)
    inside, second = current(), driver.enter(1)
    driver.leave(second)
    driver.leave(first)
    behind = current()
    stub.cuCtxSetCurrent(None)
    third = driver.enter(0)
    driver.leave(third)
    found = [first, inside, second, behind, third, current()]
    stub.cuCtxSetCurrent(ctypes.c_void_p(0x10))
    return found


def a_graph(compile: Any = None) -> dict[str, Any]:
    """A compiled function, run twice: its kernels are compiled in threads; two launches, the second given the output's address."""
    import tritonflow as flow

    double = (compile or flow.compile)(lambda x: flow.relu(flow.relu(x).sum(1)))
    x, other = flow.ones(4, 6, device="cuda"), flow.ones(4, 6, device="cuda")
    stub.stub_expect(2, (ctypes.c_int * 2)(8, 8))
    before = stub.stub_graph(0)
    outputs = [double(x), double(other)]
    nodes = [node(k) for k in range(3)]
    return {"launches": stub.stub_graph(0) - before, "nodes": nodes, "x": other.ptr, "y": outputs[1].ptr}


def a_graph_from_disk() -> dict[str, Any]:
    """The same function with its plan not on disk yet, there, with a kernel of it gone, and there again."""
    import tritonflow as flow
    from tritonflow.settings import settings

    programs: list[Any] = []

    def compile(function: Any) -> Any:
        programs.append(flow.compile(function))
        return programs[-1]

    def run() -> dict[str, Any]:
        found = a_graph(compile)
        (captured,) = programs[-1].captures()
        return {**found, "planned": captured.compiled._graph is not None}

    with TemporaryDirectory() as folder, settings.override(cache_dir=Path(folder), keep_plans=True):
        runs = [run(), run()]
        found = triton_compat.cuda_kernel
        plain, found.get_cache_manager = found.get_cache_manager, lambda hash_: FileCacheManager("none")
        runs.append(run())
        found.get_cache_manager = plain
        runs.append(run())
        return {"runs": runs}


def training_steps() -> list[int]:
    """Launches of a step, eager and as one graph."""
    import tritonflow as flow

    with flow.device("cuda"):
        net = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.GELU(), flow.nn.Dropout(0.1), flow.nn.Linear(16, 4))
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
    x, target = flow.randn(16, 8, device="cuda"), flow.randint(0, 4, (16,), device="cuda")

    def step(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = flow.nn.functional.cross_entropy(net(x), target)
        loss.backward()
        optimizer.step()
        return loss

    before = stub.stub_launches()
    step(x, target)
    eager = stub.stub_launches() - before
    before = stub.stub_graph(0)
    flow.compile(step)(x, target).item()
    return [eager, stub.stub_graph(0) - before]


def without_llvmlite() -> None:
    """What runs on a GPU where the compiler for CPUs has no LLVM: ops, training, graphs, tuning, explain(); and the error of a
    CPU's kernel."""

    def version(package: str) -> str:
        if package == "llvmlite":
            raise versions.metadata.PackageNotFoundError(package)
        return found(package)

    from tritonflow import versions

    found, versions.metadata.version = versions.metadata.version, version
    sys.modules["llvmlite"] = None  # type: ignore[assignment]
    load_stub()
    triton.runtime.driver.set_active(Driver())
    torch_cuda.runtime = FakeCuda()
    import tritonflow as flow
    from tritonflow.graph.explain import roof_measurement
    from tritonflow.settings import settings

    roof_measurement.COPIES["gpu"], roof_measurement.SECONDS = (4096, 16384), 0.0
    with TemporaryDirectory() as folder, settings.override(cache_dir=Path(folder), keep_plans=True):
        x = flow.ones(64, 64, device="cuda")
        flow.nn.functional.softmax(x, -1).sum().item()
        flow.nn.Linear(4, 4, device="cuda")
        tuned = flow.compile(lambda x: x @ x, tune=True)
        tuned(flow.ones(256, 256, dtype=flow.float16, device="cuda"))
        results: dict[str, Any] = {"files": sorted({path.name for path in Path(folder).iterdir()})}
        results["explained"] = str(tuned.explain())
        flow.set_num_threads(3)
        results["threads"] = flow.get_num_threads()
        results["launches"] = training_steps()
        try:
            flow.ones(2)
        except DeviceError as error:
            results["error"] = str(error)
    print(json.dumps(results))


if __name__ == "__main__":
    without_llvmlite() if "--without-llvmlite" in sys.argv else main()
