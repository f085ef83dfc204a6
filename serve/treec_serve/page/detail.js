// The window over the page: a file at a line, or the prompt of a decision.
import {ask, make, part, runPath} from "./parts.js";

function open(title, parts, at) {
  const dialog = part("detail");
  part("detail-title").textContent = title;
  part("detail-body").replaceChildren(...parts);
  if (!dialog.open) dialog.showModal();
  part("detail-body").scrollTop = 0;
  if (at) at.scrollIntoView({block: "center"});
}

function changed(files) {
  return files.length ? [make("p", `Changed since the run began: ${files.join(", ")}`, "failed")] : [];
}

export async function showNode(run, node) {
  const query = new URLSearchParams({path: node.path});
  const found = await ask(`${runPath(run)}/node?${query}`);
  const parts = [...changed(found.changed), make("p", node.path, "quiet")];
  let first = null;
  for (const place of found.places) {
    parts.push(make("h3", `${place.file}:${place.line}`));
    const code = make("pre", "", "code");
    place.text.replace(/\n$/, "").split("\n").forEach((text, number) => {
      const line = make("span", text, number + 1 === place.line ? "line here" : "line");
      line.dataset.number = number + 1;
      if (number + 1 === place.line) {
        line.setAttribute("aria-current", "true");
        first = first || line;
      }
      code.append(line, "\n");
    });
    parts.push(code);
  }
  open(`${node.kind} ${node.path.split("/").pop()}`, parts, first);
}

// Why it was decided, then what was asked.
export async function showPrompt(run, made) {
  const query = new URLSearchParams({path: made.node, n: made.n});
  const found = await ask(`${runPath(run)}/prompt?${query}`), name = made.node.split("/").pop();
  const parts = [...changed(found.changed),
    make("p", `${made.node}, at ${found.label}, by ${found.by}. Worked out again from the files as they are now.`, "quiet")];
  if (made.why) parts.push(make("p", [made.about, made.why].filter(Boolean).join(" ")));
  if (found.rules.length) parts.push(rules(found.rules));
  if (found.messages.length) parts.push(make("h3", "Prompt"));
  parts.push(...messages(found.messages));
  if (found.schema) {
    parts.push(make("h3", "schema of the answer"), make("pre", JSON.stringify(found.schema, null, 1)));
  }
  if (!found.messages.length) parts.push(make("p", "No model is asked here: a rule decides."));
  open(made.choose ? `Why ${name} chose ${made.choose}` : `Prompt of ${name}`, parts, null);
}

const KINDS = {always: "Before a model is asked", offer: "Offered while its condition holds", offline: "Where no model decides"};

// The rules as they were tried: what each looked at, and whether it fitted.
function rules(all) {
  const table = make("table", "", "rules"), head = make("tr");
  for (const text of ["", "Rule", "Leads to", "What it looked at"]) {
    const cell = make("th", text);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(make("caption", "The rules in their order, up to the first that fits"), head);
  let kind = "";
  for (const one of all) {
    if (one.kind !== kind) {
      const title = make("th", KINDS[kind = one.kind]), row = make("tr");
      title.colSpan = 4;
      row.append(title);
      table.append(row);
    }
    const row = make("tr", "", one.fits ? "fits" : ""), rule = make("td");
    const looked = one.looked.filter(([, value]) => value !== "nothing").map(([text, value]) => `${text}: ${value}`);
    const empty = one.looked.filter(([, value]) => value === "nothing").map(([text]) => text);
    if (empty.length) looked.push(`nothing: ${empty.join(", ")}`);
    rule.append(make("code", one.when === "true" ? "else" : one.when));
    row.append(make("td", one.fits ? "✓ fits" : one.fits === null ? "not tried" : "no"), rule, make("td", one.choose));
    const cell = make("td");
    cell.append(...looked.map(text => make("div", text)));
    row.append(cell);
    table.append(row);
  }
  return table;
}

// Examples stand between the instructions and what is asked: pairs of a question and its answer.
function messages(all) {
  const parts = [], plain = message => [make("h3", message.role), make("pre", message.content)];
  const first = all.findIndex(one => one.role !== "system"), last = all.length - 1;
  let number = 0;
  for (let n = 0; n < all.length; n += 1) {
    const next = all[n + 1];
    if (n < first || n >= last || all[n].role !== "user" || next.role !== "assistant" || n + 1 >= last) {
      parts.push(...plain(all[n]));
      continue;
    }
    const box = make("details", "", "example"), words = next.content.replace(/\s+/g, " ");
    box.append(make("summary", `Example ${++number}: ${words.length > 90 ? `${words.slice(0, 90)}…` : words}`),
      ...plain(all[n]), ...plain(next));
    parts.push(box);
    n += 1;
  }
  return parts;
}

export async function showNodes(run, n, clock) {
  const found = await ask(`${runPath(run)}/nodes?${new URLSearchParams({n})}`);
  const table = make("table", "", "statistics"), head = make("tr");
  head.append(...found.columns.map(text => make("th", text)));
  for (const cell of head.children) cell.scope = "col";
  const body = make("tbody");
  for (const row of found.rows) {
    const line = make("tr"), [path, ...counts] = row, name = make("th", path);
    name.scope = "row";
    line.append(name, ...counts.map(text => make("td", text)));
    body.append(line);
  }
  const top = make("thead");
  top.append(head);
  table.append(top, body);
  open(`Ticks of nodes until ${clock}`, [make("p", found.note, "quiet"), table], null);
}
