// A tree is edited: what can be added on the left, the picture, what the chosen node has on the right,
// what the check says and how the file changes below. The server makes each edit in the file's text.
import {ask, button, make, part, post} from "./parts.js";

const ORDER = ["control", "condition", "skill", "tree", "decision", "program"];  // groups of the palette, then others
const HELP = "Drag nodes and what is on the left. Keys on a chosen node: a adds, w wraps, Delete deletes, Alt and arrows move it, Ctrl+Z takes back, Ctrl+S saves.";
const MOST = 1500;  // characters of an address in which a value is completed

export class TreeEditor {
  // `tell(error or text)` shows a message, `closed()` is called when it is left.
  constructor(tell, closed) {
    this.tell = tell;
    this.closed = closed;
    this.state = null;
    this.chosen = "";
    this.waiting = Promise.resolve();
    this.element = make("section", "", "editor");
    this.element.setAttribute("aria-label", "Edit a tree");
    this.element.hidden = true;
    this.files = make("select");
    this.files.setAttribute("aria-label", "Tree");
    this.files.addEventListener("change", () => this.safely(() => this.open(this.files.value).catch(error => {
      this.files.value = this.state?.file ?? "";  // what is shown is what is edited
      throw error;
    })));
    this.undo = button("Undo", "Undo", () => this.apply({op: "undo"}));
    this.redo = button("Redo", "Redo", () => this.apply({op: "redo"}));
    this.discard = button("Discard", "Discard all edits", () => this.safely(() => this.drop()));
    this.saves = button("Save", "Save", () => this.safely(() => this.save()));
    this.saves.classList.add("main");
    this.count = make("output", "", "quiet");
    const bar = make("div", "", "editor-bar");
    bar.append(this.files, this.undo, this.redo, this.discard, this.saves, this.count,
      button("Back to the runs", "Back to the runs", () => this.close()));
    this.filter = make("input");
    this.filter.type = "search";
    this.filter.placeholder = "Add a node";
    this.filter.setAttribute("aria-label", "Add a node: filter");
    this.filter.addEventListener("input", () => this.drawPalette());
    this.filter.addEventListener("keydown", event => {
      const first = this.list.querySelector("button");
      if (event.key === "Enter" && first) first.click();
      if (event.key === "Escape") this.canvas.querySelector(".picture").focus();
    });
    this.list = make("div", "", "palette");
    const left = make("div", "", "editor-left");
    left.append(this.filter, this.list);
    this.canvas = make("div", "", "canvas");
    this.right = make("div", "", "editor-right");
    this.below = make("div", "", "editor-below");
    this.problems = make("ul", "", "problems");
    this.problems.setAttribute("aria-label", "What the check says");
    this.diff = make("pre", "", "diff");
    this.diff.tabIndex = 0;
    this.diff.setAttribute("aria-label", "How the file changes");
    this.below.append(this.problems, this.diff);
    this.element.append(bar, left, this.canvas, this.right, this.below);
  }

  safely(work) {
    this.waiting = this.waiting.then(work).then(() => this.tell(null)).catch(error => {
      this.tell(error);
      if (this.state) this.draw(this.state);  // what was dragged goes back
    });
    return this.waiting;
  }

  async start(file) {
    const found = await ask("edit/files");
    this.files.replaceChildren(...found.map(one => {
      const made = make("option", one.problem || `${one.tree}${one.edited ? " *" : ""} (${one.file})`);
      made.value = one.file;
      made.disabled = Boolean(one.problem);
      return made;
    }));
    const broken = found.filter(one => one.problem);
    if (broken.length && broken.length === found.length) {
      this.close();
      throw new Error(broken.map(one => one.problem).join("; "));
    }
    if (!found.length) {
      this.close();
      throw new Error("This library has no tree that can be edited: a tree is a file, NAME.tree.yaml, with tree: and root:.");
    }
    this.element.hidden = false;
    await this.open(file && found.some(one => one.file === file && !one.problem) ? file : found[0].file);
    if (broken.length) this.tell(broken.map(one => one.problem).join("; "));
  }

  close() {
    this.element.hidden = true;
    this.closed();
  }

  async open(file) {
    this.files.value = file;
    const offers = await ask(`edit/palette?${new URLSearchParams({file})}`);
    const state = await ask(`edit/tree?${new URLSearchParams({file})}`), {mount} = await import("./picture.js");
    this.chosen = "";
    this.offers = offers;
    this.drawPalette();
    this.picture?.unmount();  // another tree is drawn from its beginning
    this.picture = mount(this.canvas, {
      label: `Picture of the tree that is edited. ${HELP}`,
      choose: id => this.safely(() => this.choose(id)),
      act: () => this.right.querySelector("input, textarea")?.focus(),
      editing: {
        drop: (id, made, target, where) =>
          this.apply(id === null ? {op: "add", make: made, target, where} : {op: "move", id, target, where}),
        order: (what, id) => this.order(what, id),
      },
    });
    await this.take(state);
  }

