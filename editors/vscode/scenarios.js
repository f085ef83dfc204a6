// What the extension reads of a scenario's file, and how it is run. Knows nothing of VS Code.
"use strict";

function scenarioOf(text) {
  const lines = text.split(/\r?\n/);
  const value = (key) => {
    const line = lines.findIndex((one) => one.startsWith(`${key}:`));
    const match = line < 0 ? null : /^\w+:\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(lines[line]);
    return match ? { line, text: (match[1] ?? match[2] ?? match[3]).trim() } : null;
  };
  const scenario = value("scenario");
  const system = value("system");
  if (!scenario?.text || !system?.text) {
    return null;
  }
  return { scenario: scenario.text, system: system.text, line: scenario.line };
}

function runArguments(system, scenario, fast) {
  const chosen = scenario ? ["--scenario", scenario] : [];
  return ["run", system, ...chosen, ...(fast ? ["--fast"] : [])];
}

// Why a run was not as expected: its last words, with the expectation in the first line, which is what
// an editor shows beside the scenario.
function reasonOf(output) {
  const [head, ...rest] = output.trim().split(/\n\s*\n/).pop().split(/\r?\n/);
  const expected = rest.map((line) => /^\s+expected\s+(.*)$/.exec(line)).find(Boolean);
  return [expected ? `${head}: ${expected[1]}` : head, ...rest].join("\n");
}

module.exports = { scenarioOf, runArguments, reasonOf };
