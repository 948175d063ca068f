import uPlot from "uplot";
import type { MapRule } from "../api";
import type { Clock } from "../clock";
import { color, h } from "../dom";
import { numberText, withUnit } from "../format";
import { listText } from "../address";
import { dashes, has, type Quantity, type Shown } from "../shown";
import { plotCard, say } from "./plot_card";
import type { PlotRange } from "./plot_range";
import { axis, padded, strokeOf } from "./plot_style";

interface Path {
  shown: Shown;
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

export interface PhaseChoice {
  title?: string;
  above?: number; // only where the quantity along x is above this
  loop?: string; // the group whose hysteresis it is
  settings?: string[]; // kind of map and what it needs, as `text` tells them
}

// One quantity over another: as a curve with a dot at the instant of the clock, or as a Poincaré map.
export class PhasePlot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private paths: Path[] = [];
  private files: Shown[];
  private box = h("div", { class: "plot-box tall" });
  private dot = h("div", { class: "dot" });
  private kind = h("select", { "aria-label": "Curve or Poincaré map", onchange: () => this.choose() }, h("option", { value: "curve" }, "curve"), h("option", { value: "strobe" }, "once a period"), h("option", { value: "section" }, "at a section"));
  private period = h("input", { type: "number", class: "short", step: "any", min: 0, "aria-label": "Period in s", onchange: () => void this.load() });
  private level = h("input", { type: "number", class: "short", step: "any", value: 0, "aria-label": "Level of the section", onchange: () => void this.load() });
  private section = h("input", { class: "name", list: "quantity-names", "aria-label": "Quantity of the section", onchange: () => void this.load() });
  private crossing = h("select", { "aria-label": "Direction of the section", onchange: () => void this.load() }, ...["rising", "falling", "both"].map((way) => h("option", {}, way)));
  private strobeRow = h("span", { class: "row", hidden: true }, this.period, "s");
  private sectionRow = h("span", { class: "row", hidden: true }, this.section, "=", this.level, this.crossing);
  private note = h("span", { class: "muted" });
  private request = 0;
  private forget: (() => void)[];

  constructor(
    private first: Quantity,
    private second: Quantity,
    files: Shown[],
    private clock: Clock,
    private range: PlotRange,
    close: () => void,
    private choice: PhaseChoice = {},
    private onSettings: () => void = () => {},
  ) {
    this.files = files.filter((shown) => has(shown, first) && has(shown, second));
    const period = files[0]!.scene.period;
    this.period.value = period > 0 ? String(Number(period.toPrecision(8))) : "";
    this.section.value = first.name;
    const settings = h("div", { class: "row settings" }, this.kind, this.strobeRow, this.sectionRow, h("span", { class: "spring" }), this.note);
    const card = plotCard(h("h3", {}, choice.title ?? `${second.name} over ${first.name}`), this.box, close, () => this.resize(), settings);
    this.element = card.element;
    this.forget = [card.forget, range.onChange(() => this.load())];
    this.restore(choice.settings ?? []);
    void this.load();
  }
  get names(): string[] {
    return [this.first.name, this.second.name];
  }
  get text(): string {
    const { value: kind } = this.kind;
    const settings = kind === "strobe" ? [kind, this.period.value] : kind === "section" ? [kind, this.section.value, this.level.value, this.crossing.value] : [];
    return this.choice.loop ? `loop:${listText([this.choice.loop, ...settings])}` : `phase:${listText([...this.names, ...settings])}`;
  }
  private restore([kind, ...values]: string[]): void {
    if (kind === "strobe") this.period.value = values[0] ?? "";
    else if (kind === "section") [this.section.value, this.level.value, this.crossing.value] = [values[0] ?? "", values[1] ?? "0", values[2] ?? "rising"];
    else return;
    this.kind.value = kind;
    this.strobeRow.hidden = kind !== "strobe";
    this.sectionRow.hidden = kind !== "section";
  }
  destroy(): void {
    this.plot?.destroy();
    for (const action of this.forget) action();
  }

