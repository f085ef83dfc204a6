// The behaviour tree: foldable, searchable, by mouse and by keyboard (the ARIA pattern of a tree).
// What is folded away is not in the document until it is unfolded, so that trees may be large.
import {make} from "./parts.js";

const marks = {R: ["●", "RUNNING"], S: ["✓", "SUCCESS"], F: ["✗", "FAILURE"], ".": ["·", "INVALID"]};
const MOST_OPEN = 1000;  // nodes that are unfolded at first
const MOST_FOUND = 100;  // nodes that a search unfolds

let lists = 0;

export class Tree {
  constructor(label, choose) {
    this.choose = choose;
    this.element = make("ul", "", "tree");
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", label);
    this.items = [];
    this.statuses = "";
    this.details = {};
    this.focused = null;
    this.wanted = "";
    this.hits = [];
    this.pointed = null;
    this.element.addEventListener("keydown", event => this.key(event));
    this.element.addEventListener("click", event => this.click(event));
  }

  // Only a new tree is built anew; its statuses are changed where they differ.
  show(nodes, statuses, details) {
    const before = this.statuses, old = this.details;
    this.statuses = statuses;
    this.details = details;
    if (nodes) {
      this.build(nodes);
      return;
    }
    this.items.forEach((item, n) => {
      if (item.element && (statuses[n] !== before[n] || details[n] !== old[n])) this.draw(item);
    });
  }

  build(nodes) {
    const open = new Map(this.items.map(item => [item.node.path, item.open]));
    const focused = this.focused && this.focused.node.path;
    const deepest = deepestOpen(nodes), above = [];
    this.items = nodes.map((node, number) => {
      above.length = node.depth;
      const up = above[above.length - 1] || null;
      const item = {node, number, up, below: [], open: false, element: null};
      if (up) up.below.push(item);
      above.push(item);
      return item;
    });
    for (const item of this.items) {
      const kept = open.get(item.node.path);
      item.open = item.below.length > 0 && (kept === undefined ? item.node.depth < deepest : kept);
    }
    this.element.replaceChildren(...this.items.filter(item => !item.up).map(item => this.make(item)));
    this.focused = this.seen().find(item => item.node.path === focused) || this.items[0] || null;
    if (this.focused) this.focused.row.tabIndex = 0;
  }

  // A node's row is what is focused and named; what is below is a list of its own beside it, so that
  // its name is not the text of all that.
  make(item) {
    const element = item.element = make("li");
    item.row = make("span", "", "node");
    item.label = make("span", "", "label");
    item.mark = make("span");
    item.state = make("span", "", "hidden");
    item.detail = make("span", "", "quiet");
    item.mark.setAttribute("aria-hidden", "true");
    item.label.append(item.mark, make("span", ` ${nameOf(item)}`), item.state);
    item.row.append(item.label, item.detail);
    item.row.setAttribute("role", "treeitem");
    item.row.setAttribute("aria-level", item.node.depth + 1);
    item.row.tabIndex = -1;
    element.append(item.row);
    element.setAttribute("role", "none");
    element.dataset.number = item.number;
    if (item.below.length) {
      const fold = make("span", "", "fold");
      fold.setAttribute("aria-hidden", "true");
      element.prepend(fold);
      item.list = make("ul");
      item.list.setAttribute("role", "group");
      item.list.id = `below-${++lists}`;
      item.row.setAttribute("aria-owns", item.list.id);
      element.append(item.list);
      this.fold(item, !item.open);
    }
    this.draw(item);
    return element;
  }

  draw(item) {
    const [mark, words] = this.status(item);
    const detail = this.details[item.number] || "";
    item.mark.textContent = mark;
    item.label.className = `label ${words}${this.fits(item) ? " found" : ""}`;
    item.label.title = this.title(item);
    item.state.textContent = ` ${words.toLowerCase()}`;
    item.detail.textContent = detail && `  ${detail}`;
  }

