// As much of VS Code's API as the extension uses for tests: runs all scenarios of a library, and prints
// what the test explorer would show. Arguments: the extension's folder, a library, the treec to start.
"use strict";
const fs = require("fs");
const Module = require("module");
const path = require("path");

const [extension, library, treec] = process.argv.slice(2);
const told = {};
let profile;

class Items extends Map {
  add(item) { this.set(item.id, item); }
  forEach(does) { super.forEach((item) => does(item)); }
}
const ignored = new Proxy(function () {}, { get: () => ignored, apply: () => ignored, construct: () => ignored });
const vscode = {
  Range: class {},
  TestMessage: class { constructor(message) { this.message = message; } },
  TestRunProfileKind: { Run: 1 },
  commands: { registerCommand: () => ({}) },
  tests: {
    createTestController: () => ({
      items: new Items(),
      createTestItem: (id, label, uri) => ({ id, label, uri }),
      createRunProfile: (name, kind, run) => { profile = run; },
      createTestRun: () => ({
        started() {}, skipped() {}, appendOutput() {}, end() {},
        passed: (item) => { told[item.label] = "passed"; },
        failed: (item, message) => { told[item.label] = message.message; },
      }),
    }),
  },
  workspace: {
    workspaceFolders: [{ uri: { fsPath: library } }],
    getConfiguration: () => ({ get: () => treec }),
    createFileSystemWatcher: () => ignored,
    fs: { readFile: async (uri) => fs.readFileSync(uri.fsPath) },
    findFiles: async () => fs.readdirSync(library, { recursive: true })
      .filter((file) => file.endsWith(".scenario.yaml"))
      .map((file) => ({ fsPath: path.join(library, file), toString() { return this.fsPath; } })),
  },
};
const doubles = {
  vscode,
  "vscode-languageclient/node": { LanguageClient: class { async start() {} async stop() {} } },
};
const load = Module._load;
Module._load = (name, ...rest) => doubles[name] || load(name, ...rest);

(async () => {
  await require(path.join(extension, "extension.js")).activate({ subscriptions: [] });
  await profile({}, { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) });
  console.log(JSON.stringify(told));
})();
