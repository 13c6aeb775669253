"""Triton source: every number tritonflow computes is computed here. This room imports only triton.

Conventions of all kernels:

- *Words*: a *program* is Triton's, one index of the grid. A *tile* is the block of elements that a program works on.
- *Arguments*: input pointers, output pointers, workspaces, the error word, run-time scalars, then sizes and
  strides, then constexprs. A plan freezes everything behind the pointers and scalars.
- *Integers*: sizes and strides are 32 bit where every offset fits, 64 bit otherwise. Program ids are promoted to
  the type of the sizes, so one source serves both. Strides that are exactly 0 or 1 arrive as constexprs.
- *Arithmetic*: float32 for half types, float64 for float64, integers in their own type; loads cast up, stores
  cast down (`functions.memory`). Sums of integers are made in int64.
- *Order*: a block size that changes the order of a reduction depends on nothing but the shape class
  and the facts of the device. No float atomics.
- *Indices*: a bad index is masked and stores 1 to the error word; nothing is read or written out of bounds.
- `config(facts, ...)` beside a kernel gives its launch configuration for a device of these facts (`facts.DeviceFacts`).
"""
