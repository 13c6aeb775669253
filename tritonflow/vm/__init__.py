"""The virtual machine: what touches tensor memory is an instruction with operands, and the VM owns their order.

Two instructions are ordered if and only if they are on one stream, or one writes what the other reads or writes.
`dependence` knows who uses a block, `engine` decides what may run, `worker` and `machine` run it. Callers use
`machine`.
"""
