import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { onTheme } from "../theme";
import { listOf, listText } from "../address";
import type { Selection } from "../selection";
import type { Quantity, Shown } from "../shown";
import type { Group } from "../types";
import { PhasePlot, type PhaseChoice } from "./phase_plot";
import { PlotRange } from "./plot_range";
import { SpectrumPlot } from "./spectrum_plot";
import { TimePlot } from "./time_plot";

type Plot = TimePlot | PhasePlot | SpectrumPlot;

const mostNames = 5000; // offered for a section
const mostTried = 24; // quantities looked at to find one that changes

// The column of plots.
export class Plots {
  private plots: Plot[] = [];
  private list = h("div", { class: "plot-list" });
  private empty = h("p", { class: "muted hint" }, "Choose a quantity on the left to plot it. Two of one unit share a plot.");
  private range: PlotRange;
  private listeners: (() => void)[] = [];
  brings = false; // a new plot into view

  constructor(
    private files: Shown[],
    private clock: Clock,
    private selection: Selection,
  ) {
    this.range = new PlotRange(clock.start, clock.end);
    const whole = h("button", { type: "button", title: "Show the whole run (double click in a plot)", onclick: () => void this.range.reset() }, "Whole run");
    whole.hidden = true;
    this.range.onChange(async () => void (whole.hidden = this.range.isWhole));
    const energy = this.groups.find((group) => group.name === "energy");
    const names = this.groups.flatMap(({ name, components }) => components.map((component) => `${name}.${component.name}`));
    byId("plots").append(
      h("div", { class: "panel-head" }, h("h2", {}, "Plots"), h("span", { class: "spring" }), whole, energy ? h("button", { type: "button", title: "Energies of the run (E)", onclick: () => this.showEnergy() }, "Energy") : null),
      this.empty,
      this.list,
      h("datalist", { id: "quantity-names" }, ...names.slice(0, mostNames).map((name) => h("option", { value: name }))),
    );
    clock.onTime(() => this.plots.forEach((plot) => plot.show()));
    onTheme(() => this.plots.forEach((plot) => plot.redraw()));
    selection.onChange(() => this.highlight());
    this.range.onChange(async () => this.changed());
  }

  // What is plotted, in a line for the address; replace() takes it back and leaves out what was not recorded.
  get text(): string {
    return this.plots.map((plot) => plot.text).join(";");
  }
  replace(text: string): void {
    for (const plot of [...this.plots]) this.close(plot);
    this.restore(text);
  }
  private restore(text: string): void {
    for (const entry of text.split(";")) {
      const kind = entry.slice(0, entry.indexOf(":"));
      const words = listOf(entry.slice(entry.indexOf(":") + 1));
      const [x, y] = words.map((name) => this.find(name));
      if (kind === "time") {
        const known = words.map((name) => this.find(name)).filter((quantity) => quantity !== null);
        if (known.length > 0) this.addTime(known);
      } else if (kind === "phase" && x && y) this.addPhase(x, y, { settings: words.slice(2) });
      else if (kind === "loop" && words[0]) this.addLoop(words[0], words.slice(1));
      else if (kind === "spectrum" && x) this.addSpectrum(x);
    }
  }
  // The part of the run that is shown; empty: all of it.
  get rangeText(): string {
    return this.range.isWhole ? "" : listText([this.range.from, this.range.to].map((t) => String(Number(t.toPrecision(9)))));
  }
  set rangeText(text: string) {
    const [from, to] = listOf(text).map(Number);
    if (Number.isFinite(from) && Number.isFinite(to)) void this.range.set(from!, to!);
  }
  private find(name: string): Quantity | null {
    const dot = name.lastIndexOf(".");
    const component = this.groups.find((group) => group.name === name.slice(0, dot))?.components.find((each) => each.name === name.slice(dot + 1));
    return component ? { name, unit: component.unit } : null;
  }

  // Plots of what is chosen stand out, and so do its curves.
  private highlight(): void {
    for (const plot of this.plots) {
      plot.element.classList.toggle("chosen", plot.names.some((name) => this.selection.holds(name)));
      if (plot instanceof TimePlot) plot.highlight(this.selection);
    }
  }

