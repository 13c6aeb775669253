"""The CPU that code is made for."""

from __future__ import annotations

import functools
import os
import platform
from dataclasses import dataclass

import llvmlite.binding as llvm

from .errors import CompileError

# Names for `cpu=` and TRITONFLOW_CPU_TARGET; any name that LLVM knows works as well.
_LEVELS = {"baseline": "x86-64", "avx2": "x86-64-v3", "avx512": "x86-64-v4"}
_LEVEL_FEATURES = {"x86-64-v3": ("avx2", "fma", "f16c"), "x86-64-v4": ("avx512f", "avx512bw", "avx512vl", "avx512dq")}


@dataclass(frozen=True, slots=True)
class Target:
    triple: str
    cpu: str
    features: str
    native_f16: bool
    avx512: bool

    @property
    def key(self) -> str:
        return f"{self.triple}|{self.cpu}|{self.features}"


def resolve(cpu: str | None = None) -> Target:
    """`cpu`, or else the environment's TRITONFLOW_CPU_TARGET, or else the host as it describes itself."""
    return _resolve(cpu or os.environ.get("TRITONFLOW_CPU_TARGET") or "host")


@functools.cache
def _resolve(cpu: str) -> Target:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    has = _host_features()
    if cpu == "host":
        features = llvm.get_host_cpu_features().flatten()
        return Target(triple, llvm.get_host_cpu_name(), features, _native_f16(has.get), bool(has.get("avx512bw")))
    name = _LEVELS.get(cpu, cpu)
    missing = [f for f in _LEVEL_FEATURES.get(name, ()) if not has.get(f)]
    if missing:
        raise CompileError(f"this CPU ({llvm.get_host_cpu_name()}) is no {name}: it lacks {', '.join(missing)}")
    return Target(triple, name, "", name in ("x86-64-v3", "x86-64-v4"), name == "x86-64-v4")


@functools.cache
def _host_features() -> dict[str, bool]:
    return dict(llvm.get_host_cpu_features())


def _native_f16(has) -> bool:  # type: ignore[no-untyped-def]
    return platform.machine() in ("aarch64", "arm64") or bool(has("f16c"))
