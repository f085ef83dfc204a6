// treec in VS Code: the language server, runs of scenarios, pictures of trees, scenarios as tests.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const { scenarioOf, runArguments, reasonOf } = require("./scenarios");

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
  client = new LanguageClient(
    "treec",
    "treec",
    { command: command(), args: ["lsp"] },
    { documentSelector: [{ scheme: "file", pattern: "**/*.*.yaml" }] },
  );
  await client.start();
}

// As a task: its terminal stays when the run has ended.
function runInTerminal(root, args) {
  const task = new vscode.Task(
    { type: "treec", args },
    vscode.TaskScope.Workspace,
    args.slice(1).join(" "),
    "treec",
    new vscode.ProcessExecution(command(), args, { cwd: root }),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true, clear: true };
  return vscode.tasks.executeTask(task);
}

const previews = new Map(); // panels by the library and the tree that they show

async function preview(root, tree) {
  const name = JSON.stringify([root, tree]);
  const before = previews.get(name);
  if (before) {
    before.reveal();
    return;
  }
  const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const view = vscode.window.createWebviewPanel("treec.tree", tree, beside, {});
  previews.set(name, view);
  let last = 0, drawn = "";
  // Draws the tree as its files are now; what is wrong with them is shown above the last picture.
  const draw = async () => {
    const number = ++last;
    const { problem, picture } = await drawTree(root, tree);
    if (number !== last) {
      return; // closed, or saved again, meanwhile
    }
    drawn = picture || drawn;
    const text = problem.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    view.webview.html = `<body style="background:#fff;color:#c4202b"><pre>${text}</pre>${drawn}</body>`;
  };
  const saving = vscode.workspace.onDidSaveTextDocument((file) => /\.yaml$/.test(file.fileName) && draw());
  view.onDidDispose(() => {
    last = -1;
    previews.delete(name);
    saving.dispose();
  });
  await draw();
}

async function drawTree(root, tree) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "treec-"));
  const file = path.join(folder, "tree.svg");
  const args = ["render", tree, "-L", root, "-o", file];
  const problem = await new Promise((resolve) =>
    childProcess.execFile(command(), args, { cwd: root }, (error, out, err) =>
      resolve(error ? (err || out || error.message).trim() : ""),
    ),
  );
  const picture = problem ? "" : fs.readFileSync(file, "utf-8");
  fs.rmSync(folder, { recursive: true });
  return { problem, picture };
}

async function showReferences(uri, position, places) {
  const place = (at) => new vscode.Position(at.line, at.character);
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri),
    place(position),
    places.map(
      (one) =>
        new vscode.Location(
          vscode.Uri.parse(one.uri),
          new vscode.Range(place(one.range.start), place(one.range.end)),
        ),
    ),
  );
}

// Scenarios as tests: each passes if its expectations are met.
function addTests(context) {
  const tests = vscode.tests.createTestController("treec", "treec scenarios");
  const systems = new Map();
  const add = async (uri) => {
    const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf-8");
    const found = scenarioOf(text);
    if (found === null) {
      tests.items.delete(uri.toString());
      return;
    }
    const item = tests.createTestItem(uri.toString(), found.scenario, uri);
    item.description = found.system;
    item.range = new vscode.Range(found.line, 0, found.line, 0);
    systems.set(item.id, found);
    tests.items.add(item);
  };
  const seek = async () => {
    const files = await vscode.workspace.findFiles("**/*.scenario.yaml", "**/{.venv,node_modules}/**");
    await Promise.all(files.map(add));
  };
  tests.resolveHandler = async (item) => (item ? undefined : seek());
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.scenario.yaml");
  watcher.onDidCreate(add);
  watcher.onDidChange(add);
  watcher.onDidDelete((uri) => tests.items.delete(uri.toString()));
  const run = async (request, token) => {
    const done = tests.createTestRun(request);
    const chosen = [...(request.include || [])];
    if (!request.include) {
      await seek();  // the test explorer may not have been open yet
      tests.items.forEach((item) => chosen.push(item));
    }
    for (const item of chosen) {
      if (token.isCancellationRequested) {
        done.skipped(item);
        continue;
      }
      done.started(item);
      await runOne(item, systems.get(item.id), done, token);
    }
    done.end();
  };
  tests.createRunProfile("Run", vscode.TestRunProfileKind.Run, run, true);
  context.subscriptions.push(tests, watcher);
}

function runOne(item, found, done, token) {
  return new Promise((resolve) => {
    const begun = Date.now();
    const args = runArguments(found.system, found.scenario, true);
    const process = childProcess.spawn(command(), args, { cwd: path.dirname(item.uri.fsPath) });
    let output = "";
    const take = (data) => {
      output += data;
      done.appendOutput(data.toString().replace(/\r?\n/g, "\r\n"), undefined, item);
    };
    process.stdout.on("data", take);
    process.stderr.on("data", take);
    const stopping = token.onCancellationRequested(() => process.kill("SIGINT"));
    const end = (passed) => {
      stopping.dispose();
      const took = Date.now() - begun;
      if (passed) {
        done.passed(item, took);
      } else {
        done.failed(item, new vscode.TestMessage(reasonOf(output)), took);
      }
      resolve();
    };
    process.on("error", (error) => {
      output += `${error.message}; the setting 'treec.command' names the treec to start`;
      end(false);
    });
    process.on("close", (status) => end(status === 0));
  });
}

async function activate(context) {
  const register = (name, does) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, does));
  register("treec.restart", async () => {
    await client?.stop();
    await start();
  });
  register("treec.runScenario", (root, system, scenario) =>
    runInTerminal(root, runArguments(system, scenario, false)),
  );
  register("treec.debugScenario", (root, system, scenario) =>
    runInTerminal(root, [...runArguments(system, scenario, false), "--step"]),
  );
  register("treec.previewTree", preview);
  register("treec.showReferences", showReferences);
  addTests(context);
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
