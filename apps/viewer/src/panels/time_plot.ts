import uPlot from "uplot";
import type { Clock } from "../clock";
import { h } from "../dom";
import { icon } from "../icons";
import { numberText, unitText } from "../format";
import { listText } from "../address";
import type { Selection } from "../selection";
import { dashes, has, type Quantity, type Shown } from "../shown";
import { plotCard, say } from "./plot_card";
import type { PlotRange } from "./plot_range";
import { axis, padded, strokeOf, strokes } from "./plot_style";

const settled = 120; // ms without a move of the clock

// A quantity of one of the files.
interface Line {
  quantity: Quantity;
  shown: Shown;
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
  private lines: Line[] = [];
  private request = 0;
  private exact: (number | null)[] = []; // at the instant of the clock, where known
  private exactTimer = 0;
  private entries: { element: HTMLElement; output: HTMLElement }[] = [];
  private shownIn: Line[] | null = null; // the lines that the legend lists
  private width = 0; // of the box
  private forget: (() => void)[] = [];
  private chosen: Selection | null = null;

  constructor(
    readonly quantities: Quantity[],
    private title: string,
    private files: Shown[],
    private clock: Clock,
    private range: PlotRange,
    close: () => void,
    private onEmpty: () => void,
  ) {
    const card = plotCard(this.heading, this.box, close, () => this.resize(), this.legend);
    this.element = card.element;
    this.forget.push(card.forget, range.onChange(() => this.load()));
    void this.load();
  }

  get names(): string[] {
    return this.quantities.map(({ name }) => name);
  }
  get text(): string {
    return `time:${listText(this.names)}`;
  }
  // Curves of what is chosen are thick, the others faint.
  highlight(selection: Selection): void {
    this.chosen = selection;
    const any = this.names.some((name) => selection.holds(name));
    this.lines.forEach(({ quantity }, k) => {
      const on = selection.holds(quantity.name);
      const series = this.plot?.series[k + 1];
      if (series) [series.width, series.alpha] = [(on ? 2.6 : 1.4) * (window.devicePixelRatio || 1), any && !on ? 0.35 : 1];
      this.entries[k]?.element.classList.toggle("chosen", on);
    });
    this.plot?.redraw(true);
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
    const lines = this.quantities.flatMap((quantity) => this.files.filter((shown) => has(shown, quantity)).map((shown) => ({ quantity, shown })));
    try {
      const columns = await Promise.all(lines.map(({ quantity, shown }) => shown.source.column(quantity.name, from, to, points)));
      if (request !== this.request) return; // a newer one is on its way
      this.lines = lines;
      this.curves = columns.map(split);
      this.build();
    } catch (error) {
      say(this.box, error);
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
      series: [{}, ...this.lines.map((line) => ({ stroke: () => this.strokeOf(line), width: 1.4, points: { show: false }, dash: line.shown.letter === "B" ? dashes : [] }))],
      hooks: {
        ready: [() => this.show()],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width > 4) void this.range.set(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        setCursor: [(plot) => this.showLegend(plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : undefined)],
      },
    };
    this.box.replaceChildren();
    this.width = this.box.clientWidth;
    this.plot = new uPlot(options, joined, this.box);
    let pressed = 0;
    const { over } = this.plot;
    over.append(this.cursor);
    over.addEventListener("pointerdown", (event) => (pressed = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) < 3 && this.plot) this.clock.seek(this.plot.posToVal(event.offsetX, "x"));
    });
    over.addEventListener("dblclick", () => void this.range.reset());
    this.show();
    if (this.chosen?.group) this.highlight(this.chosen);
  }

  private resize(): void {
    if (!this.plot || this.box.clientWidth === 0) return;
    this.width = this.box.clientWidth;
    this.plot.setSize({ width: this.box.clientWidth, height: Math.max(this.box.clientHeight, 120) });
    this.show();
  }
  redraw(): void {
    this.plot?.redraw(false);
  }

  // Called when the clock has moved.
  show(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.clock.time, "x");
    this.cursor.hidden = !(this.clock.time >= this.range.from && this.clock.time <= this.range.to);
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
      const columns = await Promise.all(this.lines.map(({ quantity, shown }) => shown.source.column(quantity.name, time, time, 2)));
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
    if (this.shownIn !== this.lines) {
      this.shownIn = this.lines;
      this.entries = this.lines.map((line) => this.legendEntry(line, shared));
      this.legend.replaceChildren(...this.entries.map(({ element }) => element));
    }
    this.entries.forEach(({ output }, k) => {
      const exact = at === this.clock.time ? this.exact[k] : undefined;
      const curve = this.curves[k];
      const value = numberText(exact ?? (curve ? nearest(...curve, at) : null));
      const rough = exact === undefined && (curve?.[0].length ?? 0) > this.width;
      const text = `${rough ? "≈ " : ""}${value} ${unit}`.trim();
      if (output.textContent !== text) output.textContent = text;
    });
  }

  private legendEntry(line: Line, shared: string): { element: HTMLElement; output: HTMLElement } {
    const { name } = line.quantity;
    const other = line.shown.letter === "B";
    const output = h("output");
    const mark = h("i", other ? { class: "dashed" } : {});
    mark.style.setProperty("--ink", `var(${strokes[this.quantities.indexOf(line.quantity) % strokes.length]})`);
    const label = shared ? name.slice(shared.length) : name;
    const element = h("span", { class: "curve", title: name }, mark, h("b", {}, this.files.length > 1 ? `${label} (${line.shown.letter})` : label), output, other ? null : h("button", { type: "button", class: "quiet", title: `Remove ${name}`, onclick: () => this.remove(name) }, icon("close")));
    return { element, output };
  }
  private strokeOf(line: Line): string {
    return strokeOf(this.quantities.indexOf(line.quantity));
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
