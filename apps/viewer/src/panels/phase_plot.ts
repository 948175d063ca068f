import uPlot from "uplot";
import { api } from "../api";
import type { Clock } from "../clock";
import { h } from "../dom";
import { icon } from "../icons";
import { withUnit } from "../format";
import { axis, padded, strokeOf } from "./plot_style";
import type { Quantity } from "./time_plot";

// One quantity over another, with a dot at the instant of the clock.
export class PhasePlot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private t: number[] = [];
  private x: number[] = [];
  private y: number[] = [];
  private box = h("div", { class: "plot-box tall" });
  private dot = h("div", { class: "dot" });
  private observer = new ResizeObserver(() => this.resize());

  constructor(
    private first: Quantity,
    private second: Quantity,
    private clock: Clock,
    close: () => void,
  ) {
    this.element = h(
      "article",
      { class: "plot card" },
      h("div", { class: "row" }, h("h3", {}, `${second.name} over ${first.name}`), h("button", { type: "button", class: "quiet", title: "Close this plot", "aria-label": "Close this plot", onclick: close }, icon("close"))),
      this.box,
    );
    this.observer.observe(this.box);
    void this.load();
  }
  destroy(): void {
    this.plot?.destroy();
    this.observer.disconnect();
  }

  private async load(): Promise<void> {
    try {
      const triples = await api.phase(this.first.name, this.second.name, 4000);
      for (let i = 0; i < triples.length; i += 3) {
        this.t.push(triples[i]!);
        this.x.push(triples[i + 1]!);
        this.y.push(triples[i + 2]!);
      }
      this.build();
    } catch (error) {
      this.box.replaceChildren(h("p", { class: "muted" }, (error as Error).message));
    }
  }

  private build(): void {
    const limits = (values: number[]): [number, number] => {
      let [low, high] = [Infinity, -Infinity];
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
      return padded(low, high);
    };
    const [xs, ys] = [limits(this.x), limits(this.y)];
    const line: uPlot.Series.PathBuilder = (plot) => {
      const { ctx } = plot;
      ctx.save();
      ctx.beginPath();
      ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
      ctx.clip();
      ctx.strokeStyle = strokeOf(0);
      ctx.lineWidth = 1.3 * (window.devicePixelRatio || 1);
      ctx.beginPath();
      this.x.forEach((x, k) => ctx.lineTo(plot.valToPos(x, "x", true), plot.valToPos(this.y[k]!, "y", true)));
      ctx.stroke();
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
      series: [{}, { facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: line }],
    };
    this.box.replaceChildren();
    this.plot = new uPlot(options, [[], [this.x, this.y]] as unknown as uPlot.AlignedData, this.box);
    this.plot.over.append(this.dot);
    queueMicrotask(() => this.show()); // scales are known only then
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
    if (!this.plot || this.t.length === 0) return;
    let low = 0;
    let high = this.t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle]! <= this.clock.time) low = middle;
      else high = middle;
    }
    const span = this.t[high]! - this.t[low]!;
    const s = span > 0 ? Math.min(Math.max((this.clock.time - this.t[low]!) / span, 0), 1) : 0;
    const at = (values: number[]) => values[low]! + s * (values[high]! - values[low]!);
    this.dot.style.transform = `translate(${this.plot.valToPos(at(this.x), "x").toFixed(1)}px, ${this.plot.valToPos(at(this.y), "y").toFixed(1)}px)`;
  }
}
