// One run at one moment: the recipe and who does what, the tree, decisions, facts, timelines.
import {fill, make, runPath, seconds} from "./parts.js";
import {timeline, timelineText} from "./timeline.js";
import {Tree} from "./tree.js";

let views = 0;

function panel(title, css, ...content) {
  const id = `panel-${++views}`, section = make("section", "", css), head = make("h2", title);
  head.id = id;
  section.setAttribute("aria-labelledby", id);
  section.append(head, ...content);
  return section;
}

function words(list, css = "") {
  const found = make("ul", "", css);
  found.append(...list.map(text => make("li", text)));
  return found;
}

function group(title, list, css) {
  const made = make("div", "", `group ${css}`);
  made.append(make("h4", `${title} (${list.length})`), words(list));
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

export class RunView {
  // `acts` has what a click does: node(run, node), nodes(run, data), prompt(run, decision).
  constructor(name, acts, own) {
    this.name = name;
    this.treeNumber = -1;
    this.n = 0;
    this.data = null;
    this.end = 0;
    this.tree = new Tree(`Behaviour tree of ${name}`, node => acts.node(name, node));
    this.acts = acts;
    const search = make("input");
    search.type = "search";
    search.placeholder = "Search";
    search.setAttribute("aria-label", "Search nodes");
    search.addEventListener("input", () => this.tree.find(search.value));
    const ticks = make("button", "Ticks", "small");
    ticks.type = "button";
    ticks.setAttribute("aria-label", "Ticks of nodes");
    ticks.addEventListener("click", () => this.data && acts.nodes(name, this.data));
    this.board = make("div", "", "board");
    this.decisions = make("ol");
    this.facts = make("ul");
    this.values = make("ul");
    const named = make("input");
    named.type = "search";
    named.placeholder = "Filter";
    named.setAttribute("aria-label", "Filter variables and ports");
    named.addEventListener("input", () => {
      this.named = named.value;
      this.drawValues();
    });
    this.named = "";
    this.times = make("div");
    this.talk = make("ol");
    this.title = make("h2", "", "title");
    this.element = make("article", "", "run");
    this.element.setAttribute("aria-label", `Run ${name}`);
    const more = make("div", "", "more");
    more.append(panel("Decisions", "decisions", this.decisions), panel("Facts", "facts", this.facts),
      panel("Variables and ports", "values", named, this.values));
    const lower = make("div", "", "lower");
    lower.append(panel("Tree", "nodes", search, " ", ticks, this.tree.element), more);
    this.film = new Film(name);
    const moving = make("div", "", "moving");
    moving.append(panel("Timelines", "times", this.times), this.film.element);
    this.element.append(
      this.title,
      panel("Recipe", "recipe", this.board),
      moving,
      ...(own ? [] : [panel("Talk", "said", this.talk)]),
      lower,
    );
  }

  query(moment) {
    return new URLSearchParams({moment, tree: this.treeNumber});
  }

  show(data, end, title = "") {
    this.data = data;
    this.n = data.n;
    this.treeNumber = data.tree;
    this.title.textContent = title;
    this.title.hidden = !title;
    this.tree.show(data.nodes, data.statuses, data.details);
    this.drawBoard(data);
    fill(this.decisions, data.decisions, one => String(one.n) + one.node + (one.choose || ""), one => this.decision(one));
    fill(this.facts, data.facts, one => JSON.stringify(one), one =>
      make("li", `${one.fact}${one.args.length ? `(${one.args.join(", ")})` : ""} = ${JSON.stringify(one.value)}`));
    this.drawValues();
    drawTalk(this.talk, data.talk);
    this.drawTimes(end);
    this.film.show(data.film ? data.t : null, data.seconds);
  }

  // Newest first: what has changed at this moment is marked.
  drawValues() {
    const found = (this.data ? this.data.values : [])
      .filter(one => `${one.tree}.${one.name}`.includes(this.named))
      .sort((one, other) => other.since - one.since);
    fill(this.values, found, one => JSON.stringify([one, one.since === this.data.t]), one => {
      const line = make("li", `${one.tree}.${one.name} = ${JSON.stringify(one.value)}`);
      if (one.since === this.data.t) line.className = "changed";
      line.append(make("div", `since ${seconds(one.since)}${one.by ? `, by ${one.by}` : one.port ? ", a port" : ""}`, "quiet"));
      return line;
    });
  }

  drawTimes(end) {
    const key = JSON.stringify([this.data.timeline, end]);
    if (key === this.timesKey) return;
    this.timesKey = key;
    this.times.replaceChildren(timeline(this.data.timeline, end), timelineText(this.data.timeline));
  }

  drawBoard(data) {
    const key = JSON.stringify([data.recipe, data.subtasks, data.agents]);
    if (key === this.boardKey) return;
    this.boardKey = key;
    this.board.replaceChildren(...columns(data));
  }

  decision(one) {
    const line = make("li");
    line.append(make("div", `${seconds(one.t)}  ${one.node}`, "quiet"));
    if (one.choose) line.append(make("strong", `→ ${one.choose}`));
    line.append(make("span", ` by ${one.by || "?"}`, "quiet"));
    if (one.reasoning) line.append(make("div", one.reasoning));
    const chances = Object.entries(one.probabilities || {}).sort((a, b) => b[1] - a[1]);
    if (chances.length) line.append(make("div", chances.map(([name, p]) => `${name} ${p.toFixed(2)}`).join(", "), "quiet"));
    if (one.answer) line.append(make("pre", one.answer));
    if (one.tries) line.append(make("div", `${one.tries} tries`, "quiet"));
    if (one.problem) line.append(make("div", one.problem, "failed"));
    const button = make("button", "prompt", "small");
    button.type = "button";
    button.setAttribute("aria-label", `Prompt of ${one.node.split("/").pop()} at ${seconds(one.t)}`);
    button.addEventListener("click", () => this.acts.prompt(this.name, one));
    line.append(" ", button);
    return line;
  }
}

// The recipe's subtasks that nobody has, then each agent's: what it does, will do and has done.
export function columns(data) {
  const open = data.subtasks.filter(one => !one.agent && one.status !== "done" && one.status !== "dropped");
  const ready = open.filter(one => one.ready), later = open.filter(one => !one.ready);
  const nobody = data.subtasks.filter(one => !one.agent && one.status === "done");
  const team = make("div", "", "column");
  team.append(make("h3", data.recipe || "No recipe"),
    group("Available", ready.map(one => one.words), "available"),
    group("Later", later.map(one =>
      one.words + (one.waits_for.length ? ` (after ${one.waits_for.join(", ")})` : "")), "later"));
  if (nobody.length) team.append(group("Completed by somebody", nobody.map(one => one.words), "completed"));
  const failed = data.subtasks.filter(one => one.status === "failed");
  if (failed.length) {
    team.append(group("Failed", failed.map(one => one.words + (one.reason && `: ${one.reason}`)), "failed"));
  }
  const own = Object.entries(data.agents).map(([name, agent]) => {
    const column = make("div", "", agent.stopped ? "column halted" : "column");
    column.append(make("h3", agent.unconfirmed ? `${name}: did not confirm its stop`
      : agent.stopped ? `${name}: stopped` : name));
    const now = make("div", "", "group current");
    now.append(make("h4", "Current"), make("p", agent.current || "nothing"));
    if (agent.steps.length) now.append(words(agent.steps, "steps"));
    column.append(now, group("Assigned", agent.queue, "assigned"), group("Completed", agent.done, "completed"));
    return column;
  });
  return [team, ...own];
}

export function drawTalk(list, talk) {
  const box = list.closest("[role=log]") || list;
  const bottom = box.scrollTop + box.clientHeight >= box.scrollHeight - 30;
  fill(list, talk, one => `${one.t} ${one.who} ${one.text}`, said => {
    const line = make("li", "", said.who === "assistant" ? "assistant" : "person");
    line.append(make("strong", `${said.who}: `), make("span", said.text), make("span", ` ${seconds(said.t)}`, "quiet"));
    return line;
  });
  if (bottom) box.scrollTop = box.scrollHeight;
}
