import type { Clock } from "./clock";
import { byId, h } from "./dom";

export interface Actions {
  clock: Clock;
  jump(direction: 1 | -1): void;
  changeSpeed(by: number): void;
  fit(): void;
  energy(): void;
  search(): void;
  theme(): void;
  reload(): void;
  preset(which: "front" | "side" | "top" | "iso"): void;
  measure(): void;
  picture(): void;
  leave(): void;
}

const table: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one sample back or on; with shift ten"],
  ["Home End", "beginning, end"],
  ["N P", "next, previous contact event"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["F", "fit the scene"],
  ["1 2 3 4", "look from the front, the side, above, obliquely (spatial)"],
  ["M", "measure between two points"],
  ["S", "save a picture"],
  ["Esc", "close, stop measuring, choose nothing"],
  ["E", "plot the energies"],
  ["/", "search quantities"],
  ["D", "light or dark"],
  ["R", "read the file again"],
  ["?", "this list"],
];

export function listenToKeys(actions: Actions): void {
  const dialog = byId("keys") as HTMLDialogElement;
  dialog.append(
    h("h2", {}, "Keys"),
    h("table", {}, ...table.map(([keys, what]) => h("tr", {}, h("td", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("td", {}, what)))),
    h("p", { class: "muted" }, "Scene: drag to turn (spatial) or move (planar), wheel to zoom. Plots: drag to zoom, double click for all, click to go to an instant. Names: the buttons x and y of two quantities make a phase portrait."),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
  );
  const help = () => (dialog.open ? dialog.close() : dialog.showModal());
  byId("help").addEventListener("click", help);

  const { clock } = actions;
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => clock.setPlaying(!clock.playing),
    ArrowLeft: (event) => clock.stepBy(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => clock.stepBy(event.shiftKey ? 10 : 1),
    Home: () => clock.seek(clock.start),
    End: () => clock.seek(clock.end),
    n: () => actions.jump(1),
    p: () => actions.jump(-1),
    "+": () => actions.changeSpeed(1),
    "-": () => actions.changeSpeed(-1),
    l: () => clock.setLoop(!clock.loop),
    f: () => actions.fit(),
    e: () => actions.energy(),
    "/": () => actions.search(),
    d: () => actions.theme(),
    r: () => actions.reload(),
    "1": () => actions.preset("front"),
    "2": () => actions.preset("side"),
    "3": () => actions.preset("top"),
    "4": () => actions.preset("iso"),
    m: () => actions.measure(),
    s: () => actions.picture(),
    Escape: () => actions.leave(),
    "?": help,
  };
  leaveAfterClicks();
  document.addEventListener("keydown", (event) => {
    const target = document.activeElement ?? document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || belongsTo(target, event.key)) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (dialog.open && event.key !== "?")) return;
    event.preventDefault();
    action(event);
  });
}

const isText = (element: Element): boolean => element.matches("textarea, select, [contenteditable], input:not([type=checkbox]):not([type=radio]):not([type=range])");

// Whether a key means something to the control that has the focus: all of them where one types or chooses from a list,
// else those that work it. A control that was clicked has given the focus back, see below.
function belongsTo(element: Element, key: string): boolean {
  if (isText(element)) return true;
  if (element.matches("button, summary, input[type=checkbox], input[type=radio]")) return key === " " || key === "Enter";
  return element.matches("input[type=range]") && /^(Arrow|Home|End|Page)/.test(key);
}

// Whoever works a control with the pointer goes on with the keys of the page; whoever reached it by the keyboard stays.
function leaveAfterClicks(): void {
  let byPointer: Element | null = null;
  const leave = () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.blur();
    byPointer = null;
  };
  document.addEventListener("pointerdown", (event) => (byPointer = (event.target as Element).closest?.("button, summary, select, input, label") ?? null));
  document.addEventListener("keydown", () => {
    // A list that was clicked and left as it was.
    if (byPointer instanceof HTMLSelectElement && document.activeElement === byPointer && !isOpen(byPointer)) leave();
    byPointer = null;
  }, true);
  document.addEventListener("click", (event) => {
    const { activeElement } = document;
    if (event.detail > 0 && byPointer && activeElement && !isText(activeElement)) leave();
  });
  for (const kind of ["change", "pointerup"]) {
    document.addEventListener(kind, (event) => {
      const target = event.target as Element;
      if (byPointer && (kind === "change" ? target.matches?.("select, input[type=range]") : target.matches?.("input[type=range]"))) window.setTimeout(leave, 0);
    });
  }
}
function isOpen(list: HTMLSelectElement): boolean {
  try {
    return list.matches(":open");
  } catch {
    return false; // an older browser; the list takes the keys itself while it is open
  }
}
