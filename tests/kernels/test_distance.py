"""kernels/distance.py against torch."""

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, kernels, run, stride

module = kernels("distance")
rows = kernels("rows")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("shape", "dim"), [((5, 10), 1), ((3, 2050), 1), ((70, 7), 0), ((2, 5, 33), 1)])
def test_cosines_of_rows(backend, shape, dim):
    a, b = torch.randn(shape), torch.randn(shape)
    a.select(dim, 0).zero_()
    a.movedim(dim, -1)[..., 0, :] = 0
    layout = rows.row_layout(shape, dim)
    blocks = module.blocks(layout)
    out = [torch.empty(torch.linalg.vector_norm(a, dim=dim).shape) for _ in range(4)]
    sizes = (layout.rows, layout.cols, tuple(stride(s) for s in layout.strides))
    run(backend, module.cosine, (rows.row_grid(layout, blocks),), (a, b, *out, 1e-8, *sizes), blocks)
    a, b = a.double(), b.double()
    lengths = [torch.linalg.vector_norm(x, dim=dim).clamp_min(1e-8) for x in (a, b)]
    expected = [torch.cosine_similarity(a, b, dim), (a * b).sum(dim), *lengths]
    for found, exact in zip(out, expected):
        torch.testing.assert_close(found.double(), exact, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("order", "p"), [(0, 0.0), (1, 1.0), (2, 2.0), ("max", float("inf")), ("any", 3.0)])
def test_distances_of_all_pairs(backend, order, p):
    a, b = torch.randn(2, 33, 5), torch.randn(2, 40, 5)
    a[0, :5] = b[0, :5]
    y = torch.empty(2, 33, 40)
    blocks = module.pairwise_blocks(33, 40)
    run(backend, module.pairwise, (8,), (a, b, y, p, 33, 40, 5, 5, stride(1)), {"MODE": order, "COMPUTE": tl.float32, **blocks})
    exact = torch.cdist(a.double(), b.double(), p, compute_mode="donot_use_mm_for_euclid_dist")
    torch.testing.assert_close(y.double(), exact, rtol=1e-5, atol=1e-5)