  private choose(): void {
    this.strobeRow.hidden = this.kind.value !== "strobe";
    this.sectionRow.hidden = this.kind.value !== "section";
    void this.load();
  }
  private get rule(): MapRule | null {
    if (this.kind.value === "strobe") return { period: Number(this.period.value) };
    if (this.kind.value === "section") return { section: this.section.value, level: Number(this.level.value), crossing: this.crossing.value as "rising" };
    return null;
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    this.onSettings();
    const { from, to } = this.range;
    const { rule } = this;
    try {
      if (rule && "period" in rule && !(rule.period > 0)) throw new Error("Give the period in seconds; the model has no drive that turns at a constant speed.");
      const lists = await Promise.all(
        this.files.map(({ source }) => (rule ? source.map(this.first.name, this.second.name, from, to, rule) : source.phase(this.first.name, this.second.name, from, to, 4000, this.choice.above))),
      );
      if (request !== this.request) return;
      this.paths = lists.map((triples, k) => ({ shown: this.files[k]!, ...pulledApart(triples) }));
      const count = this.paths[0]?.t.length ?? 0;
      this.note.textContent = rule ? `${count} points` : "";
      if (count === 0) throw new Error(rule ? "No point in this part of the run: the level is not passed there." : "Nothing in this part of the run: the surfaces do not touch there.");
      this.build();
    } catch (error) {
      this.plot?.destroy();
      this.plot = null;
      say(this.box, error);
    }
  }

  private build(): void {
    this.plot?.destroy();
    const limits = (axis: "x" | "y"): [number, number] => {
      let [low, high] = [Infinity, -Infinity];
      for (const path of this.paths) {
        for (const value of path[axis]) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
      return padded(low, high);
    };
    const [xs, ys] = [limits("x"), limits("y")];
    const draw: uPlot.Series.PathBuilder = (plot) => {
      const { ctx } = plot;
      ctx.save();
      ctx.beginPath();
      ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
      ctx.clip();
      for (const path of this.paths) this.drawPath(plot, path);
      ctx.restore();
      return null;
    };
    const options: uPlot.Options = {
      mode: 2,
      width: Math.max(this.box.clientWidth, 100),
      height: Math.max(this.box.clientHeight, 160),
      legend: { show: false },
      padding: [8, 18, 0, 0],
      cursor: { show: false },
      scales: { x: { time: false, range: () => xs }, y: { range: () => ys } },
      axes: [axis(withUnit(this.first.name, this.first.unit), 26), axis(withUnit(this.second.name, this.second.unit), 56)],
      series: [{}, { facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: draw }],
    };
    this.box.replaceChildren();
    const { x, y } = this.paths[0]!;
    this.plot = new uPlot(options, [[], [x, y]] as unknown as uPlot.AlignedData, this.box);
    this.plot.over.append(this.dot);
    queueMicrotask(() => this.show()); // scales are known only then
  }

  private drawPath(plot: uPlot, { shown, x, y }: Path): void {
    const { ctx } = plot;
    const ratio = window.devicePixelRatio || 1;
    const other = shown.letter === "B";
    ctx.strokeStyle = ctx.fillStyle = other ? color("ghost") : strokeOf(0);
    ctx.lineWidth = 1.3 * ratio;
    if (this.rule) {
      const size = (x.length < 200 ? 2.4 : 1.4) * ratio;
      x.forEach((value, k) => {
        ctx.beginPath();
        ctx.arc(plot.valToPos(value, "x", true), plot.valToPos(y[k]!, "y", true), size, 0, 2 * Math.PI);
        ctx.fill();
      });
      return;
    }
    ctx.setLineDash(other ? dashes.map((dash) => dash * ratio) : []);
    ctx.beginPath();
    x.forEach((value, k) => ctx.lineTo(plot.valToPos(value, "x", true), plot.valToPos(y[k]!, "y", true)));
    ctx.stroke();
    ctx.setLineDash([]);
  }

  private resize(): void {
    if (!this.plot || this.box.clientWidth === 0) return;
    this.plot.setSize({ width: this.box.clientWidth, height: Math.max(this.box.clientHeight, 160) });
    this.show();
  }
  redraw(): void {
    this.plot?.redraw(true);
  }
  show(): void {
    const path = this.paths[0];
    if (!this.plot || !path || path.t.length === 0) return;
    const { t, x, y } = path;
    let low = 0;
    let high = t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle]! <= this.clock.time) low = middle;
      else high = middle;
    }
    const span = t[high]! - t[low]!;
    const s = span > 0 && !this.rule ? Math.min(Math.max((this.clock.time - t[low]!) / span, 0), 1) : 0;
    const at = (values: Float64Array) => values[low]! + s * (values[high]! - values[low]!);
    this.dot.style.transform = `translate(${this.plot.valToPos(at(x), "x").toFixed(1)}px, ${this.plot.valToPos(at(y), "y").toFixed(1)}px)`;
    this.dot.title = `t = ${numberText(t[low], 6)} s`;
  }
}

function pulledApart(triples: Float64Array): { t: Float64Array; x: Float64Array; y: Float64Array } {
  const part = (offset: number) => Float64Array.from({ length: triples.length / 3 }, (_, k) => triples[3 * k + offset]!);
  return { t: part(0), x: part(1), y: part(2) };
}
