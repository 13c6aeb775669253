"""svd_lowrank and pca_lowrank: products of their factors, which do not depend on the signs of vectors nor on what is drawn."""

import pytest
import torch

import tritonflow as flow


def of_rank(rank, *shape):
    *batch, m, n = shape
    generator = torch.Generator().manual_seed(0)
    left, right = (torch.rand(size, generator=generator, dtype=torch.float64) for size in ((*batch, m, rank), (*batch, rank, n)))
    return left @ right


def product(factors):
    u, values, v = factors
    return flow.to_torch((u * values.unsqueeze(-2) @ v.mT).detach())


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (2, 5, 5)])
def test_a_matrix_of_low_rank_is_the_product_of_its_factors(shape):
    a = of_rank(2, *shape)
    factors = flow.svd_lowrank(flow.from_torch(a), q=3)
    assert [tuple(f.shape[-2:]) for f in factors] == [(shape[-2], 3), (*shape[:-2], 3)[-2:], (shape[-1], 3)]
    torch.testing.assert_close(product(factors), a)
    torch.testing.assert_close(flow.to_torch(factors[1]), torch.linalg.svdvals(a)[..., :3])


def test_a_mean_is_subtracted():
    a, mean = of_rank(1, 5, 4), torch.arange(4.0, dtype=torch.float64)
    factors = flow.svd_lowrank(flow.from_torch(a + mean), q=2, M=flow.from_torch(mean))
    torch.testing.assert_close(product(factors), a)


def test_principal_components():
    a = of_rank(2, 6, 4)
    centered = a - a.mean(0)
    torch.testing.assert_close(product(flow.pca_lowrank(flow.from_torch(a), q=3)), centered)
    torch.testing.assert_close(product(flow.pca_lowrank(flow.from_torch(a), q=3, center=False)), a)


def test_singular_values_have_gradients():
    a = of_rank(3, 5, 3).requires_grad_(True)
    mine = flow.from_torch(a.detach()).requires_grad_(True)
    (right,) = torch.autograd.grad(torch.linalg.svdvals(a).square().sum(), a)
    (grad,) = flow.autograd.grad(flow.svd_lowrank(mine, q=3)[1].square().sum(), mine)
    torch.testing.assert_close(flow.to_torch(grad), right)


def test_wrong_calls():
    a = flow.ones(3, 2)
    with pytest.raises(ValueError, match="must be non-negative integer and not greater than min"):
        flow.pca_lowrank(a, q=3)
    with pytest.raises(ValueError, match="must be non-negative integer"):
        flow.pca_lowrank(a, niter=-1)
    with pytest.raises(RuntimeError, match="at least 2 dimensions"):
        flow.svd_lowrank(flow.ones(3))
