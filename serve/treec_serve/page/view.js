// One run at one moment: the recipe and who does what, the tree, decisions, facts, timelines.
import {Inspector} from "./inspect.js";
import {ask, button, fill, make, runPath, seconds, tabs} from "./parts.js";
import {Timeline} from "./timeline.js";
import {Tree} from "./tree.js";

const MOST_WORDS = 3;  // lines of a group that are in view

let views = 0, form = "Picture";  // how the tree is shown

function panel(title, css, ...content) {
  const id = `panel-${++views}`, section = make("section", "", css), head = make("h2", title);
  head.id = id;
  section.setAttribute("aria-labelledby", id);
  section.append(head, ...content);
  return section;
}

function words(list, css = "") {
  const found = make("ul", "", css);
  found.append(...list.map(text => {
    const line = make("li", text);
    line.title = text;
    line.dir = "auto";
    return line;
  }));
  return found;
}

function group(title, list, css) {
  const made = make("div", "", `group ${css}`);
  made.append(make("h4", `${title} (${list.length})`), words(list.slice(-MOST_WORDS)));
  if (list.length > MOST_WORDS) {
    const more = make("details");
    more.append(make("summary", `${list.length - MOST_WORDS} more`), words(list.slice(0, -MOST_WORDS)));
    made.append(more);
  }
  return made;
}

