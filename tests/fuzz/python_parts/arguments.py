"""Arguments besides the tensor: numbers of every kind, texts, containers that are mutated, objects, further tensors."""

from tests.fuzz.python_parts.grammar import part

NUMBERS = ("2", "3", "2.0", "0.5", "True", "False", "-1", "numpy.float32(2)", "numpy.int64(3)", "numpy.bool_(True)", "2")
part("arguments", "a number", "", "y = y * k_K", argument=NUMBERS)
part("arguments", "an int or float", "", "y = y * k_K", argument=("2", "3", "0.5", "1.5", "-1"), graph=True)
part("arguments", "the kind of a number", "", "also.append(<<flow.full((2,), k_K)|flow.tensor(k_K)|flow.tensor([k_K, 1])|flow.where(x.detach() > 1, k_K, 3)|k_K|k_K + 1|[k_K]|flow.arange(3) * k_K|k_K / 2|round(k_K)|flow.ones(2, dtype=flow.int64) + k_K>>)",
    argument=("7", "2.5", "2", "2.0", "True", "2**24 + 1"))  # fmt: skip
part("arguments", "the type of a number", "", "y = y * 2 if <<type(k_K) is int|isinstance(k_K, float)|isinstance(k_K, bool)|isinstance(k_K, (int, bool))>> else y", argument=("2", "2.0", "True", "3"))
part("arguments", "a number that is compared", "", "y = y * 2 if <<k_K >= 2|k_K == 2|k_K|k_K in (2, 3)|0 < k_K < 3|not k_K|max(k_K, 2) == k_K|k_K % 2 == 0|int(k_K) != 1>> else y", argument=("1", "2", "3", "0", "2.0", "2.5"))
part("arguments", "a number as a size", "", "y = y + flow.ones(<<k_K|(k_K, 2)>>).sum()", argument=("1", "2", "3"), graph=True)
part("arguments", "a number as an index", "", "y = y + x[k_K]", argument=("0", "1", "-1"), graph=True)
part("arguments", "a number that loops", "", "for i_K in range(k_K):\n    y = y + i_K", argument=("1", "2", "3", "0"), graph=True)
part("arguments", "a text", "", "y = y * 2 if k_K == 'double' else y + len(k_K or '')", argument=("'double'", "'none'", "None", "'no'"))
part("arguments", "a tensor, a number or nothing", "", "y = y + k_K if k_K is not None else -y", argument=("flow.ones(2)", "2", "None", "flow.full((2,), 3.0)", "0.5", "x1"))
part("arguments", "a list that the step appends to", "bag_K = []", "k_K.append(<<1|len(k_K)|y.detach()>>)\ny = y * len(k_K)", ["bag_K.clear()", "bag_K.append(0)"], argument=("bag_K", "bag_K", "[]", "[1, 2]"))
part("arguments", "a dict that the step sets", "bag_K = {'n': 1}", "k_K['n'] = <<k_K['n'] + 1|y.detach().sum()>>\nk_K['seen'] = True\ny = y * k_K['n']", ["bag_K['n'] = 5", "bag_K.pop('seen', None)"], argument=("bag_K", "{'n': 2}"))
part("arguments", "a dict that is read", "bag_K = {'n': 2, 't': flow.ones(2)}", "y = y * k_K['n'] + k_K['t']", ["bag_K['n'] = <<3|0.5>>", "bag_K['t'].add_(1)"], argument=("bag_K", "{'n': 2, 't': x1}"), graph=True)
part("arguments", "a list that is read", "bag_K = [2, 3]", "y = y * sum(k_K) + len(k_K)", ["bag_K[0] = 4", "bag_K.append(5)"], argument=("bag_K", "[1]", "(2, 3)"), graph=True)
part("arguments", "an object", "class O_K:\n    def __init__(self, n): self.n = n\no_K = O_K(2)", "y = y * k_K.n\n<<pass|k_K.n += 1>>", ["o_K.n = <<3|4>>"], argument=("o_K", "O_K(5)", "o_K"))
part("arguments", "an object with tensors", "class O_K:\n    def __init__(self, n): self.n, self.t, self.seen = n, flow.ones(2) * n, []\n    def __eq__(self, other): return True\n    @property\n    def both(self): return self.t * self.n\n    def grow(self, by): self.t = self.t + by\no_K, p_K = O_K(2), O_K(3)",
    "y = y + k_K.both\n<<k_K.grow(y.detach())|k_K.t.add_(1)|k_K.seen.append(y.detach())|k_K.n += 1|k_K.t = y.detach()|also.append(k_K)|also.append(k_K.t)|k_K.extra = y.detach() * len(k_K.seen)|k_K.seen = [*k_K.seen, 1]>>\ny = y * (1 + len(k_K.seen))",
    ["o_K.n = <<3|4>>", "o_K.t = flow.zeros(2)", "o_K.t.mul_(2)", "p_K.seen.clear()", "o_K, p_K = p_K, o_K"], argument=("o_K", "o_K", "p_K", "o_K", "O_K(5)"))  # fmt: skip
