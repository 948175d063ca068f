import { Refusal, Source, startRun, stopRun } from "../api";
import { byId, h } from "../dom";
import { durationText, numberText, timeText } from "../format";
import type { Live } from "../live";
import { fileName } from "../shown";
import type { RunState } from "../types";
import { ParameterFields } from "./parameter_fields";

// Runs the model: a button and fields for its parameters, then how far it is, then how it ended.
export class RunPanel {
  private button = h("button", { type: "button", class: "primary", onclick: () => void this.press() });
  private bar = h("progress", { max: 1, value: 0, "aria-label": "Share of the run that is done" });
  private text = h("span", { class: "muted", role: "status" });
  private words = h("pre", { class: "text run-words", hidden: true });
  private state: RunState | null = null;
  private fields = new ParameterFields(new Source(0), () => this.state?.phase !== "running" && void this.press());

  constructor(private live: Live) {
    byId("run").append(h("div", { class: "row" }, this.button, this.bar, this.text), this.fields.element, this.words);
  }
  async loadFields(): Promise<void> {
    try {
      await this.fields.load();
    } catch {
      // the file cannot be read now; the page says so elsewhere
    }
  }

  show(state: RunState): void {
    this.state = state;
    byId("run").hidden = false;
    const running = state.phase === "running";
    const failed = state.phase === "ended" && state.code !== 0 && !(state.stopped && state.code === 1);
    this.button.textContent = running ? (state.stopped ? "Stopping …" : "Stop") : state.phase === "idle" ? "Run" : "Run again";
    this.button.disabled = running && state.stopped;
    this.button.title = running ? "Ends the run; what it computed is kept" : `Runs the model as the file is now and writes ${state.result}${state.replaces ? ", in place of the older one" : ""}`;
    this.bar.hidden = !running;
    const span = state.to - state.from;
    const done = span > 0 ? (state.t - state.from) / span : 0;
    this.bar.value = done;
    this.text.textContent = running ? this.progressText(state, done, span) : this.endText(state, span, failed);
    this.text.classList.toggle("alert-text", failed);
    this.words.textContent = state.words.trim();
    this.words.hidden = running || this.words.textContent === "";
    this.words.classList.toggle("alert-text", failed);
  }

  private progressText({ t, from, seconds }: RunState, done: number, span: number): string {
    if (!(span > 0)) return "starting";
    const rate = seconds > 0 ? (t - from) / seconds : 0;
    const left = done > 0 ? (seconds * (1 - done)) / done : Infinity;
    return `t = ${timeText(t, span)} of ${timeText(from + span, span)} · ${numberText(rate, 3)} s/s · ${durationText(left)} left`;
  }

  private endText({ phase, seconds, stopped, t, result, replaces }: RunState, span: number, failed: boolean): string {
    if (phase === "idle") return `writes ${fileName(result)}${replaces ? ", in place of the older one" : ""}`;
    if (failed) return "The run failed.";
    if (stopped) return `stopped${span > 0 ? ` at t = ${timeText(t, span)}` : ""}; what was computed is in ${fileName(result)}`;
    return `done in ${durationText(seconds)}, in ${fileName(result)}`;
  }

  private async press(): Promise<void> {
    this.button.disabled = true;
    try {
      const running = this.state?.phase === "running";
      this.show(await (running ? stopRun() : startRun(this.fields.changed)));
      this.fields.complain({});
    } catch (error) {
      if (error instanceof Refusal) this.fields.complain(error.fields);
      this.text.textContent = (error as Error).message;
      this.text.classList.add("alert-text");
    }
    if (!this.state?.stopped) this.button.disabled = false;
    this.live.askNow();
  }
}
