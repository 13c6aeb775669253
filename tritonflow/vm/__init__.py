"""The virtual machine: what touches tensor memory is an instruction with operands, and the VM owns their order.

Two instructions are ordered if they are on one stream, or if one writes what the other reads or writes. All others may overlap.
`dependence` records who uses a block, `engine` decides what may run, `worker` and `machine` run it. Callers use `machine`.
"""