// The scene at the moment that is shown, where there are bodies. One picture is asked for at a time.
class Film {
  constructor(name) {
    this.name = name;
    this.moment = this.wanted = this.asked = this.shown = null;
    this.picture = make("img", "", "film");
    this.slider = make("input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.step = 0.25;
    this.slider.setAttribute("aria-label", "Moment of the film");
    this.slider.addEventListener("input", () => this.want(Number(this.slider.value)));
    this.element = panel("Film", "scene", this.picture, this.slider);
    this.element.hidden = true;
    for (const event of ["load", "error"]) {
      this.picture.addEventListener(event, () => {
        this.shown = this.asked;
        this.asked = null;
        this.next();
      });
    }
  }

  // At the moment that the page shows; the film's own slider goes between two ticks.
  show(t, end) {
    this.element.hidden = t === null;
    this.element.parentElement.classList.toggle("filmed", t !== null);
    if (t === this.moment) return;
    this.moment = t;
    this.slider.max = end;
    this.slider.value = t;
    this.want(t);
  }

  want(t) {
    this.wanted = t;
    this.slider.setAttribute("aria-valuetext", t === null ? "" : seconds(t));
    if (this.asked === null) this.next();
  }

  next() {
    if (this.wanted === null || this.wanted === this.shown) return;
    this.asked = this.wanted;
    this.picture.alt = `The scene at ${seconds(this.asked)}`;
    this.picture.src = `${runPath(this.name)}/film?${new URLSearchParams({t: this.asked})}`;
  }
}

const lazily = () => import("./picture.js");

export class RunView {
  // `acts` has what a click does: node(run, node), nodes(run, data), prompt(run, decision), moment(t),
  // debug(did, about), live(run): the state of the debugger, or null.
  constructor(name, acts, own) {
    this.name = name;
    this.treeNumber = -1;
    this.n = 0;
    this.data = null;
    this.nodes = [];
    this.kinds = {};
    this.tree = new Tree(`Behaviour tree of ${name}`, node => {
      this.choose(node.path);
      acts.node(name, node);
    });
    this.acts = acts;
    this.own = own;
    this.search = make("input");
    this.search.type = "search";
    this.search.placeholder = "Search";
    this.search.setAttribute("aria-label", "Search nodes");
    this.count = make("output", "", "quiet");
    this.hit = 0;
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("keydown", event => {
      if (event.key !== "Enter" || !this.tree.hits.length) return;
      this.hit = (this.hit + (event.shiftKey ? -1 : 1) + this.tree.hits.length) % this.tree.hits.length;
      this.tellCount();
      this.choose(this.tree.hits[this.hit].node.path);
    });
    const ticks = make("button", "Ticks", "small");
    ticks.type = "button";
    ticks.setAttribute("aria-label", "Ticks of nodes");
    ticks.addEventListener("click", () => this.data && acts.nodes(name, this.data));
    this.board = make("div", "", "board");
    this.decisions = make("ol", "", "made");
    this.none = make("p", "Nothing has been decided yet.", "quiet");
    this.facts = make("ul");
    this.values = make("ul");
    this.filters = {};
    this.facts.dataset.filter = "facts";
    this.times = new Timeline(t => acts.moment(t));
    this.talk = make("ol");
    this.title = make("h2", "", "title");
    this.inspector = new Inspector(name, {
      node: node => acts.node(name, node), prompt: made => acts.prompt(name, {...made, why: made.choose && this.why(made)[0], about: this.about(made)}), moment: acts.moment,
      debug: acts.debug, live: () => acts.live(name),
    });
    this.element = make("article", "", own ? "run own" : "run");
    this.element.setAttribute("aria-label", `Run ${name}`);
    const decisions = make("div", "", "decisions"), facts = make("div", "", "facts"), values = make("div", "", "values");
    decisions.append(this.decisions, this.none);
    facts.append(this.filter("facts", "Filter facts", () => this.drawFacts()), this.facts);
    values.append(this.filter("values", "Filter variables and ports", () => this.drawValues()), this.values);
    this.node = make("div", "", "chosen-node");
    this.node.append(this.inspector.element);
    this.tabs = tabs("What there is to know", [["Decisions", decisions], ["Facts", facts], ["Variables", values], ["Node", this.node]]);
    const more = make("section", "", "more");
    more.setAttribute("aria-label", "Decisions, facts, variables, node");
    more.append(this.tabs, decisions, facts, values, this.node);
    const tools = make("div", "", "tools");
    tools.append(this.search, this.count, ticks);
    this.canvas = make("div", "", "canvas");
    const both = make("div", "", "both"), outline = make("div", "", "outline");
    outline.append(this.tree.element);
    this.forms = tabs("How the tree is shown", [["Picture", this.canvas], ["List", outline]], form, name => {
      if (this.element.isConnected) form = name;
    });
    for (const one of [this.canvas, outline]) one.removeAttribute("tabindex");  // what is in it has the focus
    tools.prepend(this.forms);
    both.append(tools, this.canvas, outline);
    this.film = new Film(name);
    const moving = make("div", "", "moving");
    moving.append(panel("Timelines", "times", this.times.element), this.film.element);
    this.element.append(
      this.title,
      panel("Recipe", "recipe", this.board),
      panel("Tree", "nodes", both),
      more,
      moving,
      ...(own ? [] : [panel("Talk", "said", this.talk)]),
    );
  }

  filter(name, label, draw) {
    const field = make("input");
    field.type = "search";
    field.placeholder = "Filter";
    field.setAttribute("aria-label", label);
    this.filters[name] = "";
    field.addEventListener("input", () => {
      this.filters[name] = field.value.trim().toLowerCase();
      draw();
    });
    return field;
  }

  query(moment) {
    return new URLSearchParams({moment, tree: this.treeNumber});
  }

  show(data, end, title = "") {
    const isNew = Boolean(data.nodes), before = this.data;
    if (isNew) {
      this.nodes = data.nodes;
      this.kinds = data.drawings;
    }
    data.kinds = this.kinds;
    this.data = data;
    this.n = data.n;
    this.treeNumber = data.tree;
    this.title.textContent = title;
    this.title.hidden = !title;
    this.element.classList.toggle("over", Boolean(data.ended) && data.t >= data.seconds);
    this.tree.show(data.nodes, data.statuses, data.details);
    if (this.own && !title) this.drawPicture(isNew);
    this.forms.hidden = !this.own || Boolean(title);
    if (this.forms.hidden) this.forms.show("List");
    this.drawBoard(data);
    this.drawDecisions();
    this.factsBefore = before ? before.facts : null;
    this.noteFacts(data);
    this.drawFacts();
    this.drawValues();
    drawTalk(this.talk, data.talk);
    this.times.show(data.timeline, end, data.t, this.own && !title);
    this.film.show(data.film ? data.t : null, data.seconds);
    this.inspector.show(data, this.nodes, this.inspector.path);
  }

