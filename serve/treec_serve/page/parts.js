// Small helpers. Text is set as text: nothing from a run ever becomes markup.
export const part = id => document.getElementById(id);

export function make(tag, text = "", css = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (css) made.className = css;
  return made;
}

// The server has ended, or cannot be reached for now.
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

export function order(what, body = {}) {
  return ask(`live/${what}`, {
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
