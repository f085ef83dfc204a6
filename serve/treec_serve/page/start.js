// Runs that are started here: a new one, the same again, one that goes on; and the end of one.
import {ask, make, order, part, post} from "./parts.js";

const dialog = part("starting"), form = part("start"), problem = part("start-problem");
let systems = null, started = null, busy = false;

// `done(run)` is called once a run has begun, `changed()` when nothing is being started any more.
export function listen(safely, done, changed, shown) {
  started = done;
  part("new").addEventListener("click", safely(open));
  part("again").addEventListener("click", safely(() => start({again: shown()}, changed)));
  part("resume-run").addEventListener("click", safely(() => start({resume: shown()}, changed)));
  part("end").addEventListener("click", safely(async () => {
    await order("end");
    part("end").disabled = true;
  }));
  part("start-not").addEventListener("click", () => dialog.close());
  form.elements.system.addEventListener("change", drawSystem);
  form.elements.scenario.addEventListener("change", drawScenario);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    problem.textContent = "";
    part("start-it").textContent = "Starting …";
    part("start-it").disabled = true;
    try {
      await start(description(), changed);
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      part("start-it").textContent = "Start";
      part("start-it").disabled = false;
    }
  });
}

// Which of the buttons are there: `state` is that of the run that is shown, `goes` whether one goes on.
// `shown`: it is that one.
export async function show(state, goes, shown) {
  if (systems === null) systems = (await ask("start"))?.systems || [];
  const can = systems.length > 0;
  part("new").hidden = !can || goes;
  part("again").hidden = !can || goes || !state || state.state === "running";
  part("resume-run").hidden = !can || goes || !state || !state.begun || !["stopped", "broken"].includes(state.state);
  part("end").hidden = !shown;
  if (!goes) part("end").disabled = false;
  for (const id of ["new", "again", "resume-run"]) part(id).disabled = busy;
}

async function start(what, changed) {
  busy = true;
  changed();
  try {
    await started((await post("start", what)).run);
  } finally {
    busy = false;
    changed();
  }
}

async function open() {
  const found = await ask("start");  // the files may have changed
  systems = found?.systems || [];
  const before = form.elements.system.value;
  form.elements.system.replaceChildren(...systems.map(one => option(one.name, one.name)));
  if (systems.some(one => one.name === before)) form.elements.system.value = before;
  form.elements.watch.checked = Boolean(found?.watch);
  problem.textContent = "";
  drawSystem();
  dialog.showModal();
}

function drawSystem() {
  const system = systems.find(one => one.name === form.elements.system.value), before = form.elements.scenario.value;
  part("about-system").textContent = system ? firstLine(system.about) : "";
  const scenarios = system ? system.scenarios : [];
  form.elements.scenario.replaceChildren(option("", "none: you are the user"), ...scenarios.map(one => option(one.name, one.name)));
  if (scenarios.some(one => one.name === before)) form.elements.scenario.value = before;
  drawScenario();
}

function drawScenario() {
  const system = systems.find(one => one.name === form.elements.system.value);
  const scenario = system && system.scenarios.find(one => one.name === form.elements.scenario.value);
  part("about-scenario").textContent = scenario ? firstLine(scenario.about) : "";
}

const firstLine = text => text.trim().split("\n\n")[0];

function description() {
  const {system, scenario, seed, speed, faults, watch} = form.elements, given = {system: system.value, watch: watch.checked};
  if (scenario.value) given.scenario = scenario.value;
  if (seed.value !== "") given.seed = Number(seed.value);
  if (speed.value === "fast") given.fast = true;
  else if (speed.value) given.speed = Number(speed.value);
  const lines = faults.value.split("\n").map(line => line.trim()).filter(Boolean);
  if (lines.length) given.faults = lines;
  return given;
}

function option(value, text) {
  const made = make("option", text);
  made.value = value;
  return made;
}
