// The behaviour tree: foldable, searchable, by mouse and by keyboard (the ARIA pattern of a tree).
import {make} from "./parts.js";

const marks = {R: ["●", "RUNNING"], S: ["✓", "SUCCESS"], F: ["✗", "FAILURE"], ".": ["·", "INVALID"]};

export class Tree {
  constructor(label, choose) {
    this.choose = choose;
    this.element = make("ul", "", "tree");
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", label);
    this.items = [];
    this.statuses = "";
    this.details = {};
    this.element.addEventListener("keydown", event => this.key(event));
    this.element.addEventListener("click", event => this.click(event));
  }

  // Only a new tree is built anew; its statuses are changed where they differ.
  show(nodes, statuses, details) {
    if (nodes) this.build(nodes);
    for (let n = 0; n < this.items.length; n++) {
      const detail = details[n] || "";
      if (statuses[n] === this.statuses[n] && detail === (this.details[n] || "")) continue;
      const item = this.items[n], [mark, words] = marks[statuses[n]] || marks["."];
      item.mark.textContent = mark;
      item.label.className = `label ${words}`;
      item.label.title = `${item.node.kind} ${words} ${item.node.path}`;
      item.state.textContent = ` ${words.toLowerCase()}`;
      item.detail.textContent = detail && `  ${detail}`;
    }
    this.statuses = statuses;
    this.details = details;
  }

  build(nodes) {
    const folded = new Set(this.items.filter(one => this.isFolded(one)).map(one => one.node.path));
    const focused = this.items.find(one => one.element.tabIndex === 0);
    const lists = [document.createDocumentFragment()];
    this.statuses = "";
    this.details = {};
    this.items = nodes.map((node, number) => {
      lists.length = node.depth + 1;
      const element = make("li"), label = make("span", "", "label");
      const mark = make("span"), state = make("span", "", "hidden"), detail = make("span", "", "quiet");
      mark.setAttribute("aria-hidden", "true");
      label.append(mark, make("span", ` ${node.path.split("/").pop()}`), state);
      element.append(label, detail);
      element.setAttribute("role", "treeitem");
      element.setAttribute("aria-level", node.depth + 1);
      element.tabIndex = -1;
      element.dataset.number = number;
      if (nodes[number + 1] && nodes[number + 1].depth > node.depth) {
        const below = make("ul");
        below.setAttribute("role", "group");
        element.append(below);
        element.setAttribute("aria-expanded", String(!folded.has(node.path)));
        const fold = make("span", "", "fold");
        fold.setAttribute("aria-hidden", "true");
        element.prepend(fold);
        lists.push(below);
      }
      lists[node.depth].append(element);
      return {node, element, label, mark, state, detail};
    });
    this.element.replaceChildren(lists[0]);
    const again = focused && this.items.find(one => one.node.path === focused.node.path);
    if (this.items.length) (again || this.items[0]).element.tabIndex = 0;
  }

  isFolded(item) { return item.element.getAttribute("aria-expanded") === "false"; }

  fold(element, folded) {
    if (element.hasAttribute("aria-expanded")) element.setAttribute("aria-expanded", String(!folded));
  }

  focus(element) {
    for (const item of this.element.querySelectorAll('[tabindex="0"]')) item.tabIndex = -1;
    element.tabIndex = 0;
    element.focus();
  }

  click(event) {
    const element = event.target.closest("li");
    if (!element) return;
    this.focus(element);
    if (event.target.closest(".fold")) {
      this.fold(element, element.getAttribute("aria-expanded") === "true");
    } else if (event.target.closest(".label")) {
      this.choose(this.items[element.dataset.number].node);
    }
  }

  key(event) {
    const here = event.target.closest("li");
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    const seen = this.items.map(one => one.element).filter(one => one.offsetParent !== null);
    const at = seen.indexOf(here), open = here.getAttribute("aria-expanded");
    const above = here.parentElement.closest("li");
    const next = {
      ArrowDown: seen[at + 1],
      ArrowUp: seen[at - 1],
      Home: seen[0],
      End: seen[seen.length - 1],
      ArrowRight: open === "true" ? seen[at + 1] : null,
      ArrowLeft: open === "true" ? null : above,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(this.items[here.dataset.number].node);
    else if (event.key === "ArrowRight" && open === "false") this.fold(here, false);
    else if (event.key === "ArrowLeft" && open === "true") this.fold(here, true);
    else if (next) this.focus(next);
    else if (!(event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End")) return;
    event.preventDefault();
  }

  // Marks the nodes whose kind, status or path has these words, and unfolds what is above them.
  find(words) {
    const wanted = words.trim().toLowerCase();
    let first = null;
    for (const item of this.items) {
      const fits = wanted !== "" && item.label.title.toLowerCase().includes(wanted);
      item.label.classList.toggle("found", fits);
      if (!fits) continue;
      first = first || item.element;
      for (let up = item.element.parentElement.closest("li"); up; up = up.parentElement.closest("li")) {
        this.fold(up, false);
      }
    }
    if (first) first.scrollIntoView({block: "nearest"});
  }
}
