"""kernels/distance.py against torch."""

import pytest
import torch

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
