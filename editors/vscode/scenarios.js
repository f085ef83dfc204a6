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

module.exports = { scenarioOf, runArguments };
