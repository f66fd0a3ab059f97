"""A small editor for tests: it speaks to `referee lsp` over pipes, one message after the other."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Refused(AssertionError):
    """A request that was answered by an error, with its code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Editor:
    """One server, and what it said. `patience`: seconds after which a message that does not come is missed; none of the
    tests takes so long by itself."""

    patience = 60.0

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self._number = 0
        self._versions: dict[str, int] = {}
        self.published: dict[str, list[dict[str, Any]]] = {}
        self.messages: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        out = self._process.stdout
        while line := out.readline():
            length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else 0
            while out.readline().strip():
                pass
            self._heard.put(json.loads(out.read(length)))

    def raw(self, data: bytes) -> None:
        """Sends bytes as one message."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def send(self, method: str, params: object, **more: object) -> None:
        """Sends a notification, or with an `id` a request."""
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode())

    def ask(self, method: str, params: object) -> Any:
        """The answer to a request. Raises `Refused` for an error."""
        self._number += 1
        self.send(method, params, id=self._number)
        while True:
            one = self._next()
            if one.get("id") == self._number and "method" not in one:
                if "error" in one:
                    raise Refused(one["error"]["code"], one["error"]["message"])
                return one["result"]

    def _next(self) -> dict[str, Any]:
        one = self._heard.get(timeout=self.patience)
        if one.get("method") == "textDocument/publishDiagnostics":
            self.published[one["params"]["uri"]] = one["params"]["diagnostics"]
        elif one.get("method") in ("window/logMessage", "window/showMessage"):
            self.messages.append(one["params"]["message"])
        elif "method" in one and "id" in one:  # the server asks for something
            self.raw(json.dumps({"jsonrpc": "2.0", "id": one["id"], "result": None}).encode())
        return one

    def until(self, method: str) -> dict[str, Any]:
        """The next message of this kind."""
        while (one := self._next()).get("method") != method:
            pass
        found: dict[str, Any] = one.get("params") or {}
        return found

    def codes(self, path: Path) -> list[str]:
        """The codes published next of a file."""
        while self.until("textDocument/publishDiagnostics")["uri"] != path.as_uri():
            pass
        return [one["code"] for one in self.published[path.as_uri()]]

    def until_codes(self, path: Path, wanted: Sequence[str]) -> None:
        """Waits until just these codes are published of a file."""
        while self.codes(path) != list(wanted):
            pass

    # ------------------------------------------------------------------ texts
    def open(self, path: Path, text: str | None = None) -> str:
        """Opens a file; the name by which it is open."""
        text = path.read_text("utf-8") if text is None else text
        self._versions[path.as_uri()] = 1
        self.send("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": "referee", "version": 1, "text": text}})
        return path.as_uri()

    def change(self, path: Path, *changes: Mapping[str, object]) -> None:
        """Changes an open file."""
        self._versions[path.as_uri()] += 1
        self.send("textDocument/didChange", {"contentChanges": list(changes), "textDocument": {
            "uri": path.as_uri(), "version": self._versions[path.as_uri()]}})

    def at(self, path: Path, line: int, character: int, **more: object) -> dict[str, object]:
        """A place in a file, from 0, as requests name it."""
        return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}, **more}


@contextmanager
def editing(folder: Path, **capabilities: object) -> Iterator[Editor]:
    """An editor in a folder, with its server."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    process = subprocess.Popen([sys.executable, "-m", "referee", "lsp"], stdin=subprocess.PIPE, cwd=folder,
                               stdout=subprocess.PIPE, env=environment)
    try:
        editor = Editor(process)
        editor.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities})
        editor.send("initialized", {})
        yield editor
        editor.ask("shutdown", None)
        editor.send("exit", None)
        assert process.wait(editor.patience) == 0
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
