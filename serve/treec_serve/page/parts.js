// Small helpers. Text is set as text: nothing from a run ever becomes markup.
export const part = id => document.getElementById(id);

export function make(tag, text = "", css = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (css) made.className = css;
  return made;
}

// The server has ended, or cannot be reached for now.
export function button(text, label, act) {
  const made = make("button", text, "small");
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

export class Unreachable extends Error {
  constructor() { super("The server does not answer; this page goes on when it is there again."); }
}

export async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Unreachable();
  }
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(await answer.text());
  const data = await answer.json();
  if (data) data.again = Number(answer.headers.get("Treec-Ask-Again") || 0);
  return data;
}

export const order = (what, body = {}) => post(`live/${what}`, body);

export function post(path, body) {
  return ask(path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(body),
    priority: "high",
  });
}

export const runPath = name => `runs/${encodeURIComponent(name)}`;
export const seconds = t => `${t.toFixed(1)} s`;

// Replaces the children of a list only where they differ, so that focus and scrolling stay.
export function fill(list, items, key, draw) {
  items.forEach((item, number) => {
    const now = key(item), old = list.children[number];
    if (old && old.dataset.key === now) return;
    const made = draw(item);
    made.dataset.key = now;
    if (old) old.replaceWith(made); else list.append(made);
  });
  while (list.children.length > items.length) list.lastChild.remove();
}

// Rows of texts as a table without a head.
export function tabled(rows) {
  const table = make("table", "", "pairs"), body = make("tbody");
  for (const [first, ...rest] of rows) {
    const line = make("tr"), name = make("th", first);
    name.scope = "row";
    line.append(name, ...rest.map(text => make("td", text)));
    body.append(line);
  }
  table.append(body);
  return table;
}

// Tabs over panels: [name, element]; returns the bar, with `show(name)`.
export function tabs(label, panels, first = panels[0][0], shown = () => {}) {
  const bar = make("div", "", "tabs");
  bar.setAttribute("role", "tablist");
  bar.setAttribute("aria-label", label);
  const heads = panels.map(([name, panel]) => {
    const head = make("button", name);
    head.type = "button";
    head.setAttribute("role", "tab");
    head.id = `tab-${++count}`;
    panel.id = `tab-panel-${count}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", head.id);
    panel.tabIndex = 0;
    head.setAttribute("aria-controls", panel.id);
    head.addEventListener("click", () => bar.show(name));
    bar.append(head);
    return head;
  });
  bar.show = name => {
    panels.forEach(([one, panel], n) => {
      panel.hidden = one !== name;
      heads[n].setAttribute("aria-selected", String(one === name));
      heads[n].tabIndex = one === name ? 0 : -1;
    });
    shown(name);
  };
  bar.addEventListener("keydown", event => {
    const at = heads.indexOf(event.target), step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (at < 0 || !step) return;
    const next = (at + step + heads.length) % heads.length;
    bar.show(panels[next][0]);
    heads[next].focus();
    event.preventDefault();
  });
  bar.show(first);
  return bar;
}
let count = 0;
