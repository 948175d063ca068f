import "uplot/dist/uPlot.min.css";
import "./style.css";
import { api } from "./api";
import { Clock } from "./clock";
import { byId, h } from "./dom";
import { Frames } from "./frames";
import { listenToKeys } from "./keys";
import { firstPlots, Plots } from "./panels/plots";
import { ScenePanel } from "./panels/scene_panel";
import { Side } from "./panels/side";
import { Timeline } from "./panels/timeline";
import { startTheme, toggleTheme } from "./theme";
import type { Scene } from "./types";

const state = { ready: false, frames: 0, firstPaint: 0 };
Object.assign(window, { caromViewer: state }); // for tests

function warn(sentences: string[]): void {
  const box = byId("warnings");
  box.replaceChildren(...sentences.map((sentence) => h("p", {}, sentence)));
  box.hidden = sentences.length === 0;
}

function showStatus(scene: Scene): void {
  document.title = `${scene.name} – Carom`;
  byId("name").textContent = scene.name;
  byId("file").textContent = scene.file.split("/").pop() ?? "";
  byId("file").title = scene.file;
  const chip = byId("status");
  chip.textContent = scene.status;
  chip.className = `chip ${scene.status === "complete" || scene.kind === "model" ? "" : "alert"}`;
  chip.hidden = false;
}

function listenToTabs(): void {
  const buttons = [...document.querySelectorAll<HTMLElement>(".tabs button")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      document.body.dataset.tab = button.dataset.tab;
      buttons.forEach((other) => other.classList.toggle("active", other === button));
    });
  }
  document.body.dataset.tab = "scene";
}

// The picture may fail where the browser has no WebGL; curves do not need it.
function buildScene(scene: Scene, frames: Frames, clock: Clock): ScenePanel | null {
  if (!scene.drawable) return null;
  try {
    return new ScenePanel(scene, frames, clock);
  } catch (error) {
    byId("scene").append(h("p", { class: "hint muted" }, `The scene cannot be drawn: ${(error as Error).message}. Plots work all the same; switch on WebGL in the browser to see the motion.`));
    return null;
  }
}

function runLoop(clock: Clock, panel: ScenePanel | null): void {
  let last = performance.now();
  const tick = (now: number) => {
    clock.advance((now - last) / 1000);
    last = now;
    panel?.stage.drawIfAsked();
    if (panel) state.frames = panel.stage.frames;
    if (!state.firstPaint) state.firstPaint = performance.now();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

async function start(): Promise<void> {
  startTheme();
  listenToTabs();
  byId("theme").addEventListener("click", toggleTheme);
  const reload = () => location.reload();
  byId("reload").addEventListener("click", reload);

  const scene = await api.scene();
  showStatus(scene);
  warn(scene.warnings);
  const clock = new Clock(scene.start, scene.end, scene.samples > 1 ? (scene.end - scene.start) / (scene.samples - 1) : 0);
  const groups = await api.quantities();
  let panel: ScenePanel | null = null;
  if (scene.samples > 0) {
    const frames = await Frames.load(scene.frames, scene.samples, () => panel?.show());
    panel = buildScene(scene, frames, clock);
  }
  const plots = new Plots(scene, groups, clock);
  const side = new Side(scene, groups, plots, clock);
  if (panel) panel.onChoose = (body) => side.tree.find(`body:${body}.`);
  const timeline = new Timeline(scene, clock);
  if (scene.kind === "result" && scene.samples > 1) {
    const first = firstPlots(groups);
    if (first.length > 0) plots.addTime(first);
    plots.showEnergy();
  } else {
    document.body.classList.add("still");
  }
  listenToKeys({
    clock,
    jump: (direction) => timeline.jump(direction),
    changeSpeed: (by) => timeline.changeSpeed(by),
    fit: () => panel?.stage.reset(),
    energy: () => plots.showEnergy(),
    search: () => side.tree.search.focus(),
    theme: toggleTheme,
    reload,
  });
  runLoop(clock, panel);
  state.ready = true;
}

start().catch((error: Error) => {
  warn([error.message]);
  byId("warnings").classList.add("fatal");
  state.ready = true;
});