part("arguments", "a namespace", "import argparse\na_K = argparse.Namespace(n=2, t=flow.ones(2))", "y = y * k_K.n + k_K.t\n<<pass|k_K.n += 1|k_K.t = y.detach()|y = y + ('n' in k_K)>>", ["a_K.n = <<3|0.5>>", "del a_K.t", "a_K.t = flow.zeros(2)"], argument=("a_K", "a_K", "argparse.Namespace(n=1, t=x1)"))
part("arguments", "a function", "n_K = 2\ndef f_K(y): return y * n_K\ndef g_K(y): return y + n_K", "y = k_K(y)", ["n_K = <<3|4>>"], argument=("f_K", "g_K", "lambda y: y - n_K"))
part("arguments", "a module", "m_K = nn.Linear(2, 2)\nm_K.requires_grad_(False)", "y = k_K(y)", ["m_K.weight.mul_(0.5)", "m_K.bias = None"], argument=("m_K", "nn.Identity()"))
part("arguments", "a dtype", "", "y = y + flow.ones(2, dtype=k_K)", argument=("flow.float32", "flow.int64", "flow.float64"))
part("arguments", "an optional keyword", "", "y = y * (2 if k_K is None else k_K)", argument=("None", "3", "0.5", "None"), graph=True)
part("arguments", "a tensor that is written", "t_K = flow.zeros(2)", "k_K.<<add_(1)|mul_(2)|copy_(x.detach())|zero_()>>\ny = y + k_K", ["t_K.zero_()"], argument=("t_K", "flow.ones(2)", "t_K.clone()"))
part("arguments", "a tensor that overlaps the input", "", "k_K.add_(1)\ny = y + x.detach() * 2", argument=("x0.detach()", "flow.ones(2)", "x1.detach()"))
part("arguments", "overlapping tensors", "base_K = flow.arange(3.0)", "k_K[0].add_(1)\ny = y + k_K[1] * 2", ["base_K.zero_()"], argument=("(base_K[:2], base_K[1:])", "(flow.ones(2), flow.ones(2))", "(base_K[1:], base_K[:2])"))
part("arguments", "a tensor that overlaps a closure's", "t_K = flow.ones(2)", "k_K.add_(1)\ny = y + t_K", argument=("t_K", "flow.ones(2)", "t_K[:]"))
part("arguments", "out=", "o_K = flow.zeros(2)", "also.append(flow.add(x.detach(), 1, out=k_K))", ["o_K.zero_()"], argument=("o_K", "flow.zeros(2)", "o_K"))
part("arguments", "an array", "a_K = numpy.ones(2, dtype=numpy.float32)", "y = y + flow.tensor(k_K)", ["a_K[0] = <<3|4>>"], argument=("a_K", "numpy.zeros(2, dtype=numpy.float32)"))
part("arguments", "an enum or a type", "class E_K(enum.Enum):\n    A = 2\n    B = 3", "y = y * (k_K.value if isinstance(k_K, E_K) else 1)", argument=("E_K.A", "E_K.B", "int"))
part("arguments", "a named tuple", "N_K = collections.namedtuple('N_K', 'n t')", "y = y * k_K.n + k_K.t\nalso.append(k_K)", argument=("N_K(2, x1)", "N_K(3, x1)", "N_K(2, flow.ones(2))"))
part("arguments", "a slice", "", "y = y + x.detach()[k_K].sum()", argument=("slice(0, 1)", "slice(1, None)", "Ellipsis"))
part("arguments", "a set", "s_K = {1}", "y = y * len(k_K)", ["s_K.add(5)"], argument=("s_K", "{1, 2}"))
part("arguments", "an odd number", "", "also.append(flow.full((2,), k_K))\ny = y * 2 if k_K > 0 else y", argument=("float('inf')", "float('nan')", "-0.0", "0.0", "2**40", "1"))
part("arguments", "a nested argument", "bag_K = {'a': [{'n': 2}]}", "y = y * k_K['a'][0]['n']\n<<pass|k_K['a'][0]['n'] += 1|k_K['a'].append(1)|k_K['b'] = y.detach()>>", ["bag_K['a'][0]['n'] = 5", "bag_K['a'][1:] = []"], argument=("bag_K", "bag_K", "{'a': [{'n': 3}]}"))
part("arguments", "an iterator", "it_K = iter(range(1, 99))", "y = y * next(k_K)", argument=("it_K", "iter([2, 3])"))
part("arguments", "the same list twice", "l_K = [1]", "k_K[0].append(1)\ny = y * len(k_K[1])", ["l_K[:] = [1]"], argument=("(l_K, l_K)", "(l_K, [1])"))
