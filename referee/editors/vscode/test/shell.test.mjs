// What is sent to a terminal is one line, and each word stays one.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { buildSync } from "esbuild";

const built = buildSync({ entryPoints: ["src/shell.ts"], write: false, format: "esm", bundle: true });
const { inShell, isWords } = await import(
  `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`
);

test("each word comes to the program as it is", () => {
  const words = ["printf", "%s\\n", "a b", "it's", '"x"; rm -rf $HOME `ls`', "plain"];
  const said = execFileSync("sh", ["-c", inShell(words, false)], { encoding: "utf-8" });
  assert.deepStrictEqual(said.split("\n").slice(0, -1), words.slice(2));
});

test("a line end ends no line of a terminal", () => {
  assert.ok(!inShell(["echo", "a\nrm x"], false).includes("\n"));
  assert.ok(!inShell(["echo", "a\r\nrm x"], true).includes("\n"));
});

test("what is no list of words is none", () => {
  assert.ok(isWords(["referee"]));
  for (const other of [[], "referee", [1], null, undefined, {}]) {
    assert.ok(!isWords(other));
  }
});
