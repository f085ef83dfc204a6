// The page of a participant: instructions, the conversation, the questions, one stage after another.
import {ask, make, order, part} from "./parts.js";
import {cards, drawTalk} from "./view.js";

let state = null, shown = 0, boardKey = "";

function tell(error) { part("message").textContent = error ? error.message || String(error) : ""; }
const safely = work => async (...args) => {
  try {
    await work(...args);
    tell(null);
  } catch (error) {
    tell(error);
  }
};

// Sends what ends a stage, for the stage that is shown.
const send = async (what, body = {}) => {
  await order(what, {...body, number: state.number});
  await look();
};

function draw() {
  const stage = state.stage;
  const at = {instructions: stage === "instructions", chat: stage === "talk" || stage === "survey",
    work: stage === "talk", survey: stage === "survey", wait: stage === "wait", done: stage === "done"};
  for (const [id, seen] of Object.entries(at)) part(id).hidden = !seen;
  document.querySelector("main").classList.toggle("survey", stage === "survey");
  for (const id of ["say", "finish", "stop"]) part(id).hidden = stage !== "talk";
  part("go-on").hidden = stage !== "talk" || !(state.stopped && state.stopped.length);
  if (state.conversation) {
    part("where").textContent = `Participant ${state.participant}, conversation ${state.conversation} of ${state.of}`;
  }
  if (state.talk) drawTalk(part("talk"), state.talk.map(one => ({...one, who: one.who === "assistant" ? one.who : "you"})));
  if (stage === "talk" && state.agents) {
    const key = JSON.stringify([state.recipe, state.subtasks, state.agents]);
    if (key !== boardKey) part("board").replaceChildren(...cards(state));
    boardKey = key;
  }
  if (state.number === shown) return;
  shown = state.number;
  if (stage === "instructions") {
    part("instructions-text").textContent = state.instructions;
    part("instructions-again").textContent = state.instructions;
    part("recipe").textContent = state.dish;
    part("begin").textContent = state.resumed ? "Go on" : "Begin";
    part("begin").focus();
  } else if (stage === "talk") {
    part("instructions-again").textContent = state.instructions;
    part("talk").replaceChildren();
    part("board").replaceChildren();
    boardKey = "";
    part("words").focus();
  } else if (stage === "survey") {
    drawQuestions();
  }
}

function drawQuestions() {
  const form = part("questions");
  form.replaceChildren(...state.questions.map((question, number) => {
    const box = make("fieldset"), scale = question.most !== undefined;
    box.append(make("legend", `${number + 1}. ${question.ask}`));
    if (scale) {
      const row = make("div", "", "scale");
      for (let value = question.least; value <= question.most; value++) {
        const choice = make("input"), label = make("label");
        choice.type = "radio";
        choice.name = question.name;
        choice.value = value;
        choice.required = true;
        const word = value === question.least ? question.low : value === question.most ? question.high : "";
        label.append(choice, ` ${value}${word ? `: ${word}` : ""}`);
        row.append(label);
      }
      box.append(row);
    } else {
      const field = make("input"), label = make("label", "A number, 0 for never: ");
      field.type = "number";
      field.name = question.name;
      field.min = question.least;
      field.required = true;
      label.append(field);
      box.append(label);
    }
    const when = make("input"), label = make("label", "When, for example? (may be left empty; please name nobody)");
    when.type = "text";
    when.maxLength = 2000;
    when.dataset.about = question.name;
    label.append(make("br"), when);
    box.append(label);
    return box;
  }), make("button", "Send the answers"));
  form.querySelector("input").focus();
}

async function look() {
  const query = new URLSearchParams({have: state ? state.key : ""});
  const found = await ask(`state?${query}`);
  if (!found) return;
  state = found;
  draw();
}

part("begin").addEventListener("click", safely(() => send("begin")));
part("finish").addEventListener("click", safely(() => send("end")));
part("stop").addEventListener("click", safely(() => order("stop")));
part("go-on").addEventListener("click", safely(() => order("go_on")));
part("say").addEventListener("submit", safely(async event => {
  event.preventDefault();
  const text = part("words").value.trim();
  if (!text) return;
  await order("say", {text});
  part("words").value = "";
}));
part("questions").addEventListener("submit", safely(async event => {
  event.preventDefault();
  const form = part("questions"), answers = {}, instances = {};
  for (const question of state.questions) answers[question.name] = Number(new FormData(form).get(question.name));
  for (const field of form.querySelectorAll("[data-about]")) {
    if (field.value.trim()) instances[field.dataset.about] = field.value.trim();
  }
  await send("answers", {answers, instances});
}));

// A page that asks in vain goes on asking: the study may only have been called again.
async function watch() {
  for (;;) {
    if (!state || state.stage !== "done") {
      try {
        await look();
      } catch (error) {
        tell(new Error("The study is not running. Please call whoever runs it."));
      }
    }
    await new Promise(done => setTimeout(done, 300));
  }
}
watch();
