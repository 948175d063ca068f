import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Source, state as askState } from "./api";
import { Clock } from "./clock";
import { byId, h } from "./dom";
import { Frames } from "./frames";
import { listenToKeys } from "./keys";
import { Live } from "./live";
import { showComparison } from "./panels/compare";
import { firstPlots, Plots } from "./panels/plots";
import { RunPanel } from "./panels/run_panel";
import { ScenePanel } from "./panels/scene_panel";
import { Side } from "./panels/side";
import { Timeline } from "./panels/timeline";
import { fileName, type Shown } from "./shown";
import { startTheme, toggleTheme } from "./theme";
import type { FileState, RunState, Scene, State } from "./types";

const state = { ready: false, frames: 0, firstPaint: 0, refreshes: 0 };
Object.assign(window, { caromViewer: state }); // for tests

const reload = () => location.reload();

function warn(sentences: string[]): void {
  const box = byId("warnings");
  box.replaceChildren(...sentences.map((sentence) => h("p", {}, sentence)));
  box.hidden = sentences.length === 0;
}

function showStatus(scene: Scene, run: RunState | null): void {
  document.title = `${scene.name} – Carom`;
  byId("name").textContent = scene.name;
  byId("file").textContent = fileName(scene.file);
  byId("file").title = scene.file;
  const chip = byId("status");
  chip.textContent = run?.phase === "running" && scene.kind === "result" ? "running" : scene.status;
  chip.className = `chip ${scene.status === "complete" || scene.kind === "model" ? "" : "alert"}`;
  chip.hidden = false;
}

function listenToTabs(): (tab: string) => void {
  const buttons = [...document.querySelectorAll<HTMLElement>(".tabs button")];
  const choose = (tab: string) => {
    document.body.dataset.tab = tab;
    buttons.forEach((button) => button.classList.toggle("active", button.dataset.tab === tab));
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.tab!));
  choose("scene");
  return choose;
}

// The picture may fail where the browser has no WebGL; curves do not need it.
function buildScene(files: Shown[], clock: Clock): ScenePanel | null {
  const [shown, other] = files;
  if (!shown!.scene.drawable || !shown!.frames) return null;
  try {
    return new ScenePanel(shown!, other, clock);
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

async function load(of: number, onArrival: () => void): Promise<Shown> {
  const source = new Source(of);
  const [scene, groups] = await Promise.all([source.scene(), source.quantities()]);
  const frames = scene.samples > 0 ? await Frames.load(source, scene.frames, scene.samples, onArrival) : null;
  return { source, letter: of === 0 ? "A" : "B", scene, groups, frames };
}

// Of the file with the finer samples.
function stepOf(files: Shown[]): number {
  const steps = files.map(({ scene }) => (scene.samples > 1 ? (scene.end - scene.start) / (scene.samples - 1) : Infinity));
  const step = Math.min(...steps);
  return Number.isFinite(step) ? step : 0;
}
function spanOf(files: Shown[]): [number, number] {
  const filled = files.filter(({ scene }) => scene.samples > 0).map(({ scene }) => scene);
  if (filled.length === 0) return [0, 0];
  return [Math.min(...filled.map(({ start }) => start)), Math.max(...filled.map(({ end }) => end))];
}

// Takes over what a run has added to a file. True: something was.
async function extend(shown: Shown, now: FileState): Promise<boolean> {
  const { scene } = shown;
  if (now.samples === scene.samples && now.status === scene.status) return false;
  await shown.frames?.extend(now.samples);
  [scene.samples, scene.start, scene.end, scene.status] = [now.samples, now.start, now.end, now.status];
  return true;
}

async function start(): Promise<void> {
  startTheme();
  const chooseTab = listenToTabs();
  byId("theme").addEventListener("click", toggleTheme);
  byId("reload").addEventListener("click", reload);
  const live = new Live((message) => warn(message ? [message] : []));
  const runPanel = new RunPanel(live);

  const first = await askState();
  if (first.run) runPanel.show(first.run);
  let panel: ScenePanel | null = null;
  const files = await Promise.all(first.files.map((_, of) => load(of, () => panel?.show())));
  const main = files[0]!;
  showStatus(main.scene, first.run);
  const warnings = files.flatMap(({ scene, letter }) => scene.warnings.map((sentence) => (files.length > 1 ? `${letter}: ${sentence}` : sentence)));
  warn(warnings);
  if (files.length > 1) showComparison(files as [Shown, Shown]);
  const clock = new Clock(...spanOf(files), stepOf(files));
  panel = buildScene(files, clock);
  const isStill = clock.end === clock.start;
  document.body.classList.toggle("still", isStill);
  runLoop(clock, panel);
  // The picture comes before the curves.
  await new Promise((drawn) => requestAnimationFrame(() => window.setTimeout(drawn, 0)));

  const plots = new Plots(files, clock);
  const side = new Side(files, plots, clock);
  if (panel) {
    panel.onChoose = (body) => (side.find(`body:${body}.`), chooseTab("side"));
    panel.onContact = (group) => {
      if (plots.addLoop(group)) chooseTab("plots");
      else (side.find(`${group}.`), chooseTab("side"));
    };
  }
  const timeline = new Timeline(files, clock);
  if (!isStill) {
    const wanted = firstPlots(main.groups);
    if (wanted.length > 0) plots.addTime(wanted);
    plots.showEnergy();
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
  state.ready = true;
  for (const { frames } of files) {
    if (!frames?.isCoarse) continue;
    await frames.refine();
    panel?.extend();
  }

  live.onState(async (now: State) => {
    if (now.run) runPanel.show(now.run);
    const broken = now.files.flatMap(({ error }) => (error && now.run?.phase !== "running" ? [error] : []));
    warn(broken.length > 0 ? broken : warnings);
    if (now.files.some(({ error }) => error)) return;
    const isOther = now.files.some((file, k) => file.generation !== first.files[k]!.generation || file.kind !== files[k]!.scene.kind || (file.samples > 0 && !files[k]!.frames));
    if (isOther) return reload();
    const changes = await Promise.all(now.files.map((file, k) => extend(files[k]!, file)));
    showStatus(main.scene, now.run);
    if (!changes.some(Boolean)) return;
    ++state.refreshes;
    if (files.length > 1) showComparison(files as [Shown, Shown]);
    clock.extend(...spanOf(files), stepOf(files));
    panel?.extend();
    await Promise.all([plots.extend(), timeline.loadMarks()]);
  });
  live.askNow();
}

start().catch((error: Error) => {
  warn([error.message]);
  byId("warnings").classList.add("fatal");
  state.ready = true;
});
