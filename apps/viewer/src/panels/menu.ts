import { h } from "../dom";

// A button that opens a small panel below it. One at a time is open; a click elsewhere or Escape closes it.
export function menu(label: string, title: string, ...content: (HTMLElement | null | false)[]): HTMLDetailsElement {
  return h("details", { class: "menu" }, h("summary", { role: "button", title }, label), h("div", { class: "menu-body card" }, ...content));
}

export function closeMenus(except: Node | null = null): boolean {
  let any = false;
  for (const open of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (except && open.contains(except)) continue;
    open.open = false;
    any = true;
  }
  return any;
}

export function listenToMenus(): void {
  document.addEventListener("pointerdown", (event) => closeMenus(event.target as Node));
  document.addEventListener("toggle", (event) => {
    const details = event.target as HTMLElement;
    if (details instanceof HTMLDetailsElement && details.matches(".menu") && details.open) closeMenus(details);
  }, true);
}

// A slider that says its value in words, to eyes and to screen readers alike.
export function slider(label: string, range: { min: number; max: number; step: number; value: number }, text: (value: number) => string, change: (value: number) => void): HTMLElement {
  const output = h("output", { class: "muted" });
  const input = h("input", { type: "range", ...range, "aria-label": label });
  const say = () => {
    output.textContent = text(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => (change(Number(input.value)), say()));
  say();
  return h("label", { class: "slider" }, h("span", {}, label), input, output);
}

export function checkbox(label: string, value: boolean, change: (on: boolean) => void, title?: string): HTMLLabelElement {
  const box = h("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = value;
  return h("label", { title }, box, label);
}
