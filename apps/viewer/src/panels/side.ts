import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { numberText } from "../format";
import { colorOf } from "../scene/bodies";
import type { Selection } from "../selection";
import type { Shown } from "../shown";
import { Events } from "./events";
import type { Plots } from "./plots";
import { Tree } from "./tree";

// The panel on the left: quantities, events, summary, model.
export class Side {
  readonly tree: Tree;

  private buttons: HTMLElement[];

  constructor(files: Shown[], plots: Plots, clock: Clock, selection: Selection) {
    const { scene, groups } = files[0]!;
    const colors = new Map(scene.bodies.map(({ name }, index) => [`body:${name}`, `#${colorOf(scene, index).getHexString()}`]));
    this.tree = new Tree(groups, plots, selection, scene.drawable ? colors : new Map());
    selection.onChange(() => selection.group && groups.some(({ name }) => selection.holds(name)) && this.buttons[0]!.click());
    const body = h("div", { class: "side-body" }, this.tree.element);
    const tabs: [string, () => HTMLElement][] = [
      ["Quantities", () => this.tree.element],
      ["Events", once(() => new Events(files, clock).element)],
      ["Summary", once(() => sections(files, summaryElement))],
      ["Model", once(() => sections(files, modelElement))],
    ];
    const shown = scene.kind === "model" ? tabs.filter(([name]) => name !== "Events") : tabs;
    this.buttons = shown.map(([name, element], index) =>
      h("button", { type: "button", role: "tab", class: index === 0 ? "active" : "", "aria-selected": index === 0 ? "true" : "false", onclick: () => choose(index, element) }, name),
    );
    const choose = (index: number, element: () => HTMLElement) => {
      this.buttons.forEach((button, k) => {
        button.classList.toggle("active", k === index);
        button.setAttribute("aria-selected", String(k === index));
      });
      body.replaceChildren(element());
    };
    byId("side").append(h("div", { class: "side-tabs", role: "tablist" }, ...this.buttons), body);
    if (scene.kind === "model") this.buttons[1]?.click(); // what the check has to say comes first
  }
  // Brings the search to hand.
  searchQuantities(): void {
    this.buttons[0]!.click();
    this.tree.search.focus();
  }
}

// Of one file as it is, of two one below the other.
function sections(files: Shown[], make: (shown: Shown) => HTMLElement): HTMLElement {
  if (files.length === 1) return make(files[0]!);
  return h("div", {}, ...files.flatMap((shown) => [h("h3", { class: "section" }, h("span", { class: `letter ${shown.letter}` }, shown.letter), ` ${shown.scene.file}`), make(shown)]));
}

function once(make: () => HTMLElement): () => HTMLElement {
  let made: HTMLElement | null = null;
  return () => (made ??= make());
}

function summaryElement({ source }: Shown): HTMLElement {
  const element = h("div", { class: "tab-body" });
  source
    .summary()
    .then((summary) => {
      if (summary.report) element.append(h("pre", { class: "text" }, summary.report));
      const rows = h("table", { class: "summary" });
      const add = (name: string, value: string) => rows.append(h("tr", {}, h("th", {}, name), h("td", {}, value)));
      addParameters(source, element);
      add("file", summary.file);
      add("status", summary.status);
      add("written by", `carom ${summary.version}`);
      addAll(summary.statistics, add);
      element.append(rows);
    })
    .catch((error: Error) => element.append(h("p", { class: "muted" }, error.message)));
  return element;
}

// The values that the run had.
function addParameters(source: Shown["source"], element: HTMLElement): void {
  source
    .parameters()
    .then(({ list }) => {
      if (list.length === 0) return;
      const rows = list.map(({ name, text, remark }) => h("tr", { title: remark }, h("th", {}, name), h("td", {}, text)));
      element.append(h("h3", { class: "section" }, "Parameters"), h("table", { class: "summary", "data-parameters": true }, ...rows));
    })
    .catch(() => {}); // a summary without them is still one
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

function modelElement({ source }: Shown): HTMLElement {
  const text = h("pre", { class: "text" });
  source
    .modelText()
    .then((model) => (text.textContent = model))
    .catch((error: Error) => (text.textContent = error.message));
  return h("div", { class: "tab-body" }, text);
}
