// The page of runs: which run and moment is shown, the chat, the stop button, two runs side by side.
import * as debug from "./debug.js";
import {TreeEditor} from "./edit.js";
import {showNode, showNodes, showPrompt} from "./detail.js";
import {Ear} from "./hear.js";
import {ask, button, make, order, part, runPath, seconds, Unreachable} from "./parts.js";
import {Player} from "./play.js";
import * as starts from "./start.js";
import {ENDS, RunView, drawTalk} from "./view.js";

const run = part("run"), other = part("other"), slider = part("moment"), clock = part("clock");
const follow = part("follow"), stop = part("stop"), goOn = part("go-on");
let shown = null, beside = null, live = null, wanted = 0, comparison = null, lost = false, state = null;

const CUT_OFF = {stopped: "it was stopped, and can be resumed", broken: "it broke off"};
const GONE = "STOP has no effect: the server does not answer. Use Ctrl-C in its terminal, or the robot's own stop.";

function tell(error, css = "") {
  if (error instanceof Unreachable && !lost) setTimeout(reconnect, 1000);
  lost = lost || error instanceof Unreachable;
  if (error instanceof Unreachable) setOrders();
  part("message").textContent = error ? error.message || String(error) : "";
  part("message").className = css;
}
// Takes up a server that was started again: it shows what was shown, and the run that is there now.
async function reconnect() {
  try {
    await start();
    lost = false;
    tell(null);
    setOrders();
  } catch (error) {
    lost = false;
    tell(error);
  }
}
const safely = work => async (...args) => {
  try {
    await work(...args);
  } catch (error) {
    tell(error);
  }
};
const acts = {
  node: safely((name, node) => showNode(name, node)),
  nodes: safely((name, data) => showNodes(name, data.n, `${seconds(data.t)}, tick ${data.tick}`)),
  prompt: safely((name, made) => showPrompt(name, made)),
  moment: safely(t => { player.stop(); return showTime(t); }),
  debug: (did, about) => debug.give(did, about),
  live: name => (isLive() && name === live.run ? live.debug : null),
};

// The address names the run, the tick and the run beside: #run=NAME&tick=14&other=NAME
function address() { return new URLSearchParams(location.hash.slice(1)); }
function remember() {
  const now = {run: run.value, tick: follow.checked ? "end" : slider.value};
  if (other.value) now.other = other.value;
  const hash = `#${new URLSearchParams(now)}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

function option(value, text) {
  const made = make("option", text);
  made.value = value;
  return made;
}

// The name of a run with what tells it from others first, and when it began, today without the date.
function title(name) {
  const [, year, month, day, hour, minute, second, what] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(.+)$/.exec(name) || [];
  const date = `${year}-${month}-${day}`, now = new Date();
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
  return what ? `${what}, ${date === today ? "" : `${date} `}${hour}:${minute}:${second}` : name;
}

// How a run is, short enough for the list of runs.
function inShort({state, ok}) {
  return state === "ended" ? (ok ? "as expected" : "not as expected") : state;
}

async function list() {
  const found = await ask("runs");
  const asked = address(), before = other.value || asked.get("other") || "";
  const first = live && found.some(one => one.run === live.run) ? live.run : found[0] && found[0].run;
  const chosen = asked.get("run") || run.value || first;
  run.replaceChildren(...found.map(one => option(one.run, `${title(one.run)} (${inShort(one)})`)));
  other.replaceChildren(option("", "no other"), ...found.map(one => option(one.run, title(one.run))));
  if (found.some(one => one.run === chosen)) run.value = chosen;
  if (found.some(one => one.run === before)) other.value = before;
  document.body.classList.toggle("empty", !found.length);
  if (!found.length) {
    setOrders();
    const box = make("section", "", "nothing");
    const begin = button("New run", "New run", () => part("new").click());
    begin.classList.add("main", "begin");
    box.append(make("h2", "No runs yet"), begin, make("p", "A run can be started in a terminal, too: treec run SYSTEM.", "quiet"));
    part("runs").replaceChildren(box);
  }
}

// Shows the run that is chosen, from its end or at a tick.
async function open(tick) {
  if (!run.value) return;
  player.stop();
  if (shown) shown.close();
  shown = new RunView(run.value, acts, true);
  beside = other.value ? new RunView(other.value, acts, false) : null;
  state = null;
  comparison = beside && make("section", "", "comparison");
  part("runs").replaceChildren(...[comparison, shown.element, beside && beside.element].filter(Boolean));
  part("runs").classList.toggle("two", beside !== null);
  part("talk").replaceChildren();
  const about = await ask(runPath(run.value));
  state = about;
  slider.max = about.last_tick;
  follow.disabled = about.state !== "running";
  follow.checked = tick === null && !follow.disabled;
  slider.value = tick === null ? about.last_tick : tick;
  setOrders();
  await show();
  if (beside) await compare();
}

async function show() {
  const mine = ++wanted, view = shown, tick = Number(slider.value), last = tick >= Number(slider.max);
  const query = view.query(last ? "end" : `#${tick}`);
  const data = await ask(`${runPath(view.name)}/at?${query}`);
  if (mine !== wanted) return;  // another moment was asked for
  await draw(view, data, mine);
}

