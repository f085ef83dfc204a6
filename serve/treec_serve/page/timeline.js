// Who worked on what, and when: a row for each agent, thick bars done, thin bars scheduled. It zooms, has
// a cursor at the moment that is shown, and a click goes to a moment.
import {make, seconds} from "./parts.js";

const SVG = "http://www.w3.org/2000/svg", LEFT = 80, ROW = 34, TOP = 18, PAD = 10;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];
const LEGEND = [["done", "done"], ["open", "at work"], ["failed", "failed"], ["stopped", "stopped"], ["out", "robot stopped"], ["scheduled", "planned"]];

function draw(tag, values, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

export class Timeline {
  // `go(t)` is called with a time in seconds that was clicked on.
  constructor(go) {
    this.go = go;
    this.zoom = 1;
    this.from = this.first = 0;  // the axis begins at `first`
    this.whole = false;
    this.data = null;
    this.key = "";
    this.frame = make("div", "", "timeline-frame");
    this.text = make("div");
    const bar = make("div", "", "timeline-bar"), legend = make("ul", "", "legend");
    for (const [css, words] of LEGEND) {
      const line = make("li", words), sign = draw("svg", {width: 16, height: 10, class: "timeline", "aria-hidden": "true"});
      const group = draw("g", {class: `bar ${css}`});
      group.append(draw("rect", {x: 1, y: css === "scheduled" ? 3 : 1, width: 14, height: css === "scheduled" ? 4 : 8, rx: 2}));
      sign.append(group);
      line.prepend(sign);
      line.dataset.css = css;
      legend.append(line);
    }
    this.legend = legend;
    for (const [text, words, factor] of [["−", "Zoom out of the timelines", 0.5], ["+", "Zoom into the timelines", 2], ["all", "Show all of the timelines", 0]]) {
      const button = make("button", text, "small");
      button.type = "button";
      button.setAttribute("aria-label", words);
      button.addEventListener("click", () => this.scale(factor, this.at));
      bar.append(button);
    }
    bar.prepend(legend);
    this.element = make("div", "", "timelines");
    this.told = make("output", "", "told");
    bar.prepend(this.told);
    this.element.append(this.frame, bar, this.text);
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", "Timelines: left and right arrow go through what was done, Enter goes to when it began");
    this.chosen = -1;
    this.frame.addEventListener("keydown", event => this.press(event));
    this.frame.addEventListener("mouseover", event => this.tell(event.target.closest(".bar")));
    for (const type of ["mouseleave", "blur"]) this.frame.addEventListener(type, () => this.tell(null));
    this.frame.addEventListener("click", event => {
      const t = this.time(event.clientX);
      if (t !== null) this.go(t);
    });
    this.frame.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const turn = event.deltaY || event.deltaX;
      if (event.ctrlKey) this.scale(Math.exp(-turn / 300), this.time(event.clientX));
      else this.move(this.from + turn / 400 * this.span());
    }, {passive: false});
    new ResizeObserver(() => {
      if (this.frame.clientWidth === this.width) return;
      this.width = this.frame.clientWidth;
      this.redraw();
    }).observe(this.frame);
  }

  // Says below the bars what one stands for: its words may be cut off.
  tell(bar) {
    this.told.textContent = bar?.querySelector("title")?.textContent || "";
  }

  press(event) {
    const spans = this.data?.spans || [], step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step && spans.length) {
      this.chosen = Math.min(Math.max(this.chosen + step, 0), spans.length - 1);
      this.told.textContent = wordsOf(spans[this.chosen]);
    } else if (event.key === "Enter" && spans[this.chosen]) this.go(spans[this.chosen].start);
    else return;
    event.preventDefault();
  }

  // The time at a place of the window; null beside the axis.
  time(x) {
    const left = x - this.frame.getBoundingClientRect().left - LEFT;
    const t = this.from + left / this.perSecond;
    return left < -4 || t < this.first || t > this.last + 0.01 ? null : Math.max(t, 0);
  }

  // How many seconds are in view.
  span() { return (this.last - this.first) / this.zoom; }

  scale(factor, around) {
    if (!factor) this.first = 0;
    this.whole ||= !factor;
    const before = this.span(), part = around === null ? 0.5 : (around - this.from) / before;
    this.zoom = factor ? Math.min(Math.max(this.zoom * factor, 1), 500) : 1;
    const now = this.span(), middle = around === null ? this.from + before / 2 : around;
    this.move(middle - Math.min(Math.max(part, 0), 1) * now);
  }

  move(from) {
    this.from = Math.min(Math.max(from, this.first), this.last - this.span());
    this.redraw();
  }

  // `end` is the end of the axis in seconds, so that two runs are drawn on the same one. That of one run by
  // itself leaves out what is before a long time of idleness: work after an hour of it would be a line.
  show(data, end, t, alone = false) {
    this.at = t;
    const key = JSON.stringify([data, end]);
    if (key === this.key) {
      this.place();
      return;
    }
    this.key = key;
    this.data = data;
    this.last = Math.max(end, 1, ...data.scheduled.map(one => one.end));
    const began = alone && !this.whole ? beganLast([...data.spans, ...data.scheduled, ...data.out], this.last) : 0;
    this.first = began > this.last / 2 && began < t ? Math.max(began - Math.max((this.last - began) / 4, 2), 0) : 0;
    this.from = Math.min(Math.max(this.from, this.first), this.last - this.span());
    this.redraw();
    this.text.replaceChildren(timelineText(data));
  }

  redraw() {
    if (!this.data) return;
    this.width ||= this.frame.clientWidth;  // then the observer's: to measure lays the page out
    const wide = this.width || 800;
    this.perSecond = (wide - LEFT - PAD) / this.span();
    this.frame.replaceChildren(this.picture(wide));
    const there = new Set(this.data.spans.map(one => one.ended || "open"));
    if (this.data.out.length) there.add("out");
    if (this.data.scheduled.length) there.add("scheduled");
    for (const line of this.legend.children) line.hidden = !there.has(line.dataset.css);
    this.place();
  }

  // The cursor at the moment that is shown.
  place() {
    const x = LEFT + (this.at - this.from) * this.perSecond, out = x < LEFT - 1 || x > (this.width || 800);
    this.cursor.setAttribute("transform", `translate(${x} 0)`);
    this.cursor.setAttribute("visibility", out ? "hidden" : "visible");
  }

  bar(row, from, to, css, top, height, words) {
    const begin = Math.max(LEFT + (from - this.from) * this.perSecond, LEFT - 2), y = TOP + row * ROW + top;
    const width = Math.max(LEFT + (to - this.from) * this.perSecond - begin, 1.5);
    const group = draw("g", {class: `bar ${css}`});
    group.append(draw("title", {}, words), draw("rect", {x: begin, y, width, height, rx: 3}));
    return [group, begin, y, width];
  }

  picture(wide) {
    const data = this.data, until = this.from + this.span();
    const busy = new Set([...data.spans, ...data.scheduled, ...data.out].map(one => one.agent));
    const rows = data.agents.filter(name => busy.has(name)), seen = one => one.end >= this.from && one.start <= until;
    const height = TOP + ROW * Math.max(rows.length, 1) + 2;
    const svg = draw("svg", {width: wide, height, role: "img", class: "timeline"});
    svg.append(draw("title", {}, `Timeline of ${rows.join(", ") || "nobody"} up to ${seconds(data.end)}`));
    const most = Math.max((wide - LEFT) / 60, 2), step = STEPS.find(one => (until - this.from) / one <= most) || STEPS[STEPS.length - 1];
    for (let n = Math.ceil(this.from / step); n * step <= until + 1e-9; n += 1) {
      const x = LEFT + (n * step - this.from) * this.perSecond;
      svg.append(draw("path", {class: "grid", d: `M${x} ${TOP - 4}V${height}`}),
        draw("text", {class: "tick", x, y: TOP - 7}, String(Number((n * step).toFixed(1)))));
    }
    for (const one of data.out.filter(seen)) {
      svg.append(this.bar(rows.indexOf(one.agent), one.start, one.end, "out", 2, 20,
        `${one.agent} was stopped: ${seconds(one.start)} to ${seconds(one.end)}`)[0]);
    }
    for (const one of data.scheduled.filter(seen)) {
      svg.append(this.bar(rows.indexOf(one.agent), one.start, one.end, "scheduled", 24, 5,
        `planned: ${one.words}: ${seconds(one.start)} to ${seconds(one.end)}`)[0]);
    }
    const free = roomOf([...data.spans, ...data.out]);
    for (const one of data.spans.filter(seen)) {
      const [group, x, y, width] = this.bar(rows.indexOf(one.agent), one.start, one.end, one.ended || "open", 2, 20, wordsOf(one));
      const room = Math.max(LEFT + (Math.min(free.get(one), until) - this.from) * this.perSecond - x, width);
      const letters = Math.floor((room - 6) / 6.2);
      if (letters > 2) {
        const label = one.words.length > letters ? `${one.words.slice(0, letters - 1)}…` : one.words;
        group.append(draw("text", {class: "words", x: x + 3, y: y + 14}, label));
      }
      svg.append(group);
    }
    rows.forEach((name, row) => svg.append(draw("rect", {class: "cover", x: 0, y: TOP + row * ROW, width: LEFT - 4, height: ROW}),
      draw("text", {class: "row", x: 2, y: TOP + row * ROW + 16}, name)));
    if (!rows.length) svg.append(draw("text", {class: "none", x: LEFT + 6, y: TOP + 20}, "Nobody has been at work yet."));
    this.cursor = draw("g", {class: "cursor"});
    this.cursor.append(draw("path", {d: `M0 ${TOP - 8}V${height}`}));
    svg.append(this.cursor);
    return svg;
  }
}

// Since when somebody was at work with no gap as long as all that came after it, and of two minutes.
function beganLast(spans, end) {
  let next = end, began = end;
  for (const one of spans.toSorted((a, b) => b.start - a.start)) {
    if (next - one.end > Math.max(120, end - next)) break;
    next = began = Math.min(began, one.start);
  }
  return began;
}

// Until when the words of a bar may go: the beginning of the agent's next one.
function roomOf(spans) {
  const found = new Map(), next = {};
  for (const one of spans.toSorted((a, b) => b.start - a.start)) {
    found.set(one, next[one.agent] ?? Infinity);
    next[one.agent] = one.start;
  }
  return found;
}

function wordsOf(one) {
  return `${one.agent}, ${one.words}: ${seconds(one.start)} to ${seconds(one.end)}, ${one.ended || "at work"}${one.reason ? ` (${one.reason})` : ""}`;
}

// The same for readers of the page who do not see it.
function timelineText(data) {
  const list = make("ul", "", "hidden");
  list.append(...data.spans.map(one =>
    make("li", `${one.agent}, ${seconds(one.start)} to ${seconds(one.end)}: ${one.words}, ${one.ended}`)));
  return list;
}
