import { h } from "../dom";
import { unitText } from "../format";
import type { Selection } from "../selection";
import type { Quantity } from "../shown";
import type { Group } from "../types";
import type { Plots } from "./plots";

const mostShown = 200; // entries of one list; a search narrows it

const families: [string, string][] = [
  ["energy", "Energy"],
  ["body:", "Bodies"],
  ["joint:", "Joints"],
  ["contact:", "Contacts"],
  ["motion:", "Drives"],
  ["force:", "Force elements"],
  ["beam:", "Beams"],
  ["", "Other"],
];

// All recorded quantities, with a search. A click plots; the buttons x and y choose the axes of a phase portrait.
export class Tree {
  readonly element: HTMLElement;
  readonly search = h("input", { type: "search", placeholder: "Search quantities  ( / )", "aria-label": "Search quantities" });
  private list = h("div", { class: "tree" });
  private phaseX: Quantity | null = null;

  constructor(
    private groups: Group[],
    private plots: Plots,
    private selection: Selection,
    private colors: Map<string, string>, // of bodies in the scene, by group
  ) {
    this.element = h("div", { class: "tab-body" }, this.search, this.list);
    this.search.addEventListener("input", () => this.build());
    plots.onChange(() => this.mark());
    selection.onChange(() => this.reveal());
    this.build();
  }

  // Opens the entry of what is chosen and brings it into view; of very many, by a search.
  private reveal(): void {
    const { group } = this.selection;
    const entry = () => [...this.list.querySelectorAll<HTMLDetailsElement>("details.group")].find((details) => this.selection.holds(details.dataset.group!));
    if (group && !entry()) {
      this.search.value = "";
      this.build();
    }
    if (group && !entry() && this.groups.some(({ name }) => this.selection.holds(name))) {
      this.search.value = group;
      this.build();
    }
    const found = group ? entry() : undefined;
    if (found) {
      found.open = true;
      (found.parentElement as HTMLDetailsElement).open = true;
      window.setTimeout(() => found.scrollIntoView({ block: "nearest" }), 0); // once it is as large as it gets
    }
    this.mark();
  }

  private build(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
    const left = new Set(this.groups);
    this.list.replaceChildren();
    let budget = mostShown;
    for (const [prefix, title] of families) {
      const members = [...left].filter((group) => group.name.startsWith(prefix));
      members.forEach((group) => left.delete(group));
      const entries = members
        .map((group) => ({ group, components: group.components.filter((c) => fits(`${group.name}.${c.name} ${c.meaning} ${c.unit}`)) }))
        .filter(({ components }) => components.length > 0);
      if (entries.length === 0) continue;
      const open = words.length > 0 || entries.length <= 3;
      const family = h("details", { class: "family" }, h("summary", {}, title, h("span", { class: "count" }, String(entries.length))));
      family.open = open;
      for (const { group, components } of entries.slice(0, Math.max(budget, 0))) family.append(this.buildGroup(group, components, words.length > 0 && entries.length <= 5));
      if (entries.length > budget) family.append(h("p", { class: "muted" }, `${entries.length - Math.max(budget, 0)} more; search to see them`));
      budget -= entries.length;
      this.list.append(family);
    }
    if (this.list.childElementCount === 0) this.list.append(h("p", { class: "muted hint" }, words.length ? "Nothing fits the search." : "No quantities were recorded."));
    this.mark();
  }

  private buildGroup(group: Group, components: Group["components"], open: boolean): HTMLElement {
    const loops = ["penetration", "normal_force"].every((wanted) => group.components.some(({ name }) => name === wanted));
    const loop = loops && h("button", { type: "button", class: "loop", title: "Hysteresis: force over penetration", "data-loop": group.name, onclick: (event) => (event.preventDefault(), event.stopPropagation(), this.plots.addLoop(group.name)) }, "loop");
    const ink = this.colors.get(group.name);
    const swatch = ink ? h("i", { class: "swatch" }) : null;
    swatch?.style.setProperty("--ink", ink!);
    const choose = () => this.selection.choose(this.selection.group === group.name ? null : group.name);
    const details = h("details", { class: "group", "data-group": group.name }, h("summary", { onclick: choose }, swatch, group.name.replace(/^[a-z]+:/, ""), loop));
    const fill = () => {
      if (details.childElementCount > 1) return;
      for (const { name, unit, meaning } of components) {
        const quantity = { name: `${group.name}.${name}`, unit };
        const text = unitText(unit);
        details.append(
          h(
            "div",
            { class: "leaf", title: meaning },
            h("button", { type: "button", class: "quantity", "data-quantity": quantity.name, "aria-pressed": "false", onclick: () => this.plots.toggle(quantity) }, name, h("span", { class: "muted" }, text)),
            h("button", { type: "button", class: "axis", title: "Phase portrait: this one along x", "data-x": quantity.name, onclick: () => this.chooseX(quantity) }, "x"),
            h("button", { type: "button", class: "axis", title: "Phase portrait: this one along y", onclick: () => this.chooseY(quantity) }, "y"),
            h("button", { type: "button", class: "axis", title: "Spectrum of this one", "data-spectrum": quantity.name, onclick: () => this.plots.addSpectrum(quantity) }, "∿"),
          ),
        );
      }
      this.mark();
    };
    details.addEventListener("toggle", () => details.open && fill());
    if (open) {
      details.open = true;
      fill();
    }
    return details;
  }

  private chooseX(quantity: Quantity): void {
    this.phaseX = this.phaseX?.name === quantity.name ? null : quantity;
    this.mark();
  }
  private chooseY(quantity: Quantity): void {
    if (!this.phaseX) {
      this.phaseX = quantity; // the first one chosen, whichever button it was
      this.mark();
      return;
    }
    this.plots.addPhase(this.phaseX, quantity);
    this.phaseX = null;
    this.mark();
  }

  private mark(): void {
    for (const details of this.list.querySelectorAll<HTMLElement>("details.group")) details.classList.toggle("chosen", this.selection.holds(details.dataset.group!));
    for (const button of this.list.querySelectorAll<HTMLElement>("[data-quantity]")) button.setAttribute("aria-pressed", String(this.plots.has(button.dataset.quantity!)));
    for (const button of this.list.querySelectorAll<HTMLElement>("[data-x]")) button.classList.toggle("chosen", button.dataset.x === this.phaseX?.name);
  }
}