// Shows the moment at a time in seconds.
async function showTime(t) {
  follow.checked = false;
  const mine = ++wanted, view = shown;
  const data = await ask(`${runPath(view.name)}/at?${view.query(t.toFixed(6))}`);
  if (mine !== wanted) return;
  slider.value = data.tick;
  await draw(view, data, mine);
}

async function draw(view, data, mine) {
  let next = null;
  if (beside) {
    next = await ask(`${runPath(beside.name)}/at?${beside.query(data.ended && data.t >= data.seconds ? "end" : data.t.toFixed(6))}`);
    if (mine !== wanted) return;
  }
  const end = Math.max(data.seconds, next ? next.seconds : 0);
  slider.max = data.last_tick;
  if (follow.checked) slider.value = data.last_tick;
  clock.textContent = `${seconds(data.t)}, tick ${data.tick} of ${data.last_tick}`;
  slider.setAttribute("aria-valuetext", clock.textContent);
  drawTalk(part("talk"), data.talk);  // first: it measures what is there
  view.show(data, end, beside ? title(view.name) : "");
  if (next) beside.show(next, end, title(beside.name));
  part("silent").hidden = data.talk.length > 0;
  drawState(data);
  if (isLive()) debug.showFaults(data.faults, live.debug?.failing);
  if (data.problem) tell(data.problem);
  remember();
  if (data.nodes && isLive()) await debug.suggest(live.run, data.nodes.map(one => one.path));
}

async function compare() {
  const query = new URLSearchParams({one: run.value, other: other.value});
  const found = await ask(`compare?${query}`), table = make("table");
  table.append(make("caption", "How the two runs differ"));
  const head = make("tr");
  head.append(make("td"), ...found.runs.map(one => {
    const cell = make("th", title(one.run));
    cell.scope = "col";
    return cell;
  }));
  table.append(head);
  for (const name of Object.keys(found.runs[0]).filter(one => one !== "run")) {
    const row = make("tr"), title = make("th", name);
    title.scope = "row";
    const texts = found.runs.map(one => name === "seconds" ? seconds(one[name]) : String(one[name]));
    row.append(title, ...texts.map(text => make("td", text, texts[0] === texts[1] ? "" : "differs")));
    table.append(row);
  }
  const how = made => made ? `${seconds(made.t)} ${made.node} → ${made.choose} (${made.by})` : "no more decisions";
  const first = found.first
    ? `The first decision that differs is number ${found.first.number}: ${found.first.decisions.map(how).join("; ")}`
    : "Both made the same decisions.";
  comparison.replaceChildren(table, make("p", first));
}

// A run that goes on is asked for what is new: the answer comes with the next tick.
async function watch() {
  for (;;) {
    const view = shown, mine = wanted;
    if (lost || !view || !follow.checked || follow.disabled || document.hidden) {
      await new Promise(done => setTimeout(done, 200));
      continue;
    }
    try {
      const query = view.query("end");
      query.set("after", view.n);
      const data = await ask(`${runPath(view.name)}/at?${query}`);
      if (data && view === shown && mine === wanted && follow.checked) {
        await draw(view, data, mine);
        if (data.ended) await ended();
      }
      if (data && data.again) await new Promise(done => setTimeout(done, data.again));
    } catch (error) {
      tell(error);
      await new Promise(done => setTimeout(done, 1000));
    }
  }
}

async function ended() {
  follow.checked = false;
  follow.disabled = true;
  state = await ask(runPath(run.value));
  await list();
  await refresh();
  tell("The run has ended.", "calm");
}

async function refresh() {
  live = await ask("live");
  setOrders();
}

// Whether the server is still there, while nothing else asks; another one may have another run.
async function look() {
  const before = live && live.run;
  await refresh();
  if (live && live.run !== before) await list();
}

function isLive() { return Boolean(live && !live.over && run.value === live.run); }

// How the run is: it goes on, waits for somebody, is stopped, has ended.
function drawState(data) {
  const chip = part("state"), goes = isLive() || (state && state.state === "running");
  let [text, css] = ["", ""];
  const end = data?.ended || (state?.state === "ended" && state);
  if (end) {
    const how = end.expected === false ? "" : `, ${end.ok ? "" : "not "}as expected`, why = ENDS[end.reason] ? `: ${ENDS[end.reason]}` : "";
    [text, css] = [end.failed && !end.ok ? "ended: the tree has failed" : `ended${why}${how}`, end.ok ? "ok" : "failed"];
  }
  else if (isLive() && live.debug && live.debug.question) [text, css] = ["waits for an answer", "waits"];
  else if (isLive() && live.debug && live.debug.held) [text, css] = ["paused", "waits"];
  else if (isLive() && live.stopped.length) [text, css] = ["stopped by the button", "failed"];
  else if (isLive()) [text, css] = ["running", "goes"];
  else if (goes) [text, css] = ["running in another process: it is stopped there", "goes"];
  else if (state) [text, css] = [CUT_OFF[state.state] || state.state, ""];
  if (!live && !goes && state) text += "; nothing to stop";
  if (chip.textContent !== text) chip.textContent = text;
  chip.className = css;
}

