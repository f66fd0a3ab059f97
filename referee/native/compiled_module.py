"""Machine code of a flow in memory: compiled from its module, with its functions ready to be called."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import binding

from referee.core.flow import Flow
from referee.game.state import Layout
from referee.native.memory_layout import MemoryLayout
from referee.native.program_ir import Key, ProgramIr
from referee.native.value_forms import NotNative

MOST_TEXT = 60_000_000
"""A module of more characters is not compiled."""
_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_PROTOTYPES = {
    "step": (_WORD, (_POINTER, _POINTER, _WORD, _WORD, _WORD, _POINTER, _WORD)),
    "play": (_WORD, (_POINTER, _POINTER, _WORD, _POINTER, _WORD, _POINTER, _POINTER)),
    "go": (_WORD, (_POINTER, _POINTER, _WORD, _WORD)),
}


class CompiledModule:
    """The functions of a flow. `keys`, `widths`: as in `ProgramIr`; `left`: the functions that machine code is not made
    of, and why not. Raises `NotNative` for a flow that is too large."""

    def __init__(self, flow: Flow, layout: Layout, *, level: int = 2) -> None:
        self.memory = MemoryLayout(layout)
        program = ProgramIr(flow, layout, self.memory)
        program.write()
        self.keys: dict[Key, int] = program.keys
        self.widths = program.widths
        self.left = program.left
        text = str(program.module)
        if len(text) > MOST_TEXT:
            raise NotNative("a flow that large")
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        module = binding.parse_assembly(text)
        module.verify()
        machine = binding.Target.from_default_triple().create_target_machine(opt=level)
        builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=level))
        builder.getModulePassManager().run(module, builder)
        self._engine = binding.create_mcjit_compiler(module, machine)  # what keeps the code in memory
        self._engine.finalize_object()
        self.functions: dict[str, Any] = {}
        for name, (back, kinds) in _PROTOTYPES.items():
            self.functions[name] = ctypes.CFUNCTYPE(back, *kinds)(self._engine.get_function_address(name))
