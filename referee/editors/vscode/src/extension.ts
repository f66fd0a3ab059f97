// The extension: starts the language server for rules and logs, and opens a terminal for a game.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

import { inShell, isWords } from "./shell";

let client: LanguageClient | undefined;

/** Starts the server; it ends with the editor. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(vscode.commands.registerCommand("referee.restart", restart));
  await start();
}

/** Ends the server. */
export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const words = vscode.workspace.getConfiguration("referee").get<unknown>("command");
  if (!isWords(words)) {
    void vscode.window.showErrorMessage("referee.command is a list of words, the first the program to start.");
    return;
  }
  const [command, ...args] = words;
  const server: ServerOptions = { command, args };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "referee" },
      { scheme: "file", pattern: "**/*.jsonl" },
      { scheme: "file", pattern: "**/statements.toml" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rules,toml,jsonl}") },
    middleware: {
      executeCommand: async (name, given, next) => {
        const answer: unknown = await next(name, given);
        if (name === "referee.playFrom" && isWords(answer)) {
          play(answer);
        }
        return answer;
      },
    },
  };
  const made = new LanguageClient("referee", "Referee", server, options);
  try {
    await made.start();
    client = made;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `The language server cannot be started (${words.join(" ")}): ${why}. It comes with: pip install 'referee[lsp]'`,
    );
  }
}

/** Opens a terminal in which a game goes on. */
function play(words: readonly string[]): void {
  const terminal = vscode.window.createTerminal("Referee");
  terminal.show();
  terminal.sendText(inShell(words, process.platform === "win32"));
}