function setOrders() {
  const mine = live && !live.over;
  debug.show(mine ? live.debug : null, isLive());
  stop.hidden = !live;
  stop.classList.toggle("gone", lost || !mine);
  stop.title = lost ? "The server is gone: this stops nothing" : mine ? "Stop all robots (Ctrl+.)"
    : "The run has ended: there is nothing to stop";
  stop.firstChild.textContent = lost ? "stops nothing" : mine ? "STOP" : "nothing to stop";
  part("stop-of").textContent = mine && !lost && !isLive() ? "the run in progress" : "";
  if (shown && shown.data) {
    drawState(shown.data);
    if (isLive()) shown.inspector.show(shown.data, shown.nodes, shown.inspector.path);
  }
  part("say").hidden = !mine || run.value !== live.run;
  ear.show(live && live.run, mine && live.hears);
  goOn.hidden = !mine || !live.stopped.length;
  if (!lost) starts.show(state, Boolean(mine), isLive()).catch(tell);
}

async function press() {
  if (!live) return;
  if (lost || live.over) {
    tell(lost ? GONE : "STOP has no effect: the run has ended.");
    return;
  }
  stop.classList.add("pressed");
  try {
    await order("stop");
    tell("All robots are told to stop.");
  } catch (error) {
    tell(error);
    if (error instanceof Unreachable) part("message").textContent = GONE;
  } finally {
    stop.classList.remove("pressed");
    for (const wait of [100, 1300]) setTimeout(safely(tellWhoStopped), wait);
  }
}

async function tellWhoStopped() {
  await refresh();
  const who = live ? live.unconfirmed : [];
  if (who.length) tell(`${who.join(". ")}.`);
  else if (live && live.stopped.length) tell("All robots are stopped. “Let robots go on” ends that.");
}

stop.addEventListener("click", safely(press));
window.addEventListener("keydown", event => {
  if (event.key !== "." || !(event.ctrlKey || event.metaKey) || !live) return;
  event.preventDefault();
  safely(press)();
}, true);
goOn.addEventListener("click", safely(async () => {
  await order("go_on");
  tell(null);
  stop.focus();
  setTimeout(safely(refresh), 100);
}));
part("say").addEventListener("submit", safely(async event => {
  event.preventDefault();
  const text = part("words").value.trim();
  if (!text) return;
  await order("say", {text});
  part("words").value = "";
  tell(null);
}));
const ear = new Ear(part("say"), safely(async said => {
  if (said.sure) {
    await order("say", {text: said.text});
    part("words").value = "";
    tell(null);
    return;
  }
  part("words").value = said.text;
  part("words").focus();
  tell(said.text ? "Is this what you said? “Say” sends it." : "No words were heard.");
}), text => { part("words").value = text; }, tell);
run.addEventListener("change", safely(() => open(null)));
other.addEventListener("change", safely(() => open(follow.checked ? null : Number(slider.value))));
slider.addEventListener("input", safely(() => { player.stop(); follow.checked = false; return show(); }));
follow.addEventListener("change", safely(() => follow.checked ? open(null) : remember()));
window.addEventListener("hashchange", safely(start));

async function start() {
  live = await ask("live");
  await list();
  // Last of the head: what comes before it in the row has its width now, and it stays where it is.
  part("edit").hidden = !(await ask("edit/files")) || !editor.element.hidden;
  const tick = address().get("tick");
  await open(tick === null || tick === "end" ? null : Number(tick));
}
const player = new Player(() => ({t: shown && shown.data ? shown.data.t : 0, end: shown && shown.data ? shown.data.seconds : 0}),
  t => showTime(t).catch(error => { tell(error); throw error; }));
const editor = new TreeEditor(tell, () => {
  document.querySelector("main").hidden = part("transport").hidden = false;
  part("edit").hidden = false;
  part("edit").focus();
});
document.body.append(editor.element);
part("edit").addEventListener("click", safely(async () => {
  player.stop();
  document.querySelector("main").hidden = part("transport").hidden = part("edit").hidden = true;
  await editor.start();
}));
starts.listen(safely, async name => {
  tell(null);
  history.replaceState(null, "", `#${new URLSearchParams({run: name})}`);
  await start();
}, setOrders, () => run.value);
debug.listen(safely, async () => {
  tell(null);
  await refresh();
});
setInterval(safely(async () => {
  if (live && !live.over && !lost && !document.hidden) await refresh();
}), 500);
setInterval(safely(async () => {
  if (!(live && !live.over) && !lost && !document.hidden) await look();
}), 3000);
safely(start)();
watch();
