import uPlot from "uplot";
import { color, h } from "../dom";
import { numberText, unitText } from "../format";
import { listText } from "../address";
import { dashes, has, type Quantity, type Shown } from "../shown";
import type { SpectrumData } from "../types";
import { plotCard, say } from "./plot_card";
import type { PlotRange } from "./plot_range";
import { axis, font, logAxis, strokeOf } from "./plot_style";

const decades = 6; // of a logarithmic axis of amplitudes

// How strongly a quantity swings at which frequency, in the part of the run that the plots over time show.
export class SpectrumPlot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private spectra: SpectrumData[] = [];
  private files: Shown[];
  private box = h("div", { class: "plot-box" });
  private note = h("span", { class: "muted" });
  private logF = h("input", { type: "checkbox", onchange: () => void this.load() });
  private logA = h("input", { type: "checkbox", onchange: () => this.build() });
  private request = 0;
  private forget: (() => void)[];

  constructor(
    private quantity: Quantity,
    files: Shown[],
    private range: PlotRange,
    close: () => void,
  ) {
    this.files = files.filter((shown) => has(shown, quantity));
    this.logF.checked = this.logA.checked = true;
    const settings = h("div", { class: "row settings" }, this.note, h("span", { class: "spring" }), h("label", {}, this.logF, "log f"), h("label", {}, this.logA, "log y"));
    const card = plotCard(h("h3", {}, `Spectrum · ${quantity.name}`), this.box, close, () => this.resize(), settings);
    this.element = card.element;
    this.forget = [card.forget, range.onChange(() => this.load())];
    void this.load();
  }
  destroy(): void {
    this.plot?.destroy();
    for (const action of this.forget) action();
  }
  get names(): string[] {
    return [this.quantity.name];
  }
  get text(): string {
    return `spectrum:${listText(this.names)}`;
  }
  show(): void {} // the clock changes nothing here

  private async load(): Promise<void> {
    const request = ++this.request;
    const { from, to } = this.range;
    try {
      const spectra = await Promise.all(this.files.map(({ source }) => source.spectrum(this.quantity.name, from, to, this.logF.checked)));
      if (request !== this.request) return;
      this.spectra = spectra;
      this.note.textContent = `Hann window, ${spectra[0]!.samples} samples, lines ${numberText(spectra[0]!.resolution, 3)} Hz apart`;
      this.build();
    } catch (error) {
      say(this.box, error);
    }
  }

  private build(): void {
    if (this.spectra.length === 0) return;
    this.plot?.destroy();
    const highest = Math.max(...this.spectra.flatMap(({ curve }) => curve.map(([, a]) => a ?? 0)), 1e-300);
    const floor = highest * 10 ** -decades;
    const logarithmic = this.logA.checked;
    const curves = this.spectra.map(({ curve }) => [curve.map(([f]) => f), curve.map(([, a]) => (a === null ? null : logarithmic ? Math.max(a, floor) : a))] as unknown as uPlot.AlignedData);
    const last = Math.max(...this.spectra.map(({ curve }) => curve[curve.length - 1]![0]));
    const first = this.logF.checked ? Math.min(...this.spectra.map(({ curve }) => curve[0]![0])) : 0;
    const unit = unitText(this.quantity.unit);
    const options: uPlot.Options = {
      width: Math.max(this.box.clientWidth, 100),
      height: Math.max(this.box.clientHeight, 120),
      legend: { show: false },
      padding: [14, 18, 0, 0],
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      scales: {
        x: { time: false, distr: this.logF.checked ? 3 : 1, ...(this.logF.checked ? { range: [first, last] } : {}) },
        y: { distr: logarithmic ? 3 : 1, range: () => (logarithmic ? [floor, highest * 4] : [0, highest * 1.15]) },
      },
      axes: [(this.logF.checked ? logAxis : axis)("f [Hz]", 26), (logarithmic ? logAxis : axis)(unit ? `[${unit}]` : "", 56)],
      series: [{}, ...this.files.map(({ letter }) => ({ stroke: () => strokeOf(0), width: 1.2, points: { show: false }, dash: letter === "B" ? dashes : [] }))],
      hooks: { draw: [(plot) => this.labelPeaks(plot)] },
    };
    this.box.replaceChildren();
    this.plot = new uPlot(options, uPlot.join(curves), this.box);
  }

  // The frequencies of the strongest lines, where there is room for them.
  private labelPeaks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    ctx.font = font(ratio);
    ctx.textAlign = "center";
    ctx.fillStyle = color("text");
    const taken: [number, number][] = [];
    for (const [f, a] of [...(this.spectra[0]?.peaks ?? [])].sort((p, q) => q[1] - p[1])) {
      const x = plot.valToPos(f, "x", true);
      const y = plot.valToPos(a, "y", true);
      const text = `${numberText(f, 4)} Hz`;
      const half = ctx.measureText(text).width / 2 + 3 * ratio;
      if (x < bbox.left || x > bbox.left + bbox.width || taken.some(([from, to]) => x + half > from && x - half < to)) continue;
      const middle = Math.min(Math.max(x, bbox.left + half), bbox.left + bbox.width - half);
      taken.push([middle - half, middle + half]);
      ctx.fillText(text, middle, Math.max(y - 5 * ratio, bbox.top + 4 * ratio));
    }
    ctx.restore();
  }

  private resize(): void {
    if (this.plot && this.box.clientWidth > 0) this.plot.setSize({ width: this.box.clientWidth, height: Math.max(this.box.clientHeight, 120) });
  }
  redraw(): void {
    this.plot?.redraw(false);
  }
}
