"""kernels/attention.py and attention_gradients.py against softmax(scale q k' + mask) v in float64."""

import math

import pytest
import torch

from tests.kernels import harness
from tests.kernels.harness import BACKENDS, CPU, GPU, TYPES, Constant, Scalar, compile_for, kernels, run, strides
from tests.kernels.test_random import generator, reference_words

module, gradient_module, rules = kernels("attention"), kernels("attention_gradients"), kernels("attention_config")
GPUS = {80: GPU._replace(shared_memory=163 << 10), 90: GPU}
ABSENT, NOTHING = Constant(None), ((),) * 4  # neither sequences, pages, lists nor what edits scores
TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 8e-2, torch.float32: 1e-4, torch.float64: 1e-10}


def tensor(*shape, dtype=torch.float32):
    return torch.randn(shape, dtype=torch.float64).to(dtype)


class Case:
    def __init__(self, q, k, v, mask=None, causal=False, facts=CPU, fill=-math.inf, empty=0.0, drop=None, blocks=None):
        self.q, self.k, self.v, self.causal, self.facts, self.blocks_of_piece = q, k, v, causal, facts, blocks
        self.batch, self.heads, self.m, self.d = q.shape
        self.key_heads, self.n, self.e = v.shape[1:]
        self.group = self.heads // self.key_heads
        self.mask = () if mask is None else (mask,)
        self.mask_strides = (Constant(0),) * 4
        if mask is not None:
            self.mask_strides = strides(mask.expand(self.batch, self.heads, self.m, self.n))
        boolean = mask is not None and mask.dtype == torch.bool
        self.flags = {"CAUSAL": causal, "GROUP": self.group, "BOOL": boolean, "FOURS": self.n % 4 == 0, "EDIT": None}
        self.pack = self.group if self.m * self.group <= 64 else 1
        kind = "fp64" if q.dtype == torch.float64 else "fp32"
        self.drop, self.dropout = drop, ()
        if drop is not None:
            numbers = (Scalar(x, kind) for x in (drop, 1 / (1 - drop) if drop < 1 else 0.0))
            self.dropout = (*generator(7), *numbers)
        self.scale, self.fill, self.empty = (Scalar(x, kind) for x in (1 / math.sqrt(self.d), fill, empty))
        compute = torch.float64 if q.dtype == torch.float64 else torch.float32
        self.o = torch.empty(self.batch, self.heads, self.m, self.e, dtype=q.dtype)
        self.rows = torch.empty(self.batch, self.heads, self.m, 2, dtype=compute)
        self.delta = torch.empty(self.batch, self.heads, 2 if facts.kind == "gpu" else 1, self.m, dtype=compute)
        self.dq, self.dk, self.dv = (torch.empty(t.shape, dtype=t.dtype) for t in (q, k, v))
        self.sums = torch.empty(q.shape, dtype=compute)
        self.do = tensor(*self.o.shape, dtype=q.dtype)
        self.sizes = (self.heads, self.m, self.n, self.d, self.e)

    def config(self, kernel):
        """The configuration of one of the module's kernels."""
        backward = kernel not in (module.forward, module.merge)
        beside = " and ".join(["mask"] * bool(self.mask) + ["dropout"] * (self.drop is not None))
        dtype = TYPES[self.q.dtype]
        kind = "tf32x3" if dtype == "fp32" and self.facts.kind == "gpu" else dtype
        rows = self.m if backward else self.m * self.pack
        config = rules.config(self.facts, kind, rows, self.n, self.d, self.e, backward, beside)
        own = config.get("keys", {}) if kernel is gradient_module.key_gradients else {}
        constexprs = {name: own.get(name, value) for name, value in config["constexprs"].items()}
        return {**config, **own, "constexprs": constexprs}

    def grid(self, size, block, heads=None):
        return (-(-size // block) * self.batch * (heads or self.heads),)

    def forward(self):
        """The forward, whole or in pieces of so many blocks and merged."""
        q, k, v, o = self.q, self.k, self.v, self.o
        blocks = self.config(module.forward)["constexprs"]
        constexprs = {**self.flags, "PACK": self.pack, **blocks}
        grid, made, piece = self.grid(self.m * self.pack, blocks["BLOCK_M"], self.heads // self.pack), (o, self.rows), ()
        if self.blocks_of_piece:
            piece = (self.blocks_of_piece * blocks["BLOCK_N"], self.batch)
            pieces = -(-self.n // piece[0])
            made = [torch.empty(pieces, *x.shape, dtype=self.rows.dtype) for x in (o, self.rows)]
            grid = (*grid, pieces)
        args = (q, k, v, self.mask, self.dropout, *NOTHING, ABSENT, *made, ABSENT, ABSENT, self.scale, self.fill, self.empty, *self.sizes)
        args = (*args, *map(strides, (q, k, v, o)), self.mask_strides, piece, *NOTHING, ())
        yield module.forward, grid, args, constexprs
        if piece:
            args = (*made, self.dropout, (), ABSENT, o, self.rows, ABSENT, self.empty, self.heads, self.m, self.n, self.e, strides(o))
            constexprs = {name: constexprs[name] for name in ("SPLIT", "PACK", "BLOCK_M", "BLOCK_E")}
            base_2 = blocks["SPLIT"] and not self.mask
            yield module.merge, grid[:1], (*args, (), grid[1], self.batch), {**constexprs, "BASE_2": base_2}

    def launches(self, whole=False):
        yield from self.forward()
        q, k, v, o, do = self.q, self.k, self.v, self.o, self.do
        blocks = self.config(gradient_module.query_gradient)["constexprs"]
        flags = {**self.flags, "SLOPE": None}
        constexprs = {**flags, **blocks}
        rows = self.grid(self.m, blocks["BLOCK_M"])
        of_query = self.launch_of_queries(rows, constexprs)
        if self.facts.kind == "gpu":
            yield of_query
        else:
            args = (do, o, ABSENT, (), self.delta, self.heads, self.m, self.n, self.e, strides(do), strides(o), ())
            yield gradient_module.row_products, rows, args, {key: blocks[key] for key in ("BLOCK_M", "BLOCK_E")}
        inputs = (do, q, k, v, self.mask, self.dropout, (), (), (), self.rows, self.delta)
        sizes = (self.scale, self.fill, *self.sizes)
        if whole:
            results = (self.dq, self.dk, self.dv)
            args = (*inputs, self.sums, *results, *sizes, *map(strides, (do, q, k, v, *results)), self.mask_strides, *NOTHING)
            yield gradient_module.gradients, (self.batch * self.key_heads,), args, constexprs
            return
        args = (*inputs, self.dk, self.dv, *sizes, *map(strides, (do, q, k, v, self.dk, self.dv)), self.mask_strides, *NOTHING)
        of_keys = {**flags, **self.config(gradient_module.key_gradients)["constexprs"]}
        yield gradient_module.key_gradients, self.grid(self.n, of_keys["BLOCK_N"], self.key_heads), args, of_keys
        if self.facts.kind == "cpu":
            yield of_query

    def launch_of_queries(self, grid, constexprs):
        """It computes delta on a GPU, where it comes before that of keys."""
        q, k, v, o, do = self.q, self.k, self.v, self.o, self.do
        inputs = (do, q, k, v, self.mask, self.dropout, (), (), (), o, ABSENT, self.rows, self.delta)
        args = (*inputs, self.dq, self.scale, self.fill, *self.sizes, *map(strides, (do, q, k, v, o, self.dq)), self.mask_strides)
        args = (*args, *NOTHING)
        return gradient_module.query_gradient, grid, args, constexprs

    def reference(self):
        q, k, v = (t.detach().double().requires_grad_() for t in (self.q, self.k, self.v))
        wide_k, wide_v = (t.repeat_interleave(self.group, 1) for t in (k, v))
        s = q @ wide_k.mT * self.scale.value
        for mask in self.mask:
            s = s.masked_fill(~mask, self.fill.value) if mask.dtype == torch.bool else s + mask.double()
        if self.causal:
            s = s.masked_fill(~torch.ones(self.m, self.n, dtype=torch.bool).tril(), -math.inf)
        nothing = (s == -math.inf).all(-1, keepdim=True)
        if math.isnan(self.empty.value):
            p = torch.softmax(s, -1)
        else:
            p = torch.where(nothing, 0, torch.softmax(torch.where(nothing, 0, s), -1))
        if self.drop is not None:
            bits = 32 if self.q.dtype == torch.float64 else 24
            words = torch.tensor(reference_words(p.numel())).view(p.shape)
            p = p * ((words >> (32 - bits)) / 2**bits >= self.dropout[2].value) * self.dropout[3].value
        o = p @ wide_v
        o.backward(self.do.double())
        return o, q.grad, k.grad, v.grad

    def check(self, backend, whole=(False, True)):
        whole = whole if self.facts is CPU else (False,)  # a GPU has no program for a whole head
        for way in whole if backend == "cpu" else whole[-1:]:
            self.check_launches(backend, way)

    def check_launches(self, backend, whole):
        for launch in self.launches(whole):
            run(backend, *launch)
        tolerance = TOLERANCE[self.q.dtype]
        for got, expected in zip((self.o, self.dq, self.dk, self.dv), self.reference()):
            torch.testing.assert_close(
                got.double(), expected.detach(), rtol=tolerance, atol=tolerance * 2, equal_nan=True
            )


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(
    "shape", [(2, 3, 5, 7, 8, 8), (1, 2, 70, 130, 20, 33), (1, 1, 130, 70, 64, 16), (1, 1, 1, 1, 1, 1)]
)
@pytest.mark.sampled(most=3)
def test_shapes(backend, causal, shape):
    batch, heads, m, n, d, e = shape
    Case(tensor(batch, heads, m, d), tensor(batch, heads, n, d), tensor(batch, heads, n, e), causal=causal).check(
        backend
    )


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    Case(*(tensor(1, 2, 33, 16, dtype=dtype) for _ in range(3)), causal=True).check(backend)


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mask", ["float", "bool", "rows"])
def test_masks(backend, mask):
    masks = {"float": tensor(2, 1, 18, 21), "bool": torch.rand(18, 21) > 0.3, "rows": torch.rand(2, 1, 18, 1) > 0.5}
    Case(tensor(2, 3, 18, 9), tensor(2, 3, 21, 9), tensor(2, 3, 21, 9), masks[mask]).check(backend)


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mask", ["additive", -math.inf, -1e9, -0.5])
def test_rows_without_keys_as_softmax_has_them(backend, mask):
    allowed = torch.rand(2, 1, 18, 21) > 0.5
    allowed[:, :, 3], allowed[0, :, 17] = False, False
    q, k, v = tensor(2, 3, 18, 9), tensor(2, 3, 21, 9), tensor(2, 3, 21, 9)
    if mask == "additive":
        Case(q, k, v, torch.zeros(allowed.shape).masked_fill(~allowed, -math.inf), empty=math.nan).check(backend)
    else:
        Case(q, k, v, allowed, fill=mask, empty=math.nan).check(backend)


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("empty", [0.0, math.nan])
def test_tiles_without_keys_are_left_out(backend, empty):
    m, n = torch.arange(140)[:, None], torch.arange(200)
    allowed = (n > m - 9) & (n < m + 12) & (m != 80)
    case = Case(tensor(1, 1, 140, 8), tensor(1, 1, 200, 8), tensor(1, 1, 200, 8), allowed, empty=empty)
    case.check(backend)
    case.v[:, :, 128:] = math.nan  # the first 64 rows do not come near
    run(backend, *next(iter(case.launches())))
    assert case.o[:, :, :64].isfinite().all() and case.o[:, :, 120].isnan().all()


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mask", [None, "causal", "float", "bool", "heads"])
@pytest.mark.parametrize("drop", [None, 0.3])
@pytest.mark.parametrize("m", [1, 18])
def test_groups_of_heads(backend, mask, drop, m):
    masks = {"float": tensor(2, 1, m, 21), "bool": torch.rand(m, 21) > 0.3, "heads": torch.rand(1, 6, m, 21) > 0.3}
    Case(tensor(2, 6, m, 9), tensor(2, 2, 21, 9), tensor(2, 2, 21, 9), masks.get(mask), mask == "causal", drop=drop).check(backend)


@pytest.mark.sampled(most=3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mask", [None, "causal", "float", "bool", "nothing"])
@pytest.mark.parametrize("drop", [None, 0.3])
@pytest.mark.parametrize("m", [1, 5, 20])
@pytest.mark.parametrize("facts", [CPU, GPU], ids=lambda facts: facts.kind)
def test_pieces_of_the_keys(backend, mask, drop, m, facts):
    n = 150
    masks = {"float": tensor(2, 1, m, n), "bool": torch.rand(m, n) > 0.3, "nothing": torch.rand(2, 1, m, n) > 0.3}
    masks["nothing"][0], masks["nothing"][1, :, :, :130] = False, False
    q, k, v = tensor(2, 4, m, 9), tensor(2, 2, n, 9), tensor(2, 2, n, 7)
    Case(q, k, v, masks.get(mask), mask == "causal", facts, drop=drop, blocks=1).check(backend)


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mask", [None, "causal", "float", "bool"])
@pytest.mark.parametrize("n", [24, 23])
def test_dropout(backend, mask, n):
    """The weights' words are those of the elements of (batch, heads, M, N), whether rows begin at a counter of their own or not."""
    masks = {"float": tensor(2, 1, 18, n), "bool": torch.rand(18, n) > 0.3}
    q, k, v = tensor(2, 3, 18, 9), tensor(2, 3, n, 9), tensor(2, 3, n, 9)
    Case(q, k, v, masks.get(mask), mask == "causal", drop=0.3).check(backend)


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("drop", [0.1, 0.9, 1.0])
def test_dropout_of_any_dtype_and_rate(backend, dtype, drop):
    Case(*(tensor(1, 2, 70, 16, dtype=dtype) for _ in range(3)), causal=True, drop=drop).check(backend)


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [2**24, 2**24 - 1])
def test_dropout_of_more_weights_than_32_bits_count(backend, n):
    """Equal keys, equal values, of which each row sees as many as its number: what it keeps of them is in the result."""
    heads, m = 20, 16
    q, row = tensor(1, heads, m, 8), tensor(1, heads, 1, 8)
    others, o, rows = row.expand(1, heads, n, 8), torch.empty_like(q), torch.empty(1, heads, m, 2)
    sizes, planes = (heads, m, n, 8, 8), tuple(strides(x) for x in (q, others, others, o))
    flags = {"CAUSAL": True, "GROUP": 1, "PACK": 1, "BOOL": False, "FOURS": n % 4 == 0, "EDIT": None}
    constexprs = rules.config(CPU, "fp32", m, n, 8, 8)["constexprs"] | flags
    args = (q, others, others, (), (*generator(7), 0.5, 2.0), *NOTHING, ABSENT, o, rows, ABSENT, ABSENT, 0.3, -math.inf, 0.0)
    run(backend, module.forward, (heads,), (*args, *sizes, *planes, (Constant(0),) * 4, (), *NOTHING, ()), constexprs)
    for h in (0, heads - 1):
        for line in range(m):
            words = reference_words(line + 1, (h * m + line) * n)
            share = 2 * sum(word >= 2**31 for word in words) / (line + 1)
            torch.testing.assert_close(o[0, h, line], share * row[0, h, 0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_transposed_heads(backend):
    q, k, v = (tensor(2, 20, 3, 16).transpose(1, 2) for _ in range(3))
    Case(q, k, v, causal=True).check(backend)


def of_gpu(m, n, *dims, mask=None, dtype=torch.float32, scale=None, facts=GPU, **options):
    """A case of a GPU's tiles, of which a program has blocks without edges and blocks with."""
    d, e = dims or (16, 16)
    case = Case(*(tensor(1, 2, *size, dtype=dtype) for size in ((m, d), (n, d), (n, e))), mask, facts=facts, **options)
    case.scale = case.scale if scale is None else Scalar(scale, case.scale.dtype)
    return case


def band(m, n):
    rows, columns = torch.arange(m)[:, None], torch.arange(n)
    return (columns > rows - 9) & (columns < rows + 40) & (rows != 80)


# The interpreter takes a second for a case.
OF_GPU_BACKENDS = [pytest.param(b, marks=pytest.mark.long) if b == "interpreter" else b for b in BACKENDS]
GPU_CASES = {
    "plain": lambda: of_gpu(150, 200),
    "causal": lambda: of_gpu(200, 150, causal=True),
    "causal wide": lambda: of_gpu(70, 300, causal=True),
    "one query": lambda: of_gpu(1, 200, 9, 5),
    "no keys": lambda: of_gpu(20, 0),
    "odd heads": lambda: of_gpu(150, 200, 70, 33, causal=True),
    "widest heads": lambda: of_gpu(40, 150, 256, 130, dtype=torch.bfloat16, causal=True),
    "float16": lambda: of_gpu(150, 200, dtype=torch.float16),
    "a GPU with less shared memory": lambda: of_gpu(90, 100, 128, 128, dtype=torch.float16, causal=True, facts=GPUS[80]),
    "bfloat16": lambda: of_gpu(200, 150, dtype=torch.bfloat16, causal=True),
    "float64": lambda: of_gpu(70, 100, dtype=torch.float64, causal=True),
    "negative scale": lambda: of_gpu(150, 200, causal=True, scale=-0.7),
    "no scale": lambda: of_gpu(150, 200, causal=True, scale=0.0),
    "large scores": lambda: of_gpu(150, 200, scale=6.0),
    "boolean": lambda: of_gpu(150, 200, mask=torch.rand(150, 200) > 0.3),
    "boolean rows": lambda: of_gpu(150, 200, mask=torch.rand(1, 2, 150, 1) > 0.5, empty=math.nan),
    "band": lambda: of_gpu(150, 200, mask=band(150, 200)),
    "band of a finite fill": lambda: of_gpu(150, 200, mask=band(150, 200), fill=-1e9),
    "additive": lambda: of_gpu(150, 200, mask=tensor(1, 2, 150, 200)),
    "additive, hardly any": lambda: of_gpu(
        150, 200, mask=torch.zeros(150, 200).masked_fill(~band(150, 200), torch.finfo(torch.float32).min)
    ),
    "additive, nothing": lambda: of_gpu(
        150, 200, mask=torch.zeros(150, 200).masked_fill(~band(150, 200), -math.inf), empty=math.nan
    ),
    "dropout": lambda: of_gpu(150, 200, causal=True, drop=0.3),
    "groups of heads": lambda: Case(tensor(1, 4, 90, 16), tensor(1, 2, 150, 16), tensor(1, 2, 150, 16), causal=True, facts=GPU),
    "dropout, boolean": lambda: of_gpu(150, 199, mask=band(150, 199), drop=0.3),
}


@pytest.mark.parametrize("backend", OF_GPU_BACKENDS)
@pytest.mark.parametrize("case", [c if k % 3 == 1 else pytest.param(c, marks=pytest.mark.long) for k, c in enumerate(GPU_CASES)])
@pytest.mark.sampled(most=2)
def test_configuration_of_a_gpu(backend, case):
    GPU_CASES[case]().check(backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_configuration_of_a_gpu_with_values_that_are_not_finite(backend):
    """What is NaN is what is in the reference, in rows and columns behind it as well."""
    case = of_gpu(150, 200)
    case.q[0, 0, 40, 3], case.k[0, 0, 130, 2], case.v[0, 1, 20, 1] = math.nan, math.nan, math.inf
    case.check(backend)


@pytest.mark.parametrize("facts", [CPU, GPU], ids=lambda facts: facts.kind)
def test_sizes_of_64_bits(facts, monkeypatch):
    narrow = harness._describe
    monkeypatch.setattr(harness, "_describe", lambda *args: "i64" if narrow(*args) == "i32" else narrow(*args))
    of_gpu(150, 200, causal=True, facts=facts).check("cpu")


@pytest.mark.parametrize("arch", [pytest.param(80, marks=pytest.mark.long), 90])
@pytest.mark.parametrize(
    ("dtype", "d"),
    [
        (torch.float16, 64),
        pytest.param(torch.float32, 128, marks=pytest.mark.long),
        pytest.param(torch.float16, 128, marks=pytest.mark.long),
        pytest.param(torch.float16, 256, marks=pytest.mark.long),
        pytest.param(torch.float32, 256, marks=pytest.mark.long),
        pytest.param(torch.float64, 64, marks=pytest.mark.long),
        pytest.param(torch.float64, 128, marks=pytest.mark.long),
    ],
)
def test_compiles(arch, dtype, d):
    q = torch.empty(1, 1, 512, d, dtype=dtype)
    mask = None if dtype is torch.float64 else torch.empty(512, 512, dtype=torch.bool)
    compiles(arch, Case(q, q, q, mask, dtype is not torch.float16, facts=GPUS[arch]))


@pytest.mark.long
@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize(
    ("dtype", "n", "causal"),
    [
        (torch.float16, 512, True),
        pytest.param(torch.bfloat16, 511, False, marks=pytest.mark.long),
        pytest.param(torch.float32, 512, False, marks=pytest.mark.long),
        pytest.param(torch.float64, 512, True, marks=pytest.mark.long),
        pytest.param(torch.float64, 511, False, marks=pytest.mark.long),
    ],
)
def test_dropout_compiles(arch, dtype, n, causal):
    q, k = (torch.empty(1, 1, size, 64, dtype=dtype) for size in (512, n))
    compiles(arch, Case(q, k, k, None, causal, facts=GPUS[arch], drop=0.1))


def compiles(arch, case):
    for kernel, _, args, constexprs in case.launches():
        config = case.config(kernel)
        compiled = compile_for(
            arch, kernel, args, constexprs, num_warps=config["num_warps"], num_stages=config["num_stages"]
        )
        assert compiled.metadata.shared <= case.facts.shared_memory
