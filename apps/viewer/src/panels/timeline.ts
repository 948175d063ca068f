import type { Clock } from "../clock";
import { byId, color, h, sharpContext } from "../dom";
import { icon } from "../icons";
import { numberText, timeText } from "../format";
import { onTheme } from "../theme";
import type { Shown } from "../shown";
import type { Mark } from "../types";

const nearEnough = 6; // pixels from a mark that still hit it

// Play, speed, and a bar to drag, with marks where contacts begin and end.
export class Timeline {
  private canvas = h("canvas", { class: "track", tabindex: 0, role: "slider", "aria-label": "Time" });
  private play = h("button", { type: "button", class: "play", title: "Play or pause (space)", "aria-label": "Play" });
  private readout = h("output", { class: "time" });
  private speed = h("select", { title: "Speed: simulated seconds per second", "aria-label": "Speed" });
  private loop = h("input", { type: "checkbox" });
  private tip = h("div", { class: "tip", hidden: true });
  private marks: Mark[] = [];
  private otherMarks: Mark[] = []; // of the file compared with

  constructor(
    private files: Shown[],
    private clock: Clock,
  ) {
    const host = byId("timeline");
    const button = (label: Parameters<typeof icon>[0], title: string, action: () => void) => h("button", { type: "button", title, "aria-label": title, onclick: action }, icon(label));
    this.play.addEventListener("click", () => clock.setPlaying(!clock.playing));
    this.fillSpeeds();
    this.loop.checked = clock.loop;
    this.loop.addEventListener("change", () => clock.setLoop(this.loop.checked));
    host.append(
      h("div", { class: "transport" }, button("first", "To the beginning (Home)", () => clock.seek(clock.start)), button("back", "One sample back (←)", () => clock.stepBy(-1)), this.play, button("on", "One sample on (→)", () => clock.stepBy(1)), button("last", "To the end (End)", () => clock.seek(clock.end))),
      h("div", { class: "track-box" }, this.canvas, this.tip),
      h("div", { class: "transport" }, this.readout, this.speed, h("label", { title: "Begin again at the end (L)" }, this.loop, "Loop")),
    );
    this.listen();
    clock.onTime(() => this.draw());
    clock.onState(() => this.showState());
    onTheme(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.showState();
    void this.loadMarks();
  }

  async loadMarks(): Promise<void> {
    const points = Math.max(100, Math.floor(this.canvas.clientWidth / 4));
    try {
      const lists = await Promise.all(this.files.map(({ source, scene }) => (scene.kind === "result" ? source.marks(points) : [])));
      [this.marks, this.otherMarks] = [lists[0] ?? [], lists[1] ?? []];
    } catch {
      // a page without marks still plays
    }
    this.draw();
  }

  private fillSpeeds(): void {
    const pleasant = this.clock.speed;
    const speeds = [...new Set([0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10].map((k) => Number((k * pleasant).toPrecision(6))))];
    for (const speed of speeds) this.speed.append(h("option", { value: speed }, `${numberText(speed, 4)}×`));
    this.speed.value = String(Number(pleasant.toPrecision(6)));
    this.speed.addEventListener("change", () => this.clock.setSpeed(Number(this.speed.value)));
  }
  changeSpeed(by: number): void {
    const index = Math.min(Math.max(this.speed.selectedIndex + by, 0), this.speed.options.length - 1);
    this.speed.selectedIndex = index;
    this.clock.setSpeed(Number(this.speed.value));
  }

  // The next or previous event from now.
  jump(direction: 1 | -1): void {
    const times = [...this.marks, ...this.otherMarks].map((mark) => mark.first).sort((a, b) => a - b);
    const tiny = 1e-9 * (this.clock.end - this.clock.start);
    const target = direction > 0 ? times.find((t) => t > this.clock.time + tiny) : times.reverse().find((t) => t < this.clock.time - tiny);
    this.clock.setPlaying(false);
    if (target !== undefined) this.clock.seek(target);
  }

  private showState(): void {
    this.play.replaceChildren(icon(this.clock.playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", this.clock.playing ? "Pause" : "Play");
    this.loop.checked = this.clock.loop;
    this.draw();
  }

  private toX(time: number): number {
    const span = this.clock.end - this.clock.start || 1;
    return 8 + ((time - this.clock.start) / span) * (this.canvas.clientWidth - 16);
  }
  private toTime(x: number): number {
    return this.clock.start + ((x - 8) / Math.max(this.canvas.clientWidth - 16, 1)) * (this.clock.end - this.clock.start);
  }
  private markAt(x: number): Mark | undefined {
    let best: Mark | undefined;
    for (const mark of this.marks) {
      const distance = Math.abs(this.toX(mark.first) - x);
      if (distance <= nearEnough && (!best || distance < Math.abs(this.toX(best.first) - x))) best = mark;
    }
    return best;
  }

  private listen(): void {
    const { canvas } = this;
    let dragging = false;
    canvas.addEventListener("pointerdown", (event) => {
      const mark = event.offsetY < 18 ? this.markAt(event.offsetX) : undefined;
      if (mark) {
        this.clock.setPlaying(false);
        this.clock.seek(mark.first);
        return;
      }
      dragging = true;
      canvas.setPointerCapture(event.pointerId);
      this.clock.seek(this.toTime(event.offsetX));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (dragging) this.clock.seek(this.toTime(event.offsetX));
      else this.showTip(event.offsetX, event.offsetY);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (dragging = false));
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  private showTip(x: number, y: number): void {
    const mark = y < 18 ? this.markAt(x) : undefined;
    this.canvas.style.cursor = mark ? "pointer" : "";
    this.tip.hidden = !mark;
    if (!mark) return;
    const span = this.clock.end - this.clock.start;
    this.tip.textContent = mark.count > 1 ? `${mark.count} events from ${timeText(mark.first, span)}` : `${mark.kind} · ${mark.subject} · ${timeText(mark.first, span)}`;
    this.tip.style.left = `${Math.min(Math.max(x, 90), this.canvas.clientWidth - 90)}px`;
  }

  draw(): void {
    const { clock } = this;
    const span = clock.end - clock.start;
    this.readout.textContent = timeText(clock.time, span);
    const said = { valuemin: clock.start, valuemax: clock.end, valuenow: clock.time, valuetext: `${this.readout.textContent} of ${timeText(clock.end, span)}` };
    for (const [name, value] of Object.entries(said)) this.canvas.setAttribute(`aria-${name}`, String(value));
    const surface = sharpContext(this.canvas);
    if (!surface) return;
    const { context, width } = surface;
    const line = 26;
    const x = this.toX(clock.time);
    const bar = (from: number, to: number, style: string) => {
      context.fillStyle = style;
      context.beginPath();
      context.roundRect(from, line - 3, Math.max(to - from, 0), 6, 3);
      context.fill();
    };
    bar(8, width - 8, color("line"));
    bar(8, x, color("accent"));
    const most = Math.max(4, ...[...this.marks, ...this.otherMarks].map((mark) => mark.count));
    const heightOf = (mark: Mark) => 5 + (9 * Math.log1p(mark.count)) / Math.log1p(most);
    context.globalAlpha = 0.8;
    context.fillStyle = color("event");
    for (const mark of this.marks) context.fillRect(this.toX(mark.first) - 0.75, line - 6 - heightOf(mark), 1.5, heightOf(mark));
    context.fillStyle = color("ghost");
    for (const mark of this.otherMarks) context.fillRect(this.toX(mark.first) - 0.75, line + 6, 1.5, 0.5 * heightOf(mark));
    context.globalAlpha = 1;
    context.fillStyle = color("accent");
    context.strokeStyle = color("panel");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, line, 7, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}