  // The picture comes once the rest is there; until then, and without it, the outline has everything.
  async drawPicture(isNew) {
    if (!this.picture) {
      this.picture = "asked";
      await new Promise(done => requestAnimationFrame(() => setTimeout(done)));  // the rest is drawn first
      const loaded = await lazily().catch(() => null);  // the server is gone: the page says so
      if (!loaded) {
        this.picture = null;
        return;
      }
      const {mount} = loaded;
      this.picture = mount(this.canvas, {
        label: `Picture of the tree of ${this.name}: arrows move, Space folds, Enter opens the file, plus and minus zoom`,
        choose: id => this.look(id),
        act: id => this.acts.node(this.name, this.nodes.find(one => one.path === id)),
      });
      isNew = true;
    }
    if (this.picture === "asked") return;
    if (!this.rules) this.learnRules();
    if (isNew) this.picture.tree(pictured(this.nodes), this.kinds, this.data.statuses);
    this.picture.statuses(this.data.statuses, this.data.details);
    if (isNew && this.tree.wanted) this.find();
  }

  // A node was chosen in the picture.
  look(path) {
    this.tree.point(path);
    this.inspector.show(this.data, this.nodes, path);
    if (path) this.tabs.show("Node");
  }

  choose(path) {
    this.tree.point(path);
    this.inspector.show(this.data, this.nodes, path);
    const node = this.nodes.find(one => one.path === path);
    if (node && this.picture && this.picture.choose) this.picture.choose(plainPath(node));
  }

  find() {
    const found = this.tree.find(this.search.value);
    this.hit = 0;
    this.tellCount();
    clearTimeout(this.finding);
    this.finding = setTimeout(() => this.picture && this.picture.find && this.picture.find(found), 120);
  }

  tellCount() {
    const all = this.tree.hits.length;
    this.count.textContent = this.tree.wanted === "" ? "" : all ? `${this.hit + 1} of ${all}` : "none";
  }

  close() {
    if (this.picture && this.picture.unmount) this.picture.unmount();
  }

  // Facts that are other than at the moment that was shown before are marked until the moment changes.
  noteFacts(data) {
    if (!this.factsBefore) {
      this.factsChanged = new Set();
      return;
    }
    const known = new Set(this.factsBefore.map(one => JSON.stringify(one)));
    if (this.factsAt !== data.n) this.factsChanged = new Set(data.facts.map(one => JSON.stringify(one)).filter(one => !known.has(one)));
    this.factsAt = data.n;
  }

  drawFacts() {
    const wanted = this.filters.facts, changed = one => this.factsChanged.has(JSON.stringify(one));
    const found = this.data.facts.map(one => [`${one.fact}${one.args.length ? `(${one.args.join(", ")})` : ""} = ${JSON.stringify(one.value)}${one.from ? ` (${one.from})` : ""}`, changed(one)])
      .filter(([text]) => text.toLowerCase().includes(wanted)).sort((one, other) => other[1] - one[1]);
    fill(this.facts, found, one => JSON.stringify(one), ([text, isNew]) => make("li", text, isNew ? "changed" : ""));
  }

  // Newest first: what has changed at this moment is marked.
  drawValues() {
    const found = (this.data ? this.data.values : [])
      .filter(one => `${one.tree}.${one.name}`.toLowerCase().includes(this.filters.values))
      .sort((one, other) => other.since - one.since);
    fill(this.values, found, one => JSON.stringify([one, one.since === this.data.t]), one => {
      const line = make("li", `${one.tree}.${one.name} = ${JSON.stringify(one.value)}`);
      if (one.since === this.data.t) line.className = "changed";
      line.append(make("div", `since ${seconds(one.since)}${one.by ? `, by ${one.by}` : one.port ? ", a port" : ""}`, "quiet"));
      return line;
    });
  }

