import type { Source } from "../api";
import type { Clock } from "../clock";
import { h } from "../dom";
import { numberText, timeText, unitText } from "../format";
import type { EventPage } from "../types";

const pageSize = 100;

// The log of contacts from an instant on. A click goes there.
export class Events {
  readonly element: HTMLElement;
  private list = h("div", { class: "events" });
  private head = h("div", { class: "row muted" });
  private first = 0;

  constructor(
    private source: Source,
    private clock: Clock,
  ) {
    const here = h("button", { type: "button", onclick: () => void this.load({ after: this.clock.time }) }, "From now");
    const back = h("button", { type: "button", onclick: () => void this.load({ first: Math.max(0, this.first - pageSize) }) }, "‹");
    const next = h("button", { type: "button", onclick: () => void this.load({ first: this.first + pageSize }) }, "›");
    this.element = h("div", { class: "tab-body" }, h("div", { class: "row" }, this.head, h("span", { class: "spring" }), here, back, next), this.list);
    void this.load({ first: 0 });
  }

  private async load(query: { after?: number; first?: number }): Promise<void> {
    try {
      const page = await this.source.events({ ...query, count: pageSize });
      if (page.events.length > 0 || page.total === 0) this.fill(page);
    } catch (error) {
      this.list.replaceChildren(h("p", { class: "muted" }, (error as Error).message));
    }
  }

  private fill(page: EventPage): void {
    this.first = page.first;
    this.head.textContent = page.total === 0 ? "No events" : `${page.first + 1}–${page.first + page.events.length} of ${page.total}`;
    const span = this.clock.end - this.clock.start;
    this.list.replaceChildren(
      ...page.events.map((event) => {
        const kind = page.kinds.find(({ name }) => name === event.kind);
        const values = event.values.slice(0, 3).map((value, k) => `${kind?.values[k]?.name.replaceAll("_", " ") ?? ""} ${numberText(value, 4)} ${unitText(kind?.values[k]?.unit ?? "")}`.trim());
        return h(
          "button",
          { type: "button", class: "event", onclick: () => (this.clock.setPlaying(false), this.clock.seek(event.time)) },
          h("span", { class: "when" }, timeText(event.time, span)),
          h("span", {}, `${event.kind} · ${event.subject}`),
          h("span", { class: "muted values" }, values.join(" · ")),
        );
      }),
    );
  }
}