  apply(op) {
    if (!this.state) return this.waiting;
    return this.safely(() => this.send("do", op));
  }

  // Of a text that another page or an editor has changed meanwhile nothing is edited: it is shown as it is.
  async send(what, op) {
    const {file, version} = this.state;
    try {
      await this.take(await post(`edit/${what}`, {file, version, ...op}));
    } catch (error) {
      const now = await ask(`edit/tree?${new URLSearchParams({file})}`);
      if (now.version !== version || now.gone) await this.take(now);
      throw error;
    }
  }

  async save() {
    if (!this.state) return;
    const {file, version} = this.state;
    const now = await ask(`edit/tree?${new URLSearchParams({file})}`).catch(() => this.state);  // as it was, and deleted
    if (now.version === version) this.state.gone = now.gone;
    if (this.state.gone) this.sure("save", `${file} was deleted meanwhile. Save again to write it as a new file.`);
    else if (this.state.problems.some(one => one.severity === "error")) {
      this.sure("save", "The check finds errors; a run would not take this up. Save again to save it all the same.");
    }
    await this.send("save", {as_new: this.state.gone});
  }

  async drop() {
    if (!this.state.gone) return this.send("do", {op: "discard"});
    this.sure("discard", `${this.state.file} was deleted: this draft is all there is of it. Discard again to lose it.`);
    await post("edit/do", {file: this.state.file, op: "discard"}).catch(() => null);  // there is no such tree then
    await this.start();
  }

  // What is asked once of a text; throws the question.
  sure(what, question) {
    const asked = what + question + this.state.version;
    if (this.asked === asked) return;
    this.asked = asked;
    throw new Error(question);
  }

  // The tree and the node's fields are drawn at once: what is typed into fields would go with later ones.
  async take(state) {
    this.state = state;
    const there = id => state.nodes.some(one => one.id === id);
    const id = state.chosen && there(state.chosen) ? state.chosen : there(this.chosen) ? this.chosen : state.nodes[0].id;
    const found = await this.ask(id);
    if (this.state !== state) return;
    this.draw(state);
    this.drawNode(id, found);
    this.picture.choose(id);
  }

  draw(state) {
    this.picture.tree(state.nodes, state.drawings);
    this.picture.problems(new Map(state.problems.filter(one => one.id).map(one => [one.id, one.message])));
    this.undo.disabled = !state.undo;
    this.redo.disabled = !state.redo;
    this.saves.disabled = this.discard.disabled = !state.edited && !state.gone;
    const errors = state.problems.length;
    this.count.textContent = `${state.nodes.length} nodes, ${errors ? `${errors} ${errors === 1 ? "problem" : "problems"}` : "nothing is wrong"}`;
    if (state.gone) this.count.textContent += ", its file was deleted";
    this.count.className = errors || state.gone ? "failed" : "quiet";
    this.problems.replaceChildren(...state.problems.map(one => {
      const line = make("li", "", one.severity === "error" ? "failed" : "");
      const go = button(`line ${one.line}`, `line ${one.line}: go to the node`, () => this.picture.choose(one.id));
      line.append(go, make("span", ` ${one.message} `), make("span", one.code, "quiet"));
      return line;
    }));
    this.diff.replaceChildren(...state.diff.slice(2).map(text =>
      make("span", `${text}\n`, {"+": "plus", "-": "minus", "@": "quiet"}[text[0]] || "")));
    if (!state.diff.length) this.diff.textContent = "The file is as it was saved.";
  }

  ask(id) {
    return ask(`edit/node?${new URLSearchParams({file: this.state.file, id})}`);
  }

  async choose(id) {
    if (id === this.chosen && this.shown === this.state) return;
    this.chosen = id;
    if (!id) {
      this.shown = this.state;
      this.right.replaceChildren(make("p", HELP, "quiet"));
      return;
    }
    const state = this.state, found = await this.ask(id);
    if (this.chosen === id && this.state === state) this.drawNode(id, found);
  }

