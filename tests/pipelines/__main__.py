"""Reports against the schemas that others have published: `python -m tests.pipelines`. It takes a minute.

SARIF (`judge`, `review`) against the JSON schema of SARIF 2.1.0, which the package @microsoft/jest-sarif (npm) carries;
JUnit (`judge`, `pytest --referee --junit-xml`) against `junit-10.xsd` of the Jenkins plugin xUnit, which the sources of
pytest (PyPI) carry, read by xmlschema (PyPI). All of it comes into a folder that is gone afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from jsonschema.validators import validator_for

from tests.pipelines.reported import LOGS, reviewed, written

Wrong = Callable[[Path], list[str]]
"""What a schema refuses in a file."""


def sarif_schema(folder: Path) -> Wrong:
    """Compares with the published schema of SARIF."""
    package = "@microsoft/jest-sarif"
    subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", str(folder), package], check=True)
    found, = (folder / "node_modules" / package).glob("lib/schemas/sarif-2.1.0*.json")
    schema = json.loads(found.read_text("utf-8"))
    kind = validator_for(schema)
    kind.check_schema(schema)
    reader = kind(schema, format_checker=kind.FORMAT_CHECKER)
    return lambda file: [one.message for one in reader.iter_errors(json.loads(file.read_text("utf-8")))]


def junit_schema(folder: Path) -> Wrong:
    """Compares with the schema that Jenkins' plugin xUnit has of JUnit's XML."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    sources = [f"pytest=={pytest.__version__}", "--no-deps", "--no-binary", "pytest", "--dest", str(folder)]
    subprocess.run([*pip, "download", *sources], check=True)
    subprocess.run([*pip, "install", "--target", folder / "xml", "xmlschema"], check=True)
    packed, = folder.glob("pytest-*.tar.gz")
    with tarfile.open(packed) as archive:
        name, = (one for one in archive.getnames() if one.endswith("/junit-10.xsd"))
        held = archive.extractfile(name)
        assert held is not None
        (folder / "junit-10.xsd").write_bytes(held.read())
    told = ("import sys, xmlschema\nfor one in xmlschema.XMLSchema(sys.argv[1]).iter_errors(sys.argv[2]):"
            " print(one.path, one.reason)")
    environment = {**os.environ, "PYTHONPATH": str(folder / "xml")}

    def wrong(file: Path) -> list[str]:
        done = subprocess.run([sys.executable, "-c", told, folder / "junit-10.xsd", file], env=environment, check=True,
                              capture_output=True, text=True)
        return done.stdout.splitlines()

    return wrong


def reports(folder: Path) -> Iterator[tuple[str, Path]]:
    """Writes reports: which form each is of, and where it lies."""
    judge, review = written(folder), reviewed(folder)
    expected = {name: {"verdict": "legal so far"} for name in LOGS if "<" not in name} | {"none.jsonl": {"line": 1}}
    (folder / "expected.json").write_text(json.dumps(expected), "utf-8")
    for form, words in (("sarif", judge), ("sarif", review), ("junit", judge)):
        out = folder / f"{words[0]}.{form}"
        with out.open("w", encoding="utf-8") as told:
            subprocess.run([sys.executable, "-m", "referee", *words, "--format", form], stdout=told, check=False)
        yield form, out
    out = folder / "pytest.junit"
    subprocess.run([sys.executable, "-m", "pytest", "-q", "--referee", "--junit-xml", out, "."], check=False,
                   stdout=subprocess.DEVNULL)
    yield "junit", out


def main() -> int:
    """Says of each report what its schema refuses."""
    root, bad = Path(__file__).parents[2], 0
    os.environ["PYTHONPATH"] = str(root)
    with TemporaryDirectory() as scratch, chdir(scratch):
        folder = Path(scratch)
        schemas = {"sarif": sarif_schema(folder / "npm"), "junit": junit_schema(folder / "pypi")}
        (folder / "logs").mkdir()
        with chdir(folder / "logs"):
            for form, file in reports(folder / "logs"):
                wrong = schemas[form](file)
                bad += bool(wrong)
                print(f"{file.name}: {file.stat().st_size:,} bytes, {'; '.join(wrong) or 'as its schema says'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
