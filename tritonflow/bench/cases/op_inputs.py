"""The arguments of each op: a table of kinds, and one of names that need others.

A kind is what the registry says under `samples`. A builder gets `Elements` and returns the arguments, torch tensors among them;
a dict at the end has the keywords. Builders keep the elements of the largest tensor near to `Elements.n`; edges of images are even.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

import torch

from tritonflow.bench.cases.elements import Elements

Arguments = tuple[Any, ...]
Builder = Callable[[Elements], Arguments]


def _pooled(x: torch.Tensor, dims: int) -> Arguments:
    """Maxima and their positions."""
    found: Arguments = getattr(torch.nn.functional, f"max_pool{dims}d")(x, 2, return_indices=True)
    return found


def _scatter(s: Elements) -> Arguments:
    x = s.matrix()
    return x, 0, s.integers(s.height, *x.shape), torch.rand_like(x)


def _two(s: Elements, low: float = -3.0, high: float = 3.0) -> Arguments:
    return s.real(low=low, high=high), s.real(low=low, high=high)


def _grid(s: Elements) -> Arguments:
    x = s.images()
    return x, torch.rand(2, *x.shape[2:], 2) * 2.2 - 1.1


def _norm(s: Elements) -> Arguments:
    return s.matrix(), (s.width,), torch.ones(s.width), torch.zeros(s.width)


def _rotary(s: Elements) -> Arguments:
    length = max(s.n // 512, 1)
    return s.real(1, length, 4, 128), s.real(length, 64), s.real(length, 64)


def _batch_norm(s: Elements) -> Arguments:
    return s.images(), torch.zeros(8), torch.ones(8), torch.ones(8), torch.zeros(8), True


def _bags(s: Elements) -> Arguments:
    return s.integers(1000, max(s.n // 64, 8), 8), s.real(1000, 64)


def _ctc(s: Elements) -> Arguments:
    steps = max(s.n // 160, 12)
    lengths = torch.full((4,), steps), torch.full((4,), 5)
    return torch.log_softmax(s.real(steps, 4, 40), -1), torch.randint(1, 40, (4, 5)), *lengths


def _attention(s: Elements) -> Arguments:
    length = max(s.n // 512, 2)
    return tuple([s.real(1, 8, min(length, 2048), 64) for _ in range(3)])


def _bytes(s: Elements) -> torch.Tensor:
    return torch.randint(-127, 128, (s.side, s.side), dtype=torch.int8)


def _float8(s: Elements) -> torch.Tensor:
    return s.real(s.side, s.side).to(torch.float8_e4m3fn)


def _conv2d(s: Elements) -> Arguments:
    x = s.images()
    return x, s.real(8, 8, 3, 3), s.real(8)


KINDS: dict[str, Builder] = {
    # pointwise: by domain
    "real": lambda s: (s.real(),),
    "positive": lambda s: (s.real(low=0.05, high=4),),
    "unit": lambda s: (s.real(low=-0.95, high=0.95),),
    "small": lambda s: (s.real(low=-1.2, high=1.2),),
    "probability": lambda s: (s.real(low=0.05, high=0.95),),
    "above_one": lambda s: (s.real(low=1.05, high=4),),
    "integral": lambda s: (s.integers(100),),
    "any_real": lambda s: (s.real().relu(),),
    "pairs": _two,
    "pairs_nonzero": lambda s: (s.real(), s.real(low=0.5)),
    "pairs_positive": lambda s: _two(s, 0.2, 2.4),
    "power": lambda s: (s.real(low=0.2, high=2.4), s.real(low=0.2, high=2.4)),
    "shifts": lambda s: (s.integers(100), s.integers(5)),
    "three": lambda s: (s.real(), s.real(), s.real(low=0.5)),
    "clamp": lambda s: (s.real(), -1.0, 1.0),
    "where": lambda s: (s.mask(), s.real(), s.real()),
    "degrees": lambda s: (s.real(low=-1, high=1), s.integers(6).float()),
    "polygamma": lambda s: (1, s.real(low=0.5, high=4)),
    "zeta": lambda s: (s.real(low=1.5, high=4), s.real(low=0.5, high=4)),
    "glu": lambda s: (s.real(s.n // 2, 2),),
    "equal": _two, "isclose": _two, "copy": _two, "type_as": _two, "dist": _two,
    # reductions, scans
    "accumulation": lambda s: (s.matrix(), -1),
    "accumulation_single": lambda s: (s.matrix(0.9, 1.1), -1),
    "accumulation_along_dim": lambda s: (s.matrix(0.9, 1.1), -1),
    "along_dim": lambda s: (s.matrix(), -1),
    "reduction": lambda s: (s.matrix(), -1),
    "reduction_dim": lambda s: (s.matrix(), -1),
    "reduction_single": lambda s: (s.matrix(), -1),
    "var": lambda s: (s.matrix(), -1),
    "norm_p": lambda s: (s.matrix(), 2, -1),
    "vector_norm": lambda s: (s.matrix(), 2, -1),
    "matrix_norm": lambda s: (s.matrix(),),
    "renorm": lambda s: (s.matrix(), 2, 0, 1.0),
    "variables": lambda s: (s.real(max(s.side // 8, 2), s.side),),
    "integrals": lambda s: (s.matrix(),),
    "differences": lambda s: (s.matrix(),),
    "gradient": lambda s: (s.matrix(),),
    "histc": lambda s: (s.real(), 100, -3, 3),
    "sort": lambda s: (s.matrix(), -1),
    "topk": lambda s: (s.matrix(), 8),
    "kthvalue": lambda s: (s.matrix(), 8),
    "quantile": lambda s: (s.matrix(), 0.3, -1),
    # products
    "matmul": lambda s: (s.square(), s.square()),
    "mm": lambda s: (s.square(), s.square()),
    "lora_linear": lambda s: (s.square(), s.square(), s.real(8, s.side), s.real(s.side, 8)),
    "qkv_linear": lambda s: (s.square(), s.real(3 * s.side, s.side)),
    "linear": lambda s: (s.square(), s.square(), s.real(s.side)),
    "bmm": lambda s: (s.batch(), s.batch()),
    "baddbmm": lambda s: (s.batch(), s.batch(), s.batch()),
    "addbmm": lambda s: (s.batch()[0], s.batch(), s.batch()),
    "addmm": lambda s: (s.square(), s.square(), s.square()),
    "mv": lambda s: (s.square(), s.real(s.side)),
    "addmv": lambda s: (s.real(s.side), s.square(), s.real(s.side)),
    "dot": _two,
    "outer": lambda s: (s.real(s.side), s.real(s.side)),
    "addr": lambda s: (s.square(), s.real(s.side), s.real(s.side)),
    "inner": lambda s: (s.square(), s.square()),
    "tensordot": lambda s: (s.square(), s.square(), 1),
    "chain_matmul": lambda s: (s.square(), s.square(), s.square()),
    "einsum": lambda s: ("ij,jk->ik", s.square(), s.square()),
    "kron": lambda s: (s.real(8, 8), s.real(max(s.side // 8, 1), max(s.side // 8, 1))),
    "cross": lambda s: (s.real(s.n // 3, 3), s.real(s.n // 3, 3)),
    "bilinear": lambda s: (s.real(s.side, 16), s.real(s.side, 16), s.real(s.side, 16, 16)),
    # losses, distances
    "loss": _two,
    "signed_loss": lambda s: (s.real(), s.integers(2).float() * 2 - 1),
    "cross_entropy": lambda s: s.classes(),
    "nll_loss": lambda s: s.classes(),
    "label_loss": lambda s: s.classes(),
    "binary_cross_entropy": lambda s: _two(s, 0.05, 0.95),
    "binary_cross_entropy_with_logits": lambda s: _two(s, 0.05, 0.95),
    "kl_div": lambda s: (*_two(s, 0.05, 0.95), {"reduction": "sum"}),
    "poisson_nll_loss": lambda s: _two(s, 0.05, 0.95),
    "gaussian_nll_loss": lambda s: (*_two(s), s.real(low=0.5)),
    "ctc_loss": _ctc,
    "two_along_dim": lambda s: (s.matrix(), s.matrix(), -1),
    "pairwise_distance": lambda s: (s.matrix(), s.matrix()),
    "pdist": lambda s: (s.points(2 * s.side // 3 * 2),),
    "cdist": lambda s: (s.points(), s.points()),
    # images
    "conv1d": lambda s: (s.signals(), s.real(8, 8, 3), s.real(8)),
    "conv2d": _conv2d,
    "conv3d": lambda s: (s.volumes(), s.real(4, 4, 3, 3, 3), s.real(4)),
    "conv_transpose1d": lambda s: (s.signals(), s.real(8, 8, 3), s.real(8)),
    "conv_transpose2d": _conv2d,
    "conv_transpose3d": lambda s: (s.volumes(), s.real(4, 4, 3, 3, 3), s.real(4)),
    "conv_tbc": lambda s: (s.real(s.n // 32, 4, 8), s.real(3, 8, 8), s.real(8)),
    "unfold_image": lambda s: (s.images(4), 3),
    "fold_image": lambda s: (s.real(1, 9 * 4, (isqrt(s.n // 36)) ** 2), (isqrt(s.n // 36) + 2,) * 2, 3),
    "pixel_shuffle": lambda s: (s.images(), 2),
    "pixel_unshuffle": lambda s: (s.real(2, 8, isqrt(s.n // 64) * 2, isqrt(s.n // 64) * 2), 2),
    "channel_shuffle": lambda s: (s.images(), 2),
    "pool1d": lambda s: (s.signals(), 2),
    "pool2d": lambda s: (s.images(), 3, 2, 1),
    "avg_pool2d": lambda s: (s.images(), 3, 2, 1),
    "pool3d": lambda s: (s.volumes(), 2),
    "lp_pool": lambda s: (s.images(), 2, 2),
    "adaptive_pool1d": lambda s: (s.signals(), 7),
    "adaptive_pool2d": lambda s: (s.images(), 7),
    "adaptive_pool3d": lambda s: (s.volumes(), 3),
    "max_unpool": lambda s: (*_pooled(s.images(), 2), 2),
    "interpolate": lambda s: (s.images(), {"scale_factor": 2, "mode": "bilinear"}),
    "affine_grid": lambda s: (s.real(2, 2, 3), (2, 1, isqrt(s.n // 4), isqrt(s.n // 4)), False),
    "grid_sample": lambda s: (*_grid(s), {"align_corners": False}),
    "layer_norm": _norm,
    "rms_norm": lambda s: _norm(s)[:3],
    "add_layer_norm": lambda s: (s.matrix(), *_norm(s)),
    "add_rms_norm": lambda s: (s.matrix(), *_norm(s)[:3]),
    "gated": _two,
    "rotary": _rotary,
    "group_norm": lambda s: (s.images(), 2),
    "instance_norm": lambda s: (s.images(),),
    "batch_norm": _batch_norm,
    "normalize": lambda s: (s.matrix(),),
    "local_response_norm": lambda s: (s.images(), 3),
    "attention": _attention,
    # views, joins
    "matrix": lambda s: (s.square(),),
    "transpose": lambda s: (s.matrix(), 0, 1),
    "copy_of": lambda s: (s.real(),),
    "expand": lambda s: (s.real(1, s.side), (s.side, s.side)),
    "pair_of_shapes": lambda s: (s.real(), s.real()),
    "unsqueeze": lambda s: (s.real(), 0),
    "squeeze": lambda s: (s.real(1, s.n),),
    "reshape": lambda s: (s.real(4, s.n // 4), (s.n // 4, 4)),
    "permute": lambda s: (s.matrix(), (1, 0)),
    "movedim": lambda s: (s.matrix(), 0, 1),
    "select": lambda s: (s.matrix(), 0, 1),
    "narrow": lambda s: (s.matrix(), 0, 1, 8),
    "as_strided": lambda s: (s.real(), (s.n // 2,), (2,)),
    "diagonal": lambda s: (s.square(),),
    "unfold": lambda s: (s.real(), 0, 4, 2),
    "chunk": lambda s: (s.matrix(), 4),
    "unbind": lambda s: (s.real(8, s.n // 8),),
    "flatten": lambda s: (s.matrix(),),
    "unflatten": lambda s: (s.real(s.n // 4 * 4), 0, (4, -1)),
    "split": lambda s: (s.real(), s.n // 4),
    "unsafe_split": lambda s: (s.real(), s.n // 4),
    "split_with_sizes": lambda s: (s.real(), (s.n // 4, s.n - s.n // 4)),
    "tensor_split": lambda s: (s.real(), 4),
    "hsplit": lambda s: (s.real(s.n // 4, 4), 4),
    "vsplit": lambda s: (s.real(4, s.n // 4), 4),
    "dsplit": lambda s: (s.real(1, s.n // 4, 4), 4),
    "flip": lambda s: (s.matrix(), (0, 1)),
    "roll": lambda s: (s.matrix(), 3, 1),
    "rot90": lambda s: (s.matrix(),),
    "diag": lambda s: (s.square(),),
    "diag_embed": lambda s: (s.real(8, isqrt(s.n // 8)),),
    "diagflat": lambda s: (s.real(s.side),),
    "diagonal_scatter": lambda s: (s.square(), s.real(s.side)),
    "select_scatter": lambda s: (s.square(), s.real(s.side), 0, 1),
    "slice_scatter": lambda s: (s.square(), s.real(2, s.side), 0, 1, 3),
    "as_strided_scatter": lambda s: (s.real(), s.real(s.n // 2), (s.n // 2,), (2,)),
    "cat": lambda s: ([s.matrix(), s.matrix()], 1),
    "concat": lambda s: ([s.matrix(), s.matrix()], 1),
    "stack": lambda s: ([s.matrix(), s.matrix()],),
    "hstack": lambda s: ([s.matrix(), s.matrix()],),
    "vstack": lambda s: ([s.matrix(), s.matrix()],),
    "dstack": lambda s: ([s.matrix(), s.matrix()],),
    "column_stack": lambda s: ([s.matrix(), s.matrix()],),
    "block_diag": lambda s: (s.real(s.side // 2, s.side // 2), s.real(s.side // 2, s.side // 2)),
    "broadcast_tensors": lambda s: (s.real(s.side, 1), s.real(1, s.side)),
    "meshgrid": lambda s: (s.real(s.side), s.real(s.side)),
    "combinations": lambda s: (s.real(s.side),),
    "pad": lambda s: (s.images(), (1, 1, 1, 1), "reflect"),
    "constant_pad_nd": lambda s: (s.images(), (1, 1, 1, 1), 0.5),
    "repeat": lambda s: (s.real(s.n // 4), (4,)),
    "tile": lambda s: (s.real(s.n // 4), (4,)),
    "repeat_interleave": lambda s: (s.real(s.n // 4), 4),
    "atleast": lambda s: (s.real(),),
    "tril": lambda s: (s.square(),),
    "triangle_indices": lambda s: (isqrt(s.n), isqrt(s.n)),
    "vander": lambda s: (s.real(s.n // 8, low=-1, high=1), 8),
    # indices
    "masked_select": lambda s: (s.real(), s.mask()),
    "masked_fill": lambda s: (s.real(), s.mask(), 1.0),
    "masked_scatter": lambda s: (s.real(), s.mask(), s.real()),
    "index_select": lambda s: (s.matrix(), 0, s.integers(s.height, s.height)),
    "index_add": lambda s: (s.square(), 0, s.integers(s.side, s.side), s.square()),
    "index_copy": lambda s: (s.square(), 0, torch.randperm(s.side), s.square()),
    "index_reduce": lambda s: (s.square(), 0, s.integers(s.side, s.side), s.square(), "amax"),
    "index_fill": lambda s: (s.square(), 0, s.integers(s.side, s.side // 2), 1.0),
    "index_put": lambda s: (s.real(), (torch.randperm(s.n),), s.real()),
    "gather": lambda s: (s.matrix(), 0, s.integers(s.height, s.height, s.width)),
    "scatter": lambda s: (s.square(), 0, torch.rand(s.side, s.side).argsort(0), s.square()),
    "scatter_add": _scatter,
    "scatter_reduce": lambda s: (*_scatter(s), "amax"),
    "positions": lambda s: (s.integers(1000, 2, max(s.n // 128, 1)), s.real(1000, 64), s.real(max(s.n // 128, 1), 64)),
    "embedding": lambda s: (s.integers(1000, max(s.n // 64, 1)), s.real(1000, 64)),
    "embedding_bag": _bags,
    "one_hot": lambda s: (s.integers(64, max(s.n // 64, 1)), 64),
    "take": lambda s: (s.real(), s.integers(s.n)),
    "put": lambda s: (s.real(), torch.randperm(s.n), s.real()),
    "take_along_dim": lambda s: (s.matrix(), s.integers(s.height, s.height, s.width), 0),
    "nonzero_static": lambda s: (s.real().relu(), {"size": s.n // 2}),
    "searchsorted": lambda s: (s.real().sort()[0], s.real()),
    "bucketize": lambda s: (s.real(), s.real(100).sort()[0]),
    "isin": lambda s: (s.integers(1000), s.integers(1000, 100)),
    "unique": lambda s: (s.integers(1000),),
    "unique_consecutive": lambda s: (s.integers(1000).sort()[0],),
    "bincount": lambda s: (s.integers(1000),),
    # creation
    "creation": lambda s: ((s.n,),),
    "creation_fill": lambda s: ((s.n,), 2.0),
    "like": lambda s: (s.real(),),
    "like_fill": lambda s: (s.real(), 2.0),
    "new": lambda s: (s.real(1), (s.n,)),
    "new_full": lambda s: (s.real(1), (s.n,), 2.0),
    "arange": lambda s: (s.n,),
    "range": lambda s: (0, s.n),
    "linspace": lambda s: (0, 1, s.n),
    "logspace": lambda s: (0, 1, s.n),
    "eye": lambda s: (s.side,),
    "scalar_tensor": lambda s: (2.0,),
    "fill": lambda s: (s.real(), 2.0),
    "fill_copy": lambda s: (s.real(), 2.0),
    "zero": lambda s: (s.real(),),
}  # fmt: skip


def _integers(s: Elements) -> Arguments:
    return s.integers(100), s.integers(100)


def _vectors(s: Elements) -> Arguments:
    return s.matrix(), s.matrix(), s.integers(2, s.height).float() * 2 - 1


NAMES: dict[str, Builder] = {
    "int_mm": lambda s: (_bytes(s), _bytes(s)),
    "scaled_int_mm": lambda s: (_bytes(s), _bytes(s), s.real(s.side, 1), s.real(1, s.side)),
    "quantize_rows": lambda s: (s.matrix(),),
    "scaled_mm_blocks": lambda s: (_float8(s), _float8(s), s.real(s.side, -(-s.side // 128)), s.real(*[-(-s.side // 128)] * 2)),
    "quantized_linear": lambda s: (s.real(1, s.side), _bytes(s), s.real(s.side, 1)),
    "dequantize_weight": lambda s: (_bytes(s), s.real(s.side, 1)),
    "fake_quantize_per_tensor_affine": lambda s: (s.real(), 0.1, 3, -128, 127),
    "fake_quantize_per_channel_affine": lambda s: (
        s.matrix(), s.real(s.width, low=0.05, high=0.2), s.integers(5, s.width).int(), 1, -128, 127
    ),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"), _integers),
    **dict.fromkeys(("clamp_min", "clamp_max", "leaky_relu", "hardshrink", "softshrink"), lambda s: (s.real(), 0.5)),
    "threshold": lambda s: (s.real(), 0.5, 0.1),
    "hardtanh": lambda s: (s.real(), -0.5, 0.5),
    "prelu": lambda s: (s.matrix(), s.real(s.width, low=0.05, high=0.5)),
    "mvlgamma": lambda s: (s.real(low=2, high=4), 2),
    "ldexp": lambda s: (s.real(), s.integers(5).float()),
    "heaviside": _two,
    "lerp": lambda s: (s.real(), s.real(), 0.3),
    "aminmax": lambda s: (s.matrix(), {"dim": -1}),
    "trace": lambda s: (s.square(),),
    "linalg_norm": lambda s: (s.matrix(),),
    "lp_pool1d": lambda s: (s.signals(), 2, 2),
    "lp_pool3d": lambda s: (s.volumes(), 2, 2),
    "max_unpool1d": lambda s: (*_pooled(s.signals(), 1), 2),
    "max_unpool3d": lambda s: (*_pooled(s.volumes(), 3), 2),
    "fractional_max_pool2d": lambda s: (s.images(), 2, {"output_ratio": (0.5, 0.5)}),
    "fractional_max_pool3d": lambda s: (s.volumes(), 2, {"output_ratio": (0.5, 0.5, 0.5)}),
    **dict.fromkeys(("upsample", "upsample_nearest", "upsample_bilinear"), lambda s: (s.images(), {"scale_factor": 2})),
    "view": lambda s: (s.real(4, s.n // 4), (s.n // 4, 4)),
    "fill_diagonal_": lambda s: (s.square(), 2.0),
    "empty": lambda s: ((s.n,),),
    "new_empty": lambda s: (s.real(1), (s.n,)),
    "empty_strided": lambda s: ((s.n,), (1,)),
    "empty_permuted": lambda s: ((4, s.n // 4), (1, 0)),
    "to": lambda s: (s.real(), torch.float64),
    "normal": lambda s: (s.real(), s.real(low=0.5)),
    "bernoulli_": lambda s: (s.real(), 0.5),
    "margin_ranking_loss": lambda s: (*_two(s), s.integers(2).float() * 2 - 1),
    "cosine_embedding_loss": _vectors,
    "triplet_margin_loss": lambda s: (s.matrix(), s.matrix(), s.matrix()),
    "multilabel_soft_margin_loss": lambda s: (s.matrix(), (s.matrix() > 0).float()),
    "multilabel_margin_loss": lambda s: (s.real(max(s.n // 100, 2), 100), s.integers(100, max(s.n // 100, 2), 100)),
    "cast": lambda s: (s.real(), torch.float64),
    "cumulative_trapezoid": lambda s: (s.matrix(),),
    # random numbers: the times are compared, not the numbers
    "rand": lambda s: (s.n,),
    "randn": lambda s: (s.n,),
    "randperm": lambda s: (s.n,),
    "randint": lambda s: (100, (s.n,)),
    "rand_like": lambda s: (s.real(),),
    "randn_like": lambda s: (s.real(),),
    "randint_like": lambda s: (s.real(), 100),
    "bernoulli": lambda s: (s.real(low=0, high=1),),
    "multinomial": lambda s: (s.matrix(0, 1), max(s.width // 4, 1), True),
    "poisson": lambda s: (s.real(low=0, high=20),),
    "binomial": lambda s: (s.integers(20).float(), s.real(low=0, high=1)),
    "normal_": lambda s: (s.real(),),
    "uniform_": lambda s: (s.real(),),
    "exponential_": lambda s: (s.real(),),
    "cauchy_": lambda s: (s.real(),),
    "log_normal_": lambda s: (s.real(),),
    "geometric_": lambda s: (s.real(), 0.3),
    "random_": lambda s: (s.real(),),
    "dropout": lambda s: (s.real(),),
    "dropout1d": lambda s: (s.signals(),),
    "dropout2d": lambda s: (s.images(),),
    "dropout3d": lambda s: (s.volumes(),),
    "alpha_dropout": lambda s: (s.real(), 0.5, True),
    "feature_alpha_dropout": lambda s: (s.images(), 0.5, True),
}  # fmt: skip


_MATRICES = (
    "linalg_solve_ex linalg_solve linalg_lstsq", "linalg_inv_ex linalg_inv inverse linalg_det det linalg_slogdet slogdet"
    " linalg_lu_factor_ex linalg_lu_factor linalg_lu lu linalg_qr qr geqrf linalg_svdvals linalg_pinv pinverse linalg_matrix_rank"
    " linalg_cond matrix_exp linalg_eig linalg_eigvals linalg_svd svd linalg_ldl_factor linalg_ldl_factor_ex",
    "linalg_cholesky_ex linalg_cholesky cholesky logdet linalg_eigvalsh linalg_eigh",
)  # fmt: skip
NAMES |= {  # losses of language models, mixtures of experts
    "linear_cross_entropy": lambda s: (s.real(s.side, 64), s.real(s.side, 64), s.integers(s.side, s.side)),
    "linear_selective_log_softmax": lambda s: (s.real(s.side, 64), s.real(s.side, 64), s.integers(s.side, s.side)),
    "selective_log_softmax": lambda s: (s.matrix(), s.integers(s.width, s.height)),
    "generalized_jsd_loss": lambda s: tuple(torch.log_softmax(s.matrix(), -1) for _ in range(2)),
    "dpo_loss": lambda s: tuple(s.real() for _ in range(4)),
    "orpo_loss": lambda s: _two(s, -3.0, -0.1),
    "kto_loss": lambda s: (s.real(), s.mask(s.n)),
    "grpo_loss": lambda s: (s.matrix(), s.real(s.height), torch.ones(s.height, s.width)),
    "moe_topk": lambda s: (s.real(max(s.n // 64, 1), 64), 4),
    "moe_permute": lambda s: (s.real(max(s.n // 64, 1), 64), s.integers(8, max(s.n // 64, 1), 2), 8),
    "moe_unpermute": lambda s: (s.real(2 * max(s.n // 128, 1), 64), torch.randperm(2 * max(s.n // 128, 1)).view(-1, 2)),
    "moe_load_balancing_loss": lambda s: (s.real(max(s.n // 8, 1), 8), s.integers(8, max(s.n // 8, 1), 2)),
    "grouped_mm": lambda s: (s.square(), s.real(4, s.side, s.side), {"offs": torch.arange(1, 5).int() * (s.side // 4)}),
}
NAMES |= {
    **dict.fromkeys(_MATRICES[0].split(), lambda s: (s.matrices(), s.matrices())),
    **dict.fromkeys(_MATRICES[1].split(), lambda s: (s.matrices(),)),
    **dict.fromkeys(_MATRICES[2].split(), lambda s: (s.positive(),)),
    "matrix_power": lambda s: (s.matrices(), 3),
    "cholesky_inverse": lambda s: (torch.linalg.cholesky(s.positive()),),
    "cholesky_solve": lambda s: (s.matrices(), torch.linalg.cholesky(s.positive())),
    "linalg_solve_triangular": lambda s: (s.matrices().tril(), s.matrices(), {"upper": False}),
    "triangular_solve": lambda s: (s.matrices(), s.matrices().tril(), {"upper": False}),
    "lu_unpack": lambda s: tuple(torch.linalg.lu_factor(s.matrices())),
    "linalg_lu_solve": lambda s: (*torch.linalg.lu_factor(s.matrices()), s.matrices()),
    "lu_solve": lambda s: (s.matrices(), *torch.linalg.lu_factor(s.matrices())),
    "linalg_ldl_solve": lambda s: (*torch.linalg.ldl_factor(s.matrices()), s.matrices()),
    "linalg_householder_product": lambda s: tuple(torch.geqrf(s.matrices())),
    "ormqr": lambda s: (*torch.geqrf(s.matrices()), s.matrices()),
    "linalg_multi_dot": lambda s: ([s.square(), s.square(), s.square()],),
    "linalg_tensorinv": lambda s: (s.real(4, 6, 24), {"ind": 2}),
    "linalg_tensorsolve": lambda s: (s.real(4, 6, 24), s.real(4, 6)),
    "linalg_vander": lambda s: (s.real(s.n // 8, low=-1, high=1), {"N": 8}),
    "linalg_vecdot": lambda s: (s.matrix(), s.matrix()),
    "linalg_cross": lambda s: (s.real(s.n // 3, 3), s.real(s.n // 3, 3)),
    "linalg_diagonal": lambda s: (s.square(),),
    "linalg_matmul": lambda s: (s.square(), s.square()),
    "native_layer_norm": lambda s: (*_norm(s), 1e-5),
    "native_group_norm": lambda s: (x := s.images(), torch.ones(8), torch.zeros(8), 2, 8, x.shape[2] ** 2, 2, 1e-5),
    "native_batch_norm": lambda s: (s.images(), torch.ones(8), torch.zeros(8), torch.zeros(8), torch.ones(8), True, 0.1, 1e-5),
    "slice_copy": lambda s: (s.matrix(), 0, 1, 8),
    "split_copy": lambda s: (s.real(), s.n // 4),
    "segment_reduce": lambda s: (s.real(s.side // 4 * 4, s.side), "sum", {"lengths": torch.full((4,), s.side // 4)}),
    **dict.fromkeys(("grid_sampler", "grid_sampler_2d"), lambda s: (*_grid(s), 0, 0, False)),
    "grid_sampler_3d": lambda s: (x := s.volumes(), torch.rand(2, *x.shape[2:], 3) * 2.2 - 1.1, 0, 0, False),
    "histogram": lambda s: (s.real(), 100),
    "histogramdd": lambda s: (s.real(s.n // 2, 2), [10, 10]),
    "slice": lambda s: (s.matrix(), (0, 1), (s.height, s.width), (2, 1)),
    "view_as_real": lambda s: (torch.complex(s.real(), s.real()),),
    "view_as_complex": lambda s: (s.real(s.n // 2, 2),),
    "unravel_index": lambda s: (s.integers(s.n), (s.height, s.width)),
    "feature_dropout": lambda s: (s.images(), 0.5, True),
    "imag": lambda s: (torch.complex(s.real(), s.real()),),
    "adjoint": lambda s: (s.square(),),
    "polar": lambda s: (s.real(low=0.5), s.real()),
    **dict.fromkeys(("svd_lowrank", "pca_lowrank"), lambda s: (s.real(max(s.n // 64, 8), 64), 4)),
    "stft": lambda s: (s.real(), 64, {"window": torch.hann_window(64), "return_complex": True}),
    "istft": lambda s: (
        torch.stft(s.real(), 64, window=torch.hann_window(64), return_complex=True), 64, {"window": torch.hann_window(64)},
    ),
}  # fmt: skip

# Draws, memory as it is found, vectors that are unique up to a factor, and neighbours in a dtype: no two libraries give the same.
UNCOMPARED = frozenset(
    "rand randn randperm randint rand_like randn_like randint_like bernoulli bernoulli_ multinomial poisson binomial normal normal_"
    " uniform_ exponential_ cauchy_ log_normal_ geometric_ random_ dropout dropout1d dropout2d dropout3d alpha_dropout"
    " feature_alpha_dropout feature_dropout rrelu empty empty_like empty_strided empty_permuted new_empty new_empty_strided"
    " fractional_max_pool2d fractional_max_pool3d gumbel_softmax svd_lowrank pca_lowrank linalg_eigh linalg_eig linalg_svd svd"
    " linalg_eigvals nextafter".split()
)
# torch's gradients: of a factor they have numbers in the triangle that is not read; of strides zeros in the wrong elements.
UNCOMPARED_BACKWARD = frozenset(("as_strided_scatter", "cholesky_inverse", "cholesky_solve"))
CONSTANT = frozenset(("dequantize_weight",))  # whose floating arguments are constants, and have no gradient


def builder_of(name: str, kind: str, tensors: int) -> Builder | None:
    """The arguments of an op: by its name, by its kind, or of a pointwise op by how many tensors it takes."""
    if name in NAMES:
        return NAMES[name]
    if not kind:
        return {1: KINDS["real"], 2: KINDS["pairs"], 3: KINDS["three"]}.get(tensors)
    return KINDS.get(kind)
