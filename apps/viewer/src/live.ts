import { state as askState } from "./api";
import type { State } from "./types";

const busyPause = 500; // ms between questions while a run goes on
const idlePause = 2500;

// Asks the program again and again what has changed. A question waits for the answer to the last.
export class Live {
  private listeners: ((state: State) => void | Promise<void>)[] = [];
  private timer = 0;
  private asking = false;
  lost = false; // the program does not answer

  constructor(private onLost: (message: string | null) => void) {
    document.addEventListener("visibilitychange", () => document.hidden || this.askNow());
  }

  onState(listener: (state: State) => void | Promise<void>): void {
    this.listeners.push(listener);
  }

  askNow(): void {
    window.clearTimeout(this.timer);
    void this.ask();
  }

  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    let pause = idlePause;
    const begin = performance.now();
    try {
      const state = await askState();
      if (this.lost) this.onLost(null);
      this.lost = false;
      for (const listener of this.listeners) await listener(state);
      if (state.run?.phase === "running" || state.files.some(({ growing }) => growing)) pause = busyPause;
    } catch (error) {
      if (!this.lost) this.onLost((error as Error).message);
      this.lost = true;
    }
    this.asking = false;
    // A large file takes its time to read again; most of it belongs to the user.
    pause = Math.max(pause, 3 * (performance.now() - begin));
    if (!document.hidden) this.timer = window.setTimeout(() => void this.ask(), pause);
  }
}
