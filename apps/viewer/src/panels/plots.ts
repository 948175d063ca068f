import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { onTheme } from "../theme";
import type { Quantity, Shown } from "../shown";
import type { Group } from "../types";
import { PhasePlot, type PhaseChoice } from "./phase_plot";
import { PlotRange } from "./plot_range";
import { SpectrumPlot } from "./spectrum_plot";
import { TimePlot } from "./time_plot";

type Plot = TimePlot | PhasePlot | SpectrumPlot;

const mostNames = 5000; // offered for a section

// The column of plots.
export class Plots {
  private plots: Plot[] = [];
  private list = h("div", { class: "plot-list" });
  private empty = h("p", { class: "muted hint" }, "Choose a quantity on the left to plot it. Two of one unit share a plot.");
  private range: PlotRange;
  private listeners: (() => void)[] = [];

  constructor(
    private files: Shown[],
    private clock: Clock,
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
  }

  addTime(quantities: Quantity[], title?: string): void {
    const plot: TimePlot = new TimePlot(quantities, title ?? titleOf(quantities[0]!), this.files, this.clock, this.range, () => this.close(plot), () => this.close(plot));
    this.add(plot);
  }
  addPhase(x: Quantity, y: Quantity, choice: PhaseChoice = {}): void {
    const plot: PhasePlot = new PhasePlot(x, y, this.files, this.clock, this.range, () => this.close(plot), choice);
    this.add(plot);
  }
  addSpectrum(quantity: Quantity): void {
    const plot: SpectrumPlot = new SpectrumPlot(quantity, this.files, this.range, () => this.close(plot));
    this.add(plot);
  }

  // Force over penetration of a contact or loose joint. False: they were not recorded.
  addLoop(name: string): boolean {
    const group = this.groups.find((candidate) => candidate.name === name);
    const find = (component: string) => group?.components.find((candidate) => candidate.name === component);
    const [depth, force] = [find("penetration"), find("normal_force")];
    if (!depth || !force) return false;
    const quantity = ({ name: component, unit }: { name: string; unit: string }) => ({ name: `${name}.${component}`, unit });
    this.addPhase(quantity(depth), quantity(force), { title: `Hysteresis · ${name}`, above: 0 });
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
    plot.element.scrollIntoView({ block: "nearest" });
    this.changed();
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

// What one wants to see first: the force in a loose joint or contact, else in a joint, else where a body is.
export function firstPlots(groups: Group[]): Quantity[] {
  const wanted: [RegExp, string[]][] = [
    [/^(joint|contact):/, ["normal_force"]],
    [/^(joint|contact):/, ["closed_force"]],
    [/^joint:/, ["fx", "fy", "fz"]],
    [/^body:/, ["x", "y", "z"]],
  ];
  for (const [pattern, names] of wanted) {
    for (const group of groups) {
      if (!pattern.test(group.name)) continue;
      const found = group.components.filter(({ name }) => names.includes(name));
      if (found.length > 0) return found.map(({ name, unit }) => ({ name: `${group.name}.${name}`, unit }));
    }
  }
  return [];
}
