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
}

const table: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one sample back or on; with shift ten"],
  ["Home End", "beginning, end"],
  ["N P", "next, previous contact event"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["F", "fit the scene"],
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
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (event.key === " " && target.tagName === "BUTTON") target.blur();
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (dialog.open && event.key !== "?")) return;
    event.preventDefault();
    action(event);
  });
}
