// Debugging the run of this process: pause, step, go on, questions, faults, mocks.
import {ask, fill, make, order, part} from "./parts.js";

const MOST_NODES = 1000;  // nodes that a field completes, from the top

export let give = null;  // gives an order of whoever debugs
let drawn = "", suggested = "", lastQuestion = 0;

// `done` is called after an order was given, to look at the run again.
export function listen(safely, done) {
  give = safely(async (did, about = "") => {
    await order("debug", {did, about});
    await done();
  });
  for (const [id, did] of [["pause", "pause"], ["step", "step"], ["resume", "go on"]]) {
    part(id).addEventListener("click", () => give(did));
  }
  for (const id of ["yes", "no"]) {
    part(id).addEventListener("click", () => give(id, part("question").dataset.number));
  }
  for (const form of part("debug").querySelectorAll("form")) {
    form.addEventListener("submit", safely(async event => {
      event.preventDefault();
      const field = form.elements.about, did = form.dataset.order;
      await order("debug", {did, about: (form.dataset.word ?? "") + field.value.trim()});
      if (did !== "pause at") field.value = "";
      await done();
    }));
  }
  part("approve").addEventListener("change", () => give("approve", part("approve").value));
  for (const id of ["mocks", "injected"]) {
    part(id).addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) button.dataset.order.split("\n").forEach(order => give("inject", order));
    });
  }
}

// The faults that were injected into the run; those that stand still can be taken back, failures of skills
// as long as they have not all happened.
export function showFaults(faults, failing = []) {
  const stands = one => one.undo.filter(undo => !/^(fail|take) /.test(one.fault) || failing.includes(undo.slice(5)));
  fill(part("injected"), faults.filter(one => !/^(un)?mock /.test(one.fault)), one => JSON.stringify([one, stands(one)]), one => {
    const line = make("li", `${one.t.toFixed(1)} s ${one.fault}${one.problem ? `: ${one.problem}` : ""} `, one.problem ? "failed" : "");
    const undo = stands(one);
    if (undo.length) line.append(orderButton("take back", `Take back ${one.fault}: ${undo.join(", ")}`, undo.join("\n")));
    return line;
  });
}

function orderButton(text, label, order) {
  const button = make("button", text, "small");
  button.type = "button";
  button.dataset.order = order;
  button.setAttribute("aria-label", label);
  return button;
}

// The state of the debugger, as the server tells it; nothing where no run is debugged.
export function show(state, mine) {
  part("debug").hidden = !mine;
  if (!mine) return;
  const now = JSON.stringify(state);
  if (now === drawn) return;
  drawn = now;
  const question = state.question, box = part("question");
  box.hidden = !question;
  if (question) {
    part("question-words").textContent = `${question.words}?`;
    box.dataset.number = question.number;
    if (question.number !== lastQuestion) {
      lastQuestion = question.number;
      part("debug").open = true;  // the focus stays: nobody shall say yes with what they type
    }
  }
  part("pause").disabled = state.held;
  part("step").disabled = question !== null;
  part("resume").disabled = !state.held && !state.stepping;
  part("held").textContent = question ? "The run waits for an answer."
    : state.held ? "The run is paused." : state.stepping ? "It stops after the next tick that changes a node." : "";
  fill(part("changed"), state.changed, one => JSON.stringify(one), one =>
    make("li", `${one.reached ? "◀ " : ""}${one.status.toLowerCase()} ${one.path}`, one.status));
  fill(part("mocks"), state.mocks, one => one, one => {
    const line = make("li", `${one} `);
    line.append(orderButton("put back", `Put back what is mocked by ${one}`, `unmock ${one.replace(/=[^=]*$/, "")}`));
    return line;
  });
  part("approve").value = state.approve.join(" ");
}

// What the fields complete: the faults that the run can have, and the paths of its nodes.
export async function suggest(run, nodes) {
  if (suggested !== run) {
    suggested = run;
    part("faults").replaceChildren(...(await ask("live/faults")).map(option));
  }
  part("nodes").replaceChildren(...nodes.slice(0, MOST_NODES).map(option));
}

function option(value) {
  const made = make("option");
  made.value = value;
  return made;
}