  drawBoard(data) {
    const key = JSON.stringify([data.recipe, data.subtasks, data.agents, data.troubles, data.ended]);
    if (key === this.boardKey) return;
    this.boardKey = key;
    this.board.replaceChildren(...cards(data, this.acts.moment));
  }

  // A choice between decisions is a line; what was chosen in the end is told in full.
  drawDecisions() {
    const all = this.data.decisions;
    this.none.hidden = all.length > 0;
    const leads = all.map((one, n) => n > 0 && Boolean(one.choose) && all[n - 1].node === `${one.node}/${one.choose}`);
    fill(this.decisions, all.map((one, n) => [one, leads[n]]),
      ([one, leads]) => `${one.n} ${one.node} ${one.choose || ""} ${leads} ${Boolean(this.rules)}`, one => this.decision(...one));
  }

  // What the rules say, once the rest is there.
  async learnRules() {
    this.rules = await ask(`${runPath(this.name)}/rules`).catch(() => ({}));
    this.drawDecisions();
  }

  // Who decided and why, in words, and the condition of the rule that fitted.
  why(one) {
    const own = this.rules?.[nameOf(one.node)], rules = own?.[one.by] || [], rule = rules[one.rule - 1];
    const before = this.data.decisions.find(other => other.n < one.n && other.node === one.node);
    const asked = before?.problem ? "No answer of a model could be used" : "No model was asked";
    if (one.by === "always") return [`A rule that always goes first fitted${asked === "No model was asked" ? ", so no model was asked" : ""}.`, rule];
    if (one.by === "only option") return ["Nothing else was possible, so no model was asked.", ""];
    if (one.by === "fallback") return [`${asked}, and no rule fitted: this is what is done then.`, ""];
    if (one.by === "person") return ["A person chose it.", ""];
    if (one.by !== "offline") return [one.by ? `${one.by} chose it.` : "", ""];
    if (!one.rule) return [`${asked}; it was offered, and its condition held.`, ""];
    if (rule === "true") return [`${asked}; ${one.rule === 1 ? "this is what is always done then" : "no other rule fitted, so this is done"}.`, ""];
    return [`${asked}; rule ${one.rule}${rules.length ? ` of ${rules.length}` : ""} fitted.`, rule];
  }

  // What the chosen option is for, in the words of its file.
  about(one) {
    return (one.choose && this.rules?.[nameOf(one.node)]?.options[one.choose] || "").replace(/\s+/g, " ").trim();
  }

