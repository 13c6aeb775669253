"""Functions with variables of an enclosing function: numbers, containers and tensors in cells."""

from tests.fuzz.python_parts.grammar import part

part("closures", "a counter", """
    def make_K():
        n = 0
        def f(y):
            nonlocal n
            n += 1
            return y * n
        def reset():
            nonlocal n
            n = 0
        return f, reset
    f_K, reset_K = make_K()
    """, "y = f_K(y)", ["reset_K()", "f_K.__closure__[0].cell_contents = <<5|2.5>>", "f_K, reset_K = make_K()"])
part("closures", "a counter in a dict", """
    def make_K():
        n = {"n": 0}
        def f(y):
            n["n"] += 1
            return y * n["n"]
        return f, n
    f_K, n_K = make_K()
    """, "y = f_K(y)", ["n_K['n'] = <<0|7>>"])
part("closures", "a hidden state", """
    def make_K():
        h = flow.zeros(2)
        def f(y):
            nonlocal h
            h = h * 0.5 + y.detach()
            return y + h
        return f
    f_K = make_K()
    """, "y = f_K(y)", ["f_K.__closure__[0].cell_contents = flow.ones(2)", "f_K.__closure__[0].cell_contents.zero_()"])
part("closures", "a tensor written in place", """
    def make_K():
        b = flow.zeros(2)
        def f(y):
            b.add_(y.detach())
            return <<y + b|y * 1>>, b
        return f, b
    f_K, b_K = make_K()
    """, "y, b_now_K = f_K(y)\nalso.append(b_now_K)", ["b_K.zero_()"])
part("closures", "a factor", """
    def make_K(n):
        return (lambda y: y * n), lambda v: None
    f_K = make_K(<<2|0.5>>)[0]
    """, "y = f_K(y)", ["f_K = make_K(<<3|4>>)[0]", "f_K.__closure__[0].cell_contents = <<5|True>>"], graph=True)
part("closures", "late binding in a loop", "fs_K = [lambda y: y * i for i in range(3)]", "y = fs_K[<<0|1|2>>](y)", ["fs_K = [lambda y, i=i: y * i for i in range(3)]"])
part("closures", "closures that share a cell", """
    def make_K():
        total = 1
        def add():
            nonlocal total
            total += 1
        def read(y):
            return y * total
        return add, read
    add_K, read_K = make_K()
    """, "add_K()\ny = read_K(y)", ["add_K()"])
part("closures", "two levels", """
    def outer_K():
        a = 1
        def middle():
            def inner(y):
                nonlocal a
                a = a + 1 if a < 3 else 1
                return y * a
            return inner
        return middle()
    f_K = outer_K()
    """, "y = f_K(y)", ["f_K = outer_K()"])
part("closures", "an own closure made in each call", "n_K = 2", """
    def f_K(v):
        return v * n_K
    y = f_K(y)
    """, ["n_K = <<3|0.5>>"], graph=True)
part("closures", "a recursive function", "depth_K = 2", """
    def down_K(v, n):
        return v if n == 0 else down_K(v * 2, n - 1)
    y = down_K(y, depth_K)
    """, ["depth_K = <<1|3|0>>"], graph=True)
part("closures", "a list that grows", """
    def make_K():
        seen = []
        def f(y):
            seen.append(<<y.detach()|len(seen)|y.shape[0]>>)
            return y * len(seen)
        return f, seen
    f_K, seen_K = make_K()
    """, "y = f_K(y)", ["seen_K.clear()", "seen_K.append(1)"])
part("closures", "an attribute of the function", """
    def f_K(y):
        f_K.calls = getattr(f_K, 'calls', 0) + 1
        return y * f_K.calls
    """, "y = f_K(y)", ["f_K.calls = 10", "del f_K.calls"])
