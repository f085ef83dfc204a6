// Starts `treec lsp` for the YAML files of a workspace that has a treec.toml.
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  const set = vscode.workspace.getConfiguration("treec").get("command");
  if (set) {
    return set;
  }
  for (const folder of vscode.workspace.workspaceFolders || []) {
    for (const below of [".venv/bin/treec", ".venv/Scripts/treec.exe"]) {
      const file = path.join(folder.uri.fsPath, below);
      if (fs.existsSync(file)) {
        return file;
      }
    }
  }
  return "treec";
}

async function start() {
  const files = vscode.workspace.createFileSystemWatcher("**/{treec.toml,*.yaml,*.py,*.json}");
  client = new LanguageClient(
    "treec",
    "treec",
    { command: command(), args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", pattern: "**/*.*.yaml" }],
      synchronize: { fileEvents: files },
    },
  );
  await client.start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("treec.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
