"""Functions: default arguments, partials, decorators, caches, lambdas, star arguments, generators, comprehensions."""

from tests.fuzz.python_parts.grammar import part

part("functions", "a default", "def f_K(y, n=2): return y * n", "y = f_K(y)", ["f_K.__defaults__ = (<<3|0.5>>,)", "def f_K(y, n=4): return y * n"], graph=True)
part("functions", "a keyword default", "def f_K(y, *, n=2): return y * n", "y = f_K(y)", ["f_K.__kwdefaults__ = {'n': <<3|0.5>>}", "f_K.__kwdefaults__['n'] = 4"], graph=True)
part("functions", "a mutable default", "def f_K(y, seen=[]):\n    seen.append(1)\n    return y * len(seen)", "y = f_K(y)", ["f_K.__defaults__[0].clear()", "f_K.__defaults__ = ([],)"])
part("functions", "a mutable default that is read", "def f_K(y, d={'n': 2}): return y * d['n']", "y = f_K(y)", ["f_K.__defaults__[0]['n'] = <<3|4>>"], graph=True)
part("functions", "a tensor default", "def f_K(y, t=flow.ones(2)): return y + t", "y = f_K(y)", ["f_K.__defaults__[0].add_(1)", "f_K.__defaults__ = (flow.zeros(2),)"])
part("functions", "a tensor default that is written", "def f_K(y, t=flow.zeros(2)):\n    t.add_(1)\n    return y + t", "y = f_K(y)", ["f_K.__defaults__[0].zero_()"])
part("functions", "a partial", "def g_K(n, y): return y * n\nf_K = functools.partial(g_K, 2)", "y = f_K(y)", ["f_K = functools.partial(g_K, <<3|4>>)", "def g_K(n, y): return y + n"], graph=True)
part("functions", "a partial with keywords", "l_K = [2]\ndef g_K(y, n=1): return y * n[0]\nf_K = functools.partial(g_K, n=l_K)", "y = f_K(y)", ["l_K[0] = <<3|4>>", "f_K.keywords['n'] = [5]"], graph=True)
part("functions", "a partial of a method", "class C_K:\n    n = 2\n    def f(self, y): return y * self.n\nc_K = C_K()\nf_K = functools.partial(c_K.f)", "y = f_K(y)", ["c_K.n = <<3|4>>", "C_K.n = 5"], graph=True)
part("functions", "a partial of an object that counts", "class C_K:\n    n = 0\n    def f(self, y):\n        self.n += 1\n        return y * self.n\nf_K = functools.partial(C_K().f)", "y = f_K(y)", ["f_K.func.__self__.n = 0"])
part("functions", "a decorator that counts", """
    def counted_K(f):
        @functools.wraps(f)
        def g(*args, **kwargs):
            g.calls += 1
            return f(*args, **kwargs) * g.calls
        g.calls = 0
        return g
    @counted_K
    def f_K(y): return y + 1
    """, "y = f_K(y)", ["f_K.calls = 0", "f_K = f_K.__wrapped__\nf_K.calls = 0"])
part("functions", "a decorator with an argument", """
    def times_K(n):
        def wrap(f):
            def g(y): return f(y) * n['n']
            return g
        return wrap
    n_K = {'n': 2}
    @times_K(n_K)
    def f_K(y): return y + 1
    """, "y = f_K(y)", ["n_K['n'] = <<3|0.5>>"], graph=True)
