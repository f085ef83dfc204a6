// The behaviour tree as a list: foldable, searchable, by mouse and by keyboard (the ARIA pattern of a tree).
// Rows have one height; only those near the view are in the document, so that trees may be large.
import {make} from "./parts.js";

const marks = {R: ["●", "RUNNING"], S: ["✓", "SUCCESS"], F: ["✗", "FAILURE"], ".": ["·", "INVALID"]};
const MOST_OPEN = 1000;  // nodes that are unfolded at first
const MOST_FOUND = 100;  // nodes that a search unfolds
const ROW = 20, STEP = 13, LEFT = 8;  // height of a row, width of a level, left edge: pixels
const MORE = 60, AT_FIRST = 40;  // rows made above and below the view; rows of a view that has no size yet

export class Tree {
  constructor(label, choose) {
    this.choose = choose;
    this.element = make("ul", "", "tree");
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", label);
    this.space = make("li", "", "space");  // as high as all rows
    this.space.setAttribute("role", "none");
    this.items = [];
    this.rows = [];  // those that are not folded away, in order
    this.drawn = new Set();
    this.top = this.height = 0;
    this.statuses = "";
    this.details = {};
    this.focused = null;
    this.wanted = "";
    this.hits = [];
    this.pointed = null;
    this.element.addEventListener("keydown", event => this.key(event));
    this.element.addEventListener("click", event => this.click(event));
    this.element.addEventListener("scroll", () => {
      this.top = this.element.scrollTop;
      this.render();
    }, {passive: true});
    new ResizeObserver(([{contentRect}]) => {
      this.height = contentRect.height;
      this.render();
    }).observe(this.element);
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
    for (const item of this.drawn) {
      const n = item.number;
      if (statuses[n] !== before[n] || details[n] !== old[n]) this.draw(item);
    }
  }

  build(nodes) {
    const open = new Map(this.items.map(item => [item.node.path, item.open]));
    const focused = this.focused && this.focused.node.path;
    const deepest = deepestOpen(nodes), above = [];
    this.roots = 0;
    this.items = nodes.map((node, number) => {
      above.length = node.depth;
      const up = above[above.length - 1] || null;
      const item = {node, number, up, below: [], open: false, element: null, at: -1, place: 0};
      item.place = up ? up.below.push(item) : this.roots += 1;
      above.push(item);
      return item;
    });
    for (const item of this.items) {
      const kept = open.get(item.node.path);
      item.open = item.below.length > 0 && (kept === undefined ? item.node.depth < deepest : kept);
    }
    this.drawn.clear();
    this.element.replaceChildren(this.space);
    this.focused = null;
    this.list();
    this.focused = this.rows.find(item => item.node.path === focused) || this.rows[0] || null;
    if (this.focused && this.focused.element) this.focused.row.tabIndex = 0;
  }

  // Finds the rows anew.
  list() {
    for (const item of this.rows) item.at = -1;
    this.rows = [];
    for (let n = 0, skip = Infinity; n < this.items.length; n += 1) {
      const item = this.items[n];
      if (item.node.depth > skip) continue;
      skip = item.open ? Infinity : item.node.depth;
      item.at = this.rows.push(item) - 1;
    }
    this.space.style.height = `${this.rows.length * ROW}px`;
    this.from = this.to = -1;
    this.render();
  }

  // Makes the rows near the view; the one that is focused stays wherever it is.
  render() {
    const count = this.rows.length, first = Math.floor(this.top / ROW);
    const last = Math.min(first + (Math.ceil(this.height / ROW) || AT_FIRST), count);
    if (this.from >= 0 && Math.min(first, count) >= this.from && last <= this.to) return;
    this.from = Math.max(Math.min(first, count) - MORE, 0);
    this.to = Math.min(last + MORE, count);
    const wanted = this.rows.slice(this.from, this.to), kept = this.focused;
    if (kept && kept.at >= 0 && kept.at < this.from) wanted.unshift(kept);
    if (kept && kept.at >= this.to) wanted.push(kept);
    const now = new Set(wanted);
    for (const item of this.drawn) {
      if (now.has(item)) continue;
      item.element.remove();
      item.element = null;
    }
    this.drawn = now;
    let next = this.space.nextSibling;
    for (const item of wanted) {
      if (!item.element) this.make(item);
      item.element.style.top = `${item.at * ROW}px`;
      if (item.element === next) next = next.nextSibling;
      else this.element.insertBefore(item.element, next);
    }
  }

  // A node's row is what is focused and named.
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
    item.row.setAttribute("aria-posinset", item.place);
    item.row.setAttribute("aria-setsize", item.up ? item.up.below.length : this.roots);
    item.row.tabIndex = item === this.focused ? 0 : -1;
    item.row.classList.toggle("pointed", item === this.pointed);
    element.append(item.row);
    element.setAttribute("role", "none");
    element.dataset.number = item.number;
    element.style.paddingLeft = `${LEFT + STEP * (item.node.depth + 1)}px`;
    if (item.below.length) {
      const fold = make("span", "", "fold");
      fold.setAttribute("aria-hidden", "true");
      fold.style.left = `${LEFT + STEP * item.node.depth}px`;
      element.prepend(fold);
      this.turn(item);
    }
    this.draw(item);
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

  turn(item) {
    item.row.setAttribute("aria-expanded", String(item.open));
    item.element.classList.toggle("folded", !item.open);
  }

  status(item) { return marks[this.statuses[item.number]] || marks["."]; }

  title(item) { return `${item.node.kind} ${this.status(item)[1]} ${item.node.path}`; }

  fits(item) { return this.wanted !== "" && this.title(item).toLowerCase().includes(this.wanted); }

  fold(item, folded) {
    if (!item.below.length || item.open === !folded) return;
    item.open = !folded;
    if (item.element) this.turn(item);
    this.list();
  }

  // Unfolds what is above nodes.
  reveal(...items) {
    let changed = false;
    for (const item of items) {
      for (let up = item.up; up; up = up.up) {
        if (up.open) continue;
        up.open = changed = true;
        if (up.element) this.turn(up);
      }
    }
    if (changed) this.list();
  }

  focus(item) {
    if (this.focused && this.focused.element) this.focused.row.tabIndex = -1;
    this.focused = item;
    this.from = -1;
    this.render();
    item.row.tabIndex = 0;
    item.row.focus();
  }

  // Scrolls to a row, by as little as that takes.
  bring(item) {
    const y = item.at * ROW;
    if (y < this.top || !this.height) this.element.scrollTop = y;
    else if (y + ROW > this.top + this.height) this.element.scrollTop = y + ROW - this.height;
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
    const seen = this.rows, at = here.at, folded = here.below.length > 0 && !here.open;
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
    this.reveal(...this.hits.slice(0, MOST_FOUND));
    if (this.hits.length) this.bring(this.hits[0]);
    return this.wanted === "" ? null : this.hits.map(item => item.number);
  }

  // Scrolls to a node, which is unfolded for that, and marks it as the one that is looked at.
  point(path) {
    const item = this.items.find(one => one.node.path === path);
    if (this.pointed && this.pointed.element) this.pointed.row.classList.remove("pointed");
    this.pointed = item || null;
    if (!item) return;
    this.reveal(item);
    if (item.element) item.row.classList.add("pointed");
    this.bring(item);
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