  drawNode(id, found) {
    const node = this.state.nodes.find(one => one.id === id);
    this.chosen = id;
    this.shown = this.state;
    const rows = found.keys.map(one => this.row(node, one));
    const more = make("select");
    more.setAttribute("aria-label", "Add a key");
    more.append(...["", ...found.more.map(one => one.key)].map(key => {
      const made = make("option", key ? key.replace("with/", "with ") : "Add a key …");
      made.value = key;
      return made;
    }));
    more.addEventListener("change", () => {
      const one = found.more.find(other => other.key === more.value);
      if (!one) return;
      const line = this.row(node, {...one, value: ""});
      more.before(line);
      line.querySelector("input").focus();
    });
    const around = make("select");
    around.setAttribute("aria-label", "Wrap in");
    around.append(...["", ...this.state.around].map(key => {
      const made = make("option", key ? key.replaceAll("_", " ") : "Wrap in …");
      made.value = key;
      return made;
    }));
    around.addEventListener("change", () => around.value && this.apply({op: "wrap", id: node.id, key: around.value}));
    const acts = make("p", "", "actions");
    acts.append(around, button("Unwrap", "Unwrap: its only child takes its place", () => this.apply({op: "unwrap", id: node.id})));
    if (!node.fixed) acts.append(button("Delete", `Delete ${node.label}`, () => this.order("delete", node.id)));
    const wrong = this.state.problems.filter(one => one.id === node.id).map(one => make("p", one.message, "failed"));
    this.right.replaceChildren(make("h3", node.label), make("p", `${this.state.file}${found.line ? `, line ${found.line}` : ""}`, "quiet"),
      ...wrong, make("p", found.about), ...rows, ...(found.more.length ? [more] : []), acts, make("p", HELP, "quiet"));
  }

  // A key and its value in a field, which completes what the check knows.
  row(node, one) {
    const isLong = one.value.trim().includes("\n"), list = make("datalist");
    const line = make("label", "", "value"), field = make(isLong ? "textarea" : "input");
    field.value = one.value;
    field.dir = "auto";
    field.spellcheck = false;
    field.autocomplete = "off";
    list.id = `values-${one.key}`;
    if (isLong) field.rows = 4;
    else field.setAttribute("list", list.id);
    line.title = one.about;
    const complete = () => this.safely(async () => {
      const query = new URLSearchParams({file: this.state.file, id: node.id, key: one.key, value: field.value});
      if (isLong || `${query}`.length > MOST) return;
      const items = await ask(`edit/complete?${query}`);
      list.replaceChildren(...items.slice(0, 50).map(item => {
        const made = make("option", [item.detail, item.about].filter(Boolean).join(": "));
        made.value = item.text;
        return made;
      }));
    });
    let timer = 0;
    field.addEventListener("focus", complete);
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(complete, 250);
    });
    field.addEventListener("change", () => {
      clearTimeout(timer);
      this.apply({op: "set", id: node.id, key: one.key, value: field.value});
    });
    line.append(make("span", one.key.replace("with/", "")), field, list);
    return line;
  }

  order(what, id) {
    const nodes = this.state.nodes, number = nodes.findIndex(one => one.id === id), node = nodes[number];
    const row = nodes.filter(one => node && one.parent === node.parent), at = row.indexOf(node);
    if (what === "undo" || what === "redo") this.apply({op: what});
    else if (what === "save") this.safely(() => this.saves.disabled || this.save());
    else if (!node) return;
    else if (what === "delete") this.apply({op: "delete", id});
    else if (what === "wrap") this.right.querySelector("[aria-label='Wrap in']")?.focus();
    else if (what === "add") this.filter.select();
    else if (what === "up" && at > 0) this.apply({op: "move", id, target: row[at - 1].id, where: "before"});
    else if (what === "down" && at + 1 < row.length) this.apply({op: "move", id, target: row[at + 1].id, where: "after"});
  }

  drawPalette() {
    const wanted = this.filter.value.trim().toLowerCase(), groups = new Map();
    const rank = one => (one.name.startsWith(wanted) ? 0 : one.name.includes(wanted) ? 1 : 2);
    for (const one of (this.offers || []).toSorted((a, b) => rank(a) - rank(b))) {
      if (!`${one.name} ${one.group} ${one.about}`.toLowerCase().includes(wanted)) continue;
      if (!groups.has(one.group)) groups.set(one.group, []);
      groups.get(one.group).push(one);
    }
    const place = name => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
    const first = ([one, [best]], [other, [next]]) => rank(best) - rank(next) || place(one) - place(other);
    this.list.replaceChildren(...[...groups].sort(first).map(([name, offers]) => {
      const box = make("div");
      box.append(make("h4", name), ...offers.map(one => {
        const made = make("button", one.name.replaceAll("_", " "), "offer");
        made.type = "button";
        made.dir = "auto";
        made.title = one.about || one.make;
        made.draggable = true;
        made.addEventListener("dragstart", event => event.dataTransfer.setData("application/x-treec", one.make));
        made.addEventListener("click", () => {
          const target = this.state.nodes.find(other => other.id === this.chosen) || this.state.nodes[0];
          this.apply({op: "add", make: one.make, target: target.id, where: target.holds ? "into" : "after"});
          this.canvas.querySelector(".picture").focus();
        });
        return made;
      }));
      return box;
    }));
  }
}
