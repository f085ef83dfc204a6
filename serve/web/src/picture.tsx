// The tree as a picture: boxes that fold, show their status, are chosen, searched and, where a file is
// edited, dragged. Without a mouse: arrows go through it, Space folds, + - 0 zoom, Enter chooses.
import {createContext, memo, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState} from "react";
import type {DragEvent, KeyboardEvent} from "react";
import {Controls, MiniMap, Panel, ReactFlow, ViewportPortal, useReactFlow, useStore} from "@xyflow/react";
import type {Node, NodeProps, ReactFlowState} from "@xyflow/react";
import {isCut, isIn, place} from "./model";
import type {Direction, Drawing, Drawings, Item, Place, Window} from "./model";
import {Statuses, useLetters, useStatus} from "./status";

export type Where = "before" | "after" | "into";

export interface Editing {
  // A node, or something of the palette, is put beside or into another one.
  drop(id: string | null, made: string, target: string, where: Where): void;
  // A key was pressed on a node: "delete", "up", "down", "wrap", "add", "undo", "redo", "save".
  order(what: string, id: string): void;
}

export interface PictureProps {
  items: Item[];
  open: Set<string>;
  drawings: Drawings;
  store: Statuses;
  chosen: string;
  label: string;
  direction: Direction;
  goTo: {id: string; count: number};
  editing: Editing | null;
  setOpen(open: Set<string>): void;
  choose(id: string): void;
  act(id: string): void;
  turn(): void;
}

interface Shared {
  store: Statuses; drawings: Drawings; open: Set<string>; fold(item: Item): void;
}
const Context = createContext<Shared>(null!);
type Box = Node<{item: Item; width: number; height: number}, "box">;

const WORDS: Record<string, string> = {R: "RUNNING", S: "SUCCESS", F: "FAILURE", ".": "INVALID"};
const MARKS: Record<string, string> = {
  R: "M4 2.5L13 8L4 13.5Z", S: "M2.5 8.5L6.3 12.3L13.5 4", F: "M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5", ".": "",
};
const MOST_SMALL = 300;  // boxes that the overview draws, each an element; of more only those near the view are there
const SMALLEST = 0.6;  // zoom at which all is shown at first, if it fits; else the beginning, larger
const STEP = 600;  // what is in view changes in steps of so much
const PLAIN: Drawing = {group: "action", icon: "", filled: false, words: ""};

const BoxView = memo(({data}: NodeProps<Box>) => {
  const {item, width, height} = data, {store, drawings, open, fold} = useContext(Context);
  const [letter, seen, chosen, doing, wrong] = useStatus(store, item.at, item.id);
  const drawing = drawings[item.kind] || PLAIN, detail = doing || item.detail || "";
  return (
    <div className={`box ${drawing.group} ${WORDS[letter]} ${seen} ${chosen} ${wrong ? "wrong" : ""}`}
      style={{width, height, minWidth: width, minHeight: height}} title={[`${drawing.words} ${item.id}`, wrong].filter(Boolean).join("\n")}>
      {item.edge && <span className="edge">{item.edge}</span>}
      {drawing.icon && <svg className={drawing.filled ? "icon filled" : "icon"} viewBox="0 0 16 16"><path d={drawing.icon} /></svg>}
      <span className="words">
        <span className="name" dir="auto">{item.label}</span>
        {detail && <span className="what" dir="auto">{detail}</span>}
      </span>
      {MARKS[letter] && <svg className={letter === "R" ? "mark filled" : "mark"} viewBox="0 0 16 16"><path d={MARKS[letter]} /></svg>}
      {item.below.length > 0 && (
        <button type="button" tabIndex={-1} className="unfold nodrag" title={open.has(item.id) ? "Fold" : `Unfold ${item.size} nodes`}
          onClick={event => { event.stopPropagation(); fold(item); }}>
          {open.has(item.id) ? "−" : `+${item.size}`}
        </button>
      )}
    </div>
  );
});

// What is in view, and a step around it, as a text that changes only with the steps.
function near({transform: [x, y, zoom], width, height}: ReactFlowState): string {
  const down = (at: number) => (Math.floor(at / zoom / STEP) - 1) * STEP, up = (at: number) => (Math.ceil(at / zoom / STEP) + 1) * STEP;
  return [down(-x), down(-y), up((width || 1600) - x), up((height || 900) - y)].join();
}
function toWindow(text: string): Window {
  const [left, top, right, bottom] = text.split(",").map(Number);
  return {left, top, right, bottom};
}

