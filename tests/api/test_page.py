"""The programs in the README and in spec/api.md run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "spec/api.md"])
def test_programs_run_as_they_stand(page: str) -> None:
    programs = PROGRAM.findall((ROOT / page).read_text("utf-8"))
    assert programs
    for program in programs:
        ran = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent / "rules", capture_output=True,
                             text=True)
        assert ran.returncode == 0, ran.stderr