  decision(one, leads) {
    const line = make("li", "", leads ? "leads" : "");
    const [why, rule] = one.choose ? this.why(one) : [one.by ? `by ${one.by}` : "", ""], about = this.about(one);
    const where = make("div", `${seconds(one.t)}  ${leads ? nameOf(one.node) : one.node.split("/").slice(-2).join("/")}`, "quiet");
    where.title = one.node;
    const head = make("div", "", "decision-head");
    head.append(where);
    line.append(head);
    if (leads) where.append(` → ${one.choose}`);
    else if (one.choose) {
      line.append(make("strong", `→ ${one.choose}`));
      if (about) line.append(make("div", about, "about"));
    }
    if (leads) where.title += ` ${why}`;
    else if (why) {
      const words = make("div", why, "quiet why");
      if (rule) words.append(" ", make("code", rule));
      line.append(words);
    }
    if (one.reasoning) line.append(make("div", one.reasoning));
    const chances = Object.entries(one.probabilities || {}).sort((a, b) => b[1] - a[1]);
    if (chances.length) line.append(make("div", chances.map(([name, p]) => `${name} ${p.toFixed(2)}`).join(", "), "quiet"));
    if (one.answer) line.append(make("pre", one.answer));
    if (one.tries) line.append(make("div", `${one.tries} tries`, "quiet"));
    if (one.problem) line.append(make("div", one.problem, "failed"));
    const what = one.choose ? "why" : "prompt", label = one.choose ? "Why, and the prompt" : "Prompt";
    head.append(button(what, `${label} of ${nameOf(one.node)} at ${seconds(one.t)}`, () => this.acts.prompt(this.name, {...one, why, about})));
    return line;
  }
}

const nameOf = path => path.split("/").pop();
const plainPath = node => (node.modifier ? node.path.replace(/:[^/:]*$/, "") : node.path);

// The nodes as the picture takes them. A modifier is drawn with its node, as in the file; what else is
// below it, such as what is done on failure, is below that node.
export function pictured(nodes) {
  const above = [], found = [];
  nodes.forEach((node, number) => {
    above.length = node.depth;
    const up = node.depth ? above[node.depth - 1] : null, path = plainPath(node);
    const same = up !== null && up.modifiers !== null && up.path === path;
    const parent = !up ? -1 : same ? up.parent : up.out >= 0 ? up.out : up.parent;
    const modifiers = same ? up.modifiers : [], name = path.split("/").pop();
    if (node.modifier) {
      above.push({path, parent, out: -1, outer: same ? up : null, modifiers: [...modifiers, [node.kind, number]]});
      return;
    }
    for (let one = same ? up : null; one; one = one.outer) one.out = found.length;
    above.push({path, parent, out: found.length, modifiers: null});
    const kind = node.kind.replaceAll("_", " "), plain = name.replaceAll("_", " ") === kind;
    const words = [plain ? "" : kind, ...modifiers.map(([key]) => key.replaceAll("_", " "))].filter(Boolean);
    found.push({id: node.path, parent, kind: node.kind, label: name, detail: words.join(", "), at: number,
      line: modifiers.length ? modifiers[0][1] : number});
  });
  return found;
}

// The recipe's subtasks that nobody has; for each agent what it does, will do and has done; what went
// wrong. What is empty is left out; a person is there only with work. `go(t)` leads to when it went wrong.
export function cards(data, go) {
  const open = data.subtasks.filter(one => !one.agent && one.status !== "done" && one.status !== "dropped");
  const ready = open.filter(one => one.ready), later = open.filter(one => !one.ready);
  const nobody = data.subtasks.filter(one => !one.agent && one.status === "done");
  const failed = data.subtasks.filter(one => one.status === "failed" && one.reason);
  const done = data.subtasks.filter(one => one.status === "done").length;
  const found = [], groups = make("div", "", "groups");
  const add = (to, title, list, css) => list.length && to.append(group(title, list, css));
  const reasoned = list => list.map(one => `${one.words}: ${one.reason}`);
  add(groups, "Failed", reasoned(failed.filter(one => !one.ready)), "failed");
  add(groups, "Failed, available again", reasoned(failed.filter(one => one.ready)), "failed");
  add(groups, "Available", ready.filter(one => !failed.includes(one)).map(one => one.words), "available");
  add(groups, "Later", later.map(one =>
    one.words + (one.waits_for.length ? ` (after ${one.waits_for.join(", ")})` : "")), "later");
  add(groups, "Completed by somebody", nobody.map(one => one.words), "completed");
  if (data.recipe || data.subtasks.length) {
    const job = make("div", "", "card job");
    const head = make("h3", data.recipe || "Subtasks");
    if (data.subtasks.length) {
      const bar = make("progress"), line = make("span", "", "progress");
      bar.max = data.subtasks.length;
      bar.value = done;
      bar.setAttribute("aria-label", `${done} of ${data.subtasks.length} subtasks are done`);
      line.append(bar, make("span", `${done} of ${data.subtasks.length} done`, "quiet"));
      job.append(head, line);
    } else job.append(head);
    job.append(groups);
    found.push(job);
  }
  const team = make("div", "", "card team");
  for (const [name, agent] of Object.entries(data.agents)) {
    const works = agent.current || agent.queue.length || agent.done.length || agent.failed.length;
    if (agent.person && !works && !agent.stopped) continue;
    const row = make("div", "", `column${agent.stopped ? " halted" : agent.current ? " busy" : ""}`);
    const now = make("div", "", "group current"), rest = make("div", "", "rest");
    const state = agent.unconfirmed ? "did not confirm its stop" : agent.stopped ? "stopped" : "";
    now.append(make("h4", "Current", "hidden"));
    if (state) now.append(make("p", state));
    const free = agent.queue.length ? `next: ${agent.queue[0]}` : agent.steps.length ? agent.steps.join(", ") : "idle";
    if (agent.current || !state) now.append(make("p", agent.current || free, agent.current ? "" : "idle"));
    if (agent.steps.length && (state || agent.current || agent.queue.length)) now.append(words(agent.steps, "steps"));
    add(rest, "Assigned", agent.queue.slice(agent.current || state ? 0 : 1), "assigned");
    add(rest, "Completed", agent.done, "completed");
    add(rest, "Failed", agent.failed, "failed");
    row.append(make("h3", name), now, rest);
    team.append(row);
  }
  if (team.firstChild) found.push(team);
  const wrong = data.troubles || {count: 0, last: []}, missed = data.ended && !data.ended.ok;
  if (wrong.count || missed) found.push(troubles(wrong, missed ? data.ended.reason : "", go));
  return found;
}

export const ENDS = {done: "", idle: "nothing more could happen", deadline: "its time was over", stopped: "it was stopped"};

// What went wrong, the last first; a click goes there. What failed and why are one line.
function troubles({count, last}, end, go) {
  const box = make("div", "", "card wrong"), told = [];
  for (const one of last.toReversed()) {
    const before = told[told.length - 1];
    if (before && before.t === one.t && before.who === one.who && before.parts === 1 && before.text.endsWith(" failed")) {
      before.text += `: ${one.text}`;
      before.parts += 1;
    } else told.push({...one, parts: 1});
  }
  const lines = told.map(one => {
    const line = make("li"), at = make("button", seconds(one.t), "small");
    at.type = "button";
    at.addEventListener("click", () => go(one.t));
    line.append(at, ` ${one.who ? `${one.who}: ` : ""}${one.text}`);
    return line;
  });
  box.append(make("h3", count ? `Went wrong (${count > last.length ? count : lines.length})` : "Not as expected"));
  if (end) box.append(make("p", `The run ended: ${ENDS[end] || end}; not as expected.`, "failed"));
  const list = make("ul");
  list.append(...lines.slice(0, MOST_WORDS));
  box.append(list);
  if (lines.length > MOST_WORDS) {
    const more = make("details", "", "group"), rest = make("ul");
    rest.append(...lines.slice(MOST_WORDS));
    more.append(make("summary", `${lines.length - MOST_WORDS} more`), rest);
    box.append(more);
  }
  return box;
}

// What was said; nothing is measured, which would lay the page out, while nothing new is said.
export function drawTalk(list, talk) {
  const box = list.closest("[role=log]") || list, last = talk[talk.length - 1], key = last ? `${talk.length} ${last.t} ${last.text}` : "";
  if (list.dataset.key === key && list.childElementCount === talk.length) return;
  list.dataset.key = key;
  const bottom = box.scrollTop + box.clientHeight >= box.scrollHeight - 30;
  fill(list, talk, one => `${one.t} ${one.who} ${one.text}`, said => {
    const line = make("li", "", said.who === "assistant" ? "assistant" : "person");
    line.append(make("strong", `${said.who}: `), make("span", said.text), make("span", ` ${seconds(said.t)}`, "quiet"));
    return line;
  });
  if (bottom) box.scrollTop = box.scrollHeight;
}
