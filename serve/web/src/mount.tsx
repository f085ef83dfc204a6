// What the page uses: a picture in one of its elements.
import {createRoot} from "react-dom/client";
import {ReactFlowProvider} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import "./picture.css";
import {link, openAtFirst} from "./model";
import type {Direction, Drawings, Item, TreeNode} from "./model";
import {Picture} from "./picture";
import type {Editing} from "./picture";
import {Statuses} from "./status";

export interface Options {
  label: string;
  choose?(id: string): void;  // "": nothing is chosen any more
  act?(id: string): void;  // Enter or a double click
  editing?: Editing;
}

const MOST_FOUND = 20;  // nodes that a search unfolds
let direction: Direction = "right";

export function mount(element: HTMLElement, options: Options) {
  const root = createRoot(element), store = new Statuses();
  let items: Item[] = [], drawings: Drawings = {}, open = new Set<string>(), chosen = "", count = 0, goTo = {id: "", count: 0};

  function choose(id: string) {
    if (id === chosen) return;
    chosen = id;
    store.choose(id);
    draw();
    options.choose?.(id);
  }
  function draw() {
    root.render(
      <ReactFlowProvider>
        <Picture items={items} open={open} drawings={drawings} store={store} chosen={chosen} label={options.label}
          direction={direction} goTo={goTo} editing={options.editing || null}
          setOpen={next => { open = next; draw(); }} choose={choose} act={id => options.act?.(id)}
          turn={() => { direction = direction === "right" ? "down" : "right"; draw(); }} />
      </ReactFlowProvider>,
    );
  }
  // Unfolds what is above a node; what is open stays the same set if nothing is folded there.
  function reveal(item: Item | null) {
    for (let up = item && item.up; up; up = up.up) {
      if (!open.has(up.id)) open = new Set(open).add(up.id);
    }
  }
  return {
    // A new tree; what was folded stays so, as far as the nodes are there still.
    tree(nodes: TreeNode[], kinds: Drawings, letters = "") {
      const known = new Set(items.map(item => item.id)), before = open;
      items = link(nodes);
      drawings = kinds;
      const first = openAtFirst(items, letters);
      open = new Set(items.filter(item => (known.has(item.id) ? before.has(item.id) : first.has(item.id))).map(item => item.id));
      if (!items.some(item => item.id === chosen)) chosen = "";
      store.choose(chosen);
      draw();
    },
    statuses(letters: string, details: Record<string, string>) { store.set(letters, details); },
    problems(wrong: Map<string, string>) { store.problems(wrong); },
    // Chooses a node and goes to it.
    choose(id: string) {
      reveal(items.find(item => item.id === id) || null);
      goTo = {id, count: ++count};
      if (id === chosen) draw();
      else choose(id);
    },
    // Marks the nodes with these numbers; null: nothing is looked for.
    find(numbers: number[] | null) {
      store.find(new Set(numbers || []), numbers !== null);
      if (!numbers || !numbers.length) return;
      const wanted = new Set(numbers.slice(0, MOST_FOUND)), hits = items.filter(item => wanted.has(item.at));
      if (!hits.length || hits.every(item => item.id === goTo.id)) return;
      hits.forEach(reveal);
      goTo = {id: hits[0].id, count: ++count};
      draw();
    },
    unmount() { root.unmount(); },
  };
}