  private get groups(): Group[] {
    return this.files[0]!.groups;
  }
  // The run has gone on.
  extend(): Promise<void> {
    return this.range.extend(this.clock.start, this.clock.end);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  has(name: string): boolean {
    return this.plots.some((plot) => plot instanceof TimePlot && plot.has(name));
  }

  // Shows a quantity, or hides it where it is shown.
  toggle(quantity: Quantity): void {
    const shown = this.plots.find((plot): plot is TimePlot => plot instanceof TimePlot && plot.has(quantity.name));
    if (shown) shown.remove(quantity.name);
    else {
      const fitting = [...this.plots].reverse().find((plot): plot is TimePlot => plot instanceof TimePlot && plot.unit === quantity.unit && plot.quantities.length < 7);
      if (fitting) fitting.add(quantity);
      else this.addTime([quantity]);
    }
    this.changed();
    this.highlight();
  }

  addTime(quantities: Quantity[], title?: string): void {
    const plot: TimePlot = new TimePlot(quantities, title ?? titleOf(quantities[0]!), this.files, this.clock, this.range, () => this.close(plot), () => this.close(plot));
    this.add(plot);
  }
  addPhase(x: Quantity, y: Quantity, choice: PhaseChoice = {}): void {
    const plot: PhasePlot = new PhasePlot(x, y, this.files, this.clock, this.range, () => this.close(plot), choice, () => this.changed());
    this.add(plot);
  }
  addSpectrum(quantity: Quantity): void {
    const plot: SpectrumPlot = new SpectrumPlot(quantity, this.files, this.range, () => this.close(plot));
    this.add(plot);
  }

  // Force over penetration of a contact or loose joint. False: they were not recorded.
  addLoop(name: string, settings: string[] = []): boolean {
    const group = this.groups.find((candidate) => candidate.name === name);
    const find = (component: string) => group?.components.find((candidate) => candidate.name === component);
    const [depth, force] = [find("penetration"), find("normal_force")];
    if (!depth || !force) return false;
    const quantity = ({ name: component, unit }: { name: string; unit: string }) => ({ name: `${name}.${component}`, unit });
    this.addPhase(quantity(depth), quantity(force), { title: `Hysteresis · ${name}`, above: 0, loop: name, settings });
    return true;
  }
  showEnergy(): void {
    const energy = this.groups.find((group) => group.name === "energy");
    if (!energy || this.has("energy.total")) return;
    this.addTime(
      energy.components.filter(({ name }) => name !== "residual").map(({ name, unit }) => ({ name: `energy.${name}`, unit })),
      "Energy",
    );
  }

  private add(plot: Plot): void {
    this.plots.push(plot);
    this.list.append(plot.element);
    if (this.brings) plot.element.scrollIntoView({ block: "nearest" });
    this.changed();
    this.highlight();
  }
  private close(plot: Plot): void {
    plot.destroy();
    plot.element.remove();
    this.plots = this.plots.filter((other) => other !== plot);
    this.changed();
  }
  private changed(): void {
    this.empty.hidden = this.plots.length > 0;
    for (const listener of this.listeners) listener();
  }
}

function titleOf(quantity: Quantity): string {
  const kinds: Record<string, string> = { N: "Force", m: "Length", "m/s": "Speed", "m/s^2": "Acceleration", rad: "Angle", "rad/s": "Angular speed", J: "Energy", "N m": "Torque", Pa: "Stress", W: "Power", "N s": "Impulse", s: "Time" };
  return kinds[quantity.unit] ?? quantity.name;
}

// What one wants to see first: the force in a loose joint or contact, else in a joint, else where a body is. Of these
// the first that changes: a line at zero tells nothing.
export async function firstPlots({ groups, source, scene }: Shown): Promise<Quantity[]> {
  const wanted: [RegExp, string[]][] = [
    [/^(joint|contact):/, ["normal_force"]],
    [/^(joint|contact):/, ["closed_force"]],
    [/^joint:/, ["fx", "fy", "fz"]],
    [/^(joint|contact):/, ["normal_impulse"]],
    [/^body:/, ["x", "y", "z"]],
    [/^body:/, ["angle", "wx", "wy", "wz"]],
  ];
  const changes = async ({ name }: Quantity): Promise<boolean> => {
    const pairs = await source.column(name, scene.start, scene.end, 200);
    const values = pairs.filter((value, k) => k % 2 === 1 && Number.isFinite(value));
    return values.some((value) => value !== values[0]);
  };
  for (const [pattern, names] of wanted) {
    let tried = 0;
    for (const group of groups) {
      if (!pattern.test(group.name)) continue;
      const found = group.components.filter(({ name }) => names.includes(name)).map(({ name, unit }) => ({ name: `${group.name}.${name}`, unit }));
      if (found.length === 0 || (tried += found.length) > mostTried) continue;
      const alive = await Promise.all(found.map(changes));
      if (alive.some(Boolean)) return found.filter((_, k) => alive[k]);
    }
  }
  return [];
}
