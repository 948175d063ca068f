import uPlot from "uplot";
import { api } from "../api";
import type { Clock } from "../clock";
import { h } from "../dom";
import { icon } from "../icons";
import { numberText, unitText } from "../format";
import type { PlotRange } from "./plot_range";
import { axis, padded, strokeOf } from "./plot_style";

const settled = 120; // ms without a move of the clock

export interface Quantity {
  name: string;
  unit: string;
}

// Quantities of one unit over time. A drag zooms, a double click shows all, a click moves the clock there.
export class TimePlot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private curves: [number[], (number | null)[]][] = [];
  private heading = h("h3");
  private legend = h("div", { class: "curves" });
  private box = h("div", { class: "plot-box" });
  private cursor = h("div", { class: "now" });
  private request = 0;
  private exact: (number | null)[] = []; // at the instant of the clock, where known
  private exactTimer = 0;
  private forget: (() => void)[] = [];

  constructor(
    readonly quantities: Quantity[],
    private title: string,
    private clock: Clock,
    private range: PlotRange,
    close: () => void,
    private onEmpty: () => void,
  ) {
    this.element = h(
      "article",
      { class: "plot card" },
      h("div", { class: "row" }, this.heading, h("button", { type: "button", class: "quiet", title: "Close this plot", "aria-label": "Close this plot", onclick: close }, icon("close"))),
      this.legend,
      this.box,
    );
    this.forget.push(range.onChange(() => void this.load()));
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.box);
    this.forget.push(() => observer.disconnect());
    void this.load();
  }

  get unit(): string {
    return this.quantities[0]?.unit ?? "";
  }
  has(name: string): boolean {
    return this.quantities.some((quantity) => quantity.name === name);
  }
  add(quantity: Quantity): void {
    this.quantities.push(quantity);
    void this.load();
  }
  remove(name: string): void {
    this.quantities.splice(
      this.quantities.findIndex((quantity) => quantity.name === name),
      1,
    );
    if (this.quantities.length === 0) this.onEmpty();
    else void this.load();
  }
  destroy(): void {
    window.clearTimeout(this.exactTimer);
    this.plot?.destroy();
    for (const action of this.forget) action();
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    const points = Math.max(200, Math.min(2000, Math.round(this.box.clientWidth * (window.devicePixelRatio || 1))));
    const { from, to } = this.range;
    try {
      const columns = await Promise.all(this.quantities.map(({ name }) => api.column(name, from, to, points)));
      if (request !== this.request) return; // a newer one is on its way
      this.curves = columns.map(split);
      this.build();
    } catch (error) {
      this.box.replaceChildren(h("p", { class: "muted" }, (error as Error).message));
    }
  }

  private build(): void {
    this.plot?.destroy();
    const joined = uPlot.join(this.curves.map((curve) => curve as uPlot.AlignedData));
    const unit = unitText(this.unit);
    const options: uPlot.Options = {
      width: Math.max(this.box.clientWidth, 100),
      height: Math.max(this.box.clientHeight, 120),
      legend: { show: false },
      padding: [8, 18, 0, 0],
      cursor: { sync: { key: "carom" }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: { x: { time: false, range: [this.range.from, this.range.to] }, y: { range: (_, low, high) => padded(low, high) } },
      axes: [axis("t [s]", 26), axis(unit ? `[${unit}]` : "", 56)],
      series: [{}, ...this.quantities.map((_, k) => ({ stroke: () => strokeOf(k), width: 1.4, points: { show: false } }))],
      hooks: {
        ready: [() => this.show()],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width > 4) this.range.set(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        setCursor: [(plot) => this.showLegend(plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : undefined)],
      },
    };
    this.box.replaceChildren();
    this.plot = new uPlot(options, joined, this.box);
    let pressed = 0;
    const { over } = this.plot;
    over.append(this.cursor);
    over.addEventListener("pointerdown", (event) => (pressed = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) < 3 && this.plot) this.clock.seek(this.plot.posToVal(event.offsetX, "x"));
    });
    over.addEventListener("dblclick", () => this.range.reset());
    this.show();
  }

  private resize(): void {
    if (!this.plot || this.box.clientWidth === 0) return;
    this.plot.setSize({ width: this.box.clientWidth, height: Math.max(this.box.clientHeight, 120) });
    this.show();
  }
  redraw(): void {
    this.plot?.redraw(false);
    this.showLegend();
  }

  // Called when the clock has moved.
  show(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.clock.time, "x");
    this.cursor.hidden = !(x >= 0 && x <= this.plot.over.clientWidth);
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.exact = [];
    this.showLegend();
    window.clearTimeout(this.exactTimer);
    this.exactTimer = window.setTimeout(() => void this.loadExact(), settled);
  }

  // A curve that was thinned out may be far off between its points; once the clock rests, the sample itself is told.
  private async loadExact(): Promise<void> {
    const { time } = this.clock;
    try {
      const columns = await Promise.all(this.quantities.map(({ name }) => api.column(name, time, time, 2)));
      if (time !== this.clock.time) return;
      this.exact = columns.map((pairs) => nearest(...split(pairs), time));
      this.showLegend();
    } catch {
      // the approximate values remain
    }
  }

  private showLegend(at = this.clock.time): void {
    const unit = unitText(this.unit);
    const shared = sharedGroup(this.quantities);
    this.heading.textContent = shared && shared !== "energy." ? `${this.title} · ${shared.slice(0, -1)}` : this.title;
    if (this.legend.childElementCount !== this.quantities.length) {
      this.legend.replaceChildren(...this.quantities.map(({ name }) => h("span", { class: "curve" }, h("i"), h("b", {}, name), h("output"), h("button", { type: "button", class: "quiet", title: `Remove ${name}`, onclick: () => this.remove(name) }, icon("close")))));
    }
    [...this.legend.children].forEach((entry, k) => {
      entry.querySelector("i")!.style.background = strokeOf(k);
      entry.querySelector("b")!.textContent = shared ? this.quantities[k]!.name.slice(shared.length) : this.quantities[k]!.name;
      const exact = at === this.clock.time ? this.exact[k] : undefined;
      const curve = this.curves[k];
      const value = numberText(exact ?? (curve ? nearest(...curve, at) : null));
      const rough = exact === undefined && (curve?.[0].length ?? 0) > this.box.clientWidth;
      entry.querySelector("output")!.textContent = `${rough ? "≈ " : ""}${value} ${unit}`.trim();
    });
  }
}

// "joint:pin." if all of several quantities belong to it; then it is said once.
function sharedGroup(quantities: Quantity[]): string {
  const groups = new Set(quantities.map(({ name }) => name.slice(0, name.lastIndexOf(".") + 1)));
  return quantities.length > 1 && groups.size === 1 ? [...groups][0]! : "";
}

// The value of the point nearest in time.
function nearest(times: number[], values: (number | null)[], time: number): number | null {
  if (times.length === 0) return null;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return Math.abs(times[low]! - time) <= Math.abs(times[high]! - time) ? values[low]! : values[high]!;
}

// Pairs t, value into two lists; NaN is a gap.
function split(pairs: Float64Array): [number[], (number | null)[]] {
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    let time = pairs[i]!;
    const value = pairs[i + 1]!;
    const last = times[times.length - 1];
    // Times of one instant (an impact) and gaps need places of their own on the axis.
    if (last !== undefined && time <= last) time = last + Math.max(Math.abs(last), 1e-300) * 1e-15;
    times.push(time);
    values.push(Number.isFinite(value) ? value : null);
  }
  return [times, values];
}