// How large all boxes are together, and whether some of that is out of view.
const sizeOfAll = (places: Place[]) => places.reduce((all, one) =>
  ({width: Math.max(all.width, one.x + one.width), height: Math.max(all.height, one.y + one.height)}), {width: 1, height: 1});
const isBeyond = ({width, height}: {width: number; height: number}) => ({transform: [x, y, zoom], width: w, height: h}: ReactFlowState) =>
  x < -1 || y < -1 || x + width * zoom > w + 1 || y + height * zoom > h + 1;

// All lines in a path for each status: a fan of a thousand costs no more than one.
// Of many children only the lines to those near the view are drawn, and to the first and the last.
const Lines = memo(({places, view, dragged, direction, store}: {
  places: Place[]; view: Window | null; dragged: {id: string; x: number; y: number} | null; direction: Direction; store: Statuses;
}) => {
  const letters = useLetters(store);
  const paths = useMemo(() => {
    const byId = new Map(places.map(one => [one.item.id, one.item.id === dragged?.id ? {...one, x: dragged.x, y: dragged.y} : one]));
    const found: Record<string, string[]> = {};
    for (const to of byId.values()) {
      const from = to.item.up && byId.get(to.item.up.id);
      if (!from) continue;
      const siblings = to.item.up!.below, edge = to.item === siblings[0] || to.item === siblings[siblings.length - 1];
      if (view && !edge && !isIn(to, view)) continue;
      const words = WORDS[letters[to.item.line] || "."];
      (found[words] ||= []).push(direction === "right" ? across(from, to) : down(from, to));
    }
    return found;
  }, [places, view, dragged, direction, letters]);
  return (
    <ViewportPortal>
      <svg className="lines" width="1" height="1" aria-hidden="true">
        {["INVALID", "SUCCESS", "FAILURE", "RUNNING"].map(words => paths[words] && <path key={words} className={`line ${words}`} d={paths[words].join("")} />)}
      </svg>
    </ViewportPortal>
  );
});
function across(from: Place, to: Place): string {
  const x0 = from.x + from.width, y0 = from.y + from.height / 2, y1 = to.y + to.height / 2, middle = (x0 + to.x) / 2;
  return `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${to.x} ${y1}`;
}
function down(from: Place, to: Place): string {
  const x0 = from.x + from.width / 2, y0 = from.y + from.height, x1 = to.x + to.width / 2, middle = (y0 + to.y) / 2;
  return `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${to.y}`;
}
const nodeTypes = {box: BoxView}, noEdges: never[] = [], nowhere = () => "";

// Where something that is let go at a point is put: beside a box, or into it.
function targetAt(places: Place[], x: number, y: number, direction: Direction, moving: Item | null): [Item, Where] | null {
  let best: [number, Item, Where] | null = null;
  for (const {item, x: left, y: top, width, height} of places) {
    if (moving && isInside(item, moving)) continue;
    const dx = x < left ? left - x : x > left + width ? x - left - width : 0;
    const dy = y < top ? top - y : y > top + height ? y - top - height : 0;
    const far = dx + dy;
    if (far > 90 || (best && far >= best[0])) continue;
    const along = direction === "right" ? (y - top) / height : (x - left) / width;
    const ahead = direction === "right" ? x > left + width * 0.65 : y > top + height * 0.65;
    const where: Where = !item.up || (ahead && item.holds && !(far > 0 && along > 1)) ? "into" : along < 0.5 ? "before" : "after";
    best = [far, item, where];
  }
  return best && [best[1], best[2]];
}
const isInside = (item: Item | null, whole: Item): boolean => item !== null && (item === whole || isInside(item.up, whole));

