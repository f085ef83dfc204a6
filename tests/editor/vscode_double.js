// As much of VS Code's API as the extension uses for tests and pictures: runs all scenarios of a library,
// draws two trees, and prints what the test explorer would show, and how often each panel was drawn.
// Arguments: the extension's folder, a library, the treec to start.
"use strict";
const fs = require("fs");
const Module = require("module");
const path = require("path");

const [extension, library, treec] = process.argv.slice(2);
const told = {}, commands = {}, panels = [];
let profile, saved;

class Items extends Map {
  add(item) { this.set(item.id, item); }
  forEach(does) { super.forEach((item) => does(item)); }
}
const ignored = new Proxy(function () {}, { get: () => ignored, apply: () => ignored, construct: () => ignored });
const vscode = {
  Range: class {},
  TestMessage: class { constructor(message) { this.message = message; } },
  TestRunProfileKind: { Run: 1 },
  ViewColumn: {},
  commands: { registerCommand: (name, does) => { commands[name] = does; return {}; } },
  window: {
    createWebviewPanel: () => {
      const panel = { closed: [], pages: [], onDidDispose(does) { this.closed.push(does); } };
      panel.webview = { set html(page) {
        if (!panel.closed.length) throw new Error("Webview is disposed");
        panel.pages.push(page);
      } };
      panel.close = () => panel.closed.splice(0).forEach((does) => does());
      panels.push(panel);
      return panel;
    },
  },
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
    onDidSaveTextDocument: (does) => { saved = does; return { dispose() {} }; },
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
  const drawing = ["dispatcher", "robot_worker"].map((tree) => commands["treec.previewTree"](library, tree));
  panels[0].close();
  await saved({ fileName: "a.yaml" });
  await Promise.all(drawing);
  told.pages = panels.map((panel) => panel.pages.length);
  console.log(JSON.stringify(told));
})();