part("functions", "a decorator of one's own class", "class Once_K:\n    def __init__(self, f): self.f, self.value = f, None\n    def __call__(self, *a):\n        if self.value is None: self.value = self.f(*a)\n        return self.value\n@Once_K\ndef f_K(y): return y.detach() * 2", "y = y + f_K(y)", ["f_K.value = None", "f_K.value = flow.ones(2)"])
part("functions", "lru_cache", "n_K = 1\n@functools.<<lru_cache(maxsize=2)|cache>>\ndef f_K(k): return k + n_K", "y = y * f_K(<<2|x.ndim>>)", ["n_K = 5", "f_K.cache_clear()", "f_K(<<1|3>>)"])
part("functions", "lru_cache of tensors", "@functools.lru_cache(maxsize=None)\ndef f_K(n): return flow.full((n,), float(n))", "y = y + f_K(x.shape[0])", ["f_K(2).add_(1)", "f_K.cache_clear()"])
part("functions", "a lambda in a dict", "d_K = {'f': lambda y: y * 2}", "y = d_K['f'](y)", ["d_K['f'] = lambda y: y * 3", "d_K = {'f': lambda y: y}"], graph=True)
part("functions", "star arguments", "args_K, kw_K = [2], {'b': 1}\ndef f_K(y, *args, **kw): return y * sum(args) + len(kw)", "y = f_K(y, *args_K, **kw_K)", ["args_K.append(3)", "kw_K['c'] = 1", "args_K[0] = 4"], graph=True)
part("functions", "a generator", "n_K = 3\ndef g_K(y):\n    for i in range(n_K):\n        yield y * (i + 1)", "for v in g_K(y):\n    y = y + v * 0.25", ["n_K = <<1|2>>"], graph=True)
part("functions", "a generator that stops early", "l_K = [1, 2, 3]\nleft_K = []\ndef g_K():\n    try:\n        yield from l_K\n    finally:\n        left_K.append(len(left_K))", "for v in g_K():\n    y = y * v\n    if v == 2:\n        break\n<<pass|y = y * len(left_K)>>", ["l_K.append(4)", "left_K.clear()"])
part("functions", "a generator expression", "l_K = [1, 2]", "y = y * sum(v * 2 for v in l_K <<if v % 2|>>)", ["l_K.append(3)", "l_K[0] = 5"], graph=True)
part("functions", "comprehensions", "l_K, d_K = [1, 2], {'a': 1}", "y = y * <<sum([v + 1 for v in l_K])|len({k: v for k, v in d_K.items() if v})|len({v for v in l_K})|sum([[i * j for i in l_K][-1] for j in l_K])>>", ["l_K.append(<<1|3>>)", "d_K['b'] = 2", "d_K['a'] = 0"], graph=True)
part("functions", "a walrus", "n_K = 2", "if (v_K := n_K * 2) > 3:\n    y = y * v_K", ["n_K = <<1|3>>"], graph=True)
part("functions", "map, filter, zip, enumerate", "l_K, m_K = [1, 2], [3, 4]", "for i, (a, b) in enumerate(zip(l_K, map(lambda v: v - 1, m_K))):\n    y = y * a + b * i", ["l_K.append(5)\nm_K.append(6)", "m_K[0] = 0", "l_K.pop()"], graph=True)
part("functions", "a singledispatch", "@functools.singledispatch\ndef f_K(v, y): return y\n@f_K.register\ndef _(v: int, y): return y * v\nn_K = 2", "y = f_K(n_K, y)", ["n_K = 3", "n_K = 0.5", "f_K.register(int, lambda v, y: y + v)"])
part("functions", "operator and reduce", "l_K = [1, 2]", "y = y * functools.reduce(operator.<<add|mul>>, l_K)", ["l_K.append(3)"], graph=True)
part("functions", "eval and exec", "n_K = 2", "y = y * eval('n_K + 1', {'n_K': n_K})", ["n_K = 3"])
part("functions", "a function that is a value", "def a_K(y): return y * 2\ndef b_K(y): return y + 1\nf_K = a_K", "y = f_K(y)\nif f_K is a_K:\n    y = y - 1", ["f_K = b_K", "f_K = a_K", "a_K = b_K"], graph=True)
part("functions", "an inner coroutine", "n_K = 2\nasync def f_K(y): return y * n_K", "try:\n    f_co = f_K(y)\n    f_co.send(None)\nexcept StopIteration as stop:\n    y = stop.value", ["n_K = 3"])
part("functions", "a decorator of the library", "@flow.<<no_grad()|enable_grad()>>\ndef f_K(y): return y * 2", "y = y + f_K(y)", ["def f_K(y): return y"], graph=True)
part("functions", "a return in finally", "n_K = [0]\ndef f_K(y):\n    for v in (1, 2):\n        try:\n            if v == 2: return y * v\n        finally:\n            n_K[0] += 1\n    return y", "y = f_K(y)\ny = y * n_K[0]", ["n_K[0] = 0"])
part("functions", "short circuits with effects", "l_K, seen_K = [1, 2, 3], []", "if any(seen_K.append(v) or v > 1 for v in l_K):\n    y = y * len(seen_K)", ["l_K.reverse()", "seen_K.clear()"])
part("functions", "itertools", "l_K = [1, 2]", "for a, b in itertools.<<product(l_K, l_K)|zip_longest(l_K, [1], fillvalue=2)|combinations(l_K + [3], 2)|pairwise(l_K)>>:\n    y = y + a * b", ["l_K.append(3)", "l_K[0] = 5"], graph=True)
part("functions", "a step of its own made by a factory", "def make_K(n):\n    total = {'n': n}\n    return lambda y, total=total: (total.update(n=total['n'] + 1), y * total['n'])[1]\nf_K = make_K(0)", "y = f_K(y)", ["f_K = make_K(2)", "f_K.__defaults__[0]['n'] = 0"])
part("functions", "a compose of functions", "fs_K = [lambda y: y * 2, lambda y: y + 1]", "for f in fs_K:\n    y = f(y)", ["fs_K.reverse()", "fs_K.append(lambda y: -y)", "fs_K[0] = lambda y: y * 3"], graph=True)
part("functions", "an iterator class", "class It_K:\n    def __init__(self, n): self.n = n\n    def __iter__(self): return self\n    def __next__(self):\n        if self.n <= 0: raise StopIteration\n        self.n -= 1\n        return self.n\nit_K = It_K(3)", "for v in it_K:\n    y = y + v\n    if v % 2 == 0: break", ["it_K.n = <<3|4>>", "it_K = It_K(2)"])