export function Picture(props: PictureProps) {
  const {items, open, drawings, store, chosen, direction, goTo, editing} = props;
  const flow = useReactFlow<Box>(), element = useRef<HTMLDivElement>(null);
  const whole = useMemo(() => items.find(item => item.id === chosen && isCut(item))?.id || "", [items, chosen]);
  const places = useMemo(() => place(items, open, direction, whole), [items, open, direction, whole]);
  const byId = useMemo(() => new Map(places.map(one => [one.item.id, one])), [places]);
  const [aim, showAim] = useState<{id: string; where: Where} | null>(null), aimed = useRef(aim);
  const setAim = (next: {id: string; where: Where} | null) => {
    aimed.current = next;
    showAim(next);
  };
  const [dragged, setDragged] = useState<{id: string; x: number; y: number} | null>(null);
  const large = places.length >= MOST_SMALL, nearby = useStore(large ? near : nowhere);
  const size = useMemo(() => sizeOfAll(places), [places]);
  const beyond = useStore(useMemo(() => isBeyond(size), [size]));
  const view = useMemo(() => (nearby ? toWindow(nearby) : null), [nearby]);
  const seen = useMemo(() => (view ? places.filter(one => isIn(one, view) || one.item.id === dragged?.id) : places), [places, view, dragged]);
  const nodes = useMemo<Box[]>(() => seen.map(({item, x, y, width, height}) => ({
    id: item.id, type: "box", data: {item, width, height}, width, height,
    position: dragged?.id === item.id ? {x: dragged.x, y: dragged.y} : {x, y},
    draggable: editing !== null && !item.fixed, selectable: false, zIndex: dragged?.id === item.id ? 10 : 0,
  })), [seen, dragged, editing]);

  const fold = (item: Item) => {
    const next = new Set(open);
    if (!next.delete(item.id)) next.add(item.id);
    props.setOpen(next);
  };
  const shared = useMemo(() => ({store, drawings, open, fold}), [store, drawings, open, items]);

  // Shows all if that can be read, else the beginning.
  const fit = () => {
    const frame = element.current, {width, height} = size;
    if (!frame || !frame.clientWidth) return;
    const whole = Math.min((frame.clientWidth - 32) / width, (frame.clientHeight - 32) / height);
    const zoom = whole < SMALLEST ? 0.7 : Math.min(whole, 1.1);
    const x = Math.max((frame.clientWidth - width * zoom) / 2, 16), y = Math.max((frame.clientHeight - height * zoom) / 2, 16);
    const root = places[0];
    const middle = root && direction === "right" && y === 16
      ? Math.min(16, frame.clientHeight / 2 - (root.y + root.height / 2) * zoom) : y;
    asFitted.current = {x, y: y === 16 && direction === "right" ? Math.max(middle, frame.clientHeight - 16 - height * zoom) : y, zoom};
    void flow.setViewport(asFitted.current);
  };
  // While nobody has moved the picture, it fits its frame whatever size that gets.
  const asFitted = useRef({x: NaN, y: NaN, zoom: NaN}), fits = useRef(fit);
  fits.current = fit;
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const {x, y, zoom} = flow.getViewport(), was = asFitted.current;
      if (Math.abs(x - was.x) + Math.abs(y - was.y) < 1 && zoom === was.zoom) fits.current();
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  // Moves the picture only where a box is not in view.
  const bring = (there: Place) => {
    const frame = element.current, {x, y, zoom} = flow.getViewport();
    if (!frame) return;
    const left = there.x * zoom + x, top = there.y * zoom + y;
    const out = left < 8 || top < 8 || left + there.width * zoom > frame.clientWidth - 8 || top + there.height * zoom > frame.clientHeight - 8;
    if (out || zoom < 0.4) void flow.setCenter(there.x + there.width / 2, there.y + there.height / 2, {zoom: Math.max(zoom, 0.7), duration: 150});
  };
  // Where a box gets room for its words, it stays where it is.
  const drawn = useRef({items, places: byId});
  useLayoutEffect(() => {
    const old = drawn.current.items === items && drawn.current.places.get(chosen), now = byId.get(chosen);
    drawn.current = {items, places: byId};
    if (!old || !now || turned.current !== direction) return;
    const {x, y, zoom} = flow.getViewport();
    void flow.setViewport({x: x + (old.x - now.x) * zoom, y: y + (old.y - now.y) * zoom, zoom});
  }, [byId]);
  const fitted = useRef<Item[]>([]), turned = useRef(direction);
  useEffect(() => {
    const same = fitted.current.length && fitted.current[0]?.id === items[0]?.id;
    if (same && turned.current === direction) return;
    fitted.current = items;
    turned.current = direction;
    requestAnimationFrame(fit);
  }, [items, direction]);
  const goneTo = useRef(0);
  useEffect(() => {
    const there = byId.get(goTo.id);
    if (!there || goTo.count === goneTo.current) return;
    goneTo.current = goTo.count;
    requestAnimationFrame(() => bring(there));
  }, [goTo, byId]);

  const show = (item: Item | null | undefined) => {
    if (!item) return;
    props.choose(item.id);
    const there = byId.get(item.id);
    if (there) bring(there);
  };
  const key = (event: KeyboardEvent) => {
    if (event.target !== element.current) return;
    const here = byId.get(chosen)?.item || items[0];
    if (!here) return;
    const mod = event.ctrlKey || event.metaKey;
    const row = places.filter(one => one.item.depth === here.depth).map(one => one.item), at = row.indexOf(here);
    const [forward, back, next, before] = direction === "right"
      ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"] : ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"];
    const edit = editing && !event.defaultPrevented && (
      mod && event.key === "z" ? "undo" : mod && (event.key === "y" || event.key === "Z") ? "redo" : mod && event.key === "s" ? "save"
        : event.key === "Delete" || event.key === "Backspace" ? "delete"
          : event.altKey && event.key === before ? "up" : event.altKey && event.key === next ? "down"
            : !mod && event.key === "w" ? "wrap" : !mod && event.key === "a" ? "add" : "");
    if (edit) editing!.order(edit, here.id);
    else if (mod || event.altKey) return;
    else if (event.key === forward) {
      if (here.below.length && !open.has(here.id)) fold(here);
      else show(here.below[0]);
    } else if (event.key === back) show(here.up);
    else if (event.key === next) show(row[at + 1]);
    else if (event.key === before) show(row[at - 1]);
    else if (event.key === "Home") show(items[0]);
    else if (event.key === "Enter") props.act(here.id);
    else if (event.key === " ") here.below.length && fold(here);
    else if (event.key === "+") void flow.zoomIn();
    else if (event.key === "-") void flow.zoomOut();
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };

  const over = (event: DragEvent) => {
    if (!editing) return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({x: event.clientX, y: event.clientY});
    const found = targetAt(places, at.x, at.y, direction, null);
    setAim(found && {id: found[0].id, where: found[1]});
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const made = event.dataTransfer.getData("application/x-treec");
    const to = aimed.current;
    setAim(null);
    if (editing && to && made) editing.drop(null, made, to.id, to.where);
  };
  const there = aim && byId.get(aim.id);
  return (
    <div className="picture" ref={element} tabIndex={0} role="application" aria-label={props.label}
      aria-roledescription="tree picture" onKeyDown={key} onDragOver={over} onDrop={drop} onDragLeave={() => setAim(null)}>
      <Context.Provider value={shared}>
        <ReactFlow<Box> nodes={nodes} edges={noEdges} nodeTypes={nodeTypes}
          onlyRenderVisibleElements minZoom={0.05} maxZoom={2.5} nodesFocusable={false} edgesFocusable={false}
          nodesConnectable={false} elementsSelectable={false} deleteKeyCode={null} selectionKeyCode={null} disableKeyboardA11y
          proOptions={{hideAttribution: true}} zoomOnDoubleClick={false} panActivationKeyCode={null} zoomActivationKeyCode={null}
          onNodeClick={(_, node) => { props.choose(node.id); element.current?.focus({preventScroll: true}); }}
          onNodeDoubleClick={(_, node) => props.act(node.id)}
          onPaneClick={() => props.choose("")}
          onNodeDrag={(_, node) => {
            setDragged({id: node.id, x: node.position.x, y: node.position.y});
            const found = targetAt(places, node.position.x + 12, node.position.y + node.data.height / 2, direction, node.data.item);
            setAim(found && {id: found[0].id, where: found[1]});
          }}
          onNodeDragStop={(_, node) => {
            setDragged(null);
            const to = aimed.current;
            setAim(null);
            if (to && editing) editing.drop(node.id, "", to.id, to.where);
          }}>
          <Lines places={places} view={view} dragged={dragged} direction={direction} store={store} />
          {places.length > 12 && places.length < MOST_SMALL && beyond && <MiniMap<Box> pannable zoomable ariaLabel="Overview" nodeStrokeWidth={0}
            nodeClassName={node => (drawings[node.data.item.kind] || PLAIN).group} />}
          <Controls showInteractive={false} onFitView={fit} fitViewOptions={{duration: 0}} />
          {there && <AimView place={there} where={aim!.where} direction={direction} />}
          <Panel position="top-right">
            <button type="button" className="small" onClick={props.turn}
              title={direction === "right" ? "Draw it downwards" : "Draw it to the right"}>{direction === "right" ? "↓" : "→"}</button>
          </Panel>
        </ReactFlow>
      </Context.Provider>
    </div>
  );
}

// The line where a node will be put.
function AimView({place: {x, y, width, height}, where, direction}: {place: Place; where: Where; direction: Direction}) {
  const view = useReactFlow().getViewport();
  const right = direction === "right";
  const [left, top, w, h] = where === "into" ? [x - 3, y - 3, width + 6, height + 6]
    : right ? [x, where === "before" ? y - 5 : y + height + 2, width, 3]
      : [where === "before" ? x - 6 : x + width + 3, y, 3, height];
  return <div className={`aim ${where}`} style={{
    left: left * view.zoom + view.x, top: top * view.zoom + view.y, width: w * view.zoom, height: Math.max(h * view.zoom, 3),
  }} />;
}
