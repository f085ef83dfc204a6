// A tree as the picture is given it, and where its boxes are.
import {flextree} from "d3-flextree";

// `parent` is a number of the list, or -1; parents come before children.
export interface TreeNode {
  id: string;
  parent: number;
  kind: string;
  label: string;
  detail?: string;
  edge?: string;
  fixed?: boolean;  // it cannot be moved or deleted
  holds?: boolean;  // nodes can be put into it
  at?: number;  // the number of its status; its own without one
  line?: number;  // that of the line to it, where modifiers are drawn with their node
}

// How a kind is drawn: its group has a colour and a shape, the icon is a path in a square of 16.
export interface Drawing { group: string; icon: string; filled: boolean; words: string; }
export type Drawings = Record<string, Drawing>;

export interface Item extends TreeNode {
  at: number;
  line: number;
  depth: number;
  below: Item[];
  up: Item | null;
  size: number;  // nodes below it, all levels
}

export interface Place { item: Item; x: number; y: number; width: number; height: number; }

export type Direction = "right" | "down";

export const LOW = 30, HIGH = 44;
const GAP = 8, COLUMN = 28, LEVEL = 34, WIDEST = 250, LINE = 16.25, CALL = 110, AT_FIRST = 40, SMALL = 24;

export function link(nodes: TreeNode[]): Item[] {
  const items: Item[] = nodes.map((node, number) => ({...node, at: node.at ?? number, line: node.line ?? number, depth: 0, below: [], up: null, size: 0}));
  for (const item of items) {
    if (item.parent < 0) continue;
    item.up = items[item.parent];
    item.depth = item.up.depth + 1;
    item.up.below.push(item);
  }
  for (let n = items.length - 1; n >= 0; n -= 1) {
    const up = items[n].up;
    if (up) up.size += items[n].size + 1;
  }
  return items;
}

// What is unfolded at first: all of a small tree; of another what runs and has had something below it at
// work, beside it below the root what has just ended, or else level by level up to AT_FIRST boxes.
export function openAtFirst(items: Item[], letters: string): Set<string> {
  const open = new Set<string>(), small = items.length <= SMALL, runs = letters.includes("R");
  let drawn = items.filter(item => !item.up).length;
  const levels: Item[][] = [];
  for (const item of items) (levels[item.depth] ||= []).push(item);
  for (const level of levels) {
    const shown = level.filter(item => item.below.length && (!item.up || open.has(item.up.id)));
    const sum = shown.reduce((total, item) => total + item.below.length, 0), all = small || drawn + sum <= AT_FIRST;
    for (const item of shown) {
      const wanted = item.depth === 0 || (runs && !small
        ? (letters[item.at] === "R" || item.depth === 1 && all) && item.below.some(one => letters[one.line] !== ".") : all);
      if (!wanted || drawn > 10 * AT_FIRST) continue;
      open.add(item.id);
      drawn += item.below.length;
    }
  }
  return open;
}

let pen: CanvasRenderingContext2D | null = null;
const penOf = (font: string): CanvasRenderingContext2D => {
  pen ||= document.createElement("canvas").getContext("2d")!;
  if (pen.font !== font) pen.font = font;
  return pen;
};
const BOLD = "600 13px system-ui, sans-serif", SMALL_FONT = "11px system-ui, sans-serif";
const fonts: Record<string, Map<string, number>> = {[BOLD]: new Map(), [SMALL_FONT]: new Map()};
// The width of a text, character by character: each is measured once, which a text of its own is not.
function measure(text: string, font: string): number {
  const widths = fonts[font];
  let sum = 0;
  for (const letter of text) {
    let width = widths.get(letter);
    if (width === undefined) widths.set(letter, width = penOf(font).measureText(letter).width);
    sum += width;
  }
  return sum;
}

const besideWords = (item: Item): number => 72 + (item.below.length ? measure(`+${item.size}`, SMALL_FONT) + 8 : 0);
function widthOf(item: Item): number {
  const detail = Math.max(item.detail ? measure(item.detail, SMALL_FONT) : 0, item.kind === "skill" ? CALL : 0);
  return Math.ceil(Math.max(measure(item.label, BOLD), detail) + besideWords(item));
}
export const isCut = (item: Item): boolean => widthOf(item) > WIDEST;

// In how many lines a text is, that breaks between words or within one that is longer than a line.
function linesOf(text: string, room: number): number {
  let lines = 1, left = room;
  for (const word of text.split(/(?<=\s)/)) {
    const width = penOf(BOLD).measureText(word).width;  // joined letters are narrower than each by itself
    if (width > left) {
      lines += Math.ceil(width / room);
      left = room - width % room;
    } else left -= width;
  }
  return lines;
}

// The words of the box that is chosen are whole, and have their place: it lies over no other.
function sizeOf(item: Item, chosen: string): [number, number] {
  const width = Math.min(widthOf(item), WIDEST), more = item.id === chosen ? linesOf(item.label, width - besideWords(item) + 8) - 1 : 0;
  return [width, (item.detail ? HIGH : LOW) + more * LINE];
}

// A part of the plane, in its own coordinates.
export interface Window { left: number; top: number; right: number; bottom: number; }
export const isIn = ({x, y, width, height}: Place, {left, top, right, bottom}: Window): boolean =>
  x + width >= left && x <= right && y + height >= top && y <= bottom;

interface Data { item: Item; width: number; height: number; }

// Where the boxes of what is unfolded are: Reingold and Tilford's tidy tree with boxes of any size.
// `whole` is the box whose words are whole.
export function place(items: Item[], open: Set<string>, direction: Direction, whole = ""): Place[] {
  const toData = (item: Item): Data => {
    const [width, height] = sizeOf(item, whole);
    return {item, width, height};
  };
  const found: Place[] = [];
  let offset = 0;
  for (const root of items.filter(item => !item.up)) {
    const columns: number[] = [], gaps: number[] = [];  // of a level, and before it
    const walk = (item: Item, depth: number): Item[] => {
      columns[depth] = Math.max(columns[depth] || 0, sizeOf(item, whole)[0]);
      gaps[depth] = Math.max(gaps[depth] || COLUMN, item.edge ? measure(item.edge, SMALL_FONT) + 12 : 0);
      const below = open.has(item.id) ? item.below : [];
      below.forEach(one => walk(one, depth + 1));
      return below;
    };
    walk(root, 0);
    const layout = flextree<Data>({
      children: data => (open.has(data.item.id) ? data.item.below.map(toData) : null),
      nodeSize: node => direction === "right"
        ? [node.data.height + GAP, columns[node.depth] + (gaps[node.depth + 1] || COLUMN)]
        : [node.data.width + 2 * GAP, node.data.height + LEVEL],
      spacing: (one, other) => (one.parent === other.parent ? 0 : GAP),
    });
    const tree = layout.hierarchy(toData(root));
    layout(tree);
    let least = Infinity, most = -Infinity;
    tree.each(node => {
      const half = (direction === "right" ? node.data.height : node.data.width) / 2;
      least = Math.min(least, node.x - half);
      most = Math.max(most, node.x + half);
    });
    tree.each(node => {
      const {item, width, height} = node.data, across = node.x - least + offset;
      found.push(direction === "right"
        ? {item, x: node.y, y: across - height / 2, width, height}
        : {item, x: across - width / 2, y: node.y, width, height});
    });
    offset += most - least + 2 * HIGH;
  }
  return found;
}
