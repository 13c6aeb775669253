"""`torch.jit`, beside `flow.jit`."""

from tritonflow.jit import ScriptModule, export, script_if_tracing

_script_if_tracing = script_if_tracing
_overload = _overload_method = export
RecursiveScriptModule = TracedModule = TopLevelTracedModule = ScriptModule
