// Who worked on what, and when: a row for each agent, thick bars done, thin bars scheduled.
import {make, seconds} from "./parts.js";

const SVG = "http://www.w3.org/2000/svg", LEFT = 90, WIDTH = 800, ROW = 40, TOP = 20;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];

function draw(tag, values, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

function bar(row, from, to, scale, css, top, height, words) {
  const x = LEFT + from * scale, width = Math.max((to - from) * scale, 1.5);
  const group = draw("g", {class: `bar ${css}`});
  const y = TOP + row * ROW + top;
  group.append(draw("title", {}, words), draw("rect", {x, y, width, height, rx: 3}));
  return [group, x, y, width];
}

// `end` is the end of the axis in seconds, so that two runs are drawn on the same one.
export function timeline(data, end) {
  const busy = new Set([...data.spans, ...data.scheduled, ...data.out].map(one => one.agent));
  const rows = data.agents.filter(name => busy.has(name));
  const last = Math.max(end, 1, ...data.scheduled.map(one => one.end));
  const scale = (WIDTH - LEFT - 10) / last;
  const height = TOP + ROW * Math.max(rows.length, 1) + 4;
  const svg = draw("svg", {viewBox: `0 0 ${WIDTH} ${height}`, role: "img", class: "timeline"});
  svg.append(draw("title", {}, `Timeline of ${rows.join(", ") || "nobody"} up to ${seconds(data.end)}`));
  const step = STEPS.find(one => last / one <= 12) || STEPS[STEPS.length - 1];
  for (let t = 0; t <= last; t += step) {
    const x = LEFT + t * scale;
    svg.append(draw("path", {class: "grid", d: `M${x} ${TOP - 4}V${height}`}),
      draw("text", {class: "tick", x, y: TOP - 7}, String(t)));
  }
  rows.forEach((name, row) => svg.append(draw("text", {class: "row", x: 4, y: TOP + row * ROW + 18}, name)));
  for (const one of data.out) {
    svg.append(bar(rows.indexOf(one.agent), one.start, one.end, scale, "out", 2, 24,
      `${one.agent} was stopped: ${seconds(one.start)} to ${seconds(one.end)}`)[0]);
  }
  for (const one of data.scheduled) {
    svg.append(bar(rows.indexOf(one.agent), one.start, one.end, scale, "scheduled", 29, 5,
      `planned: ${one.words}: ${seconds(one.start)} to ${seconds(one.end)}`)[0]);
  }
  for (const one of data.spans) {
    const words = `${one.words}: ${seconds(one.start)} to ${seconds(one.end)}, ${one.ended}`
      + (one.reason && ` (${one.reason})`);
    const [group, x, y, width] = bar(rows.indexOf(one.agent), one.start, one.end, scale,
      one.ended, 2, 24, words);
    const most = Math.floor((width - 6) / 6.2);
    if (most > 2) {
      const label = one.words.length > most ? `${one.words.slice(0, most - 1)}…` : one.words;
      group.append(draw("text", {class: "words", x: x + 3, y: y + 16}, label));
    }
    svg.append(group);
  }
  return svg;
}

// The same for readers of the page who do not see it.
export function timelineText(data) {
  const list = make("ul", "", "hidden");
  list.append(...data.spans.map(one =>
    make("li", `${one.agent}, ${seconds(one.start)} to ${seconds(one.end)}: ${one.words}, ${one.ended}`)));
  return list;
}
