// The page of runs. All that comes from a run is set as text, never as markup.
const part = id => document.getElementById(id);
const run = part("run"), slider = part("moment"), clock = part("clock"), follow = part("follow");
const marks = {RUNNING: "●", SUCCESS: "✓", FAILURE: "✗", INVALID: "·"};
let ticks = [], wanted = 0, folded = new Set();

function make(tag, text = "", css = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (css) made.className = css;
  return made;
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function tell(error) { part("message").textContent = error ? error.message : ""; }

// The address names the run and the tick: #run=NAME&tick=14
function address() { return new URLSearchParams(location.hash.slice(1)); }
function remember() {
  const now = new URLSearchParams({run: run.value, tick: slider.value});
  history.replaceState(null, "", `#${now}`);
}

async function list() {
  const found = await ask("runs");
  const chosen = address().get("run") || run.value || (found[0] && found[0].run);
  run.replaceChildren(...found.map(one => {
    const option = make("option", `${one.run} (${one.words})`);
    option.value = one.run;
    return option;
  }));
  if (found.some(one => one.run === chosen)) run.value = chosen;
  if (!found.length) tell(new Error("There are no runs in this folder yet."));
}

async function open(tick) {
  if (!run.value) return;
  const about = await ask(`runs/${encodeURIComponent(run.value)}`);
  ticks = about.ticks;
  slider.max = ticks.length;
  slider.value = tick === null ? ticks.length : tick;
  follow.disabled = about.state !== "running";
  await show();
}

async function show() {
  const mine = ++wanted, tick = Number(slider.value);
  const last = tick >= ticks.length;
  const moment = last ? "end" : `#${tick}`;
  const data = await ask(`runs/${encodeURIComponent(run.value)}/at?moment=${encodeURIComponent(moment)}`);
  if (mine !== wanted) return;  // a later moment was asked for
  clock.textContent = `${data.t.toFixed(1)} s, tick ${data.tick} of ${ticks.length}`;
  slider.setAttribute("aria-valuetext", clock.textContent);
  draw(data);
  remember();
}

function draw(data) {
  part("talk").replaceChildren(...data.talk.map(said => {
    const line = make("li");
    line.append(make("strong", `${said.who}: `), make("span", said.text),
      make("span", ` ${said.t.toFixed(1)} s`, "quiet"));
    return line;
  }));
  tree(data.nodes);
  part("agents").replaceChildren(...Object.entries(data.agents).map(([name, agent]) => {
    const line = make("div", "", "row");
    const doing = agent.steps.join(", ") || agent.subtask || "nothing";
    line.append(make("strong", `${name}: `), make("span", doing, agent.stopped ? "FAILURE" : ""),
      make("div", agent.queue.length ? `queue: ${agent.queue.join(", ")}` : "", "quiet"));
    return line;
  }));
  part("subtasks").replaceChildren(make("div", data.recipe, "row"), ...data.subtasks.map(one => {
    const how = one.ready ? "ready" : one.status;
    const line = make("div", "", "row");
    line.append(make("span", `${how} `, how), make("span", one.words),
      make("span", [one.agent, one.reason].filter(Boolean).map(text => ` · ${text}`).join(""), "quiet"));
    return line;
  }));
  part("decisions").replaceChildren(...data.decisions.map(one => {
    const line = make("li");
    line.append(make("div", `${one.t.toFixed(1)} s  ${one.node}`, "quiet"));
    if (one.choose) line.append(make("strong", `→ ${one.choose}`));
    line.append(make("span", ` by ${one.by || "?"}`, "quiet"));
    if (one.reasoning) line.append(make("div", one.reasoning));
    if (one.answer) line.append(make("pre", one.answer));
    if (one.problem) line.append(make("div", one.problem, "FAILURE"));
    return line;
  }));
  part("facts").replaceChildren(...data.facts.map(one =>
    make("div", `${one.fact}(${one.args.join(", ")}) = ${JSON.stringify(one.value)}`, "row")));
}

function tree(nodes) {
  const top = make("ul"), lists = [top];
  nodes.forEach((node, number) => {
    lists.length = node.depth + 1;
    const words = `${marks[node.status] || "·"} ${node.path.split("/").pop()}`;
    const label = make("span", words, node.status);
    label.title = `${node.kind} ${node.status} ${node.path}`;
    const item = make("li");
    const parent = nodes[number + 1] && nodes[number + 1].depth > node.depth;
    const detail = make("span", node.detail ? `  ${node.detail}` : "", "quiet");
    if (parent) {
      const details = make("details"), summary = make("summary"), below = make("ul");
      details.open = !folded.has(node.path);
      details.addEventListener("toggle", () => {
        if (details.open) folded.delete(node.path); else folded.add(node.path);
      });
      summary.append(label, detail);
      details.append(summary, below);
      item.append(details);
      lists.push(below);
    } else {
      item.append(label, detail);
    }
    lists[node.depth].append(item);
  });
  part("tree").replaceChildren(top);
  find();
}

function find() {
  const words = part("search").value.trim().toLowerCase();
  for (const item of part("tree").querySelectorAll("span[title]")) {
    const fits = words !== "" && item.title.toLowerCase().includes(words);
    item.classList.toggle("found", fits);
    for (let up = fits && item.closest("details"); up; up = up.parentElement.closest("details")) {
      up.open = true;
    }
  }
}

const safely = work => (...args) => Promise.resolve(work(...args)).then(() => tell(null), tell);
run.addEventListener("change", safely(() => { folded = new Set(); return open(null); }));
slider.addEventListener("input", safely(show));
part("search").addEventListener("input", find);
window.addEventListener("hashchange", safely(start));
async function start() {
  await list();
  const tick = address().get("tick");
  await open(tick === null ? null : Number(tick));
}
setInterval(() => { if (follow.checked && !follow.disabled) safely(open)(null); }, 1000);
safely(start)();
