import type { Clock } from "../clock";
import { h } from "../dom";
import { numberText, timeText, unitText } from "../format";
import type { Shown } from "../shown";
import type { EventPage } from "../types";

const pageSize = 100;

interface Listed {
  shown: Shown;
  page: EventPage;
  event: EventPage["events"][number];
}

// The log of contacts from an instant on, of two files in the order of time. A click goes there.
export class Events {
  readonly element: HTMLElement;
  private list = h("div", { class: "events" });
  private head = h("div", { class: "row muted" });
  private firsts: number[]; // number of the first event shown, of each file
  private nexts: number[]; // and of the first that is not
  private before: number[][] = []; // pages gone through
  private files: Shown[];

  constructor(
    files: Shown[],
    private clock: Clock,
  ) {
    this.files = files.filter(({ scene }) => scene.kind === "result");
    this.firsts = this.nexts = this.files.map(() => 0);
    const button = (label: string, title: string, action: () => void) => h("button", { type: "button", title, "aria-label": title, onclick: action }, label);
    const here = h("button", { type: "button", onclick: () => void this.goHere() }, "From now");
    const back = button("‹", "Earlier events", () => void this.load(this.before.pop() ?? this.files.map(() => 0)));
    const next = button("›", "Later events", () => void this.goOn());
    this.element = h("div", { class: "tab-body" }, h("div", { class: "row" }, this.head, h("span", { class: "spring" }), here, back, next), this.list);
    void this.load(this.firsts);
  }

  private async goHere(): Promise<void> {
    const pages = await Promise.all(this.files.map(({ source }) => source.events({ after: this.clock.time, count: 1 })));
    this.before = [];
    await this.load(pages.map(({ first }) => first));
  }
  private async goOn(): Promise<void> {
    const { firsts } = this;
    if (await this.load(this.nexts)) this.before.push(firsts);
  }

  // False: there are none from there on.
  private async load(firsts: number[]): Promise<boolean> {
    try {
      const pages = await Promise.all(this.files.map(({ source }, k) => source.events({ first: firsts[k]!, count: pageSize })));
      const total = pages.reduce((sum, page) => sum + page.total, 0);
      const all = pages.flatMap((page, k) => page.events.map((event): Listed => ({ shown: this.files[k]!, page, event })));
      if (all.length === 0 && total > 0) return false;
      const listed = all.sort((a, b) => a.event.time - b.event.time).slice(0, pageSize);
      this.firsts = firsts;
      this.nexts = firsts.map((first, k) => first + listed.filter(({ shown }) => shown === this.files[k]).length);
      const before = firsts.reduce((sum, first) => sum + first, 0);
      const counts = this.files.length > 1 ? ` (${pages.map((page, k) => `${this.files[k]!.letter} ${page.total}`).join(", ")})` : "";
      this.head.textContent = total === 0 ? "No events" : `${before + 1}–${before + listed.length} of ${total}${counts}`;
      this.list.replaceChildren(...listed.map((entry) => this.line(entry)));
    } catch (error) {
      this.list.replaceChildren(h("p", { class: "muted" }, (error as Error).message));
    }
    return true;
  }

  private line({ shown, page, event }: Listed): HTMLElement {
    const kind = page.kinds.find(({ name }) => name === event.kind);
    const values = event.values.slice(0, 3).map((value, k) => `${kind?.values[k]?.name.replaceAll("_", " ") ?? ""} ${numberText(value, 4)} ${unitText(kind?.values[k]?.unit ?? "")}`.trim());
    const letter = this.files.length > 1 && h("span", { class: `letter ${shown.letter}` }, shown.letter);
    return h(
      "button",
      { type: "button", class: "event", onclick: () => (this.clock.setPlaying(false), this.clock.seek(event.time)) },
      h("span", { class: "when" }, timeText(event.time, this.clock.end - this.clock.start)),
      h("span", {}, letter, letter && " ", `${event.kind} · ${event.subject}`),
      h("span", { class: "muted values" }, values.join(" · ")),
    );
  }
}
