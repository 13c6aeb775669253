"""Situations: small programs of which flow.compile has to give eager mode's results.

Torch's tests of Dynamo and AOTAutograd are a list of what users' Python does around tensors: a counter that moves, a list that the
function appends to, a hook that is added between two calls, an output that is a view of an input. Each function here that is
marked with `@situation(file)` stands for one such situation, or a few that are alike; `file` is torch's file that has it. What is
tested carries over; the programs are our own. A file of this folder is a theme:

    functions.py        calls, arguments, defaults, partials, lambdas
    containers.py       lists, dicts, sets, tuples, deques, as arguments, results and states
    classes.py          objects, attributes, properties, special methods, metaclasses
    closures.py         variables of enclosing functions, and global variables
    control_flow.py     branches, loops, comprehensions, exceptions
    generators.py       generators, iterators
    contexts.py         context managers; grad modes, autocast, random numbers
    modules.py          nn.Module: attributes, containers, buffers, state
    hooks.py            hooks of tensors and modules
    optimizers.py       optimizers, schedulers, whole training steps
    autograd_functions.py  autograd.Function, gradients inside and outside, transforms of functions
    aliases.py          in-place ops, views, and memory that two tensors share
    arguments.py        numbers, shapes and dtypes of arguments, NumPy arrays
    standard_library.py strings, builtins, itertools, functools, operator, math, enum, dataclasses, inspect
    surroundings.py     the environment, threads, modes, containers of libraries, caches, weak references, modules of Python
    nesting.py          compiled functions in one another, decorators, methods, threads, copies

A situation gets `wrap`, which is the identity or `flow.compile`. It makes everything that it needs, does its calls, and returns all
that can be seen of them. `compare.py` compares the two: values, dtypes, Python types, requires_grad, which tensors share memory,
and which objects are the same. The functions inside have no annotations, as users write them. `left_out.py` counts the tests of torch
that have no situation here, by reason.

`python -m tests.graph.situations` prints the tables.
"""