  status(item) { return marks[this.statuses[item.number]] || marks["."]; }

  title(item) { return `${item.node.kind} ${this.status(item)[1]} ${item.node.path}`; }

  fits(item) { return this.wanted !== "" && this.title(item).toLowerCase().includes(this.wanted); }

  fold(item, folded) {
    if (!item.below.length) return;
    item.open = !folded;
    if (!item.element) return;
    if (!folded && !item.list.firstChild) item.list.append(...item.below.map(one => this.make(one)));
    item.row.setAttribute("aria-expanded", String(!folded));
    item.element.classList.toggle("folded", folded);
  }

  // Unfolds what is above a node, from the top.
  reveal(item) {
    if (!item.up) return;
    this.reveal(item.up);
    if (!item.up.open || !item.element) this.fold(item.up, false);
  }

  // The nodes that are not folded away, in order.
  seen() {
    const found = [], walk = item => {
      found.push(item);
      if (item.open) item.below.forEach(walk);
    };
    this.items.filter(item => !item.up).forEach(walk);
    return found;
  }

  focus(item) {
    if (this.focused && this.focused.element) this.focused.row.tabIndex = -1;
    this.focused = item;
    item.row.tabIndex = 0;
    item.row.focus();
  }

  item(event) {
    const element = event.target.closest("li");
    return element && this.items[element.dataset.number];
  }

  click(event) {
    const item = this.item(event);
    if (!item) return;
    this.focus(item);
    if (event.target.closest(".fold")) this.fold(item, item.open);
    else if (event.target.closest(".label")) this.choose(item.node);
  }

  key(event) {
    const here = this.item(event);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    const seen = this.seen(), at = seen.indexOf(here), folded = here.below.length > 0 && !here.open;
    const next = {
      ArrowDown: seen[at + 1],
      ArrowUp: seen[at - 1],
      Home: seen[0],
      End: seen[seen.length - 1],
      ArrowRight: here.open ? seen[at + 1] : null,
      ArrowLeft: here.open ? null : here.up,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(here.node);
    else if (event.key === "ArrowRight" && folded) this.fold(here, false);
    else if (event.key === "ArrowLeft" && here.open) this.fold(here, true);
    else if (next) this.focus(next);
    else if (!(event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End")) return;
    event.preventDefault();
  }

  // Marks the nodes whose kind, status or path has these words, and unfolds what is above the first;
  // returns their numbers, or null where nothing is looked for.
  find(words) {
    this.wanted = words.trim().toLowerCase();
    this.hits = [];
    for (const item of this.items) {
      const fits = this.fits(item);
      if (item.element) item.label.classList.toggle("found", fits);
      if (fits) this.hits.push(item);
    }
    this.hits.slice(0, MOST_FOUND).forEach(item => this.reveal(item));
    if (this.hits.length) this.hits[0].element.scrollIntoView({block: "nearest"});
    return this.wanted === "" ? null : this.hits.map(item => item.number);
  }

  // Scrolls to a node, which is unfolded for that, and marks it as the one that is looked at.
  point(path) {
    const item = this.items.find(one => one.node.path === path);
    if (this.pointed && this.pointed.element) this.pointed.row.classList.remove("pointed");
    this.pointed = item || null;
    if (!item) return;
    this.reveal(item);
    item.row.classList.add("pointed");
    item.element.scrollIntoView({block: "nearest"});
  }
}

const nameOf = item => item.node.path.split("/").pop();

// How deep nodes are shown at first: all, or so deep that no more than MOST_OPEN are.
function deepestOpen(nodes) {
  const counts = [];
  for (const node of nodes) counts[node.depth] = (counts[node.depth] || 0) + 1;
  let sum = 0, depth = 0;
  while (depth < counts.length && (sum += counts[depth]) <= MOST_OPEN) depth += 1;
  return Math.max(depth - 1, 1);
}
