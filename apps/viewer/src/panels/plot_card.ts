import { h } from "../dom";
import { icon } from "../icons";

// The frame of a plot: heading, what can be set, a button to close, a box that tells when its size changes.
export function plotCard(heading: HTMLElement, box: HTMLElement, close: () => void, onResize: () => void, ...rest: HTMLElement[]) {
  const element = h(
    "article",
    { class: "plot card" },
    h("div", { class: "row" }, heading, h("button", { type: "button", class: "quiet", title: "Close this plot", "aria-label": "Close this plot", onclick: close }, icon("close"))),
    ...rest,
    box,
  );
  const observer = new ResizeObserver(onResize);
  observer.observe(box);
  return { element, forget: () => observer.disconnect() };
}

export const say = (box: HTMLElement, error: unknown): void => box.replaceChildren(h("p", { class: "muted hint" }, (error as Error).message));
