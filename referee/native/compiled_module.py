"""Machine code of a flow in memory: written and compiled, or taken from the cache folder, with its functions.

What is kept there is sealed and lies in a folder of the user's own (`referee.system.disk_cache`); it is found by the
flow, this program, the library that compiles, and the processor.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
from llvmlite import binding

from referee.core.flow import Flow
from referee.game.state import Layout
from referee.native.memory_layout import MemoryLayout
from referee.native.program_ir import ProgramIr
from referee.native.value_forms import NotNative
from referee.native.ways.event_kinds import Said
from referee.system import disk_cache, frozen_pickles

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_TEXT = 40_000_000
"""A module of more characters is not compiled: that would take minutes."""
MOST_REWORKED = 1_200_000
"""A module of more characters is reworked by the few passes that bring most: all of them take four times as long."""
DEEPEST = 20_000
"""Calls within each other that Python allows while a module is written: expressions may be nested deeply."""
BEGIN, JUDGE, PLAY, GAMES = "begin", "judge", "play", "games"
TEXT, LEARN = "text", "learn"
FOR_JUDGES = (BEGIN, JUDGE, TEXT, LEARN)
SEARCH, KEEP, SEAT, COUNT = "search", "keep", "seat", "count"
FOR_COUNTS = (COUNT,)
_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_PROTOTYPES = {
    BEGIN: (_WORD, (_POINTER, _POINTER, _WORD)),
    JUDGE: (_WORD, (_POINTER, _POINTER, _WORD, _POINTER, _WORD, _POINTER, _POINTER, _WORD, _POINTER, ctypes.c_char_p,
                    _WORD)),
    TEXT: (_WORD, (_POINTER, _POINTER, _POINTER, ctypes.c_char_p, _WORD, _WORD)),
    LEARN: (_WORD, (_POINTER, _POINTER, _POINTER, ctypes.c_char_p, _WORD, _WORD)),
    PLAY: (_WORD, (_POINTER, _POINTER, _WORD, _POINTER, _WORD, _POINTER, _POINTER, _POINTER, _WORD)),
    GAMES: (_WORD, (_POINTER, _POINTER, _WORD, _POINTER, _POINTER, _WORD, _WORD, _POINTER, _POINTER)),
    SEARCH: (_WORD, (_POINTER, _POINTER, _POINTER)),
    KEEP: (_WORD, (_POINTER, _POINTER, _POINTER, _WORD)),
    SEAT: (_WORD, (_POINTER, _POINTER, _POINTER)),
    COUNT: (_WORD, (_POINTER, _POINTER, _WORD, _WORD, _WORD, _POINTER, _POINTER)),
}


class CompiledModule:
    """Some functions of a flow, which are asked for by their names. `kinds`: the kinds of events by their numbers, and
    the widths of their arguments, as in `ProgramIr`; `left`: the functions that machine code is not made of, and why
    not; `lost`: nothing could be kept of it. Raises `NotNative` for a flow that is too large."""

    def __init__(self, flow: Flow, layout: Layout, asked: Sequence[str]) -> None:
        self.memory = MemoryLayout(layout)
        key = _key(flow, asked)
        found, self.lost = None if key is None else _read(key), False
        if found is None:
            program = _written(flow, layout, self.memory, asked)
            code = _compiled(program)
            names, object_file = _names_of(program), _object_file(code)
            if key is not None:
                head = json.dumps({"key": key, **names}).encode()
                self.lost = not disk_cache.write(key, head + b"\n" + code) and disk_cache.is_wanted()
        else:
            names, object_file = found
        self.kinds: dict[Said, tuple[int, list[int]]] = {
            (tuple(words), tuple(several)): (number, widths)
            for number, (words, several, widths) in enumerate(names["kinds"])}
        self.left: dict[str, str] = dict(names["left"])
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())  # keeps the code in memory
        self._engine.add_object_file(object_file)
        self._engine.finalize_object()
        self.functions: Mapping[str, Any] = {
            name: ctypes.CFUNCTYPE(back, *kinds)(self._engine.get_function_address(name))
            for name, (back, kinds) in _PROTOTYPES.items() if name in asked}


def _written(flow: Flow, layout: Layout, memory: MemoryLayout, asked: Sequence[str]) -> ProgramIr:
    """The module of a flow, in the words of the library."""
    program = ProgramIr(flow, layout, memory)
    with _deep():
        program.write(asked)
    return program


@contextmanager
def _deep() -> Iterator[None]:
    """Inside, expressions may be nested deeply."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _compiled(program: ProgramIr) -> bytes:
    """Object code of a module."""
    text = str(program.module)
    if len(text) > MOST_TEXT:
        raise NotNative("a flow that large")
    module = binding.parse_assembly(text)
    module.verify()
    machine = _machine()
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False  # loops are short
    builder = binding.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if len(text) > MOST_REWORKED:
        passes = binding.create_new_module_pass_manager()
        for add in (passes.add_sroa_pass, passes.add_simplify_cfg_pass, passes.add_instruction_combine_pass,
                    passes.add_new_gvn_pass, passes.add_simplify_cfg_pass):
            add()
    passes.run(module, builder)
    made: bytes = machine.emit_object(module)
    return made


def _names_of(program: ProgramIr) -> dict[str, Any]:
    return {"kinds": [[list(words), list(several), widths] for (words, several), widths in program.keys.items()],
            "left": sorted(program.left.items())}


def kept(flow: Flow, asked: Sequence[str]) -> bool:
    """Whether object code of these functions of a flow is kept, so that it need not be compiled."""
    key = _key(flow, asked)
    return key is not None and _read(key) is not None


def _read(key: str) -> tuple[dict[str, Any], Any] | None:
    """What is kept under a key; None if that is nothing, or something else than was kept under it."""
    names, _, code = (disk_cache.read(key) or b"").partition(b"\n")
    try:
        found = json.loads(names)
        return (found, _object_file(code)) if isinstance(found, dict) and found.get("key") == key else None
    except (ValueError, RuntimeError):
        return None


def _object_file(code: bytes) -> Any:
    return binding.object_file.ObjectFileRef.from_data(code)


def _machine() -> Any:
    """A description of this processor: whoever compiles for it or keeps code in memory needs one of his own."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=2)


@lru_cache(maxsize=1)
def _writer() -> str:
    """The bytes of what writes machine code, and what compiles it for which processor."""
    here = Path(__file__).parent
    rooms = (here, *(here.parent / room for room in ("codegen", "core", "game", "interpreter")))
    texts = [path.read_bytes() for room in rooms for path in sorted(room.rglob("*.py"))]
    return disk_cache.key_of(llvmlite.__version__, str(binding.llvm_version_info), binding.get_host_cpu_name(),
                             binding.get_host_cpu_features().flatten(), *texts)


def _key(flow: Flow, asked: Sequence[str]) -> str | None:
    """Under which the object code of a flow is kept; None for one that is nested too deeply to be told from others."""
    core = flow.core
    try:
        told = frozen_pickles.dumps((flow.nodes, flow.start, dict(flow.vars), dict(core.zones), dict(core.tables),
                                     dict(core.domains), core.components, core.invariants, core.seats))
    except RecursionError:
        return None
    return disk_cache.key_of("native", _writer(), *asked, told)
