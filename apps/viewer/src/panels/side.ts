import { api } from "../api";
import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { numberText } from "../format";
import type { Group, Scene } from "../types";
import { Events } from "./events";
import type { Plots } from "./plots";
import { Tree } from "./tree";

// The panel on the left: quantities, events, summary, model.
export class Side {
  readonly tree: Tree;

  constructor(scene: Scene, groups: Group[], plots: Plots, clock: Clock) {
    this.tree = new Tree(groups, plots);
    const body = h("div", { class: "side-body" }, this.tree.element);
    const tabs: [string, () => HTMLElement][] = [
      ["Quantities", () => this.tree.element],
      ["Events", once(() => new Events(clock).element)],
      ["Summary", once(summaryElement)],
      ["Model", once(modelElement)],
    ];
    const shown = scene.kind === "model" ? tabs.filter(([name]) => name !== "Events") : tabs;
    const buttons = shown.map(([name, element], index) =>
      h("button", { type: "button", role: "tab", class: index === 0 ? "active" : "", onclick: () => choose(index, element) }, name),
    );
    const choose = (index: number, element: () => HTMLElement) => {
      buttons.forEach((button, k) => button.classList.toggle("active", k === index));
      body.replaceChildren(element());
    };
    byId("side").append(h("div", { class: "side-tabs", role: "tablist" }, ...buttons), body);
    if (scene.kind === "model") buttons[1]?.click(); // what the check has to say comes first
  }
}

function once(make: () => HTMLElement): () => HTMLElement {
  let made: HTMLElement | null = null;
  return () => (made ??= make());
}

function summaryElement(): HTMLElement {
  const element = h("div", { class: "tab-body" });
  api
    .summary()
    .then((summary) => {
      if (summary.report) element.append(h("pre", { class: "text" }, summary.report));
      const rows = h("table", { class: "summary" });
      const add = (name: string, value: string) => rows.append(h("tr", {}, h("th", {}, name), h("td", {}, value)));
      add("file", summary.file);
      add("status", summary.status);
      add("written by", `carom ${summary.version}`);
      addAll(summary.statistics, add);
      element.append(rows);
    })
    .catch((error: Error) => element.append(h("p", { class: "muted" }, error.message)));
  return element;
}

// Numbers and texts of the statistics, one a line; what is nested gets the names of what holds it in front.
function addAll(value: unknown, add: (name: string, value: string) => void, name = ""): void {
  if (value === null || value === undefined || value === "") return;
  if (typeof value === "number") add(name, numberText(value));
  else if (typeof value === "object") {
    const list = Array.isArray(value);
    if (list && value.length > 12) return add(name, `${value.length} entries`);
    for (const [key, part] of Object.entries(value)) addAll(part, add, `${name} ${list ? Number(key) + 1 : key.replaceAll("_", " ")}`.trim());
  } else add(name, String(value));
}

function modelElement(): HTMLElement {
  const text = h("pre", { class: "text" });
  api
    .modelText()
    .then((model) => (text.textContent = model))
    .catch((error: Error) => (text.textContent = error.message));
  return h("div", { class: "tab-body" }, text);
}
