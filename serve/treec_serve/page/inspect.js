// What there is to know of a node that was chosen: what it does, its history and values, its file, its
// prompt; in the run of this process a breakpoint and a mock.
import {ask, button, make, runPath, seconds, tabled} from "./parts.js";

const WORDS = {R: "RUNNING", S: "SUCCESS", F: "FAILURE", ".": "INVALID"};
const MOST = 60;  // statuses and values that are listed

export class Inspector {
  // `acts`: node(node), prompt(decision), moment(t), debug(did, about) or null where nothing is debugged.
  constructor(name, acts) {
    this.name = name;
    this.acts = acts;
    this.path = "";
    this.element = make("div", "", "inspector");
    this.head = make("div", "", "inspector-head");
    this.history = make("div");
    this.values = make("div");
    this.made = make("div");
    this.element.append(this.head, this.values, this.made, this.history);
    this.asked = "";
  }

  show(data, nodes, path) {
    const number = nodes.findIndex(one => one.path === path), node = nodes[number];
    this.path = node ? path : "";
    if (!node) {
      this.head.replaceChildren(make("p", "Choose a node in the picture.", "quiet"));
      for (const one of [this.history, this.values, this.made]) one.replaceChildren();
      return;
    }
    const status = WORDS[data.statuses[number]], name = path.split("/").pop();
    const actions = make("p", "", "actions"), live = this.acts.live();
    actions.append(button("YAML", `YAML of ${name}`, () => this.acts.node(node)));
    if (live) {
      const at = live.pause_at.includes(path);
      actions.append(button(at ? "no breakpoint" : "breakpoint", `${at ? "no breakpoint" : "breakpoint"} at ${name}`,
        () => this.acts.debug("pause at", at ? "" : path)));
      const mock = live.mocks.find(one => one.replace(/=[^=]*$/, "") === path);
      if (mock) actions.append(button("put back", `Put back ${name}`, () => this.acts.debug("inject", `unmock ${path}`)));
      else {
        for (const [letter, words] of [["S", "succeeds"], ["F", "fails"]]) {
          actions.append(button(`mock: ${words}`, `mock: ${words}: ${name}`,
            () => this.acts.debug("inject", `mock ${path}=${letter}`)));
        }
      }
    }
    this.head.replaceChildren(make("h3", name), make("div", path, "quiet"),
      make("div", `${data.kinds[node.kind]?.words || node.kind}: ${status}`, status),
      ...(data.details[number] ? [make("div", data.details[number])] : []), actions);
    const own = data.values.filter(one => one.by === path || path === one.tree || path.startsWith(`${one.tree}/`));
    this.values.replaceChildren(...(own.length ? [make("h4", "Values"), tabled(own.slice(0, MOST).map(one =>
      [`${one.tree === path ? "" : `${one.tree.split("/").pop()}.`}${one.name}`, JSON.stringify(one.value), seconds(one.since)]))] : []));
    const decisions = data.decisions.filter(one => one.node === path).slice(0, 5);
    this.made.replaceChildren(...(decisions.length ? [make("h4", "Decisions"), ...decisions.map(one => {
      const line = make("p", `${seconds(one.t)} ${one.choose ? `→ ${one.choose}` : one.problem || "answered"} `);
      line.append(button(one.choose ? "why" : "prompt", `${one.choose ? "Why, and the prompt" : "Prompt"} of ${name} at ${seconds(one.t)}, here`, () => this.acts.prompt(one)));
      return line;
    })] : []));
    const key = `${path} ${data.n}`;
    if (key === this.asked) return;
    this.asked = key;
    this.drawHistory(key, data.n);
  }

  async drawHistory(key, n) {
    const found = await ask(`${runPath(this.name)}/history?${new URLSearchParams({path: this.path, n})}`);
    if (key !== this.asked) return;
    const list = make("ol", "", "history");
    for (const one of found.statuses.slice(-MOST).reverse()) {
      const line = make("li"), go = button(`${seconds(one.t)}`, `Go to ${seconds(one.t)}`, () => this.acts.moment(one.t));
      line.append(go, make("span", ` ${one.status}`, one.status));
      list.append(line);
    }
    this.history.replaceChildren(make("h4", `History (${found.count})`), list);
  }
}
