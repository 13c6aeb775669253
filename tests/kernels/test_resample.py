"""kernels/resample.py, kernels/edges.py and kernels/columns.py against torch.nn.functional."""

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, Constant, kernels, run, stride
from tritonflow.ops.resample import UNROLLED, _repeats, _taps, is_smooth, scalars_of, weight_bits

module, edges, columns = kernels("resample"), kernels("edges"), kernels("columns")
of_bytes = kernels("resample_bytes")
CONFIG = columns.config(CPU)["constexprs"]
MODES = [
    ("nearest", "nearest", False), ("nearest-exact", "nearest-exact", False), ("linear", "bilinear", True), ("cubic", "bicubic", False),
    ("smooth linear", "bilinear", False), ("smooth cubic", "bicubic", False),
]  # fmt: skip


def grid(tensor):
    return (-(-tensor.numel() // CONFIG["BLOCK"]),)


def in_rows(outer, size, inner):
    """Constexprs, the grid and the number of rows of a result (outer, size, inner)."""
    config, tiles = module.config(CPU, outer, size, inner)
    return config["constexprs"], (tiles,), outer if inner == 1 else outer * size


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("mode", "name", "aligned"), MODES)
def test_along_the_columns(backend, mode, name, aligned):
    for n, m in ((7, 12), (11, 4)):
        x = torch.randn(2, 3, n, 5, dtype=torch.float64, requires_grad=True)
        scale = (n - 1) / (m - 1) if aligned else n / m
        options = {} if "nearest" in name else {"align_corners": aligned, "antialias": is_smooth(mode)}
        expected = F.interpolate(x, (m, 5), mode=name, **options)
        y, scalars = torch.empty_like(expected), scalars_of(mode, aligned, scale)
        blocks, tiles, rows = in_rows(6, m, 5)
        sizes = (rows, n, m, stride(5))
        if is_smooth(mode):
            args = (x.detach(), y, *scalars, *sizes, _taps(mode, scale))
            run(backend, module.resample_smooth, tiles, args, {"MODE": mode, **blocks})
        else:
            fixed = {"TAPS": module.TAPS[mode], "ALIGNED": aligned, "MODE": mode, **blocks}
            run(backend, module.resample, tiles, (x.detach(), y, *scalars, *sizes), fixed)
        torch.testing.assert_close(y, expected.detach(), rtol=1e-5, atol=1e-5)  # the scalars are float32 here


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("mode", "name", "aligned"), MODES[2:])
def test_bytes_along_the_columns(backend, mode, name, aligned):
    for n, m in ((7, 12), (11, 4)):
        x = torch.randint(0, 256, (2, 3, n, 5), dtype=torch.uint8)
        scale = (n - 1) / (m - 1) if aligned else n / m
        expected = F.interpolate(x, (m, 5), mode=name, align_corners=aligned, antialias=is_smooth(mode))
        bits, taps = weight_bits(n, m, mode, aligned, scale), _taps(mode, scale) if is_smooth(mode) else module.TAPS[mode]
        table, y = torch.empty(1 + taps, m, dtype=torch.int32), torch.empty_like(expected)
        args, fixed, tiles = (table, *scalars_of(mode, aligned, scale)[:3], bits, n, m), {"MODE": mode, "BLOCK": 16}, (-(-m // 16),)
        if is_smooth(mode):
            run(backend, of_bytes.smooth_byte_weights, tiles, (*args, taps), fixed)
        else:
            run(backend, of_bytes.byte_weights, tiles, args, {"TAPS": taps, "ALIGNED": aligned, **fixed})
        blocks, tiles, rows = in_rows(6, m, 5)
        run(backend, of_bytes.resample_bytes, tiles, (x, table, y, bits, rows, n, m, stride(5), taps), blocks)
        assert torch.equal(y, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("inner", "repeats"), [(1, 2), (1, 8), (5, 2)])
def test_gradients_of_repeated_elements(backend, inner, repeats):
    n = 7
    dy, dx = torch.randn(6, n * repeats, inner, dtype=torch.float64), torch.empty(6, n, inner, dtype=torch.float64)
    blocks, tiles, rows = in_rows(6, n, inner)
    count = Constant(repeats) if repeats <= UNROLLED else repeats
    args = (dy, dx, *scalars_of("nearest", False, 1 / repeats), rows, n, stride(inner), count)
    run(backend, module.repeat_backward, tiles, args, blocks)
    torch.testing.assert_close(dx, dy.view(6, n, repeats, inner).sum(2))


@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
@pytest.mark.parametrize(("size", "outputs", "scale"), [(5, 10, 0.5), (3, 24, 0.125), (4, 4, 1.0), (5, 15, 1 / 3), (5, 10, 0.4), (10, 5, 2.0)])
def test_repeats_are_what_torch_shows(mode, size, outputs, scale):
    """Where an output's source may be rounded, or outputs do not fit, the general kernel finds out which input it shows."""
    claimed = _repeats(mode, size, outputs, scale)
    assert claimed == (outputs % size == 0 and scale in (0.5, 0.125, 1.0) and scale * outputs == size)
    if claimed:
        shown = F.interpolate(torch.arange(size).view(1, 1, size).double(), outputs, mode=mode).flatten()
        assert shown.tolist() == [k // (outputs // size) for k in range(outputs)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_edges(backend, mode):
    x = torch.randn(2, 3, 5, requires_grad=True)
    expected = F.pad(x, (3, 2), mode=mode)
    y, dx, dy = torch.empty_like(expected), torch.empty_like(x), torch.randn_like(expected)
    expected.backward(dy)
    for kernel, source, result in ((edges.pad, x.detach(), y), (edges.pad_backward, dy, dx)):
        blocks, tiles, rows = in_rows(6, result.shape[2], 1)
        run(backend, kernel, tiles, (source, result, rows, 5, 3, 2, stride(1)), {"MODE": mode, **blocks})
    torch.testing.assert_close(y, expected.detach(), rtol=0, atol=0)
    torch.testing.assert_close(dx, x.grad)


@pytest.mark.parametrize("backend", BACKENDS)
def test_columns_and_back(backend):
    x = torch.randn(2, 3, 6, 7)
    kernel, step, padding, dilation = (2, 3), (2, 1), (1, 0), (1, 2)
    expected = F.unfold(x, kernel, dilation, padding, step)
    out = (4, 3)
    y, back = torch.empty_like(expected), torch.empty_like(x)
    geometry = tuple(tuple(stride(v) for v in values) for values in (step, padding, dilation))
    run(backend, columns.unfold, grid(y), (x, y, y.numel(), (6, 7), kernel, out, *geometry), CONFIG)
    torch.testing.assert_close(y, expected, rtol=0, atol=0)
    run(backend, columns.fold, grid(back), (y, back, back.numel(), (6, 7), kernel, out, *geometry), CONFIG)
    torch.testing.assert_close(back, F.fold(expected, (6, 7), kernel, dilation, padding, step))
