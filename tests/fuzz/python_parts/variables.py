"""Global variables, which a closure's form makes variables of the enclosing function: numbers, flags, tensors, counters."""

from tests.fuzz.python_parts.grammar import part

part("variables", "a number", "n_K = <<2|0.5|True>>", "y = y * n_K", ["n_K = <<3|0.25|False|-1|2.0>>", "n_K += 1"], graph=True)
part("variables", "a flag", "on_K = <<True|False>>", """
    if on_K:
        y = y * 2
    """, ["on_K = not on_K", "on_K = <<0|1|None|[]|'no'>>"], graph=True)
part("variables", "a tensor", "t_K = flow.tensor([1.0, 2.0])", "y = y + t_K", [
    "t_K = flow.tensor([<<3.0|4.0>>, 5.0])", "t_K.add_(1)", "t_K = t_K.double()", "t_K.data = flow.zeros(2)", "t_K.requires_grad_()",
    "t_K = flow.tensor([[1.0], [2.0]])", "t_K[0] = 7.0", "t_K = 2.0", "flow.to_torch(t_K.detach()).add_(1)", "t_K.detach().numpy()[0] = 9.0",
])  # fmt: skip
part("variables", "a counter", "n_K = 0", """
    global n_K
    n_K += 1
    y = y * n_K
    """, ["n_K = <<0|5>>"])
part("variables", "a counter that decides", "n_K = 0", """
    global n_K
    n_K = n_K + 1
    if n_K % <<2|3>> == 0:
        y = -y
    """, ["n_K = 0"])
part("variables", "a counter that is only counted", "n_K = <<0|0.5>>", """
    global n_K
    n_K += 1
    """, ["n_K *= 2"])
part("variables", "a flip-flop", "on_K = False", """
    global on_K
    on_K = not on_K
    y = y if on_K else y * 0.5
    """)
part("variables", "made at the first call", "cache_K = None", """
    global cache_K
    if cache_K is None:
        cache_K = <<flow.ones(2)|flow.arange(2.0)|x.detach() * 2|[1, 2]|3>>
    y = y + (cache_K if isinstance(cache_K, flow.Tensor) else 1)
    """, ["cache_K = None", "cache_K = flow.full((2,), 3.0)"])
part("variables", "a running sum", "h_K = flow.zeros(2)", """
    global h_K
    h_K = h_K * 0.5 + x.detach()
    y = y + h_K
    """, ["h_K = flow.ones(2)", "h_K.zero_()"])
part("variables", "the last input", "last_K = flow.zeros(2)", """
    global last_K
    y = y + last_K
    last_K = x
    """, ["last_K = flow.ones(2)", "also_K = last_K"])
part("variables", "the last result", "last_K = None", """
    global last_K
    if last_K is not None:
        y = y + last_K
    last_K = y.detach()
    """, ["last_K = None"])
part("variables", "a number of the running kind", "k_of_K = 1", """
    global k_of_K
    k_of_K = -k_of_K
    also.append(k_of_K)
    """)
part("variables", "a deleted name", "n_K = 2", """
    try:
        y = y * n_K
    except NameError:
        y = y + 1
    """, ["del n_K", "n_K = 3"])
part("variables", "names of globals()", "n_K = 2", "y = y * globals()['n_K']", ["n_K = 4", "globals()['n_K'] = 5"])
part("variables", "a module of Python's", "settings_K = types.ModuleType('settings_K')\nsettings_K.scale = 2", "y = y * settings_K.scale",
    ["settings_K.scale = <<3|0.5>>", "settings_K = types.SimpleNamespace(scale=4)"], graph=True)  # fmt: skip
part("variables", "a function of Python's module", "floor_K = math.floor", "y = y * math.floor(2.5)", ["math.floor = <<math.ceil|floor_K>>\ncleanup.append(lambda: setattr(math, 'floor', floor_K))"])
part("variables", "a global that a helper writes", "n_K = 1\ndef more_K():\n    global n_K\n    n_K += 1\n    return n_K", "y = y * more_K()", ["n_K = 0"])
part("variables", "a swapped pair", "a_K, b_K = 2, 3", """
    global a_K, b_K
    a_K, b_K = b_K, a_K
    y = y * a_K
    """)
part("variables", "a number of NumPy's", "n_K = numpy.float32(2)", "y = y * n_K", ["n_K = numpy.<<float64(3)|int64(4)|bool_(True)>>"])
part("variables", "a text", "mode_K = 'double'", "y = y * 2 if mode_K == 'double' else y", ["mode_K = <<'none'|'double'|None>>"], graph=True)
part("variables", "a builtin that is shadowed", "", "y = y * len([1, 2]) + max(1, 2)", ["def len(v): return 5", "max = min", "globals().pop('len', None)"])
part("variables", "an odd number", "n_K = 0.0", "y = y * 2 if n_K >= 0 else y + 1\nalso.append(n_K)\nalso.append(flow.full((2,), n_K))", ["n_K = <<float('nan')|float('inf')|-0.0|0|2**40|None>>"])
part("variables", "equal numbers of other kinds", "n_K = 1", "also.append(flow.tensor(n_K))\nalso.append(n_K / 2)\ny = y + n_K", ["n_K = <<1.0|True|numpy.float32(1)|numpy.int64(1)>>"])
part("variables", "an import in the step", "", "import math as m_K\nfrom types import SimpleNamespace as s_K\ny = y * s_K(n=m_K.floor(2.5)).n", graph=True)
part("variables", "a deleted local", "n_K = 2", "v_K = n_K\ndel v_K\ntry:\n    y = y * v_K\nexcept NameError:\n    y = y + n_K", ["n_K = 3"])
